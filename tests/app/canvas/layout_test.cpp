// The picture of a model as data: to scale, complete, inside its frames, legible.
#include "app/canvas/arrange/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/arch/fields.hpp"
#include "core/files/config.hpp"
#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount {
namespace {

constexpr Rect window_sized{{16, 40}, {922, 640}}, smaller{{16, 40}, {688, 430}}, larger{{16, 40}, {1500, 980}};

Scene scene_in(const Rect& area, const Model& model, const Model* base = nullptr) {
    return layout_model(layout_input(model, {area}, base));
}

const Slab& slab(const Scene& scene, std::string_view id) {
    return *std::find_if(scene.slabs.begin(), scene.slabs.end(), [&](const Slab& each) { return each.id == id; });
}

std::int64_t size_of(const Model& model, const Expr& expr) { return *evaluate(expr, model.numbers); }

// What a label's letters cover.
Rect box_of(const Label& label) {
    const float width = stage_width(label.text, label.role, 1);
    const float left = label.at.x - (label.anchor == Anchor::left     ? 0
                                     : label.anchor == Anchor::centre ? width / 2
                                                                      : width);
    return {{left, label.at.y + 2}, {left + width, label.at.y + 13}};
}

// What reads pictures or sound is drawn whole, or where it is wider than the room left of the layer a name and a count.
void expect_sense(const Model& model, const Scene& scene, Component component, std::map<std::string, int>& drawn) {
    std::set<int> times;
    for (const Tensor& tensor : model.graph.tensors)
        if (tensor.role == Role::parameter && tensor.component == component) times.insert(drawn[tensor.id]);
    if (times.empty()) return;
    EXPECT_EQ(times.size(), 1U) << model.name << " draws some of " << component_name(component);
    EXPECT_LE(*times.begin(), 1) << model.name;
    EXPECT_TRUE(std::ranges::any_of(scene.labels, [&](const Label& label) {
        return label.text == component_name(component);
    })) << model.name;
}

TEST(Layout, DrawsEveryWeightMatrixOfEveryPresetExactlyOnce) {
    int senses_drawn = 0;
    for (const Preset& preset : all_presets()) {
        Model model(preset.architecture);
        std::map<std::string, int> drawn;
        std::set<std::string> layers;  // of two stacks both have room
        const Scene scene = scene_in(window_sized, model);
        for (const Slab& each : scene.slabs)
            if (each.look == SlabLook::parameter) ++drawn[each.id];
        for (const Frame& each : scene.frames)
            if (each.kind == FrameKind::layer) layers.insert(each.id);
        EXPECT_TRUE(layers.contains(model.graph.blocks[model.graph.main_layer().block].id)) << preset.id;
        for (const Tensor& tensor : model.graph.tensors) {
            if (tensor.role != Role::parameter) continue;
            senses_drawn += is_sense(tensor.component) ? drawn[tensor.id] : 0;
            if (is_sense(tensor.component)) continue;
            const std::optional<std::size_t> layer = model.graph.layer_of(tensor.block);
            bool shown = !layer || layers.contains(model.layers()[*layer]);
            // What layers share is drawn with those of them that are.
            if (tensor.shared_in)
                shown = std::ranges::any_of(layers, [&](const std::string& each) {
                    return layers.contains(model.layers()[*model.graph.layer_of(model.used_by(tensor, each))]);
                });
            // A sub-block without a diagram has those that its name leaves room for, and each name once.
            if (by_name_alone(scene, model.graph, tensor.block)) {
                EXPECT_LE(drawn[tensor.id], shown ? 1 : 0) << preset.id << " " << tensor.id;
                continue;
            }
            EXPECT_EQ(drawn[tensor.id], shown ? 1 : 0) << preset.id << " " << tensor.id;
        }
        for (const Component component : components)
            if (is_sense(component)) expect_sense(model, scene, component, drawn);
    }
    EXPECT_GT(senses_drawn, 50);
}

TEST(Layout, OutlinesAsCachedWhatTheCacheKeeps) {
    for (const Preset& preset : all_presets()) {
        Model model(preset.architecture);
        int cached = 0;
        const Scene scene = scene_in(window_sized, model);
        for (const Slab& each : scene.slabs) {
            const Tensor* tensor = model.graph.find(each.id);
            if (!tensor || each.look == SlabLook::parameter || each.look == SlabLook::hollow) continue;
            EXPECT_EQ(each.look == SlabLook::cached, kept_in_cache(*tensor)) << preset.id << " " << each.id;
            cached += each.look == SlabLook::cached ? 1 : 0;
        }
        // Keys and values, or the bottleneck and the shared key, of cross-attention too; keys that are chosen by; of a
        // recurrence what its heads keep; of an encoder nothing.
        const BlockIndex layer = model.graph.main_layer().block;
        int kept = model.block_of(BlockKind::cross).empty() ? 0 : 2;
        bool keys = false, states = false, chosen_by = false;
        for (const Tensor& tensor : model.graph.tensors) {
            if (!model.graph.inside(tensor.block, layer) || by_name_alone(scene, model.graph, tensor.block)) continue;
            keys = keys || tensor.role == Role::cache;
            chosen_by = chosen_by || (tensor.role == Role::cache && tensor.part == Part::index_key);
            states = states || (tensor.role == Role::state && model.graph.is(tensor.block, BlockKind::head));
        }
        kept += (keys ? 2 : 0) + (chosen_by ? 1 : 0) + (states ? 1 : 0);
        EXPECT_EQ(cached, model.is_encoder() ? 0 : kept) << preset.id;
    }
}

TEST(Layout, KeepsOneScaleForAllSidesInsideALayerAndOneOutside) {
    for (const Preset& preset : all_presets()) {
        Model model(preset.architecture);
        Scene scene = scene_in(window_sized, model);
        for (const Slab& each : scene.slabs) {
            const Tensor* tensor = model.graph.find(each.id);
            if (!tensor || each.look != SlabLook::parameter || tensor->shape.rank() != 2) continue;
            const bool inside = model.layer_of(*tensor).has_value();
            double scale = static_cast<double>(inside ? scene.layer_scale : scene.model_scale);
            double height = static_cast<double>(size_of(model, tensor->shape[0])) * scale;
            double width = static_cast<double>(size_of(model, tensor->shape[1])) * scale;
            EXPECT_NEAR(each.rect.height(), std::max(height, 6.0), 0.01) << preset.id << " " << each.id;
            EXPECT_NEAR(each.rect.width(), std::max(width, 6.0), 0.01) << preset.id << " " << each.id;
            EXPECT_EQ(each.thickened, std::min(width, height) < 6.0) << preset.id << " " << each.id;
        }
    }
}

TEST(Layout, SaysThatALayerIsDrawnLargerBeforeItAddsItUp) {
    for (const char* id : {"llama-2-7b", "llama-3-8b", "gpt2"})
        for (const Rect& area : {smaller, window_sized, larger}) {
            const Scene scene = scene_in(area, Model(preset(id)));
            if (scene.layer_scale <= scene.model_scale) continue;
            EXPECT_TRUE(std::any_of(scene.labels.begin(), scene.labels.end(),
                                    [](const Label& label) {
                                        return label.text.find("drawn ") != std::string::npos &&
                                               label.text.ends_with("larger");
                                    }))
                << id << " in " << area.width();
        }
}

void expect_matrices_in_frames(const Architecture& arch, const std::string& name) {
    for (Rect area : {smaller, window_sized, larger}) {
        const Model model(arch);
        Scene scene = scene_in(area, model);
        for (const Frame& frame : scene.frames) {
            if (frame.kind != FrameKind::component) continue;
            const auto door = std::find_if(scene.doors.begin(), scene.doors.end(),
                                           [&](const Door& each) { return each.rect == frame.rect; });
            ASSERT_NE(door, scene.doors.end()) << name << " " << frame.id;
            const std::string prefix = door->block + ".";
            for (const Slab& each : scene.slabs) {
                if (!each.id.starts_with(prefix) || each.id.find("output") != std::string::npos ||
                    each.look != SlabLook::parameter)
                    continue;
                EXPECT_GE(each.rect.min.x, frame.rect.min.x) << name << " " << each.id;
                EXPECT_LE(each.rect.max.x, frame.rect.max.x) << name << " " << each.id;
                EXPECT_GE(each.rect.min.y, frame.rect.min.y) << name << " " << each.id;
                EXPECT_LE(each.rect.max.y, frame.rect.max.y) << name << " " << each.id;
            }
        }
    }
}

TEST(Layout, KeepsMatricesOfASubBlockInsideItsFrame) {
    for (const Preset& preset : all_presets()) expect_matrices_in_frames(preset.architecture, preset.id);
}

// Moonshine's decoder has no feed-forward whose operations are known.
TEST(Layout, OfAFeedForwardInOneStackAloneKeepsMatricesInsideItsFrame) {
    expect_matrices_in_frames(*read_config({{"model_type", "moonshine"}}, ""), "moonshine");
}

TEST(Layout, KeepsTheWordsOfHeadsInsideTheirCard) {
    int named = 0;
    for (const Preset& preset : all_presets())
        for (const Rect& area : {smaller, window_sized, larger}) {
            const Scene scene = scene_in(area, Model(preset.architecture));
            for (const Frame& frame : scene.frames)
                for (const Slab& each : scene.slabs) {
                    if (frame.kind != FrameKind::component || each.grid_columns == 0 || !holds(frame.rect, each.rect))
                        continue;
                    for (const Label& label : scene.labels) {
                        if (label.id != each.id || label.role != TextRole::name) continue;
                        EXPECT_TRUE(holds(frame.rect, box_of(label))) << preset.id << " " << label.text;
                        ++named;
                    }
                }
        }
    EXPECT_GT(named, 300);
}

TEST(Layout, LetsNoTwoMatricesOverlap) {
    for (const Preset& preset : all_presets())
        for (Rect area : {smaller, window_sized, larger}) {
            Scene scene = scene_in(area, Model(preset.architecture));
            for (std::size_t i = 0; i < scene.slabs.size(); ++i)
                for (std::size_t j = i + 1; j < scene.slabs.size(); ++j) {
                    EXPECT_FALSE(overlap_by(scene.slabs[i].rect, scene.slabs[j].rect, 0.01F))
                        << preset.id << " " << scene.slabs[i].id << " and " << scene.slabs[j].id << ", area "
                        << area.width();
                }
        }
}

TEST(Layout, LetsNoTwoLabelsOverlap) {
    for (const Preset& preset : all_presets())
        for (Rect area : {smaller, window_sized, larger}) {
            Scene scene = scene_in(area, Model(preset.architecture));
            for (std::size_t i = 0; i < scene.labels.size(); ++i)
                for (std::size_t j = i + 1; j < scene.labels.size(); ++j) {
                    if (scene.labels[i].crowded || scene.labels[j].crowded) continue;  // they are put elsewhere
                    const bool touching = overlap_by(box_of(scene.labels[i]), box_of(scene.labels[j]), 0);
                    EXPECT_FALSE(touching)
                        << preset.id << " " << scene.labels[i].text << " and " << scene.labels[j].text;
                }
        }
}

// Between a matrix and what stands above it.
float room_above(const Scene& scene, std::string_view id) {
    const Rect matrix = slab(scene, id).rect;
    float room = matrix.min.y;
    for (const Slab& each : scene.slabs) {
        const bool over = each.rect.min.x < matrix.max.x && each.rect.max.x > matrix.min.x;
        if (over && each.rect.max.y <= matrix.min.y) room = std::min(room, matrix.min.y - each.rect.max.y);
    }
    return room;
}

TEST(Layout, WritesTheNamesOfQueriesKeysAndValuesWeightsBeforeWhatTheyMakeOrAboveThemselves) {
    constexpr Rect beside_claims{{16, 40}, {551, 614}};
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> lanes{
        {{"layer.attention.query.weight", "layer.attention.queries"},
         {"layer.attention.key.weight", "layer.attention.keys"},
         {"layer.attention.value.weight", "layer.attention.values"}}};
    constexpr float line = 20;  // of words above a matrix; a name that has neither room is on the sub-block's own page
    std::size_t before = 0, above = 0;
    for (const Preset& preset : all_presets()) {
        const Model model(preset.architecture);
        if (!model.graph.find(lanes[1].first)) continue;
        const Result<Architecture> fewer = with_field(preset.architecture, "kv_heads", "1");
        ASSERT_TRUE(fewer) << preset.id;
        const Model edited(*fewer);
        for (const Rect& area : {smaller, window_sized, larger, beside_claims})
            for (const Model* shown : {&model, &edited}) {
                // More than two sub-blocks above each other are too low there: their names are on their own pages.
                const BlockIndex layer = shown->graph.main_layer().block;
                const auto parts = std::ranges::count(shown->graph.blocks, layer, &Block::parent);
                if (parts > 2 && area.width() == beside_claims.width()) continue;
                const Scene scene = scene_in(area, *shown, &model);
                for (const auto& [of_weight, of_made] : lanes) {
                    const std::string& weight = shown->graph.find(of_weight)->id;
                    const std::string& made = shown->graph.find(of_made)->id;
                    const auto label = std::find_if(scene.labels.begin(), scene.labels.end(), [&](const Label& each) {
                        return each.id == weight && each.role == TextRole::name && !each.crowded;
                    });
                    if (label == scene.labels.end()) {
                        EXPECT_LT(room_above(scene, weight), line) << preset.id << " " << weight << " " << area.width();
                        continue;
                    }
                    if (by_name_alone(scene, shown->graph, shown->graph.find(weight)->block)) continue;
                    const Rect name = box_of(*label), matrix = slab(scene, weight).rect;
                    const Rect result = slab(scene, made).rect;
                    const bool hangs = result.min.y >= matrix.max.y;  // what it makes is below it
                    if (name.max.x <= result.min.x || (hangs && name.min.x >= matrix.max.x)) {
                        ++before;
                    } else {
                        ++above;
                        EXPECT_NEAR(name.min.x, matrix.min.x, 10) << preset.id << " " << weight;
                        EXPECT_LE(name.max.y, matrix.min.y) << preset.id << " " << weight;
                    }
                }
            }
    }
    EXPECT_GT(before, 100U);
    EXPECT_GT(above, 50U);
}

TEST(Layout, NamesOnlyWhatTheGraphHas) {
    const std::set<std::string> frames{"component.attention", "component.recurrence", "component.feed_forward",
                                       "layer.feed_forward.expert"};
    for (const Preset& preset : all_presets()) {
        Model model(preset.architecture);
        Scene scene = scene_in(window_sized, model);
        for (const Wire& wire : scene.wires)
            EXPECT_NE(model.graph.find(wire.tensor), nullptr) << preset.id << " " << wire.tensor;
        for (const FlowMark& mark : scene.marks)
            EXPECT_NE(model.graph.find(mark.id), nullptr) << preset.id << " " << mark.id;
        for (const Frame& frame : scene.frames) {
            const bool layer = frame.kind == FrameKind::choice || frame.kind == FrameKind::layer;
            const bool kind = layer && model.graph.find_block(frame.id);
            EXPECT_TRUE(kind || frames.count(frame.id)) << frame.id;
        }
    }
}

TEST(Layout, DrawsEveryNormWhereverItStandsAndWhateverItTrains) {
    Architecture arch = preset("llama-2-7b");
    for (NormPlacement placement :
         {NormPlacement::before, NormPlacement::after, NormPlacement::both, NormPlacement::after_sum})
        for (bool scale : {true, false})
            for (bool bias : {true, false}) {
                arch.norm.placement = placement;
                arch.norm.scale = scale;
                arch.norm.bias = bias;
                Model model(arch);
                std::set<std::string> drawn;
                for (const Slab& each : scene_in(window_sized, model).slabs) drawn.insert(each.id);
                for (const Node& node : model.graph.nodes) {
                    if (node.op != Op::norm) continue;
                    const std::string& id = model.graph.tensors[node.output].id;
                    EXPECT_TRUE(scale || bias || drawn.contains(id)) << id;
                    for (TensorIndex parameter : node.parameters)
                        EXPECT_TRUE(drawn.contains(model.graph.tensors[parameter].id)) << id;
                }
            }
}

TEST(Layout, RemembersThePresetsSizeOnlyWhereItDiffers) {
    Architecture before = preset("llama-2-7b");
    Architecture after = *with_field(before, Field::kv_heads, "8");
    Model base(before), edited(after);
    Scene scene = scene_in(window_sized, edited, &base);
    ASSERT_TRUE(slab(scene, "layer.attention.key.weight").base);
    EXPECT_NEAR(slab(scene, "layer.attention.key.weight").base->width(),
                4 * slab(scene, "layer.attention.key.weight").rect.width(), 0.5F);
    EXPECT_FALSE(slab(scene, "layer.attention.query.weight").base);
    for (const Slab& each : scene_in(window_sized, base).slabs) EXPECT_FALSE(each.base) << each.id;
}

TEST(Layout, DrawsATiedHeadAsAGhostOfTheEmbedding) {
    Scene scene = scene_in(window_sized, Model(preset("gpt2")));
    auto ghosts = std::count_if(scene.slabs.begin(), scene.slabs.end(),
                                [](const Slab& each) { return each.look == SlabLook::ghost; });
    EXPECT_EQ(ghosts, 1);
    EXPECT_EQ(std::count_if(scene.slabs.begin(), scene.slabs.end(),
                            [](const Slab& each) { return each.id == "output_head.weight"; }),
              0);
}

TEST(Layout, CutsActivationsThatAreTallerThanTheirRoomAndSaysSo) {
    const Architecture& llama = preset("llama-2-7b");
    for (const Slab& each : scene_in(window_sized, Model(llama)).slabs) EXPECT_FALSE(each.cut) << each.id;
    Scene scene = scene_in(window_sized, Model(llama, Input{.tokens = 1'000'000}));
    EXPECT_TRUE(slab(scene, "layer.attention.queries").cut);
}

TEST(Layout, StaysInItsAreaWhateverTheSizes) {
    const Architecture& llama = preset("llama-2-7b");
    Model base(llama);
    for (auto [field, value] :
         {std::pair{Field::ffn_dim, "4000000000"}, std::pair{Field::vocab, "1000000000"},
          std::pair{Field::dim, "1048576"}, std::pair{Field::head_dim, "65536"}, std::pair{Field::vocab, "1"}}) {
        Model edited(*with_field(llama, field, value));
        for (const Slab& each : scene_in(window_sized, edited, &base).slabs) {
            EXPECT_LE(each.rect.max.x, window_sized.max.x + 1) << info(field).key << " " << each.id;
            EXPECT_LE(each.rect.max.y, window_sized.max.y + 20) << info(field).key << " " << each.id;
            EXPECT_GE(each.rect.min.y, window_sized.min.y - 1) << info(field).key << " " << each.id;
        }
    }
}

// What is hit at a point of the model's page, with all of it in sight.
std::string id_at(const Stage& stage, Point point) {
    const std::optional<Hit> hit = stage.hit(stage.lens().project(Placement{}.world(point)));
    return hit ? hit->id : "";
}

TEST(Picking, FindsEveryMatrixAtItsCentre) {
    for (const Preset& preset : all_presets()) {
        const Stage stage(Model(preset.architecture), canvas_sizes[1]);
        for (const Slab& each : stage.atlas.pages.front().scene.slabs)
            EXPECT_EQ(id_at(stage, each.rect.centre()), each.id) << preset.id;
    }
}

TEST(Picking, FindsTheSubBlockBetweenItsMatricesAndNothingOutside) {
    const Stage stage(Model(preset("llama-2-7b")), canvas_sizes[1]);
    for (const Frame& frame : stage.atlas.pages.front().scene.frames)
        if (frame.kind == FrameKind::component) {
            EXPECT_EQ(id_at(stage, {frame.rect.min.x + 3, frame.rect.min.y + 3}), frame.id);
        }
    EXPECT_EQ(id_at(stage, {canvas_sizes[1].area.width() + 50, 5}), "");
}

}  // namespace
}  // namespace headcount
