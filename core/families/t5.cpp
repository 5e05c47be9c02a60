// T5, mT5 and UMT5 (Raffel et al. 2020; Xue et al. 2021; Chung et al. 2023): an encoder and a decoder that share one
// embedding, distances in the place of positions, UMT5's in every layer by themselves, scores that nothing scales
// (transformers, modeling_t5.py, modeling_umt5.py).
#include <cmath>

#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"

namespace headcount {
namespace t5 {

constexpr std::array<Module, 4> projection_modules{{
    {7, "q", ModuleKind::linear, Part::query, {}},
    {7, "k", ModuleKind::linear, Part::key, {}},
    {7, "v", ModuleKind::linear, Part::value, {}},
    {7, "o", ModuleKind::linear, Part::attention_output, {}},
}};

// What stands behind each sub-block.
template <FixedText name>
constexpr std::array<Module, 2> closing_modules(Part norm) {
    return {{
        {6, "layer_norm", ModuleKind::norm, norm, joined_name<name, "LayerNorm()">},
        {6, "dropout", ModuleKind::stateless, {}, dropout_10},
    }};
}

// "encoder.block.0.layer.0.SelfAttention": each sub-block by its number. The first layer keeps the stack's distances.
template <FixedText name>
constexpr auto self_attention_modules =
    join(std::array<Module, 3>{{
             {4, "layer", ModuleKind::container, {}, "ModuleList"},
             {5, "0", ModuleKind::container, {}, joined_name<name, "LayerSelfAttention">},
             {6, "SelfAttention", ModuleKind::container, {}, joined_name<name, "Attention">},
         }},
         projection_modules,
         std::array<Module, 1>{{{7, "relative_attention_bias", ModuleKind::embedding, Part::relative_bias, {}}}},
         closing_modules<name>(Part::attention_norm));

template <FixedText name>
constexpr auto cross_attention_modules =
    join(std::array<Module, 2>{{
             {5, "1", ModuleKind::cross, {}, joined_name<name, "LayerCrossAttention">},
             {6, "EncDecAttention", ModuleKind::container, {}, joined_name<name, "Attention">},
         }},
         projection_modules, closing_modules<name>(Part::attention_norm));

template <FixedText name>
constexpr auto feed_forward_modules(std::string_view place) {
    return join(
        std::array<Module, 12>{{
            {5, place, ModuleKind::container, {}, joined_name<name, "LayerFF">},
            {6, "DenseReluDense", ModuleKind::container, {}, joined_name<name, "DenseActDense">, {}, Part::gate},
            {7, "wi", ModuleKind::linear, Part::up, {}, {}, Part::gate},
            {7, "wo", ModuleKind::linear, Part::down, {}, {}, Part::gate},
            {7, "dropout", ModuleKind::stateless, {}, dropout_10},
            {7, "act", ModuleKind::activation, {}, {}},
            {6, "DenseReluDense", ModuleKind::container, {}, joined_name<name, "DenseGatedActDense">, Part::gate},
            {7, "wi_0", ModuleKind::linear, Part::gate, {}},
            {7, "wi_1", ModuleKind::linear, Part::up, {}, Part::gate},
            {7, "wo", ModuleKind::linear, Part::down, {}, Part::gate},
            {7, "dropout", ModuleKind::stateless, {}, dropout_10},
            {7, "act", ModuleKind::activation, {}, {}},
        }},
        closing_modules<name>(Part::feed_forward_norm));
}

template <FixedText name>
constexpr auto stack_modules(std::string_view stack, ModuleKind kind) {
    return std::array<Module, 4>{{
        {1, stack, kind, {}, joined_name<name, "Stack">},
        {2, "embed_tokens", ModuleKind::embedding, Part::token_embedding, {}},
        {2, "block", ModuleKind::container, {}, "ModuleList"},
        {3, "{i}", ModuleKind::layer, {}, joined_name<name, "Block">},
    }};
}

template <FixedText name>
constexpr std::array<Module, 2> final_norm_modules{{
    {2, "final_layer_norm", ModuleKind::norm, Part::final_norm, joined_name<name, "LayerNorm()">},
    {2, "dropout", ModuleKind::stateless, {}, dropout_10},
}};

template <FixedText name>
constexpr auto modules_of = join(std::array<Module, 2>{{
                                     {0, "", ModuleKind::container, {}, joined_name<name, "ForConditionalGeneration">},
                                     {1, "shared", ModuleKind::embedding, Part::token_embedding, {}},
                                 }},
                                 stack_modules<name>("encoder", ModuleKind::encoder), self_attention_modules<name>,
                                 feed_forward_modules<name>("1"), final_norm_modules<name>,
                                 stack_modules<name>("decoder", ModuleKind::decoder), self_attention_modules<name>,
                                 cross_attention_modules<name>, feed_forward_modules<name>("2"),
                                 final_norm_modules<name>,
                                 std::array<Module, 1>{{{1, "lm_head", ModuleKind::linear, Part::output_head, {}}}});

// Where the two differ: what an absent field means.
struct Defaults {
    std::int64_t vocab = 32128, ffn_dim = 2048, layers = 6, heads = 8;
    std::string_view feed_forward = "relu";
    bool by_layer = false;  // each layer has distances of its own
};

// "relu", "gated-gelu" (whose GELU is the one by tanh), "gated-silu"; transformers writes both halves of that besides,
// and goes by them.
DenseFeedForward feed_forward_of(ConfigReader& reader, const Defaults& defaults) {
    const std::string said = reader.text({"feed_forward_proj"}, defaults.feed_forward);
    constexpr std::string_view gated = "gated-";
    const bool gates = said.starts_with(gated);
    const std::string function = said == "gated-gelu" ? "gelu_new" : gates ? said.substr(gated.size()) : said;
    return {.gated = reader.flag({"is_gated_act"}, gates),
            .activation = read_activation(reader, {"dense_act_fn"}, function),
            .width = reader.number({"d_ff"}, defaults.ffn_dim)};
}

template <const Defaults& defaults>
void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    arch.dim = reader.number({"d_model", "hidden_size"}, 512);
    arch.vocab = reader.number({"vocab_size"}, defaults.vocab);
    arch.context = reader.number({"n_positions"}, 512);
    const std::int64_t layers = reader.number({"num_layers", "num_hidden_layers"}, defaults.layers);
    arch.encoder = Encoder{layers};
    arch.layers = reader.number({"num_decoder_layers"}, layers);
    arch.positions = Positions::relative;
    arch.norm.epsilon = reader.real({"layer_norm_epsilon"}, 1e-6);
    arch.tied = reader.flag({"tie_word_embeddings"}, true);
    Attention& attention = arch.layer.attention;
    attention.heads = reader.number({"num_heads", "num_attention_heads"}, defaults.heads);
    attention.head_dim = reader.number({"d_kv", "head_dim"}, 64);
    attention.relative_buckets = reader.number({"relative_attention_num_buckets"}, 32);
    attention.relative_by_layer = defaults.by_layer;
    arch.layer.feed_forward = feed_forward_of(reader, defaults);
    reader.flag({"is_encoder_decoder"}, true);  // it is, whatever the file says
    if (reader.flag({"is_decoder"}, false))
        reader.reject("is_decoder", "a decoder alone is not known here", "leave it out");
}

nlohmann::ordered_json write(const Architecture& arch) {
    const DenseFeedForward& form = arch.layer.feed_forward;
    const std::string function =
        form.gated && form.activation == Activation::gelu_tanh ? "gelu" : std::string(activation_name(form.activation));
    return {
        {"architectures", {arch.family->modules.front().class_name}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"d_model", arch.dim},
        {"d_kv", bindings(arch, Input{})[Symbol::head_dim].value_or(0)},
        {"d_ff", bindings(arch, Input{})[Symbol::ffn_dim].value_or(0)},
        {"num_layers", arch.encoder ? arch.encoder->layers : arch.layers},
        {"num_decoder_layers", arch.layers},
        {"num_heads", arch.layer.attention.heads},
        {"relative_attention_num_buckets", arch.layer.attention.relative_buckets},
        {"feed_forward_proj", (form.gated ? "gated-" : "") + function},
        {"layer_norm_epsilon", arch.norm.epsilon},
        {"is_encoder_decoder", true},
        {"tie_word_embeddings", arch.tied},
    };
}

void read_computation(ComputationReader& reader, Computation& computation) {
    computation.score_scale = 1;
    computation.relative_distance = reader.number("relative_attention_max_distance", 128);
}
constexpr ComputationType multilingual_computing{.rest = read_computation};

// What the output head reads is scaled by one over the root of the width where that head is the embedding, unless the
// file says otherwise.
constexpr ComputationType first_computing{.rest = [](ComputationReader& reader, Computation& computation) {
    read_computation(reader, computation);
    if (reader.flag("scale_decoder_outputs", reader.arch().tied))
        computation.logit_scale = 1 / std::sqrt(static_cast<double>(reader.arch().dim));
}};

// The same, whatever the file says of it.
constexpr ComputationType by_layer_computing{.rest = [](ComputationReader& reader, Computation& computation) {
    read_computation(reader, computation);
    if (reader.arch().tied) computation.logit_scale = 1 / std::sqrt(static_cast<double>(reader.arch().dim));
}};

constexpr Defaults first{};
constexpr Defaults multilingual{
    .vocab = 250112, .ffn_dim = 1024, .layers = 8, .heads = 6, .feed_forward = "gated-gelu"};

template <const Family& family, const Defaults& defaults, const ComputationType& computing>
constexpr Family family_of(std::string_view type, std::string_view name, std::span<const Module> modules) {
    return gpt_like<family, read<defaults>, write, computing>(type, name, modules);
}

constexpr std::array first_modules = modules_of<"T5">;
constexpr std::array multilingual_modules = modules_of<"MT5">;

constexpr Defaults by_layer = [] {
    Defaults other = multilingual;
    other.by_layer = true;
    return other;
}();
constexpr std::array by_layer_modules = modules_of<"UMT5">;

}  // namespace t5

constexpr Family t5_family = t5::family_of<t5_family, t5::first, t5::first_computing>("t5", "T5", t5::first_modules);
constexpr Family mt5_family =
    t5::family_of<mt5_family, t5::multilingual, t5::multilingual_computing>("mt5", "mT5", t5::multilingual_modules);
constexpr Family umt5_family =
    t5::family_of<umt5_family, t5::by_layer, t5::by_layer_computing>("umt5", "UMT5", t5::by_layer_modules);

}  // namespace headcount
