// What each head looks at in one line, as it forms.
#include <algorithm>
#include <cmath>

#include "app/diagram/run_heat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/train/panels.hpp"

namespace headcount {
namespace {

constexpr float heads_title = 40, label_height = 22, heads_between = 12;

std::string name_of(const TrainMap& map) {
    return "L " + std::to_string(map.layer) + " · head " + std::to_string(map.head);
}

std::string short_name_of(const TrainMap& map) {
    return "L " + std::to_string(map.layer) + " · h " + std::to_string(map.head);
}

}  // namespace

const TrainMap* TrainPanel::map(const TrainPoint& point) const {
    const TrainMap* found = nullptr;
    for (const TrainMap& each : point.maps) {
        if (!found) found = &each;
        if (each.layer == place.layer && each.head == place.head) return &each;
    }
    return found;
}

void draw_train_map(const Ui& ui, const TrainMap& map, ImVec2 min, float side) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(min, min + ImVec2(side, side), no_heat(ui.theme));
    const auto edge = [&](std::int64_t cell) {
        return side * static_cast<float>(cell) / static_cast<float>(map.tokens);
    };
    for (std::int64_t row = 0; row < map.tokens; ++row)
        for (std::int64_t column = 0; column < map.tokens; ++column) {
            const float share = map.shares[static_cast<std::size_t>(row * map.tokens + column)];
            if (share > 0)
                list.AddRectFilled(min + ImVec2(edge(column), edge(row)), min + ImVec2(edge(column + 1), edge(row + 1)),
                                   attention_heat(ui.theme, share));
        }
    list.AddRect(min, min + ImVec2(side, side), ui.theme.strong_line);
}

Intents draw_train_heads(TrainPanel panel) {
    const Ui& ui = panel.ui;
    const TrainSnapshot* const run = panel.shown();
    if (!run || !run->now) return std::move(panel.intents);
    const ImVec2 corner = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const float padding = ui.px(size::panel_padding);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 min(corner.x + padding, corner.y), max(corner.x + extent.x - padding, corner.y + ui.px(heads_title));
    draw_text_in(list, ui.fonts.body_bold, min, max, ui.theme.text_high, "Heads, forming");
    const float from = min.x + text_width(ui.fonts.body_bold, "Heads, forming") + ui.px(10);
    draw_text_in(list, ui.fonts.table, ImVec2(from, min.y), max, ui.theme.text_low, "reading");
    draw_text_in(list, ui.fonts.mono, ImVec2(from + text_width(ui.fonts.table, "reading") + ui.px(6), min.y), max,
                 ui.theme.text_mid, run->line);
    const std::vector<TrainMap>& maps = run->now->maps;
    if (maps.empty()) {
        draw_text_in(list, ui.fonts.table, ImVec2(min.x, max.y), ImVec2(max.x, max.y + ui.px(24)), ui.theme.text_mid,
                     run->architecture.encoder ? "Of a model with two stacks no heads are drawn here."
                                               : "No layer of this model has attention.");
        return std::move(panel.intents);
    }
    const float room = max.x - min.x, gap = ui.px(heads_between);
    const float high = extent.y - ui.px(heads_title) - ui.px(label_height) - ui.px(6);
    // As many as have room at their full height; of many the chosen layer's.
    const float least = ui.px(48);
    const auto fit = static_cast<std::size_t>(std::max(1.0F, (room + gap) / (least + gap)));
    std::vector<const TrainMap*> shown;
    for (const TrainMap& map : maps)
        if (maps.size() <= fit || map.layer == std::clamp<std::int64_t>(panel.place.layer, 0, maps.back().layer))
            shown.push_back(&map);
    shown.resize(std::min(shown.size(), fit));
    if (shown.empty()) return std::move(panel.intents);
    const auto count = static_cast<float>(shown.size());
    const float side = std::floor(std::min(high, (room - gap * (count - 1)) / count));
    const float step = shown.size() > 1 ? std::min((room - side) / (count - 1), side + 2 * gap) : 0;
    const TrainMap* const chosen = panel.map(*run->now);
    const bool named_whole = std::ranges::all_of(
        shown, [&](const TrainMap* map) { return text_width(ui.fonts.table_medium, name_of(*map)) <= side; });
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const TrainMap& map = *shown[i];
        const ImVec2 at(std::round(min.x + step * static_cast<float>(i)), max.y);
        const ImVec2 end = at + ImVec2(side, side);
        const std::string name = "train.head." + std::to_string(map.layer) + "." + std::to_string(map.head);
        ui.recorder.record(name, at, end);
        const Press press = press_area(ui, name.c_str(), at, end, size::radius_matrix);
        draw_train_map(ui, map, at, side);
        if (chosen == &map)
            list.AddRect(at - ImVec2(ui.px(3), ui.px(3)), end + ImVec2(ui.px(3), ui.px(3)), ui.theme.selection,
                         ui.px(3), 0, ui.px(2));
        draw_text_in(list, chosen == &map ? ui.fonts.table_medium : ui.fonts.table, ImVec2(at.x, end.y + ui.px(3)),
                     ImVec2(end.x, end.y + ui.px(label_height)),
                     chosen == &map ? ui.theme.text_high : ui.theme.text_mid,
                     named_whole ? name_of(map) : short_name_of(map));
        if (press.hovered)
            show_tooltip(ui, {.title = name_of(map),
                              .remark = "Row: the token that looks. Column: the token that it looks at. A press shows "
                                        "this layer's weights below."});
        if (press.pressed)
            panel.set([&](TrainPlace& place) {
                if (place.layer != map.layer) place.cell.reset();
                place.layer = map.layer;
                place.head = map.head;
            });
    }
    return std::move(panel.intents);
}

}  // namespace headcount
