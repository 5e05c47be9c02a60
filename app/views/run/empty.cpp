// In the place of the matrices while there are none: what is missing, and what to do.
#include <algorithm>
#include <cmath>

#include "app/ui/buttons.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/run/parts.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

std::string said_of(const Session& session) {
    const RunModel* const model = session.running.model.get();
    const RunSnapshot* const run = session.running.shown.get();
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

Intents draw_run_empty(const Ui& ui, const Session& session) {
    Intents intents;
    const std::string said = said_of(session);
    const RunModel* const model = session.running.model.get();
    if (said.empty()) return intents;
    const ImVec2 corner = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const float width = std::min(ui.px(420), extent.x - ui.px(48));
    const ImVec2 words = wrapped_extent(ui.fonts.body, said, width);
    const float left = std::round(corner.x + (extent.x - width) / 2);
    const float top = std::round(corner.y + (extent.y - words.y - ui.px(48)) / 2);
    draw_wrapped(*ImGui::GetWindowDrawList(), ui.fonts.body, ImVec2(left, top), ui.theme.text_mid, said, width);
    ui.recorder.record("run.empty", ImVec2(left, top), ImVec2(left + words.x, top + words.y));
    if (can_run(session)) return intents;
    float x = left;
    const auto press = [&](std::string_view name, std::string_view label) {
        const Button look{.label = label};
        ImGui::SetCursorScreenPos(ImVec2(x, top + words.y + ui.px(16)));
        x += button_width(ui, look) + ui.px(8);
        return button(ui, name, look);
    };
    if (!model->wrong && press("run.empty.again", "Try again")) intents.push_back(AtRun{RestartRun{}});
    if (session.view.run.source != RunSource::shipped && press("run.empty.shipped", "Tiny stories"))
        intents.push_back(with_run(session, [](RunPlace& place) {
            place.source = RunSource::shipped;
            place.position.reset();
            place.trail.clear();
        }));
    if (press("run.empty.open", "Open ...")) intents.push_back(AskForFile{FileTask::open});
    return intents;
}

}  // namespace headcount
