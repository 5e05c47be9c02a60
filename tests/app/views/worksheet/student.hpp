// A student at a question of a sheet, who presses and types.
#pragma once

#include "app/state/in_view.hpp"
#include "app/views/worksheet/view.hpp"
#include "tests/support/workbench.hpp"

namespace headcount::test {

// Panels of the desk, drawn from the session.
template <Intents (*draw)(const Ui&, const Desk&)>
Intents of_desk(const Ui& ui, const Session& session) {
    return draw(ui, session.desk);
}
inline Intents draw_card(const Ui& ui, const Session& session) {
    return draw_worksheet_card(ui, session.desk, model_in_view(session));
}

// The question in the middle, of a sheet, as a student sees it.
class Student {
  public:
    explicit Student(const std::string& sheet, std::size_t question = 0,
                     DrawPanel draw = of_desk<draw_worksheet_question>)
        : bench(draw, "llama-2-7b", ImVec2(700, 900)) {
        headcount::apply(bench.session, Intents{ShowWorkspace{worksheet_view}, AtDesk{OpenSheet{sheet, {}}},
                                                AtDesk{ShowQuestion{question}}});
        bench.frames(3);
    }

    const Desk& desk() const { return bench.session.desk; }
    const Blank& blank(std::size_t at = 0) const { return desk().question()->blanks.at(at); }
    const AnsweredBlank& of(const std::string& id) const { return desk().of(*desk().sheet->find(id)); }
    Mark mark(const std::string& id, std::size_t field = 0) const { return of(id).fields.at(field).mark; }
    void stroke(ImGuiKey key) {
        bench.screen.hands.key(key, true);
        bench.frame();
        bench.screen.hands.key(key, false);
        bench.frames(3);
    }
    void write(std::string_view text) {
        ImGui::GetIO().AddInputCharactersUTF8(std::string(text).c_str());
        bench.frame();
    }
    bool has(std::string_view name) const { return bench.has(name); }

    Workbench bench;
};

}  // namespace headcount::test
