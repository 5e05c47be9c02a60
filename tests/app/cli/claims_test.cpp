// headcount claims: the table, one derivation, JSON, and a verdict that has changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/json_file.hpp"
#include "tests/app/cli/session.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using testing::HasSubstr;
using testing_data::run;
using testing_data::Scratch;

std::string file_with(const std::string& verdict) {
    return R"({"title": "Totals", "source": "a lesson", "architecture": "llama-2-7b", "claims": [
        {"id": "one", "says": "Llama 2 has 7 B.", "claimed": "7 B", "computed": "count of model", "verdict": ")" +
           verdict + R"(", "why": "{count of model}, exactly."},
        {"id": "two", "says": "It has 32 layers.", "claimed": "32", "computed": "L", "verdict": "right",
         "why": "It has.", "at": "layer"}]})";
}

TEST(ClaimsCommand, PrintsEveryShippedClaim) {
    const auto ran = run({"claims"});
    ASSERT_EQ(ran.status(), 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    EXPECT_THAT(ran.out, HasSubstr("claimed"));
    EXPECT_THAT(ran.out, HasSubstr("6,738,411,520"));
    EXPECT_THAT(ran.out, HasSubstr("right but incomplete"));
    EXPECT_THAT(ran.out, HasSubstr("decoder-only"));
}

TEST(ClaimsCommand, PrintsOneWithItsDerivation) {
    const auto ran = run({"claims", "205-b"});
    ASSERT_EQ(ran.status(), 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("reached   32·786·2048·4096 = 210,990,268,416, which is not 205 B\n"));
    EXPECT_THAT(ran.out, HasSubstr("computed  h·d_h·d = 32·128·4096 = 16,777,216\n"));
    EXPECT_THAT(ran.out, HasSubstr("verdict   wrong\n"));
    EXPECT_THAT(ran.out, HasSubstr("d = 4,096"));
    const auto incomplete = run({"claims", "llama-3-total"});
    EXPECT_THAT(incomplete.out, HasSubstr("without   the final norm: d = 4,096\n"));
    EXPECT_THAT(incomplete.out, HasSubstr("leaves    8,030,257,152\n"));
}

TEST(ClaimsCommand, GivesJson) {
    const auto all = run({"claims", "--json"});
    ASSERT_EQ(all.status(), 0) << all.err;
    EXPECT_GE(all.json().size(), 40U);
    for (const auto& claim : all.json()) EXPECT_EQ(claim["verdict"], claim["recorded"]) << claim["id"];
    const auto one = run({"claims", "405b-against-the-real", "--json"}).json();
    ASSERT_EQ(one.size(), 1U);
    EXPECT_EQ(one[0]["computed"]["text"], "405,853,388,800");
    EXPECT_EQ(one[0]["steps"].size(), 11U);
    EXPECT_EQ(one[0]["steps"][2]["right"], true);
    EXPECT_EQ(one[0]["file"], "hypothetical-405b");
    EXPECT_EQ(run({"claims", "module-tree", "--json"}).json().size(), 10U) << "a file by its name";
}

TEST(ClaimsCommand, ReadsATeachersFile) {
    Scratch scratch;
    const auto ran = run({"claims", scratch.file("mine.json", file_with("rounded"))});
    ASSERT_EQ(ran.status(), 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("6,738,415,616, exactly."));
}

// What docs/formats.md shows under "Adding a claim" has to be true as it stands there.
TEST(ClaimsCommand, ReadsTheExampleOfTheManual) {
    const Result<std::string> page = read_text(std::filesystem::path(HEADCOUNT_TESTS_DIR) / ".." / "docs/formats.md");
    ASSERT_TRUE(page);
    const std::size_t section = page->find("## Adding a claim\n");
    ASSERT_NE(section, std::string::npos);
    const std::size_t start = page->find("```json\n", section) + 8, end = page->find("```", start);
    Scratch scratch;
    const auto ran = run({"claims", scratch.file("page.json", page->substr(start, end - start)), "--json"});
    ASSERT_EQ(ran.status(), 0) << ran.err;
    const nlohmann::json derivation = ran.json();
    for (const auto& step : derivation[0]["steps"]) EXPECT_EQ(step["right"], true) << step["what"];
}

TEST(ClaimsCommand, AChangedVerdictIsAnErrorBehindTheTable) {
    Scratch scratch;
    for (const char* verdict : {"right", "right but incomplete", "wrong"})
        for (const bool json : {false, true}) {
            std::vector<std::string> words{"claims", scratch.file("mine.json", file_with(verdict))};
            if (json) words.emplace_back("--json");
            const auto ran = run(words);
            EXPECT_EQ(ran.status(), 1);
            EXPECT_THAT(ran.out, HasSubstr("6,738,415,616"));
            EXPECT_THAT(ran.err, HasSubstr("headcount: the verdict has changed: one is rounded and recorded as " +
                                           std::string(verdict) + ": "));
            EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1);
        }
}

TEST(ClaimsCommand, WhatIsNotThereIsSaid) {
    EXPECT_THAT(run({"claims", "205-bb"}).err, HasSubstr("there is no claim of this name: 205-bb: did you mean 205-b"));
    EXPECT_EQ(run({"claims", "205-bb"}).status(), 1);
    EXPECT_EQ(run({"claims", "a", "b"}).status(), 2);
    Scratch scratch;
    const auto broken = run({"claims", scratch.file("mine.json", file_with("perhaps"))});
    EXPECT_EQ(broken.status(), 1);
    EXPECT_EQ(broken.out, "");
    EXPECT_THAT(broken.err, HasSubstr("there is no verdict \"perhaps\""));
    EXPECT_EQ(run({"claims", (scratch.folder() / "nothing.json").string()}).status(), 1);
    EXPECT_EQ(run({"claims", scratch.folder().string()}).status(), 1);
}

}  // namespace
}  // namespace headcount
