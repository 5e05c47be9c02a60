// What both runs say next, side by side; and which head matters most: the model with each part off in turn.
#include <algorithm>
#include <cmath>

#include "app/diagram/run_heat.hpp"
#include "app/parts/panel_frame.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/run/changes.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float twin_row = 22, name_width = 66, number_width = 44, points_width = 50, rank_row = 22;
constexpr std::size_t most_twins = 8, fewest_twins = 4, most_listed = 5;

std::string percent(double share) { return decimal_text(share * 100, 1); }
std::string points(double share) {
    const std::string text = decimal_text(share * 100, 1);
    return text.find_first_of("123456789") == std::string::npos ? "0.0" : share > 0 ? "+" + text : text;
}

void twin_line(const Ui& ui, const std::string& label, double before, double after, double most, bool bars) {
    const auto line = take_line(ui, twin_row);
    const ImVec2 min = line.first, max = line.second;  // not bindings, which clang takes into no lambda
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float numbers = max.x - ui.px(2 * number_width + points_width), from = min.x + ui.px(name_width);
    draw_text_in(list, bars ? ui.fonts.mono : ui.fonts.table, min, ImVec2((bars ? from : numbers) - ui.px(6), max.y),
                 bars ? ui.theme.text_high : ui.theme.text_mid, label);
    const float middle = std::round((min.y + max.y) / 2), high = std::round(ui.px(5));
    const auto bar = [&](double share, float top, ImU32 colour) {
        if (!bars || numbers <= from) return;
        list.AddRectFilled(ImVec2(from, top), ImVec2(numbers, top + high), ui.theme.line, ui.px(1));
        const float wide = (numbers - from) * static_cast<float>(most > 0 ? share / most : 0);
        if (share > 0)
            list.AddRectFilled(ImVec2(from, top), ImVec2(from + std::max(1.0F, wide), top + high), colour, ui.px(1));
    };
    bar(before, middle - high - 1, ui.theme.norm);
    bar(after, middle + 1, ui.theme.output_head);
    const auto number = [&](float right, const std::string& text, ImU32 ink) {
        draw_text_in(list, ui.fonts.mono, min, ImVec2(right, max.y), ink, text, Align::right);
    };
    number(max.x - ui.px(number_width + points_width), percent(before), ui.theme.text_mid);
    number(max.x - ui.px(points_width), percent(after), ui.theme.text_high);
    number(max.x, points(after - before), ui.theme.text_high);
}

void draw_twins(const RunPanel& panel, const RunTrial& trial, std::size_t most_rows) {
    const Ui& ui = panel.ui;
    const bool other = trial.asked.reads_other && trial.changed != trial.of;
    std::string behind = in_quotes(token_text(*trial.of, trial.asked.position));
    if (other) behind += " and " + in_quotes(token_text(*trial.changed, trial.changed_position));
    section_title(ui, "Next token", "after " + behind + ", %");
    if (trial.twins.empty()) {
        gap(ui, 4);
        paragraph(ui, ui.fonts.table, ui.theme.text_low,
                  "Nothing to compare: the model has no scores for tokens here, or they are not kept.");
        return;
    }
    const auto line = take_line(ui, 22);
    const ImVec2 min = line.first, max = line.second;  // not bindings, which clang takes into no lambda
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto head = [&](float right, std::string_view words, ImU32 swatch) {
        draw_text_in(list, ui.fonts.caption, min, ImVec2(right, max.y), ui.theme.text_mid, words, Align::right);
        const float x = right - text_width(ui.fonts.caption, words) - ui.px(12), y = std::round((min.y + max.y) / 2);
        if (swatch) list.AddRectFilled(ImVec2(x, y - ui.px(4)), ImVec2(x + ui.px(8), y + ui.px(4)), swatch, ui.px(2));
    };
    head(max.x - ui.px(number_width + points_width + 22), "as it is", ui.theme.norm);
    head(max.x - ui.px(points_width), other ? "other" : "changed", ui.theme.output_head);
    head(max.x, "points", 0);
    const std::size_t rows = std::min(trial.twins.size(), most_rows);
    const double most = std::max(trial.twins[0].before, trial.twins[0].after);
    double before = 0, after = 0;
    const ChipTexts texts = candidate_texts(*trial.of, std::span(trial.twins).first(rows), &TwinShare::id);
    for (std::size_t i = 0; i < rows; ++i) {
        const TwinShare& each = trial.twins[i];
        const ImVec2 from = ImGui::GetCursorScreenPos();
        twin_line(ui, texts.of(piece_of(*trial.of, each.id)), each.before, each.after, most, true);
        ui.recorder.record("run.twin." + std::to_string(i), from, ImVec2(max.x, ImGui::GetCursorScreenPos().y));
        before += each.before;
        after += each.after;
    }
    if (trial.twins.size() > rows)
        twin_line(ui, std::to_string(trial.twins.size() - rows) + " others", std::max(0.0, 1 - before),
                  std::max(0.0, 1 - after), most, false);
}

struct Weighed {
    ChangePlace place;
    double change = 0;
};

std::vector<Weighed> strongest_of(const Rank& rank) {
    std::vector<Weighed> all;
    for (const PartRank& part : rank.parts)
        for (std::size_t layer = 0; layer < part.layers.size(); ++layer) {
            ChangePlace place{.stack = part.stack, .layer = static_cast<std::int64_t>(layer), .block = part.block};
            if (part.heads[layer].empty() && part.layers[layer]) all.push_back({place, *part.layers[layer]});
            for (std::size_t head = 0; head < part.heads[layer].size(); ++head) {
                place.head = static_cast<std::int64_t>(head);
                all.push_back({place, part.heads[layer][head]});
            }
        }
    std::ranges::stable_sort(all, std::ranges::greater{}, [](const Weighed& each) { return std::abs(each.change); });
    return all;
}

// A row a layer: its heads, then each sub-block as a whole.
class RankMap {
  public:
    RankMap(RunPanel& panel, const Rank& rank, ChangePlace::Stack stack)
        : panel_(panel), ui_(panel.ui), rank_(rank), stack_(stack), list_(*ImGui::GetWindowDrawList()) {
        for (const PartRank& part : rank.parts) {
            if (part.stack != stack) continue;
            std::size_t heads = 0;
            for (std::size_t layer = 0; layer < part.layers.size(); ++layer) {
                heads = std::max(heads, part.heads[layer].size());
                limit_ = std::max(limit_, std::abs(part.layers[layer].value_or(0)));
            }
            layers_ = std::max(layers_, part.layers.size());
            columns_ += heads + 1;
        }
    }

    std::optional<ChangePlace> draw() {
        if (columns_ == 0) return {};
        start_ = ImGui::GetCursorScreenPos();
        const float label = ui_.px(22);
        cell_ = std::min(ui_.px(44), (available_width() - label) / static_cast<float>(columns_));
        float x = start_.x + label;
        for (const PartRank& part : rank_.parts)
            if (part.stack == stack_) block(part, x);
        const float height = ui_.px(18) + ui_.px(rank_row) * static_cast<float>(layers_);
        for (std::size_t layer = 0; layer < layers_; ++layer)
            draw_text_in(list_, ui_.fonts.mono_caption, ImVec2(start_.x, top_of(layer)),
                         ImVec2(start_.x + label, top_of(layer + 1)), ui_.theme.text_mid, "L" + std::to_string(layer));
        for (const auto& [where, min, max] : marks_) mark_place(panel_, where, min, max);
        place(start_, ImVec2(1, height));
        return opened_;
    }

  private:
    float top_of(std::size_t layer) const {
        return std::round(start_.y + ui_.px(18) + ui_.px(rank_row) * static_cast<float>(layer));
    }
    void heading(float x, const std::string& text) {
        if (text_width(ui_.fonts.mono_caption, text) > cell_) return;
        draw_text_in(list_, ui_.fonts.mono_caption, ImVec2(x, start_.y), ImVec2(x + cell_, start_.y + ui_.px(18)),
                     ui_.theme.text_low, text, Align::centre);
    }
    void block(const PartRank& part, float& x) {
        std::size_t heads = 0;
        for (const auto& each : part.heads) heads = std::max(heads, each.size());
        for (std::size_t head = 0; head <= heads; ++head, x += cell_) {
            const bool whole = head == heads;
            const bool feed_forward = part.block == component_key(Component::feed_forward);
            heading(x, !whole ? std::to_string(head) : feed_forward ? "FFN" : "all");
            for (std::size_t layer = 0; layer < part.layers.size(); ++layer) {
                ChangePlace where{.stack = stack_, .layer = static_cast<std::int64_t>(layer), .block = part.block};
                if (whole ? !part.layers[layer] : head >= part.heads[layer].size()) continue;
                if (!whole) where.head = static_cast<std::int64_t>(head);
                value(where, whole ? *part.layers[layer] : part.heads[layer][head], x, layer);
            }
        }
    }
    void value(const ChangePlace& where, double change, float x, std::size_t layer) {
        const ImVec2 min(std::round(x), top_of(layer)), max(std::round(x + cell_) - 1, top_of(layer + 1) - 1);
        const std::string name = "run.rank." + place_text(where);
        ui_.recorder.record(name, min, max);
        const IdScope scope(name);
        const Press press = press_area(ui_, "cell", min, max, size::radius_matrix, false);
        list_.AddRectFilled(
            min, max,
            heat_of(ui_.theme, ui_.theme.query, static_cast<float>(change), static_cast<float>(std::max(limit_, 1e-9))),
            ui_.px(2));
        const std::string text = (change > 0 ? "+" : "") + decimal_text(change, 1);
        if (std::abs(change) >= 0.05 && text_width(ui_.fonts.mono_caption, text) <= max.x - min.x)
            draw_text_in(list_, ui_.fonts.mono_caption, min, max,
                         std::abs(change) > 0.6 * limit_ ? ui_.theme.canvas : ui_.theme.text_high, text, Align::centre);
        if (press.hovered) {
            list_.AddRect(min, max, ui_.theme.selection, ui_.px(2));
            show_tooltip(ui_, {place_title(*panel_.run(), where) + " off",
                               decimal_text(change, 4),
                               {},
                               "Change of log p. Press to turn it off, and back."});
        }
        if (change_at(panel_.place, where)) marks_.push_back({where, min, max});
        if (press.pressed) press_place(panel_, where);
        if (press.hovered && ImGui::IsMouseReleased(ImGuiMouseButton_Right)) opened_ = where;
    }

    struct Mark {
        ChangePlace where;
        ImVec2 min, max;
    };
    RunPanel& panel_;
    const Ui& ui_;
    const Rank& rank_;
    const ChangePlace::Stack stack_;
    ImDrawList& list_;
    double limit_ = 0;
    std::size_t layers_ = 0, columns_ = 0;
    ImVec2 start_;
    float cell_ = 0;
    std::vector<Mark> marks_;
    std::optional<ChangePlace> opened_;
};

void list_strongest(RunPanel& panel, const Rank& rank) {
    const Ui& ui = panel.ui;
    const std::vector<Weighed> all = strongest_of(rank);
    for (std::size_t i = 0; i < std::min(all.size(), most_listed); ++i) {
        const auto [min, max] = take_line(ui, size::table_row);
        const std::string name = "run.strongest." + std::to_string(i);
        ui.recorder.record(name, min, max);
        const IdScope scope(name);
        const Press press = press_area(ui, "row", min, max, size::radius_field, false);
        if (press.hovered || change_at(panel.place, all[i].place)) tint_row(ui, min, max, selected_tint(ui.theme));
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const float change = max.x - ui.px(72);
        draw_text_in(list, ui.fonts.mono, min, max, ui.theme.text_low, std::to_string(i + 1));
        // As the map above calls its layer where there is no room.
        const float from = min.x + ui.px(18), room = change - ui.px(56) - from;
        std::string title = place_title(*panel.run(), all[i].place);
        if (text_width(ui.fonts.table, title) > room) title = place_title(*panel.run(), all[i].place, true);
        ui.recorder.record(name + ".title", ImVec2(from, min.y),
                           ImVec2(from + text_width(ui.fonts.table, title), max.y));
        draw_text(list, ui.fonts.table, ImVec2(from, text_top(ui.fonts.table, (min.y + max.y) / 2)), ui.theme.text_high,
                  title, room);
        draw_text_in(list, ui.fonts.mono_medium, min, ImVec2(change, max.y), ui.theme.text_high,
                     (all[i].change > 0 ? "+" : "") + decimal_text(all[i].change, 2), Align::right);
        draw_text_in(list, ui.fonts.mono, min, max, ui.theme.text_mid,
                     "→ " + share_text(std::exp(rank.log_probability + all[i].change)), Align::right);
        if (press.pressed) press_place(panel, all[i].place);
    }
}

void draw_rank(RunPanel& panel) {
    const Ui& ui = panel.ui;
    const RunRanked* const ranked = panel.page.ranked.get();
    const bool here = ranked && &ranked->of->model() == &panel.run()->values->model();
    const bool done = here && ranked->rank;
    section_title(ui, "Which head matters most?",
                  done ? std::to_string(ranked->runs) + " runs, " + decimal_text(ranked->seconds, 1) + " s" : "");
    gap(ui, 4);
    const bool wanted = wants_rank(panel.page);
    const bool current = here && ranked->of == panel.run()->values;
    if (here && ranked->wrong) {
        paragraph(ui, ui.fonts.table, ui.theme.text_low, sentence(*ranked->wrong) + ".");
        return;
    }
    if (!done || !current) {
        const std::string words = wanted ? here && !ranked->rank
                                               ? "Working it out: " + decimal_text(ranked->progress * 100, 0) + " %"
                                               : "Working it out."
                                         : "Each part is switched off in turn: one run for each head and sub-block.";
        paragraph(ui, ui.fonts.table, ui.theme.text_low, panel.page.shown->playing ? "Once the run pauses." : words);
        gap(ui, 4);
        if (button(ui, "run.rank", {.label = wanted ? "Stop" : "Find out", .small = true})) panel.ask(RankRun{!wanted});
        gap(ui, 4);
    }
    if (!done) return;
    const Rank& rank = *ranked->rank;
    paragraph(ui, ui.fonts.table, ui.theme.text_low,
              "Each off in turn: change of log p of " + in_quotes(candidate_text(*panel.run(), rank.token)) + " (" +
                  share_text(std::exp(rank.log_probability)) + "). Press one to turn it off.");
    gap(ui, 4);
    std::optional<ChangePlace> opened;
    for (const auto stack : {ChangePlace::Stack::encoder, ChangePlace::Stack::main}) {
        if (stack == ChangePlace::Stack::encoder && panel.run()->values->layers(true) == 0) continue;
        if (panel.run()->values->layers(true) > 0)
            caption(ui, stack == ChangePlace::Stack::encoder ? "Encoder" : "Decoder");
        RankMap map(panel, rank, stack);
        if (const std::optional<ChangePlace> each = map.draw()) opened = each;
        gap(ui, 6);
    }
    change_menu(panel, "run.rank_menu", opened);
    list_strongest(panel, rank);
}

}  // namespace

Intents draw_run_weighed(RunPanel panel) {
    if (!panel.run()) return {};
    if (const RunTrial* const trial = trial_of(panel)) draw_twins(panel, *trial, most_twins);
    separator(panel.ui, 12, 10);
    draw_rank(panel);
    gap(panel.ui, size::panel_padding);
    return std::move(panel.intents);
}

Intents draw_run_weighed_and_moved(RunPanel panel) {
    if (!panel.run()) return {};
    if (const RunTrial* const trial = trial_of(panel)) draw_twins(panel, *trial, fewest_twins);
    separator(panel.ui, 8, 6);
    Intents intents = draw_run_moved({panel.ui, panel.page, panel.place, panel.presents});
    separator(panel.ui, 4, 10);
    draw_rank(panel);
    gap(panel.ui, size::panel_padding);
    append(intents, std::move(panel.intents));
    return intents;
}

}  // namespace headcount
