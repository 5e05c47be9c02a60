// RWKV-6 (Finch, Peng et al. 2024) as Hugging Face's own code for it names its parts (RWKV/v6-Finch-1B6-HF), and RWKV-7
// (Goose, Peng et al. 2025) as flash-linear-attention names them (fla/models/rwkv7, fla/layers/rwkv7.py).
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/families/families.hpp"
#include "core/families/rwkv_like.hpp"

namespace headcount {
namespace rwkv {

// A state of heads as wide as high, over the whole width, in all layers.
void set_heads(ConfigReader& reader, std::string_view field, std::int64_t head, Architecture& arch, Recurrence of) {
    if (arch.dim % head != 0)
        reader.reject(field,
                      std::to_string(head) + " columns of a head do not divide a width of " + std::to_string(arch.dim),
                      "give a size that divides the width");
    of.heads = of.groups = std::max<std::int64_t>(1, arch.dim / head);
    of.state_dim = of.head_dim = head;
    of.conv_bias = false;
    arch.layer.recurrence = std::move(of);
    arch.layer.attention.heads = of.heads;  // as it would be if some layers had it
}

// So much of the width, down to a multiple of 32.
std::int64_t rounded_down(std::int64_t dim, double ratio) {
    return std::max<std::int64_t>(32, static_cast<std::int64_t>(static_cast<double>(dim) * ratio) / 32 * 32);
}

}  // namespace rwkv

namespace rwkv6 {

constexpr auto modules =
    join(rwkv::first_modules<"Rwkv6">,
         std::to_array<Module>({
             {5, "time_maa_x", ModuleKind::bare_rows, Part::low_blend, {}},
             {5, "time_maa_w", ModuleKind::bare_rows, Part::step_blend, {}},
             {5, "time_maa_k", ModuleKind::bare_rows, Part::key_blend, {}},
             {5, "time_maa_v", ModuleKind::bare_rows, Part::value_blend, {}},
             {5, "time_maa_r", ModuleKind::bare_rows, Part::query_blend, {}},
             {5, "time_maa_g", ModuleKind::bare_rows, Part::gate_blend, {}},
             {5, "time_maa_w1", ModuleKind::bare, Part::share_down, {}},
             {5,
              "time_maa_w2",
              ModuleKind::bare_stack,
              {Part::step_share, Part::key_share, Part::value_share, Part::query_share, Part::gate_share},
              {}},
             {5, "time_decay", ModuleKind::bare_rows, Part::step_bias, {}},
             {5, "time_decay_w1", ModuleKind::bare, Part::state_step_down, {}},
             {5, "time_decay_w2", ModuleKind::bare, Part::state_step, {}},
             {5, "time_faaaa", ModuleKind::bare, Part::first_weight, {}},
             {5, "receptance", ModuleKind::linear, Part::state_query, {}},
             {5, "key", ModuleKind::linear, Part::state_key, {}},
             {5, "value", ModuleKind::linear, Part::state_value, {}},
             {5, "output", ModuleKind::linear, Part::state_output, {}},
             {5, "gate", ModuleKind::linear, Part::state_gate, {}},
             {5, "ln_x", ModuleKind::norm, Part::state_norm, "GroupNorm"},
         }),
         rwkv::last_modules<"Rwkv6">("time_maa_k", "time_maa_r"));

void read_rest(ConfigReader& reader, Architecture& arch) {
    for (const char* const field : {"proj_low_rank_dim", "expand_k"})
        if (reader.optional_number({field}))
            reader.reject(field, "flash-linear-attention's own form of RWKV-6 is not known here",
                          "open a model in the form of RWKV/v6-Finch-1B6-HF");
    if (const std::int64_t width = reader.optional_number({"attention_hidden_size"}).value_or(arch.dim);
        width != arch.dim)
        reader.reject("attention_hidden_size", "states of another width than the model's are not known here",
                      "give hidden_size, or leave it out");
    // No field of the published files says these; GGUF's do.
    const bool wide = arch.dim == 4096;
    rwkv::set_heads(reader, "head_size", reader.number({"head_size"}, 64), arch,
                    {.kind = RecurrenceKind::dynamic_decay,
                     .step_rank = reader.number({"time_decay_extra_dim"}, wide ? 128 : 64),
                     .blend_rank = reader.number({"time_mix_extra_dim"}, wide ? 64 : 32)});
    if (!said(reader.config(), "intermediate_size")) arch.layer.feed_forward.width = rwkv::rounded_down(arch.dim, 3.5);
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    const Recurrence state = arch.layer.recurrence.value_or(Recurrence{});
    config["attention_hidden_size"] = arch.dim;
    config["head_size"] = state.state_dim;
    config["time_mix_extra_dim"] = state.blend_rank;
    config["time_decay_extra_dim"] = state.step_rank;
}

constexpr ComputationType computing{.rest = [](ComputationReader& reader, Computation& computation) {
    const double divisor = reader.positive("head_size_divisor", 8);
    computation.read_norm_epsilon = 1e-5 * divisor * divisor;
}};
// Every so many layers the stream, and the matrices that add to it, are halved, so that float16 holds them.
constexpr std::string_view ignored = "rescale_every head_size_divisor num_attention_heads";

constexpr PlainType type = changed(rwkv::first_type, [](PlainType& own) {
    own.called = {"rwkv6", "RWKV-6", modules};
    own.usual.vocab = 65536;
    own.usual.context = 4096;
    own.computing = computing;
    own.own = {read_rest, write_rest};
    own.rest.ignored = ignored;
});

}  // namespace rwkv6

namespace rwkv7 {

constexpr std::array modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, "RWKV7ForCausalLM"},
    {1, "model", ModuleKind::container, {}, "RWKV7Model"},
    {2, "embeddings", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "layers.0.pre_norm", ModuleKind::norm, Part::embedding_norm, {}},
    {2, "layers", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "RWKV7Block"},
    {4, "attn_norm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "attn", ModuleKind::container, {}, "RWKV7Attention"},
    {5, "x_r", ModuleKind::bare_rows, Part::query_blend, {}},
    {5, "x_w", ModuleKind::bare_rows, Part::step_blend, {}},
    {5, "x_k", ModuleKind::bare_rows, Part::key_blend, {}},
    {5, "x_v", ModuleKind::bare_rows, Part::value_blend, {}},
    {5, "x_a", ModuleKind::bare_rows, Part::write_blend, {}},
    {5, "x_g", ModuleKind::bare_rows, Part::gate_blend, {}},
    {5, "k_k", ModuleKind::bare, Part::erased_key, {}},
    {5, "k_a", ModuleKind::bare, Part::written_key, {}},
    {5, "r_k", ModuleKind::bare, Part::first_weight, {}},
    {5, "r_proj", ModuleKind::linear, Part::state_query, {}},
    {5, "k_proj", ModuleKind::linear, Part::state_key, {}},
    {5, "v_proj", ModuleKind::linear, Part::state_value, {}},
    {5, "o_proj", ModuleKind::linear, Part::state_output, {}},
    {5, "w_lora", ModuleKind::container, {}, "LoRA"},
    {6, "lora", ModuleKind::container, {}, "Sequential"},
    {7, "0", ModuleKind::linear, Part::state_step_down, {}},
    {7, "2", ModuleKind::linear, Part::state_step, {}},
    {7, "2.bias", ModuleKind::bare, Part::step_bias, {}},
    {5, "v_lora", ModuleKind::container, {}, "LoRA"},
    {6, "lora", ModuleKind::container, {}, "Sequential"},
    {7, "0", ModuleKind::linear, Part::state_value_down, {}},
    {7, "2", ModuleKind::linear, Part::first_share, {}},
    {5, "a_lora", ModuleKind::container, {}, "LoRA"},
    {6, "lora", ModuleKind::container, {}, "Sequential"},
    {7, "0", ModuleKind::linear, Part::state_write_down, {}},
    {7, "2", ModuleKind::linear, Part::state_write, {}},
    {5, "g_lora", ModuleKind::container, {}, "LoRA"},
    {6, "lora", ModuleKind::container, {}, "Sequential"},
    {7, "0", ModuleKind::linear, Part::state_gate_down, {}},
    {7, "2", ModuleKind::linear, Part::state_gate, {}},
    {5, "g_norm", ModuleKind::norm, Part::state_norm, "GroupNorm"},
    {4, "ffn_norm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "ffn", ModuleKind::container, {}, "RWKV7FeedForward"},
    {5, "x_k", ModuleKind::bare, Part::up_blend, {}},
    {5, "key", ModuleKind::linear, Part::up, {}},
    {5, "value", ModuleKind::linear, Part::down, {}},
    {2, "norm", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
});

// The file's, or where it says null a multiple of the width's root, rounded to 32.
std::int64_t rank(ConfigReader& reader, const char* field, std::int64_t otherwise, double scale) {
    const nlohmann::json& config = reader.config();
    if (!config.contains(field) || !config[field].is_null()) return reader.number({field}, otherwise);
    reader.optional_number({field});
    return std::max<std::int64_t>(32, static_cast<std::int64_t>(std::nearbyint(scale / 32)) * 32);
}

void refuse_other_values(ConfigReader& reader, const Architecture& arch) {
    const nlohmann::json& config = reader.config();
    const auto found = config.find("value_dim");
    if (found == config.end() || found->is_null() || *found == arch.dim) return;
    if (found->is_array() && std::ranges::all_of(*found, [&](const auto& each) { return each == arch.dim; })) return;
    reader.reject("value_dim", "values of another width than the model's are not known here",
                  "give hidden_size, or leave it out");
}

void read_rest(ConfigReader& reader, Architecture& arch) {
    const nlohmann::json& config = reader.config();
    arch.norm.bias = reader.flag({"norm_bias"}, true);
    arch.embedding_norm = reader.flag({"norm_first"}, true);
    if (said(config, "attn"))
        reader.reject("attn", "layers with attention between these are not known here", "leave it out");
    refuse_other_values(reader, arch);
    const std::optional<std::int64_t> columns = reader.optional_number({"head_dim"}),
                                      heads = reader.optional_number({"num_heads"});
    const bool counted = config.contains("head_dim") && !columns && heads;
    const std::int64_t head = counted ? arch.dim / std::max<std::int64_t>(1, *heads) : columns.value_or(64);
    const double root = std::sqrt(static_cast<double>(arch.dim)), wide = root * static_cast<double>(head) / 64;
    rwkv::set_heads(reader, "head_dim", std::max<std::int64_t>(1, head), arch,
                    {.kind = RecurrenceKind::general_delta,
                     .step_rank = rank(reader, "decay_low_rank_dim", 64, 2.5 * wide),
                     .write_rank = rank(reader, "a_low_rank_dim", 64, 2.5 * wide),
                     .value_rank = rank(reader, "v_low_rank_dim", 16, 1.7 * wide),
                     .gate_rank = rank(reader, "gate_low_rank_dim", 128, 5 * root)});
    if (reader.text({"hidden_act"}, "sqrelu") != "sqrelu")
        reader.reject("hidden_act", "another function than the square of ReLU is not known here", "give sqrelu");
    const double ratio = reader.positive({"hidden_ratio"}).value_or(4);
    const auto wanted = static_cast<std::int64_t>(static_cast<double>(arch.dim) * ratio);
    if (!said(config, "intermediate_size")) arch.layer.feed_forward.width = (wanted + 31) / 32 * 32;
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    const Recurrence state = arch.layer.recurrence.value_or(Recurrence{});
    config["head_dim"] = state.state_dim;
    config["decay_low_rank_dim"] = state.step_rank;
    config["a_low_rank_dim"] = state.write_rank;
    config["v_low_rank_dim"] = state.value_rank;
    config["gate_low_rank_dim"] = state.gate_rank;
    config["norm_bias"] = arch.norm.bias;
    config["norm_first"] = arch.embedding_norm;
}

constexpr ComputationType computing{.rest = [](ComputationReader& reader, Computation& computation) {
    const std::optional<Recurrence>& state = reader.arch().layer.recurrence;
    if (state) computation.read_norm_epsilon = static_cast<double>(state->state_dim) * reader.arch().norm.epsilon;
}};

constexpr FieldWords words{.heads = {}, .activation = {}, .epsilon = "norm_eps"};

constexpr PlainType type = changed(rwkv::first_type, [](PlainType& own) {
    own.called = {"rwkv7", "RWKV-7", modules};
    own.words = words;  // whose lists must outlive this
    own.usual = {.dim = 2048, .layers = 24, .vocab = 32000, .context = 2048};
    own.computing = computing;
    own.own = {read_rest, write_rest};
    own.rest.ignored =
        "attn_mode fuse_norm fuse_cross_entropy fuse_linear_cross_entropy use_l2warp value_dim hidden_ratio "
        "num_heads attn";
});

}  // namespace rwkv7

constexpr Family rwkv6_family = plain_family<rwkv6::type>();
constexpr std::array<std::string_view, 6> rwkv7_adapted{"r_proj", "k_proj", "v_proj", "o_proj", "key", "value"};
constexpr Family rwkv7_family = known_to_peft(plain_family<rwkv7::type>(), {.modules = rwkv7_adapted});

}  // namespace headcount
