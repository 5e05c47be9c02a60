// Claims about docs/models.md: it says of fields and model types what the code says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "app/manual/pages.hpp"
#include "core/arch/fields.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace {

std::string values_of(const FieldInfo& field) {
    const std::string absent = field.absence == Absence::rule   ? ", auto"
                               : field.absence == Absence::none ? ", none"
                                                                : "";
    std::string words;
    switch (field.kind) {
        case FieldKind::number: return (field.least == 0 ? "number from 0" : "number") + absent;
        case FieldKind::ratio: return "number such as 1.3";
        case FieldKind::real: return "number such as 1e-5";
        case FieldKind::flag: return "true, false";
        case FieldKind::layers: return "layers";
        case FieldKind::convolutions: return "convolutions";
        case FieldKind::choice: break;
    }
    for (const std::string_view choice : field.choices) words += (words.empty() ? "" : ", ") + std::string(choice);
    return words;
}

TEST(ModelsPage, SaysOfEveryFieldWhatTheCodeSays) {
    std::set<std::vector<std::string>> written, known;
    for (const ManualBlock& block : page_with("models#symbols-and-fields")->blocks)
        for (const std::vector<ManualLine>& row : block.rows) {
            std::vector<std::string> texts;
            for (const ManualLine& cell : row) texts.push_back(text_of(cell));
            written.insert(texts);
        }
    known.insert({"Field", "Symbol", "Values", "Meaning"});
    for (const FieldInfo& field : fields())
        known.insert({std::string(field.key), field.symbol ? std::string(info(*field.symbol).text) : "",
                      values_of(field), std::string(field.meaning)});
    EXPECT_THAT(written, ::testing::ContainerEq(known));
}

TEST(ModelsPage, NamesEveryTypeThatIsRead) {
    std::set<std::string> written, known;
    const ManualPage& page = *page_with("models#files");
    for (const ManualBlock& block : page.blocks) {
        bool listed = false;
        for (const ManualWords& words : block.line) {
            if (listed && words.code) written.insert(words.text);
            if (words.text.find("decides how it is read") != std::string::npos) listed = true;
            if (listed && words.text.find('.') == 0) break;
        }
    }
    for (const Family* family : families()) known.insert(std::string(family->type));
    EXPECT_THAT(written, ::testing::ContainerEq(known));
}

TEST(ModelsPage, NamesEveryTypeWhoseTensorsTransformersHasOtherwise) {
    std::set<std::string> written, known;
    for (const ManualBlock& block : page_with("models#files")->blocks) {
        if (block.rows.empty() || text_of(block.rows.front()[1]) != "What differs") continue;
        for (const std::vector<ManualLine>& row : block.rows)
            for (const ManualWords& words : row.front())
                if (words.code) written.insert(words.text);
    }
    for (const Family* family : families())
        if (family->differs) known.insert(std::string(family->type));
    EXPECT_THAT(written, ::testing::ContainerEq(known));
}

}  // namespace
}  // namespace headcount
