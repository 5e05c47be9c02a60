// Whatever somebody else wrote, in a file of ours it is data.
#include "core/base/markup.hpp"

#include <gtest/gtest.h>

#include "core/base/utf8.hpp"

namespace headcount {
namespace {

TEST(Markup, ATagIsNoTag) {
    EXPECT_EQ(html_text("<script>alert(\"1\")</script> & co"),
              "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; co");
    EXPECT_EQ(html_text("one\n\ttwo"), "one\n\ttwo");
    EXPECT_EQ(html_text("a\x1B[2J\xE2\x80\xAEz\xFF"), "a\xEF\xBF\xBD[2J\xEF\xBF\xBDz\xEF\xBF\xBD");
    EXPECT_EQ(markdown_line("<script> [a](b) *c* |d| `e` _f_\nself_attn"),
              "\\<script> \\[a](b) \\*c\\* \\|d\\| \\`e\\` \\_f\\_ self_attn");
    EXPECT_EQ(markdown_line("a\x1B[2J"), "a?\\[2J");
    EXPECT_EQ(markdown_prose("`code` <b>\nnext"), "`code` \\<b>\nnext");
}

TEST(Markup, AFormulaIsTextToASpreadsheet) {
    for (const char* formula : {"=1+1", "+1+1", "-2+3+cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "-A1", "+A1*2"}) {
        const std::string field = csv_field(formula);
        EXPECT_TRUE(field.starts_with('\'') || field.starts_with("\"'")) << field;
        EXPECT_EQ(from_csv_field("'" + std::string(formula)), formula) << "it can be read back";
    }
    for (const char* number : {"-1", "+1.5", "-1,290", "3", "-805 M", "+3.1 %", "-1e-07", "-", "'quoted'", "a=b"}) {
        const std::string field = csv_field(number);
        EXPECT_FALSE(field.starts_with('\'') && *number != '\'') << field;
        EXPECT_EQ(from_csv_field(number), number);
    }
    EXPECT_EQ(csv_field("=1,\"2\""), "\"'=1,\"\"2\"\"\"");
    EXPECT_EQ(csv_field("a;b"), "\"a;b\"");
    EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
    EXPECT_EQ(csv_field("a\x1B[2J\xE2\x81\xA6\xFF"), "a?[2J??");
}

}  // namespace
}  // namespace headcount
