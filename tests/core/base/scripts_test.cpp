// Claims about sub- and superscripts: what is raised, what is lowered, what stays as it is.
#include "core/base/scripts.hpp"

#include <gtest/gtest.h>

#include <string>

namespace headcount {
namespace {

// "W_gate" as "W[gate]", "X^(0)" as "X{(0)}".
std::string marked(std::string_view text) {
    std::string all;
    for_each_script(text, [&](std::string_view part, Script script) {
        const std::string_view marks = script == Script::lowered ? "[]" : script == Script::raised ? "{}" : "";
        if (!marks.empty()) all += marks[0];
        all += part;
        if (!marks.empty()) all += marks[1];
    });
    return all;
}

TEST(Scripts, AreReadFromUnderscoresAndCarets) {
    EXPECT_EQ(marked("W_gate +7"), "W[gate] +7");
    EXPECT_EQ(marked("X^(0)"), "X{(0)}");
    EXPECT_EQ(marked("K^T / 2^10x"), "K{T} / 2{10}x");
    EXPECT_EQ(marked("W_q[5, 17] = X_n^2"), "W[q][5, 17] = X[n]{2}");
    EXPECT_EQ(marked("Y_\u03bb = d_ff\u00b7Y_\u03bb1"), "Y[\u03bb] = d[ff]\u00b7Y[\u03bb1]");
}

TEST(Scripts, AreNotReadFromAnythingElse) {
    for (const char* plain : {"", "plain", "_lead", "a_", "a^", "a_ b", "a^(open", "a^+", "4096 \xC3\x97 11008"})
        EXPECT_EQ(marked(plain), plain);
    EXPECT_EQ(marked("q\\_proj"), "q_proj");
    EXPECT_EQ(marked("a\\"), "a\\");
    EXPECT_FALSE(has_scripts("4096 \xC3\x97 11008"));
    EXPECT_TRUE(has_scripts("q\\_proj"));
}

TEST(Scripts, StayUnreadWhereTheTextIsMeantAsItIs) {
    for (const char* text : {"a_b", "2^10", "plain", "_", "W_q and X^(0)"}) {
        EXPECT_EQ(marked(without_scripts(text)), text);
        EXPECT_EQ(has_scripts(text), without_scripts(text) != text);
    }
}

}  // namespace
}  // namespace headcount
