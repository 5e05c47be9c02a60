// Claims about pictures without a display.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "app/gl/pixels.hpp"
#include "app/shell/interface.hpp"
#include "app/shell/shell.hpp"
#include "app/shell/start.hpp"
#include "app/ui/measured_fonts.hpp"
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

// A pixel of the picture, its four parts as one number.
std::uint32_t pixel(const Pixels& pixels, int x, int y) {
    const std::size_t at =
        4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(pixels.width) + static_cast<std::size_t>(x));
    std::uint32_t all = 0;
    for (std::size_t part = 0; part < 4; ++part) all = all << 8 | pixels.rgba[at + part];
    return all;
}

TEST(Picture, HasTheDiagramOfTheWholeModelAndOfEveryPlace) {
    for (const char* const place : {"", "layer", "layer.attention", "layer.feed_forward"}) {
        Session session = session_in(ThemeChoice::dark);
        if (*place) go_to(session.look, {place, 0, {}});
        const auto picture = draw_picture(std::move(session), {1280, 720});
        ASSERT_TRUE(picture);
        int coloured = 0;  // of the canvas, which has no words of that many colours
        for (int y = 80; y < 480; ++y)
            for (int x = 280; x < 920; ++x) {
                const std::uint32_t rgba = pixel(*picture, x, y);
                const auto [least, most] = std::minmax({rgba >> 24, rgba >> 16 & 255, rgba >> 8 & 255});
                coloured += most - least > 60;
            }
        EXPECT_GT(coloured, 2000) << place;
    }
}

TEST(Picture, AFinerOneHasTheSameThingsAtTheSamePlacesAndMoreOfThem) {
    const auto plain = draw_picture(session_in(ThemeChoice::dark), {640, 480});
    const auto fine = draw_picture(session_in(ThemeChoice::dark), {640, 480}, {.pixels = 2});
    ASSERT_TRUE(plain && fine);
    ASSERT_EQ(fine->width, 1280);
    ASSERT_EQ(fine->height, 960);
    int alike = 0, anew = 0;
    for (int y = 0; y < 480; ++y)
        for (int x = 0; x < 640; ++x) {
            const std::array four{pixel(*fine, 2 * x, 2 * y), pixel(*fine, 2 * x + 1, 2 * y),
                                  pixel(*fine, 2 * x, 2 * y + 1), pixel(*fine, 2 * x + 1, 2 * y + 1)};
            alike += std::ranges::count(four, pixel(*plain, x, y)) == 4;
            anew += four[0] != four[1] || four[0] != four[2];
        }
    EXPECT_GT(alike, 640 * 480 * 3 / 4) << "what is plain stays where it is";
    EXPECT_GT(anew, 640 * 480 / 100) << "letters and edges are drawn anew";
}

TEST(Picture, TheDiagramAloneIsCutToItsPlaceAndMayHaveNoGround) {
    const auto attention = [] {
        Session session = session_in(ThemeChoice::light);
        go_to(session.look, {"layer.attention", 0, {}});
        return session;
    };
    const PictureSize size{900, 600};
    const auto whole = draw_picture(attention(), size, {.of = Slide::Of::diagram});
    const auto cut = draw_picture(attention(), size, {.of = Slide::Of::diagram, .ground = false, .crop = true});
    ASSERT_TRUE(whole && cut);
    EXPECT_EQ(whole->width, 900);
    EXPECT_EQ(whole->height, 600);
    EXPECT_LT(cut->width * cut->height, 900 * 600);
    EXPECT_EQ(cut->rgba[3], 0) << "nothing is in the corner";
    int solid = 0;
    for (std::size_t i = 3; i < cut->rgba.size(); i += 4) solid += cut->rgba[i] == 255;
    EXPECT_GT(solid, cut->width * cut->height / 50);
    const std::string svg = *draw_diagram(attention(), size, {.of = Slide::Of::diagram, .crop = true});
    const std::string box = "viewBox=\"0 0 " + std::to_string(cut->width) + " " + std::to_string(cut->height) + "\"";
    EXPECT_NE(svg.find(box), std::string::npos) << "the same part of it: " << box;
}

TEST(Picture, OfAChartThatIsNotThereIsAnError) {
    const auto chart = draw_picture(session_in(ThemeChoice::dark), {640, 480}, {.of = Slide::Of::chart, .chart = 1});
    ASSERT_FALSE(chart);
    EXPECT_NE(sentence(chart.error()).find("no longer on the screen"), std::string::npos);
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
    measure_fonts(*ImGui::GetIO().Fonts);
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

TEST(Picture, OfALinksTourIsInTheViewOfItsStep) {
    const auto drawn = [](int step) {
        const std::string link = "#v=1&m=llama-2-7b&tour=4-from-llama-2-to-llama-3&step=" + std::to_string(step);
        RenderOptions options;
        options.link = *read_link(link, test::all_presets());
        options.document = options.link->state.document;
        options.view.clear();
        options.format = PictureFormat::svg;
        options.size = {800, 600};
        options.output = std::filesystem::path(testing::TempDir()) / "headcount_tour_test.svg";
        const bool there = render_picture(options) == 0;
        std::filesystem::remove(options.output);
        return there;
    };
    EXPECT_TRUE(drawn(1)) << "in Explore";
    EXPECT_FALSE(drawn(3)) << "two models have no diagram of one";
}

}  // namespace
}  // namespace headcount
