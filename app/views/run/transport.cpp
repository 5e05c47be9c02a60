// The bar above a run: back, play, step, how fast; what is under way, and how fast it went.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/ui/buttons.hpp"
#include "app/ui/choices.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/run/panels.hpp"
#include "app/views/run/parts.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float least_for_words = 760;  // of the bar: Step is its sign alone where it is narrower
constexpr float stage_width = 140;      // of the words for any step, so that what is beside them stays or stays away
constexpr std::array<std::string_view, run_speed_keys.size()> speeds{"0.5×", "1×", "4×", "max"};

// What stands at the right: while work is under way, how far it is.
struct Remark {
    std::string words;
    std::string number;  // before them, strong
    std::optional<double> progress = {};
};

// "1,234"; "0.4": slow ones are no 0.
std::string rate_text(double rate) {
    return rate < 9.95 ? decimal_text(rate, rate < 0.095 ? 2 : 1) : grouped(std::llround(rate));
}

Remark remark_of(const RunPage& page) {
    const RunSnapshot* const run = page.shown.get();
    const RunModel* const model = page.model.get();
    if (!model || model->wrong || !run) return {};
    if (run->phase == RunPhase::loading) return {"Loading weights", "", run->progress};
    if (run->phase == RunPhase::reading) return {"Reading the prompt", "", run->progress};
    if (run->over && run->whole()) return {run->why_over};
    if (run->rested) return {"Paused when you left this view"};
    if (run->generated > 0 && run->tokens_per_second() > 0)
        return {"tokens/s on the CPU", rate_text(run->tokens_per_second())};
    if (run->phase == RunPhase::ready && run->last_seconds > 0)
        return {"ms for " + std::to_string(run->last_tokens) + (run->last_tokens == 1 ? " token" : " tokens") +
                    " of prompt",
                decimal_text(run->prompt_seconds * 1000, 1)};
    if (!model->light()) return {"Play loads it: " + bytes_text(model->need.total())};
    return {};
}

// Whether a change is on, and what is shown is without it.
bool has_unseen(const RunPanel& panel) {
    return !panel.place.beside && std::ranges::any_of(panel.place.experiments.changes, &RunChange::on);
}

// Which step was the last, where each is one: the words before the others, which need not fit beside them. Returns
// where they end; as wide whatever they say, but where what is not seen needs the room.
float draw_stage(const RunPanel& panel, float left, float right, float centre) {
    const Ui& ui = panel.ui;
    const RunSnapshot* const run = panel.run();
    if (!run || run->phase != RunPhase::ready || run->generated == 0 || run->rested || (run->over && run->whole()))
        return left;
    if (run->whole() && panel.place.speed == RunSpeed::most) return left;
    const std::string words = stage_words(*run);
    const Font& font = ui.fonts.table;
    const float end = left + text_width(font, words);
    if (end > right) return left;
    put_text(*ImGui::GetWindowDrawList(), font, ImVec2(left, text_top(font, centre)), ui.theme.text_high, words);
    ui.recorder.record("run.stage_now", words, ImVec2(left, centre - ui.px(8)), ImVec2(end, centre + ui.px(8)));
    return (has_unseen(panel) ? end : std::max(end, left + ui.px(stage_width))) + ui.px(16);
}

float remark_width(const Ui& ui, const Remark& remark) {
    const float number = remark.number.empty() ? 0 : text_width(ui.fonts.mono_medium, remark.number) + ui.px(6);
    return text_width(ui.fonts.table, remark.words) + number;
}

void draw_remark(const Ui& ui, const Remark& remark, float left, float right, float centre) {
    if (remark.words.empty()) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Font &words = ui.fonts.table, &number = ui.fonts.mono_medium;
    const float wide = remark_width(ui, remark);
    if (right - wide < left) return;
    float x = right - wide;
    if (!remark.number.empty())
        x += draw_text(list, number, ImVec2(x, text_top(number, centre)), ui.theme.text_high, remark.number) + ui.px(6);
    put_text(list, words, ImVec2(x, text_top(words, centre)), ui.theme.text_mid, remark.words);
    ui.recorder.record("run.remark", remark.words, ImVec2(right - wide, centre - ui.px(8)),
                       ImVec2(right, centre + ui.px(8)));
    if (!remark.progress) return;
    const float bar = ui.px(120), from = right - wide - ui.px(12) - bar;
    if (from < left) return;
    const float half = ui.px(size::track) / 2;
    draw_pill(list, ImVec2(from, centre - half), ImVec2(from + bar, centre + half), ui.theme.track);
    const float share = static_cast<float>(*remark.progress);
    if (share > 0.03F)
        draw_pill(list, ImVec2(from, centre - half), ImVec2(from + bar * share, centre + half), ui.theme.text_high);
    ui.recorder.record("run.progress", ImVec2(from, centre - half), ImVec2(from + bar, centre + half));
}

// Sets the changed run beside the one as it is, and back. Without its word where a remark of `words` has no room beside
// it, but with how many changes are not seen where that alone has room. Returns where what is left of the room ends.
float beside_button(RunPanel& panel, float left, float right, float centre, float words) {
    const Ui& ui = panel.ui;
    Button look{.label = "Side by side", .icon = Icon::swap};
    const auto on = std::ranges::count(panel.place.experiments.changes, true, &RunChange::on);
    const std::string changes = on == 1 ? "1 change" : std::to_string(on) + " changes";
    const bool unseen = has_unseen(panel);
    if (panel.place.beside) look.label = "As it is";
    const Button counted{.label = changes, .icon = Icon::swap};
    if (unseen && right - button_width(ui, counted) >= left)
        look = counted;
    else if (right - button_width(ui, look) - ui.px(16) - words < left)
        look.label = {};
    const float from = right - button_width(ui, look);
    if (from < left || !panel.run()) return right;
    ImGui::SetCursorScreenPos(ImVec2(from, std::round(centre - std::round(ui.px(size::button)) / 2)));
    if (button(ui, "run.beside", look)) panel.set([](RunPlace& place) { place.beside = !place.beside; });
    if (ImGui::IsItemHovered())
        show_tooltip(ui, {panel.place.beside ? "Back to all numbers of the run" : "Experiments",
                          {},
                          {},
                          panel.place.beside ? "Changes are kept."
                          : unseen           ? "This is the run as it is: a press shows what they change."
                                             : "Switches a head off, and shows what that changes."});
    return from - ui.px(16);
}

}  // namespace

Intents draw_run_transport(RunPanel panel) {
    const Ui& ui = panel.ui;
    const ImVec2 corner = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const float centre = std::round(corner.y + extent.y / 2), top = centre - std::round(ui.px(size::button) / 2);
    const float end = corner.x + extent.x - ui.px(size::panel_padding);
    const RunSnapshot* const run = panel.page.shown.get();
    const RunModel* const model = panel.page.model.get();
    const std::optional<RunWatch>& watch = panel.page.watch;
    const bool possible = can_run(panel.page), playing = watch ? watch->playing : run && run->playing;
    const bool busy = run && (run->phase == RunPhase::loading || run->phase == RunPhase::reading);
    float x = corner.x + ui.px(size::panel_padding);
    const auto press = [&](std::string_view name, const Button& look, std::string_view says) {
        ImGui::SetCursorScreenPos(ImVec2(x, top));
        const float from = std::exchange(x, x + button_width(ui, look) + ui.px(8));
        const bool pressed = button(ui, name, look);
        // Below the row, where it covers none of the other buttons.
        const float wide = symbol_width(ui.fonts.body_medium, says) + ui.px(24);
        if (ImGui::IsItemHovered())
            show_tooltip(ui, {.title = says, .end = ImVec2(from + wide, corner.y + extent.y + ui.px(22))});
        return pressed;
    };
    if (press("run.restart", {.icon = Icon::first, .disabled = !possible, .width = 34},
              watch ? "Back to the first operation" : "Back to the prompt"))
        panel.ask(watch ? RunIntent(WatchRun{RunWatch{}}) : RestartRun{});
    const bool behind = watch ? watch->step > 0 : run && run->generated > 0;
    if (press("run.back", {.icon = Icon::chevron_left, .disabled = !possible || !behind},
              watch ? "The operation before" : "A step back"))
        panel.ask(step_intent(panel.page, -1));
    const Button play{.label = playing ? "Pause" : "Play",
                      .icon = playing ? Icon::pause : Icon::play,
                      .look = ButtonLook::primary,
                      .disabled = !possible,
                      .width = 88};
    if (press("run.play", play,
              watch     ? playing ? "Stops here (Space)" : "Operation after operation (Space)"
              : playing ? "Stops after this layer (Space)"
                        : "Token after token, by itself (Space)"))
        panel.ask(play_intent(panel.page));
    const bool narrow = extent.x < ui.px(least_for_words);
    if (press("run.step", {.label = narrow ? "" : "Step", .icon = Icon::next, .disabled = !possible},
              watch ? "The next operation" : step_words(panel.page, panel.place.speed)))
        panel.ask(step_intent(panel.page, 1));
    const bool holds = run && (run->bytes_held > 0 || busy);
    if (model && !model->light() && holds) {
        const std::string frees = "Gives " + bytes_text(model->need.total()) + " back";
        if (press("run.free", {.label = busy ? "Stop" : "Free", .icon = Icon::cross}, frees)) panel.ask(FreeRun{});
    }
    x += ui.px(8);
    ImGui::SetCursorScreenPos(ImVec2(x, std::round(centre - ui.px(12))));
    constexpr float least_speeds = 150;
    if (end - x < ui.px(least_speeds)) return std::move(panel.intents);
    const ChoiceResult speed = segmented(ui, "run.speed", speeds, static_cast<int>(panel.place.speed));
    if (speed.chosen) panel.set([&](RunPlace& place) { place.speed = static_cast<RunSpeed>(*speed.chosen); });
    const float left = draw_stage(panel, speed.right + ui.px(16), end, centre);
    const Remark remark = remark_of(panel.page);
    draw_remark(ui, remark, left, beside_button(panel, left, end, centre, remark_width(ui, remark)), centre);
    return std::move(panel.intents);
}

}  // namespace headcount
