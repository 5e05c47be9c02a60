// Falcon, both decoders: the first in turn with ALiBi and biases (RW) or side by side with one norm and one key/value
// head (7B), the newer one with grouped queries and two norms (40B, 180B) or one (Falcon2 11B)
// (transformers, modeling_falcon.py).
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"

namespace headcount {
namespace falcon {

constexpr std::string_view linear = "FalconLinear";

constexpr Module named(Module module, Joining joining) {
    module.joining = joining;
    return module;
}

constexpr std::array<Module, 21> modules{{
    {0, "", ModuleKind::container, {}, "FalconForCausalLM"},
    {1, "transformer", ModuleKind::container, {}, "FalconModel"},
    {2, "word_embeddings", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "h", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "FalconDecoderLayer"},
    {4, "self_attention", ModuleKind::container, {}, "FalconAttention"},
    fused({5, "query_key_value", ModuleKind::linear, {Part::query, Part::key, Part::value}, linear}, Fusing::by_group),
    {5, "dense", ModuleKind::linear, Part::attention_output, linear},
    {5, "attention_dropout", ModuleKind::stateless, {}, dropout_0},
    {4, "mlp", ModuleKind::container, {}, "FalconMLP"},
    {5, "dense_h_to_4h", ModuleKind::linear, Part::up, linear},
    {5, "act", ModuleKind::activation, {}, {}},
    {5, "dense_4h_to_h", ModuleKind::linear, Part::down, linear},
    named({4, "ln_attn", ModuleKind::norm, Part::attention_norm, {}}, Joining::parallel),
    named({4, "ln_mlp", ModuleKind::norm, Part::feed_forward_norm, {}}, Joining::parallel),
    named({4, "post_attention_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}}, Joining::in_turn),
    named({4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}}, Joining::in_turn),
    named({4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}}, Joining::parallel_shared),
    {2, "ln_f", ModuleKind::norm, Part::final_norm, {}},
    {2, "rotary_emb", ModuleKind::rotary_always, {}, "FalconRotaryEmbedding"},  // registered with ALiBi too
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};

// True where the file says nothing; null is false.
bool read_flag(ConfigReader& reader, const nlohmann::json& config, std::string_view name) {
    const auto found = config.find(name);
    return reader.flag({name}, found == config.end());
}

Joining read_joining(ConfigReader& reader, const nlohmann::json& config, bool newer) {
    const std::int64_t norms = reader.number({"num_ln_in_parallel_attn"}, newer ? 2 : 1);
    if (norms > 2) reader.reject("num_ln_in_parallel_attn", "there are one or two norms", "give 1 or 2");
    if (!read_flag(reader, config, "parallel_attn")) return Joining::in_turn;
    return norms == 2 ? Joining::parallel : Joining::parallel_shared;
}

void read(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    arch.dim = reader.number({"n_embed", "hidden_size"}, 4544);
    arch.layers = reader.number({"num_hidden_layers", "n_layer"}, 32);
    arch.vocab = reader.number({"vocab_size"}, 65024);
    arch.context = reader.number({"max_position_embeddings"}, 2048);
    arch.positions = reader.flag({"alibi"}, false) ? Positions::alibi : Positions::rope;
    arch.tied = reader.flag({"tie_word_embeddings"}, true);
    arch.norm = layer_norm(reader.real({"layer_norm_epsilon"}, 1e-5));

    // The newer decoder groups its queries; the other has one key/value head, or one for each head, whatever
    // num_kv_heads says.
    // Files of before it was part of transformers say which decoder it is by how many key/value heads there are.
    const std::optional<std::int64_t> older_kv_heads = reader.optional_number({"n_head_kv"});
    const bool newer = reader.flag({"new_decoder_architecture"}, older_kv_heads.has_value());
    const bool multi_query = read_flag(reader, config, "multi_query");
    const std::optional<std::int64_t> kv_heads = reader.optional_number({"num_kv_heads", "n_head_kv"});
    arch.layer.attention.heads = reader.number({"num_attention_heads", "n_head"}, 71);
    if (newer) {
        arch.layer.attention.kv_heads = kv_heads;
    } else if (multi_query) {
        arch.layer.attention.kv_heads = 1;
    }
    arch.layer.joining = read_joining(reader, config, newer);

    const std::optional<std::int64_t> width = reader.optional_number({"ffn_hidden_size"});
    arch.layer.feed_forward = {.gated = false,
                               .activation = read_activation(reader, {"activation"}, "gelu"),
                               .width = width ? *width : four_times(reader, "hidden_size", arch.dim)};
    set_biases(arch.layer, reader.flag({"bias"}, false));
}

nlohmann::ordered_json write(const Architecture& arch) {
    const std::int64_t heads = arch.layer.attention.heads, kv = kv_heads(arch);
    const Joining joining = arch.layer.joining;
    const bool newer = joining == Joining::parallel || (kv != 1 && kv != heads);
    nlohmann::ordered_json config{
        {"architectures", {"FalconForCausalLM"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"hidden_size", arch.dim},
        {"ffn_hidden_size", bindings(arch, Input{})[Symbol::ffn_dim].value_or(0)},
        {"num_hidden_layers", arch.layers},
        {"num_attention_heads", heads},
        {"activation", activation_name(arch.layer.feed_forward.activation)},
        {"max_position_embeddings", arch.context},
        {"layer_norm_epsilon", arch.norm.epsilon},
        {"alibi", arch.positions == Positions::alibi},
        {"bias", has_biases(arch.layer)},
        {"multi_query", kv == 1},
        {"parallel_attn", joining != Joining::in_turn},
        {"new_decoder_architecture", newer},
        {"tie_word_embeddings", arch.tied},
    };
    if (newer) {
        config["num_kv_heads"] = kv;
        config["num_ln_in_parallel_attn"] = joining == Joining::parallel ? 2 : 1;
    }
    return config;
}

constexpr ComputationType computing{.rest = [](ComputationReader&, Computation& computation) {
    if (computation.alibi) computation.alibi->rounded_before_scale = true;
}};

}  // namespace falcon

constexpr Family falcon_family = known_to_recipes(
    gpt_like<falcon_family, falcon::read, falcon::write, falcon::computing>("falcon", "Falcon", falcon::modules),
    {.falcon = true});

}  // namespace headcount
