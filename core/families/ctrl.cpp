// CTRL (Keskar et al. 2019): GPT-2's layers with ReLU, and fixed positions that are in no file (transformers,
// modeling_ctrl.py).
#include "core/families/families.hpp"
#include "core/families/plain_type.hpp"

namespace headcount {
namespace ctrl {

constexpr auto modules = std::to_array<Module>({
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
});

// The layers' norms have this epsilon, whatever the file says of the last one's.
constexpr double epsilon = 1e-6;

void compute(ComputationReader& reader, Computation&) {
    if (reader.arch().norm.epsilon != epsilon)
        reader.reject("layer_norm_epsilon", "a last norm with an epsilon of its own is not computed here",
                      "give 1e-6, or count it");
}

constexpr ComputationType computing{.root_embedding_scale = true, .rest = compute};

constexpr PlainType type =
    changed(PlainType{.called = {"ctrl", "CTRL", modules},
                      .words = gpt_words,
                      .usual = {.dim = 1280, .layers = 48, .heads = 16, .vocab = 246534, .context = 256, .width = 8192},
                      .activation = "relu",
                      .norm = layer_norm(1e-6),
                      .head_bias = true,
                      .positions = Positions::sinusoidal,
                      .computing = computing},
            [](PlainType& own) {
                own.words.width = "dff";
                own.words.activation = {};
            });

}  // namespace ctrl

constexpr Family ctrl_family = plain_family<ctrl::type>();

}  // namespace headcount
