// The diagram as a picture of its own.
#include <regex>
#include <set>

#include "app/diagram/view.hpp"
#include "app/ui/veil.hpp"
#include "core/base/text.hpp"
#include "tests/support/sessions.hpp"
#include "tests/support/stage.hpp"

namespace headcount {
namespace {

// Of a font whose letters are all as wide as each other no text is drawn out, nor pressed together.
TEST(Still, WhatIsLeftOfACoveredNumberIsNotDrawnOut) {
    const Session session = test::session_of("llama-2-7b");
    test::Screen screen;
    std::string svg;
    screen.frame([&](const Ui& ui) {
        Veil veil{.everything = true};
        const VeilOver over(veil);
        svg = *canvas_svg(ui, DiagramOf(session), ImVec2(860, 500));
    });
    std::set<int> hundredths;
    std::size_t covered = 0;
    const std::regex group("<g font-family=\"[^\"]*monospace[^>]*>\n((?:<text.*\n|<rect.*\n)*)</g>");
    const std::regex label("textLength=\"([0-9.]+)\"[^>]*>([^<]*)</text>");
    for (std::sregex_iterator each(svg.begin(), svg.end(), group), end; each != end; ++each) {
        const std::string inside = (*each)[1];
        for (std::sregex_iterator text(inside.begin(), inside.end(), label); text != end; ++text) {
            const std::string words = (*text)[2];
            const auto letters = std::count_if(words.begin(), words.end(), [](char c) { return (c & 0xC0) != 0x80; });
            hundredths.insert(
                static_cast<int>(std::lround(100 * std::stod((*text)[1]) / static_cast<double>(letters))));
            covered += words.find('?') != words.npos ? 1 : 0;
        }
    }
    EXPECT_GT(covered, 10U);
    ASSERT_FALSE(hundredths.empty());
    EXPECT_LE(*hundredths.rbegin() - *hundredths.begin(), 20);
}

}  // namespace
}  // namespace headcount
