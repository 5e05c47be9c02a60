// Claims about the manual's pages: what is read from Markdown, and that what ships leads where it says.
#include "app/manual/pages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/manual/manual.hpp"
#include "app/views/views.hpp"

namespace headcount {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> texts_of(const ManualPage& page) {
    std::vector<std::string> texts;
    for (const ManualBlock& block : page.blocks) texts.push_back(block.mark + text_of(block.line) + block.listing);
    return texts;
}

TEST(ManualPages, ADocumentIsCutAtItsHeadings) {
    const auto pages = pages_of("doc", "# Whole\n\nBegins.\n\n## A part\n\nOne\nline.\n\n### Deeper\n\nTwo.\n");
    ASSERT_EQ(pages.size(), 2U);
    EXPECT_EQ(place_of(pages[0]), "doc");
    EXPECT_EQ(pages[0].heading, "Whole");
    EXPECT_THAT(texts_of(pages[0]), ElementsAre("Begins.", "•A part"));
    EXPECT_EQ(pages[0].blocks.back().line.front().link, "doc#a-part");
    EXPECT_EQ(place_of(pages[1]), "doc#a-part");
    EXPECT_THAT(texts_of(pages[1]), ElementsAre("One line.", "Deeper", "Two."));
}

TEST(ManualPages, WordsKeepTheirStyles) {
    const auto pages = pages_of("doc", "# T\n\nA **bold** `code_x` [there](other.md#part) [web](https://a.org) x_y.\n");
    ASSERT_EQ(pages.size(), 1U);
    const ManualLine& line = pages[0].blocks.at(0).line;
    EXPECT_EQ(text_of(line), "A bold code_x there web x_y.");
    ASSERT_EQ(line.size(), 9U);
    EXPECT_TRUE(line[1].strong);
    EXPECT_TRUE(line[3].code);
    EXPECT_EQ(line[5].link, "other#part");
    EXPECT_EQ(line[7].link, "https://a.org");
    EXPECT_EQ(line[8].link, "");
}

TEST(ManualPages, AnchorsAndFilesThatAreNoPagesAreToldApart) {
    const auto pages = pages_of("doc", "# T\n\n[here](#part) [file](../assets/a.json) [page](../assets/README.md)\n");
    const ManualLine& line = pages.at(0).blocks.at(0).line;
    EXPECT_EQ(line[0].link, "doc#part");
    for (std::size_t i = 1; i < line.size(); ++i) EXPECT_EQ(line[i].link, "") << line[i].text;
}

TEST(ManualPages, ListsHaveMarksAndDepths) {
    const auto pages = pages_of("doc", "# T\n\n- one\n- two\n  - deeper\n\n3. three\n4. four\n");
    EXPECT_THAT(texts_of(pages.at(0)), ElementsAre("•one", "•two", "•deeper", "3.three", "4.four"));
    EXPECT_EQ(pages[0].blocks[2].level, 2);
    EXPECT_EQ(pages[0].blocks[3].level, 1);
}

TEST(ManualPages, ItemsOfSeveralParagraphsKeepThem) {
    const auto pages = pages_of("doc", "# T\n\n- one\n\n  more\n\n- two\n");
    EXPECT_THAT(texts_of(pages.at(0)), ElementsAre("•one", "more", "•two"));
    EXPECT_EQ(pages[0].blocks[1].level, 1);
}

TEST(ManualPages, ListingsKeepTheirLines) {
    const auto pages = pages_of("doc", "# T\n\n```console\n$ ./run  x\n\n* a\n```\n\nEnd.\n");
    EXPECT_THAT(texts_of(pages.at(0)), ElementsAre("$ ./run  x\n\n* a\n", "End."));
}

TEST(ManualPages, TablesHaveRowsOfLines) {
    const auto pages = pages_of("doc", "# T\n\n| a | b |\n|---|---|\n| `c` | d |\n");
    const auto& rows = pages.at(0).blocks.at(0).rows;
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(text_of(rows[1][0]), "c");
    EXPECT_TRUE(rows[1][0].front().code);
    EXPECT_EQ(text_of(rows[1][1]), "d");
}

TEST(ManualPages, PicturesAreLeftOutWithTheirTables) {
    const auto pages = pages_of("doc", "# T\n\n![p](p.png)\n\nText.\n\n| a |\n|---|\n| ![p](p.png) |\n");
    EXPECT_THAT(texts_of(pages.at(0)), ElementsAre("Text."));
}

TEST(ManualPages, EveryViewHasOne) {
    for (const ViewKind& view : shipped_views().kinds) {
        const ManualPage* const page = page_with(place_of(view));
        ASSERT_TRUE(page) << view.key;
        EXPECT_EQ(page->heading, "The " + std::string(view.name) + " view");
    }
}

TEST(ManualPages, EveryLinkLeadsSomewhere) {
    const auto leads = [](const ManualLine& line) {
        for (const ManualWords& words : line) {
            const bool out = words.link.empty() || words.link.starts_with("http") || words.link == keys_page;
            EXPECT_TRUE(out || page_with(words.link)) << words.link;
        }
    };
    ASSERT_GT(manual_pages().size(), 20U);
    for (const ManualPage& page : manual_pages())
        for (const ManualBlock& block : page.blocks) {
            leads(block.line);
            for (const auto& row : block.rows)
                for (const ManualLine& cell : row) leads(cell);
        }
}

TEST(ManualPages, APlaceBelowAHeadingIsOnThePageOfThatHeading) {
    const ManualPage* const page = page_with("models#layers");
    ASSERT_TRUE(page);
    EXPECT_EQ(page->heading, "Symbols and fields");
    EXPECT_FALSE(page_with("models#nothing"));
    EXPECT_FALSE(page_with("nothing"));
}

}  // namespace
}  // namespace headcount
