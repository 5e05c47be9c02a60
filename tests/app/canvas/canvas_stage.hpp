// Pages and cameras for the tests of the canvas, at several sizes.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/arrange/picking.hpp"
#include "app/canvas/draw/compose.hpp"
#include "tests/app/canvas/canvas_models.hpp"

namespace headcount {

// As wide as the program's own fonts are on average, in characters, however many bytes each takes.
inline float stage_width(std::string_view text, TextRole role, float unit) {
    const auto characters = static_cast<float>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
    return unit * characters * (role == TextRole::number ? 6.6F : 7.2F);
}

// The canvas: where it is, how large a design pixel is, and what sides are drawn by.
struct Size {
    Rect area;
    float unit = 1;
    bool log_sides = false;
};
inline constexpr Size canvas_sizes[] = {{{{16, 40}, {796, 560}}, 1},
                                        {{{16, 40}, {1116, 660}}, 1},
                                        {{{24, 60}, {1924, 1260}}, 1.5F},
                                        {{{16, 40}, {1116, 660}}, 1, true}};
inline constexpr Size small_canvas{{{16, 40}, {686, 426}}, 1};  // of a window of 1280x720

inline LayoutInput layout_input(const Model& model, const Size& size, const Model* base = nullptr,
                                std::string_view layer = main_layer) {
    const Model& other = base ? *base : model;
    return {.model = {model.graph, model.numbers},
            .base = {other.graph, other.numbers},
            .area = size.area,
            .unit = size.unit,
            .text_width = [unit = size.unit](std::string_view text,
                                             TextRole role) { return stage_width(text, role, unit); },
            .log_sides = size.log_sides,
            .layer = std::string(layer)};
}

inline bool holds(const Rect& outer, const Rect& inner, float slack = 0.5F) {
    return inner.min.x >= outer.min.x - slack && inner.max.x <= outer.max.x + slack &&
           inner.min.y >= outer.min.y - slack && inner.max.y <= outer.max.y + slack;
}

// How a camera looks at the pages.
enum class View { flat, tilted };
inline constexpr View views[] = {View::flat, View::tilted};

// All pages of a model, laid out, and a camera over them.
class Stage {
  public:
    Stage(const Model& model, const Size& size, const Model* base = nullptr, std::string_view layer = main_layer)
        : size(size), atlas(lay_out_atlas(layout_input(model, size, base, layer))), camera(home(atlas)) {}

    // The kind of layers that is shown, and its blocks: "layer_dense.attention".
    std::string in_layer(std::string_view rest) const { return atlas.layer + "." + std::string(rest); }

    Lens lens() const { return {camera, size.area}; }
    std::vector<SeenPage> seen() const { return seen_pages(atlas, lens()); }
    std::optional<Hit> hit(Point screen) const { return pick(atlas, lens(), seen(), screen); }
    std::vector<Stop> way() const { return way_here(atlas, lens(), seen()); }
    void go(const Stop& stop) { camera = camera_at(stop, atlas, lens(), size.unit); }
    // The whole model, as it is first seen tilted.
    void go_tilted() {
        camera.tilt = usual_tilt;
        camera.turn = usual_turn;
        go(*find_place(atlas, ""));
    }
    const Drawing& compose(const Model& model, std::optional<double> token = {}, NumberSource numbers = {});

    Size size;
    Atlas atlas;
    Camera camera;
    Drawing drawing;
};

inline std::string text_of(const Camera& camera) {
    return std::to_string(camera.x) + ", " + std::to_string(camera.y) + " zoom " + std::to_string(camera.zoom) +
           " tilt " + std::to_string(camera.tilt) + " turn " + std::to_string(camera.turn);
}
inline std::string text_of(const Size& size) {
    return " at " + std::to_string(static_cast<int>(size.area.width())) + (size.log_sides ? " by logarithm" : "");
}

struct Staged {
    const Model& model;
    Stage stage;
    std::string name;
};

// Every kind of layers of every model at every size: laid out once for all tests.
inline const std::vector<Staged>& all_stages() {
    static const std::vector<Model> models = all_models();
    static const std::vector<Staged> all = [] {
        std::vector<Staged> stages;
        for (const Model& model : models)
            for (const Size& size : canvas_sizes)
                for (const std::string& layer : model.layers())
                    stages.push_back(
                        {model, Stage(model, size, nullptr, layer), model.name + text_of(size) + ", " + layer});
        return stages;
    }();
    return all;
}

// Colours that are told apart by their lowest byte.
inline constexpr Rgba stage_selection = 0xFF0000EEU;
inline Palette stage_palette() {
    constexpr Palette::Hue hue{0xFF000001U, 0xFF000002U, 0xFF000003U, 0xFF000004U};
    Palette palette{.ground = 0xFF000010U,
                    .deck = 0xFF000011U,
                    .raised = 0xFF000012U,
                    .line = 0xFF000013U,
                    .strong_line = 0xFF000014U,
                    .text_high = 0xFF000015U,
                    .text_mid = 0xFF000016U,
                    .text_low = 0xFF000017U,
                    .edge = 0xFF000018U,
                    .lit_edge = 0xFF000019U,
                    .selection = stage_selection,
                    .activation_edge = 0xFF00001AU,
                    .cache_edge = 0xFF00001BU,
                    .cache_fill = 0xFF00001CU,
                    .cache_text = 0xFF00001DU,
                    .parts = {},
                    .components = {},
                    .sides = {}};
    palette.parts.fill(hue);
    palette.components.fill(hue);
    palette.sides.fill(0xFF000020U);
    return palette;
}

// The matrix of this tensor that stands for itself; null where there is none.
inline const Slab* single_slab(const Scene& scene, std::string_view id) {
    const auto found = std::find_if(scene.slabs.begin(), scene.slabs.end(),
                                    [&](const Slab& slab) { return slab.id == id && slab.grid_columns == 0; });
    return found == scene.slabs.end() ? nullptr : &*found;
}

// By more than `allowed`, in pixels.
inline bool overlap_by(const Rect& a, const Rect& b, float allowed) {
    return a.max.x > b.min.x + allowed && b.max.x > a.min.x + allowed && a.max.y > b.min.y + allowed &&
           b.max.y > a.min.y + allowed;
}

inline const Drawing& Stage::compose(const Model& model, std::optional<double> token, NumberSource numbers) {
    const auto width = [unit = size.unit](std::string_view text, TextRole role) {
        return stage_width(text, role, unit);
    };
    const Looks looks{.unit = size.unit,
                      .glow = [](std::string_view) { return Glow::none; },
                      .text_width = width,
                      .token = token,
                      .numbers = std::move(numbers)};
    headcount::compose(atlas, seen(), {model.graph, model.numbers}, lens(), stage_palette(), looks, drawing);
    return drawing;
}

}  // namespace headcount
