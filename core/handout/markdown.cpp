// A worksheet on paper, as Markdown.
#include <algorithm>

#include "core/base/markup.hpp"
#include "core/grading/grade.hpp"
#include "core/handout/handout.hpp"

namespace headcount {
namespace {

std::string in_line(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return markdown_prose(text);
}

std::string markdown_key(const SheetQuestion& question, const Blank& blank) {
    std::string out = "**" + in_line(right_answer(question, blank)) + "**";
    if (const auto* choice = std::get_if<ChoiceAnswer>(&blank.answer))
        out += ") " + in_line(question.choices[choice->right].text);
    const std::vector<std::string> lines = derivation(question, blank);
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) out += (i == 0 ? " = `" : " = `") + lines[i] + "`";
    return out;
}

std::string mistakes(const SheetQuestion& question, const Blank& blank) {
    std::string out;
    for (const LikelyMistake& mistake : likely_mistakes(question, blank))
        out += "- If it says " + in_line(mistake.answer) + ": " + in_line(mistake.hint) + "\n";
    return out;
}

std::string numbers(const SheetQuestion& question) {
    std::string out;
    for (const SheetTable& table : question.tables) {
        out += markdown_prose(table.title) + "\n\n";
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            for (const std::string& cell : table.rows[row]) out += "| " + in_line(cell) + " ";
            out += "|\n";
            if (row > 0) continue;
            for (std::size_t i = 0; i < table.rows[row].size(); ++i) out += i == 0 ? "|---" : "|--:";
            out += "|\n";
        }
        out += "\n";
    }
    return out;
}

// The file holds its pictures itself.
std::string picture_of(const std::string& svg) {
    return svg.empty() ? "" : "![Where it is in the model](data:image/svg+xml;base64," + base64(svg) + ")\n\n";
}

std::string section(const SheetQuestion& question, std::size_t number, bool key, HandoutPictures& pictures) {
    std::string out = "## " + std::to_string(number) + ". " +
                      in_line(question.title.empty() ? question.id : question.title) + "\n\n" +
                      markdown_prose(question.ask) + "\n\n" + numbers(question) + picture_of(pictures.next(question));
    for (std::size_t i = 0; i < question.choices.size(); ++i)
        out += "- " + letter(i) + ") " + in_line(question.choices[i].text) + "\n";
    for (std::size_t i = 0; i < question.steps.size(); ++i)
        out += "- " + letter(i) + ") " + in_line(question.steps[i]) + "\n";
    if (!question.choices.empty() || !question.steps.empty()) out += "\n";
    if (!key && !question.hint.empty()) out += "Hint: " + markdown_prose(question.hint) + "\n\n";
    if (question.kind == QuestionKind::shape) {
        out += key ? "| Matrix | Rows × columns |\n|---|---|\n" : "| Matrix | Rows | Columns |\n|---|---|---|\n";
        for (const Blank& blank : question.blanks)
            out += "| " + in_line(blank.label) + (key ? " | " + markdown_key(question, blank) + " |\n" : " |  |  |\n");
        out += "\n";
        if (key)
            for (const Blank& blank : question.blanks) out += mistakes(question, blank);
    } else if (question.kind == QuestionKind::text) {
        for (const Blank& blank : question.blanks)
            out += key ? markdown_prose(right_answer(question, blank)) + "\n\n" : "Answer:\n\n";
    } else {
        for (const Blank& blank : question.blanks) {
            const std::string label = blank.label.empty() ? "Answer" : in_line(blank.label);
            out += label + ": " + (key ? markdown_key(question, blank) : "\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_") + "\n\n";
            if (key) out += mistakes(question, blank);
        }
    }
    if (key && !question.why.empty()) out += "\n" + markdown_prose(question.why) + "\n";
    while (out.ends_with("\n\n")) out.pop_back();
    return out + "\n";
}

}  // namespace

std::string handout_markdown(const Sheet& sheet, const HandoutOptions& options) {
    std::string out = "# " + in_line(sheet.title) + (options.key ? " (teacher's key)" : "") + "\n\n";
    if (!sheet.about.empty()) out += markdown_prose(sheet.about) + "\n\n";
    if (!options.key) out += "Name: \\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\n\n";
    out += in_line(sheet.model->architecture.name) + ":";
    for (Symbol symbol : symbols_behind_name(sheet))
        out += " `" + std::string(info(symbol).text) + " = " + std::to_string(*sheet.model->bindings[symbol]) + "`";
    out += "\n\n";
    HandoutPictures pictures(options);
    for (std::size_t i = 0; i < sheet.questions.size(); ++i)
        out += section(sheet.questions[i], i + 1, options.key, pictures);
    if (sheet.seed) out += "Numbers " + std::to_string(*sheet.seed) + "\n";
    return out;
}

}  // namespace headcount
