// BLOOM: ALiBi positions, a norm behind the embedding, biases everywhere, one fused Q/K/V matrix
// (transformers, modeling_bloom.py).
#include "core/families/families.hpp"
#include "core/families/plain_type.hpp"

namespace headcount {
namespace bloom {

constexpr auto modules = std::to_array<Module>({
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
});

constexpr ComputationType computing{.rest = [](ComputationReader& reader, Computation& computation) {
    if (reader.flag("apply_residual_connection_post_layernorm", false))
        computation.normed_residual = Computation::NormedResidual{};
}};

// The feed-forward's width and activation have no word: they are always 4·d and GELU.
constexpr PlainType type{.called = {"bloom", "BLOOM", modules},
                         .words = {.dim = {"n_embed", "hidden_size", "hidden_size"},
                                   .layers = {"n_layer", "num_hidden_layers"},
                                   .heads = {"n_head", "num_attention_heads"},
                                   .context = {"seq_length"},  // in published files; ALiBi itself has no limit
                                   .width = {},
                                   .activation = {},
                                   .epsilon = "layer_norm_epsilon"},
                         .usual = {.dim = 64, .layers = 2, .heads = 8, .vocab = 250880, .context = 2048},
                         .activation = "gelu_new",
                         .embedding_norm = true,
                         .positions = Positions::alibi,
                         .computing = computing};

}  // namespace bloom

constexpr Family bloom_family = plain_family<bloom::type>();

}  // namespace headcount
