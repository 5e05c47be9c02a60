// RWKV-4 (Peng et al. 2023): a state that each token fades, and a feed-forward that a gate of its own lets through.
// Both are counted, and not computed (transformers, modeling_rwkv.py).
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"
#include "core/families/layer_lists.hpp"

namespace headcount {
namespace rwkv {

constexpr std::array<Module, 11> modules{{
    {0, "", ModuleKind::container, {}, "RwkvForCausalLM"},
    {1, "rwkv", ModuleKind::container, {}, "RwkvModel"},
    {2, "embeddings", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "blocks", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "RwkvBlock"},
    {4, "ln2", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "feed_forward", ModuleKind::container, {}, "RwkvFeedForward"},
    {5, "key", ModuleKind::linear, Part::up, {}},
    {5, "value", ModuleKind::linear, Part::down, {}},
    {2, "ln_out", ModuleKind::norm, Part::final_norm, {}},
    {1, "head", ModuleKind::linear, Part::output_head, {}},
}};

constexpr std::array numbers = std::to_array<std::string_view>({"attention_hidden_size"});

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    arch.dim = reader.number({"hidden_size"}, 4096);
    arch.layers = reader.number({"num_hidden_layers"}, 32);
    arch.vocab = reader.number({"vocab_size"}, 50277);
    arch.context = reader.number({"context_length", "max_position_embeddings"}, 1024);
    arch.positions = Positions::none;
    arch.tied = reader.flag({"tie_word_embeddings"}, false);
    arch.norm = layer_norm(reader.real({"layer_norm_epsilon"}, 1e-5));
    arch.layer.mixer_layers = LayerSet::none();
    carry_numbers(reader, numbers);
    const std::optional<std::int64_t> width = reader.optional_number({"intermediate_size"});
    arch.layer.feed_forward = {.gated = false,
                               .activation = Activation::relu2,
                               .width = width ? *width : four_times(reader, "hidden_size", arch.dim)};
}

nlohmann::ordered_json write(const Architecture& arch) {
    return {
        {"architectures", {"RwkvForCausalLM"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"hidden_size", arch.dim},
        {"intermediate_size", bindings(arch, Input{})[Symbol::ffn_dim].value_or(0)},
        {"num_hidden_layers", arch.layers},
        {"context_length", arch.context},
        {"layer_norm_epsilon", arch.norm.epsilon},
        {"tie_word_embeddings", arch.tied},
    };
}

std::vector<Extra> besides(const Architecture& arch) {
    using Place = Extra::Place;
    Besides besides(arch);
    // An edited one has other mixers, by names of their own.
    if (arch.encoder || arch.layer.mixer_layers != LayerSet::none()) return {};
    const std::int64_t given = besides.number("attention_hidden_size", arch.dim);
    const Expr width = given == arch.dim ? Expr(Symbol::dim) : Expr(given);
    besides.in_layers(Place::norm, layers_where(arch.layers, [](std::int64_t layer) { return layer == 0; }))
        .norm("pre_ln", Symbol::dim, true)
        .in_layers(Place::norm)
        .norm("ln1", Symbol::dim, true)
        .in_layers(Place::attention)
        .add("attention.time_decay", {width})
        .add("attention.time_first", {width});
    for (const char* const matrix : {"key", "value", "receptance"})
        besides.add(std::string("attention.time_mix_") + matrix, {1, 1, Symbol::dim})
            .linear(std::string("attention.") + matrix, width, Symbol::dim);
    return besides.linear("attention.output", Symbol::dim, width)
        .in_layers(Place::feed_forward)
        .add("feed_forward.time_mix_key", {1, 1, Symbol::dim})
        .add("feed_forward.time_mix_receptance", {1, 1, Symbol::dim})
        .linear("feed_forward.receptance", Symbol::dim, Symbol::dim)
        .take();
}

constexpr ComputationType computing{.refused = "this type's states"};
constexpr std::array ignored = std::to_array<std::string_view>({"attention_hidden_size", "rescale_every"});

}  // namespace rwkv

constexpr Family rwkv_family = gpt_like<rwkv_family, rwkv::read, rwkv::write, rwkv::computing>(
    "rwkv", "RWKV", rwkv::modules, {.besides = rwkv::besides, .ignored = rwkv::ignored});

}  // namespace headcount
