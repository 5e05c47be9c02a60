// The question's own model, which may be pointed at for an answer.
#include "app/diagram/panels.hpp"
#include "app/views/worksheet/view.hpp"

namespace headcount {
namespace {

// What was pressed, once it is sure that no second press makes a double click of it: that one goes nearer. A right
// click, a key or the first half of a double click only looks around.
std::optional<std::string> pointed_at(const Ui& ui, const Blank& blank, const Intents& intents) {
    SheetMemory& memory = sheet_memory(ui);
    if (memory.pointed && (memory.pointed->blank != blank.id || ImGui::IsMouseDoubleClicked(0))) memory.pointed.reset();
    for (const Intent& intent : intents) {
        const auto* select = std::get_if<Select>(&intent);
        const auto* tensor = select ? std::get_if<TensorSubject>(&select->subject) : nullptr;
        if (tensor && ImGui::IsMouseReleased(0))
            memory.pointed = SheetMemory::Pointed{blank.id, tensor->id, ImGui::GetTime()};
    }
    if (!memory.pointed) return std::nullopt;
    if (ImGui::GetTime() - memory.pointed->since <= static_cast<double>(ImGui::GetIO().MouseDoubleClickTime)) {
        ui.memory.animating = true;
        return std::nullopt;
    }
    std::string tensor = std::move(memory.pointed->tensor);
    memory.pointed.reset();
    return tensor;
}

}  // namespace

Intents draw_worksheet_diagram(const Ui& ui, const Desk& desk, const View& view, const ScenePainter& painter) {
    if (!desk.model) return {};
    const SheetQuestion* const question = desk.question();
    Intents intents = draw_canvas(ui, DiagramOf(*desk.model, view), painter);
    // Who has the answer looks around.
    if (!question || question->kind != QuestionKind::select || desk.solved(*question)) return intents;
    const Blank& blank = question->blanks.front();
    if (std::optional<std::string> tensor = pointed_at(ui, blank, intents)) {
        intents.push_back(AtDesk{GiveAnswer{blank.id, std::move(*tensor)}});
        if (!desk.kept.at_end) intents.push_back(AtDesk{CheckFields{{blank.id}}});
    }
    return intents;
}

}  // namespace headcount
