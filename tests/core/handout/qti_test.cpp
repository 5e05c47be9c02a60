// A worksheet as a package of QTI 2.1, against what the information model asks for: which elements there are and in
// which order, which attributes they need, and that whatever is referred to is there.
#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "core/base/markup.hpp"
#include "core/base/text.hpp"
#include "core/grading/grade.hpp"
#include "core/handout/bank.hpp"
#include "core/handout/handout.hpp"
#include "core/worksheet/worksheet.hpp"
#include "tests/support/class.hpp"

namespace headcount {
namespace {

using namespace testing_data;

struct Node {
    std::string name;
    std::map<std::string, std::string> attributes;
    std::vector<Node> children;
    std::string text;

    void all(const std::string& wanted, std::vector<const Node*>& found) const {
        if (name == wanted) found.push_back(this);
        for (const Node& child : children) child.all(wanted, found);
    }
    std::vector<const Node*> all(const std::string& wanted) const {
        std::vector<const Node*> found;
        all(wanted, found);
        return found;
    }
};

// The element that begins at `at`; throws where a tag is not closed in order.
Node read(const std::string& xml, std::size_t& at) {
    static const std::regex attribute("([\\w:]+)=\"([^\"]*)\"");
    const std::size_t end = xml.find('>', at);
    std::string tag = xml.substr(at + 1, end - at - 1);
    const bool closed = tag.ends_with('/');
    if (closed) tag.pop_back();
    Node node{tag.substr(0, tag.find_first_of(" \n")), {}, {}, {}};
    for (std::sregex_iterator i(tag.begin(), tag.end(), attribute), none; i != none; ++i)
        node.attributes[(*i)[1]] = (*i)[2];
    at = end + 1;
    while (!closed) {
        const std::size_t next = xml.find('<', at);
        if (next == std::string::npos) throw std::runtime_error(node.name + " is never closed");
        node.text += xml.substr(at, next - at);
        at = next;
        if (xml[at + 1] != '/') {
            node.children.push_back(read(xml, at));
            continue;
        }
        const std::size_t close = xml.find('>', at);
        if (xml.substr(at + 2, close - at - 2) != node.name) throw std::runtime_error(xml.substr(at, 30));
        at = close + 1;
        break;
    }
    return node;
}
Node parse(const std::string& xml) {
    std::size_t at = xml.find("?>") + 2;
    at = xml.find('<', at);
    return read(xml, at);
}

std::vector<ZipEntry> files_of(const Worksheet& worksheet) {
    const std::vector<Sheet> one{*make_sheet(worksheet, presets())};
    return qti_files(one);
}

const std::map<std::string, std::vector<std::string>>& required() {
    static const std::map<std::string, std::vector<std::string>> attributes{
        {"assessmentItem", {"xmlns", "identifier", "title", "adaptive", "timeDependent"}},
        {"responseDeclaration", {"identifier", "cardinality", "baseType"}},
        {"outcomeDeclaration", {"identifier", "cardinality", "baseType"}},
        {"choiceInteraction", {"responseIdentifier", "shuffle", "maxChoices"}},
        {"orderInteraction", {"responseIdentifier", "shuffle"}},
        {"simpleChoice", {"identifier"}},
        {"textEntryInteraction", {"responseIdentifier"}},
        {"inlineChoiceInteraction", {"responseIdentifier", "shuffle"}},
        {"inlineChoice", {"identifier"}},
        {"mapping", {"defaultValue"}},
        {"mapEntry", {"mapKey", "mappedValue"}},
        {"mapResponse", {"identifier"}},
        {"extendedTextInteraction", {"responseIdentifier"}},
        {"rubricBlock", {"view"}},
        {"img", {"src", "alt"}},
        {"equal", {"toleranceMode", "tolerance"}},
        {"stringMatch", {"caseSensitive"}},
        {"baseValue", {"baseType"}},
        {"variable", {"identifier"}},
        {"correct", {"identifier"}},
        {"setOutcomeValue", {"identifier"}},
        {"modalFeedback", {"outcomeIdentifier", "identifier", "showHide"}},
        {"resource", {"identifier", "type", "href"}},
        {"file", {"href"}},
        {"dependency", {"identifierref"}},
        {"assessmentItemRef", {"identifier", "href"}},
        {"assessmentTest", {"xmlns", "identifier", "title"}},
        {"testPart", {"identifier", "navigationMode", "submissionMode"}},
        {"assessmentSection", {"identifier", "title", "visible"}}};
    return attributes;
}

// Whatever else an item of ours may consist of: none of these needs an attribute.
const std::set<std::string> plain{"correctResponse",
                                  "value",
                                  "defaultValue",
                                  "itemBody",
                                  "responseProcessing",
                                  "responseCondition",
                                  "responseIf",
                                  "responseElseIf",
                                  "sum",
                                  "multiple",
                                  "match",
                                  "product",
                                  "or",
                                  "p",
                                  "i",
                                  "code",
                                  "sub",
                                  "table",
                                  "tbody",
                                  "tr",
                                  "td",
                                  "th",
                                  "manifest",
                                  "metadata",
                                  "schema",
                                  "schemaversion",
                                  "organizations",
                                  "resources"};

void expect_known(const Node& node) {
    const auto found = required().find(node.name);
    EXPECT_TRUE(found != required().end() || plain.contains(node.name)) << node.name;
    const std::vector<std::string> needed = found == required().end() ? std::vector<std::string>{} : found->second;
    for (const std::string& attribute : needed)
        EXPECT_TRUE(node.attributes.contains(attribute)) << node.name << ' ' << attribute;
    for (const Node& child : node.children) expect_known(child);
}

void expect_whole_item(const Node& item) {
    ASSERT_EQ(item.name, "assessmentItem");
    // The order of an item's parts.
    const std::vector<std::string> order{"responseDeclaration", "outcomeDeclaration", "itemBody", "responseProcessing",
                                         "modalFeedback"};
    std::ptrdiff_t last = 0;
    for (const Node& child : item.children) {
        const auto place = std::find(order.begin(), order.end(), child.name) - order.begin();
        EXPECT_LT(place, std::ssize(order)) << child.name;
        EXPECT_GE(place, last) << child.name;
        last = place;
    }
    std::set<std::string> variables, responses, asked, outcomes;
    std::map<std::string, std::string> types;
    for (const Node* each : item.all("responseDeclaration")) responses.insert(each->attributes.at("identifier"));
    for (const Node* each : item.all("outcomeDeclaration")) outcomes.insert(each->attributes.at("identifier"));
    variables.insert(responses.begin(), responses.end());
    variables.insert(outcomes.begin(), outcomes.end());
    for (const char* name : {"choiceInteraction", "orderInteraction", "textEntryInteraction", "inlineChoiceInteraction",
                             "extendedTextInteraction"})
        for (const Node* each : item.all(name)) asked.insert(each->attributes.at("responseIdentifier"));
    EXPECT_EQ(asked, responses) << "every response is asked for, and what is asked for is declared";
    for (const Node* each : item.all("variable")) EXPECT_TRUE(variables.contains(each->attributes.at("identifier")));
    for (const Node* each : item.all("mapResponse")) EXPECT_TRUE(responses.contains(each->attributes.at("identifier")));
    for (const Node* each : item.all("correct")) EXPECT_TRUE(responses.contains(each->attributes.at("identifier")));
    for (const Node* each : item.all("setOutcomeValue"))
        EXPECT_TRUE(outcomes.contains(each->attributes.at("identifier")));
    std::set<std::string> said, choices;
    for (const Node* each : item.all("modalFeedback")) {
        EXPECT_TRUE(outcomes.contains(each->attributes.at("outcomeIdentifier")));
        EXPECT_TRUE(said.insert(each->attributes.at("identifier")).second);
        EXPECT_FALSE(each->children.empty());
    }
    for (const Node* each : item.all("simpleChoice")) choices.insert(each->attributes.at("identifier"));
    std::set<std::string> set;
    for (const Node* each : item.all("baseValue"))
        if (each->attributes.at("baseType") == "identifier" && !choices.contains(each->text)) set.insert(each->text);
    EXPECT_EQ(set, said) << "every sentence can be said, and what is said is there";
    // What is typed stands in a block.
    for (const Node* body : item.all("itemBody"))
        for (const Node& child : body->children) EXPECT_NE(child.name, "textEntryInteraction") << "in no block";
}

TEST(Qti, HoldsEveryQuestionOfEveryWorksheetAsTheFormAsks) {
    for (const Worksheet& worksheet : *shipped_worksheets()) {
        SCOPED_TRACE(worksheet.id);
        const std::vector<ZipEntry> files = files_of(worksheet);
        std::set<std::string> names, listed{"imsmanifest.xml"}, items;
        for (const ZipEntry& file : files) EXPECT_TRUE(names.insert(file.name).second) << file.name;
        for (const ZipEntry& file : files) {
            if (!file.name.ends_with(".xml")) continue;
            SCOPED_TRACE(file.name);
            const Node node = parse(file.bytes);
            expect_known(node);
            if (file.name.starts_with("items/")) expect_whole_item(node);
        }
        const Node manifest = parse(files[0].bytes), test = parse(files[1].bytes);
        for (const Node* each : manifest.all("file")) listed.insert(each->attributes.at("href"));
        EXPECT_EQ(listed, names) << "the manifest has every file, and no other";
        for (const Node* each : manifest.all("resource")) items.insert(each->attributes.at("identifier"));
        for (const Node* each : manifest.all("dependency"))
            EXPECT_TRUE(items.contains(each->attributes.at("identifierref")));
        EXPECT_EQ(test.all("assessmentItemRef").size(), worksheet.questions.size());
    }
}

TEST(Qti, TakesTheRightNumberAndSaysWhatIsWrongWithOthers) {
    std::size_t sentences = 0;
    for (const Worksheet& worksheet : *shipped_worksheets()) {
        const Sheet sheet = *make_sheet(worksheet, presets());
        const std::vector<Sheet> one{sheet};
        const std::vector<ZipEntry> files = qti_files(one);
        for (const SheetQuestion& question : sheet.questions) {
            std::vector<BankNumber> numbers;
            for (const Blank& blank : question.blanks)
                for (BankNumber& each : bank_numbers(question, blank)) numbers.push_back(std::move(each));
            const auto file = std::find_if(files.begin(), files.end(), [&](const ZipEntry& each) {
                return each.bytes.find("title=\"" + html_text(question.title.empty() ? question.id : question.title) +
                                       "\" adaptive") != std::string::npos;
            });
            ASSERT_NE(file, files.end()) << question.id;
            const Node item = parse(file->bytes);
            const std::vector<const Node*> conditions = item.all("responseCondition");
            if (numbers.empty() || conditions.size() != numbers.size()) continue;
            for (std::size_t i = 0; i < numbers.size(); ++i) {
                const std::vector<const Node*> values = conditions[i]->children[0].all("equal");
                ASSERT_EQ(values.size(), 1u);
                EXPECT_EQ(values[0]->children[1].text, std::to_string(numbers[i].right));
                EXPECT_EQ(conditions[i]->children.size(), numbers[i].wrong.size() + 1);
                sentences += numbers[i].wrong.size();
            }
        }
    }
    EXPECT_GT(sentences, 100u);
}

// A field for a number takes no "512 MiB", so that no answer with the unit that was asked for was right.
TEST(Qti, AsksForTheUnitBesideTheNumber) {
    const std::vector<ZipEntry> files = files_of(*open_worksheet("5-kv-cache", presets()));
    const auto file = std::ranges::find(files, "items/item_bytes.xml", &ZipEntry::name);
    ASSERT_NE(file, files.end());
    const Node item = parse(file->bytes);
    std::map<std::string, std::string> counts;
    for (const Node* each : item.all("mapEntry"))
        counts[each->attributes.at("mapKey")] = each->attributes.at("mappedValue");
    EXPECT_EQ(counts.size(), 9u);
    EXPECT_EQ(counts["MiB"], "1048576");
    EXPECT_EQ(counts["bytes"], "1");
    for (const Node* each : item.all("inlineChoice")) EXPECT_TRUE(counts.contains(each->attributes.at("identifier")));
    for (const Node* each : item.all("equal")) EXPECT_EQ(each->children[0].name, "product");
}

TEST(Qti, DrawsOtherNumbersIntoTheSamePackage) {
    const Worksheet worksheet = *open_worksheet("1-one-head", presets());
    const std::vector<Sheet> variants{*make_sheet(worksheet, presets()), *make_sheet(worksheet, presets(), 1)};
    const Node manifest = parse(qti_files(variants)[0].bytes);
    const std::size_t items = manifest.all("resource").size() - 1;
    EXPECT_GT(items, worksheet.questions.size());
    EXPECT_LT(items, 2 * worksheet.questions.size()) << "what has no numbers in it is there once";
    EXPECT_EQ(handout_qti(variants).substr(0, 2), "PK");
}

}  // namespace
}  // namespace headcount
