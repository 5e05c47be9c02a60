// Encoders of images that were trained beside encoders of text: CLIP (Radford et al. 2021), MetaCLIP 2, SigLIP (Zhai et
// al. 2023) and SigLIP 2 (transformers, modeling_clip.py, modeling_siglip.py, modeling_siglip2.py): as classifiers, and
// alone. Files that hold both are in clip_texts.cpp.
#include <cmath>

#include "core/families/clip_like.hpp"
#include "core/families/families.hpp"
#include "core/families/vit_like.hpp"

namespace headcount {
namespace clip {

constexpr std::array<Module, 3> root_of(std::string_view whole, std::string_view transformer,
                                        std::string_view embeddings) {
    return {{
        {0, "", ModuleKind::container, {}, whole},
        {1, "vision_model", ModuleKind::container, {}, transformer},
        {2, "embeddings", ModuleKind::container, {}, embeddings},
    }};
}

template <FixedText name>
constexpr auto layer_modules = join(clip_layer_modules<name>,
                                    std::to_array<Module>({
                                        {2, "post_layernorm", ModuleKind::norm, Part::final_norm, {}},
                                        {2, "post_layernorm", ModuleKind::norm, Part::first_norm, {}},
                                    }));

template <FixedText name>
constexpr auto modules_of(std::string_view whole) {
    return join(root_of(whole, joined_name<name, "VisionTransformer">, joined_name<name, "VisionEmbeddings">),
                std::to_array<Module>({
                    {3, "class_embedding", ModuleKind::bare, Part::class_token, {}},
                    {3, "patch_embedding", ModuleKind::patches, Part::patch_embedding, {}},
                    {3, "position_embedding", ModuleKind::embedding, Part::position_embedding, {}},
                    {2, "pre_layrnorm", ModuleKind::norm, Part::embedding_norm, {}},
                }),
                layer_modules<name>, image_classifier_modules);
}

// What else a file of both says; of the encoder of images what is not computed.
constexpr std::string_view ignored =
    "logit_scale_init_value projection_dim text_config text_config_dict vision_config_dict";

constexpr auto classifier_modules = modules_of<"CLIP">("CLIPForImageClassification");
constexpr ImageType classifier{.called = {"clip", "CLIP, images", classifier_modules},
                               .inner = "vision_config",
                               .inner_again = "vision_config_dict",
                               .patch = 32,
                               .epsilon = 1e-5,
                               .activation = "quick_gelu",
                               .says_qkv_bias = false,
                               .patch_bias = false,
                               .embedding_norm = true,
                               .pooled = PooledRows::patch_mean,
                               .final_norm = false,
                               .ignored = ignored};

constexpr auto tower_modules = modules_of<"CLIP">("CLIPVisionModel");
constexpr ImageType tower = changed(classifier, [](ImageType& other) {
    other.called = {"clip_vision_model", "CLIP's encoder of images", tower_modules};
    other.inner = other.inner_again = {};
    other.classifies = false;
});

constexpr auto meta_modules = modules_of<"MetaClip2">("MetaClip2ForImageClassification");
constexpr ImageType meta = changed(classifier, [](ImageType& other) {
    other.called = {"metaclip_2", "MetaCLIP 2, images", meta_modules};
});

// SigLIP: no class token; one row is made by attention of a trained query, which a classifier does not read.
template <FixedText name>
constexpr auto sigmoid_modules(std::string_view whole, ModuleKind patches) {
    return join(root_of(whole, joined_name<name, "VisionTransformer">, joined_name<name, "VisionEmbeddings">),
                std::to_array<Module>({
                    {3, "patch_embedding", patches, Part::patch_embedding, {}},
                    {3, "position_embedding", ModuleKind::embedding, Part::position_embedding, {}},
                }),
                layer_modules<name>,
                std::to_array<Module>({
                    {2, "head", ModuleKind::container, {}, joined_name<name, "MultiheadAttentionPoolingHead">},
                    {3, "probe", ModuleKind::bare_rows, Part::pooling_query, {}},
                    {3, "attention", ModuleKind::container, {}, "MultiheadAttention"},
                    {4, "in_proj", ModuleKind::packed, Part::pooling_projection, {}},
                    {4, "out_proj", ModuleKind::linear, Part::pooling_output, {}},
                    {3, "layernorm", ModuleKind::norm, Part::pooling_norm, {}},
                    {3, "mlp", ModuleKind::container, {}, joined_name<name, "MLP">},
                    {4, "fc1", ModuleKind::linear, Part::pooling_up, {}},
                    {4, "fc2", ModuleKind::linear, Part::pooling_down, {}},
                }),
                image_classifier_modules);
}

constexpr auto sigmoid_classifier_modules =
    sigmoid_modules<"Siglip">("SiglipForImageClassification", ModuleKind::patches);
constexpr ImageType sigmoid_classifier{.called = {"siglip", "SigLIP, images", sigmoid_classifier_modules},
                                       .inner = "vision_config",
                                       .class_tokens = 0,
                                       .epsilon = 1e-6,
                                       .activation = "gelu_pytorch_tanh",
                                       .says_qkv_bias = false,
                                       .pooled = PooledRows::mean,
                                       .own = {[](ConfigReader& reader, Architecture& arch) {
                                                   arch.pooling_head = reader.flag({"vision_use_head"}, true);
                                               },
                                               [](nlohmann::ordered_json& config, const Architecture& arch) {
                                                   config["vision_use_head"] = arch.pooling_head;
                                               }},
                                       .ignored = ignored};

constexpr auto sigmoid_tower_modules = sigmoid_modules<"Siglip">("SiglipVisionModel", ModuleKind::patches);
constexpr ImageType sigmoid_tower = changed(sigmoid_classifier, [](ImageType& other) {
    other.called = {"siglip_vision_model", "SigLIP's encoder of images", sigmoid_tower_modules};
    other.inner = {};
    other.classifies = false;
});

// The second takes images of any form; the file says how many patches they have at most, which a square shows here.
constexpr auto second_modules = sigmoid_modules<"Siglip2">("Siglip2ForImageClassification", ModuleKind::linear);
constexpr ImageType second = changed(sigmoid_classifier, [](ImageType& other) {
    other.called.type = "siglip2";
    other.stretches = true;
    other.called.name = "SigLIP 2, images";
    other.called.modules = second_modules;
    other.own.read = [](ConfigReader& reader, Architecture& arch) {
        arch.pooling_head = reader.flag({"vision_use_head"}, true);
        const std::int64_t patches = reader.number({"num_patches"}, 256);
        const auto root = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(patches))));
        const bool square = root * root == patches;
        arch.patches->height = arch.patches->size * (square ? root : 1);
        arch.patches->width = arch.patches->size * (square ? root : patches);
    };
    other.own.write = [](nlohmann::ordered_json& config, const Architecture& arch) {
        const Patches patches = arch.patches.value_or(Patches{});
        config["vision_use_head"] = arch.pooling_head;
        config["num_patches"] = (patches.height / patches.size) * (patches.width / patches.size);
        config.erase("image_size");
    };
});

}  // namespace clip

constexpr Family clip_family = image_family<clip::classifier>();
constexpr Family clip_vision_model_family = image_family<clip::tower>();
constexpr Family metaclip_2_family = image_family<clip::meta>();
constexpr Family siglip_family = image_family<clip::sigmoid_classifier>();
constexpr Family siglip_vision_model_family = image_family<clip::sigmoid_tower>();
constexpr Family siglip2_family = image_family<clip::second>();

}  // namespace headcount
