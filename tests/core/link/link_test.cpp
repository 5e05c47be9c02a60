// Links as text, the models that they say, and their QR codes.
#include <gtest/gtest.h>

#include "core/arch/fields.hpp"
#include "core/arch/validate.hpp"
#include "core/files/documents.hpp"
#include "core/link/link_text.hpp"
#include "core/link/linked_model.hpp"
#include "core/link/qr.hpp"
#include "tests/support/presets.hpp"

namespace headcount {
namespace {

using testing_data::all_presets;
using testing_data::preset;

TEST(Links, AreWrittenToBeReadByPeople) {
    EXPECT_EQ(link_text({{"m", "llama-2-7b"}, {"at", "layer.attention.head:3"}, {"prompt", "Once upon"}}),
              "#v=1&m=llama-2-7b&at=layer.attention.head:3&prompt=Once+upon");
}

TEST(Links, KeepEveryLetter) {
    std::string every;
    for (char letter = 1; letter < 127; ++letter) every += letter;
    const LinkEntries entries{{"prompt", every + "\u00e9\u4e2d\U0001F600"}, {"at", "a[5,17]"}, {"empty", ""}};
    const std::string text = link_text(entries);
    EXPECT_EQ(*parse_link(text), entries);
    EXPECT_EQ(*parse_link("https://example.org/page?x=1" + text), entries);
    EXPECT_EQ(text.find_first_of(" '\"<>\\`\n"), std::string::npos) << "a shell and a page take it as one word";
}

TEST(Links, AreKnownByTheirVersion) {
    EXPECT_TRUE(is_link("#v=1"));
    EXPECT_TRUE(is_link("v=1&m=gpt2"));
    EXPECT_TRUE(is_link("http://localhost:8000/#v=2&m=gpt2"));
    EXPECT_FALSE(is_link("gpt2"));
    EXPECT_FALSE(is_link("models/v=1"));
}

TEST(Links, SayWhatIsWrongWithThem) {
    EXPECT_EQ(sentence(parse_link("#v=1&m=gpt2&at=%4").error()),
              "\"%4\" stands for no letter: link: a % is written as %25: copy the link again, with its end");
    EXPECT_EQ(parse_link("#v=1&prompt=%ff").error().what, "\"%ff\" is not UTF-8");
    EXPECT_EQ(parse_link("#v=1&kv_heads").error().what, "\"kv_heads\" says nothing");
    EXPECT_EQ(parse_link("#v=1&prompt=" + std::string(2000, 'a')).error().what,
              "a link has at most 2,000 characters, and this one 2,012");
    EXPECT_TRUE(parse_link("#v=1&prompt=" + std::string(2000 - 12, 'a')));
}

TEST(LinkedModels, SayOnlyWhatDiffers) {
    const Architecture& llama = preset("llama-2-7b");
    EXPECT_EQ(*model_entries(llama, "llama-2-7b", all_presets()), (LinkEntries{{"m", "llama-2-7b"}}));
    EXPECT_EQ(*model_entries(*with_field(llama, "kv_heads", "8"), "llama-2-7b", all_presets()),
              (LinkEntries{{"m", "llama-2-7b"}, {"kv_heads", "8"}}));
}

TEST(LinkedModels, OfAFileAreTheNearestPresetWithItsChanges) {
    Architecture own = *with_field(preset("llama-2-7b"), "layers", "31");
    own.name = "mine";
    EXPECT_EQ(*model_entries(own, "", all_presets()), (LinkEntries{{"m", "llama-2-7b"}, {"layers", "31"}}));
    own.family = nullptr;
    EXPECT_EQ(model_entries(own, "", all_presets()).error().where, "mine");
}

// One step of every field that takes another value, over all presets.
TEST(LinkedModels, ComeBackWithEveryFieldChanged) {
    int tried = 0;
    for (const Preset& each : testing_data::tried_presets())
        for (const FieldInfo& field : fields()) {
            const std::optional<std::int64_t> number = field_number(each.architecture, field.field);
            std::vector<std::string> texts(field.choices.begin(), field.choices.end());
            if (number && field.kind == FieldKind::number) texts.push_back(std::to_string(*number * 2));
            if (field.kind == FieldKind::flag) texts = {"true", "false"};
            if (field.absence == Absence::none) texts.emplace_back("none");
            for (const std::string& text : texts) {
                const Result<Architecture> changed = with_field(each.architecture, field.field, text);
                if (!changed || *changed == each.architecture || !validate(*changed).empty()) continue;
                const Result<LinkEntries> entries = model_entries(*changed, each.id, all_presets());
                ASSERT_TRUE(entries) << each.id << " " << field.key << "=" << text;
                const Result<Document> back = model_of(*parse_link(link_text(*entries)), all_presets());
                ASSERT_TRUE(back) << each.id << " " << field.key << "=" << text << ": " << sentence(back.error());
                EXPECT_EQ(back->architecture, *changed) << link_text(*entries);
                ++tried;
            }
        }
    EXPECT_GT(tried, 1000 / testing_data::stride);
}

TEST(LinkedModels, RefuseWhatTheFieldsRefuse) {
    const auto wrong = [](std::string_view text) {
        return sentence(model_of(*parse_link(text), all_presets()).error());
    };
    EXPECT_EQ(wrong("#v=1&m=llama-2-7"),
              "there is no preset \"llama-2-7\": link, m: did you mean llama-2-7b, llama-2-70b, llama-7b?");
    EXPECT_THAT(wrong("#v=1&m=gpt2&heads=0"), testing::HasSubstr("heads must be a whole number from 1 up, not \"0\""));
    EXPECT_THAT(wrong("#v=1&m=gpt2&heads=7"), testing::HasSubstr("7 heads do not divide width 768"));
}

TEST(QrCodes, HaveTheirThreeFindersAndSize) {
    const QrCode code = *qr_code("#v=1&m=gpt2");
    EXPECT_EQ(code.side, 21) << "version 1";
    for (const auto& [row, column] : {std::pair(0, 0), {0, 14}, {14, 0}})
        for (int i = 0; i < 7; ++i)
            for (int j = 0; j < 7; ++j) {
                const bool ring = i == 1 || i == 5 ? j > 0 && j < 6 : j == 1 || j == 5;
                const bool light = (ring && i > 0 && i < 6);
                EXPECT_EQ(code.at(row + i, column + j), !light) << row + i << "," << column + j;
            }
    EXPECT_FALSE(code.at(-1, 0));
    EXPECT_FALSE(code.at(0, 21));
}

TEST(QrCodes, HoldTheLongestLink) {
    EXPECT_TRUE(qr_code("https://example.org/headcount/" + std::string(longest_link, 'a')));
    EXPECT_FALSE(qr_code(std::string(3000, 'a')));
    EXPECT_FALSE(qr_code(""));
}

TEST(QrCodes, AreBlackOnWhiteInATerminal) {
    const QrCode code = *qr_code("#v=1&m=gpt2");
    const std::string text = terminal_text(code);
    EXPECT_EQ(std::ranges::count(text, '\n'), (code.side + 2 * quiet_zone + 1) / 2);
    EXPECT_TRUE(text.starts_with("\x1b[30;107m" + std::string(29, ' ') + "\x1b[0m\n"));
}

}  // namespace
}  // namespace headcount
