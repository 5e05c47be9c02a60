// Encoders of sound that read the wave itself through convolutions: wav2vec 2.0 (Baevski et al. 2020), HuBERT (Hsu et
// al. 2021), UniSpeech, UniSpeech-SAT and data2vec (transformers, modeling_wav2vec2.py and those that copy it). With
// scores for letters (CTC) or for classes, or alone.
#include "core/base/text.hpp"
#include "core/families/families.hpp"
#include "core/families/vit_like.hpp"

namespace headcount {
namespace wav2vec2 {

// In what the types differ.
struct Type {
    std::string_view type, name, class_name;  // "wav2vec2", "wav2vec 2.0", "Wav2Vec2"
    std::span<const Module> modules;
    bool norms_each = false;       // behind every convolution, whatever the file says
    bool position_layers = false;  // several small convolutions in the place of positions
};

constexpr std::array<Convolution, 7> usual{
    {{512, 10, 5}, {512, 3, 2}, {512, 3, 2}, {512, 3, 2}, {512, 3, 2}, {512, 2, 2}, {512, 2, 2}}};

std::vector<std::int64_t> numbers_of(ConfigReader& reader, const nlohmann::json& config, const char* name,
                                     std::int64_t Convolution::*otherwise) {
    std::vector<std::int64_t> numbers;
    const nlohmann::json* list = said(config, name);
    if (!list) {
        for (const Convolution& each : usual) numbers.push_back(each.*otherwise);
        return numbers;
    }
    const bool is_list = list->is_array() && !list->empty() && list->size() <= usual.size() * 4;
    if (is_list)
        for (const nlohmann::json& each : *list)
            if (each.is_number_integer() && each > 0) numbers.push_back(each.get<std::int64_t>());
    if (is_list && numbers.size() == list->size()) return numbers;
    reader.reject(name, as_written(*list) + " is no list of numbers", "give one for each convolution");
    return {1};
}

std::vector<Convolution> read_convolutions(ConfigReader& reader, const nlohmann::json& config) {
    const std::vector<std::int64_t> columns = numbers_of(reader, config, "conv_dim", &Convolution::columns),
                                    kernels = numbers_of(reader, config, "conv_kernel", &Convolution::kernel),
                                    strides = numbers_of(reader, config, "conv_stride", &Convolution::stride);
    if (columns.size() != kernels.size() || columns.size() != strides.size())
        reader.reject("conv_dim", "conv_dim, conv_kernel and conv_stride are not alike in length",
                      "give one number for each convolution in all three");
    std::vector<Convolution> all;
    for (std::size_t i = 0; i < columns.size(); ++i)
        all.push_back({columns[i], kernels[i % kernels.size()], strides[i % strides.size()]});
    return all;
}

void read_output(ConfigReader& reader, const nlohmann::json& config, Architecture& arch, const Type& type) {
    const nlohmann::json* names = said(config, "architectures");
    const bool says = names && names->is_array() && !names->empty() && names->front().is_string();
    const std::string own(type.class_name), name = says ? names->front().get<std::string>() : own + "ForCTC";
    const std::int64_t narrowed = reader.number({"classifier_proj_size"}, 256);
    arch.vocab = reader.number({"vocab_size"}, 32);
    arch.head_bias = name != own + "Model";
    if (name == own + "ForCTC") return;
    if (name == own + "Model") {
        arch.output = OutputKind::none;
        return;
    }
    arch.output = OutputKind::classes;
    arch.classes = labels_of(reader, config);
    arch.pooled = PooledRows::mean;
    arch.classifier_dim = narrowed;
    if (name != own + "ForSequenceClassification")
        reader.reject("architectures", as_written(names->front()) + " is no form of it that is known here",
                      "give " + own + "ForCTC, " + own + "ForSequenceClassification or " + own + "Model");
}

Result<Architecture> read(const nlohmann::json& config, const Family& family, const Type& type) {
    ConfigReader reader(config);
    Architecture arch;
    arch.family = &family;
    arch.dim = reader.number({"hidden_size"}, 768);
    arch.layers = reader.number({"num_hidden_layers"}, 12);
    arch.positions = Positions::none;
    arch.layer.attention.heads = reader.number({"num_attention_heads"}, 12);
    arch.layer.attention.mask = AttentionMask::full;
    arch.layer.feed_forward = {.gated = false,
                               .activation = read_activation(reader, {"hidden_act"}, "gelu"),
                               .width = reader.number({"intermediate_size"}, 3072)};
    set_biases(arch.layer, true);
    const bool stable = !type.norms_each && reader.flag({"do_stable_layer_norm"}, false);
    arch.norm = layer_norm(reader.real({"layer_norm_eps"}, 1e-5));
    arch.norm.placement = stable ? NormPlacement::before : NormPlacement::after_sum;
    arch.norm.final = stable;
    Sound sound{.channels = 1,
                .convolutions = read_convolutions(reader, config),
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
    arch.embedding_norm = true;
    arch.sound = std::move(sound);
    const double hidden_moments = reader.real({"mask_time_prob"}, 0.05);
    arch.mask_row = reader.real({"mask_feature_prob"}, 0) > 0 || hidden_moments > 0;
    read_output(reader, config, arch, type);
    if (!reader.flag({"feat_proj_layer_norm"}, true))
        reader.reject("feat_proj_layer_norm", "a projection without its norm is not known here", "set it to true");
    for (const std::string_view flag : {"add_adapter", "conv_pos_batch_norm"})
        if (reader.flag({flag}, false)) reader.reject(flag, "what it adds is not known here", "set it to false");
    if (reader.flag({"use_weighted_layer_sum"}, false) && arch.output == OutputKind::classes)
        reader.reject("use_weighted_layer_sum", "a classifier that reads all layers is not known here",
                      "set it to false");
    if (reader.optional_number({"adapter_attn_dim"}))
        reader.reject("adapter_attn_dim", "adapters in the layers are not known here", "leave it out");
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
        {"conv_bias", sound.bias},
        {"num_conv_pos_embedding_groups", sound.position_groups},
        {"num_conv_pos_embeddings", type.position_layers ? sound.position_layers : sound.position_kernel},
        {"mask_time_prob", arch.mask_row ? 0.05 : 0.0},
        {"mask_feature_prob", 0.0},
        {"vocab_size", arch.vocab},
    };
    if (type.position_layers) config["conv_pos_kernel_size"] = sound.position_kernel;
    if (!type.norms_each) {
        config["do_stable_layer_norm"] = arch.norm.placement == NormPlacement::before;
        config["feat_extract_norm"] = sound.norms == ConvolutionNorms::first ? "group" : "layer";
    }
    for (const Convolution& each : sound.convolutions) {
        const bool last = &each == &sound.convolutions.back();
        config["conv_dim"].push_back(last ? arch.embedding_dim.value_or(arch.dim) : each.columns);
        config["conv_kernel"].push_back(each.kernel);
        config["conv_stride"].push_back(each.stride);
    }
    if (classes) {
        config["classifier_proj_size"] = arch.classifier_dim.value_or(256);
        config["num_labels"] = arch.classes;
    }
    return config;
}

Result<Computation> computation(const Architecture& arch) {
    ComputationReader reader(arch);
    Computation computation = reader.read({});
    reader.reject("conv_kernel",
                  "what is made of a wave is not computed here: its norm and its positions go over all "
                  "moments",
                  "count it, or run a model that reads text, an image or frequencies");
    return reader.finish(std::move(computation));
}

// Of training, of other heads, and of adapters that are switched on by flags of their own.
constexpr std::array ignored = std::to_array<std::string_view>({"adapter_kernel_size",
                                                                "adapter_stride",
                                                                "apply_spec_augment",
                                                                "codevector_dim",
                                                                "contrastive_logits_temperature",
                                                                "conv_dim",
                                                                "conv_kernel",
                                                                "conv_stride",
                                                                "ctc_loss_reduction",
                                                                "ctc_zero_infinity",
                                                                "diversity_loss_weight",
                                                                "feat_extract_activation",
                                                                "mask_feature_length",
                                                                "mask_feature_min_masks",
                                                                "mask_time_length",
                                                                "mask_time_min_masks",
                                                                "num_adapter_layers",
                                                                "num_clusters",
                                                                "num_codevector_groups",
                                                                "num_codevectors_per_group",
                                                                "num_ctc_classes",
                                                                "num_feat_extract_layers",
                                                                "num_negatives",
                                                                "output_hidden_size",
                                                                "proj_codevector_dim",
                                                                "replace_prob",
                                                                "tdnn_dilation",
                                                                "tdnn_dim",
                                                                "tdnn_kernel",
                                                                "xvector_output_dim"});

template <const Family& family, const Type& type>
constexpr Family family_of() {
    return {.type = type.type,
            .name = type.name,
            .modules = type.modules,
            .read = [](const nlohmann::json& config) { return read(config, family, type); },
            .write = [](const Architecture& arch) { return write(arch, type); },
            .computation = computation,
            .ignored = ignored};
}

constexpr auto front_modules(std::string_view base, std::string_view whole, std::string_view model) {
    return std::array<Module, 11>{{
        {0, "", ModuleKind::container, {}, whole},
        {1, base, ModuleKind::container, {}, model},
        {2, "masked_spec_embed", ModuleKind::bare, Part::mask_row, {}},
        {2, "feature_extractor", ModuleKind::container, {}, {}},
        {3, "conv_layers.{j}", ModuleKind::container, {}, {}},
        {4, "conv", ModuleKind::over_time, Part::convolution, {}},
        {4, "layer_norm", ModuleKind::norm, Part::convolution_norm, {}},
        {2, "feature_projection", ModuleKind::container, {}, {}},
        {3, "layer_norm", ModuleKind::norm, Part::embedding_norm, {}},
        {3, "projection", ModuleKind::linear, Part::embedding_projection, {}},
        {2, "encoder", ModuleKind::container, {}, {}},
    }};
}

// One convolution, its filters stored as directions and how strong they are.
constexpr std::array<Module, 4> one_position_module{{
    {3, "pos_conv_embed.conv", ModuleKind::container, {}, {}},
    {4, "bias", ModuleKind::bare, Part::position_bias, {}},
    {4, "parametrizations.weight.original0", ModuleKind::bare_rows, Part::position_strength, {}},
    {4, "parametrizations.weight.original1", ModuleKind::bare_over_time, Part::position_convolution, {}},
}};
constexpr std::array<Module, 2> position_modules{{
    {3, "pos_conv_embed.layers.{j}", ModuleKind::container, {}, {}},
    {4, "conv", ModuleKind::over_time, Part::position_convolution, {}},
}};

constexpr std::array<Module, 20> layer_modules{{
    {3, "layer_norm", ModuleKind::norm, Part::entry_norm, {}},
    {3, "layer_norm", ModuleKind::norm, Part::final_norm, {}},
    {3, "layers", ModuleKind::container, {}, "ModuleList"},
    {4, "{i}", ModuleKind::layer, {}, {}},
    {5, "attention", ModuleKind::container, {}, {}},
    {6, "k_proj", ModuleKind::linear, Part::key, {}},
    {6, "v_proj", ModuleKind::linear, Part::value, {}},
    {6, "q_proj", ModuleKind::linear, Part::query, {}},
    {6, "out_proj", ModuleKind::linear, Part::attention_output, {}},
    {5, "layer_norm", ModuleKind::norm, Part::attention_norm, {}},
    {5, "layer_norm", ModuleKind::norm, Part::attention_output_norm, {}, {}, Part::attention_norm},
    {5, "feed_forward", ModuleKind::container, {}, {}},
    {6, "intermediate_dense", ModuleKind::linear, Part::up, {}},
    {6, "intermediate_act_fn", ModuleKind::activation, {}, {}},
    {6, "output_dense", ModuleKind::linear, Part::down, {}},
    {5, "final_layer_norm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {5, "final_layer_norm", ModuleKind::norm, Part::feed_forward_output_norm, {}, {}, Part::feed_forward_norm},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}, {}, Part::classifier_projection},
    {1, "projector", ModuleKind::linear, Part::classifier_projection, {}},
    {1, "classifier", ModuleKind::linear, Part::output_head, {}, Part::classifier_projection},
}};

template <FixedText name>
constexpr auto modules_of(std::string_view base) {
    return join(front_modules(base, joined_name<name, "ForCTC">, joined_name<name, "Model">), one_position_module,
                layer_modules);
}

constexpr auto first_modules = modules_of<"Wav2Vec2">("wav2vec2");
constexpr Type first{.type = "wav2vec2", .name = "wav2vec 2.0", .class_name = "Wav2Vec2", .modules = first_modules};
constexpr auto hidden_modules = modules_of<"Hubert">("hubert");
constexpr Type hidden{.type = "hubert", .name = "HuBERT", .class_name = "Hubert", .modules = hidden_modules};
constexpr auto unified_modules = modules_of<"UniSpeech">("unispeech");
constexpr Type unified{.type = "unispeech", .name = "UniSpeech", .class_name = "UniSpeech", .modules = unified_modules};
constexpr auto speaker_modules = modules_of<"UniSpeechSat">("unispeech_sat");
constexpr Type speaker{
    .type = "unispeech-sat", .name = "UniSpeech-SAT", .class_name = "UniSpeechSat", .modules = speaker_modules};
constexpr auto data2vec_modules =
    join(front_modules("data2vec_audio", "Data2VecAudioForCTC", "Data2VecAudioModel"), position_modules, layer_modules);
constexpr Type data2vec{.type = "data2vec-audio",
                        .name = "data2vec, sound",
                        .class_name = "Data2VecAudio",
                        .modules = data2vec_modules,
                        .norms_each = true,
                        .position_layers = true};

}  // namespace wav2vec2

constexpr Family wav2vec2_family = wav2vec2::family_of<wav2vec2_family, wav2vec2::first>();
constexpr Family hubert_family = wav2vec2::family_of<hubert_family, wav2vec2::hidden>();
constexpr Family unispeech_family = wav2vec2::family_of<unispeech_family, wav2vec2::unified>();
constexpr Family unispeech_sat_family = wav2vec2::family_of<unispeech_sat_family, wav2vec2::speaker>();
constexpr Family data2vec_audio_family = wav2vec2::family_of<data2vec_audio_family, wav2vec2::data2vec>();

}  // namespace headcount
