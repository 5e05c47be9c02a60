// StarCoder2: rotary positions and grouped queries with LayerNorm and biases, each token seeing a window
// (transformers, modeling_starcoder2.py).
#include <array>

#include "core/families/activations.hpp"
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"

namespace headcount {
namespace {

constexpr std::string_view usual_activation = "gelu_pytorch_tanh";

constexpr std::array<Module, 19> modules{{
    {0, "", ModuleKind::container, {}, "Starcoder2ForCausalLM"},
    {1, "model", ModuleKind::container, {}, "Starcoder2Model"},
    {2, "embed_tokens", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "layers", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "Starcoder2DecoderLayer"},
    {4, "self_attn", ModuleKind::container, {}, "Starcoder2Attention"},
    {5, "q_proj", ModuleKind::linear, Part::query, {}},
    {5, "k_proj", ModuleKind::linear, Part::key, {}},
    {5, "v_proj", ModuleKind::linear, Part::value, {}},
    {5, "o_proj", ModuleKind::linear, Part::attention_output, {}},
    {4, "mlp", ModuleKind::container, {}, "Starcoder2MLP"},
    {5, "c_fc", ModuleKind::linear, Part::up, {}},
    {5, "c_proj", ModuleKind::linear, Part::down, {}},
    {5, "act", ModuleKind::activation, {}, "GELUTanh()"},
    {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {2, "norm", ModuleKind::norm, Part::final_norm, {}},
    {2, "rotary_emb", ModuleKind::rotary, {}, "Starcoder2RotaryEmbedding"},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch;
    arch.family = &starcoder2_family();
    arch.dim = reader.number({"hidden_size"}, 3072);
    arch.layers = reader.number({"num_hidden_layers"}, 30);
    arch.vocab = reader.number({"vocab_size"}, 49152);
    arch.context = reader.number({"max_position_embeddings"}, 4096);
    arch.tied = reader.flag({"tie_word_embeddings"}, true);
    arch.norm = layer_norm(reader.real({"norm_epsilon"}, 1e-5));

    Attention& attention = arch.layer.attention;
    attention.heads = reader.number({"num_attention_heads"}, 24);
    attention.kv_heads = reader.number({"num_key_value_heads"}, 2);
    attention.head_dim = reader.optional_number({"head_dim"});
    if (std::optional<std::int64_t> window = reader.optional_number({"sliding_window"}))
        attention.window = AttentionWindow{.size = *window, .chunked = false, .layers = {}};
    arch.layer.feed_forward = {.gated = false,
                               .activation = read_activation(reader, {"hidden_act"}, usual_activation),
                               .width = reader.number({"intermediate_size"}, 12288)};
    set_biases(arch.layer, reader.flag({"use_bias"}, true));
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    const Attention& attention = arch.layer.attention;
    nlohmann::ordered_json config{
        {"architectures", {"Starcoder2ForCausalLM"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"hidden_size", arch.dim},
        {"intermediate_size", bindings(arch, Input{})[Symbol::ffn_dim].value_or(0)},
        {"num_hidden_layers", arch.layers},
        {"num_attention_heads", attention.heads},
        {"num_key_value_heads", kv_heads(arch)},
        {"hidden_act", activation_name(arch.layer.feed_forward.activation, usual_activation)},
        {"max_position_embeddings", arch.context},
        {"norm_epsilon", arch.norm.epsilon},
        {"use_bias", has_biases(arch.layer)},
        {"tie_word_embeddings", arch.tied},
    };
    if (attention.head_dim) config["head_dim"] = *attention.head_dim;
    if (attention.window) config["sliding_window"] = attention.window->size;
    return config;
}

constexpr Family family{"starcoder2", "StarCoder2", "", "model", modules, read, write};

}  // namespace

const Family& starcoder2_family() {
    return family;
}

}  // namespace headcount
