// diff, run as a script would.
#include <gtest/gtest.h>

#include "tests/app/cli/session.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::has;
using testing_data::Ran;
using testing_data::run;

Ran diff(const std::vector<std::string>& more) {
    std::vector<std::string> words{"diff", "llama-2-7b", "llama-2-7b", "--set", "kv_heads=8"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
}

TEST(Diff, SaysWhichFieldsAndFiguresChange) {
    const Ran text = diff({});
    EXPECT_EQ(text.status(), 0) << text.err;
    for (const char* part : {"kv_heads", "-805,306,368", "kv_cache"}) EXPECT_TRUE(has(text.out, part)) << text.out;
    const json found = diff({"--tokens", "1000", "--json"}).json();
    EXPECT_EQ(found["fields"][0]["field"], "kv_heads");
    for (const json& row : found["figures"])
        if (row["figure"] == "kv_cache") {
            EXPECT_EQ(row["a"], 4 * row["b"].get<std::int64_t>());
        }
    EXPECT_TRUE(has(run({"diff", "gpt2", "gpt2", "--fail-on", "fields>0"}).out, "No field differs."));
}

TEST(Diff, FailsWhereAConditionHolds) {
    for (const auto& [condition, status] : {std::pair("params>1%", 0),
                                            {"params<0", 1},
                                            {"params<-11%", 1},
                                            {"params<-12%", 0},
                                            {"kv>0", 0},
                                            {"params > 1 %", 0},
                                            {"params < 0 %", 1},
                                            {"kv<=-75%", 1},
                                            {"kv<-75%", 0},
                                            {"fields>0", 1},
                                            {"fields>1", 0},
                                            {"weights<=-1.5GiB", 1},
                                            {"weights<-1.5GiB", 0},
                                            {"total<-805306367", 1},
                                            {"total<-805306368", 0},
                                            {"params>1%,kv<0", 1}}) {
        const Ran ran = diff({"--fail-on", condition});
        EXPECT_EQ(ran.status(), status) << condition << '\n' << ran.out;
        EXPECT_EQ(has(ran.err, "the models differ by more than they may: --fail-on"), status == 1) << ran.err;
    }
    const json found = diff({"--fail-on", "params>1%,kv<0", "--json"}).json();
    EXPECT_EQ(found["conditions"][0]["holds"], false);
    EXPECT_EQ(found["conditions"][1]["holds"], true);
}

TEST(Diff, WrongConditionsAreSentences) {
    for (const char* wrong : {"params", "params>", "params>many", "fields>1%", ">1", "params=1", "kv>0,,"})
        EXPECT_EQ(diff({"--fail-on", wrong}).status(), 2) << wrong;
    EXPECT_TRUE(
        has(diff({"--fail-on", "speed>1%"}).err, "\"speed\" is no figure: --fail-on: give one of fields, params"));
    EXPECT_TRUE(has(diff({"--fail-on", "seconds>1%"}).err, "time is a device's: --fail-on seconds>1%"));
    EXPECT_EQ(diff({"--fail-on", "seconds<0%", "--device", "h100"}).status(), 1);
    EXPECT_EQ(run({"diff", "gpt2"}).status(), 2);
}

}  // namespace
}  // namespace headcount
