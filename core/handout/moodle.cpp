// A worksheet as a question bank: Moodle XML, as its import reads it (docs.moodle.org, "Moodle XML format").
#include <array>
#include <cstdio>
#include <set>
#include <span>
#include <utility>

#include "core/base/find.hpp"
#include "core/base/markup.hpp"
#include "core/base/text.hpp"
#include "core/handout/bank.hpp"
#include "core/handout/handout.hpp"

namespace headcount {
namespace {

std::string element(std::string_view name, std::string_view content) {
    return "<" + std::string(name) + ">" + std::string(content) + "</" + std::string(name) + ">\n";
}
// HTML as a text of XML. Moodle makes pictures of what reads as a smiley, a heart of (h): with its bracket as an
// entity it is left alone.
std::string html_in_xml(std::string html) {
    replace_all(html, "(", "&#40;");
    return html_text(html);
}
std::string html_element(std::string_view name, const std::string& html, const std::string& files = "") {
    return "<" + std::string(name) + " format=\"html\"><text>" + html_in_xml(html) + "</text>" + files + "</" +
           std::string(name) + ">\n";
}
std::string paragraph(std::string_view text) { return text.empty() ? "" : "<p>" + html_prose(text) + "</p>"; }
// text: as XML writes it.
std::string answer(int percent, const std::string& text, std::string_view feedback, const std::string& more = "",
                   std::string_view format = "moodle_auto_format") {
    return "<answer fraction=\"" + std::to_string(percent) + "\" format=\"" + std::string(format) + "\"><text>" + text +
           "</text>" + html_element("feedback", paragraph(feedback)) + more + "</answer>\n";
}

std::string tolerance_text(double tolerance) { return std::to_string(static_cast<std::int64_t>(tolerance)); }

// A blank inside a text, in Cloze: {1:NUMERICAL:=100:0~%0%4096:0#hint}. Of what would end it the import takes the
// backslash off two alone, but what is written as an entity it makes HTML of.
std::string cloze_text(std::string_view text) {
    std::string out;
    for (const char c : html_text(html_prose(text)))
        out += std::string_view("}#~\\").find(c) == std::string_view::npos ? std::string(1, c)
                                                                           : "&#" + std::to_string(c) + ";";
    return out;
}
std::string cloze(const BankNumber& asked) {
    std::string out = "{1:NUMERICAL:=" + std::to_string(asked.right) + ":" + tolerance_text(asked.tolerance);
    for (const auto& [number, tolerance, hint] : asked.wrong)
        out += "~%0%" + std::to_string(number) + ":" + tolerance_text(tolerance) + "#" + cloze_text(hint);
    return out + "}";
}

std::string cloze_table(const SheetQuestion& question, const std::vector<std::vector<BankNumber>>& blanks) {
    const bool shape = question.kind == QuestionKind::shape;
    std::string out = paragraph(as_digits) + "<table class=\"generaltable w-auto\"><tbody>";
    if (shape) out += "<tr><th>Matrix</th><th>Rows</th><th>Columns</th></tr>";
    for (std::size_t i = 0; i < blanks.size(); ++i) {
        out += "<tr><td>" + html_prose(question.blanks[i].label) + "</td>";
        for (const BankNumber& asked : blanks[i]) out += "<td>" + cloze(asked) + "</td>";
        out += "</tr>";
    }
    return out + "</tbody></table>";
}

// What the right number is multiplied by where a student gives it in another unit.
std::string units(bool bytes) {
    std::string list;
    for (const auto& [name, ones] : bank_units(bytes)) {
        std::array<char, 32> times{};
        std::snprintf(times.data(), times.size(), "%.17g", 1 / ones);
        list += element("unit", element("multiplier", times.data()) + element("unit_name", name));
    }
    return element("units", list) + element("unitgradingtype", "0") + element("unitpenalty", "0.1") +
           element("showunits", "0") + element("unitsleft", "0");
}

std::string numerical_answers(const BankNumber& asked) {
    std::string out =
        answer(100, std::to_string(asked.right), "", element("tolerance", tolerance_text(asked.tolerance)));
    for (const auto& [number, tolerance, hint] : asked.wrong)
        out += answer(0, std::to_string(number), hint, element("tolerance", tolerance_text(tolerance)));
    return asked.rounded || asked.bytes ? out + units(asked.bytes) : out;
}

std::string choice_answers(const SheetQuestion& question, const ChoiceAnswer& right) {
    std::string out =
        "<single>true</single>\n<shuffleanswers>true</shuffleanswers>\n<answernumbering>abc</answernumbering>\n";
    for (std::size_t i = 0; i < question.choices.size(); ++i)
        out += answer(right.takes(i) ? 100 : 0, html_in_xml(html_prose(question.choices[i].text)),
                      question.choices[i].why, "", "html");
    return out;
}

// Each step is joined with its place.
std::string order_answers(const SheetQuestion& question, const OrderAnswer& order) {
    std::string out = "<shuffleanswers>true</shuffleanswers>\n";
    for (std::size_t i = 0; i < order.right.size(); ++i)
        out += "<subquestion format=\"html\"><text>" + html_in_xml(html_prose(question.steps[order.right[i]])) +
               "</text>" + element("answer", "<text>" + std::to_string(i + 1) + "</text>") + "</subquestion>\n";
    return out;
}

// What can be pointed at, by its name and by its symbol.
std::string select_answers(const SheetQuestion& question, const SelectAnswer& select) {
    std::string out = "<usecase>0</usecase>\n";
    for (const std::string& name : names_of(question, select)) out += answer(100, html_text(name), "");
    return out;
}

// In the student's own words, or in symbols: the teacher marks it, with the right answer beside it. Lines are by fives.
std::string essay(const SheetQuestion& question) {
    std::string key;
    for (const Blank& blank : question.blanks) {
        if (!blank.label.empty()) key += paragraph(blank.label);
        key += paragraph(right_answer(question, blank));
        for (const std::string& line : derivation(question, blank)) key += paragraph(line);
    }
    return "<responseformat>editor</responseformat>\n<responserequired>1</responserequired>\n<responsefieldlines>" +
           std::to_string((question.lines + 4) / 5 * 5) +
           "</responsefieldlines>\n<attachments>0</attachments>\n<attachmentsrequired>0</attachmentsrequired>\n" +
           html_element("graderinfo", key) + html_element("responsetemplate", "");
}

struct Written {
    std::string_view type;
    std::string inside;    // HTML behind what is asked
    std::string elements;  // below the question's text
};

Written written(const SheetQuestion& question) {
    const KnownAnswer& first = question.blanks.front().answer;
    if (const auto* choice = std::get_if<ChoiceAnswer>(&first))
        return {"multichoice", "", choice_answers(question, *choice)};
    if (const auto* order = std::get_if<OrderAnswer>(&first)) return {"matching", "", order_answers(question, *order)};
    if (const auto* select = std::get_if<SelectAnswer>(&first); select && question.model->graph.find(select->ids[0]))
        return {"shortanswer", "<p>Its name or its symbol.</p>", select_answers(question, *select)};
    const std::vector<std::vector<BankNumber>> blanks = bank_numbers(question);
    if (blanks.empty()) {
        std::string parts;
        for (const Blank& blank : question.blanks) parts += paragraph(blank.label);
        return {"essay", std::move(parts), essay(question)};
    }
    if (blanks.size() == 1 && blanks[0].size() == 1) {
        const BankNumber& asked = blanks[0][0];
        return {"numerical", paragraph(asked.rounded ? "" : as_digits), numerical_answers(asked)};
    }
    return {"cloze", cloze_table(question, blanks), ""};
}

// Without its name: what differs between two drawn sets of numbers, if anything does.
std::pair<std::string_view, std::string> body_of(const Sheet& sheet, const Sheet& first, const SheetQuestion& question,
                                                 const BankPicture& picture) {
    const Written made = written(question);
    std::string html = given_html(question, sheet, first) + paragraph(question.ask) + numbers_html(question), file;
    if (!picture.svg.empty()) {
        html += "<p><img src=\"@@PLUGINFILE@@/picture.svg\" class=\"img-fluid\" alt=\"" + std::string(picture.of) +
                "\"></p>";
        file = "<file name=\"picture.svg\" path=\"/\" encoding=\"base64\">" + base64(picture.svg) + "</file>";
    }
    html += made.inside;
    std::string out =
        html_element("questiontext", html, file) + html_element("generalfeedback", paragraph(question.why));
    if (made.type != "cloze") out += element("defaultgrade", std::to_string(question.blanks.size()));
    out += element("penalty", "0.3333333") + element("hidden", "0") + made.elements;
    if (!question.hint.empty() && made.type != "essay") out += html_element("hint", paragraph(question.hint));
    return {made.type, std::move(out)};
}

// A category's name may hold a slash, written twice.
std::string category(std::string_view sheet, std::string_view question) {
    std::string path = "$course$/top/Headcount";
    for (const std::string_view name : {sheet, question}) {
        path += '/';
        for (const char c : name) path += c == '/' ? "//" : std::string(1, c);
    }
    return "<question type=\"category\">\n" + element("category", "<text>" + html_text(path) + "</text>") +
           "</question>\n";
}

}  // namespace

std::string handout_moodle(std::span<const Sheet> variants, const PlacePicture& picture) {
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz>\n";
    std::vector<std::string> ids;
    for (const Sheet& sheet : variants)
        for (const SheetQuestion& question : sheet.questions)
            if (!contains(ids, question.id)) ids.push_back(question.id);
    for (const std::string& id : ids) {
        std::set<std::string> bodies;
        for (const Sheet& sheet : variants)
            for (const SheetQuestion& question : sheet.questions) {
                if (question.id != id) continue;
                auto [type, body] =
                    body_of(sheet, variants.front(), question, bank_picture(question, variants.front(), picture));
                if (bodies.empty()) out += category(sheet.title, question.title.empty() ? id : question.title);
                if (!bodies.insert(body).second) continue;
                const std::string numbers = sheet.seed ? ", numbers " + std::to_string(*sheet.seed) : "";
                out += "<question type=\"" + std::string(type) + "\">\n" +
                       element("name", "<text>" + html_text(sheet.id + ", " + id + numbers) + "</text>") + body +
                       "</question>\n";
            }
    }
    return out + "</quiz>\n";
}

}  // namespace headcount
