// MPT: ALiBi positions, norms with weights only, no biases, one fused Q/K/V matrix (transformers, modeling_mpt.py).
#include <array>

#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"

namespace headcount {
namespace {

constexpr std::array<Module, 17> modules{{
    {0, "", ModuleKind::container, {}, "MptForCausalLM"},
    {1, "transformer", ModuleKind::container, {}, "MptModel"},
    {2, "wte", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "blocks", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "MptBlock"},
    {4, "norm_1", ModuleKind::norm, Part::attention_norm, {}},
    {4, "attn", ModuleKind::container, {}, "MptAttention"},
    {5, "Wqkv", ModuleKind::linear, {Part::query, Part::key, Part::value}, {}},
    {5, "out_proj", ModuleKind::linear, Part::attention_output, {}},
    {4, "norm_2", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "ffn", ModuleKind::container, {}, "MptMLP"},
    {5, "up_proj", ModuleKind::linear, Part::up, {}},
    {5, "act", ModuleKind::activation, {}, "GELU(approximate='none')"},
    {5, "down_proj", ModuleKind::linear, Part::down, {}},
    {4, "resid_attn_dropout", ModuleKind::dropout, {}, "Dropout(p=0, inplace=False)"},
    {2, "norm_f", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};

// attn_config, no_bias, expansion_ratio and learned_pos_emb are carried: transformers builds the same model whatever
// they say.
Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch;
    arch.family = &mpt_family();
    arch.dim = reader.number({"d_model", "hidden_size"}, 2048);
    arch.layers = reader.number({"n_layers", "num_hidden_layers"}, 24);
    arch.vocab = reader.number({"vocab_size"}, 50368);
    arch.context = reader.number({"max_seq_len"}, 2048);
    arch.positions = Positions::alibi;
    arch.tied = reader.flag({"tie_word_embeddings"}, true);
    arch.norm = layer_norm(reader.real({"layer_norm_epsilon"}, 1e-5));
    arch.norm.bias = false;
    arch.layer.attention.heads = reader.number({"n_heads", "num_attention_heads"}, 16);
    arch.layer.feed_forward = {
        .gated = false, .activation = Activation::gelu, .width = four_times(reader, "d_model", arch.dim)};
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    return {
        {"architectures", {"MptForCausalLM"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"d_model", arch.dim},
        {"n_layers", arch.layers},
        {"n_heads", arch.layer.attention.heads},
        {"max_seq_len", arch.context},
        {"layer_norm_epsilon", arch.norm.epsilon},
        {"tie_word_embeddings", arch.tied},
    };
}

constexpr ComputationType computing = llama_computation;

constexpr Family family{"mpt", "MPT", "", "transformer", modules, read, write, compute<computing>};

}  // namespace

const Family& mpt_family() {
    return family;
}

}  // namespace headcount
