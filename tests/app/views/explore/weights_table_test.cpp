// The Weights tab: there only with weights, listing what differs, selecting what the graph has.
#include "app/views/explore/weights_table.hpp"

#include <nlohmann/json.hpp>

#include "app/views/explore/panels.hpp"
#include "core/analysis/checkpoint_names.hpp"
#include "core/files/config.hpp"
#include "core/files/documents.hpp"
#include "tests/support/small_model.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

using test::bottom_size;
using test::Workbench;
using testing_data::Scratch;
using testing_data::SmallModel;
using testing_data::write_model;
using testing_data::write_weights;

// One tensor is missing, one has another shape, one nobody expects, and one is a table.
std::string odd_weights(const Scratch& scratch) {
    scratch.file("config.json", SmallModel{}.config());
    auto tensors = SmallModel{}.tensors();
    std::erase_if(tensors, [](const auto& tensor) { return tensor.name == "model.layers.1.mlp.up_proj.weight"; });
    for (auto& tensor : tensors)
        if (tensor.name == "model.layers.0.self_attn.k_proj.weight") tensor.shape = {32, 64};
    tensors.push_back({"model.layers.0.adapter.weight", {4, 4}});
    tensors.push_back({"model.layers.0.self_attn.rotary_emb.inv_freq", {8}});
    return write_weights(scratch, "model.safetensors", tensors);
}

TEST(Weights, TheTabIsThereOnlyWithWeights) {
    const Scratch scratch;
    Workbench bench(draw_tables_panel, "llama-2-7b", bottom_size);
    EXPECT_FALSE(bench.has("tables.tab.weights"));
    headcount::apply(bench.session, Intents{ShowTab{BottomTab::weights}});
    bench.frame();
    EXPECT_TRUE(bench.has("tables.row.residual_stream") || bench.has("tables.tab.activations"));
    headcount::apply(bench.session, Intents{OpenFile{write_model(scratch, "model")}});
    bench.frames(2);
    EXPECT_TRUE(bench.has("tables.tab.weights"));
    EXPECT_TRUE(bench.has("weights.types.row.BF16")) << "where nothing differs, the bytes by type";
    EXPECT_FALSE(bench.has("tables.differences"));
}

TEST(Weights, WhatDiffersIsListedAndFiltered) {
    const Scratch scratch;
    Workbench bench(draw_tables_panel, "llama-2-7b", bottom_size);
    headcount::apply(bench.session, Intents{OpenFile{odd_weights(scratch)}, ShowTab{BottomTab::weights}});
    bench.frames(2);
    EXPECT_EQ(weights_summary(bench.session.derived.weights), "safetensors, 166 KiB, 19 tensors match, 3 do not");
    EXPECT_TRUE(bench.has("tables.differences"));
    for (const char* name : {"model.layers.1.mlp.up_proj.weight", "model.layers.0.self_attn.k_proj.weight",
                             "model.layers.0.adapter.weight", "model.layers.0.self_attn.rotary_emb.inv_freq"})
        EXPECT_TRUE(bench.has("weights.row." + std::string(name))) << name;
    bench.press("weights.show.3");
    EXPECT_TRUE(bench.has("weights.row.model.layers.0.adapter.weight"));
    EXPECT_FALSE(bench.has("weights.row.model.layers.1.mlp.up_proj.weight"));
    bench.press("weights.show.types");
    EXPECT_TRUE(bench.has("weights.types.row.BF16"));
    bench.press("weights.show.all");
    bench.press("tables.copy");
    ASSERT_FALSE(bench.all<Copy>().empty());
    const std::string csv = bench.all<Copy>().back().text;
    EXPECT_TRUE(csv.starts_with("# " + title_of(bench.session.document) + " (≈: not verified)\r\n")) << csv;
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 6);
    EXPECT_NE(csv.find("model.layers.1.mlp.up_proj.weight,missing,128 × 64,"), std::string::npos) << csv;
}

TEST(Weights, APressSelectsTheTensorOfTheGraph) {
    const Scratch scratch;
    Workbench bench(draw_tables_panel, "llama-2-7b", bottom_size);
    headcount::apply(bench.session, Intents{OpenFile{odd_weights(scratch)}, ShowTab{BottomTab::weights}});
    bench.frames(2);
    bench.press("weights.row.model.layers.1.mlp.up_proj.weight");
    EXPECT_EQ(subject_key(bench.session.look.selection), "layer.feed_forward.up.weight");
    EXPECT_EQ(copies_of(bench.session.look.selection).layer, 1) << "and not the first that there is";
    bench.press("weights.row.model.layers.0.adapter.weight");
    EXPECT_EQ(subject_key(bench.session.look.selection), "layer.feed_forward.up.weight") << "is none of the graph's";
}

void expect_every_tensor_is_found(const Architecture& architecture) {
    const Result<Counted> counted = count(architecture, {});
    ASSERT_TRUE(counted);
    for (const StoredTensor& stored : counted->graph.stored) {
        const std::int64_t layer = stored.layer ? counted->graph.layers[*stored.layer].group.first : 0;
        const std::string name = name_at(stored.name, {layer, 0});
        const NamedTensor named = stored_named(*counted, name);
        EXPECT_EQ(named.stored, &stored) << name;
        EXPECT_EQ(named.copies.layer, stored.layer ? std::optional(layer) : std::nullopt) << name;
    }
    EXPECT_EQ(stored_named(*counted, "no.such.tensor").stored, nullptr);
    EXPECT_EQ(stored_named(*counted, "").stored, nullptr);
}

TEST(Weights, EveryTensorOfEveryPresetIsFoundByItsName) {
    for (const Preset& preset : test::all_presets()) {
        SCOPED_TRACE(preset.id);
        expect_every_tensor_is_found(preset.architecture);
    }
}

TEST(Weights, WhatALayerHasInASharedModuleIsOfThatLayer) {
    const Result<Architecture> arch = read_config({{"model_type", "zamba2"},
                                                   {"hidden_size", 64},
                                                   {"num_hidden_layers", 4},
                                                   {"num_attention_heads", 4},
                                                   {"num_key_value_heads", 4},
                                                   {"num_mem_blocks", 1},
                                                   {"layers_block_type", {"mamba", "hybrid", "mamba", "hybrid"}}},
                                                  "config.json");
    ASSERT_TRUE(arch);
    expect_every_tensor_is_found(*arch);
    const Result<Counted> counted = count(*arch, {});
    ASSERT_TRUE(counted);
    const NamedTensor named =
        stored_named(*counted, "model.layers.1.shared_transformer.feed_forward.gate_up_proj_adapter_list.1.0.weight");
    EXPECT_EQ(named.copies.layer, 3) << "the second layer that reads the module, which the first one stores";
}

}  // namespace
}  // namespace headcount
