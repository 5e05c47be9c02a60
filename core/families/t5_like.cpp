// Reads and writes the configurations of T5 and of the encoders with decoders built like it.
#include "core/families/t5_like.hpp"

namespace headcount::t5 {
namespace {

// "relu", "gated-gelu" (whose GELU is the one by tanh), "gated-silu"; transformers writes both halves of that besides,
// and goes by them.
DenseFeedForward feed_forward_of(ConfigReader& reader, const Defaults& defaults) {
    const std::string said = reader.text({"feed_forward_proj"}, defaults.feed_forward);
    constexpr std::string_view gated = "gated-";
    const bool gates = said.starts_with(gated);
    const std::string function = said == "gated-gelu" ? "gelu_new" : gates ? said.substr(gated.size()) : said;
    return {.gated = reader.flag({"is_gated_act"}, gates),
            .activation = read_activation(reader, {"dense_act_fn"}, function),
            .width = reader.number({"d_ff"}, defaults.ffn_dim)};
}

// What the file says of tying says only how its output is scaled.
bool always_tied(const Architecture& arch, const Defaults& defaults) {
    return defaults.always_tied || (defaults.tied_without_gates && !arch.layer.feed_forward.gated);
}

// What `architectures` says there is: both stacks, or where the family knows it the encoder alone, which ends in a
// norm.
void read_class(ConfigReader& reader, Architecture& arch) {
    const nlohmann::json* names = said(reader.config(), "architectures");
    if (!names || !names->is_array() || names->empty() || !names->front().is_string()) return;
    const auto& name = names->front().get_ref<const std::string&>();
    const Family& family = *arch.family;
    const std::string_view whole = family.modules.front().class_name;
    constexpr std::string_view end = "ForConditionalGeneration";
    // Which is all of it where the head is the embedding.
    const std::string bare = std::string(whole.substr(0, whole.size() - end.size())) + "Model";
    if (name.ends_with(end) || name.ends_with("LMHeadModel") || (name == bare && arch.tied)) return;
    if (name != family.encoder_class)
        return reader.reject("architectures", as_written(names->front()) + " is no form of it that is known here",
                             "give " + std::string(whole) + (family.encoder_class.empty() ? "" : ", or ") +
                                 std::string(family.encoder_class));
    arch.layers = arch.encoder->layers;
    arch.encoder.reset();
    arch.layer.attention.mask = AttentionMask::full;
    arch.output = OutputKind::none;
    arch.tied = false;
}

}  // namespace

Result<Architecture> read(const nlohmann::json& config, const Family& family, const Defaults& defaults) {
    ConfigReader reader(config);
    Architecture arch;
    arch.family = &family;
    arch.dim = reader.number({"d_model", "hidden_size"}, defaults.dim);
    arch.vocab = reader.number({"vocab_size"}, defaults.vocab);
    arch.context = reader.number({"n_positions"}, 512);
    const std::int64_t layers = reader.number({"num_layers", "num_hidden_layers"}, defaults.layers);
    arch.encoder = Encoder{layers};
    arch.layers = reader.number({"num_decoder_layers"}, layers);
    arch.positions = Positions::relative;
    arch.norm.epsilon = reader.real({"layer_norm_epsilon"}, 1e-6);
    arch.layer.feed_forward = feed_forward_of(reader, defaults);
    arch.tied = always_tied(arch, defaults) || reader.flag({"tie_word_embeddings"}, true);
    Attention& attention = arch.layer.attention;
    attention.heads = reader.number({"num_heads", "num_attention_heads"}, defaults.heads);
    attention.head_dim = reader.number({"d_kv", "head_dim"}, 64);
    attention.relative_buckets = reader.number({"relative_attention_num_buckets"}, 32);
    attention.relative_by_layer = defaults.by_layer;
    reader.flag({"is_encoder_decoder"}, true);  // its class says what there is
    if (reader.flag({"is_decoder"}, false))
        reader.reject("is_decoder", "a decoder alone is not known here", "leave it out");
    if (defaults.own.read) defaults.own.read(reader, arch);
    read_class(reader, arch);
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch, const Defaults& defaults) {
    const DenseFeedForward& form = arch.layer.feed_forward;
    const std::string function =
        form.gated && form.activation == Activation::gelu_tanh ? "gelu" : std::string(activation_name(form.activation));
    const bool alone = !arch.encoder && !arch.family->encoder_class.empty();
    nlohmann::ordered_json config{
        {"architectures", {alone ? arch.family->encoder_class : arch.family->modules.front().class_name}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"d_model", arch.dim},
        {"d_kv", bindings(arch, Input{})[Symbol::head_dim].value_or(0)},
        {"d_ff", bindings(arch, Input{})[Symbol::ffn_dim].value_or(0)},
        {"num_layers", arch.encoder ? arch.encoder->layers : arch.layers},
        {"num_decoder_layers", arch.layers},
        {"num_heads", arch.layer.attention.heads},
        {"relative_attention_num_buckets", arch.layer.attention.relative_buckets},
        {"feed_forward_proj", (form.gated ? "gated-" : "") + function},
        {"layer_norm_epsilon", arch.norm.epsilon},
        {"n_positions", arch.context},
        {"is_encoder_decoder", !alone},
    };
    if (!always_tied(arch, defaults)) config["tie_word_embeddings"] = arch.tied;
    if (defaults.own.write) defaults.own.write(config, arch);
    return config;
}

void read_computation(ComputationReader& reader, Computation& computation) {
    computation.score_scale = 1;
    computation.relative_distance = reader.number("relative_attention_max_distance", 128);
}

}  // namespace headcount::t5
