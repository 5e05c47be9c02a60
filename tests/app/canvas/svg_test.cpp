// Claims about SVG documents: they are XML, they have what the drawing has and nothing beyond it, and text is text.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "core/base/markup.hpp"
#include "tests/app/canvas/canvas_stage.hpp"
#include "tests/app/canvas/svg_stage.hpp"

namespace headcount {
namespace {

using namespace svg_stage;
using testing::HasSubstr;
using testing::Not;

TEST(SvgText, NumbersAreShortAndTheSameEverywhere) {
    EXPECT_EQ(svg::number(3), "3");
    EXPECT_EQ(svg::number(0.5), "0.5");
    EXPECT_EQ(svg::number(-12.256), "-12.26");
    EXPECT_EQ(svg::number(1e7), "10000000");
    EXPECT_EQ(svg::number(-0.001), "0");
    EXPECT_EQ(svg::number(std::numeric_limits<double>::infinity()), "0");
}

TEST(SvgText, WhatXmlCannotHoldIsReplaced) {
    const std::string unknown = "\xEF\xBF\xBD";
    EXPECT_EQ(html_text("a<b & \"c\">"), "a&lt;b &amp; &quot;c&quot;&gt;");
    EXPECT_EQ(html_text("\xC3\x97\xE2\x80\xA6\xF0\x9F\x99\x82"), "\xC3\x97\xE2\x80\xA6\xF0\x9F\x99\x82");
    EXPECT_EQ(html_text(std::string_view("\0\x07\x1B", 3)), unknown + unknown + unknown);
    EXPECT_EQ(html_text("\xC3"), unknown) << "cut off";
    EXPECT_EQ(html_text("\xC0\xAF"), unknown + unknown) << "too long for what it is";
    EXPECT_EQ(html_text("\xED\xA0\x80"), unknown + unknown + unknown) << "half a pair";
    EXPECT_EQ(html_text("\xEF\xBF\xBE\xFFz"), unknown + unknown + "z");
}

TEST(SvgText, ColoursHaveTheirOpacity) {
    EXPECT_EQ(svg::paint("fill", 0xFF030201), " fill=\"#010203\"");
    EXPECT_EQ(svg::paint("stroke", 0x80FFFFFF), " stroke=\"#ffffff\" stroke-opacity=\"0.5\"");
    EXPECT_EQ(svg::paint("fill", 0x00FFFFFF), " fill=\"none\"");
}

TEST(Svg, OfNothingIsGroundWithATitle) {
    SvgLook look = plain_look();
    look.title = "R&D <7B>\x01";
    const Element root = parsed(svg_of(empty_drawing(), look));
    EXPECT_EQ(root.name, "svg");
    EXPECT_EQ(root.attributes.at("xmlns"), "http://www.w3.org/2000/svg");
    EXPECT_EQ(root.attributes.at("viewBox"), "0 0 200 100");
    EXPECT_EQ(root.children[0].name, "title");
    EXPECT_EQ(root.children[0].text, "R&D <7B>\xEF\xBF\xBD");
    EXPECT_EQ(root.children[1].text, "What it shows.");
    EXPECT_EQ(root.all("rect")[1]->attributes.at("fill"), "#0a0e14");
    EXPECT_TRUE(rects(root).empty());
}

TEST(Svg, ABoxHasItsEdgeInside) {
    const Element root = drawn(Box{
        .min_x = -40, .min_y = -30, .max_x = 10, .max_y = 0, .fill = red, .edge = green, .edge_width = 2, .radius = 4});
    ASSERT_EQ(rects(root).size(), 1U);
    const Element& rect = *rects(root)[0];
    EXPECT_EQ(rect.number("x"), 100 - 40 + 1);
    EXPECT_EQ(rect.number("y"), 50 - 30 + 1);
    EXPECT_EQ(rect.number("width"), 48);
    EXPECT_EQ(rect.number("height"), 28);
    EXPECT_EQ(rect.number("rx"), 3);
    EXPECT_EQ(rect.attributes.at("fill"), "#ff0000");
    EXPECT_EQ(rect.attributes.at("stroke"), "#00ff00");
    EXPECT_EQ(rect.number("stroke-width"), 2);
}

TEST(Svg, UnderAnEdgeThatShinesThroughIsTheWholeFill) {
    const Element root = drawn(Box{.max_x = 20, .max_y = 20, .fill = red, .edge = 0x8000FF00, .edge_width = 1});
    ASSERT_EQ(rects(root).size(), 2U);
    EXPECT_EQ(rects(root)[0]->number("width"), 20);
    EXPECT_EQ(rects(root)[1]->number("width"), 19);
    EXPECT_EQ(rects(root)[1]->attributes.at("fill"), "none");
}

TEST(Svg, ABoxThinnerThanItsEdgesIsAllEdge) {
    const Element root = drawn(Box{.max_x = 20, .max_y = 1.5F, .fill = red, .edge = green, .edge_width = 1});
    ASSERT_EQ(rects(root).size(), 1U);
    EXPECT_EQ(rects(root)[0]->attributes.at("fill"), "#00ff00");
    EXPECT_EQ(rects(root)[0]->number("height"), 1.5);
}

TEST(Svg, DashesEndInGapsBesideTheCorners) {
    const Element root = drawn(Box{.max_x = 60, .max_y = 32, .edge = green, .edge_width = 1, .dash = 4});
    int sides = 0;
    for (const Element* path : root.all("path")) {
        if (!path->attributes.contains("stroke-dasharray")) continue;
        ++sides;
        const double dash = path->number("stroke-dasharray");
        const double side = path->attributes.at("d").find('H') != std::string::npos ? 60 - 4 : 32 - 4;
        EXPECT_EQ(path->number("stroke-dashoffset"), dash) << "it begins with a gap";
        EXPECT_NEAR(std::remainder(side / dash - 1, 2), 0, 0.05) << "and ends with one";
    }
    EXPECT_EQ(sides, 2);
}

TEST(Svg, ATabIsAStripAlongTheLeftSide) {
    const Element root = drawn(Box{.max_x = 20, .max_y = 10, .tab = blue, .radius = 2, .tab_width = 3});
    ASSERT_EQ(root.all("path").size(), 1U);
    EXPECT_EQ(root.all("path")[0]->attributes.at("fill"), "#0000ff");
    EXPECT_EQ(root.all("path")[0]->attributes.at("d"), "M103 50V60H102A2 2 0 0 1 100 58V52A2 2 0 0 1 102 50Z");
}

TEST(Svg, StrokesThatGoOnAreOnePath) {
    Drawing drawing = empty_drawing();
    drawing.add(Line{.from_x = -50, .to_x = 0, .width = 1.25F, .colour = 0x80FFFFFF});
    drawing.add(Line{.to_x = 0, .to_y = 20, .width = 1.25F, .arrow = 4, .colour = 0x80FFFFFF});
    drawing.add(Line{.from_x = 5, .to_x = 9, .width = 2, .colour = red});
    const Element root = drawn(drawing);
    const std::vector<const Element*> paths = root.all("path");
    ASSERT_EQ(paths.size(), 3U);
    EXPECT_EQ(paths[0]->attributes.at("d"), "M50 50L100 50L100 67") << "it ends under the head";
    EXPECT_EQ(paths[1]->attributes.at("d"), "M100 70L97.8 66L102.2 66Z");
    EXPECT_FALSE(paths[0]->attributes.contains("opacity")) << "stroke and head shine through as one";
    EXPECT_EQ(paths[2]->attributes.at("d"), "M105 50L109 50");
    EXPECT_THAT(svg_of(drawing, plain_look()), HasSubstr("<g opacity=\"0.5\">"));
}

TEST(Svg, DrawsInTheOrderOfTheDrawing) {
    Drawing drawing = empty_drawing();
    drawing.labels.push_back(label("words"));
    drawing.add(Box{.max_x = 10, .max_y = 10, .fill = red});
    drawing.add(Line{.to_x = 9, .colour = green});
    drawing.add(Box{.max_x = 10, .max_y = 10, .fill = blue});
    const std::string svg = svg_of(drawing, plain_look());
    EXPECT_LT(svg.find("#ff0000"), svg.find("#00ff00"));
    EXPECT_LT(svg.find("#00ff00"), svg.find("#0000ff"));
    EXPECT_LT(svg.find("#0000ff"), svg.find("words"));
}

TEST(Svg, WhatLiesOutsideIsLeftOutAndTheRestIsClipped) {
    Drawing drawing = empty_drawing();
    drawing.add(Box{.min_x = 101, .max_x = 160, .max_y = 10, .fill = red});
    drawing.add(Box{.min_x = 90, .max_x = 160, .max_y = 10, .fill = blue});
    const Element root = drawn(drawing);
    ASSERT_EQ(rects(root).size(), 1U);
    const Element& clip = *root.all("clipPath")[0];
    EXPECT_EQ(clip.children[0].number("width"), 200);
    EXPECT_EQ(clip.children[0].number("height"), 100);
    EXPECT_EQ(root.all("g")[0]->attributes.at("clip-path"), "url(#" + clip.attributes.at("id") + ")");
}

TEST(Svg, TextIsText) {
    Drawing drawing = empty_drawing();
    drawing.labels = {label("4096 \xC3\x97 11008   <&>"), label("a_b", TextRole::caption)};
    const Element root = drawn(drawing);
    const Element& text = *root.all("text")[0];
    EXPECT_EQ(text.text, "4096 \xC3\x97 11008   <&>");
    EXPECT_EQ(text.number("x"), 10);
    EXPECT_EQ(text.number("y"), 18) << "the baseline";
    EXPECT_EQ(text.number("textLength"), 42.5);
    EXPECT_EQ(text.attributes.at("fill"), "#ff0000");
    EXPECT_EQ(text.attributes.at("data-id"), "logits");
    EXPECT_EQ(root.all("text")[1]->text, "a_b") << "only names have scripts";
}

TEST(Svg, NamesHaveSubAndSuperscripts) {
    Drawing drawing = empty_drawing();
    drawing.labels = {label("W_q = K^T", TextRole::name)};
    const Element root = drawn(drawing);
    EXPECT_EQ(root.all("text")[0]->text, "Wq = KT");
    const std::vector<const Element*> parts = root.all("tspan");
    ASSERT_EQ(parts.size(), 3U);
    EXPECT_EQ(parts[0]->number("dy"), 2);
    EXPECT_EQ(parts[0]->number("font-size"), 7.4);
    EXPECT_EQ(parts[1]->number("dy"), -2);
    EXPECT_FALSE(parts[1]->attributes.contains("font-size"));
    EXPECT_EQ(parts[2]->number("dy"), -3.4);
    for (const Element* group : root.all("g"))
        if (group->attributes.contains("font-family")) {
            EXPECT_EQ(group->number("font-weight"), 600);
            EXPECT_EQ(group->attributes.at("xml:space"), "preserve");
        }
}

// A whole model, in colours that only tell what is filled from what is not.
Drawing composed(const Model& model, Stage& stage) {
    Palette palette{};
    for (Palette::Hue& hue : palette.parts) hue = {red, blue, green, green};
    for (Palette::Hue& hue : palette.components) hue = {red, blue, green, green};
    palette.deck = palette.edge = palette.lit_edge = palette.activation_edge = palette.text_high = 0xFF808080;
    palette.cache_edge = palette.cache_text = palette.text_mid = palette.text_low = palette.strong_line = palette.line =
        0xFF404040;
    const Looks looks{.unit = stage.size.unit,
                      .glow = [](std::string_view) { return Glow::none; },
                      .text_width = [](std::string_view text, TextRole role) { return stage_width(text, role, 1); },
                      .token = {}};
    Drawing drawing;
    compose(stage.atlas, stage.seen(), {model.graph, model.numbers}, stage.lens(), palette, looks, drawing);
    return drawing;
}

TEST(Svg, HasEverySlabAndEveryLabelOfEveryPreset) {
    for (const Model& model : preset_models()) {
        Stage stage(model, canvas_sizes[1]);
        const Drawing drawing = composed(model, stage);
        const std::string svg = svg_of(drawing, plain_look());
        const Element root = parsed(svg);
        std::map<std::string, int> wanted, drawn_as;
        for (const Slab& slab : stage.atlas.pages[0].scene.slabs) ++wanted[slab.id];
        for (const Element* group : root.all("g"))
            if (group->attributes.contains("data-id")) ++drawn_as[group->attributes.at("data-id")];
        // Squares that do not fill their rectangle have no shape that is as large as it.
        for (const Slab& slab : stage.atlas.pages[0].scene.slabs)
            if (slab.grid_columns == 0) {
                EXPECT_EQ(drawn_as[slab.id], wanted[slab.id]) << model.name << " " << slab.id;
            }
        EXPECT_EQ(root.all("text").size(), drawing.labels.size()) << model.name;
        EXPECT_EQ(svg, svg_of(drawing, plain_look()));
        EXPECT_LT(svg.size(), 60'000U) << model.name;
    }
}

TEST(Svg, StaysSmallHoweverNearOneIs) {
    const Model model(preset("llama-3.1-405b"), {.tokens = 100'000});
    for (const char* id : {"layer.attention", "layer.attention.head", "layer.attention.query.weight", "logits"})
        for (const double nearer : {1.0, 30.0, 1000.0, 20000.0}) {
            Stage stage(model, canvas_sizes[1]);
            const std::optional<Stop> stop = find_place(stage.atlas, id);
            ASSERT_TRUE(stop) << id;
            stage.go(*stop);
            stage.camera.zoom *= nearer;
            const std::string svg = svg_of(composed(model, stage), plain_look());
            parsed(svg);
            EXPECT_LT(svg.size(), 150'000U) << id << " " << nearer;
        }
}

}  // namespace
}  // namespace headcount
