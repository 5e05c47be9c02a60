#include "core/report/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headcount {
namespace {

using testing::HasSubstr;
using testing::Not;

ReportPage small_page() {
    return {"A <b> model",
            {{.heading = "Counts",
              .sentences = {"More than 1 & less than 3."},
              .tables = {Table{{{"tensor"}, figures("parameters")}, {{"W|q", std::int64_t{6738415616}}}}},
              .picture = "<svg/>"}}};
}

TEST(ReportPage, IsHtmlWithWhatIsWrittenInItAsText) {
    const std::string text = html(small_page());
    EXPECT_THAT(text, HasSubstr("<title>A &lt;b&gt; model</title>"));
    EXPECT_THAT(text, HasSubstr("<h2>Counts</h2>\n<p>More than 1 &amp; less than 3.</p>\n<figure><svg/></figure>"));
    EXPECT_THAT(text, HasSubstr("<th>tensor</th><th class=\"number\">parameters</th>"));
    EXPECT_THAT(text, HasSubstr("<td>W|q</td><td class=\"number\">6,738,415,616</td>"));
    EXPECT_THAT(text, Not(HasSubstr("<b>")));
}

TEST(ReportPage, IsMarkdownWithoutItsPicture) {
    const std::string text = markdown(small_page());
    EXPECT_THAT(text, HasSubstr("\n## Counts\n\nMore than 1"));
    EXPECT_THAT(text, HasSubstr("| tensor | parameters |\n|---|---:|\n| W\\|q | 6,738,415,616 |\n"));
    EXPECT_THAT(text, Not(HasSubstr("svg")));
}

}  // namespace
}  // namespace headcount
