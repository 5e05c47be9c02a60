// Claims about hidden numbers: what is drawn about a hidden thing has none, and everything else has all of its own.
#include "app/ui/veil.hpp"

#include <gtest/gtest.h>

#include "app/ui/formula_line.hpp"
#include "app/ui/rich_text.hpp"
#include "tests/support/screen.hpp"

namespace headcount {
namespace {

// On a headless screen, with a veil over it that hides one thing and what tells it.
class Drawn : public ::testing::Test {
  protected:
    // Draws with the veil, and returns where the blanks are.
    template <class Draw>
    std::vector<Veil::Blank> blanks(const Draw& draw) {
        seen.clear();
        veil.beside = &seen;
        screen.frame([&](const Ui& ui) {
            const VeilOver over(veil);
            draw(ui, *ImGui::GetWindowDrawList());
        });
        return veil.blanks;
    }
    void put(const Ui& ui, ImDrawList& list, std::string_view text, float width = 0) {
        draw_text(list, ui.fonts.mono, ImVec2(20, 20), ui.theme.text_high, text, width);
    }
    // The text with "?" for each blank, drawn about the thing of that key.
    std::string about(std::string_view key, std::string_view text) {
        blanks([&](const Ui& ui, ImDrawList& list) {
            const About it(key);
            put(ui, list, text);
        });
        return seen;
    }

    test::Screen screen;
    Veil veil{.keys = {"total", "other"},
              .told_by = {{std::string(anything), 0}, {"total", 0}, {"twin", 0}, {"other", 1}}};
    std::string seen;
};

TEST_F(Drawn, EveryNumberAboutWhatIsHiddenIsCovered) {
    EXPECT_EQ(about("total", "6,738,415,616 parameters, 6.74 B"), "? parameters, ?");
    EXPECT_EQ(about("total", "12.6 GiB in all, 205 B."), "? in all, ? B.");
    EXPECT_EQ(about("total", "(100 × 4096) · d_ff"), "(? × ?) · d_ff");
    EXPECT_EQ(about("total", "[:, 128:256], 0.67 %."), "[:, ?:?], ? %.");
    EXPECT_EQ(about("total", "no number"), "no number");
}

TEST_F(Drawn, SoIsEveryNumberAboutWhatTellsIt) {
    EXPECT_EQ(about("twin", "45,088,768"), "?");
    EXPECT_EQ(veil.blanks.front().of, 0);
    EXPECT_EQ(about("other", "45,088,768"), "?");
    EXPECT_EQ(veil.blanks.front().of, 1);
}

TEST_F(Drawn, WhatIsSaidAsideIsAboutNothingAround) {
    const auto said = [&] {
        blanks([&](const Ui& ui, ImDrawList& list) {
            const About it("total");
            {
                const Aside aside;
                put(ui, list, "Llama 2 7B, 100 tokens: ");
            }
            put(ui, list, "6,738,415,616");
        });
        return seen;
    };
    EXPECT_EQ(said(), "Llama 2 7B, 100 tokens: ?");
    veil.letters.emplace("100", 1);
    EXPECT_EQ(said(), "Llama 2 7B, ? tokens: ?") << "which tells by its letters";
}

TEST_F(Drawn, ANumberThatHappensToBeEqualIsSeen) {
    EXPECT_EQ(about("something else", "6,738,415,616"), "6,738,415,616");
    EXPECT_EQ(about("", "6,738,415,616"), "6,738,415,616");
}

TEST_F(Drawn, ANumberThatTellsByItsLettersIsCoveredWhereverItStands) {
    veil.letters = {{"38.2", 1}, {"6.74 B", 0}};
    EXPECT_EQ(about("something else", "38.2 % of 6.74 B, not 138.2 or 6.74"), "? % of ?, not 138.2 or 6.74");
    ASSERT_EQ(veil.blanks.size(), 2u);
    EXPECT_EQ(veil.blanks.front().of, 1);
    EXPECT_EQ(numbers_in("6.74 B in 32 layers."), (std::vector<std::string>{"6.74 B", "32"}));
}

TEST_F(Drawn, WhatIsAboutSeveralThingsIsCoveredForAnyOfThem) {
    const auto found = blanks([&](const Ui& ui, ImDrawList& list) {
        {
            const About hidden("total");
            const About within("something else");
            put(ui, list, "1 ");
        }
        {
            const About several(std::vector<std::string>{"something else", "twin", "nothing"});
            put(ui, list, "2 ");
        }
        put(ui, list, "3 ");
        const About any(anything);
        put(ui, list, "4");
    });
    EXPECT_EQ(seen, "? ? 3 ?");
    EXPECT_EQ(found.size(), 3u);
}

TEST_F(Drawn, ABlankIsAsWideAsTheNumber) {
    const auto found = blanks([&](const Ui& ui, ImDrawList& list) {
        const About total("total");
        put(ui, list, "all 6,738,415,616 of them");
    });
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].min.x, 20 + text_width(screen.fonts.mono, "all "), 1);
    EXPECT_NEAR(found[0].max.x - found[0].min.x, text_width(screen.fonts.mono, "6,738,415,616"), 1);
}

TEST_F(Drawn, NoVeilNoBlank) {
    screen.frame([&](const Ui& ui) {
        const About total("total"), any(anything);
        put(ui, *ImGui::GetWindowDrawList(), "6,738,415,616");
        EXPECT_FALSE(covers("6,738,415,616"));
        EXPECT_EQ(covered_text("6,738,415,616"), "6,738,415,616");
    });
    EXPECT_TRUE(veil.blanks.empty());
}

TEST_F(Drawn, WhereNothingIsHiddenNothingMayBe) {
    veil.keys.clear();
    veil.told_by.clear();
    EXPECT_TRUE(blanks([&](const Ui& ui, ImDrawList& list) {
                    const About any(anything);
                    put(ui, list, "6,738,415,616");
                }).empty());
}

TEST_F(Drawn, WhatIsCutOffShowsNoHalfOfTheNumber) {
    const auto found = blanks([&](const Ui& ui, ImDrawList& list) {
        const About total("total");
        put(ui, list, "6,738,415,616", 40);
    });
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].min.x, 20);
}

TEST_F(Drawn, AShapeThatIsBrokenBetweenLinesIsCoveredInBoth) {
    const auto found = blanks([&](const Ui& ui, ImDrawList& list) {
        const About total("total");
        draw_wrapped(list, ui.fonts.mono, ImVec2(20, 20), ui.theme.text_high, "stored as 4096 × 11008",
                     text_width(ui.fonts.mono, "stored as 4096 "));
    });
    ASSERT_EQ(found.size(), 2u);
    EXPECT_LT(found[0].min.y, found[1].min.y);
}

TEST_F(Drawn, AFormulaOfSeveralRunsIsCoveredInEach) {
    const auto found = blanks([&](const Ui& ui, ImDrawList&) {
        const About total("total");
        const std::array runs{TextRun{"("}, TextRun{"4096"}, TextRun{" × "}, TextRun{"d_ff"}, TextRun{") = 6"}};
        formula_line(ui, "line", runs, ui.fonts.mono, ui.theme.text_high);
    });
    EXPECT_EQ(found.size(), 2u);
}

}  // namespace
}  // namespace headcount
