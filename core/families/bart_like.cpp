// Reads and writes the configurations of BART and of the encoders with decoders built like it.
#include "core/families/bart_like.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/text.hpp"
#include "core/families/besides.hpp"

namespace headcount::bart {

namespace {

// "BartForCausalLM", from "BartModel"; empty where the type has no such class.
std::string decoder_class(const Family& family) {
    constexpr std::string_view end = "Model";
    std::string_view name = family.modules[1].class_name;
    if (!name.ends_with(end)) return "";
    name.remove_suffix(end.size());
    return std::string(name) + "ForCausalLM";
}

// Whether the file is of the decoder alone.
bool is_decoder_alone(const nlohmann::json& config, const Family& family) {
    const std::string name = decoder_class(family);
    return !name.empty() && class_said(config) == name;
}

// The encoder, and what only stands beside one, leaves.
void leave_decoder(Architecture& arch, const Type& type) {
    arch.encoder.reset();
    arch.sound.reset();
    arch.head_bias = false;
    if (type.alone_untied) arch.tied = false;
}

constexpr std::string_view share_field = "share_encoder_decoder_embeddings";

// Without a head nothing but that field says that no table for both is stored beside those of the stacks.
bool leaves_out_table(const Architecture& arch, const Type& type) {
    const nlohmann::json& carried = arch.carried.object();
    return type.may_part_embeddings && !has_head(arch) && !ConfigReader(carried).flag({share_field}, true);
}

// Whether stacks have tables of their own: where nothing is tied, or a Marian says so.
void read_embeddings(ConfigReader& reader, Architecture& arch, const Type& type, bool alone) {
    arch.vocab = reader.number({type.fields.vocab}, type.usual.vocab);
    const bool apart = !type.fields.encoder_vocab.empty();
    arch.tied = reader.flag({"tie_word_embeddings"}, !apart);
    arch.encoder->own_embedding = !arch.tied;
    if (apart) {
        const std::int64_t source = reader.number({type.fields.encoder_vocab}, type.usual.vocab);
        if (source != arch.vocab) arch.encoder->vocab = source;
        if (arch.tied && source != arch.vocab)
            reader.reject("tie_word_embeddings", "stacks with vocabularies of their own are not known here as tied",
                          "set it to false");
    }
    if (!type.may_part_embeddings) return;
    const bool shared = carry_flag(reader, share_field, true);
    const std::int64_t targets = reader.optional_number({"decoder_vocab_size"}).value_or(arch.vocab);
    if (alone && targets != arch.vocab)
        reader.reject("decoder_vocab_size", "a head for other tokens than the embedding's is not known here",
                      "give vocab_size, " + std::to_string(arch.vocab));
    if (alone) return;
    if (!shared) arch.encoder->own_embedding = true;
    if (!shared && !arch.tied)
        reader.reject(share_field, "stacks whose words nothing ties are not known here",
                      "set it, or tie_word_embeddings, to true");
    if (arch.encoder->own_embedding && targets != arch.vocab)
        reader.reject("decoder_vocab_size",
                      "a decoder with another vocabulary, " + std::to_string(targets) + ", is not known here",
                      "give vocab_size, " + std::to_string(arch.vocab));
}

void read_class(ConfigReader& reader, const Architecture& arch) {
    reader.flag({"is_encoder_decoder"}, true);  // it is, whatever the file says
    reader.flag({"is_decoder"}, false);         // that too: its class says what there is
    const std::string name = class_said(reader.config());
    const std::span<const Module> modules = arch.family->modules;
    if (name.empty() || name == modules[0].class_name || name == modules[1].class_name || !arch.encoder) return;
    reader.refuse_class("is no form of it that is known here", modules[0].class_name);
}

// So many tokens to either side; the file says those of both sides together.
void read_window(ConfigReader& reader, Architecture& arch, std::string_view field) {
    const std::int64_t size = reader.number_of_all({field}, 512, 2);
    if (size % 2 != 0)
        reader.reject(field, "half of " + grouped(size) + " is no number of tokens", "give an even number");
    arch.layer.attention.window = AttentionWindow{.size = size / 2, .layers = LayerSet::none()};
    arch.encoder->windowed = LayerSet();
}

// Experts in the last of each so many layers, in none where the step is 0.
void read_experts(ConfigReader& reader, Architecture& arch, std::int64_t width) {
    const auto layers_of = [&](std::string_view step) {
        const std::int64_t every = reader.number({step}, 4, 0);
        if (every > LayerSet::longest) reader.reject(step, "is too large a step", "give a smaller one, or 0 for none");
        return every > 0 && every <= LayerSet::longest ? LayerSet::every(every) : LayerSet::none();
    };
    Mixture mixture{.experts = reader.number({"num_experts"}, 128), .experts_per_token = 2, .expert_dim = width};
    mixture.router_bias = reader.flag({"router_bias"}, false);
    mixture.layers = layers_of("decoder_sparse_step");
    arch.encoder->mixtures = layers_of("encoder_sparse_step");
    mixture.experts_per_token = std::min<std::int64_t>(mixture.experts, mixture.experts_per_token);
    arch.layer.mixture = mixture;
}

}  // namespace

Result<Architecture> read(const nlohmann::json& config, const Family& family, const Type& type) {
    ConfigReader reader(config);
    Architecture arch;
    arch.family = &family;
    const bool alone = is_decoder_alone(config, family);
    const Type::Fields& fields = type.fields;
    arch.dim = reader.number({fields.dim, "hidden_size"}, type.usual.dim);
    arch.encoder = Encoder{reader.number({fields.encoder_layers, "num_hidden_layers"}, type.usual.encoder_layers)};
    arch.layers = reader.number({fields.decoder_layers}, type.usual.decoder_layers);
    arch.context = reader.number({fields.context}, type.usual.context);
    if (!fields.encoder_context.empty())
        arch.encoder->context = reader.number({fields.encoder_context}, type.encoder_context);
    arch.positions = type.positions;
    arch.position_offset = type.position_offset;
    if (type.offset_behind_padding) {
        ConfigReader aside(config);  // the field stays what the file says of its padding
        arch.position_offset = aside.number({"pad_token_id"}, type.padding, 0) + 1;
        if (aside.error()) reader.reject("pad_token_id", aside.error()->what, aside.error()->fix);
    }
    read_embeddings(reader, arch, type, alone);
    arch.embedding_norm = type.embedding_norm;
    arch.head_bias = type.head_bias;
    arch.norm = layer_norm(1e-5, type.placement);
    const std::int64_t heads = reader.number({fields.encoder_heads, "num_attention_heads"}, type.usual.heads);
    arch.layer.attention.heads = reader.number({fields.decoder_heads}, type.usual.heads);
    if (heads != arch.layer.attention.heads && !alone)
        reader.reject(fields.encoder_heads,
                      std::to_string(heads) + " heads beside " + std::to_string(arch.layer.attention.heads) +
                          " of the decoder are not known here",
                      "give both stacks as many");
    const std::int64_t width = reader.number({"decoder_ffn_dim"}, type.usual.ffn_dim);
    arch.layer.feed_forward = {.gated = false,
                               .activation = read_activation(reader, {"activation_function"}, type.activation),
                               .width = width};
    if (const std::int64_t own = reader.number({"encoder_ffn_dim"}, type.usual.ffn_dim); own != width)
        arch.encoder->ffn_dim = own;
    set_biases(arch.layer, true);
    if (!fields.attention_bias.empty() || !type.attention_bias) {
        const bool biased = fields.attention_bias.empty() ? type.attention_bias
                                                          : reader.flag({fields.attention_bias}, type.attention_bias);
        arch.layer.attention.qkv_bias = arch.layer.attention.output_bias = biased;
    }
    if (!fields.window.empty()) read_window(reader, arch, fields.window);
    if (type.sparse) read_experts(reader, arch, width);
    if (type.own.read) type.own.read(reader, arch);
    if (alone) leave_decoder(arch, type);
    read_class(reader, arch);
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch, const Type& type) {
    const Encoder encoder = arch.encoder.value_or(Encoder{arch.layers});
    const std::int64_t width = bindings(arch, Input{})[Symbol::ffn_dim].value_or(0);
    std::string whole = arch.encoder ? "" : decoder_class(*arch.family);
    if (whole.empty()) whole = arch.family->modules.front().class_name;
    nlohmann::ordered_json config{
        {"architectures", {whole}},
        {"model_type", arch.family->type},
        {type.fields.vocab, arch.vocab},
        {type.fields.dim, arch.dim},
        {type.fields.encoder_layers, encoder.layers},
        {type.fields.encoder_heads, arch.layer.attention.heads},
        {"encoder_ffn_dim", encoder.ffn_dim.value_or(width)},
        {type.fields.decoder_layers, arch.layers},
        {type.fields.decoder_heads, arch.layer.attention.heads},
        {"decoder_ffn_dim", width},
        {"activation_function", activation_name(arch.layer.feed_forward.activation)},
        {type.fields.context, arch.context},
        {"is_encoder_decoder", true},
        // By which alone files without a head say that stacks have a table for both.
        {"tie_word_embeddings", arch.tied || (arch.output != OutputKind::language &&
                                              (!encoder.own_embedding || leaves_out_table(arch, type)))},
    };
    if (type.offset_behind_padding) config["pad_token_id"] = arch.position_offset - 1;
    const auto also = [&](std::string_view field, const nlohmann::ordered_json& value) {
        if (!field.empty()) config[std::string(field)] = value;
    };
    also(type.fields.encoder_vocab, encoder.vocab.value_or(arch.vocab));
    also(type.fields.encoder_context, encoder.context.value_or(arch.context));
    also(type.fields.attention_bias, arch.layer.attention.qkv_bias);
    if (const auto& window = arch.layer.attention.window) also(type.fields.window, 2 * window->size);
    if (const auto& mixture = arch.layer.mixture; mixture && type.sparse) {
        config["num_experts"] = mixture->experts;
        config["router_bias"] = mixture->router_bias;
        const auto step = [](const LayerSet& layers) { return layers == LayerSet::none() ? 0 : layers.cycle(); };
        config["encoder_sparse_step"] = step(encoder.mixtures);
        config["decoder_sparse_step"] = step(mixture->layers);
    }
    if (type.may_part_embeddings)
        config[std::string(share_field)] = !(encoder.own_embedding && (arch.tied || leaves_out_table(arch, type)));
    if (type.own.write) type.own.write(config, arch);
    return config;
}

Computation computation(const Architecture& arch, const Type& type) {
    ComputationReader reader(arch);
    Computation computation = reader.read({});
    if (reader.flag("scale_embedding", type.scaled))
        computation.embedding_scale = std::sqrt(static_cast<double>(arch.dim));
    computation.sinusoids.to_the_end = type.offset_behind_padding;  // both as fairseq has them
    if (type.compute_rest) type.compute_rest(reader, computation);
    return reader.finish(std::move(computation));
}

std::vector<Extra> idle_attention(const Architecture& arch, const Expr& memory) {
    std::vector<Extra> all;
    if (arch.encoder) return all;
    const Attention& attention = arch.layer.attention;
    const auto add = [&](const std::string& name, std::vector<Expr> weight, bool biased) {
        all.push_back({.component = Component::attention,
                       .name = name,
                       .label = "Idle cross-attention",
                       .symbol = "W_idle",
                       .meaning = "of the attention to an encoder that is not there; stored, and read by nothing",
                       .weight = std::move(weight),
                       .bias = {},
                       .in_layers = true});
        if (biased) all.back().bias = {Symbol::dim};
    };
    std::string_view inside;  // the module of that attention
    std::int8_t depth = 0;
    for (const Module& module : arch.family->modules) {
        if (module.depth <= depth) inside = {};
        if (module.kind == ModuleKind::cross) inside = module.name;
        if (module.kind == ModuleKind::cross) depth = module.depth;
        if (module.kind == ModuleKind::cross_norm && (all.empty() || all.back().name != module.name))
            add(std::string(module.name), {Symbol::dim}, true);
        if (inside.empty() || module.kind != ModuleKind::linear) continue;
        const Part part = *module.parts.begin();
        const bool reads = part == Part::key || part == Part::value;
        const bool biased = part == Part::attention_output ? attention.output_bias : attention.qkv_bias;
        add(std::string(inside) + "." + std::string(module.name), {Symbol::dim, reads ? memory : Expr(Symbol::dim)},
            biased && (part != Part::key || attention.key_bias));
    }
    return all;
}

// One table for both stacks is stored also where each has its own.
std::vector<Extra> besides(const Architecture& arch, const Type& type) {
    std::vector<Extra> all = type.besides ? type.besides(arch) : std::vector<Extra>();
    for (Extra& idle : idle_attention(arch, Symbol::dim)) all.push_back(std::move(idle));
    if (!arch.tied && arch.encoder && arch.encoder->own_embedding && type.shares_table && !leaves_out_table(arch, type))
        all.push_back(unread_table(Symbol::vocab, Symbol::dim));
    return all;
}

}  // namespace headcount::bart
