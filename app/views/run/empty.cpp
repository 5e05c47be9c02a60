// In the middle while nothing has run: what is missing, and what to do.
#include <algorithm>
#include <cmath>

#include "app/ui/buttons.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/run/parts.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

std::string said_of(const RunPage& page) {
    const RunModel* const model = page.model.get();
    const RunSnapshot* const run = page.shown.get();
    if (!model) return "";
    if (model->wrong) return capitalized(sentence(*model->wrong)) + ".";
    const bool here = run && run->of.get() == model;
    if (here && run->phase == RunPhase::loading) return "Loading the weights.";
    if (here && run->phase == RunPhase::reading) return "Reading the prompt.";
    if (here && run->error) return capitalized(sentence(*run->error)) + ".";
    if (model->light()) return "";
    return "Play loads the model, which takes " + bytes_text(model->need.total()) + ", and reads the prompt.";
}

}  // namespace

Intents draw_run_empty(RunPanel panel) {
    const Ui& ui = panel.ui;
    const std::string said = said_of(panel.page);
    if (said.empty()) return {};
    const ImVec2 corner = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const float width = std::min(ui.px(420), extent.x - ui.px(48));
    const ImVec2 words = wrapped_extent(ui.fonts.body, said, width);
    const float left = std::round(corner.x + (extent.x - width) / 2);
    const float top = std::round(corner.y + (extent.y - words.y - ui.px(48)) / 2);
    draw_wrapped(*ImGui::GetWindowDrawList(), ui.fonts.body, ImVec2(left, top), ui.theme.text_mid, said, width);
    ui.recorder.record("run.empty", ImVec2(left, top), ImVec2(left + words.x, top + words.y));
    if (can_run(panel.page)) return {};
    ImGui::SetCursorScreenPos(ImVec2(left, top + words.y + ui.px(16)));
    ButtonLine line(ui);
    if (!panel.page.model->wrong && line.put("run.empty.again", {.label = "Try again"})) panel.ask(RestartRun{});
    if (panel.place.source != RunSource::shipped && line.put("run.empty.shipped", {.label = "Tiny stories"}))
        panel.ask(from_source(panel.place, RunSource::shipped));
    if (line.put("run.empty.open", {.label = "Open ..."})) panel.intents.push_back(AskForFile{FileTask::open});
    return std::move(panel.intents);
}

}  // namespace headcount
