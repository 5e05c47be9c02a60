// BLOOM: ALiBi positions, a norm behind the embedding, biases everywhere, one fused Q/K/V matrix
// (transformers, modeling_bloom.py).
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"

namespace headcount {
namespace bloom {

constexpr std::array<Module, 18> modules{{
    {0, "", ModuleKind::container, {}, "BloomForCausalLM"},
    {1, "transformer", ModuleKind::container, {}, "BloomModel"},
    {2, "word_embeddings", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "word_embeddings_layernorm", ModuleKind::norm, Part::embedding_norm, {}},
    {2, "h", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "BloomBlock"},
    {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "self_attention", ModuleKind::container, {}, "BloomAttention"},
    fused({5, "query_key_value", ModuleKind::linear, {Part::query, Part::key, Part::value}, {}}, Fusing::by_group),
    {5, "dense", ModuleKind::linear, Part::attention_output, {}},
    {5, "attention_dropout", ModuleKind::stateless, {}, dropout_0},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "mlp", ModuleKind::container, {}, "BloomMLP"},
    {5, "dense_h_to_4h", ModuleKind::linear, Part::up, {}},
    {5, "gelu_impl", ModuleKind::activation, {}, "BloomGelu()"},
    {5, "dense_4h_to_h", ModuleKind::linear, Part::down, {}},
    {2, "ln_f", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    arch.dim = reader.number({"n_embed", "hidden_size"}, 64);
    arch.layers = reader.number({"n_layer", "num_hidden_layers"}, 2);
    arch.vocab = reader.number({"vocab_size"}, 250880);
    arch.context = reader.number({"seq_length"}, 2048);  // in published files; ALiBi itself has no limit
    arch.positions = Positions::alibi;
    arch.embedding_norm = true;
    arch.tied = reader.flag({"tie_word_embeddings"}, true);
    arch.norm = layer_norm(reader.real({"layer_norm_epsilon"}, 1e-5));
    arch.layer.attention.heads = reader.number({"n_head", "num_attention_heads"}, 8);
    arch.layer.feed_forward = {
        .gated = false, .activation = Activation::gelu_tanh, .width = four_times(reader, "hidden_size", arch.dim)};
    set_biases(arch.layer, true);
}

// The feed-forward's width and activation have no word: they are always 4·d and GELU.
nlohmann::ordered_json write(const Architecture& arch) {
    return {
        {"architectures", {"BloomForCausalLM"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"hidden_size", arch.dim},
        {"n_layer", arch.layers},
        {"n_head", arch.layer.attention.heads},
        {"seq_length", arch.context},
        {"layer_norm_epsilon", arch.norm.epsilon},
        {"tie_word_embeddings", arch.tied},
    };
}

constexpr ComputationType computing{.rest = [](ComputationReader& reader, Computation& computation) {
    if (reader.flag("apply_residual_connection_post_layernorm", false))
        computation.normed_residual = Computation::NormedResidual{};
}};

}  // namespace bloom

constexpr Family bloom_family =
    gpt_like<bloom_family, bloom::read, bloom::write, bloom::computing>("bloom", "BLOOM", bloom::modules);

}  // namespace headcount
