// Whatever the canvas's size is, no number that comes out of it is infinite or none.
#include <gtest/gtest.h>

#include "app/canvas/svg/svg.hpp"
#include "tests/app/canvas/pair_stage.hpp"

namespace headcount {
namespace {

// From none to the largest screens, and ratios that no screen has. The last ones have larger words.
constexpr Size any_sizes[] = {{{{0, 0}, {1, 1}}},           {{{16, 40}, {17, 42}}},     {{{16, 40}, {119, 104}}},
                              {{{16, 40}, {80, 104}}},      {{{16, 40}, {56, 1600}}},   {{{16, 40}, {2000, 44}}},
                              {{{16, 40}, {336, 232}}},     {{{16, 40}, {216, 640}}},   {{{16, 40}, {576, 446}}},
                              {{{16, 40}, {3840, 300}}},    {{{16, 40}, {3856, 2200}}}, {{{16, 40}, {216, 240}}, 2},
                              {{{16, 40}, {3856, 2200}}, 4}};

bool finite(Point point) { return std::isfinite(point.x) && std::isfinite(point.y); }
bool finite(const Rect& rect) { return finite(rect.min) && finite(rect.max); }
bool finite(const WorldPoint& point) { return std::isfinite(point.x) && std::isfinite(point.y); }
bool finite(const WorldRect& rect) { return finite(rect.min) && finite(rect.max); }
bool finite(const Camera& camera) {
    return finite(WorldPoint{camera.x, camera.y}) && std::isfinite(camera.zoom) && camera.zoom > 0 &&
           std::isfinite(camera.tilt) && std::isfinite(camera.turn);
}
template <class Things, class Is>
bool all(const Things& things, Is is) {
    return std::all_of(std::begin(things), std::end(things), is);
}
const auto is_number = [](auto number) { return std::isfinite(number); };

bool finite(const Scene& scene) {
    return std::isfinite(scene.model_scale) && std::isfinite(scene.layer_scale) &&
           all(scene.doors,
               [](const Door& door) {
                   return door.rect.width() > 0 && door.rect.height() > 0 && finite(door.rect) && finite(door.entry) &&
                          all(door.exit, [](Point p) { return finite(p); });
               }) &&
           all(scene.frames, [](const Frame& frame) { return finite(frame.rect); }) &&
           all(scene.slabs, [](const Slab& slab) { return finite(slab.rect); }) &&
           all(scene.marks, [](const FlowMark& mark) { return finite(mark.centre); }) &&
           all(scene.labels, [](const Label& label) { return finite(label.at) && finite(label.pivot); }) &&
           all(scene.wires, [](const Wire& wire) { return all(wire.points, [](Point p) { return finite(p); }); });
}

bool finite(const Atlas& atlas) {
    return finite(atlas.area) && std::isfinite(atlas.layer_zoom) && all(atlas.pages, [](const Page& page) {
               const Placement& at = page.placement;
               return finite(page.bounds) && page.filling > 0 && std::isfinite(page.filling) && std::isfinite(at.x) &&
                      std::isfinite(at.y) && std::isfinite(at.scale) && at.scale > 0 && finite(page.scene);
           });
}

bool finite(const Drawing& drawing) {
    return finite(drawing.area) && all(drawing.view_projection, is_number) &&
           all(drawing.boxes,
               [](const Box& box) {
                   return all(std::array{box.min_x, box.min_y, box.max_x, box.max_y, box.bottom, box.top,
                                         box.edge_width, box.radius, box.tab_width, box.dash, box.column_fraction,
                                         box.row_fraction, box.columns_a_pixel, box.rows_a_pixel},
                              is_number);
               }) &&
           all(drawing.lines,
               [](const Line& line) {
                   return all(std::array{line.from_x, line.from_y, line.to_x, line.to_y, line.width, line.arrow},
                              is_number);
               }) &&
           all(drawing.labels,
               [](const PlacedLabel& label) {
                   return finite(label.at) && std::isfinite(label.width) && std::isfinite(label.height);
               }) &&
           all(drawing.regions, [](const Region& region) { return finite(region.rect); }) &&
           all(drawing.lit, [](const Lit& lit) { return finite(lit.rect); });
}

// Goes to a place and looks, from above and tilted.
template <class Seen>
void look_at(Stage& stage, const Model& model, const Stop& stop, Seen check) {
    for (const View view : views) {
        stage.camera = home(stage.atlas);
        if (view == View::tilted) stage.camera = {stage.camera.x, stage.camera.y, stage.camera.zoom, 0.6, 0.2};
        stage.go(stop);
        check(stage, stage.compose(model), view == View::tilted ? ", tilted" : "");
    }
}

std::vector<Stop> some_places(const Stage& stage, const Model& model) {
    const std::int64_t last = model.number(Symbol::heads) - 1;
    std::vector<std::optional<Stop>> found{
        find_place(stage.atlas, ""),
        find_place(stage.atlas, stage.atlas.layer),
        find_place(stage.atlas, stage.in_layer("attention")),
        find_place(stage.atlas, stage.in_layer("feed_forward")),
        find_place(stage.atlas, stage.in_layer("attention.head")),
        find_place(stage.atlas, stage.in_layer("attention.head"), last),
        find_place(stage.atlas, stage.in_layer("feed_forward.expert")),
        find_place(stage.atlas, "embedding.weight"),
        find_place(stage.atlas, stage.in_layer("attention.head.scores"), last),
        find_cell(stage.atlas, stage.in_layer("attention.output.weight"), 0, {0, 0})};
    std::vector<Stop> places;
    for (const std::optional<Stop>& place : found)
        if (place) places.push_back(*place);
    return places;
}

std::string sides_of(const Size& size) {
    return " at " + std::to_string(static_cast<int>(size.area.width())) + "x" +
           std::to_string(static_cast<int>(size.area.height())) + (size.log_sides ? " by logarithm" : "");
}

// Of these sizes a third, another one for the next model: every size meets a third of the models.
std::vector<Size> some_sizes(std::size_t model) {
    std::vector<Size> some;
    for (std::size_t i = model % 3; i < std::size(any_sizes); i += 3) some.push_back(any_sizes[i]);
    return some;
}

TEST(Sizes, EveryCoordinateIsFiniteAtEverySizeAndPlace) {
    std::size_t models = 0;
    for (const Preset& preset : telling_presets()) {
        const Model model(preset.architecture, Input{}, preset.id);
        for (const Size& size : some_sizes(models++)) {
            Stage stage(model, size);
            const std::string name = model.name + sides_of(size);
            ASSERT_TRUE(finite(stage.atlas)) << name;
            for (const Stop& stop : some_places(stage, model))
                look_at(stage, model, stop, [&](const Stage& at, const Drawing& drawing, const char* how) {
                    const std::string where = name + how + " '" + stop.id + "'";
                    ASSERT_TRUE(finite(stop.rect) && finite(at.camera)) << where << ": " << text_of(at.camera);
                    ASSERT_TRUE(finite(drawing)) << where;
                    const Rect& area = size.area;
                    for (const Point point : {area.min, area.centre(), area.max})
                        for (const Stop& under : places_under(at.atlas, at.lens(), at.seen(), point))
                            ASSERT_TRUE(finite(under.rect)) << where;
                });
        }
    }
}

TEST(Sizes, WhateverTheModelAndTheSidesAre) {
    std::size_t models = 0;
    for (const Model& model : all_models())
        for (Size size : some_sizes(models++))
            for (const bool log_sides : {false, true}) {
                size.log_sides = log_sides;
                Stage stage(model, size);
                const std::string name = model.name + sides_of(size);
                ASSERT_TRUE(finite(stage.atlas)) << name;
                ASSERT_TRUE(finite(stage.compose(model))) << name;
            }
}

TEST(Sizes, TheCameraStaysFiniteFromEverySizeToEveryOther) {
    const Model model(preset("gpt2"), {}, "gpt2");
    for (const Size& from : any_sizes)
        for (const Size& to : any_sizes) {
            Stage before(model, from);
            const Stage after(model, to);
            for (const Stop& stop : some_places(before, model)) {
                before.go(stop);
                const Camera carried = carried_over(before.camera, before.atlas, after.atlas);
                EXPECT_TRUE(finite(carried)) << sides_of(from) << " to" << sides_of(to) << " '" << stop.id << "'";
                EXPECT_TRUE(finite(between(before.camera, carried, 0.5)));
            }
        }
}

TEST(Sizes, TwoBesideEachOtherAreFiniteToo) {
    const Model gpt(preset("gpt2"), {}, "gpt2"), mixture(preset("mixtral-8x7b"), {}, "mixtral-8x7b"),
        latent(preset("deepseek-v3"), {}, "deepseek-v3");
    for (const auto& [a, b] : {std::pair(&gpt, &mixture), {&mixture, &latent}, {&latent, &gpt}})
        for (const Size& size : any_sizes) {
            const PairStage pair(*a, *b, size);
            EXPECT_TRUE(finite(pair.a) && finite(pair.b)) << a->name << ", " << b->name << sides_of(size);
            const Camera there = same_place(home(pair.a), pair.a, pair.b);
            EXPECT_TRUE(finite(there)) << a->name << ", " << b->name << sides_of(size);
        }
}

}  // namespace
}  // namespace headcount
