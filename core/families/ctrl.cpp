// CTRL (Keskar et al. 2019): GPT-2's layers with ReLU, and fixed positions that are in no file (transformers,
// modeling_ctrl.py).
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"

namespace headcount {
namespace ctrl {

constexpr std::array<Module, 20> modules{{
    {0, "", ModuleKind::container, {}, "CTRLLMHeadModel"},
    {1, "transformer", ModuleKind::container, {}, "CTRLModel"},
    {2, "w", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "dropout", ModuleKind::stateless, {}, dropout_10},
    {2, "h", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "EncoderLayer"},
    {4, "multi_head_attention", ModuleKind::container, {}, "MultiHeadAttention"},
    {5, "Wq", ModuleKind::linear, Part::query, {}},
    {5, "Wk", ModuleKind::linear, Part::key, {}},
    {5, "Wv", ModuleKind::linear, Part::value, {}},
    {5, "dense", ModuleKind::linear, Part::attention_output, {}},
    {4, "ffn", ModuleKind::container, {}, "Sequential"},
    {5, "0", ModuleKind::linear, Part::up, {}},
    {5, "1", ModuleKind::stateless, {}, "ReLU()"},
    {5, "2", ModuleKind::linear, Part::down, {}},
    {4, "layernorm1", ModuleKind::norm, Part::attention_norm, {}},
    {4, "layernorm2", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "dropout1", ModuleKind::stateless, {}, dropout_10},
    {2, "layernorm", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    arch.dim = reader.number({"n_embd", "hidden_size"}, 1280);
    arch.layers = reader.number({"n_layer", "num_hidden_layers"}, 48);
    arch.layer.attention.heads = reader.number({"n_head", "num_attention_heads"}, 16);
    arch.vocab = reader.number({"vocab_size"}, 246534);
    arch.context = reader.number({"n_positions", "max_position_embeddings"}, 256);
    arch.positions = Positions::sinusoidal;
    arch.tied = reader.flag({"tie_word_embeddings"}, true);
    arch.head_bias = true;
    arch.norm = layer_norm(reader.real({"layer_norm_epsilon"}, 1e-6));
    arch.layer.feed_forward = {.gated = false, .activation = Activation::relu, .width = reader.number({"dff"}, 8192)};
    set_biases(arch.layer, true);
}

nlohmann::ordered_json write(const Architecture& arch) {
    return {
        {"architectures", {"CTRLLMHeadModel"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"n_positions", arch.context},
        {"n_embd", arch.dim},
        {"n_layer", arch.layers},
        {"n_head", arch.layer.attention.heads},
        {"dff", bindings(arch, Input{})[Symbol::ffn_dim].value_or(0)},
        {"layer_norm_epsilon", arch.norm.epsilon},
        {"tie_word_embeddings", arch.tied},
    };
}

// The layers' norms have this epsilon, whatever the file says of the last one's.
constexpr double epsilon = 1e-6;

void compute(ComputationReader& reader, Computation&) {
    if (reader.arch().norm.epsilon != epsilon)
        reader.reject("layer_norm_epsilon", "a last norm with an epsilon of its own is not computed here",
                      "give 1e-6, or count it");
}

constexpr ComputationType computing{.root_embedding_scale = true, .rest = compute};

}  // namespace ctrl

constexpr Family ctrl_family =
    gpt_like<ctrl_family, ctrl::read, ctrl::write, ctrl::computing>("ctrl", "CTRL", ctrl::modules);

}  // namespace headcount
