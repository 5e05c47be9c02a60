// A worksheet as a question bank: a package of IMS QTI 2.1 ("Assessment Test, Section, and Item Information Model" for
// the items, "Content Packaging" 1.1.4 for the manifest).
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/base/markup.hpp"
#include "core/base/text.hpp"
#include "core/base/zip.hpp"
#include "core/handout/bank.hpp"
#include "core/handout/handout.hpp"

namespace headcount {
namespace {

using Attributes = std::vector<std::pair<std::string_view, std::string>>;

// `content` is XML already; an element without any is closed at once.
std::string xml(std::string_view name, const Attributes& attributes, const std::string& content = "") {
    std::string out = "<" + std::string(name);
    for (const auto& [key, value] : attributes) out += " " + std::string(key) + "=\"" + html_text(value) + "\"";
    return content.empty() ? out + "/>" : out + ">" + content + "</" + std::string(name) + ">";
}

std::string words(std::string_view text) { return text.empty() ? "" : xml("p", {}, html_prose(text)); }

// What XML takes as an identifier.
std::string identifier(std::string_view before, std::string_view id) {
    std::string out(before);
    for (const char letter : id) out += is_letter_or_digit(letter) || letter == '_' || letter == '-' ? letter : '_';
    return out;
}

std::string value(const std::string& text) { return xml("value", {}, html_text(text)); }
std::string variable(const std::string& id) { return xml("variable", {{"identifier", id}}); }
std::string base_value(std::string_view type, const std::string& text) {
    return xml("baseValue", {{"baseType", std::string(type)}}, html_text(text));
}

// An item while it is written: its parts in the order in which the form has them.
class Item {
  public:
    // A response that is asked for. Returns its identifier.
    // `mapping`: what each answer counts for, where it does.
    std::string ask(std::string_view cardinality, std::string_view type, const std::vector<std::string>& right,
                    const std::string& mapping = "") {
        std::string id = "RESPONSE_" + std::to_string(++asked_);
        std::string correct;
        for (const std::string& each : right) correct += value(each);
        if (!correct.empty()) correct = xml("correctResponse", {}, correct);
        responses_ +=
            xml("responseDeclaration",
                {{"identifier", id}, {"cardinality", std::string(cardinality)}, {"baseType", std::string(type)}},
                correct + mapping) +
            "\n";
        return id;
    }

    void put(const std::string& body) { body_ += body; }

    // Where `right` holds the item has one point more; else the first of the wrong ones that holds says its sentence.
    void mark(const std::string& right, const std::vector<std::pair<std::string, std::string>>& wrong) {
        ++marked_;
        const std::string more = xml("sum", {}, variable("SCORE") + base_value("float", "1"));
        std::string conditions = xml("responseIf", {}, right + xml("setOutcomeValue", {{"identifier", "SCORE"}}, more));
        for (const auto& [condition, sentence] : wrong) {
            if (sentence.empty()) continue;
            const std::string id = "said_" + std::to_string(++said_);
            feedback_ +=
                xml("modalFeedback", {{"outcomeIdentifier", "FEEDBACK"}, {"identifier", id}, {"showHide", "show"}},
                    words(sentence)) +
                "\n";
            const std::string all = xml("multiple", {}, variable("FEEDBACK") + base_value("identifier", id));
            conditions +=
                xml("responseElseIf", {}, condition + xml("setOutcomeValue", {{"identifier", "FEEDBACK"}}, all));
        }
        processing_ += xml("responseCondition", {}, conditions) + "\n";
    }

    std::string text(const std::string& id, const std::string& title) const {
        const std::string zero = xml("defaultValue", {}, value("0"));
        std::string out =
            responses_ +
            xml("outcomeDeclaration", {{"identifier", "SCORE"}, {"cardinality", "single"}, {"baseType", "float"}},
                zero) +
            "\n" +
            xml("outcomeDeclaration", {{"identifier", "MAXSCORE"}, {"cardinality", "single"}, {"baseType", "float"}},
                xml("defaultValue", {}, value(std::to_string(marked_)))) +
            "\n" +
            xml("outcomeDeclaration",
                {{"identifier", "FEEDBACK"}, {"cardinality", "multiple"}, {"baseType", "identifier"}}) +
            "\n" + xml("itemBody", {}, body_) + "\n";
        if (!processing_.empty()) out += xml("responseProcessing", {}, "\n" + processing_) + "\n";
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
               xml("assessmentItem",
                   {{"xmlns", "http://www.imsglobal.org/xsd/imsqti_v2p1"},
                    {"xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"},
                    {"xsi:schemaLocation",
                     "http://www.imsglobal.org/xsd/imsqti_v2p1 "
                     "http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd"},
                    {"identifier", id},
                    {"title", title},
                    {"adaptive", "false"},
                    {"timeDependent", "false"}},
                   "\n" + out + feedback_) +
               "\n";
    }

  private:
    int asked_ = 0, marked_ = 0, said_ = 0;
    std::string responses_, body_, processing_, feedback_;
};

// number: an expression.
std::string equal(const std::string& number, std::int64_t right, double tolerance) {
    const std::string off = std::to_string(static_cast<std::int64_t>(tolerance));
    return xml("equal", {{"toleranceMode", "absolute"}, {"tolerance", off + " " + off}},
               number + base_value("float", std::to_string(right)));
}

// The unit beside a number, picked from a list, since what is typed is a number alone. Of two names of a unit the
// second, which is no letter, is in the list. Returns its identifier.
std::string ask_unit(Item& item, bool bytes, std::string& field) {
    const std::span<const BankUnit> units = bank_units(bytes);
    std::string all, counts;
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (i + 1 < units.size() && units[i + 1].ones == units[i].ones) continue;
        const std::string name = units[i].name;
        all += xml("inlineChoice", {{"identifier", name}}, name);
        counts += xml("mapEntry", {{"mapKey", name}, {"mappedValue", std::to_string(std::llround(units[i].ones))}});
    }
    const std::string one = bytes ? units[1].name : units[0].name;
    const std::string response =
        item.ask("single", "identifier", {one}, xml("mapping", {{"defaultValue", "0"}}, counts));
    field += " " + xml("inlineChoiceInteraction", {{"responseIdentifier", response}, {"shuffle", "false"}}, all);
    return response;
}

// A field for a number, with what is said of known wrong ones.
std::string number_field(Item& item, const BankNumber& asked) {
    constexpr std::string_view longest = "20";
    const std::string response = item.ask("single", "float", {std::to_string(asked.right)});
    std::string field =
        xml("textEntryInteraction", {{"responseIdentifier", response}, {"expectedLength", std::string(longest)}});
    std::string number = variable(response);
    if (asked.rounded)
        number = xml("product", {}, number + xml("mapResponse", {{"identifier", ask_unit(item, asked.bytes, field)}}));
    std::vector<std::pair<std::string, std::string>> wrong;
    for (const auto& [value, tolerance, hint] : asked.wrong) wrong.emplace_back(equal(number, value, tolerance), hint);
    item.mark(equal(number, asked.right, asked.tolerance), wrong);
    return field;
}

void number_table(Item& item, const SheetQuestion& question, const std::vector<std::vector<BankNumber>>& blanks) {
    std::string rows;
    const auto cell = [](const std::string& content) { return xml("td", {}, content); };
    if (question.kind == QuestionKind::shape) rows += xml("tr", {}, cell("Matrix") + cell("Rows") + cell("Columns"));
    for (std::size_t i = 0; i < blanks.size(); ++i) {
        const std::string label = html_prose(question.blanks[i].label);
        std::string row = cell(label.empty() ? "Answer" : label);
        for (const BankNumber& asked : blanks[i]) row += cell(number_field(item, asked));
        rows += xml("tr", {}, row);
    }
    item.put(words(as_digits) + xml("table", {}, xml("tbody", {}, rows)));
}

void choices(Item& item, const SheetQuestion& question, const ChoiceAnswer& choice) {
    const auto name = [](std::size_t i) { return "choice_" + std::to_string(i + 1); };
    const std::string response = item.ask("single", "identifier", {name(choice.right)});
    const auto is = [&](std::size_t i) {
        return xml("match", {}, variable(response) + base_value("identifier", name(i)));
    };
    std::string all;
    std::vector<std::pair<std::string, std::string>> wrong;
    std::string right = is(choice.right);
    for (std::size_t i = 0; i < question.choices.size(); ++i) {
        all += xml("simpleChoice", {{"identifier", name(i)}}, html_prose(question.choices[i].text));
        if (!choice.takes(i))
            wrong.emplace_back(is(i), question.choices[i].why);
        else if (i != choice.right)
            right += is(i);
    }
    item.mark(choice.also.empty() ? right : xml("or", {}, right), wrong);
    item.put(
        xml("choiceInteraction", {{"responseIdentifier", response}, {"shuffle", "true"}, {"maxChoices", "1"}}, all));
}

void steps(Item& item, const SheetQuestion& question, const OrderAnswer& order) {
    std::vector<std::string> right;
    for (const std::size_t step : order.right) right.push_back("step_" + std::to_string(step + 1));
    const std::string response = item.ask("ordered", "identifier", right);
    std::string all;
    for (std::size_t i = 0; i < question.steps.size(); ++i)
        all += xml("simpleChoice", {{"identifier", "step_" + std::to_string(i + 1)}}, html_prose(question.steps[i]));
    item.mark(xml("match", {}, variable(response) + xml("correct", {{"identifier", response}})), {});
    item.put(xml("orderInteraction", {{"responseIdentifier", response}, {"shuffle", "true"}}, all));
}

// Whichever of the names: in either case of letters.
void name_field(Item& item, const std::set<std::string>& names) {
    const std::string response = item.ask("single", "string", {*names.begin()});
    std::string any;
    for (const std::string& name : names)
        any += xml("stringMatch", {{"caseSensitive", "false"}}, variable(response) + base_value("string", name));
    item.mark(xml("or", {}, any), {});
    item.put(xml("p", {},
                 "Its name or its symbol: " +
                     xml("textEntryInteraction", {{"responseIdentifier", response}, {"expectedLength", "30"}})));
}

// In the student's own words, or in symbols: the teacher marks it by the rubric.
void essay(Item& item, const SheetQuestion& question) {
    std::string key;
    for (const Blank& blank : question.blanks) {
        key += words(blank.label) + words(right_answer(question, blank));
        for (const std::string& line : derivation(question, blank)) key += words(line);
        item.put(words(blank.label));
    }
    const std::string response = item.ask("single", "string", {});
    item.put(xml("extendedTextInteraction",
                 {{"responseIdentifier", response}, {"expectedLines", std::to_string(std::max(question.lines, 1))}}));
    if (!key.empty()) item.put(xml("rubricBlock", {{"view", "scorer tutor"}}, key));
}

void put_answers(Item& item, const SheetQuestion& question) {
    const KnownAnswer& first = question.blanks.front().answer;
    if (const auto* choice = std::get_if<ChoiceAnswer>(&first)) return choices(item, question, *choice);
    if (const auto* order = std::get_if<OrderAnswer>(&first)) return steps(item, question, *order);
    if (const auto* select = std::get_if<SelectAnswer>(&first))
        if (const std::set<std::string> names = names_of(question, *select); !names.empty())
            return name_field(item, names);
    const std::vector<std::vector<BankNumber>> blanks = bank_numbers(question);
    if (blanks.empty()) return essay(item, question);
    number_table(item, question, blanks);
}

struct Resource {
    std::string id, path, picture;  // the last may be empty
};

std::string manifest(const Sheet& sheet, const std::vector<Resource>& items) {
    std::string resources, dependencies;
    for (const Resource& each : items) {
        std::string files = xml("file", {{"href", each.path}});
        if (!each.picture.empty()) files += xml("file", {{"href", each.picture}});
        resources +=
            xml("resource", {{"identifier", each.id}, {"type", "imsqti_item_xmlv2p1"}, {"href", each.path}}, files) +
            "\n";
        dependencies += xml("dependency", {{"identifierref", each.id}});
    }
    resources += xml("resource", {{"identifier", "test"}, {"type", "imsqti_test_xmlv2p1"}, {"href", "test.xml"}},
                     xml("file", {{"href", "test.xml"}}) + dependencies) +
                 "\n";
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
           xml("manifest",
               {{"xmlns", "http://www.imsglobal.org/xsd/imscp_v1p1"},
                {"identifier", identifier("headcount.", sheet.id)}},
               "\n" + xml("metadata", {}, xml("schema", {}, "QTIv2.1 Package") + xml("schemaversion", {}, "1.0.0")) +
                   "\n" + xml("organizations", {}) + "\n" + xml("resources", {}, "\n" + resources) + "\n") +
           "\n";
}

std::string test(const Sheet& sheet, const std::vector<Resource>& items) {
    std::string references;
    for (const Resource& each : items)
        references += xml("assessmentItemRef", {{"identifier", each.id}, {"href", each.path}}) + "\n";
    const std::string section =
        xml("assessmentSection", {{"identifier", "questions"}, {"title", sheet.title}, {"visible", "true"}},
            "\n" + references);
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
           xml("assessmentTest",
               {{"xmlns", "http://www.imsglobal.org/xsd/imsqti_v2p1"},
                {"identifier", identifier("test.", sheet.id)},
                {"title", sheet.title}},
               xml("testPart",
                   {{"identifier", "sheet"}, {"navigationMode", "nonlinear"}, {"submissionMode", "individual"}},
                   section)) +
           "\n";
}

}  // namespace

std::vector<ZipEntry> qti_files(std::span<const Sheet> variants, const PlacePicture& picture) {
    std::vector<ZipEntry> files;
    std::vector<Resource> items;
    std::set<std::string> bodies, pictures;
    for (std::size_t i = 0; i < variants.size(); ++i)
        for (const SheetQuestion& question : variants[i].questions) {
            const std::string id = identifier("item_", question.id) + (i == 0 ? "" : "." + std::to_string(i + 1));
            Resource made{id, "items/" + id + ".xml", {}};
            Item item;
            item.put(given_html(question, variants[i], variants.front()) + words(question.ask) +
                     numbers_html(question));
            const BankPicture drawn = bank_picture(question, variants.front(), picture);
            if (!drawn.svg.empty()) {
                const std::string name = (has_numbers(question) ? id : identifier("item_", question.id)) + ".svg";
                made.picture = "items/" + name;
                item.put(xml("p", {}, xml("img", {{"src", name}, {"alt", std::string(drawn.of)}})));
            }
            put_answers(item, question);
            const std::string title = question.title.empty() ? question.id : question.title;
            // What has no numbers in it is there once.
            if (!bodies.insert(item.text("", title)).second) continue;
            files.push_back({made.path, item.text(id, title)});
            if (!drawn.svg.empty() && pictures.insert(made.picture).second) files.push_back({made.picture, drawn.svg});
            items.push_back(std::move(made));
        }
    files.insert(files.begin(), {ZipEntry{"imsmanifest.xml", manifest(variants.front(), items)},
                                 ZipEntry{"test.xml", test(variants.front(), items)}});
    return files;
}

std::string handout_qti(std::span<const Sheet> variants, const PlacePicture& picture) {
    return zip_archive(qti_files(variants, picture));
}

}  // namespace headcount
