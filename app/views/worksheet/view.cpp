// What the panels of the Worksheet view share.
#include "app/views/worksheet/view.hpp"

#include <algorithm>

#include "app/ui/rich_text.hpp"
#include "core/base/text.hpp"

namespace headcount {

void SheetView::leave(const SheetField& field) {
    const bool typed = !is_blank(field.text);
    if (typed && (!desk.kept.at_end || question.kind == QuestionKind::text)) ask(CheckFields{{field.id}});
}

SheetMemory& sheet_memory(const Ui& ui) { return kept<SheetMemory>(ui, "worksheet"); }

std::vector<Symbol> given_symbols(const SheetView& view) {
    Sheet alone;
    alone.model = view.question.model;
    alone.questions = {view.question};
    const std::vector<Symbol> given = given_symbols(alone);
    return given.empty() ? given_symbols(*view.desk.sheet) : given;
}

const Blank& blank_in_sight(const SheetView& view) {
    const std::vector<Blank>& blanks = view.question.blanks;
    const auto last = std::ranges::find_if(blanks, [&](const Blank& blank) { return blank.id == view.memory.blank; });
    if (last != blanks.end()) return *last;
    const auto wrong = std::ranges::find_if(
        blanks, [&](const Blank& blank) { return view.of(blank).grade.verdict == Outcome::wrong; });
    if (wrong != blanks.end()) return *wrong;
    const auto open = std::ranges::find_if(blanks, [&](const Blank& blank) { return !view.of(blank).right(); });
    return open != blanks.end() ? *open : blanks.front();
}

std::string label_of(const SheetQuestion& question, const Blank& blank) {
    if (blank.label.empty()) return question.title;
    return blank.label.substr(0, blank.label.find(" ("));
}

std::string plain_words(std::string_view text) {
    std::string plain(text);
    std::erase(plain, '`');
    return plain;
}

void draw_words(const Ui& ui, const Font& font, ImU32 colour, std::string_view text) {
    paragraph(ui, font, colour, plain_in_quotes(plain_words(text)), true);
}

}  // namespace headcount
