// A worksheet on paper, as HTML: one file with its style in it, which prints on A4 and Letter.
#include "core/handout/handout.hpp"

#include "core/base/markup.hpp"
#include "core/base/scripts.hpp"
#include "core/grading/grade.hpp"
#include "core/lesson/rewrite.hpp"

namespace headcount {
namespace {

// Sizes are in points and millimetres, as on paper. Nothing is coloured that has to be told apart.
constexpr std::string_view style = R"(
@page { margin: 16mm 15mm 18mm; }
* { box-sizing: border-box; }
html { background: #fff; color: #12161c; font: 11pt/1.45 Inter, "Helvetica Neue", Helvetica, Arial, sans-serif; }
body { max-width: 180mm; margin: 0 auto; padding: 6mm 0; }
h1 { font-size: 19pt; line-height: 1.2; margin: 0 0 2mm; }
h2 { font-size: 12.5pt; line-height: 1.3; margin: 0 0 1.5mm; }
p { margin: 0 0 2.5mm; white-space: pre-line; overflow-wrap: break-word; }
.about { color: #454e5b; }
.who { display: flex; gap: 6mm; margin: 5mm 0; }
.who span { flex: 1; border-bottom: 0.4mm solid #12161c; padding-bottom: 1mm; }
.who span + span { flex: 0 0 42mm; }
.given { display: flex; flex-wrap: wrap; gap: 2mm; margin: 0 0 6mm; padding: 0; list-style: none; }
.given li { border: 0.25mm solid #c6ccd5; border-radius: 1.5mm; padding: 0.8mm 2.5mm; font-size: 10pt; }
code, .number { font-family: "JetBrains Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 0.93em; }
section { break-inside: avoid; page-break-inside: avoid; border-top: 0.25mm solid #c6ccd5; padding: 4mm 0 5mm; }
section.long { break-inside: auto; page-break-inside: auto; }
h2, .ask { break-after: avoid; page-break-after: avoid; }
table { width: 100%; border-collapse: collapse; }
th { text-align: left; font-weight: 500; font-size: 9.5pt; color: #454e5b; padding: 1mm 2mm 1mm 0; }
td { padding: 1.4mm 2mm 1.4mm 0; vertical-align: top; border-top: 0.2mm solid #e2e6eb; }
tr { break-inside: avoid; page-break-inside: avoid; }
td.fill { width: 34mm; }
table.numbers { width: auto; margin: 1mm 0 3mm; }
table.numbers th, table.numbers td { padding: 0.6mm 3mm; text-align: right; font-size: 9.5pt; }
.box { display: block; border: 0.3mm solid #5f6978; border-radius: 1mm; min-height: 9mm; padding: 1.2mm 2mm; }
.wide { max-width: 84mm; }
.rule { border-bottom: 0.25mm solid #9aa3b0; height: 9mm; }
.times { width: 6mm; text-align: center; padding-top: 3.4mm; }
ol { list-style: none; margin: 0 0 2mm; padding: 0; }
ol li { margin: 1mm 0; padding-left: 8mm; position: relative; }
ol li b { position: absolute; left: 0; }
figure { margin: 2mm 0 3mm; break-inside: avoid; page-break-inside: avoid; }
figure svg { max-width: 100%; max-height: 110mm; height: auto; width: auto; }
.hint { color: #454e5b; font-size: 10pt; }
.key { border-left: 1mm solid #12161c; padding: 0.5mm 0 0.5mm 3mm; margin: 2mm 0; }
.key { break-inside: avoid; page-break-inside: avoid; }
.key p { margin: 0 0 1mm; overflow-wrap: anywhere; }
.right { font-weight: 600; }
.wrong { font-size: 9.5pt; color: #454e5b; }
footer { border-top: 0.25mm solid #c6ccd5; padding-top: 2mm; font-size: 9pt; color: #454e5b; }
@media screen { body { padding: 10mm 6mm; } }
)";

std::string html_key(const SheetQuestion& question, const Blank& blank) {
    std::string out = "<div class=\"key\">";
    const std::string right = right_answer(question, blank);
    if (question.kind == QuestionKind::text) return right.empty() ? "" : out + "<p>" + html_prose(right) + "</p></div>";
    std::string named;
    if (const auto* choice = std::get_if<ChoiceAnswer>(&blank.answer))
        named = ") " + question.choices[choice->right].text;
    if (const auto* select = std::get_if<SelectAnswer>(&blank.answer))
        if (const Tensor* tensor = question.model->graph.find(select->ids.front()))
            named = " (" + std::string(tensor->symbol) + ")";
    out += "<p class=\"right\">" + html_text(right + named) + "</p>";
    const std::vector<std::string> lines = derivation(question, blank);
    for (std::size_t i = 0; i + 1 < lines.size(); ++i)
        out += "<p><span class=\"number\">" + std::string(i > 0 ? "= " : "") + html_text(lines[i]) + "</span></p>";
    for (const LikelyMistake& mistake : likely_mistakes(question, blank))
        out += "<p class=\"wrong\">If it says <span class=\"number\">" + html_text(mistake.answer) +
               "</span>: " + html_text(mistake.hint) + "</p>";
    return out + "</div>";
}

std::string blank_shape(const SheetQuestion& question, bool key) {
    std::string out = "<table><thead><tr><th>Matrix</th>";
    out += key ? "<th>Rows × columns</th>" : "<th>Rows</th><th></th><th>Columns</th>";
    out += "</tr></thead><tbody>";
    for (const Blank& blank : question.blanks) {
        out += "<tr><td>" + html_prose(blank.label);
        if (key) {
            out += "</td><td>" + html_key(question, blank) + "</td></tr>";
            continue;
        }
        out +=
            "</td><td class=\"fill\"><span class=\"box\"></span></td><td class=\"times\">×</td><td "
            "class=\"fill\"><span "
            "class=\"box\"></span></td></tr>";
    }
    return out + "</tbody></table>";
}

std::string blank_lines(const SheetQuestion& question, const Blank& blank) {
    std::string out = blank.label.empty() ? "" : "<p>" + html_prose(blank.label) + "</p>";
    if (question.kind != QuestionKind::text) return out + "<span class=\"box wide\"></span>";
    for (int i = 0; i < question.lines; ++i) out += "<div class=\"rule\"></div>";
    return out;
}

std::string lettered(const std::vector<std::string>& entries) {
    std::string out = "<ol>";
    for (std::size_t i = 0; i < entries.size(); ++i)
        out += "<li><b>" + letter(i) + ")</b>" + html_prose(entries[i]) + "</li>";
    return out + "</ol>";
}

std::string section(const SheetQuestion& question, std::size_t number, const HandoutOptions& options,
                    HandoutPictures& pictures) {
    // An SVG file's own first lines have no place inside HTML.
    std::string picture = pictures.next(question);
    picture.erase(0, picture.find("<svg"));
    // With a picture it fills half a page, and would leave the rest of the one before empty.
    const bool is_long = question.blanks.size() > 9 || (options.key && question.blanks.size() > 2) || !picture.empty();
    std::string out = "<section" + std::string(is_long ? " class=\"long\"" : "") + "><h2>" + std::to_string(number) +
                      ". " + html_prose(question.title.empty() ? question.id : question.title) +
                      "</h2><p class=\"ask\">" + html_prose(question.ask) + "</p>";
    out += numbers_html(question);
    if (const std::string flow = flow_svg(question, options.key); !flow.empty()) out += "<figure>" + flow + "</figure>";
    if (!picture.empty()) out += "<figure>" + picture + "</figure>";
    std::vector<std::string> choices;
    for (const Choice& choice : question.choices) choices.push_back(choice.text);
    if (!choices.empty()) out += lettered(choices);
    if (!question.steps.empty()) out += lettered(question.steps);
    if (!options.key && !question.hint.empty()) out += "<p class=\"hint\">Hint: " + html_prose(question.hint) + "</p>";
    if (question.kind == QuestionKind::shape) {
        out += blank_shape(question, options.key);
    } else {
        for (const Blank& blank : question.blanks) {
            if (options.key && !blank.label.empty()) out += "<p>" + html_prose(blank.label) + "</p>";
            out += options.key ? html_key(question, blank) : blank_lines(question, blank);
        }
    }
    if (options.key && !question.why.empty()) out += "<p>" + html_prose(question.why) + "</p>";
    return out + "</section>";
}

}  // namespace

std::string symbol_html(std::string_view text) {
    std::string out;
    for_each_script(text, [&](std::string_view part, Script script) {
        out += script == Script::lowered  ? "<sub>" + html_text(part) + "</sub>"
               : script == Script::raised ? "<sup>" + html_text(part) + "</sup>"
                                          : html_text(part);
    });
    return out;
}

std::string numbers_html(const SheetQuestion& question) {
    std::string out;
    for (const SheetTable& table : question.tables) {
        out += "<p>" + html_text(table.title) + "</p><table class=\"numbers generaltable w-auto\"><tbody>";
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            out += "<tr>";
            for (std::size_t i = 0; i < table.rows[row].size(); ++i) {
                const std::string cell = row == 0 || i == 0 ? "th" : "td";
                out += "<" + cell + ">" + html_text(table.rows[row][i]) + "</" + cell + ">";
            }
            out += "</tr>";
        }
        out += "</tbody></table>";
    }
    return out;
}

std::string HandoutPictures::next(const SheetQuestion& question) {
    if (!options_.picture) return {};
    std::optional<std::string> place = question.at.empty() ? std::nullopt : std::optional(question.at);
    // Who is to point at something needs the picture around it.
    if (options_.key || (!place && question.kind == QuestionKind::select)) place = block_of(question);
    if (!place || !drawn_.emplace(question.model.get(), *place).second) return {};
    return options_.picture(*question.model, *place, options_.key ? PictureNumbers::shown : PictureNumbers::covered);
}

std::vector<Symbol> given_symbols(const Sheet& sheet) {
    std::vector<bool> used(symbol_count);
    const auto use = [&](const Expr& expr) {
        for (Symbol symbol : symbols_in(expr)) used[static_cast<std::size_t>(symbol)] = true;
    };
    bool width_asked = false;
    std::vector<bool> asked(symbol_count);
    for (const SheetQuestion& question : sheet.questions) {
        if (question.model != sheet.model) continue;
        for (const Blank& blank : question.blanks) {
            if (const auto* shape = std::get_if<ShapeAnswer>(&blank.answer)) {
                use(shape->rows);
                use(shape->columns);
            }
            if (const auto* number = std::get_if<NumberAnswer>(&blank.answer)) {
                use(number->resolved.value);
                width_asked = width_asked || rounds_up(number->resolved.value);
                const Expr& value = number->resolved.value;
                if (!number->formula && value.kind() == Expr::Kind::symbol)
                    asked[static_cast<std::size_t>(symbols_in(value).front())] = true;
            }
        }
    }
    // What follows from a rule is the student's to find.
    const Expr rule = head_dim_rule(sheet.model->architecture);
    const auto head = static_cast<std::size_t>(Symbol::head_dim);
    if (used[head] && rule.kind() != Expr::Kind::integer) {
        use(rule);
        used[head] = false;
    }
    if (width_asked) used[static_cast<std::size_t>(Symbol::ffn_dim)] = false;
    std::vector<Symbol> symbols;
    for (std::size_t i = 0; i < symbol_count; ++i)
        if (used[i] && !asked[i] && sheet.model->bindings[static_cast<Symbol>(i)])
            symbols.push_back(static_cast<Symbol>(i));
    return symbols;
}

std::vector<Symbol> symbols_behind_name(const Sheet& sheet) {
    std::vector<Symbol> symbols = given_symbols(sheet);
    if (sheet.model->architecture.name.starts_with(changed_model)) std::erase(symbols, Symbol::dim);
    return symbols;
}

std::string handout_html(const Sheet& sheet, const HandoutOptions& options) {
    const std::string title = html_text(sheet.title) + (options.key ? " (teacher's key)" : "");
    std::string out =
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width\">\n<title>" +
        title + "</title>\n<style>" + std::string(style) + "</style>\n</head>\n<body>\n<h1>" + title + "</h1>\n";
    if (!sheet.about.empty()) out += "<p class=\"about\">" + html_prose(sheet.about) + "</p>\n";
    if (!options.key) out += "<div class=\"who\"><span>Name</span><span>Date</span></div>\n";
    out += "<ul class=\"given\"><li>" + html_text(sheet.model->architecture.name) + "</li>";
    for (Symbol symbol : symbols_behind_name(sheet))
        out += "<li>" + html_text(info(symbol).name) + " <i>" + symbol_html(info(symbol).text) +
               "</i> = <span class=\"number\">" + std::to_string(*sheet.model->bindings[symbol]) + "</span></li>";
    out += "</ul>\n";
    HandoutPictures pictures(options);
    for (std::size_t i = 0; i < sheet.questions.size(); ++i)
        out += section(sheet.questions[i], i + 1, options, pictures) + "\n";
    out += "<footer>Headcount worksheet " + html_text(sheet.id);
    if (sheet.seed) out += ", numbers " + std::to_string(*sheet.seed);
    if (sheet.minutes > 0) out += " · about " + std::to_string(sheet.minutes) + " minutes";
    return out + "</footer>\n</body>\n</html>\n";
}

}  // namespace headcount
