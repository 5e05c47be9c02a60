// Claims about pictures without a display.
#include "app/shell/picture.hpp"

#include <cstdlib>

#include "app/gl/png.hpp"
#include "app/shell/shell.hpp"
#include "app/shell/start.hpp"
#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

Session session_in(ThemeChoice theme) {
    Session session = start_session(test::all_presets(), document_of(test::all_presets().front()));
    session.view.theme = theme;
    return session;
}

TEST(Picture, TheSameSessionGivesTheSamePixels) {
    const auto first = draw_picture(session_in(ThemeChoice::dark), {1280, 720});
    ASSERT_TRUE(first) << sentence(first.error());
    EXPECT_EQ(first->width, 1280);
    EXPECT_EQ(first->height, 720);
    const auto second = draw_picture(session_in(ThemeChoice::dark), {1280, 720});
    ASSERT_TRUE(second) << sentence(second.error());
    EXPECT_TRUE(*first == *second);
}

TEST(Picture, ThemesDiffer) {
    const auto dark = draw_picture(session_in(ThemeChoice::dark), {640, 480});
    const auto light = draw_picture(session_in(ThemeChoice::light), {640, 480});
    ASSERT_TRUE(dark && light);
    EXPECT_LT(dark->rgba[0], 64);
    EXPECT_GT(light->rgba[0], 192);
}

TEST(Picture, OfAnEmptySizeIsAnError) {
    const auto picture = draw_picture(session_in(ThemeChoice::dark), {0, 600});
    ASSERT_FALSE(picture);
    EXPECT_NE(picture.error().what.find("empty"), std::string::npos);
}

TEST(Picture, IsWrittenAsAFile) {
    const auto file = std::filesystem::path(testing::TempDir()) / "headcount_picture_test.png";
    RenderOptions options;
    options.document = document_of(test::all_presets().front());
    options.size = {640, 480};
    options.output = file;
    EXPECT_EQ(render_picture(options), 0);
    EXPECT_GT(std::filesystem::file_size(file), 1000U);
    std::filesystem::remove(file);
    options.output = "/nonexistent/picture.png";
    EXPECT_EQ(render_picture(options), 1);
}

}  // namespace
}  // namespace headcount
