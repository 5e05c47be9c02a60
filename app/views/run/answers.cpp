// The right panel of the Run view: what may come next, as sampling reshapes it; attention; how full the KV cache is,
// and the formula of its bytes.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/choices.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/slider_row.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/run/parts.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float bar_row = 23, bar_height = 10, words_width = 62;
constexpr float lines_between = 36;         // two, as there mostly are
constexpr float least_presented_map = 180;  // a smaller one is of no use to a class
constexpr std::size_t most_rows = 12, fewest_rows = 7, presented_rows = 6, least_cut = 3;

// In the order of NextStage.
constexpr std::array<std::string_view, 4> stages{"logits", "softmax", "÷ T", "kept"};
constexpr std::size_t plain_stages = 2;  // of a model that draws nothing

std::string said_of(NextStage stage, const RunSampling& sampling) {
    if (stage == NextStage::logit) return "As the output head has them.";
    if (stage == NextStage::plain) return "softmax(logits), without any sampling.";
    if (stage == NextStage::kept)
        return sampling.greedy ? "Always the likeliest." : "What is left, made to add up to 100 %.";
    return sampling.greedy ? "Only the likeliest counts."
                           : "softmax(logits / " + decimal_text(sampling.temperature, 2) + ").";
}

std::string rule_of(Cut cut, const RunSampling& sampling) {
    if (cut == Cut::top_k) return "cut by top-k " + std::to_string(sampling.top_k);
    if (cut == Cut::top_p) return "cut by top-p " + decimal_text(sampling.top_p, 2);
    if (cut == Cut::min_p) return "cut by min-p " + decimal_text(sampling.min_p, 2);
    return sampling.greedy ? "not the likeliest" : "left nothing by temperature";
}

struct Bars {
    const Ui& ui;
    const RunNext& next;
    NextStage stage;
    bool there = true;           // else it is not known yet which tokens these are
    double least = 0, most = 1;  // of the logits that are shown, and 0
    ChipTexts texts{{}};

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
    const std::string note = note_on(*bars.next.of, each.id);
    if (!note.empty()) steps += " " + note;
    show_tooltip(bars.ui, {token + "   token " + std::to_string(each.id), "logit " + value, {}, steps});
}

// Where a bar may be, of a row between these corners.
std::pair<ImVec2, ImVec2> draw_track(const Ui& ui, ImVec2 start, ImVec2 end) {
    const float number_width = text_width(ui.fonts.mono, share_text(1e-7)) + ui.px(8);
    const float centre = std::round((start.y + end.y) / 2), half = ui.px(bar_height) / 2;
    const ImVec2 min(start.x + ui.px(words_width), centre - half), max(end.x - number_width, centre + half);
    ImGui::GetWindowDrawList()->AddRectFilled(min, max, ui.theme.line, ui.px(2));
    return {min, max};
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
    const std::string token = bars.texts.of(piece_of(*bars.next.of, each.id));
    const ImU32 ink = cut ? ui.theme.text_low : picked ? ui.theme.text_high : ui.theme.text_mid;
    draw_text_in(list, picked ? ui.fonts.mono_medium : ui.fonts.mono, start,
                 ImVec2(start.x + ui.px(words_width - 6), end.y), ink, token);
    const auto [track_min, track_max] = draw_track(ui, start, end);
    const float from = track_min.x, to = track_max.x;
    const auto [left, right] = std::minmax({bars.zero(), std::clamp(bars.length(each), 0.0, 1.0)});
    const ImU32 hue = ui.theme.output_head;
    const ImU32 fill = picked ? hue : with_alpha(hue, cut ? 0.35F : 0.62F);
    if (right > left) {
        const float begin = from + (to - from) * static_cast<float>(left);
        const float finish = std::max(begin + 1, from + (to - from) * static_cast<float>(right));
        list.AddRectFilled(ImVec2(begin, track_min.y), ImVec2(finish, track_max.y), fill, ui.px(2));
    }
    draw_text_in(list, ui.fonts.mono, start, end, ink, bars.text(each), Align::right);
    if (press.hovered || press.focused) explain(bars, each, token);
    place(start, extent);
}

void line_between(const Ui& ui, const std::string& words) {
    const auto [min, max] = take_line(ui, 18);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_text_in(list, ui.fonts.caption, min, max, ui.theme.text_low, words);
    const float from = min.x + text_width(ui.fonts.caption, words) + ui.px(8);
    const float y = std::round(min.y + std::round(ui.px(18)) / 2);
    list.AddRectFilled(ImVec2(from, y), ImVec2(max.x, y + 1), ui.theme.line);
}

// The kept ones with the one that is drawn, how many more there are, and the first that are cut, rule by rule.
void known_bars(const Bars& bars, std::size_t rows) {
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
}

// They take the same room whatever is cut, and before they are known, so that what stands below them stays where it is.
void all_bars(const Bars& bars, std::size_t rows) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    for (std::size_t i = 0; !bars.there && i < rows; ++i) {
        const auto [min, max] = take_line(bars.ui, bar_row);
        bars.ui.recorder.record("run.next.track." + std::to_string(i), min, max);
        draw_track(bars.ui, min, max);
    }
    if (bars.there) known_bars(bars, rows);
    const float room = bars.ui.px(bar_row) * static_cast<float>(rows) + bars.ui.px(lines_between);
    if (const float left = start.y + std::round(room) - ImGui::GetCursorScreenPos().y; left > 0)
        place(ImGui::GetCursorScreenPos(), ImVec2(1, left));
}

// Whether the newest token's step has not come to the output head.
bool early(const RunNext& next) { return next.position + 1 == next.of->values->tokens() && !next.of->whole(); }

std::string title_remark(const RunNext& next) {
    const bool follows = generates(next.of->of->architecture());
    const std::string at = (follows ? "after position " : "at position ") + std::to_string(next.position);
    if (!early(next)) return at;
    return at + (next.layers == 0 ? ", as embedded" : ", behind layer " + std::to_string(next.layers - 1));
}

// As many as there is height for above what else stands there.
std::size_t bar_rows(const Ui& ui, bool attention) {
    const float others = attention ? 620 : 340;
    const float fits = (ImGui::GetWindowSize().y / ui.scale - others) / bar_row;
    return static_cast<std::size_t>(std::clamp(fits, static_cast<float>(fewest_rows), static_cast<float>(most_rows)));
}

void draw_next(const RunPanel& panel) {
    const Ui& ui = panel.ui;
    const RunNext* const next = panel.page.next.get();
    if (panel.run() && !has_head(panel.run()->values->model().architecture)) {
        section_title(ui, "What it gives");
        gap(ui, 4);
        paragraph(ui, ui.fonts.table, ui.theme.text_low,
                  panel.run()->values->model().architecture.output == OutputKind::pooler
                      ? "One row for the whole text, from the first token: this model scores no tokens."
                      : "The last layer's rows, one for each token: nothing stands on them that scores tokens.");
        return;
    }
    if (!next || !next->of || !next->of->values) {
        section_title(ui, "Next token");
        gap(ui, 4);
        paragraph(ui, ui.fonts.table, ui.theme.text_low,
                  "What may follow the prompt stands here once the model has read it.");
        return;
    }
    const bool follows = generates(next->of->of->architecture());
    section_title(ui, follows ? "Next token" : "Token there", title_remark(*next));
    gap(ui, 4);
    if (next->wrong) {
        message_card(ui, "run.next", sentence(*next->wrong) + ".", {});
        return;
    }
    auto& chosen = kept<std::optional<NextStage>>(ui, "run.next.stage");
    std::array words = stages;
    const std::string by = "÷ " + decimal_text(next->sampling.temperature, 2);  // the settings need not be in sight
    if (!next->sampling.greedy) words[static_cast<std::size_t>(NextStage::tempered)] = by;
    const std::span<const std::string_view> offered = std::span(words).first(follows ? words.size() : plain_stages);
    const auto last_stage = static_cast<NextStage>(offered.size() - 1);
    NextStage stage = std::min(chosen.value_or(NextStage::plain), last_stage);  // what the model itself says
    if (!panel.presents) {
        const ChoiceResult pressed = segmented(ui, "run.stage", offered, static_cast<int>(stage), true);
        if (pressed.chosen) chosen = stage = static_cast<NextStage>(*pressed.chosen);
        gap(ui, 4);
    }
    Bars bars{.ui = ui, .next = *next, .stage = stage, .there = has_answered(panel.page)};
    const std::vector<Candidate>& all = next->distribution.candidates;
    if (all.empty()) return;
    const std::size_t rows = panel.presents ? presented_rows : bar_rows(ui, panel.shows() != RunShows::words);
    const std::size_t last = std::min(all.size() - 1, std::max(next->distribution.kept, rows) + least_cut);
    bars.most = std::max(0.0, static_cast<double>(all.front().logit));
    bars.least = std::min(0.0, static_cast<double>(std::max(all[last].logit, all.front().logit - 40)));
    bars.texts = candidate_texts(*next->of, std::span(all).first(last + 1), &Candidate::id);
    all_bars(bars, std::min(rows, all.size()));
    if (panel.presents && bars.there && !early(*next)) return;
    gap(ui, 4);
    paragraph(ui, ui.fonts.caption, ui.theme.text_low,
              !bars.there    ? "Known once the last operation is done."
              : early(*next) ? "What the output head would say here."
                             : said_of(stage, next->sampling));
}

// As the graph of these tokens has it, in the numbers that the run holds.
void draw_bytes(const Ui& ui, const RunSnapshot& run, const Expr& bytes, const std::string& words) {
    const Bindings numbers = bindings(run.values->model().architecture, run.values->input());
    const float width = available_width();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Result<std::int64_t> value = evaluate(bytes, numbers);
    const std::string text = value ? grouped(*value) + " B" : "", formula = in_numbers(bytes, numbers);
    const float wide = text_width(ui.fonts.mono_medium, text) + ui.px(12);
    const bool beside = text_width(ui.fonts.mono, formula) + wide <= width;
    const auto [min, max] = take_line(ui, 20);
    draw_text_in(list, ui.fonts.mono_medium, min, max, ui.theme.text_high, text, Align::right);
    draw_text_in(list, beside ? ui.fonts.mono : ui.fonts.table, min, max, ui.theme.text_mid, beside ? formula : words);
    if (!beside) paragraph(ui, ui.fonts.mono_caption, ui.theme.text_low, formula);
    gap(ui, 2);
    paragraph(ui, ui.fonts.mono_caption, ui.theme.text_low, in_symbols(bytes) + ", 4 B a number", true);
}

// What is kept of a sequence where no keys and values are.
void draw_no_cache(const Ui& ui, const Architecture& arch) {
    section_title(ui, "KV cache", "none");
    gap(ui, 4);
    paragraph(ui, ui.fonts.table, ui.theme.text_low,
              attends(arch)
                  ? "All tokens are read at once, and none comes later: nothing is kept."
                  : "No layer has keys and values to keep: each has a state of fixed size, as large after any "
                    "number of tokens.");
}

void draw_cache(const Ui& ui, const RunSnapshot& run) {
    const Architecture& arch = run.values->model().architecture;
    if (!attends(arch) || sees_all(arch)) return draw_no_cache(ui, arch);
    const std::int64_t tokens = run.values->tokens(), room = run.of->options.capacity;
    section_title(ui, "KV cache", std::to_string(tokens) + " of " + std::to_string(room) + " tokens");
    gap(ui, 6);
    const float width = available_width();
    const auto [start, end] = take_line(ui, 16);
    ui.recorder.record("run.cache", start, end);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_box(list, start, end, ui.theme.kv_fill, ui.theme.kv_edge, ui.px(size::radius_matrix));
    // A stripe a token, as far as these can be told apart.
    const float one = (width - 4) / static_cast<float>(std::max<std::int64_t>(room, 1));
    const float full = one * static_cast<float>(tokens);
    if (one < 3)
        list.AddRectFilled(start + ImVec2(2, 2), ImVec2(start.x + 2 + std::max(1.0F, full), end.y - 2),
                           ui.theme.kv_edge);
    for (std::int64_t i = 0; one >= 3 && i < tokens; ++i) {
        const float x = start.x + 2 + one * static_cast<float>(i);
        list.AddRectFilled(ImVec2(x, start.y + 2), ImVec2(x + one - 1, end.y - 2), ui.theme.kv_edge);
    }
    gap(ui, 8);
    draw_bytes(ui, run, run.of->cache_bytes, "Keys and values");
}

// What recurrences remember: it does not grow.
void draw_states(const Ui& ui, const RunSnapshot& run) {
    section_title(ui, "States", "the same for any number of tokens");
    gap(ui, 6);
    draw_bytes(ui, run, run.of->state_bytes, "States");
}

}  // namespace

double share_at(NextStage stage, const Candidate& candidate) {
    constexpr std::array shares{&Candidate::plain, &Candidate::tempered, &Candidate::probability};
    return stage == NextStage::logit ? 0 : candidate.*shares[static_cast<std::size_t>(stage) - 1];
}

float run_attention_height(const RunPanel& panel) {
    const Ui& ui = panel.ui;
    constexpr float all_else = 553;    // in this panel, with the fewest bars
    constexpr float around_map = 116;  // of what is below the bars
    if (panel.presents) {
        const float bars = bar_row * static_cast<float>(presented_rows) + lines_between + 44;
        return std::max(0.0F, ImGui::GetWindowSize().y / ui.scale - bars - around_map);
    }
    const float more_bars = static_cast<float>(bar_rows(ui, true) - fewest_rows) * bar_row;
    return std::max(180.0F, ImGui::GetWindowSize().y / ui.scale - all_else - more_bars);
}

Intents draw_run_answers(RunPanel panel) {
    if (!panel.place.against.empty()) {
        draw_run_diagnosis(panel);
        separator(panel.ui, 12, 10);
    }
    draw_next(panel);
    if (!panel.run()) return {};
    // To a class whole or not at all.
    const bool map = panel.shows() != RunShows::words &&  // where it stands large
                     (!panel.presents || run_attention_height(panel) >= least_presented_map);
    if (map) {
        separator(panel.ui, 12, 10);
        draw_run_attention(panel, *panel.run());
    }
    if (panel.presents && map) return std::move(panel.intents);
    separator(panel.ui, 12, 10);
    if (panel.presents) {
        draw_run_looked(panel, *panel.run());
        return std::move(panel.intents);
    }
    draw_cache(panel.ui, *panel.run());
    if (panel.run()->of->state_bytes != Expr(0)) {
        separator(panel.ui, 12, 10);
        draw_states(panel.ui, *panel.run());
    }
    gap(panel.ui, size::panel_padding);
    return std::move(panel.intents);
}

}  // namespace headcount
