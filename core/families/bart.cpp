// BART (Lewis et al. 2020) and the encoders with decoders built like it: mBART, PLBart, MVP, Blenderbot, Pegasus,
// Marian, whose layout is that of the first transformer (Vaswani et al. 2017), M2M-100, which is NLLB's too, and
// Whisper, whose encoder hears (Radford et al. 2022; transformers, modeling_bart.py and those that copy it).
#include <cmath>

#include "core/families/bart_modules.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace bart {

// Where the types differ: what an absent field means, and what is so in all models of one.
struct Type {
    std::string_view type, name;
    std::span<const Module> modules;
    std::int64_t vocab = 50265, dim = 1024, context = 1024, heads = 16, ffn_dim = 4096;
    std::int64_t encoder_layers = 12, decoder_layers = 12;
    std::string_view activation = "gelu";
    bool scaled = false;  // embedded rows by the root of the width
    Positions positions = Positions::learned;
    std::int64_t position_offset = 2;
    bool offset_behind_padding = false;  // one more than the padding token, whatever the offset above
    NormPlacement placement = NormPlacement::after_sum;
    bool embedding_norm = true;
    bool head_bias = true;
    std::int64_t padding = 1;
    bool may_part_embeddings = false;  // share_encoder_decoder_embeddings
    std::string_view context_field = "max_position_embeddings";
    void (*read_rest)(ConfigReader& reader, Architecture& arch) = nullptr;
    void (*write_rest)(nlohmann::ordered_json& config, const Architecture& arch) = nullptr;
    void (*compute_rest)(Computation& computation) = nullptr;
};

// Whether stacks have tables of their own: where nothing is tied, or a Marian says so.
void read_embeddings(ConfigReader& reader, Architecture& arch, const Type& type) {
    arch.vocab = reader.number({"vocab_size"}, type.vocab);
    arch.tied = reader.flag({"tie_word_embeddings"}, true);
    arch.encoder->own_embedding = !arch.tied;
    if (!type.may_part_embeddings) return;
    const bool shared = reader.flag({"share_encoder_decoder_embeddings"}, true);
    const std::int64_t targets = reader.optional_number({"decoder_vocab_size"}).value_or(arch.vocab);
    if (!shared) arch.encoder->own_embedding = true;
    if (!shared && !arch.tied)
        reader.reject("share_encoder_decoder_embeddings", "stacks whose words nothing ties are not known here",
                      "set it, or tie_word_embeddings, to true");
    if (arch.encoder->own_embedding && targets != arch.vocab)
        reader.reject("decoder_vocab_size",
                      "a decoder with another vocabulary, " + std::to_string(targets) + ", is not known here",
                      "give vocab_size, " + std::to_string(arch.vocab));
}

void read_class(ConfigReader& reader, const nlohmann::json& config, const Architecture& arch) {
    reader.flag({"is_encoder_decoder"}, true);  // it is, whatever the file says
    if (reader.flag({"is_decoder"}, false))
        reader.reject("is_decoder", "the decoder alone is not known here", "leave it out");
    const nlohmann::json* names = said(config, "architectures");
    if (!names || !names->is_array() || names->empty() || !names->front().is_string()) return;
    const auto& name = names->front().get_ref<const std::string&>();
    const std::span<const Module> modules = arch.family->modules;
    const bool bare = name == modules[1].class_name;  // which is all of it where the head is the embedding
    if (name == modules[0].class_name || (bare && arch.tied)) return;
    reader.reject("architectures", as_written(names->front()) + " is no form of it that is known here",
                  "give " + std::string(modules[0].class_name));
}

Result<Architecture> read(const nlohmann::json& config, const Family& family, const Type& type) {
    ConfigReader reader(config);
    Architecture arch;
    arch.family = &family;
    arch.dim = reader.number({"d_model", "hidden_size"}, type.dim);
    arch.encoder = Encoder{reader.number({"encoder_layers", "num_hidden_layers"}, type.encoder_layers)};
    arch.layers = reader.number({"decoder_layers"}, type.decoder_layers);
    arch.context = reader.number({type.context_field}, type.context);
    arch.positions = type.positions;
    arch.position_offset = type.position_offset;
    if (type.offset_behind_padding) {
        ConfigReader aside(config);  // the field stays what the file says of its padding
        arch.position_offset = aside.number({"pad_token_id"}, type.padding, 0) + 1;
        if (aside.error()) reader.reject("pad_token_id", aside.error()->what, aside.error()->fix);
    }
    read_embeddings(reader, arch, type);
    arch.embedding_norm = type.embedding_norm;
    arch.head_bias = type.head_bias;
    arch.norm = layer_norm(1e-5);
    arch.norm.placement = type.placement;
    arch.norm.final = type.placement == NormPlacement::before;
    const std::int64_t heads = reader.number({"encoder_attention_heads", "num_attention_heads"}, type.heads);
    arch.layer.attention.heads = reader.number({"decoder_attention_heads"}, type.heads);
    if (heads != arch.layer.attention.heads)
        reader.reject("encoder_attention_heads",
                      std::to_string(heads) + " heads beside " + std::to_string(arch.layer.attention.heads) +
                          " of the decoder are not known here",
                      "give both stacks as many");
    const std::int64_t width = reader.number({"decoder_ffn_dim"}, type.ffn_dim);
    arch.layer.feed_forward = {.gated = false,
                               .activation = read_activation(reader, {"activation_function"}, type.activation),
                               .width = width};
    if (const std::int64_t own = reader.number({"encoder_ffn_dim"}, type.ffn_dim); own != width)
        arch.encoder->ffn_dim = own;
    set_biases(arch.layer, true);
    if (type.read_rest) type.read_rest(reader, arch);
    read_class(reader, config, arch);
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch, const Type& type) {
    const Encoder encoder = arch.encoder.value_or(Encoder{arch.layers});
    const std::int64_t width = bindings(arch, Input{})[Symbol::ffn_dim].value_or(0);
    nlohmann::ordered_json config{
        {"architectures", {arch.family->modules.front().class_name}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"d_model", arch.dim},
        {"encoder_layers", encoder.layers},
        {"encoder_attention_heads", arch.layer.attention.heads},
        {"encoder_ffn_dim", encoder.ffn_dim.value_or(width)},
        {"decoder_layers", arch.layers},
        {"decoder_attention_heads", arch.layer.attention.heads},
        {"decoder_ffn_dim", width},
        {"activation_function", activation_name(arch.layer.feed_forward.activation)},
        {type.context_field, arch.context},
        {"is_encoder_decoder", true},
        {"tie_word_embeddings", arch.tied},
    };
    if (type.offset_behind_padding) config["pad_token_id"] = arch.position_offset - 1;
    if (type.may_part_embeddings) config["share_encoder_decoder_embeddings"] = !(encoder.own_embedding && arch.tied);
    if (type.write_rest) type.write_rest(config, arch);
    return config;
}

Result<Computation> computation(const Architecture& arch, const Type& type) {
    ComputationReader reader(arch);
    Computation computation = reader.read({});
    if (reader.flag("scale_embedding", type.scaled))
        computation.embedding_scale = std::sqrt(static_cast<double>(arch.dim));
    if (type.compute_rest) type.compute_rest(computation);
    return reader.finish(std::move(computation));
}

// What a run computes with is read for that; the rest is of training, or of code that had more forms than transformers.
constexpr std::array ignored = std::to_array<std::string_view>({"add_bias_logits",
                                                                "add_final_layer_norm",
                                                                "decoder_layerdrop",
                                                                "encoder_layerdrop",
                                                                "encoder_no_repeat_ngram_size",
                                                                "apply_spec_augment",
                                                                "classifier_proj_size",
                                                                "mask_feature_length",
                                                                "mask_feature_min_masks",
                                                                "mask_feature_prob",
                                                                "mask_time_length",
                                                                "mask_time_min_masks",
                                                                "mask_time_prob",
                                                                "median_filter_width",
                                                                "use_weighted_layer_sum",
                                                                "extra_pos_embeddings",
                                                                "normalize_before",
                                                                "normalize_embedding",
                                                                "prompt_length",
                                                                "prompt_mid_dim",
                                                                "scale_embedding",
                                                                "static_position_embeddings"});

template <const Family& family, const Type& type>
constexpr Family family_of() {
    return {.type = type.type,
            .name = type.name,
            .modules = type.modules,
            .read = [](const nlohmann::json& config) { return read(config, family, type); },
            .write = [](const Architecture& arch) { return write(arch, type); },
            .computation = [](const Architecture& arch) { return computation(arch, type); },
            .padding = type.padding,
            .ignored = ignored};
}

constexpr Type first{.type = "bart", .name = "BART", .modules = bart_modules};
constexpr Type multilingual{
    .type = "mbart", .name = "mBART", .modules = mbart_modules, .placement = NormPlacement::before};
constexpr Type programs{.type = "plbart",
                        .name = "PLBart",
                        .modules = plbart_modules,
                        .vocab = 50005,
                        .dim = 768,
                        .heads = 12,
                        .ffn_dim = 3072,
                        .encoder_layers = 6,
                        .decoder_layers = 6,
                        .scaled = true};
constexpr Type mvp{.type = "mvp",
                   .name = "MVP",
                   .modules = mvp_modules,
                   .vocab = 50267,
                   .read_rest = [](ConfigReader& reader, Architecture&) {
                       if (reader.flag({"use_prompt"}, false))
                           reader.reject("use_prompt", "prompts of trained rows are not known here", "set it to false");
                   }};
constexpr Type blenderbot{.type = "blenderbot",
                          .name = "Blenderbot",
                          .modules = blenderbot_modules,
                          .vocab = 8008,
                          .dim = 2560,
                          .context = 128,
                          .heads = 32,
                          .ffn_dim = 10240,
                          .encoder_layers = 2,
                          .decoder_layers = 24,
                          .position_offset = 0,
                          .placement = NormPlacement::before,
                          .embedding_norm = false,
                          .padding = 0};
constexpr Type blenderbot_small{
    .type = "blenderbot-small",
    .name = "Blenderbot small",
    .modules = blenderbot_small_modules,
    .dim = 512,
    .context = 512,
    .ffn_dim = 2048,
    .encoder_layers = 8,
    .decoder_layers = 8,
    .position_offset = 0,
    .padding = 0,
    .compute_rest = [](Computation& computation) { computation.positions_behind_norm = true; }};
constexpr Type pegasus{.type = "pegasus",
                       .name = "Pegasus",
                       .modules = pegasus_modules,
                       .positions = Positions::sinusoidal,
                       .position_offset = 0,
                       .placement = NormPlacement::before,
                       .embedding_norm = false,
                       .padding = 0};
constexpr Type marian{.type = "marian",
                      .name = "Marian",
                      .modules = marian_modules,
                      .vocab = 58101,
                      .positions = Positions::sinusoidal,
                      .position_offset = 0,
                      .embedding_norm = false,
                      .padding = 58100,
                      .may_part_embeddings = true};
constexpr Type m2m{.type = "m2m_100",
                   .name = "M2M-100",
                   .modules = m2m_modules,
                   .vocab = 128112,
                   .activation = "relu",
                   .scaled = true,
                   .positions = Positions::sinusoidal,
                   .offset_behind_padding = true,
                   .placement = NormPlacement::before,
                   .embedding_norm = false,
                   .head_bias = false,
                   .compute_rest = [](Computation& computation) { computation.sinusoids.to_the_end = true; }};

// Frequencies through two convolutions; keys have no biases, and what the encoder hears is always 30 seconds long.
constexpr Type whisper{.type = "whisper",
                       .name = "Whisper",
                       .modules = whisper_modules,
                       .vocab = 51865,
                       .dim = 384,
                       .context = 448,
                       .heads = 6,
                       .ffn_dim = 1536,
                       .encoder_layers = 4,
                       .decoder_layers = 4,
                       .position_offset = 0,
                       .placement = NormPlacement::before,
                       .embedding_norm = false,
                       .head_bias = false,
                       .padding = 50256,
                       .context_field = "max_target_positions",
                       .read_rest =
                           [](ConfigReader& reader, Architecture& arch) {
                               arch.encoder->own_embedding = true;
                               arch.encoder->context = reader.number({"max_source_positions"}, 1500);
                               arch.layer.attention.key_bias = false;
                               arch.sound = Sound{.channels = reader.number({"num_mel_bins"}, 80),
                                                  .convolutions = {{arch.dim, 3, 1}, {arch.dim, 3, 2}}};
                           },
                       .write_rest =
                           [](nlohmann::ordered_json& config, const Architecture& arch) {
                               config["num_mel_bins"] = arch.sound.value_or(Sound{}).channels;
                               config["max_source_positions"] = most_source(arch);
                           },
                       .compute_rest = [](Computation& computation) { computation.embedding_scale = 1; }};

}  // namespace bart

constexpr Family bart_family = bart::family_of<bart_family, bart::first>();
constexpr Family mbart_family = bart::family_of<mbart_family, bart::multilingual>();
constexpr Family plbart_family = bart::family_of<plbart_family, bart::programs>();
constexpr Family mvp_family = bart::family_of<mvp_family, bart::mvp>();
constexpr Family blenderbot_family = bart::family_of<blenderbot_family, bart::blenderbot>();
constexpr Family blenderbot_small_family = bart::family_of<blenderbot_small_family, bart::blenderbot_small>();
constexpr Family pegasus_family = bart::family_of<pegasus_family, bart::pegasus>();
constexpr Family marian_family = bart::family_of<marian_family, bart::marian>();
constexpr Family whisper_family = bart::family_of<whisper_family, bart::whisper>();
constexpr Family m2m_100_family = bart::family_of<m2m_100_family, bart::m2m>();

}  // namespace headcount
