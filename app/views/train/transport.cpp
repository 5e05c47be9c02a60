// The bar above a training: from the beginning, play, step, how fast; what is looked at, and how fast it goes.
#include <array>
#include <cmath>
#include <utility>

#include "app/ui/buttons.hpp"
#include "app/ui/choices.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/train/panels.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::array<std::string_view, train_speed_keys.size()> speeds{"1/s", "10/s", "max"};

std::string speed_words(const TrainSnapshot& run) {
    if (run.rested) return "Paused when you left this view";
    if (run.steps_per_second <= 0) return {};
    const double rate = run.steps_per_second;
    const int threads = run.of.settings.threads;
    return (rate < 9.95 ? decimal_text(rate, 1) : grouped(std::llround(rate))) + " steps/s on " +
           std::to_string(threads) + (threads == 1 ? " core" : " cores");
}

}  // namespace

Intents draw_train_transport(TrainPanel panel, bool has_key) {
    const Ui& ui = panel.ui;
    const std::string_view key = has_key ? " (Space)" : "";
    const ImVec2 corner = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const float centre = std::round(corner.y + extent.y / 2), top = centre - std::round(ui.px(size::button) / 2);
    float x = corner.x + ui.px(size::panel_padding), end = corner.x + extent.x - ui.px(size::panel_padding);
    const TrainSnapshot* const run = panel.shown();
    const bool possible = panel.page.shown && (run || !panel.page.shown->error);
    const auto press = [&](std::string_view name, const Button& look, const std::string& says) {
        ImGui::SetCursorScreenPos(ImVec2(x, top));
        x += button_width(ui, look) + ui.px(8);
        const bool pressed = button(ui, name, look);
        if (ImGui::IsItemHovered()) show_tooltip(ui, {.title = says});
        return pressed;
    };
    if (press("train.restart", {.icon = Icon::first, .disabled = !possible, .width = 34}, "First weights again"))
        panel.ask(RestartTraining{});
    const bool playing = panel.playing();
    if (press("train.play",
              {.label = playing ? "Pause" : "Play",
               .icon = playing ? Icon::pause : Icon::play,
               .look = ButtonLook::primary,
               .disabled = !possible,
               .width = 88},
              (playing ? "Stops after this step" : "Step after step") + std::string(key)))
        panel.ask(PlayTraining{!playing});
    if (press("train.step", {.label = "Step", .icon = Icon::next, .disabled = !possible}, "One step"))
        panel.ask(StepTraining{});
    x += ui.px(8);
    ImGui::SetCursorScreenPos(ImVec2(x, std::round(centre - ui.px(12))));
    const ChoiceResult speed = segmented(ui, "train.speed", speeds, static_cast<int>(panel.place.speed));
    if (speed.chosen) panel.set([&](TrainPlace& place) { place.speed = static_cast<TrainSpeed>(*speed.chosen); });
    x = speed.right + ui.px(16);
    if (!run) return std::move(panel.intents);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Font& font = ui.fonts.table;
    const std::string rate = speed_words(*run);
    if (const float wide = text_width(font, rate); !rate.empty() && end - wide > x) {
        put_text(list, font, ImVec2(end - wide, text_top(font, centre)), ui.theme.text_mid, rate);
        ui.recorder.record("train.rate", rate, ImVec2(end - wide, centre - ui.px(8)), ImVec2(end, centre + ui.px(8)));
        end -= wide + ui.px(16);
    }
    if (!panel.place.step || run->step == run->newest()) return std::move(panel.intents);
    const std::string newest = "To the newest, " + grouped(run->newest());
    const Button back{.label = newest, .small = true};
    const float wide = button_width(ui, back);
    if (end - wide > x) {
        ImGui::SetCursorScreenPos(ImVec2(end - wide, std::round(centre - ui.px(12))));
        if (button(ui, "train.newest", back)) panel.set([](TrainPlace& place) { place.step.reset(); });
        end -= wide + ui.px(16);
    }
    draw_text_in(list, font, ImVec2(x, centre - ui.px(12)), ImVec2(end, centre + ui.px(12)), ui.theme.text_high,
                 "looking back at step " + grouped(run->step));
    return std::move(panel.intents);
}

}  // namespace headcount
