// Encoders of images: the Vision Transformer (Dosovitskiy et al. 2020), DeiT (Touvron et al. 2020), ViT-MSN, I-JEPA,
// DINOv2 (Oquab et al. 2023), BEiT (Bao et al. 2021) and data2vec (transformers, modeling_vit.py and its neighbours).
// Names are those of checkpoints.
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/vit_like.hpp"

namespace headcount {
namespace vit {

template <FixedText name>
constexpr auto pooler_modules = std::to_array<Module>({
    {2, "pooler", ModuleKind::container, {}, joined_name<name, "Pooler">, Part::pooler},
    {3, "dense", ModuleKind::linear, Part::pooler, {}},
    {3, "activation", ModuleKind::stateless, {}, "Tanh()", Part::pooler},
});

template <FixedText name>
constexpr auto modules_with(std::string_view base) {
    return join(image_root_modules<name>(base), image_attention_modules<name>, image_feed_forward_modules<name>,
                image_norm_modules, pooler_modules<name>, image_classifier_modules);
}

// Of training on masked images, and of a pooler that other code has.
constexpr std::string_view ignored = "encoder_stride pooler_act pooler_output_size image_size_teacher";

constexpr auto first_modules = modules_with<"ViT">("vit");
constexpr ImageType first{.called = {"vit", "Vision Transformer", first_modules}, .pools = true, .ignored = ignored};

constexpr auto distilled_modules = modules_with<"DeiT">("deit");
constexpr ImageType distilled{
    .called = {"deit", "DeiT", distilled_modules}, .class_tokens = 2, .pools = true, .ignored = ignored};

constexpr auto predictive_modules = modules_with<"IJepa">("ijepa");
constexpr ImageType predictive{.called = {"ijepa", "I-JEPA", predictive_modules},
                               .class_tokens = 0,
                               .pooled = PooledRows::mean,
                               .ignored = ignored};

// Its layers go by the names that transformers gives them since its fifth version.
constexpr auto siamese_modules = join(image_root_modules<"ViTMSN">("vit"),
                                      std::to_array<Module>({
                                          {2, "layers", ModuleKind::container, {}, "ModuleList"},
                                          {3, "{i}", ModuleKind::layer, {}, "ViTMSNLayer"},
                                          {4, "attention", ModuleKind::container, {}, "ViTMSNAttention"},
                                          {5, "q_proj", ModuleKind::linear, Part::query, {}},
                                          {5, "k_proj", ModuleKind::linear, Part::key, {}},
                                          {5, "v_proj", ModuleKind::linear, Part::value, {}},
                                          {5, "o_proj", ModuleKind::linear, Part::attention_output, {}},
                                          {4, "layernorm_before", ModuleKind::norm, Part::attention_norm, {}},
                                          {4, "layernorm_after", ModuleKind::norm, Part::feed_forward_norm, {}},
                                          {4, "mlp", ModuleKind::container, {}, "ViTMSNMLP"},
                                          {5, "activation_fn", ModuleKind::activation, {}, {}},
                                          {5, "fc1", ModuleKind::linear, Part::up, {}},
                                          {5, "fc2", ModuleKind::linear, Part::down, {}},
                                      }),
                                      image_norm_modules, image_classifier_modules);
constexpr ImageType siamese{.called = {"vit_msn", "ViT-MSN", siamese_modules}, .epsilon = 1e-6};

// DINOv2: each sub-block's output scaled, in its largest form with a gate.
template <FixedText name>
constexpr auto dino_modules(std::string_view base) {
    return join(image_root_modules<name>(base),
                std::to_array<Module>({{3, "mask_token", ModuleKind::bare_row, Part::mask_row, {}}}),
                image_attention_modules<name>,
                std::to_array<Module>({
                    {5, "layer_scale1", ModuleKind::container, {}, joined_name<name, "LayerScale">},
                    {6, "lambda1", ModuleKind::bare, Part::attention_scale, {}},
                    {5, "layer_scale2", ModuleKind::container, {}, joined_name<name, "LayerScale">},
                    {6, "lambda1", ModuleKind::bare, Part::feed_forward_scale, {}},
                    {5, "mlp", ModuleKind::container, {}, joined_name<name, "MLP">},
                    {6, "fc1", ModuleKind::linear, Part::up, {}, {}, Part::gate},
                    {6, "activation", ModuleKind::activation, {}, {}},
                    {6, "fc2", ModuleKind::linear, Part::down, {}, {}, Part::gate},
                    {6, "weights_in", ModuleKind::linear, {Part::gate, Part::up}, {}, Part::gate},
                    {6, "weights_out", ModuleKind::linear, Part::down, {}, Part::gate},
                    {5, "norm1", ModuleKind::norm, Part::attention_norm, {}},
                    {5, "norm2", ModuleKind::norm, Part::feed_forward_norm, {}},
                    {2, "layernorm", ModuleKind::norm, Part::final_norm, {}},
                }),
                image_classifier_modules);
}

// Two thirds of the width that it would have without a gate, rounded up to a multiple of 8.
constexpr std::int64_t gated_width(std::int64_t width) { return (width * 2 / 3 + 7) / 8 * 8; }

void read_dino(ConfigReader& reader, Architecture& arch) {
    arch.layer.branch_scale = true;
    DenseFeedForward& form = arch.layer.feed_forward;
    if (!reader.flag({"use_swiglu_ffn"}, false)) return;
    form.gated = true;
    form.activation = Activation::silu;
    form.width = gated_width(std::get<std::int64_t>(form.width));
}

void write_dino(nlohmann::ordered_json& config, const Architecture& arch) {
    config["use_swiglu_ffn"] = arch.layer.feed_forward.gated;
    config["mlp_ratio"] = 4;
    const std::int64_t width = bindings(arch, Input{})[Symbol::ffn_dim].value_or(0);
    for (std::int64_t ratio = 1; ratio * arch.dim <= 2 * width; ++ratio) {
        const std::int64_t whole = ratio * arch.dim;
        if ((arch.layer.feed_forward.gated ? gated_width(whole) : whole) == width) config["mlp_ratio"] = ratio;
    }
}

// How deep layers are left out in training, and which layers' rows other models take from it.
constexpr std::string_view dino_ignored =
    "apply_layernorm drop_path_rate layerscale_value out_features out_indices reshape_hidden_states stage_names";

constexpr auto plain_dino_modules = dino_modules<"Dinov2">("dinov2");
constexpr ImageType dino{.called = {"dinov2", "DINOv2", plain_dino_modules},
                         .patch = 14,
                         .epsilon = 1e-6,
                         .ffn_ratio_field = "mlp_ratio",
                         .pooled = PooledRows::first_and_patch_mean,
                         .own = {[](ConfigReader& reader, Architecture& arch) {
                                     read_dino(reader, arch);
                                     arch.mask_row = reader.flag({"use_mask_token"}, true);
                                 },
                                 [](nlohmann::ordered_json& config, const Architecture& arch) {
                                     write_dino(config, arch);
                                     config["use_mask_token"] = arch.mask_row;
                                 }},
                         .ignored = dino_ignored};

constexpr auto registers_modules = dino_modules<"Dinov2WithRegisters">("dinov2_with_registers");
constexpr ImageType registers{.called = {"dinov2_with_registers", "DINOv2 with registers", registers_modules},
                              .epsilon = 1e-6,
                              .ffn_ratio_field = "mlp_ratio",
                              .pooled = PooledRows::first_and_patch_mean,
                              .own = {[](ConfigReader& reader, Architecture& arch) {
                                          read_dino(reader, arch);
                                          arch.mask_row = true;
                                          arch.patches->registers = reader.number({"num_register_tokens"}, 4, 0);
                                      },
                                      [](nlohmann::ordered_json& config, const Architecture& arch) {
                                          write_dino(config, arch);
                                          config["num_register_tokens"] = arch.patches ? arch.patches->registers : 0;
                                      }},
                              .ignored = dino_ignored};

// BEiT: keys without biases, what stands in the last norm's place behind the mean, and scores that know where patches
// lie, in a table of each layer.
template <FixedText name>
constexpr auto beit_modules(std::string_view base) {
    return join(image_root_modules<name>(base),
                std::to_array<Module>({{3, "mask_token", ModuleKind::bare_rows, Part::mask_row, {}}}),
                image_attention_modules<name>,
                std::to_array<Module>({
                    {6, "attention.relative_position_bias", ModuleKind::container, {}, {}},
                    {7, "relative_position_bias_table", ModuleKind::bare, Part::relative_bias, {}},
                }),
                image_feed_forward_modules<name>,
                std::to_array<Module>({
                    {5, "lambda_1", ModuleKind::bare, Part::attention_scale, {}},
                    {5, "lambda_2", ModuleKind::bare, Part::feed_forward_scale, {}},
                    {2, "layernorm", ModuleKind::norm, Part::final_norm, {}},
                    {2, "pooler", ModuleKind::container, {}, joined_name<name, "Pooler">},
                    {3, "layernorm", ModuleKind::norm, Part::pooled_norm, {}},
                    {1, "classifier", ModuleKind::linear, Part::output_head, {}},
                }));
}

// (2·rows - 1) · (2·columns - 1) ways to lie beside each other, and three of the class token.
std::int64_t ways_to_lie(const Patches& patches) {
    return (2 * (patches.height / patches.size) - 1) * (2 * (patches.width / patches.size) - 1) + 3;
}

void read_beit(ConfigReader& reader, Architecture& arch) {
    Attention& attention = arch.layer.attention;
    attention.key_bias = false;
    attention.qkv_bias = true;
    arch.layer.branch_scale = reader.real({"layer_scale_init_value"}, 0.1) > 0;
    arch.mask_row = reader.flag({"use_mask_token"}, false);
    const bool mean = reader.flag({"use_mean_pooling"}, true);
    arch.norm.final = !mean;
    arch.pooled_norm = mean;
    arch.pooled = mean ? PooledRows::patch_mean : PooledRows::first;
    const bool rows = reader.flag({"use_absolute_position_embeddings"}, false);
    const bool by_layer = reader.flag({"use_relative_position_bias"}, false);
    carry_flag(reader, "use_shared_relative_position_bias", false);
    attention.relative_buckets = ways_to_lie(*arch.patches);
    attention.relative_by_layer = by_layer;
    arch.positions = rows && by_layer ? Positions::learned_relative
                     : rows           ? Positions::learned
                     : by_layer       ? Positions::relative
                                      : Positions::none;
}

// One table for all layers; and of BEiT's encoder alone the norm of its pooled row, which no row of its output passes.
template <bool pools_alone>
std::vector<Extra> beside_beit(const Architecture& arch) {
    Besides more(arch);
    if (more.flag("use_shared_relative_position_bias", false) && arch.patches)
        more.in_model(Component::attention)
            .add("encoder.relative_position_bias.relative_position_bias_table",
                 {ways_to_lie(*arch.patches), Symbol::heads});
    if (pools_alone && arch.pooled_norm && !has_head(arch))
        more.in_model(Component::norm).norm("pooler.layernorm", Symbol::dim, true);
    return more.take();
}

void write_beit(nlohmann::ordered_json& config, const Architecture& arch) {
    config["layer_scale_init_value"] = arch.layer.branch_scale ? 0.1 : 0.0;
    config["use_mask_token"] = arch.mask_row;
    config["use_mean_pooling"] = arch.pooled_norm;
    config["use_absolute_position_embeddings"] = has_position_table(arch);
    config["use_relative_position_bias"] = scores_distances(arch);
}

// Of models that mark regions of images, and of the words that BEiT is trained to guess.
constexpr std::string_view beit_ignored =
    "add_fpn auxiliary_channels auxiliary_concat_input auxiliary_loss_weight auxiliary_num_convs drop_path_rate "
    "out_features out_indices pool_scales reshape_hidden_states semantic_loss_ignore_index stage_names "
    "use_auxiliary_head use_shared_relative_position_bias vocab_size";

constexpr auto masked_modules = beit_modules<"Beit">("beit");
constexpr ImageType masked{.called = {"beit", "BEiT", masked_modules},
                           .says_qkv_bias = false,
                           .own = {read_beit, write_beit},
                           .ignored = beit_ignored,
                           .besides = beside_beit<true>};

constexpr auto data2vec_modules = beit_modules<"Data2VecVision">("data2vec_vision");
constexpr ImageType data2vec{.called = {"data2vec-vision", "data2vec, images", data2vec_modules},
                             .says_qkv_bias = false,
                             .own = {read_beit, write_beit},
                             .ignored = beit_ignored,
                             .besides = beside_beit<false>};

// Sound as a picture of its frequencies, in patches that overlap (Gong et al. 2021).
constexpr auto spectrogram_modules =
    join(image_root_modules<"AST">("audio_spectrogram_transformer", "ASTForAudioClassification"),
         image_attention_modules<"AST">, image_feed_forward_modules<"AST">, image_norm_modules,
         std::to_array<Module>({
             {1, "classifier", ModuleKind::container, {}, "ASTMLPHead"},
             {2, "layernorm", ModuleKind::norm, Part::pooled_norm, {}},
             {2, "dense", ModuleKind::linear, Part::output_head, {}},
         }));
constexpr ImageType spectrogram{
    .called = {"audio-spectrogram-transformer", "Audio Spectrogram Transformer", spectrogram_modules},
    .channels = 1,
    .class_tokens = 2,
    .pooled = PooledRows::class_mean,
    .own = {[](ConfigReader& reader, Architecture& arch) {
                arch.patches->height = reader.number({"num_mel_bins"}, 128);
                arch.patches->width = reader.number({"max_length"}, 1024);
                arch.patches->stride = reader.number({"frequency_stride"}, 10);
                if (reader.number({"time_stride"}, 10) != arch.patches->stride)
                    reader.reject("time_stride", "patches that overlap more in one direction are not known here",
                                  "give frequency_stride");
                arch.pooled_norm = true;
            },
            [](nlohmann::ordered_json& config, const Architecture& arch) {
                const Patches patches = arch.patches.value_or(Patches{});
                config["num_mel_bins"] = patches.height;
                config["max_length"] = patches.width;
                config["frequency_stride"] = config["time_stride"] = patches.stride.value_or(patches.size);
                for (const char* other : {"image_size", "num_channels"}) config.erase(other);
            }}};

}  // namespace vit

constexpr Family spectrogram_family = image_family<vit::spectrogram>();
constexpr Family vit_family = image_family<vit::first>();
constexpr Family deit_family = image_family<vit::distilled>();
constexpr Family ijepa_family = image_family<vit::predictive>();
constexpr Family vit_msn_family = image_family<vit::siamese>();
constexpr Family dinov2_family = known_to_peft(image_family<vit::dino>(), {.parts_apart = true});
constexpr Family dinov2_with_registers_family = known_to_peft(image_family<vit::registers>(), {.parts_apart = true});
constexpr Family beit_family = image_family<vit::masked>();
constexpr Family data2vec_vision_family = image_family<vit::data2vec>();

}  // namespace headcount
