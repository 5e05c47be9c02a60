// Claims about hidden numbers in texts: what is covered, and that nothing else is.
#include "app/ui/veil.hpp"

#include <gtest/gtest.h>

#include "app/ui/formula_line.hpp"
#include "app/ui/rich_text.hpp"
#include "tests/support/screen.hpp"

namespace headcount {
namespace {

std::string through(const Veil& veil, std::string_view text) {
    std::string shown;
    std::size_t at = 0;
    for (const Covered& stretch : covered_in(veil, text)) {
        shown.append(text.substr(at, stretch.from - at)).append("?");
        at = stretch.to;
    }
    return shown.append(text.substr(at));
}

Veil veil_of(std::initializer_list<const char*> numbers) {
    Veil veil;
    veil.keys.emplace_back("it");
    for (const char* number : numbers) veil.numbers.push_back({number, 0});
    return veil;
}

TEST(Veil, CoversANumberWhereverItStands) {
    const Veil veil = veil_of({"6,738,415,616", "6.74 B", "4096 × 11008"});
    EXPECT_EQ(through(veil, "6,738,415,616 parameters"), "? parameters");
    EXPECT_EQ(through(veil, "Copy 6,738,415,616"), "Copy ?");
    EXPECT_EQ(through(veil, "6.74 B · 6.74 B"), "? · ?");
    EXPECT_EQ(through(veil, "(100 × 4096) · (4096 × 11008) = 100 × 11008"), "(100 × 4096) · (?) = 100 × 11008");
}

TEST(Veil, LeavesNumbersThatOnlyContainIt) {
    const Veil veil = veil_of({"128", "4,096", "6.7"});
    for (const char* other : {"4128", "1280", "128,256", "11,128", "14,096", "4,096.5", "26.7", "6.74 B", "0.128"})
        EXPECT_EQ(through(veil, other), other);
    EXPECT_EQ(through(veil, "128, 4,096."), "?, ?.");
    EXPECT_EQ(through(veil, "[:, 128:256]"), "[:, ?:256]");
}

TEST(Veil, OfTwoThatOverlapCoversTheLonger) {
    const Veil veil = veil_of({"4096", "4096 × 128", "+4,096", "4,096"});
    EXPECT_EQ(through(veil, "4096 × 128"), "?");
    EXPECT_EQ(through(veil, "+4,096"), "?");
}

TEST(Veil, AThingOfItsOwnHasNoNumberLeft) {
    Veil veil = veil_of({});
    veil.now.all = 0;
    EXPECT_EQ(through(veil, "all 32: 1,234.5 GiB, 0.67 %, d_ff"), "all ?: ? GiB, ? %, d_ff");
    EXPECT_EQ(through(veil, "no number"), "no number");
}

TEST(Veil, WhatIsLiftedIsSeenAndNothingElse) {
    Veil veil = veil_of({"6.74 B"});
    veil.numbers.push_back({"4,096", 1});
    veil.now.lifted = 1;
    EXPECT_EQ(through(veil, "6.74 B, 4,096"), "?, 4,096");
    veil.now.lifted = 0;
    EXPECT_EQ(through(veil, "6.74 B, 4,096"), "6.74 B, ?");
}

// What is drawn while a veil is there, on a headless screen.
class Drawn : public ::testing::Test {
  protected:
    // Draws with the veil, and returns where the blanks are.
    template <class Draw>
    std::vector<Veil::Blank> blanks(const Draw& draw) {
        screen.frame([&](const Ui& ui) {
            const VeilOver over(veil);
            draw(ui, *ImGui::GetWindowDrawList());
        });
        return veil.blanks;
    }
    test::Screen screen;
    Veil veil = veil_of({"6,738,415,616", "4096 × 11008"});
};

TEST_F(Drawn, ABlankIsAsWideAsTheNumber) {
    const auto found = blanks([&](const Ui& ui, ImDrawList& list) {
        draw_text(list, ui.fonts.mono, ImVec2(20, 20), ui.theme.text_high, "all 6,738,415,616 of them");
    });
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].min.x, 20 + text_width(screen.fonts.mono, "all "), 1);
    EXPECT_NEAR(found[0].max.x - found[0].min.x, text_width(screen.fonts.mono, "6,738,415,616"), 1);
}

TEST_F(Drawn, NoVeilNoBlank) {
    screen.frame([&](const Ui& ui) {
        draw_text(*ImGui::GetWindowDrawList(), ui.fonts.mono, ImVec2(20, 20), ui.theme.text_high, "6,738,415,616");
        EXPECT_EQ(veil_here(), nullptr);
        EXPECT_EQ(covered_text("6,738,415,616"), "6,738,415,616");
    });
    EXPECT_TRUE(veil.blanks.empty());
}

TEST_F(Drawn, WhatIsCutOffShowsNoHalfOfTheNumber) {
    const auto found = blanks([&](const Ui& ui, ImDrawList& list) {
        draw_text(list, ui.fonts.mono, ImVec2(20, 20), ui.theme.text_high, "6,738,415,616", 40);
    });
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].min.x, 20);
}

TEST_F(Drawn, AShapeThatIsBrokenBetweenLinesIsCoveredInBoth) {
    const auto found = blanks([&](const Ui& ui, ImDrawList& list) {
        draw_wrapped(list, ui.fonts.mono, ImVec2(20, 20), ui.theme.text_high, "stored as 4096 × 11008",
                     text_width(ui.fonts.mono, "stored as 4096 "));
    });
    ASSERT_EQ(found.size(), 2u);
    EXPECT_LT(found[0].min.y, found[1].min.y);
}

TEST_F(Drawn, AFormulaOfSeveralRunsIsCoveredAsOneText) {
    const auto found = blanks([&](const Ui& ui, ImDrawList&) {
        const std::array runs{TextRun{"("},     TextRun{"4096"}, TextRun{" × "},
                              TextRun{"11008"}, TextRun{") = "}, TextRun{"6"}};
        formula_line(ui, "line", runs, ui.fonts.mono, ui.theme.text_high);
    });
    EXPECT_EQ(found.size(), 3u);  // "4096", " × " and "11008"
}

}  // namespace
}  // namespace headcount
