// Models for the tests of the canvas: presets of every structure, and random architectures.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "app/canvas/arrange/layout.hpp"
#include "core/arch/fields.hpp"
#include "core/arch/validate.hpp"
#include "core/graph/graph.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/presets.hpp"
#include "tests/support/tried_presets.hpp"

namespace headcount {

using testing_data::all_presets;
using testing_data::preset;
using testing_data::telling_presets;

// An architecture with its input and its graph.
struct Model {
    explicit Model(const Architecture& architecture, const Input& input = {}, const std::string& title = "")
        : name(title.empty() ? architecture.name : title),
          graph(expand(architecture, input)),
          numbers(bindings(architecture, input)) {}

    std::int64_t number(Symbol symbol) const { return numbers[symbol].value_or(0); }

    // The blocks of its kinds of layers.
    std::vector<std::string> layers() const {
        std::vector<std::string> blocks;
        for (const LayerBlock& layer : graph.layers) blocks.push_back(graph.blocks[layer.block].id);
        return blocks;
    }

    // What all layers share is used in each of them.
    std::optional<std::size_t> layer_of(const Tensor& tensor) const { return graph.layer_of(used_in(graph, tensor)); }
    // The block in which layers of this kind use a parameter: of what several share one of their own.
    BlockIndex used_by(const Tensor& tensor, std::string_view layer) const {
        const auto index = static_cast<TensorIndex>(&tensor - graph.tensors.data());
        const auto own = static_cast<BlockIndex>(graph.find_block(layer) - graph.blocks.data());
        for (const Node& node : graph.nodes) {
            if (!tensor.shared_in || !graph.inside(node.block, own)) continue;
            if (std::find(node.parameters.begin(), node.parameters.end(), index) == node.parameters.end()) continue;
            BlockIndex block = node.block;
            while (graph.is(block, BlockKind::head)) block = *graph.blocks[block].parent;
            return block;
        }
        return used_in(graph, tensor);
    }
    // Whether another stack reads it: it is drawn where it leaves, beside the layers.
    bool is_memory(const Tensor& tensor) const {
        const auto index = static_cast<TensorIndex>(&tensor - graph.tensors.data());
        return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& node) {
            return std::find(node.inputs.begin(), node.inputs.end(), index) != node.inputs.end() &&
                   graph.is(graph.stack_of(node.block), BlockKind::stack) &&
                   graph.stack_of(node.block) != graph.stack_of(tensor.block);
        });
    }

    bool has(std::string_view block) const { return graph.find_block(block) != nullptr; }

    // The block of this kind in the layers that stand for all; empty where they have none.
    std::string block_of(BlockKind kind) const {
        const BlockIndex layer = graph.main_layer().block;
        const auto found = std::find_if(graph.blocks.begin(), graph.blocks.end(), [&](const Block& block) {
            return block.kind == kind && block.parent == layer;
        });
        return found == graph.blocks.end() ? "" : found->id;
    }
    // What mixes tokens there: attention, or a recurrence in its place.
    std::string mixer() const { return block_of(BlockKind::mixer); }
    // The first of its blocks that is there for each head; empty where it has none.
    std::string head() const {
        const std::string within = mixer() + ".";
        const auto found = std::find_if(graph.blocks.begin(), graph.blocks.end(), [&](const Block& block) {
            return block.kind == BlockKind::head && block.id.starts_with(within);
        });
        return found == graph.blocks.end() ? "" : found->id;
    }
    std::int64_t heads() const {
        const Block* const block = head().empty() ? nullptr : graph.find_block(head());
        return block ? *evaluate(block->repeat, numbers) : 1;
    }
    bool is_attention() const { return mixer().ends_with(".attention"); }
    // All tokens see each other, so none is kept for later ones.
    bool is_encoder() const {
        const auto looks = [](const Node& node) { return node.op == Op::masked_softmax; };
        const auto sees_all = [&](const Node& node) {
            return !looks(node) || node.rule<Mask>().kind == Mask::Kind::full ||
                   node.rule<Mask>().kind == Mask::Kind::around;
        };
        return std::any_of(graph.nodes.begin(), graph.nodes.end(), looks) &&
               std::all_of(graph.nodes.begin(), graph.nodes.end(), sees_all);
    }
    // What has a page of its own in such a layer; not every model has a feed-forward.
    std::vector<std::string> pages() const {
        std::vector<std::string> ids{mixer()};
        if (!head().empty()) ids.push_back(head());
        const std::string feed_forward = block_of(BlockKind::feed_forward), cross = block_of(BlockKind::cross);
        if (!feed_forward.empty()) ids.insert(ids.begin() + 1, feed_forward);
        if (!cross.empty()) ids.insert(ids.end(), {cross, cross + ".head"});
        return ids;
    }

    std::string name;
    ModelGraph graph;
    Bindings numbers;
};

// Whether the block is in a sub-block that the scene shows by its name alone.
inline bool by_name_alone(const Scene& scene, const ModelGraph& graph, BlockIndex block) {
    return std::ranges::any_of(scene.doors, [&](const Door& door) {
        return door.closed &&
               graph.inside(block, static_cast<BlockIndex>(graph.find_block(door.block) - graph.blocks.data()));
    });
}

// Numbers that are the same on every machine.
class Chance {
  public:
    explicit Chance(std::uint64_t seed) : engine_(seed) {}

    double share() { return static_cast<double>(engine_() >> 11U) * 0x1p-53; }
    double between(double least, double most) { return least + share() * (most - least); }
    std::int64_t whole(std::int64_t least, std::int64_t most) {
        return least + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(most - least + 1));
    }
    // Small numbers as often as large ones.
    double ratio(double least, double most) { return least * std::pow(most / least, share()); }
    std::int64_t size(std::int64_t most) {
        return std::clamp<std::int64_t>(std::llround(ratio(0.7, static_cast<double>(most) + 0.4)), 1, most);
    }
    bool coin() { return (engine_() & 1024U) != 0; }

  private:
    std::mt19937_64 engine_;
};

inline LayerSet random_layers(Chance& chance) {
    const LayerSet sets[] = {{},
                             LayerSet::all_but_first(chance.whole(0, 3)),
                             LayerSet::every(chance.whole(1, 6)),
                             *LayerSet::parse("01|110", "")};
    return sets[chance.whole(0, 3)];
}

// What attention may have beside its heads.
inline void choose_attention(Chance& chance, Attention& attention) {
    attention.qk_norm = chance.coin() ? QkNorm::none : static_cast<QkNorm>(chance.whole(0, 4));
    attention.qk_norm_bias = chance.coin();
    attention.sinks = chance.coin();
    if (chance.coin()) attention.rotated = random_layers(chance);
    if (chance.coin()) attention.window = AttentionWindow{chance.size(1'000'000), chance.coin(), random_layers(chance)};
    if (chance.coin()) return;
    Latent latent;
    if (chance.coin()) latent.query_rank = chance.size(20'000);
    latent.kv_rank = chance.size(20'000);
    latent.rope_dim = 2 * chance.size(256);
    latent.nope_dim = chance.size(512);
    latent.value_dim = chance.size(512);
    attention.latent = latent;
    attention.qk_norm = QkNorm::none;
}

inline Mixture random_mixture(Chance& chance) {
    Mixture mixture;
    mixture.experts = chance.size(1024);
    mixture.experts_per_token = chance.size(mixture.experts);
    mixture.expert_dim = chance.size(100'000);
    mixture.shared_experts = chance.whole(0, 3);
    mixture.shared_gate = chance.coin();
    mixture.router_bias = chance.coin();
    mixture.correction_bias = chance.coin();
    mixture.layers = random_layers(chance);
    return mixture;
}

// An architecture with any sizes and any choices.
inline Architecture random_architecture(Chance& chance, const Architecture& like) {
    Architecture arch = like;
    arch.positions = static_cast<Positions>(chance.whole(0, 3));
    arch.dim = chance.size(65'536);
    arch.layers = chance.size(1000);
    arch.vocab = chance.size(1'000'000);
    arch.tied = chance.coin();
    arch.head_bias = chance.coin();
    arch.embedding_norm = chance.coin();
    if (chance.coin()) arch.embedding_dim = chance.size(65'536);
    arch.norm = {.kind = chance.coin() ? NormKind::rms : NormKind::layer,
                 .placement = static_cast<NormPlacement>(chance.whole(0, 3)),
                 .scale = chance.coin(),
                 .bias = chance.coin(),
                 .final = chance.coin()};
    arch.layer.joining = static_cast<Joining>(chance.whole(0, 2));
    Attention& attention = arch.layer.attention;
    attention.heads = chance.size(1024);
    std::vector<std::int64_t> groups;
    for (std::int64_t n = 1; n <= attention.heads; ++n)
        if (attention.heads % n == 0) groups.push_back(n);
    attention.kv_heads =
        groups[static_cast<std::size_t>(chance.whole(0, static_cast<std::int64_t>(groups.size()) - 1))];
    attention.head_dim = arch.positions == Positions::rope ? 2 * chance.size(256) : chance.size(512);
    attention.qkv_bias = chance.coin();
    attention.output_bias = chance.coin();
    choose_attention(chance, attention);
    DenseFeedForward& feed_forward = arch.layer.feed_forward;
    feed_forward.gated = chance.coin();
    feed_forward.width = chance.size(1'000'000);
    feed_forward.bias = chance.coin();
    if (chance.coin()) arch.layer.mixture = random_mixture(chance);
    return arch;
}

// A valid one, and an input that it can take.
inline Model random_model(Chance& chance, const Architecture& like, const std::string& name) {
    for (;;) {
        Architecture arch = random_architecture(chance, like);
        Input input{.tokens = chance.size(1'000'000), .cached = chance.coin() ? 0 : chance.size(1'000'000)};
        arch.context = input.tokens + input.cached + chance.size(1'000'000);
        if (validate(arch).empty()) return Model(arch, input, name);
    }
}

inline std::vector<Model> random_models(int count, std::uint64_t seed = 1) {
    Chance chance(seed);
    const Architecture like = preset("llama-2-7b");
    std::vector<Model> models;
    for (int i = 0; i < testing_data::tries(count); ++i)
        models.push_back(random_model(chance, like, "random " + std::to_string(i)));
    return models;
}

inline std::vector<Model> preset_models() {
    std::vector<Model> models;
    for (const Preset& preset : telling_presets()) models.emplace_back(preset.architecture, Input{}, preset.id);
    return models;
}

// An architecture with some of its fields set: {"mask", "full"}.
struct Changed {
    std::string_view preset;
    std::vector<std::pair<std::string_view, std::string_view>> fields;
};

inline Architecture changed(const Changed& from) {
    Architecture arch = preset(std::string(from.preset));
    for (const auto& [key, value] : from.fields) arch = *with_field(arch, key, value);
    return arch;
}

// Encoders with every kind of output, recurrences in some layers and in all, with a feed-forward and without.
inline std::vector<Model> encoders() {
    std::vector<Model> models;
    for (const char* output : {"language", "masked", "pooler", "none"})
        models.emplace_back(changed({"gpt2", {{"mask", "full"}, {"output", output}, {"token_types", "2"}}}),
                            Input{.tokens = 10}, std::string("encoder, ") + output);
    models.emplace_back(
        changed({"gpt2", {{"output", "masked"}, {"final_norm", "false"}, {"norm_placement", "after_sum"}}}), Input{},
        "masked, norms after the sum");
    return models;
}
inline std::vector<Model> recurrences() {
    std::vector<Model> models;
    for (const char* kind : {"mamba2", "gated_delta", "gated_linear", "weighted_mean"})
        for (const char* layers : {"1", "1110"})
            for (const char* feed_forward : {"1", "0"})
                models.emplace_back(changed({"llama-3-8b",
                                             {{"state_dim", "128"},
                                              {"recurrence", kind},
                                              {"recurrence_layers", layers},
                                              {"ffn_layers", feed_forward}}}),
                                    Input{}, std::string(kind) + " " + layers + ", feed-forward " + feed_forward);
    models.emplace_back(changed({"qwen3-8b", {{"output_gate", "true"}}}), Input{}, "gated attention");
    models.emplace_back(changed({"qwen3-8b", {{"differential", "true"}}}), Input{}, "heads in pairs");
    return models;
}

// The presets of every structure, what no preset has, and random architectures.
inline std::vector<Model> all_models() {
    std::vector<Model> models = preset_models();
    for (const auto& others : {encoders(), recurrences()}) models.insert(models.end(), others.begin(), others.end());
    for (Model& model : random_models(60)) models.push_back(std::move(model));
    return models;
}

}  // namespace headcount
