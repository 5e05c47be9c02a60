// What the Vision Transformer and the encoders of images built on it share: spellings in config.json, what stands on
// the layers, and the layout of the module tree.
#pragma once

#include "core/families/plain_type.hpp"

namespace headcount {

// Where the types differ: what an absent field means, and what is so in all models of one.
struct ImageType {
    TypeCalled called;
    std::string_view inner{};        // the object that has the fields, of a file that describes a text encoder besides
    std::string_view inner_again{};  // another, which counts where it is there

    std::int64_t dim = 768, layers = 12, heads = 12, ffn_dim = 3072, image = 224, patch = 16, channels = 3;
    std::int64_t class_tokens = 1;
    double epsilon = 1e-12;
    std::string_view activation = "gelu";
    std::string_view ffn_ratio_field{};  // how many times the width the feed-forward is wide, in the place of its width
    bool says_qkv_bias = true;           // qkv_bias; else there are always some
    bool patch_bias = true;
    bool embedding_norm = false;
    PooledRows pooled = PooledRows::first;
    bool final_norm = true;
    bool pools = false;      // the model alone has a pooler
    bool classifies = true;  // there is one with a classifier
    bool stretches = false;  // positions, to images of any form, which is not computed here
    OwnFields own{};
    std::string_view ignored{};
    std::vector<Extra> (*besides)(const Architecture& arch) = nullptr;
};

Result<Architecture> read_image_model(const nlohmann::json& config, const Family& family, const ImageType& type);
nlohmann::ordered_json write_image_model(const Architecture& arch, const ImageType& type);
Computation compute_image_model(const Architecture& arch, const ImageType& type);

// How many classes a file's labels name: two where it has none.
std::int64_t labels_of(ConfigReader& reader);

template <const ImageType& type>
constexpr Family image_family() {
    return {.type = type.called.type,
            .name = type.called.name,
            .modules = type.called.modules,
            .read = [](const nlohmann::json& config,
                       const Family& family) { return read_image_model(config, family, type); },
            .write = [](const Architecture& arch) { return write_image_model(arch, type); },
            .computation = [](const Architecture& arch) { return compute_image_model(arch, type); },
            .besides = type.besides,
            .ignored = type.ignored};
}

// Everything is registered where the checkpoints have it: root (0), model (1), embeddings and encoder (2), layer (4),
// sub-block (5), its halves (6), matrix (7).

template <FixedText name>
constexpr auto image_root_modules(std::string_view base,
                                  std::string_view whole = joined_name<name, "ForImageClassification">) {
    return std::to_array<Module>({
        {0, "", ModuleKind::container, {}, whole},
        {1, base, ModuleKind::container, {}, joined_name<name, "Model">},
        {2, "embeddings", ModuleKind::container, {}, joined_name<name, "Embeddings">},
        {3, "cls_token", ModuleKind::bare_rows, Part::class_token, {}},
        {3, "distillation_token", ModuleKind::bare_rows, Part::distillation_token, {}},
        {3, "position_embeddings", ModuleKind::bare_rows, Part::position_embedding, {}},
        {3, "register_tokens", ModuleKind::bare_rows, Part::register_tokens, {}},
        {3, "patch_embeddings", ModuleKind::container, {}, joined_name<name, "PatchEmbeddings">},
        {4, "projection", ModuleKind::patches, Part::patch_embedding, {}},
        {3, "norm", ModuleKind::norm, Part::embedding_norm, {}},
    });
}

// "attention.attention.query" and "attention.output.dense", as BERT has them.
template <FixedText name>
constexpr auto image_attention_modules = std::to_array<Module>({
    {2, "encoder", ModuleKind::container, {}, joined_name<name, "Encoder">},
    {3, "layer", ModuleKind::container, {}, "ModuleList"},
    {4, "{i}", ModuleKind::layer, {}, joined_name<name, "Layer">},
    {5, "attention", ModuleKind::container, {}, joined_name<name, "Attention">},
    {6, "attention", ModuleKind::container, {}, joined_name<name, "SelfAttention">},
    {7, "query", ModuleKind::linear, Part::query, {}},
    {7, "key", ModuleKind::linear, Part::key, {}},
    {7, "value", ModuleKind::linear, Part::value, {}},
    {6, "output", ModuleKind::container, {}, joined_name<name, "SelfOutput">},
    {7, "dense", ModuleKind::linear, Part::attention_output, {}},
});

template <FixedText name>
constexpr auto image_feed_forward_modules = std::to_array<Module>({
    {5, "intermediate", ModuleKind::container, {}, joined_name<name, "Intermediate">},
    {6, "dense", ModuleKind::linear, Part::up, {}},
    {6, "intermediate_act_fn", ModuleKind::activation, {}, {}},
    {5, "output", ModuleKind::container, {}, joined_name<name, "Output">},
    {6, "dense", ModuleKind::linear, Part::down, {}},
    {5, "layernorm_before", ModuleKind::norm, Part::attention_norm, {}},
    {5, "layernorm_after", ModuleKind::norm, Part::feed_forward_norm, {}},
});

constexpr auto image_norm_modules = std::to_array<Module>({{2, "layernorm", ModuleKind::norm, Part::final_norm, {}}});
constexpr auto image_classifier_modules = std::to_array<Module>({
    {1, "classifier", ModuleKind::linear, Part::output_head, {}},
});

}  // namespace headcount
