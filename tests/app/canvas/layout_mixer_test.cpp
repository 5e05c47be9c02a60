// The cards of mixers with a state, encoders, and what stands on top of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/files/config.hpp"
#include "tests/app/canvas/canvas_stage.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

constexpr Rect picture_areas[] = {{{16, 40}, {688, 430}}, {{16, 40}, {922, 640}}, {{16, 40}, {1500, 980}}};

Rect letters_of(const Label& label) {
    const float width = stage_width(label.text, label.role, 1), left = label.at.x - left_of_anchor(label.anchor, width);
    return {{left, label.at.y + 2}, {left + width, label.at.y + 13}};
}

// Every kind of layers of every such model, in every area.
template <class Claim>
void for_each_picture(const std::vector<Model>& models, Claim claim) {
    for (const Model& model : models)
        for (const std::string& layer : model.layers())
            for (const Rect& area : picture_areas)
                claim(model, layer, layout_model(layout_input(model, {area}, nullptr, layer)));
}

std::vector<Model> encoders_and_recurrences() {
    std::vector<Model> models = encoders();
    for (Model& model : recurrences()) models.push_back(std::move(model));
    return models;
}

bool has_operations(const Model& model, const LayerBlock& layer) {
    return std::ranges::any_of(model.graph.nodes,
                               [&](const Node& node) { return model.graph.inside(node.block, layer.block); });
}

TEST(MixerLayout, LayersOfWhichNoOperationIsKnownHaveNoCards) {
    int drawn = 0;
    for (const std::string& name : testing_data::files_in("switches")) {
        const nlohmann::json golden =
            testing_data::read_json_file(testing_data::golden_folder() / "switches" / (name + ".json"));
        const Result<Architecture> arch = read_config(golden["config"], "config");
        if (!arch) continue;
        const Model model(*arch, {}, name);
        for (const LayerBlock& layer : model.graph.layers) {
            if (has_operations(model, layer)) continue;
            ++drawn;
            const std::string& block = model.graph.blocks[layer.block].id;
            const Scene scene = layout_model(layout_input(model, {picture_areas[0]}, nullptr, block));
            EXPECT_TRUE(scene.doors.empty()) << name;
            for (const Wire& wire : scene.wires) {
                if (!wire.stream) continue;
                EXPECT_TRUE(model.graph.find(wire.tensor)) << name << " " << wire.tensor;
            }
        }
    }
    EXPECT_GE(drawn, 5) << "of Perceiver, Funnel, ZAYA and others";
}

// Arrows and marks give way: RWKV's time mixing has more steps behind one another than any other mixer.
TEST(MixerLayout, APageOfManyColumnsStaysWithinItsArea) {
    constexpr Rect area{{0, 0}, {907, 620}};
    for (const char* const name : {"rwkv6-default", "rwkv7-default"}) {
        const nlohmann::json golden =
            testing_data::read_json_file(testing_data::golden_folder() / "switches" / (std::string(name) + ".json"));
        const Result<Architecture> arch = read_config(golden["config"], "config");
        ASSERT_TRUE(arch) << sentence(arch.error());
        const Model model(*arch, {}, name);
        for (const bool by_logarithm : {false, true}) {
            const Scene page = layout_block(layout_input(model, {area, 1, by_logarithm}), "layer.time_mix", {});
            EXPECT_FALSE(page.slabs.empty());
            for (const Slab& slab : page.slabs) EXPECT_LE(slab.rect.max.x, area.max.x + 1) << name << " " << slab.id;
        }
    }
}

// Rather by its name alone than one matrix on another.
TEST(MixerLayout, ACardWithoutRoomForItsMatricesIsClosed) {
    std::vector<Model> models{Model(preset("gemma-3n-e4b"), {}, "gemma-3n-e4b")};
    for (const char* const name : {"rwkv6-default", "rwkv7-default"}) {
        const nlohmann::json golden =
            testing_data::read_json_file(testing_data::golden_folder() / "switches" / (std::string(name) + ".json"));
        models.emplace_back(*read_config(golden["config"], "config"), Input{}, name);
    }
    int closed = 0;
    for (const Model& model : models)
        for (const Size& area : {small_canvas, Size{{{16, 40}, {923, 660}}}, Size{{{24, 60}, {1924, 1260}}}})
            for (const bool by_logarithm : {false, true}) {
                const std::string name = model.name + text_of(area) + (by_logarithm ? " by logarithm" : "");
                const Scene scene = layout_model(layout_input(model, {area.area, area.unit, by_logarithm}));
                closed += static_cast<int>(std::ranges::count_if(scene.doors, &Door::closed));
                for (const Slab& each : scene.slabs) {
                    for (const Slab& other : scene.slabs)
                        EXPECT_FALSE(&each != &other && overlap_by(each.rect, other.rect, 1))
                            << name << " " << each.id << " and " << other.id;
                    for (const FlowMark& mark : scene.marks)
                        EXPECT_FALSE(each.rect.grown(-1).contains(mark.centre)) << name << " " << each.id;
                }
            }
    EXPECT_GE(closed, 10);
}

TEST(MixerLayout, DrawsEveryParameterOfTheShownLayersOnce) {
    for_each_picture(encoders_and_recurrences(), [](const Model& model, const std::string& layer, const Scene& scene) {
        std::map<std::string, int> drawn;
        for (const Slab& each : scene.slabs)
            if (each.look == SlabLook::parameter) ++drawn[each.id];
        for (const Tensor& tensor : model.graph.tensors) {
            if (tensor.role != Role::parameter) continue;
            const std::optional<std::size_t> group = model.graph.layer_of(tensor.block);
            const bool shown = !group || model.graph.blocks[model.graph.layers[*group].block].id == layer;
            if (drawn[tensor.id] == 0 && by_name_alone(scene, model.graph, tensor.block)) continue;
            EXPECT_EQ(drawn[tensor.id], shown ? 1 : 0) << model.name << " " << layer << " " << tensor.id;
        }
    });
}

TEST(MixerLayout, LetsNothingOverlap) {
    for_each_picture(encoders_and_recurrences(), [](const Model& model, const std::string& layer, const Scene& scene) {
        for (std::size_t i = 0; i < scene.slabs.size(); ++i)
            for (std::size_t j = i + 1; j < scene.slabs.size(); ++j)
                EXPECT_FALSE(overlap_by(scene.slabs[i].rect, scene.slabs[j].rect, 0.01F))
                    << model.name << " " << layer << " " << scene.slabs[i].id << " and " << scene.slabs[j].id;
        for (std::size_t i = 0; i < scene.labels.size(); ++i)
            for (std::size_t j = i + 1; j < scene.labels.size(); ++j)
                EXPECT_FALSE(overlap_by(letters_of(scene.labels[i]), letters_of(scene.labels[j]), 0))
                    << model.name << " " << layer << " " << scene.labels[i].text << " and " << scene.labels[j].text;
    });
}

constexpr float least_named = 520;  // in a narrower card the thinnest matrices have no room for their names

TEST(MixerLayout, KeepsMatricesInTheirFramesAndNamesTheLargest) {
    for_each_picture(recurrences(), [](const Model& model, const std::string& layer, const Scene& scene) {
        for (const Frame& frame : scene.frames) {
            if (frame.kind != FrameKind::component) continue;
            for (const Slab& each : scene.slabs) {
                const Tensor* tensor = model.graph.find(each.id);
                if (!tensor || each.look != SlabLook::parameter || tensor->component != frame.component) continue;
                EXPECT_TRUE(holds(frame.rect, each.rect)) << model.name << " " << layer << " " << each.id;
                if (tensor->shape.rank() < 2) continue;
                const bool named = std::any_of(scene.labels.begin(), scene.labels.end(), [&](const Label& label) {
                    return label.id == each.id && label.role == TextRole::name;
                });
                const bool excused = uses(tensor->shape, Symbol::conv_kernel) || frame.rect.width() < least_named;
                EXPECT_TRUE(named || excused) << model.name << " " << layer << " " << each.id;
            }
        }
    });
}

TEST(MixerLayout, NamesWhatItsMatricesMakeAtOneHeight) {
    int cards = 0;
    for (const char* const id : {"deberta-base", "bert-base-uncased", "gpt2"})
        for (const bool log_sides : {false, true})
            for (float height = 380; height < 620; height += 12) {
                const Model model(preset(id));  // the keys of the first have no bias
                const Size size{{{16, 40}, {686, 40 + height}}, 1, log_sides};
                const Scene scene = lay_out_atlas(layout_input(model, size)).pages.front().scene;
                std::map<std::string, bool> above;  // by block: whether Q, K and V stand above what they name
                for (const Label& label : scene.labels) {
                    if (!label.matrix || (label.text != "Q" && label.text != "K" && label.text != "V")) continue;
                    const std::string block = label.id.substr(0, label.id.rfind('.'));
                    const bool is_above = label.at.y + size.unit * 14 < label.matrix->min.y;
                    const auto [first, added] = above.emplace(block, is_above);
                    cards += added;
                    EXPECT_EQ(first->second, is_above) << id << text_of(size) << " " << label.id;
                }
            }
    EXPECT_GT(cards, 60);
}

TEST(MixerLayout, AnEncoderKeepsNothingAndItsScoresAreWhole) {
    for (const Model& model : encoders()) {
        const bool causal = model.graph.first(Op::masked_softmax)->rule<Mask>().kind == Mask::Kind::causal;
        const Stage stage(model, canvas_sizes[1]);
        int scores = 0;
        for (const Page& page : stage.atlas.pages)
            for (const Slab& slab : page.scene.slabs) {
                EXPECT_TRUE(causal || slab.look != SlabLook::cached) << model.name << " " << slab.id;
                if (!slab.mask || slab.grid_columns > 0) continue;
                ++scores;
                EXPECT_EQ(slab.sees(0, slab.columns - 1), !causal) << model.name << " " << slab.id;
                EXPECT_TRUE(slab.sees(slab.rows - 1, 0)) << model.name << " " << slab.id;
            }
        EXPECT_EQ(scores, 2) << model.name;
    }
}

TEST(MixerLayout, AStateIsOutlinedAsKeptAndNeverCut) {
    for (const Model& model : recurrences())
        for (const Size& size : canvas_sizes) {
            const Stage stage(model, size);
            for (const Page& page : stage.atlas.pages)
                for (const Slab& slab : page.scene.slabs) {
                    const Tensor* tensor = model.graph.find(slab.id);
                    if (!tensor || tensor->role != Role::state) continue;
                    EXPECT_EQ(slab.look == SlabLook::cached || slab.grid_columns > 0, true) << slab.id;
                    EXPECT_FALSE(slab.cut) << model.name << " " << slab.id;
                }
        }
}

TEST(MixerLayout, AHeadOfARecurrenceIsAPage) {
    const Model model(changed({"llama-3-8b", {{"state_dim", "128"}}}));
    const Stage stage(model, canvas_sizes[1]);
    const std::optional<Stop> head = find_place(stage.atlas, "layer.state_space.head", 3);
    ASSERT_TRUE(head);
    const Scene& scene = stage.atlas.pages[head->leaf.page].scene;
    const auto state = std::find_if(scene.slabs.begin(), scene.slabs.end(),
                                    [](const Slab& slab) { return slab.id == "layer.state_space.head.state"; });
    ASSERT_NE(state, scene.slabs.end());
    EXPECT_EQ(state->rows, 128);
    EXPECT_EQ(state->columns, 64);
    EXPECT_TRUE(std::any_of(scene.labels.begin(), scene.labels.end(),
                            [](const Label& label) { return label.text == "state: the same for"; }));
}

}  // namespace
}  // namespace headcount
