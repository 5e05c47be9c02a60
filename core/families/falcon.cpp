// Falcon, both decoders: the first in turn with ALiBi and biases (RW) or side by side with one norm and one key/value
// head (7B), the newer one with grouped queries and two norms (40B, 180B) or one (Falcon2 11B)
// (transformers, modeling_falcon.py).
#include "core/families/families.hpp"
#include "core/families/plain_type.hpp"

namespace headcount {
namespace falcon {

constexpr std::string_view linear = "FalconLinear";

constexpr Module named(Module module, Joining joining) {
    module.joining = joining;
    return module;
}

constexpr auto modules = std::to_array<Module>({
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
});

// True where the file says nothing; null is false.
bool read_flag(ConfigReader& reader, std::string_view name) {
    const nlohmann::json& config = reader.config();
    const auto found = config.find(name);
    return reader.flag({name}, found == config.end());
}

Joining read_joining(ConfigReader& reader, bool newer) {
    const std::int64_t norms = reader.number({"num_ln_in_parallel_attn"}, newer ? 2 : 1);
    if (norms > 2) reader.reject("num_ln_in_parallel_attn", "there are one or two norms", "give 1 or 2");
    if (!read_flag(reader, "parallel_attn")) return Joining::in_turn;
    return norms == 2 ? Joining::parallel : Joining::parallel_shared;
}

void read_rest(ConfigReader& reader, Architecture& arch) {
    if (reader.flag({"alibi"}, false)) arch.positions = Positions::alibi;
    // The newer decoder groups its queries; the other has one key/value head, or one for each head, whatever
    // num_kv_heads says.
    // Files of before it was part of transformers say which decoder it is by how many key/value heads there are.
    const std::optional<std::int64_t> older_kv_heads = reader.optional_number({"n_head_kv"});
    const bool newer = reader.flag({"new_decoder_architecture"}, older_kv_heads.has_value());
    const bool multi_query = read_flag(reader, "multi_query");
    const std::optional<std::int64_t> kv_heads = reader.optional_number({"num_kv_heads", "n_head_kv"});
    if (newer) {
        arch.layer.attention.kv_heads = kv_heads;
    } else if (multi_query) {
        arch.layer.attention.kv_heads = 1;
    }
    arch.layer.joining = read_joining(reader, newer);
    set_biases(arch.layer, reader.flag({"bias"}, false));
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    const std::int64_t heads = arch.layer.attention.heads, kv = kv_heads(arch);
    const Joining joining = arch.layer.joining;
    const bool newer = joining == Joining::parallel || (kv != 1 && kv != heads);
    config["alibi"] = arch.positions == Positions::alibi;
    config["bias"] = has_biases(arch.layer);
    config["multi_query"] = kv == 1;
    config["parallel_attn"] = joining != Joining::in_turn;
    config["new_decoder_architecture"] = newer;
    if (newer) {
        config["num_kv_heads"] = kv;
        config["num_ln_in_parallel_attn"] = joining == Joining::parallel ? 2 : 1;
    }
}

constexpr ComputationType computing{.rest = [](ComputationReader&, Computation& computation) {
    if (computation.alibi) computation.alibi->rounded_before_scale = true;
}};

constexpr PlainType type{.called = {"falcon", "Falcon", modules},
                         .words = {.dim = {"n_embed", "hidden_size", "hidden_size"},
                                   .layers = {"num_hidden_layers", "n_layer"},
                                   .heads = {"num_attention_heads", "n_head"},
                                   .width = "ffn_hidden_size",
                                   .activation = "activation",
                                   .epsilon = "layer_norm_epsilon"},
                         .usual = {.dim = 4544, .layers = 32, .heads = 71, .vocab = 65024, .context = 2048},
                         .activation = "gelu",
                         .computing = computing,
                         .own = {read_rest, write_rest}};

}  // namespace falcon

constexpr Family falcon_family = known_to_recipes(plain_family<falcon::type>(), {.falcon = true});

}  // namespace headcount
