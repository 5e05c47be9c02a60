// XGLM (Lin et al. 2022): a decoder with the fixed positions of M2M-100, which are in no file (transformers,
// modeling_xglm.py).
#include <cmath>

#include "core/families/families.hpp"
#include "core/families/plain_type.hpp"

namespace headcount {
namespace xglm {

constexpr auto modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, "XGLMForCausalLM"},
    {1, "model", ModuleKind::container, {}, "XGLMModel"},
    {2, "embed_tokens", ModuleKind::embedding, Part::token_embedding, "XGLMScaledWordEmbedding"},
    {2, "embed_positions", ModuleKind::stateless, {}, "XGLMSinusoidalPositionalEmbedding()"},
    {2, "layers", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "XGLMDecoderLayer"},
    {4, "self_attn", ModuleKind::container, {}, "XGLMAttention"},
    {5, "k_proj", ModuleKind::linear, Part::key, {}},
    {5, "v_proj", ModuleKind::linear, Part::value, {}},
    {5, "q_proj", ModuleKind::linear, Part::query, {}},
    {5, "out_proj", ModuleKind::linear, Part::attention_output, {}},
    {4, "activation_fn", ModuleKind::activation, {}, {}},
    {4, "self_attn_layer_norm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "fc1", ModuleKind::linear, Part::up, {}},
    {4, "fc2", ModuleKind::linear, Part::down, {}},
    {4, "final_layer_norm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {2, "layer_norm", ModuleKind::norm, Part::final_norm, {}},
    {2, "layernorm_embedding", ModuleKind::norm, Part::embedding_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
});

constexpr std::int64_t first_row = 2;  // of the first position

void read_rest(ConfigReader& reader, Architecture& arch) {
    arch.position_offset = first_row;
    if (reader.flag({"add_cross_attention"}, false))
        reader.reject("add_cross_attention", "attention to another model's text is not known here", "set it to false");
}

constexpr ComputationType computing{.rest = [](ComputationReader& reader, Computation& computation) {
    computation.sinusoids.to_the_end = true;
    if (reader.flag("scale_embedding", true))
        computation.embedding_scale = std::sqrt(static_cast<double>(reader.arch().dim));
    const nlohmann::json& file = reader.arch().carried.object();
    const auto padding = file.find("pad_token_id");
    if (padding != file.end() && padding->is_number_integer() && *padding >= first_row)
        reader.reject("pad_token_id", "padding " + padding->dump() + " takes the row of a position", "give 0 or 1");
}};

// What a run computes with is read for that.
constexpr std::string_view ignored = "scale_embedding";

constexpr PlainType type{
    .called = {"xglm", "XGLM", modules},
    .words = {.dim = {"d_model", "hidden_size"},
              .layers = {"num_layers", "num_hidden_layers"},
              .heads = {"attention_heads", "num_attention_heads"},
              .width = "ffn_dim",
              .activation = "activation_function",
              .epsilon = {}},
    .usual = {.dim = 1024, .layers = 24, .heads = 16, .vocab = 256008, .context = 2048, .width = 4096},
    .activation = "gelu",
    .positions = Positions::sinusoidal,
    .computing = computing,
    .own = {read_rest},
    .rest = {.padding = 1, .ignored = ignored}};

}  // namespace xglm

constexpr Family xglm_family = plain_family<xglm::type>();

}  // namespace headcount
