// OPT: learned positions of which the first two rows stand for none, ReLU, an embedding that may be narrower than the
// residual stream, norms before the sub-blocks or, in OPT-350M, after each sum (transformers, modeling_opt.py).
#include "core/families/families.hpp"
#include "core/families/plain_type.hpp"

namespace headcount {
namespace opt {

constexpr auto modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, "OPTForCausalLM"},
    {1, "model", ModuleKind::container, {}, "OPTModel"},
    {2, "decoder", ModuleKind::container, {}, "OPTDecoder"},
    {3, "embed_tokens", ModuleKind::embedding, Part::token_embedding, {}},
    {3, "embed_positions", ModuleKind::embedding, Part::position_embedding, "OPTLearnedPositionalEmbedding"},
    {3, "project_out", ModuleKind::linear, Part::output_projection, {}},
    {3, "project_in", ModuleKind::linear, Part::embedding_projection, {}},
    {3, "final_layer_norm", ModuleKind::norm, Part::final_norm, {}},
    {3, "layers", ModuleKind::container, {}, "ModuleList"},
    {4, "{i}", ModuleKind::layer, {}, "OPTDecoderLayer"},
    {5, "self_attn", ModuleKind::container, {}, "OPTAttention"},
    {6, "k_proj", ModuleKind::linear, Part::key, {}},
    {6, "v_proj", ModuleKind::linear, Part::value, {}},
    {6, "q_proj", ModuleKind::linear, Part::query, {}},
    {6, "out_proj", ModuleKind::linear, Part::attention_output, {}},
    {5, "activation_fn", ModuleKind::activation, {}, {}},
    // One module wherever it stands; with norms on both sides, which OPT never has, the second pair is left over.
    {5, "self_attn_layer_norm", ModuleKind::norm, Part::attention_norm, {}},
    {5, "self_attn_layer_norm", ModuleKind::norm, Part::attention_output_norm, {}, {}, Part::attention_norm},
    {5, "fc1", ModuleKind::linear, Part::up, {}},
    {5, "fc2", ModuleKind::linear, Part::down, {}},
    {5, "final_layer_norm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {5, "final_layer_norm", ModuleKind::norm, Part::feed_forward_output_norm, {}, {}, Part::feed_forward_norm},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
});

void read_rest(ConfigReader& reader, Architecture& arch) {
    arch.position_offset = 2;
    arch.embedding_dim = reader.optional_number({"word_embed_proj_dim"});
    if (arch.embedding_dim == arch.dim) arch.embedding_dim.reset();

    const bool before = reader.flag({"do_layer_norm_before"}, true);
    arch.norm.placement = before ? NormPlacement::before : NormPlacement::after_sum;
    arch.norm.final = !reader.flag({"_remove_final_layer_norm"}, false) && before;
    arch.norm.scale = arch.norm.bias = reader.flag({"layer_norm_elementwise_affine"}, true);
    set_biases(arch.layer, reader.flag({"enable_bias"}, true));
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    const bool before = arch.norm.placement == NormPlacement::before;
    config["word_embed_proj_dim"] = arch.embedding_dim.value_or(arch.dim);
    config["do_layer_norm_before"] = before;
    config["_remove_final_layer_norm"] = before && !arch.norm.final;
    config["layer_norm_elementwise_affine"] = arch.norm.scale && arch.norm.bias;
    config["enable_bias"] = has_biases(arch.layer);
}

constexpr PlainType type{
    .called = {"opt", "OPT", modules},
    .words = {.width = "ffn_dim", .activation = "activation_function", .epsilon = {}},
    .usual = {.dim = 768, .layers = 12, .heads = 12, .vocab = 50272, .context = 2048, .width = 3072},
    .activation = "relu",
    .positions = Positions::learned,
    .own = {read_rest, write_rest},
    .rest = {.padding = 1}};

}  // namespace opt

constexpr Family opt_family = plain_family<opt::type>();

}  // namespace headcount
