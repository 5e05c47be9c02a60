// CodeGen: GPT-J with queries, values and keys in one matrix, in four parts (transformers, modeling_codegen.py).
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"

namespace headcount {
namespace codegen {

constexpr std::array<Module, 20> modules{{
    {0, "", ModuleKind::container, {}, "CodeGenForCausalLM"},
    {1, "transformer", ModuleKind::container, {}, "CodeGenModel"},
    {2, "wte", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "drop", ModuleKind::stateless, {}, dropout_0},
    {2, "h", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "CodeGenBlock"},
    {4, "ln_1", ModuleKind::norm, Part::attention_norm, {}},
    {4, "attn", ModuleKind::container, {}, "CodeGenAttention"},
    {5, "attn_dropout", ModuleKind::stateless, {}, dropout_0},
    {5, "resid_dropout", ModuleKind::stateless, {}, dropout_0},
    fused({5, "qkv_proj", ModuleKind::linear, {Part::query, Part::value, Part::key}, {}}, Fusing::in_quarters),
    {5, "out_proj", ModuleKind::linear, Part::attention_output, {}},
    {4, "ln_2", ModuleKind::norm, Part::feed_forward_norm, {}},  // of an edited one: as GPT-2 calls it
    {4, "mlp", ModuleKind::container, {}, "CodeGenMLP"},
    {5, "fc_in", ModuleKind::linear, Part::up, {}},
    {5, "fc_out", ModuleKind::linear, Part::down, {}},
    {5, "act", ModuleKind::activation, {}, {}},
    {5, "dropout", ModuleKind::stateless, {}, dropout_0},
    {2, "ln_f", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    arch.dim = reader.number({"n_embd", "hidden_size"}, 4096);
    arch.layers = reader.number({"n_layer", "num_hidden_layers"}, 28);
    Attention& attention = arch.layer.attention;
    attention.heads = reader.number({"n_head", "num_attention_heads"}, 16);
    attention.rotary_dim = reader.number({"rotary_dim"}, 64);
    arch.vocab = reader.number({"vocab_size"}, 50400);
    arch.context = reader.number({"n_positions", "max_position_embeddings"}, 2048);
    arch.tied = reader.flag({"tie_word_embeddings"}, false);
    arch.head_bias = true;
    arch.norm = layer_norm(reader.real({"layer_norm_epsilon"}, 1e-5));
    const std::optional<std::int64_t> width = reader.optional_number({"n_inner"});
    arch.layer.feed_forward = {.gated = false,
                               .activation = read_activation(reader, {"activation_function"}, "gelu_new"),
                               .width = width ? *width : four_times(reader, "n_embd", arch.dim),
                               .bias = true};
    arch.layer.joining = Joining::parallel_shared;
}

nlohmann::ordered_json write(const Architecture& arch) {
    const Bindings values = bindings(arch, Input{});
    return {
        {"architectures", {"CodeGenForCausalLM"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"n_positions", arch.context},
        {"n_embd", arch.dim},
        {"n_layer", arch.layers},
        {"n_head", arch.layer.attention.heads},
        {"rotary_dim", arch.layer.attention.rotary_dim.value_or(values[Symbol::head_dim].value_or(0))},
        {"n_inner", values[Symbol::ffn_dim].value_or(0)},
        {"activation_function", activation_name(arch.layer.feed_forward.activation, "gelu_new")},
        {"layer_norm_epsilon", arch.norm.epsilon},
        {"tie_word_embeddings", arch.tied},
    };
}

constexpr ComputationType computing{.pairs = RopePairs::neighbours};

}  // namespace codegen

constexpr Family codegen_family =
    gpt_like<codegen_family, codegen::read, codegen::write, codegen::computing>("codegen", "CodeGen", codegen::modules);

}  // namespace headcount
