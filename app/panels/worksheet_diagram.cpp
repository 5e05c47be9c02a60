// The question's own model, which may be pointed at for an answer.
#include "app/panels/worksheet_view.hpp"
#include "app/state/side_model.hpp"

namespace headcount {

Intents draw_worksheet_diagram(const Ui& ui, const Session& session, const ScenePainter& painter) {
    const Session& shown = on_screen(session);
    const SheetQuestion* const question = session.desk.question();
    const HiddenAnswers hidden(session);
    Intents intents = asked_beside(draw_canvas(ui, shown, painter));
    if (!question || question->kind != QuestionKind::select) return intents;
    const Blank& blank = question->blanks.front();
    for (std::size_t i = 0, count = intents.size(); i < count; ++i) {
        const auto* select = std::get_if<Select>(&intents[i]);
        const auto* tensor = select ? std::get_if<TensorSubject>(&select->subject) : nullptr;
        if (!tensor) continue;
        intents.push_back(AtDesk{GiveAnswer{blank.id, tensor->id}});
        // By keys one passes others on the way: then nothing is checked before one asks for it.
        if (ImGui::IsMouseReleased(0) && !session.desk.kept.at_end) intents.push_back(AtDesk{CheckFields{{blank.id}}});
    }
    return intents;
}

}  // namespace headcount
