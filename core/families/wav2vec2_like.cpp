// Reads and writes the configurations of wav2vec 2.0 and of the encoders of sound built like it.
#include "core/families/wav2vec2_like.hpp"

#include "core/base/text.hpp"

namespace headcount::wav2vec2 {
namespace {

constexpr std::size_t most_convolutions = 28;
constexpr std::int64_t most_adapters = 100;

std::vector<std::int64_t> numbers_of(ConfigReader& reader, const char* name, std::int64_t Convolution::*otherwise,
                                     std::span<const Convolution> usual) {
    std::vector<std::int64_t> numbers;
    const nlohmann::json* list = said(reader.config(), name);
    if (!list) {
        for (const Convolution& each : usual) numbers.push_back(each.*otherwise);
        return numbers;
    }
    const bool is_list = list->is_array() && !list->empty() && list->size() <= most_convolutions;
    if (is_list)
        for (const nlohmann::json& each : *list)
            if (const auto number = whole_number(each); number && *number > 0) numbers.push_back(*number);
    if (is_list && numbers.size() == list->size()) return numbers;
    reader.reject(name, as_written(*list) + " is no list of numbers", "give one for each convolution");
    return {1};
}

std::vector<Convolution> read_convolutions(ConfigReader& reader, std::span<const Convolution> otherwise) {
    const std::vector<std::int64_t> columns = numbers_of(reader, "conv_dim", &Convolution::columns, otherwise),
                                    kernels = numbers_of(reader, "conv_kernel", &Convolution::kernel, otherwise),
                                    strides = numbers_of(reader, "conv_stride", &Convolution::stride, otherwise);
    if (columns.size() != kernels.size() || columns.size() != strides.size()) {
        const std::string_view odd = kernels.size() == strides.size()   ? "conv_dim"
                                     : columns.size() == strides.size() ? "conv_kernel"
                                                                        : "conv_stride";
        reader.reject(odd, "conv_dim, conv_kernel and conv_stride are not alike in length",
                      "give one number for each convolution in all three");
    }
    std::vector<Convolution> all;
    for (std::size_t i = 0; i < columns.size(); ++i)
        all.push_back({columns[i], kernels[i % kernels.size()], strides[i % strides.size()]});
    return all;
}

// Scores of letters (CTC), a classifier, or the layers alone.
void read_output(ConfigReader& reader, Architecture& arch, const Type& type) {
    const nlohmann::json& config = reader.config();
    // Without a word on what stands on the layers, and on letters where those are not always as many: the layers alone.
    const bool letters = type.vocab || said(config, "vocab_size");
    const std::string own(type.class_name), said_of = class_said(config);
    const std::string name = said_of.empty() ? own + (letters ? "ForCTC" : "Model") : said_of;
    const std::int64_t narrowed = reader.number({"classifier_proj_size"}, type.classifier_dim);
    const std::optional<std::int64_t> vocab = reader.optional_number({"vocab_size"});
    arch.vocab = vocab.value_or(type.vocab.value_or(32));
    if (!vocab && !type.vocab && name == own + "ForCTC")
        reader.reject("vocab_size", "the number of letters is nowhere said", "give it");
    arch.head_bias = name != own + "Model";
    if (name == own + "ForCTC") return;
    if (name == own + "Model") {
        arch.output = OutputKind::none;
        return;
    }
    arch.output = OutputKind::classes;
    arch.classes = labels_of(reader);
    arch.pooled = PooledRows::mean;
    arch.classifier_dim = narrowed;
    if (name != own + "ForSequenceClassification")
        reader.refuse_class("is no form of it that is known here",
                            own + "ForCTC, " + own + "ForSequenceClassification or " + own + "Model");
}

void read_layers(ConfigReader& reader, Architecture& arch, const Type& type) {
    arch.dim = reader.number({"hidden_size"}, type.dim);
    arch.layers = reader.number({"num_hidden_layers"}, type.layers);
    arch.positions = Positions::none;
    arch.layer.attention.heads = reader.number({"num_attention_heads"}, type.heads);
    arch.layer.attention.mask = AttentionMask::full;
    arch.layer.feed_forward = {.gated = false,
                               .activation = read_activation(reader, {"hidden_act"}, type.activation),
                               .width = reader.number({"intermediate_size"}, type.ffn_dim)};
    set_biases(arch.layer, true);
    const bool stable = type.stable && reader.flag({"do_stable_layer_norm"}, false);
    arch.norm = layer_norm(reader.real({"layer_norm_eps"}, type.epsilon));
    arch.norm.placement = stable ? NormPlacement::before : NormPlacement::after_sum;
    arch.norm.final = stable;
}

// Convolutions over the wave, and others in the place of positions.
void read_wave(ConfigReader& reader, Architecture& arch, const Type& type) {
    Sound sound{.channels = 1,
                .convolutions = read_convolutions(reader, type.convolutions),
                .bias = reader.flag({"conv_bias"}, false),
                .padded = false,
                .norms = ConvolutionNorms::each,
                .position_groups = reader.number({"num_conv_pos_embedding_groups"}, 16)};
    const std::int64_t around = reader.number({"num_conv_pos_embeddings"}, type.position_layers ? 5 : 128);
    sound.position_kernel = type.position_layers ? reader.number({"conv_pos_kernel_size"}, 19) : around;
    if (type.position_layers) sound.position_layers = around;
    if (!type.norms_each) {
        const std::string norms = reader.text({"feat_extract_norm"}, "group");
        if (norms == "group") sound.norms = ConvolutionNorms::first;
        if (norms != "group" && norms != "layer") reader.reject("no such norms are known here", "give group or layer");
    }
    arch.embedding_dim = sound.convolutions.back().columns;
    if (!type.narrows && arch.embedding_dim == arch.dim) arch.embedding_dim.reset();
    arch.embedding_norm = true;
    arch.sound = std::move(sound);
}

// Many frequencies of each moment, through a matrix: a convolution that sees one moment.
void read_frequencies(ConfigReader& reader, Architecture& arch, const Type& type) {
    arch.sound = Sound{.channels = reader.number({"feature_projection_input_dim"}, type.frequencies),
                       .convolutions = {{1, 1, 1, true}},
                       .padded = false};
}

void read_adapters(ConfigReader& reader, Architecture& arch, const Type& type) {
    for (const std::string_view size : {"adapter_attn_dim", "adapter_kernel_size"}) carry_number(reader, size, 0);
    const std::int64_t adapters = carry_number(reader, "num_adapter_layers", type.adapters);
    const std::int64_t width = reader.number({"output_hidden_size"}, arch.dim);
    reader.carry("output_hidden_size");
    carry_flag(reader, "use_weighted_layer_sum", false);
    if (!carry_flag(reader, "add_adapter", false)) return;
    if (!type.adapt) reader.reject("add_adapter", "what it adds is not known here", "set it to false");
    if (width != arch.dim)
        reader.reject("output_hidden_size", "adapters of another width are not known here",
                      "give hidden_size, " + grouped(arch.dim));
    if (adapters > most_adapters)
        reader.reject("num_adapter_layers", "so many adapters are not known here",
                      "give at most " + grouped(most_adapters));
}

}  // namespace

Result<Architecture> read(const nlohmann::json& config, const Family& family, const Type& type) {
    ConfigReader reader(config);
    Architecture arch;
    arch.family = &family;
    read_layers(reader, arch, type);
    if (type.frequencies > 0)
        read_frequencies(reader, arch, type);
    else
        read_wave(reader, arch, type);
    const double hidden_moments = reader.real({"mask_time_prob"}, 0.05);
    arch.mask_row = reader.real({"mask_feature_prob"}, 0) > 0 || hidden_moments > 0;
    read_output(reader, arch, type);
    read_adapters(reader, arch, type);
    const bool normed = reader.flag({"feat_proj_layer_norm"}, true);
    if (type.may_lack_norm)
        arch.embedding_norm = normed;
    else if (!normed)
        reader.reject("feat_proj_layer_norm", "a projection without its norm is not known here", "set it to true");
    if (reader.flag({"conv_pos_batch_norm"}, false))
        reader.reject("conv_pos_batch_norm", "what it adds is not known here", "set it to false");
    if (type.own.read) type.own.read(reader, arch);
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch, const Type& type) {
    const Sound sound = arch.sound.value_or(Sound{});
    const bool classes = arch.output == OutputKind::classes, bare = arch.output == OutputKind::none;
    nlohmann::ordered_json config{
        {"architectures",
         {std::string(type.class_name) + (classes ? "ForSequenceClassification"
                                          : bare  ? "Model"
                                                  : "ForCTC")}},
        {"model_type", arch.family->type},
        {"hidden_size", arch.dim},
        {"num_hidden_layers", arch.layers},
        {"num_attention_heads", arch.layer.attention.heads},
        {"intermediate_size", bindings(arch, Input{})[Symbol::ffn_dim].value_or(0)},
        {"hidden_act", activation_name(arch.layer.feed_forward.activation)},
        {"layer_norm_eps", arch.norm.epsilon},
        {"mask_time_prob", arch.mask_row ? 0.05 : 0.0},
        {"mask_feature_prob", 0.0},
        {"vocab_size", arch.vocab},
    };
    if (classes) {
        config["classifier_proj_size"] = arch.classifier_dim.value_or(type.classifier_dim);
        config["num_labels"] = arch.classes;
    }
    if (type.may_lack_norm) config["feat_proj_layer_norm"] = arch.embedding_norm;
    if (type.own.write) type.own.write(config, arch);
    if (type.frequencies > 0) {
        config["feature_projection_input_dim"] = sound.channels;
        return config;
    }
    config["conv_bias"] = sound.bias;
    if (sound.position_kernel > 0) config["num_conv_pos_embedding_groups"] = sound.position_groups;
    if (sound.position_kernel > 0)
        config["num_conv_pos_embeddings"] = type.position_layers ? sound.position_layers : sound.position_kernel;
    if (type.position_layers) config["conv_pos_kernel_size"] = sound.position_kernel;
    if (!type.norms_each) {
        if (type.stable) config["do_stable_layer_norm"] = arch.norm.placement == NormPlacement::before;
        config["feat_extract_norm"] = sound.norms == ConvolutionNorms::first ? "group" : "layer";
    }
    for (const Convolution& each : sound.convolutions) {
        const bool last = &each == &sound.convolutions.back();
        config["conv_dim"].push_back(last ? arch.embedding_dim.value_or(arch.dim) : each.columns);
        config["conv_kernel"].push_back(each.kernel);
        config["conv_stride"].push_back(each.stride);
    }
    return config;
}

Computation compute_sound(const Architecture& arch, const Type& type) {
    ComputationReader reader(arch);
    Computation computation = reader.read({});
    reader.reject("model_type", std::string(type.refused),
                  "count it, or run a model that reads text, an image or frequencies");
    return reader.finish(std::move(computation));
}

void adapt_by_convolution(Besides& more, const std::string& before) {
    const Expr wide = Expr(2) * Symbol::dim;
    more.add(before + "conv.weight", {wide, Symbol::dim, more.number("adapter_kernel_size", 3)})
        .add(before + "conv.bias", {wide});
}

std::vector<Extra> all_besides(const Architecture& arch, const Type& type) {
    Besides more(arch);
    if (more.flag("use_weighted_layer_sum", false) && arch.output == OutputKind::classes)
        more.in_model(Component::output).add("layer_weights", {Expr(Symbol::layers) + 1});
    if (type.adapt && more.flag("add_adapter", false)) {
        const std::int64_t count = std::min(more.number("num_adapter_layers", type.adapters), most_adapters);
        more.in_model(Component::feed_forward);
        for (std::int64_t i = 0; i < count; ++i) type.adapt(more, "adapter.layers." + std::to_string(i) + ".");
    }
    // Without the norm before it the matrix has its bias all the same.
    if (type.may_lack_norm && arch.sound && arch.embedding_dim && !arch.embedding_norm)
        more.in_model(Component::embedding).add("feature_projection.projection.bias", {Symbol::dim});
    std::vector<Extra> all = more.take();
    if (type.besides)
        for (Extra& own : type.besides(arch)) all.push_back(std::move(own));
    return all;
}

}  // namespace headcount::wav2vec2
