// The way to what is shown of a model's matrices: menus between chevrons.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/icons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/run/matrices_page.hpp"
#include "app/views/run/parts.hpp"

namespace headcount {
namespace {

constexpr float run_way_height = 40;  // unscaled

class Way {
  public:
    Way(const Ui& ui, ImVec2 start) : ui_(ui), x_(start.x + ui.px(16)), y_(start.y) {}

    // As wide as its words.
    std::optional<int> menu(std::string_view name, std::string_view label, std::span<const MenuEntry> entries,
                            int current) {
        const float width = std::max(84.0F, width_of(label) + 44);
        float longest = 0;
        for (const MenuEntry& each : entries) longest = std::max(longest, width_of(each.name));
        if (!first_) {
            draw_icon(*ImGui::GetWindowDrawList(), Icon::chevron_right,
                      ImVec2(x_ + ui_.px(8), y_ + ui_.px(run_way_height / 2)), ui_.px(12), ui_.theme.text_low);
            x_ += ui_.px(20);
        }
        first_ = false;
        ImGui::SetCursorScreenPos({std::round(x_), std::round(y_ + ui_.px((run_way_height - size::button) / 2))});
        const MenuButton button{.label = label,
                                .width = width,
                                .list_width = std::max({width, longest + 48, 160.0F}),
                                .current = current,
                                .searchable = entries.size() > 12};
        x_ += ui_.px(width) + ui_.px(4);
        return menu_button(ui_, name, button, entries);
    }
    float end() const { return x_; }

  private:
    float width_of(std::string_view words) const {
        return std::ceil(text_width(ui_.fonts.body_medium, words) / ui_.scale);  // unscaled
    }

    const Ui& ui_;
    float x_, y_;
    bool first_ = true;
};

// "Layer 0" ... or "Head 0" ...
std::optional<std::int64_t> choose(Way& way, std::string_view name, const std::string& word, std::int64_t count,
                                   std::int64_t current) {
    const NumberedEntries all(word, count);
    const std::string label = word + " " + std::to_string(current);
    const auto chosen = way.menu(name, label, all.entries, static_cast<int>(current));
    return chosen ? std::optional<std::int64_t>(*chosen) : std::nullopt;
}

}  // namespace

std::optional<RunSight> draw_run_way(const Ui& ui, const RunValues& values, const RunSight& sight) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width();
    Way way(ui, start);
    std::optional<RunSight> asked;
    const auto ask = [&](auto&& change) {
        asked = sight;
        change(*asked);
    };
    const bool outside = sight.part == RunPart::ends;
    constexpr std::array places{MenuEntry{.name = "Layers"}, MenuEntry{.name = "Embedding and output"}};
    if (const auto chosen =
            way.menu("run.way.model", outside ? "Embedding and output" : "Model", places, outside ? 1 : 0))
        ask([&](RunSight& changed) { changed.part = *chosen == 1 ? RunPart::ends : RunPart::mixer; });
    if (!outside) {
        if (const auto layer = choose(way, "run.way.layer", "Layer", values.layers(), sight.layer))
            ask([&](RunSight& changed) { changed.layer = *layer; });
        const LayerKind kind = layer_kind(values.model().architecture, sight.layer);
        const std::array parts{
            MenuEntry{.name = component_name(kind.recurrent ? Component::recurrence : Component::attention)},
            MenuEntry{.name = component_name(Component::feed_forward)}};
        const bool mixer = sight.part == RunPart::mixer;
        if (const auto part = way.menu("run.way.part", parts[mixer ? 0 : 1].name,
                                       std::span(parts).first(kind.feed_forward ? 2 : 1), mixer ? 0 : 1))
            ask([&](RunSight& changed) { changed.part = *part == 0 ? RunPart::mixer : RunPart::feed_forward; });
        if (mixer) {
            if (const auto head = choose(way, "run.way.head", "Head", values.heads_of(sight.layer), sight.head))
                ask([&](RunSight& changed) { changed.head = *head; });
        } else if (const std::int64_t experts = values.experts_per_token(sight.layer); experts > 0) {
            if (const auto which = choose(way, "run.way.expert", "Choice", experts, sight.which))
                ask([&](RunSight& changed) { changed.which = *which; });
        }
    }
    const std::string remark = "one cell = one number";
    if (way.end() + text_width(ui.fonts.caption, remark) + ui.px(32) < start.x + width)
        draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.caption, start,
                     {start.x + width - ui.px(16), start.y + ui.px(run_way_height)}, ui.theme.text_mid, remark,
                     Align::right);
    ImGui::SetCursorScreenPos({start.x, start.y + ui.px(run_way_height)});
    return asked;
}

}  // namespace headcount
