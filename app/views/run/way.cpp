// The way to what is shown of a run: menus between chevrons.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/buttons.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/run/parts.hpp"
#include "core/base/text.hpp"
#include "core/graph/ops.hpp"

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

// Watches the computation from the layer that is looked at, or ends that. Returns where what is left of it ends.
float watch_button(RunPanel& panel, const RunSnapshot& run, ImVec2 start, float from) {
    const Ui& ui = panel.ui;
    const bool on = panel.page.watch.has_value();
    const float right = start.x + available_width() - ui.px(16);
    const Button look{.label = on ? "All numbers" : "Watch it compute",
                      .icon = on ? Icon::eye : Icon::play,
                      .look = on ? ButtonLook::primary : ButtonLook::plain,
                      .disabled = !on && !run.whole(),
                      .tooltip = on ? "Every number of the run again"
                                    : "One operation after the other, as the chosen token passes this layer"};
    const float left = right - button_width(ui, look);
    if (left < from + ui.px(16)) return right;
    ImGui::SetCursorScreenPos({std::round(left), std::round(start.y + ui.px((run_way_height - size::button) / 2))});
    if (button(ui, "run.watch", look)) {
        WatchRun asked;
        if (!on)
            asked.watch =
                RunWatch{.step = first_step_of(*run.values, watch_steps(*run.values), panel.layer()), .playing = true};
        panel.ask(asked);
    }
    return left - ui.px(16);
}

// "12 of 118: Softmax under a mask"
std::string watch_words(const RunPanel& panel, const RunValues& values) {
    const Watched watched(values, *panel.page.watch, panel.position());
    if (!watched.step()) return {};
    const Node& node = values.model().graph.nodes[watched.step()->node];
    return grouped(watched.step() - watched.steps().data() + 1) + " of " + grouped(std::ssize(watched.steps())) + ": " +
           std::string(info(node.op).name);
}

}  // namespace

void draw_run_way(RunPanel& panel, const RunSnapshot& run) {
    const Ui& ui = panel.ui;
    const RunValues& values = *run.values;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width();
    const bool words = panel.shows() == RunShows::words;
    Way way(ui, start);
    if (has_words(run)) {
        constexpr std::array<std::string_view, run_shows_keys.size()> names{"Words", "Diagram"};
        const std::array offered{MenuEntry{.name = names[0]}, MenuEntry{.name = names[1]}};
        const auto now = static_cast<std::size_t>(panel.shows());
        if (const auto chosen = way.menu("run.way.model", names[now], offered, static_cast<int>(now)))
            panel.set([&](RunPlace& place) {
                place.shows = static_cast<RunShows>(*chosen);
                place.trail.clear();
            });
    }
    if (!words) {
        // It has both stacks, of which one may have more layers.
        const std::int64_t layers = std::max(values.layers(), values.layers(true));
        const std::int64_t now = std::clamp<std::int64_t>(panel.place.layer, 0, layers - 1);
        const NumberedEntries all("Layer", layers);
        const std::string label = "Layer " + std::to_string(now);
        if (const auto chosen = way.menu("run.way.layer", label, all.entries, static_cast<int>(now)))
            panel.set([&](RunPlace& place) {
                place.layer = *chosen;
                place.trail.clear();
            });
    }
    const float right = words ? start.x + width - ui.px(16) : watch_button(panel, run, start, way.end());
    const std::string remark = words              ? "row = looks, column = is looked at"
                               : panel.page.watch ? watch_words(panel, values)
                                                  : "one cell = one number: point at it, press it";
    if (way.end() + text_width(ui.fonts.caption, remark) + ui.px(32) < right + ui.px(16))
        draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.caption, start, {right, start.y + ui.px(run_way_height)},
                     ui.theme.text_mid, remark, Align::right);
    ImGui::SetCursorScreenPos({start.x, start.y + ui.px(run_way_height)});
}

}  // namespace headcount
