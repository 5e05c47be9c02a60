// A file of weights beside the computed tensors: nothing that differs goes unsaid.
#include "core/analysis/checkpoint_match.hpp"

#include <gtest/gtest.h>

#include "core/analysis/checkpoint_names.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/counted.hpp"

namespace headcount {
namespace {

using testing_data::CountedArchitecture;
using testing_data::preset;
using testing_data::with;

CheckpointTensor tensor(std::string name, std::vector<std::int64_t> shape) {
    std::int64_t elements = 1;
    for (std::int64_t size : shape) elements *= size;
    return {std::move(name), std::move(shape), {"BF16", 1, 2}, elements, 2 * elements, 0, 0};
}

// What the model's own checkpoint would hold.
Checkpoint checkpoint_of(const CountedArchitecture& model) {
    Checkpoint checkpoint{"safetensors", {}, {}, nlohmann::json::object(), 0};
    for_each_tensor(model.architecture, model.graph, model.parameters, {}, [&](const ParameterRow& row, auto place) {
        checkpoint.tensors.push_back(tensor(name_at(model.graph.stored[row.stored].name, place), row.shape));
        return true;
    });
    return checkpoint;
}

CheckpointMatch match(const Checkpoint& checkpoint, const CountedArchitecture& model) {
    return *match_checkpoint(checkpoint, model.architecture, model.graph, model.parameters);
}

CountedArchitecture small_model() {
    return CountedArchitecture(with(with(preset("smollm2-135m"), "layers", "3"), "dim", "576"));
}

TEST(CheckpointMatch, OfEveryPresetsOwnTensorsIsWhole) {
    for (const Preset& each : testing_data::all_presets()) {
        SCOPED_TRACE(each.id);
        Architecture arch = each.architecture;
        arch.layers = std::min<std::int64_t>(arch.layers, 7);
        if (arch.layer.mixture) {
            arch.layer.mixture->experts = 6;
            arch.layer.mixture->experts_per_token = 2;
        }
        const CountedArchitecture model(arch);
        const Checkpoint checkpoint = checkpoint_of(model);
        const CheckpointMatch found = match(checkpoint, model);
        EXPECT_EQ(found.matched, static_cast<std::int64_t>(checkpoint.tensors.size()));
        EXPECT_EQ(found.differences, 0);
        EXPECT_EQ(found.parameters, model.parameters.total);
        EXPECT_EQ(found.bytes, 2 * model.parameters.total);
        EXPECT_EQ(found.types, (std::vector<TypeTotal>{{"BF16", found.matched, found.parameters, found.bytes}}));
    }
}

TEST(CheckpointMatch, NamesWhatIsRemovedRenamedReshapedOrAdded) {
    const CountedArchitecture model = small_model();
    const Checkpoint whole = checkpoint_of(model);
    const std::string name = "model.layers.1.mlp.up_proj.weight";
    const auto at = static_cast<std::size_t>(
        std::find_if(whole.tensors.begin(), whole.tensors.end(), [&](const auto& each) { return each.name == name; }) -
        whole.tensors.begin());
    const std::vector<std::int64_t> shape = whole.tensors[at].shape;

    Checkpoint changed = whole;
    changed.tensors.erase(changed.tensors.begin() + static_cast<std::ptrdiff_t>(at));
    CheckpointMatch found = match(changed, model);
    EXPECT_EQ(found.rows, (std::vector<MatchRow>{{MatchState::missing, name, "", shape, {}, ""}}));

    changed = whole;
    changed.tensors[at].name = "model.layers.1.mlp.up.weight";
    found = match(changed, model);
    ASSERT_EQ(found.rows.size(), 2u);
    EXPECT_EQ(found.rows[0], (MatchRow{MatchState::missing, name, "", shape, {}, ""}));
    EXPECT_EQ(found.rows[1], (MatchRow{MatchState::unexpected,
                                       "model.layers.1.mlp.up.weight",
                                       "model.layers.1.mlp.up.weight",
                                       {},
                                       shape,
                                       "BF16"}));

    changed = whole;
    std::swap(changed.tensors[at].shape[0], changed.tensors[at].shape[1]);
    found = match(changed, model);
    ASSERT_EQ(found.rows.size(), 1u);
    EXPECT_EQ(found.rows[0].state, MatchState::reshaped);
    EXPECT_EQ(found.rows[0].expected, shape);
    EXPECT_EQ(found.differences, 1);

    changed = whole;
    changed.tensors[at].type = {"F32", 1, 4};
    changed.tensors[at].bytes *= 2;
    found = match(changed, model);
    EXPECT_EQ(found.differences, 0);
    ASSERT_EQ(found.types.size(), 2u);
    EXPECT_EQ(found.types[1], (TypeTotal{"F32", 1, shape[0] * shape[1], 4 * shape[0] * shape[1]}));
}

TEST(CheckpointMatch, SetsBuffersScalesAndAStoredTiedHeadAside) {
    const CountedArchitecture model = small_model();
    Checkpoint checkpoint = checkpoint_of(model);
    checkpoint.tensors.push_back(tensor("lm_head.weight", {49152, 576}));
    checkpoint.tensors.push_back(tensor("model.layers.0.self_attn.rotary_emb.inv_freq", {32}));
    checkpoint.tensors.push_back(tensor("model.layers.0.mlp.up_proj.weight_scale_inv", {12, 5}));
    checkpoint.tensors.push_back(tensor("mtp.layers.0.mlp.up_proj.weight", {1536, 576}));
    const CheckpointMatch found = match(checkpoint, model);
    EXPECT_EQ(found.differences, 0);
    ASSERT_EQ(found.rows.size(), 4u);
    for (const MatchRow& row : found.rows) EXPECT_EQ(row.state, MatchState::ignored) << row.name;
    EXPECT_EQ(found.parameters, model.parameters.total);
}

TEST(CheckpointMatch, ReadsNamesWithoutOrInsideAPrefix) {
    const CountedArchitecture gpt2(with(preset("gpt2"), "layers", "2"));
    Checkpoint checkpoint = checkpoint_of(gpt2);
    for (CheckpointTensor& each : checkpoint.tensors) each.name = each.name.substr(std::string("transformer.").size());
    EXPECT_EQ(match(checkpoint, gpt2).differences, 0);

    // Of the stack alone, as it is written by itself and by programs that put a head on it.
    const CountedArchitecture stack(with(with(gpt2.architecture, "tied", "false"), "output", "none"));
    for (const char* prefix : {"", "transformer."}) {
        checkpoint = checkpoint_of(stack);
        for (CheckpointTensor& each : checkpoint.tensors) each.name = prefix + each.name;
        EXPECT_EQ(match(checkpoint, stack).differences, 0) << prefix;
        EXPECT_EQ(checkpoint.tensors.front().name, prefix + std::string("wte.weight"));
    }

    const CountedArchitecture model = small_model();
    checkpoint = checkpoint_of(model);
    for (CheckpointTensor& each : checkpoint.tensors) each.name = "language_model." + each.name;
    EXPECT_EQ(match(checkpoint, model).differences, 0);
}

CountedArchitecture olmo_hybrid() {
    const Result<Architecture> arch = read_config({{"model_type", "olmo_hybrid"},
                                                   {"hidden_size", 64},
                                                   {"num_hidden_layers", 4},
                                                   {"num_attention_heads", 4},
                                                   {"intermediate_size", 96},
                                                   {"linear_key_head_dim", 12},
                                                   {"linear_value_head_dim", 24}},
                                                  "olmo");
    return CountedArchitecture(*arch);
}

// OLMo Hybrid's files with one convolution cut in three of these lengths, and its norms' other names.
Checkpoint cut(const CountedArchitecture& model, const std::vector<std::int64_t>& rows) {
    Checkpoint whole = checkpoint_of(model), pieces = whole;
    pieces.tensors.clear();
    const std::vector<std::string> names{"q_conv1d", "k_conv1d", "v_conv1d"};
    for (CheckpointTensor& each : whole.tensors) {
        const std::size_t at = each.name.find("conv1d");
        for (const auto& [one, other] : {std::pair<std::string, std::string>{"input_layernorm", "attention_layer_norm"},
                                         {"post_attention_layernorm", "feedforward_layer_norm"}})
            if (const std::size_t norm = each.name.find(one); norm != std::string::npos)
                each.name.replace(norm, one.size(), other);
        if (at == std::string::npos) pieces.tensors.push_back(each);
        for (std::size_t i = 0; at != std::string::npos && i < rows.size(); ++i)
            pieces.tensors.push_back(tensor(std::string(each.name).replace(at, 6, names[i]), {rows[i], 1, 4}));
    }
    return pieces;
}

TEST(CheckpointMatch, ReadsANormUnderTensorFlowsNames) {
    const CountedArchitecture model(preset("bert-base-uncased"));
    Checkpoint checkpoint = checkpoint_of(model);
    std::int64_t renamed = 0;
    for (CheckpointTensor& each : checkpoint.tensors)
        for (const auto& [ours, theirs] :
             {std::pair("LayerNorm.weight", "LayerNorm.gamma"), {"LayerNorm.bias", "LayerNorm.beta"}})
            if (each.name.ends_with(ours)) {
                each.name.replace(each.name.rfind("LayerNorm"), std::string::npos, theirs);
                ++renamed;
            }
    EXPECT_GT(renamed, 40);
    EXPECT_EQ(match(checkpoint, model).differences, 0);
}

// As published, a piece each for queries, keys and values; as transformers 5.23 writes them, in equal parts.
TEST(CheckpointMatch, JoinsThePiecesOfOneTensor) {
    const CountedArchitecture model = olmo_hybrid();
    const std::int64_t tensors = match(checkpoint_of(model), model).matched;
    for (const std::vector<std::int64_t>& rows : {std::vector<std::int64_t>{48, 48, 96}, {64, 64, 64}}) {
        const CheckpointMatch found = match(cut(model, rows), model);
        EXPECT_EQ(found.differences, 0) << found.rows.front().name;
        EXPECT_EQ(found.matched, tensors);
        EXPECT_EQ(found.parameters, model.parameters.total);
    }
    const CheckpointMatch shorter = match(cut(model, {48, 48, 80}), model);
    ASSERT_EQ(shorter.differences, 3) << "in each layer that has a state";
    EXPECT_EQ(shorter.rows.front(), (MatchRow{MatchState::reshaped,
                                              "model.layers.0.linear_attn.conv1d.weight",
                                              "model.layers.0.linear_attn.q_conv1d.weight",
                                              {192, 1, 4},
                                              {176, 1, 4},
                                              "BF16"}));
}

// transformers 5.23 writes Kimi Linear's dense layers under the mixture's name, which published files do not.
TEST(CheckpointMatch, ReadsADenseLayerUnderEitherName) {
    const Result<Architecture> kimi = read_config({{"model_type", "kimi_linear"},
                                                   {"hidden_size", 32},
                                                   {"num_hidden_layers", 3},
                                                   {"num_experts", 4},
                                                   {"num_experts_per_token", 2}},
                                                  "kimi");
    ASSERT_TRUE(kimi);
    const CountedArchitecture model(*kimi);
    Checkpoint checkpoint = checkpoint_of(model);
    EXPECT_EQ(match(checkpoint, model).differences, 0);
    int renamed = 0;
    for (CheckpointTensor& each : checkpoint.tensors)
        for (const char* const matrix : {"gate_proj", "up_proj", "down_proj"})
            if (const std::size_t at = each.name.find(std::string("block_sparse_moe.") + matrix);
                at != std::string::npos) {
                each.name.replace(at, std::string_view("block_sparse_moe").size(), "mlp");
                ++renamed;
            }
    EXPECT_EQ(renamed, 3);
    EXPECT_EQ(match(checkpoint, model).differences, 0);
}

TEST(CheckpointMatch, RefusesMoreThanCanBeCompared) {
    const CountedArchitecture model(with(preset("llama-2-7b"), "layers", "1000000000"));
    Result<CheckpointMatch> found = match_checkpoint({}, model.architecture, model.graph, model.parameters);
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().what.find("cannot be compared"), std::string::npos);
}

TEST(CheckpointMatch, ATensorOfAnotherTypeIsListedAndStillMatches) {
    const CountedArchitecture model = small_model();
    for (const char* name :
         {"model.layers.1.mlp.up_proj.weight", "model.layers.2.input_layernorm.weight", "model.embed_tokens.weight"}) {
        SCOPED_TRACE(name);
        Checkpoint checkpoint = checkpoint_of(model);
        const auto changed = std::find_if(checkpoint.tensors.begin(), checkpoint.tensors.end(),
                                          [&](const CheckpointTensor& each) { return each.name == name; });
        ASSERT_NE(changed, checkpoint.tensors.end());
        changed->type = {"F64", 1, 8};
        const CheckpointMatch found = match(checkpoint, model);
        EXPECT_EQ(found.matched, static_cast<std::int64_t>(checkpoint.tensors.size()));
        EXPECT_EQ(found.differences, 0);
        ASSERT_EQ(found.rows.size(), 1u);
        EXPECT_EQ(found.rows.front().state, MatchState::retyped);
        EXPECT_EQ(found.rows.front().name, name);
        EXPECT_EQ(found.rows.front().type, "F64");
    }
}

TEST(CheckpointMatch, FormatsThatAFileMixesByKindAreNoDifference) {
    const CountedArchitecture model = small_model();
    Checkpoint checkpoint = checkpoint_of(model);
    for (CheckpointTensor& each : checkpoint.tensors)
        if (each.name.ends_with("norm.weight")) each.type = {"F32", 1, 4};
    EXPECT_TRUE(match(checkpoint, model).rows.empty());
    for (CheckpointTensor& each : checkpoint.tensors)
        if (each.name.find("proj") != std::string::npos) each.type = {"F8_E4M3", 1, 1};
    EXPECT_TRUE(match(checkpoint, model).rows.empty()) << "an embedding beside quantized matrices";
}

}  // namespace
}  // namespace headcount
