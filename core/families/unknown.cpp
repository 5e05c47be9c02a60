// The family for a model_type that is not known. What the file says in any usual spelling is read; what it says besides
// is for unread_fields to name.
#include "core/families/unknown.hpp"

#include <algorithm>

#include "core/base/checked.hpp"
#include "core/base/json_file.hpp"
#include "core/base/text.hpp"
#include "core/families/computing.hpp"
#include "core/families/config_reader.hpp"
#include "core/families/layer_lists.hpp"
#include "core/families/layout.hpp"

namespace headcount {
namespace {

constexpr DecoderClasses classes{.causal_lm = "CausalLM",
                                 .model = "Model",
                                 .layer = "DecoderLayer",
                                 .attention = "Attention",
                                 .feed_forward = "MLP",
                                 .rotary = "RotaryEmbedding"};
constexpr std::array modules =
    decoder_modules(classes, latent_attention_modules(classes.attention), gated_modules(classes.feed_forward),
                    mixture_modules("mlp", "Mixture"), expert_modules("Experts", "MLP"), router_modules("gate", ""),
                    correction_modules, shared_expert_modules("shared_experts", "MLP", "act_fn"), norm_modules);

// What files of all kinds call the same.
const ConfigReader::Names kv_head_keys{"num_key_value_heads", "num_kv_heads", "n_kv_heads", "n_head_kv"};
const ConfigReader::Names ffn_keys{"intermediate_size", "ffn_dim", "n_inner", "ffn_hidden_size", "d_ff", "inner_dim"};
const ConfigReader::Names context_keys{"max_position_embeddings", "n_positions", "max_seq_len",
                                       "max_sequence_length",     "seq_length",  "n_ctx"};
const ConfigReader::Names activation_keys{"hidden_act", "hidden_activation", "activation_function", "activation"};
const ConfigReader::Names bias_keys{"attention_bias", "use_bias", "bias"};
const ConfigReader::Names qkv_bias_keys{"qkv_bias", "use_qkv_bias", "add_qkv_bias"};
const ConfigReader::Names experts_keys{"num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"};
const ConfigReader::Names experts_per_token_keys{"num_experts_per_tok", "num_experts_per_token", "experts_per_token",
                                                 "moe_topk", "moe_k"};
const ConfigReader::Names expert_dim_keys{"moe_intermediate_size", "expert_intermediate_size", "moe_ffn_hidden_size"};
const ConfigReader::Names rms_keys{"rms_norm_eps"};
const ConfigReader::Names layer_norm_keys{"layer_norm_eps", "layer_norm_epsilon"};
const ConfigReader::Names dim_keys{"hidden_size", "n_embd",    "n_embed", "d_model",
                                   "model_dim",   "embed_dim", "emb_dim", "dim"};
const ConfigReader::Names layers_keys{"num_hidden_layers", "n_layer", "n_layers", "num_layers"};
const ConfigReader::Names heads_keys{"num_attention_heads", "n_head", "n_heads", "num_heads"};
const ConfigReader::Names vocab_keys{"vocab_size", "padded_vocab_size", "n_vocab"};

const ConfigReader::Names head_dim_keys{"head_dim", "kv_channels", "attention_head_dim"};

// Which of them are numbers that decide shapes.
constexpr std::array sizes{&dim_keys,       &layers_keys, &heads_keys,   &vocab_keys,   &kv_head_keys,
                           &head_dim_keys,  &ffn_keys,    &context_keys, &experts_keys, &experts_per_token_keys,
                           &expert_dim_keys};

bool is_size(std::string_view key) {
    return std::ranges::any_of(sizes,
                               [&](const ConfigReader::Names* keys) { return std::ranges::count(*keys, key) > 0; });
}

// Where the file has one number for each layer and all are the same, that number.
const nlohmann::json& for_all_layers(const nlohmann::json& value) {
    const bool uniform = value.is_array() && !value.empty() &&
                         std::ranges::all_of(value, [&](const auto& each) { return each == value[0]; });
    return uniform ? value[0] : value;
}

// Without the lists and objects that the skeleton does not read: they are carried, and so are among what is not read.
// A size is never left out, for another would be taken in its place: one that is no number is refused.
nlohmann::json plain_fields(const nlohmann::json& config) {
    nlohmann::json plain = nlohmann::json::object();
    for (const auto& [key, value] : config.items()) {
        if (is_size(key))
            plain[key] = for_all_layers(value);
        else if (!value.is_structured() || key == "layer_types")
            plain[key] = value;
    }
    return plain;
}

// Whether one of the keys is there with a value.
bool says(const nlohmann::json& config, ConfigReader::Names keys) {
    return std::ranges::any_of(keys, [&](std::string_view key) { return said(config, key); });
}

// Dense models of a type with mixtures say that they have none, or one.
std::int64_t experts(ConfigReader& reader) { return reader.number(experts_keys, 0, 0); }

std::int64_t read_ffn_dim(ConfigReader& reader) {
    if (const auto said = reader.optional_number(ffn_keys)) return *said;
    const std::int64_t dim = reader.optional_number(dim_keys).value_or(1);
    const auto four_times = checked_multiply(4, dim);
    if (!four_times)
        reader.reject("four times " + grouped(dim) + " is too large for a feed-forward",
                      "give a smaller width, or \"intermediate_size\"");
    return four_times.value_or(1);
}

void read_biases(ConfigReader& reader, Architecture& arch) {
    const bool all = reader.flag(bias_keys, false);
    arch.layer.attention.output_bias = reader.flag({"attention_out_bias"}, all);
    arch.layer.attention.qkv_bias = reader.flag(qkv_bias_keys, all);
    arch.layer.feed_forward.bias = reader.flag({"mlp_bias"}, false);
}

void read_attention(ConfigReader& reader, Architecture& arch) {
    Attention& attention = arch.layer.attention;
    attention.heads = reader.optional_number(heads_keys).value_or(1);
    attention.kv_heads = reader.optional_number(kv_head_keys);
    attention.head_dim = reader.optional_number(head_dim_keys);
    if (reader.flag({"use_qk_norm", "qk_norm", "qk_layernorm"}, false)) attention.qk_norm = QkNorm::per_head;
    if (reader.optional_number({"kv_lora_rank"})) {
        attention.latent = read_latent(reader, {});
        attention.kv_heads.reset();
    }
    const std::optional<LayerSet> sliding = reader.layers_with({"layer_types"}, "sliding_attention", arch.layers);
    const std::optional<std::int64_t> size = reader.optional_number({"sliding_window"}, 0);
    const bool on = reader.flag({"use_sliding_window"}, true);
    if (!on || size.value_or(0) == 0) return;
    const std::int64_t pattern = read_step(reader, {"sliding_window_pattern", "_sliding_window_pattern"}, 1);
    const LayerSet rule = pattern > 1 ? all_but_every(pattern) : LayerSet{};
    attention.window = AttentionWindow{*size, false, sliding.value_or(rule)};
}

void read_mixture(ConfigReader& reader, Architecture& arch) {
    Mixture mixture;
    mixture.experts = experts(reader);
    if (mixture.experts <= 1) return;
    mixture.experts_per_token = reader.number(experts_per_token_keys, 2);
    mixture.expert_dim = reader.number(expert_dim_keys, std::get<std::int64_t>(arch.layer.feed_forward.width));
    mixture.shared_experts =
        reader.number({"n_shared_experts", "num_shared_experts", "moe_num_shared_experts", "num_shared_expert"}, 0, 0);
    const std::int64_t step = read_step(reader, {"decoder_sparse_step", "interleave_moe_layer_step"}, 1);
    mixture.layers = read_all_but_first(reader, {"first_k_dense_replace", "moe_layer_start_index"}, 0, arch.layers);
    if (mixture.layers.first() > 0 && step > 1)
        reader.reject("dense first layers and experts in every " + grouped(step) + " layers are not supported together",
                      "leave out one of the two");
    if (step > 1) mixture.layers = LayerSet::every(step);
    arch.layer.mixture = mixture;
}

Activation read_activation_as_named(ConfigReader& reader) { return read_activation(reader, activation_keys, "silu"); }

// A function that is not known changes no shape: it stays among what is carried.
Activation read_activation_leniently(ConfigReader& reader) {
    ConfigReader trial(reader.config());
    read_activation_as_named(trial);
    return trial.error() ? Activation::silu : read_activation_as_named(reader);
}

void read_norm(ConfigReader& reader, Architecture& arch) {
    const nlohmann::json& config = reader.config();
    arch.norm.epsilon =
        reader.real({"rms_norm_eps", "norm_eps", "layer_norm_eps", "layer_norm_epsilon", "norm_epsilon"}, 1e-6);
    if (!says(config, layer_norm_keys) || says(config, rms_keys)) return;
    arch.norm.kind = NormKind::layer;
    arch.norm.bias = true;
}

// With the file's type and classes, which every other family says by itself, and with what is not plain.
Architecture with_rest(Architecture arch, const nlohmann::json& config, const nlohmann::json& plain) {
    std::vector<Carried::Field> fields = arch.carried.fields();
    for (const auto& [key, value] : config.items())
        if (key == "model_type" || key == "architectures" || !plain.contains(key))
            fields.emplace_back(key, value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    std::ranges::sort(fields);
    arch.carried = Carried(std::move(fields));
    return arch;
}

Result<Architecture> read(const nlohmann::json& config, const Family& of) {
    const nlohmann::json plain = plain_fields(config);
    ConfigReader reader(plain);
    Architecture arch;
    arch.family = &of;
    arch.dim = reader.optional_number(dim_keys).value_or(1);
    arch.layers = reader.optional_number(layers_keys).value_or(1);
    arch.vocab = reader.optional_number(vocab_keys).value_or(1);
    arch.context = reader.number(context_keys, 2048);
    // transformers leaves the field out of a file where it is true.
    arch.tied = reader.flag({"tie_word_embeddings"}, true);
    if (reader.flag({"alibi"}, false)) arch.positions = Positions::alibi;
    read_norm(reader, arch);
    arch.layer.feed_forward.width = read_ffn_dim(reader);
    arch.layer.feed_forward.activation = read_activation_leniently(reader);
    read_attention(reader, arch);
    read_biases(reader, arch);
    read_mixture(reader, arch);
    Result<Architecture> read = reader.finish(std::move(arch));
    return read ? Result<Architecture>(with_rest(std::move(*read), config, plain)) : read;
}

void write_mixture(nlohmann::ordered_json& config, const Architecture& arch) {
    const Mixture& mixture = *arch.layer.mixture;
    config["num_experts"] = mixture.experts;
    config["num_experts_per_tok"] = mixture.experts_per_token;
    config["moe_intermediate_size"] = mixture.expert_dim;
    config["n_shared_experts"] = mixture.shared_experts;
    if (std::optional<std::int64_t> step = step_of(mixture.layers, arch.layers))
        config["decoder_sparse_step"] = *step;
    else
        config["first_k_dense_replace"] = arch.layers - mixture.layers.count(arch.layers);
}

void write_attention(nlohmann::ordered_json& config, const Architecture& arch) {
    const Attention& attention = arch.layer.attention;
    config["num_attention_heads"] = attention.heads;
    config["num_key_value_heads"] = kv_heads(arch);
    if (!attention.latent) config["head_dim"] = bindings(arch, Input{})[Symbol::head_dim].value_or(0);
    config["attention_bias"] = attention.output_bias;
    config["qkv_bias"] = attention.qkv_bias;
    config["use_qk_norm"] = attention.qk_norm == QkNorm::per_head;
    if (attention.window) {
        config["sliding_window"] = attention.window->size;
        write_layer_types(config, attention.window->layers, arch.layers);
    }
    if (attention.latent) write_latent(config, *attention.latent);
}

bool carries(const Architecture& arch, ConfigReader::Names names) {
    return std::ranges::any_of(names, [&](std::string_view name) { return arch.carried.find(name); });
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = nlohmann::ordered_json::object();
    for (const char* key : {"architectures", "model_type"})
        if (const std::string* text = arch.carried.find(key)) config[key] = nlohmann::ordered_json(parsed_again(*text));
    config["vocab_size"] = arch.vocab;
    config["hidden_size"] = arch.dim;
    config["intermediate_size"] = bindings(arch, Input{})[Symbol::ffn_dim].value_or(0);
    config["num_hidden_layers"] = arch.layers;
    write_attention(config, arch);
    // A function that was not understood is carried, and said again as it was.
    if (!carries(arch, activation_keys)) config["hidden_act"] = activation_name(arch.layer.feed_forward.activation);
    config["mlp_bias"] = arch.layer.feed_forward.bias;
    config["max_position_embeddings"] = arch.context;
    config[arch.norm.kind == NormKind::rms ? "rms_norm_eps" : "layer_norm_eps"] = arch.norm.epsilon;
    config["tie_word_embeddings"] = arch.tied;
    if (arch.positions == Positions::alibi) config["alibi"] = true;
    if (arch.layer.mixture) write_mixture(config, arch);
    // What stands there as a list is said again as it is.
    for (const auto& [key, text] : arch.carried.fields())
        if (key != "architectures" && key != "model_type") config.erase(key);
    return config;
}

// What the type computes besides is not known.
constexpr ComputationType computing{.rest = [](ComputationReader&, Computation& computation) {
    computation.guess = "a type that is not verified is computed as LLaMA is";
}};

constexpr Family family{.type = "unknown",
                        .name = "Not verified",
                        .modules = modules,
                        .read = read,
                        .write = write,
                        .computation = compute<computing>,
                        .verified = false};

}  // namespace

const Family& unknown_family() { return family; }

bool looks_like_decoder(const nlohmann::json& config) {
    ConfigReader reader(config);
    const bool sized = reader.optional_number(dim_keys) && reader.optional_number(layers_keys) &&
                       reader.optional_number(heads_keys) && reader.optional_number(vocab_keys);
    return sized || reader.error();  // what stands there instead of a size is better named than the type
}

std::vector<std::string> assumptions(const nlohmann::json& whole) {
    const nlohmann::json config = plain_fields(whole);
    std::vector<std::string> assumed;
    const auto assume = [&](bool said, const char* what) {
        if (!said) assumed.emplace_back(what);
    };
    assume(says(config, {"tie_word_embeddings"}), "a tied output head");
    assume(says(config, rms_keys) || says(config, layer_norm_keys), "RMSNorm");
    assume(false, "norms before the sub-blocks");
    assume(says(config, {"alibi"}), "rotary positions");
    assume(says(config, kv_head_keys) || says(config, {"kv_lora_rank"}), "one key/value head for each head");
    assume(!says(config, {"kv_lora_rank"}) || config.contains("q_lora_rank"), "queries without a bottleneck");
    assume(false, "a feed-forward with a gate");
    assume(says(config, ffn_keys), "its width four times the model's");
    assume(says(config, activation_keys), "SiLU");
    assume(says(config, bias_keys) || says(config, qkv_bias_keys) || says(config, {"mlp_bias"}), "no biases");
    assume(says(config, context_keys), "a context of 2,048");
    ConfigReader trial(config);
    if (experts(trial) <= 1) return assumed;
    assume(says(config, experts_per_token_keys), "2 experts for each token");
    assume(says(config, expert_dim_keys), "experts as wide as the feed-forward");
    return assumed;
}

std::string unknown_activation(const nlohmann::json& config) {
    const nlohmann::json plain = plain_fields(config);
    ConfigReader trial(plain);
    read_activation_as_named(trial);
    return trial.error() ? trial.error()->where : "";
}

std::string family_label(const Architecture& arch) {
    if (arch.family != &unknown_family()) return std::string(arch.family->name);
    if (const std::string* type = arch.carried.find("model_type"))
        return "not verified: " + as_written(parsed_again(*type));
    return "not verified";
}

}  // namespace headcount
