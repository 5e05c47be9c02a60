// The right panel of the Run view: what may come next, as sampling reshapes it.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/choices.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/slider_row.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/run/look.hpp"

namespace headcount {
namespace {

constexpr float bar_row = 23, bar_height = 10, words_width = 62;
constexpr float lines_between = 36;  // two, as there mostly are
constexpr std::size_t most_rows = 12, fewest_rows = 7, least_cut = 3;

// In the order of NextStage.
constexpr std::array<std::string_view, 4> stages{"logits", "softmax", "÷ T", "kept"};

std::string said_of(NextStage stage, const RunSampling& sampling) {
    switch (stage) {
        case NextStage::logit:
            return "As the output head has them.";
        case NextStage::plain:
            return "softmax(logits), without any sampling.";
        case NextStage::tempered:
            return sampling.greedy ? "Only the likeliest counts."
                                   : "softmax(logits / " + decimal_text(sampling.temperature, 2) + ").";
        case NextStage::kept:
            return sampling.greedy ? "Always the likeliest." : "What is left, made to add up to 100 %.";
    }
    return "";
}

std::string rule_of(Cut cut, const RunSampling& sampling) {
    switch (cut) {
        case Cut::kept:
            return "";
        case Cut::impossible:
            return sampling.greedy ? "not the likeliest" : "left nothing by temperature";
        case Cut::top_k:
            return "cut by top-k " + std::to_string(sampling.top_k);
        case Cut::top_p:
            return "cut by top-p " + decimal_text(sampling.top_p, 2);
        case Cut::min_p:
            return "cut by min-p " + decimal_text(sampling.min_p, 2);
    }
    return "";
}

struct Bars {
    const Ui& ui;
    const RunNext& next;
    NextStage stage;
    double least = 0, most = 1;  // of the logits that are shown, and 0

    double place_of(double logit) const { return most > least ? (logit - least) / (most - least) : 1; }
    double zero() const { return stage == NextStage::logit ? place_of(0) : 0; }
    // From 0 to 1; logits have a zero between their ends.
    double length(const Candidate& each) const {
        if (stage == NextStage::logit) return place_of(static_cast<double>(each.logit));
        return share_at(stage, each) / std::max(share_at(stage, next.distribution.candidates.front()), 1e-12);
    }
    std::string text(const Candidate& each) const {
        return stage == NextStage::logit ? decimal_text(static_cast<double>(each.logit), 2)
                                         : share_text(share_at(stage, each));
    }
};

void explain(const Bars& bars, const Candidate& each, const std::string& token) {
    const RunSampling& sampling = bars.next.sampling;
    const std::string value = decimal_text(static_cast<double>(each.logit), 3);
    std::string steps = "softmax " + share_text(each.plain);
    if (!sampling.greedy)
        steps += ", with temperature " + decimal_text(sampling.temperature, 2) + " " + share_text(each.tempered);
    steps += each.cut == Cut::kept ? ", drawn with " + share_text(each.probability) + "."
                                   : ", " + rule_of(each.cut, sampling) + ".";
    show_tooltip(bars.ui, {token + "   token " + std::to_string(each.id), "logit " + value, {}, steps});
}

void bar(const Bars& bars, const Candidate& each, std::size_t index) {
    const Ui& ui = bars.ui;
    const ImVec2 start = ImGui::GetCursorScreenPos(), extent(available_width(), std::round(ui.px(bar_row)));
    const ImVec2 end = start + extent;
    const std::string name = "run.next." + std::to_string(index);
    ui.recorder.record(name, start, end);
    const bool cut = each.cut != Cut::kept, picked = bars.next.pick == each.id;
    const IdScope scope(name);
    const Press press = press_area(ui, "bar", start, end, size::radius_field, index == 0);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (press.hovered || press.focused) tint_row(ui, start, end, hover_tint(ui.theme));
    const std::string token = candidate_text(*bars.next.of, each.id);
    const ImU32 ink = cut ? ui.theme.text_low : picked ? ui.theme.text_high : ui.theme.text_mid;
    draw_text_in(list, picked ? ui.fonts.mono_medium : ui.fonts.mono, start,
                 ImVec2(start.x + ui.px(words_width - 6), end.y), ink, token);
    const float number_width = text_width(ui.fonts.mono, share_text(1e-7)) + ui.px(8);
    const float from = start.x + ui.px(words_width), to = end.x - number_width;
    const float centre = std::round(start.y + extent.y / 2), half = ui.px(bar_height) / 2;
    list.AddRectFilled(ImVec2(from, centre - half), ImVec2(to, centre + half), ui.theme.line, ui.px(2));
    const auto [left, right] = std::minmax({bars.zero(), std::clamp(bars.length(each), 0.0, 1.0)});
    const ImU32 hue = ui.theme.output_head;
    const ImU32 fill = picked ? hue : with_alpha(hue, cut ? 0.35F : 0.62F);
    if (right > left) {
        const float begin = from + (to - from) * static_cast<float>(left);
        const float finish = std::max(begin + 1, from + (to - from) * static_cast<float>(right));
        list.AddRectFilled(ImVec2(begin, centre - half), ImVec2(finish, centre + half), fill, ui.px(2));
    }
    draw_text_in(list, ui.fonts.mono, start, end, ink, bars.text(each), Align::right);
    if (press.hovered || press.focused) explain(bars, each, token);
    place(start, extent);
}

void line_between(const Ui& ui, const std::string& words) {
    const ImVec2 start = ImGui::GetCursorScreenPos(), extent(available_width(), std::round(ui.px(18)));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_text_in(list, ui.fonts.caption, start, start + extent, ui.theme.text_low, words);
    const float from = start.x + text_width(ui.fonts.caption, words) + ui.px(8), y = std::round(start.y + extent.y / 2);
    list.AddRectFilled(ImVec2(from, y), ImVec2(start.x + extent.x, y + 1), ui.theme.line);
    place(start, extent);
}

// The kept ones with the one that is drawn, how many more there are, and the first that are cut, rule by rule. They
// take the same room whatever is cut, so that what stands below them stays where it is.
void all_bars(const Bars& bars, std::size_t rows) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const std::vector<Candidate>& all = bars.next.distribution.candidates;
    const std::size_t kept = std::min(bars.next.distribution.kept, all.size());
    const std::size_t kept_rows = std::min(kept, rows - std::min(least_cut, all.size() - kept));
    const std::size_t cut_rows = std::min(all.size() - kept, rows - kept_rows);
    std::size_t picked = 0;
    while (picked < kept && all[picked].id != bars.next.pick) ++picked;
    const bool far = kept_rows > 0 && picked >= kept_rows && picked < kept;
    const std::size_t first_rows = far ? kept_rows - 1 : kept_rows;
    for (std::size_t i = 0; i < first_rows; ++i) bar(bars, all[i], i);
    if (kept > kept_rows) {
        double share = 0;
        for (std::size_t i = first_rows; i < kept; ++i) share += far && i == picked ? 0 : all[i].probability;
        line_between(bars.ui, std::to_string(kept - kept_rows) + " more, " + share_text(share) + " together");
    }
    if (far) bar(bars, all[picked], picked);
    Cut rule = Cut::kept;
    for (std::size_t i = kept; i < kept + cut_rows; ++i) {
        if (all[i].cut != rule) line_between(bars.ui, rule_of(all[i].cut, bars.next.sampling));
        rule = all[i].cut;
        bar(bars, all[i], i);
    }
    const float room = bars.ui.px(bar_row) * static_cast<float>(rows) + bars.ui.px(lines_between);
    if (const float left = start.y + std::round(room) - ImGui::GetCursorScreenPos().y; left > 0)
        place(ImGui::GetCursorScreenPos(), ImVec2(1, left));
}

// Whether the newest token's step has not come to the output head.
bool early(const RunNext& next) {
    return next.position + 1 == next.of->values->tokens() && !next.of->whole();
}

std::string title_remark(const RunNext& next) {
    const std::string at = "after position " + std::to_string(next.position);
    if (!early(next)) return at;
    return at + (next.layers == 0 ? ", as embedded" : ", behind layer " + std::to_string(next.layers - 1));
}

// As many as there is height for.
std::size_t bar_rows(const Ui& ui) {
    const float fits = (ImGui::GetWindowSize().y / ui.scale - 620) / bar_row;
    return static_cast<std::size_t>(std::clamp(fits, static_cast<float>(fewest_rows), static_cast<float>(most_rows)));
}

}  // namespace

double share_at(NextStage stage, const Candidate& candidate) {
    switch (stage) {
        case NextStage::logit:
            break;
        case NextStage::plain:
            return candidate.plain;
        case NextStage::tempered:
            return candidate.tempered;
        case NextStage::kept:
            return candidate.probability;
    }
    return 0;
}

void draw_run_next(const Ui& ui, const Session& session) {
    const RunNext* const next = session.running.next.get();
    if (!next || !next->of || !next->of->values) {
        section_title(ui, "Next token");
        gap(ui, 4);
        paragraph(ui, ui.fonts.table, ui.theme.text_low,
                  "What may follow the prompt stands here once the model has read it.");
        return;
    }
    section_title(ui, "Next token", title_remark(*next));
    gap(ui, 4);
    if (next->wrong) {
        message_card(ui, "run.next", sentence(*next->wrong) + ".", {});
        return;
    }
    NextStage& stage = kept<NextStage>(ui, "run.next.stage");
    bool& touched = kept<bool>(ui, "run.next.touched");
    if (!touched) stage = NextStage::kept;
    const ChoiceResult chosen = segmented(ui, "run.stage", stages, static_cast<int>(stage), true);
    if (chosen.chosen) {
        stage = static_cast<NextStage>(*chosen.chosen);
        touched = true;
    }
    gap(ui, 4);
    Bars bars{ui, *next, stage};
    const std::vector<Candidate>& all = next->distribution.candidates;
    if (all.empty()) return;
    const std::size_t rows = bar_rows(ui);
    const std::size_t last = std::min(all.size() - 1, std::max(next->distribution.kept, rows) + least_cut);
    bars.most = std::max(0.0, static_cast<double>(all.front().logit));
    bars.least = std::min(0.0, static_cast<double>(std::max(all[last].logit, all.front().logit - 40)));
    all_bars(bars, std::min(rows, all.size()));
    gap(ui, 4);
    paragraph(ui, ui.fonts.caption, ui.theme.text_low,
              early(*next) ? "What the output head would say here." : said_of(stage, next->sampling));
}

float run_attention_height(const Ui& ui) {
    constexpr float all_else = 553;  // in this panel, with the fewest bars
    const float more_bars = static_cast<float>(bar_rows(ui) - fewest_rows) * bar_row;
    return std::max(180.0F, ImGui::GetWindowSize().y / ui.scale - all_else - more_bars);
}

Intents draw_run_answers(const Ui& ui, const Session& session) {
    Intents intents;
    draw_run_next(ui, session);
    if (!run_of(session)) return intents;
    separator(ui, 12, 10);
    draw_run_attention(ui, session, intents);
    separator(ui, 12, 10);
    draw_run_cache(ui, session);
    gap(ui, size::panel_padding);
    return intents;
}

}  // namespace headcount
