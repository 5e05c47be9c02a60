// Claims about letters of far scripts: which they are, which font has them, and that nothing is done while none is
// there.
#include "app/ui/far_letters.hpp"

#include <gtest/gtest.h>

#include <array>
#include <embedded_fonts.hpp>

#include "app/ui/fonts.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using testing_data::Scratch;
using Bytes = std::span<const unsigned char>;

TEST(FarLetters, AreChineseJapaneseAndKoreanOnes) {
    FarLetters letters;
    for (const char* const near : {"", "Lily", "\xC3\xA9\xC3\x97", "\xE2\x80\xA6\xE2\x89\x88", "\xD1\x8F", "\xE4\xBD"})
        EXPECT_FALSE(letters.ask(near)) << near;
    EXPECT_FALSE(letters.wanting());
    for (const char* const far : {"\xE4\xBD\xA0", "a\xE3\x81\x82", "\xED\x95\x9C", "\xEF\xBC\x81"})
        EXPECT_TRUE(letters.ask(far)) << far;
    EXPECT_TRUE(letters.wanting());
}

TEST(FarLetters, AreLookedForOnceWhereTheSystemHasNoneOfThem) {
    const Scratch scratch;
    FarLetters letters({scratch.folder(), scratch.folder() / "missing"});
    letters.ask("\xE4\xBD\xA0");
    EXPECT_FALSE(letters.take());
    EXPECT_TRUE(letters.ask("\xE5\xA5\xBD"));
    EXPECT_FALSE(letters.wanting());
    EXPECT_TRUE(letters.font().empty());
}

TEST(FarLetters, AreDrawnWithTheBestFontOfTheSystem) {
    const Scratch scratch;
    const std::array<std::filesystem::path, 1> folders{scratch.folder()};
    const auto added = [&](const char* name, std::string_view bytes = "") {
        scratch.file(name, std::string(bytes));
        const auto found = find_far_font(folders);
        return found ? found->lexically_relative(scratch.folder()).string() : "";
    };
    EXPECT_EQ(added("DejaVuSans.ttf"), "");
    EXPECT_EQ(added("truetype/wqy/wqy-zenhei.ttc"), "truetype/wqy/wqy-zenhei.ttc");
    EXPECT_EQ(added("NotoSansCJK-Black.ttc"), "truetype/wqy/wqy-zenhei.ttc") << "in the weight of the other letters";
    EXPECT_EQ(added("wqy-microhei.ttc/wqy-microhei.ttc"), "wqy-microhei.ttc/wqy-microhei.ttc") << "not the folder";
    std::filesystem::remove_all(scratch.folder() / "wqy-microhei.ttc");
    EXPECT_EQ(added("truetype/wqy/wqy-microhei.ttc"), "truetype/wqy/wqy-microhei.ttc");
    const Bytes inter = embedded_fonts().front().bytes;
    const std::string_view bytes(reinterpret_cast<const char*>(inter.data()), inter.size());
    EXPECT_EQ(added("NotoSansCJK-Regular.ttc", bytes), "NotoSansCJK-Regular.ttc");
    FarLetters letters({scratch.folder()});
    letters.ask("\xE5\xA5\xBD\xE4\xBD\xA0\xE5\xA5\xBD");
    ASSERT_TRUE(letters.take());
    EXPECT_EQ(letters.font(), bytes);
    constexpr std::array<ImWchar, 5> both{0x4F60, 0x4F60, 0x597D, 0x597D, 0};
    EXPECT_TRUE(std::equal(both.begin(), both.end(), letters.range()));
    EXPECT_FALSE(letters.wanting());
    letters.ask("\xE4\xBD\xA0");
    EXPECT_FALSE(letters.wanting()) << "it is there already";
}

// Many fonts of such letters are in a collection, whose directories lie anywhere.
TEST(FarLetters, MayBeInACollectionOfFonts) {
    const Bytes font = embedded_fonts().front().bytes;
    std::vector<unsigned char> collection(font.begin(), font.end());
    const std::size_t tables = static_cast<std::size_t>(font[4]) << 8 | font[5], directory = 12 + 16 * tables;
    collection.insert(collection.end(), font.begin(), font.begin() + static_cast<std::ptrdiff_t>(directory));
    const auto at = static_cast<std::uint32_t>(font.size());
    const std::array<unsigned char, 16> head{'t',
                                             't',
                                             'c',
                                             'f',
                                             0,
                                             1,
                                             0,
                                             0,
                                             0,
                                             0,
                                             0,
                                             1,
                                             static_cast<unsigned char>(at >> 24),
                                             static_cast<unsigned char>(at >> 16),
                                             static_cast<unsigned char>(at >> 8),
                                             static_cast<unsigned char>(at)};
    std::copy(head.begin(), head.end(), collection.begin());
    EXPECT_EQ(font_facts(collection).line_height, font_facts(font).line_height);
    EXPECT_TRUE(has_outlines(font));
    EXPECT_TRUE(has_outlines(collection));
    for (std::size_t length = 0; length < collection.size(); length += collection.size() / 300)
        has_outlines(std::span(collection).first(length));
    EXPECT_FALSE(has_outlines(bytes_of("no font")));
}

}  // namespace
}  // namespace headcount
