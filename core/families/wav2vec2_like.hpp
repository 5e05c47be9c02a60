// What wav2vec 2.0 and the encoders of sound built like it share: spellings in config.json, what stands on the layers,
// and the layout of the module tree.
#pragma once

#include "core/families/besides.hpp"
#include "core/families/vit_like.hpp"

namespace headcount::wav2vec2 {

constexpr std::array<Convolution, 7> usual{
    {{512, 10, 5}, {512, 3, 2}, {512, 3, 2}, {512, 3, 2}, {512, 3, 2}, {512, 2, 2}, {512, 2, 2}}};

// In what the types differ.
struct Type {
    TypeCalled called;
    std::string_view class_name;  // "Wav2Vec2"
    std::int64_t dim = 768, layers = 12, heads = 12, ffn_dim = 3072, classifier_dim = 256;
    std::optional<std::int64_t> vocab = 32;  // absent: a file with scores for letters says it
    std::string_view activation = "gelu";
    double epsilon = 1e-5;
    std::span<const Convolution> convolutions = usual;
    std::int64_t frequencies = 0;  // it reads so many of each moment, through one matrix; 0: the wave
    bool norms_each = false;       // behind every convolution, whatever the file says
    bool position_layers = false;  // several small convolutions in the place of positions
    bool stable = true;            // do_stable_layer_norm decides where norms stand
    bool may_lack_norm = false;    // feat_proj_layer_norm: behind the convolutions over the wave
    bool narrows = true;           // a matrix between convolutions and layers also where both are as wide
    // add_adapter: what stands behind the layers, so often where the file does not say; null: nothing.
    void (*adapt)(Besides& more, const std::string& before) = nullptr;
    std::int64_t adapters = 3;
    std::string_view refused =
        "what is made of a wave is not computed here: its norm and its positions go over all "
        "moments";
    OwnFields own{};
    std::vector<Extra> (*besides)(const Architecture& arch) = nullptr;
    std::int64_t (*gated_distances)(const Architecture& arch) = nullptr;
};

Result<Architecture> read(const nlohmann::json& config, const Family& family, const Type& type);
nlohmann::ordered_json write(const Architecture& arch, const Type& type);
Computation compute_sound(const Architecture& arch, const Type& type);
// A convolution that makes both halves of a gate.
void adapt_by_convolution(Besides& more, const std::string& before);
// The type's own, and adapters where the file asks for them.
std::vector<Extra> all_besides(const Architecture& arch, const Type& type);

// Of training, of other heads, and what besides are made of.
inline constexpr std::string_view ignored =
    "adapter_attn_dim adapter_act add_adapter adapter_kernel_size adapter_stride apply_spec_augment "
    "conv_depthwise_kernel_size codevector_dim contrastive_logits_temperature conv_dim conv_kernel "
    "conv_stride ctc_loss_reduction ctc_zero_infinity diversity_loss_weight feat_extract_activation "
    "feature_layer_norm_eps left_max_position_embeddings mask_channel_length mask_channel_min_space "
    "mask_channel_other mask_channel_prob mask_channel_selection mask_feature_length "
    "mask_feature_min_masks mask_time_length mask_time_min_masks mask_time_min_space mask_time_other "
    "mask_time_selection max_bucket_distance max_source_positions norm_rel_ebd num_adapter_layers "
    "num_buckets num_clusters num_codevector_groups num_codevectors_per_group "
    "num_conv_pos_embedding_groups num_conv_pos_embeddings num_ctc_classes num_feat_extract_layers "
    "num_negatives output_hidden_size pos_att_type position_buckets position_embeddings_type "
    "proj_codevector_dim relative_attention replace_prob right_max_position_embeddings "
    "rotary_embedding_base share_att_key squeeze_factor tdnn_dilation tdnn_dim tdnn_kernel "
    "use_intermediate_ffn_before_adapter use_weighted_layer_sum xvector_output_dim";

template <const Type& type>
constexpr Family family_of() {
    return {.type = type.called.type,
            .name = type.called.name,
            .modules = type.called.modules,
            .read = [](const nlohmann::json& config, const Family& family) { return read(config, family, type); },
            .write = [](const Architecture& arch) { return write(arch, type); },
            .computation = [](const Architecture& arch) { return compute_sound(arch, type); },
            .besides = [](const Architecture& arch) { return all_besides(arch, type); },
            .gated_distances = type.gated_distances,
            .ignored = ignored};
}

// Everything is registered where the checkpoints have it: root (0), model (1), its parts (2), what those hold (3).

constexpr auto front_modules(std::string_view base, std::string_view whole, std::string_view model) {
    return std::to_array<Module>({
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
    });
}

// One convolution, its filters stored as directions and how strong they are.
inline constexpr auto one_position_module = std::to_array<Module>({
    {3, "pos_conv_embed.conv", ModuleKind::container, {}, {}},
    {4, "bias", ModuleKind::bare, Part::position_bias, {}},
    {4, "parametrizations.weight.original0", ModuleKind::bare_rows, Part::position_strength, {}},
    {4, "parametrizations.weight.original1", ModuleKind::bare_over_time, Part::position_convolution, {}},
});
inline constexpr auto position_modules = std::to_array<Module>({
    {3, "pos_conv_embed.layers.{j}", ModuleKind::container, {}, {}},
    {4, "conv", ModuleKind::over_time, Part::position_convolution, {}},
});

inline constexpr auto layer_modules = std::to_array<Module>({
    {3, "layer_norm", ModuleKind::norm, Part::entry_norm, {}},
    {3, "layer_norm", ModuleKind::norm, Part::final_norm, {}},
    {3, "layers", ModuleKind::container, {}, "ModuleList"},
    {4, "{i}", ModuleKind::layer, {}, {}},
    {5, "attention", ModuleKind::container, {}, {}},
    {6, "gru_rel_pos_const", ModuleKind::bare_planes, Part::distance_strength, {}},
    {6, "k_proj", ModuleKind::linear, Part::key, {}},
    {6, "v_proj", ModuleKind::linear, Part::value, {}},
    {6, "q_proj", ModuleKind::linear, Part::query, {}},
    {6, "out_proj", ModuleKind::linear, Part::attention_output, {}},
    {6, "gru_rel_pos_linear", ModuleKind::linear, Part::distance_gate, {}},
    {6, "rel_attn_embed", ModuleKind::embedding, Part::relative_bias, {}},
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
});

template <FixedText name>
constexpr auto modules_of(std::string_view base) {
    return join(front_modules(base, joined_name<name, "ForCTC">, joined_name<name, "Model">), one_position_module,
                layer_modules);
}

}  // namespace headcount::wav2vec2
