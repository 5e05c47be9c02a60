// Encoders of pictures inside models that read text besides: every tensor by name and shape, as transformers builds it
// (modeling_clip.py, modeling_siglip.py, modeling_pixtral.py, modeling_idefics2.py, modeling_internvl.py, ...).
#include <array>

#include "core/families/senses.hpp"

namespace headcount {
namespace towers {
namespace {

struct PatchedTower {
    std::int64_t width = 768, ffn = 3072, layers = 12, image = 224, patch = 32;
};

// CLIP's layers, which SigLIP and many others have.
void clip_layers(const Section& section, const PatchedTower& sizes) {
    const Section layer = section.each("layers", sizes.layers);
    layer.linears({"self_attn.k_proj", "self_attn.v_proj", "self_attn.q_proj", "self_attn.out_proj"}, sizes.width,
                  sizes.width);
    layer.norms({"layer_norm1", "layer_norm2"}, sizes.width);
    layer.linear("mlp.fc1", sizes.ffn, sizes.width);
    layer.linear("mlp.fc2", sizes.width, sizes.ffn);
}

PatchedTower sizes_of(ConfigReader& fields, const PatchedTower& otherwise) {
    const PatchedTower sizes{.width = fields.number({"hidden_size"}, otherwise.width),
                             .ffn = fields.number({"intermediate_size"}, otherwise.ffn),
                             .layers = fields.number({"num_hidden_layers"}, otherwise.layers, 0),
                             .image = fields.number({"image_size"}, otherwise.image),
                             .patch = fields.number({"patch_size"}, otherwise.patch)};
    check_heads(fields, sizes.width);
    return sizes;
}

std::int64_t patches_of(ConfigReader& fields, const PatchedTower& sizes) {
    const std::int64_t side = patches_along(fields, sizes.image, sizes.patch);
    return side * side;
}

std::int64_t channels_of(ConfigReader& fields) { return fields.number({"num_channels"}, 3); }

std::int64_t clip_tower(ConfigReader& fields, const Section& section) {
    const PatchedTower sizes = sizes_of(fields, {});
    const Section rows = section.in("embeddings");
    rows.add("class_embedding", {sizes.width});
    rows.convolution("patch_embedding", {sizes.width, channels_of(fields), sizes.patch, sizes.patch}, false);
    rows.table("position_embedding", patches_of(fields, sizes) + 1, sizes.width);
    section.norms({"pre_layrnorm", "post_layernorm"}, sizes.width);
    clip_layers(section.in("encoder"), sizes);
    return sizes.width;
}

// Patches with a bias, a row a place, no class token.
std::int64_t plain_tower(ConfigReader& fields, const Section& section, const PatchedTower& otherwise,
                         bool places = true) {
    const PatchedTower sizes = sizes_of(fields, otherwise);
    const Section rows = section.in("embeddings");
    rows.convolution("patch_embedding", {sizes.width, channels_of(fields), sizes.patch, sizes.patch});
    if (places) rows.table("position_embedding", patches_of(fields, sizes), sizes.width);
    clip_layers(section.in("encoder"), sizes);
    section.norm("post_layernorm", sizes.width);
    return sizes.width;
}

// The attention of a trained query, which makes one row of all.
void pooling_head(ConfigReader& fields, const Section& section, std::int64_t width, std::int64_t ffn) {
    if (!fields.flag({"vision_use_head"}, true)) return;
    const Section head = section.in("head");
    head.add("probe", {1, 1, width});
    head.add("attention.in_proj_weight", {3 * width, width});
    head.add("attention.in_proj_bias", {3 * width});
    head.linear("attention.out_proj", width, width);
    head.norm("layernorm", width);
    head.linear("mlp.fc1", ffn, width);
    head.linear("mlp.fc2", width, ffn);
}

std::int64_t siglip_tower(ConfigReader& fields, const Section& section) {
    constexpr PatchedTower otherwise{.patch = 16};
    const std::int64_t width = plain_tower(fields, section, otherwise);
    pooling_head(fields, section, width, sizes_of(fields, otherwise).ffn);
    return width;
}

std::int64_t siglip2_tower(ConfigReader& fields, const Section& section) {
    const PatchedTower sizes = sizes_of(fields, {.patch = 16});
    const Section rows = section.in("embeddings");
    rows.linear("patch_embedding", sizes.width, channels_of(fields) * sizes.patch * sizes.patch);
    rows.table("position_embedding", fields.number({"num_patches"}, 256), sizes.width);
    clip_layers(section.in("encoder"), sizes);
    section.norm("post_layernorm", sizes.width);
    pooling_head(fields, section, sizes.width, sizes.ffn);
    return sizes.width;
}

std::int64_t pixtral_tower(ConfigReader& fields, const Section& section) {
    const std::int64_t width = fields.number({"hidden_size"}, 1024), ffn = fields.number({"intermediate_size"}, 4096);
    check_heads(fields, width);
    const std::int64_t patch = fields.number({"patch_size"}, 16);
    section.convolution("patch_conv", {width, channels_of(fields), patch, patch}, false);
    section.norm("ln_pre", width, false);
    const Section layer = section.in("transformer").each("layers", fields.number({"num_hidden_layers"}, 24, 0));
    layer.norms({"attention_norm", "ffn_norm"}, width, false);
    layer.linears({"attention.k_proj", "attention.v_proj", "attention.q_proj", "attention.o_proj"}, width, width,
                  false);
    layer.linears({"feed_forward.gate_proj", "feed_forward.up_proj"}, ffn, width, false);
    layer.linear("feed_forward.down_proj", width, ffn, false);
    return width;
}

// BLIP's: queries, keys and values in one matrix.
std::int64_t fused_tower(ConfigReader& fields, const Section& section, const PatchedTower& otherwise) {
    const PatchedTower sizes = sizes_of(fields, otherwise);
    const Section rows = section.in("embeddings");
    rows.add("class_embedding", {1, 1, sizes.width});
    rows.add("position_embedding", {1, patches_of(fields, sizes) + 1, sizes.width});
    rows.convolution("patch_embedding", {sizes.width, 3, sizes.patch, sizes.patch});
    const Section layer = section.in("encoder").each("layers", sizes.layers);
    layer.linear("self_attn.qkv", 3 * sizes.width, sizes.width, fields.flag({"qkv_bias"}, true));
    layer.linear("self_attn.projection", sizes.width, sizes.width);
    layer.norms({"layer_norm1", "layer_norm2"}, sizes.width);
    layer.linear("mlp.fc1", sizes.ffn, sizes.width);
    layer.linear("mlp.fc2", sizes.width, sizes.ffn);
    section.norm("post_layernorm", sizes.width);
    return sizes.width;
}

struct TowerType {
    std::string_view type;
    Tower tower;
};
constexpr std::array tower_types = std::to_array<TowerType>({
    {"clip_vision_model", clip_tower},
    {"idefics2_vision", towers::idefics2},
    {"idefics3_vision", towers::idefics3},
    {"internvl_vision", towers::internvl},
    {"pixtral", pixtral_tower},
    {"siglip2_vision_model", siglip2_tower},
    {"siglip_vision_model", siglip_tower},
    {"smolvlm_vision", towers::idefics3},
});

std::int64_t internvl_tower(ConfigReader& fields, const Section& section, const Section& layers, bool biased) {
    const std::int64_t width = fields.number({"hidden_size"}, 1024), ffn = fields.number({"intermediate_size"}, 4096);
    check_heads(fields, width);
    const auto image = sides_of(fields, "image_size", 448), patch = sides_of(fields, "patch_size", 14);
    const Section rows = section.in("embeddings");
    rows.add("cls_token", {1, 1, width});
    if (fields.flag({"use_mask_token"}, false)) rows.add("mask_token", {1, 1, width});
    if (fields.flag({"use_absolute_position_embeddings"}, true))
        rows.add(
            "position_embeddings",
            {1, patches_along(fields, image.first, patch.first) * patches_along(fields, image.second, patch.second) + 1,
             width});
    rows.convolution("patch_embeddings.projection", {width, channels_of(fields), patch.first, patch.second});
    const Section& layer = layers;
    layer.add("lambda_1", {width});
    layer.add("lambda_2", {width});
    layer.linears({"attention.q_proj", "attention.k_proj", "attention.v_proj"}, width, width,
                  fields.flag({"attention_bias"}, biased));
    layer.linear("attention.projection_layer", width, width);
    if (fields.flag({"use_qk_norm"}, false)) layer.norms({"attention.q_norm", "attention.k_norm"}, width, false);
    layer.linear("mlp.fc1", ffn, width);
    layer.linear("mlp.fc2", width, ffn);
    layer.norms({"layernorm_before", "layernorm_after"}, width, fields.text({"norm_type"}, "layer_norm") != "rms_norm");
    if (!fields.flag({"use_mean_pooling"}, true)) section.norm("layernorm", width);
    return width;
}

}  // namespace
}  // namespace towers

Tower find_tower(std::string_view type) {
    for (const towers::TowerType& each : towers::tower_types)
        if (each.type == type) return each.tower;
    return nullptr;
}

namespace towers {

std::int64_t idefics2(ConfigReader& fields, const Section& section) { return plain_tower(fields, section, {}); }

std::int64_t idefics3(ConfigReader& fields, const Section& section) {
    return plain_tower(fields, section, {.width = 1152});
}

std::int64_t video_llama_3(ConfigReader& fields, const Section& section) {
    return plain_tower(fields, section, {.patch = 16}, false);
}

std::int64_t paddleocr_vl(ConfigReader& fields, const Section& section) {
    return plain_tower(fields, section, {.width = 1152, .ffn = 4304, .layers = 27, .image = 384, .patch = 14});
}

std::int64_t internvl(ConfigReader& fields, const Section& section) {
    const std::int64_t layers = fields.number({"num_hidden_layers"}, 24, 0);
    return internvl_tower(fields, section, section.in("encoder").each("layer", layers), false);
}

std::int64_t qianfan(ConfigReader& fields, const Section& section) {
    const std::int64_t layers = fields.number({"num_hidden_layers"}, 24, 0);
    return internvl_tower(fields, section, section.each("layers", layers), true);
}

std::int64_t kimi(ConfigReader& fields, const Section& section) {
    const std::int64_t width = fields.number({"hidden_size"}, 1152), ffn = fields.number({"intermediate_size"}, 4304);
    check_heads(fields, width);
    const auto patch = sides_of(fields, "patch_size", 14);
    section.convolution("patch_embed.proj", {width, 3, patch.first, patch.second});
    section.convolution("patch_embed.pos_emb",
                        {fields.number({"pos_emb_height"}, 64), fields.number({"pos_emb_width"}, 64), width}, false);
    const Section body = section.in("encoder"),
                  layer = body.each("blocks", fields.number({"num_hidden_layers"}, 27, 0));
    layer.norms({"norm0", "norm1"}, width);
    layer.linear("wqkv", 3 * width, width);
    layer.linear("wo", width, width);
    layer.linear("mlp.fc0", ffn, width);
    layer.linear("mlp.fc1", width, ffn);
    body.norm("final_layernorm", width);
    return width;
}

std::int64_t gemma4(ConfigReader& fields, const Section& section) {
    const std::int64_t width = fields.number({"hidden_size"}, 768), ffn = fields.number({"intermediate_size"}, 3072);
    const std::int64_t patch = fields.number({"patch_size"}, 16), head_dim = fields.number({"head_dim"}, 64);
    const std::int64_t queries = head_dim * fields.number({"num_attention_heads"}, 12);
    const std::int64_t keys = head_dim * fields.number({"num_key_value_heads"}, 12);
    section.linear("patch_embedder.input_proj", width, 3 * patch * patch, false);
    section.add("patch_embedder.position_embedding_table",
                {2, fields.number({"position_embedding_size"}, 10240), width});
    const Section layer = section.in("encoder").each("layers", fields.number({"num_hidden_layers"}, 16, 0));
    layer.linear("self_attn.q_proj.linear", queries, width, false);
    layer.linears({"self_attn.k_proj.linear", "self_attn.v_proj.linear"}, keys, width, false);
    layer.linear("self_attn.o_proj.linear", width, queries, false);
    layer.norms({"self_attn.q_norm", "self_attn.k_norm"}, head_dim, false);
    layer.linears({"mlp.gate_proj.linear", "mlp.up_proj.linear"}, ffn, width, false);
    layer.linear("mlp.down_proj.linear", width, ffn, false);
    layer.norms(
        {"input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm", "post_feedforward_layernorm"},
        width, false);
    return width;
}

std::int64_t minicpm(ConfigReader& fields, const Section& section) {
    constexpr PatchedTower otherwise{.patch = 16};
    const std::int64_t width = plain_tower(fields, section, otherwise);
    const auto window = sides_of(fields, "window_kernel_size", 2);
    const std::int64_t wide = width * window.first * window.second;
    const std::int64_t inner = sizes_of(fields, otherwise).ffn * window.first * window.second;
    const Section merger = section.in("vit_merger");
    merger.linears({"self_attn.k_proj", "self_attn.v_proj", "self_attn.q_proj", "self_attn.out_proj"}, width, width);
    merger.norm("layer_norm1", width);
    merger.norm("pre_norm", wide);
    merger.linear("linear_1", inner, wide);
    merger.linear("linear_2", width, inner);
    return width;
}

std::int64_t blip(ConfigReader& fields, const Section& section) {
    return fused_tower(fields, section, {.image = 384, .patch = 16});
}

std::int64_t blip2(ConfigReader& fields, const Section& section) {
    return fused_tower(fields, section, {.width = 1408, .ffn = 6144, .layers = 39, .patch = 14});
}

std::int64_t llama4(ConfigReader& fields, const Section& section) {
    const PatchedTower sizes = sizes_of(fields, {.ffn = 5632, .layers = 34, .image = 448, .patch = 14});
    section.add("class_embedding", {sizes.width});
    section.add("positional_embedding_vlm", {patches_of(fields, sizes) + 1, sizes.width});
    section.linear("patch_embedding.linear", sizes.width, channels_of(fields) * sizes.patch * sizes.patch, false);
    section.norms({"layernorm_pre", "layernorm_post"}, sizes.width);
    const Section layer = section.in("model").each("layers", sizes.layers);
    layer.linears({"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj"}, sizes.width,
                  sizes.width);
    layer.linear("mlp.fc1", sizes.ffn, sizes.width);
    layer.linear("mlp.fc2", sizes.width, sizes.ffn);
    layer.norms({"input_layernorm", "post_attention_layernorm"}, sizes.width);
    const std::int64_t out = fields.number({"projector_output_dim"}, 4096);
    const Section adapter = section.as(Component::connector).in("vision_adapter");
    adapter.linear("mlp.fc1", fields.number({"projector_input_dim"}, 4096), sizes.ffn, false);
    adapter.linear("mlp.fc2", out, out, false);
    return fields.number({"vision_output_dim"}, 7680);
}

std::int64_t ovis2(ConfigReader& fields, const Section& section) {
    const PatchedTower sizes = sizes_of(fields, {.width = 1024, .ffn = 2816, .layers = 24, .patch = 14});
    const bool bias = fields.flag({"qkv_bias"}, false), mlp_bias = fields.flag({"mlp_bias"}, false);
    const Section body = section.in("transformer"), rows = body.in("embeddings");
    rows.convolution("patch_embedding", {sizes.width, channels_of(fields), sizes.patch, sizes.patch});
    rows.table("position_embedding", patches_of(fields, sizes), sizes.width);
    rows.norm("rms_norm", sizes.width, false);
    const Section layer = body.in("encoder").each("layers", sizes.layers);
    layer.linears({"attention.k_proj", "attention.v_proj", "attention.q_proj", "attention.out_proj"}, sizes.width,
                  sizes.width, bias);
    layer.linears({"ffn.gate_proj", "ffn.up_proj"}, sizes.ffn, sizes.width, mlp_bias);
    layer.linear("ffn.down_proj", sizes.width, sizes.ffn, mlp_bias);
    layer.norms({"rms_norm1", "rms_norm2"}, sizes.width, false);
    body.norm("rms_norm", sizes.width, false);
    const std::int64_t vocab = fields.number({"vocab_size"}, 16384), stride = fields.number({"hidden_stride"}, 1);
    const std::int64_t words = vocab - fields.number({"num_visual_indicator_tokens"}, 5, 0);
    const Section head = section.as(Component::connector);
    head.linear("head_linear", words, sizes.width * stride * stride, false);
    head.norm("head_norm", words);
    return vocab;
}

}  // namespace towers
}  // namespace headcount
