// Claims about pictures without a display.
#include <cstdlib>

#include "app/gl/pixels.hpp"
#include "app/shell/interface.hpp"
#include "app/shell/shell.hpp"
#include "app/shell/start.hpp"
#include "app/ui/imgui_compat.hpp"
#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

Session session_in(ThemeChoice theme) {
    Session session = start_session(test::all_presets(), document_of(*find_preset(test::all_presets(), "gpt2")));
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

TEST(Diagram, IsTheSameEachTimeAndAsLargeAsAsked) {
    const std::string first = *draw_diagram(session_in(ThemeChoice::dark), {800, 600});
    EXPECT_NE(first.find("viewBox=\"0 0 800 600\""), std::string::npos);
    EXPECT_NE(first.find("<title>GPT-2 small</title>"), std::string::npos);
    EXPECT_NE(first.find(">768 \xC3\x97 3072<"), std::string::npos);
    EXPECT_EQ(first, *draw_diagram(session_in(ThemeChoice::dark), {800, 600}));
    EXPECT_NE(first, *draw_diagram(session_in(ThemeChoice::light), {800, 600}));
}

TEST(Diagram, IsOfThePlaceThatIsAskedFor) {
    Session session = session_in(ThemeChoice::dark);
    session.look.asked_for = {"layer.attention.query.weight", 0, {{5, 17}}};
    session.look.askings = 1;
    const std::string svg = *draw_diagram(session, {1600, 1000});
    EXPECT_NE(svg.find(">[5, 17]<"), std::string::npos) << "the cell in the middle has its name";
}

TEST(Diagram, OfTheCanvasIsWhatTheCanvasShowsButFlat) {
    Session session = session_in(ThemeChoice::dark);
    session.view.reduced_motion = true;
    session.look.tilted = true;
    Interface interface;
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(1280, 720);
    io.DeltaTime = 1.0F / 60;
    interface.prepare(session.view, 1, io.DisplaySize);
    EXPECT_FALSE(interface.diagram(session)) << "nothing was drawn yet";
    compat::build_fonts();
    for (int frame = 0; frame < 3; ++frame) headcount::apply(session, interface.draw(session));
    const std::string svg = *interface.diagram(session);
    for (const char* text : {"data-id=\"layer.attention.query.weight\"", ">768 \xC3\x97 3072<", "data-id=\"layer\""})
        EXPECT_NE(svg.find(text), std::string::npos) << text;
}

TEST(Diagram, OfAViewThatShowsNoneOrTwoIsAnError) {
    for (const std::string_view workspace : {compare_view, costs_view, what_if_view, run_view}) {
        Session session = session_in(ThemeChoice::dark);
        headcount::apply(session, Intents{ShowWorkspace{workspace}});
        const Result<std::string> svg = draw_diagram(session, {800, 600});
        ASSERT_FALSE(svg) << workspace;
        EXPECT_NE(sentence(svg.error()).find("such as explore"), std::string::npos);
    }
    Session claims = session_in(ThemeChoice::dark);
    headcount::apply(claims, Intents{ShowWorkspace{claims_view}});
    const Result<std::string> svg = draw_diagram(claims, {800, 600});
    ASSERT_TRUE(svg);
    EXPECT_EQ(svg->find("<title>GPT-2 small</title>"), std::string::npos) << "it is of the claim's model";
}

TEST(Diagram, OfAQuestionThatItWouldAnswerIsAnError) {
    Session session = session_in(ThemeChoice::dark);
    headcount::apply(session, Intents{ShowWorkspace{worksheet_view}});
    ASSERT_FALSE(shows_diagram(session.desk));
    EXPECT_FALSE(draw_diagram(session, {800, 600}));
}

TEST(Diagram, ThatHasNoRoomIsAnErrorWithTheSizeThatItNeeds) {
    const Session session = session_in(ThemeChoice::dark);
    const Result<std::string> svg = draw_diagram(session, {300, 600});
    ASSERT_FALSE(svg);
    EXPECT_NE(sentence(svg.error()).find("312 \xC3\x97 192"), std::string::npos) << sentence(svg.error());
    EXPECT_TRUE(draw_diagram(session, {312, 192}));
}

TEST(Picture, IsWrittenAsAFile) {
    const auto file = std::filesystem::path(testing::TempDir()) / "headcount_picture_test.png";
    RenderOptions options;
    options.document = document_of(*find_preset(test::all_presets(), "gpt2"));
    options.size = {640, 480};
    options.output = file;
    EXPECT_EQ(render_picture(options), 0);
    EXPECT_GT(std::filesystem::file_size(file), 1000U);
    std::filesystem::remove(file);
    for (const PictureFormat format : {PictureFormat::png, PictureFormat::svg}) {
        options.format = format;
        options.output = "/nonexistent/picture";
        EXPECT_EQ(render_picture(options), 1);
    }
    options.view = costs_view;
    options.output = std::filesystem::path(testing::TempDir()) / "headcount_picture_test.svg";
    EXPECT_EQ(render_picture(options), 1);
    EXPECT_FALSE(std::filesystem::exists(options.output));
}

}  // namespace
}  // namespace headcount
