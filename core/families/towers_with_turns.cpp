// Encoders of pictures that know places by turning queries and keys, with what merges neighbouring patches inside:
// those of Qwen's and GLM's models (transformers, modeling_qwen2_vl.py, modeling_qwen2_5_vl.py, modeling_qwen3_vl.py,
// modeling_exaone4_5.py, modeling_glm4v.py, modeling_glm_ocr.py).
#include "core/families/senses.hpp"

namespace headcount {
namespace towers {
namespace {

// Pictures of several moments, cut into patches of space and time.
void cut_in_time(ConfigReader& fields, const Section& section, std::int64_t width, std::int64_t patch, bool bias) {
    const std::int64_t size = fields.number({"patch_size"}, patch);
    section.convolution(
        "patch_embed.proj",
        {width, fields.number({"in_channels"}, 3), fields.number({"temporal_patch_size"}, 2), size, size}, bias);
}

// Columns of so many patches side by side as one of the text's.
std::int64_t merged(ConfigReader& fields, std::int64_t width) {
    const std::int64_t side = fields.number({"spatial_merge_size"}, 2);
    return width * side * side;
}

void merge(ConfigReader& fields, const Section& section, std::int64_t width, std::int64_t out, bool norm_bias) {
    const Section merger = section.as(Component::connector).in("merger");
    const std::int64_t wide = merged(fields, width);
    merger.norm("ln_q", width, norm_bias);
    merger.linear("mlp.0", wide, wide);
    merger.linear("mlp.2", out, wide);
}

void gated(const Section& section, std::int64_t width, std::int64_t ffn, bool bias) {
    section.linears({"mlp.gate_proj", "mlp.up_proj"}, ffn, width, bias);
    section.linear("mlp.down_proj", width, ffn, bias);
}

// Qwen2.5-VL's; keys and values may have fewer heads.
std::int64_t gated_qwen(ConfigReader& fields, const Section& section, bool groups) {
    const std::int64_t width = fields.number({"hidden_size"}, 3584);
    cut_in_time(fields, section, width, 14, false);
    const Section layer = section.each("blocks", fields.number({"depth", "num_hidden_layers"}, 32, 0));
    const std::int64_t heads = check_heads(fields, width, 16);
    const std::int64_t shared = groups ? fields.number({"num_key_value_heads"}, 8) : heads;
    layer.norms({"norm1", "norm2"}, width, false);
    layer.linear("attn.qkv", groups ? width / heads * (heads + 2 * shared) : 3 * width, width);
    layer.linear("attn.proj", width, width);
    gated(layer, width, fields.number({"intermediate_size"}, 3420), true);
    const std::int64_t out = fields.number({"out_hidden_size"}, 3584);
    merge(fields, section, width, out, false);
    return out;
}

std::int64_t layered_qwen(ConfigReader& fields, const Section& section, bool deep) {
    const std::int64_t width = fields.number({"hidden_size"}, 1152), ffn = fields.number({"intermediate_size"}, 4304);
    cut_in_time(fields, section, width, 16, true);
    check_heads(fields, width);
    section.table("pos_embed", fields.number({"num_position_embeddings"}, 2304), width);
    const Section layer = section.each("blocks", fields.number({"depth", "num_hidden_layers"}, 27, 0));
    layer.norms({"norm1", "norm2"}, width);
    layer.linear("attn.qkv", 3 * width, width);
    layer.linear("attn.proj", width, width);
    layer.linear("mlp.linear_fc1", ffn, width);
    layer.linear("mlp.linear_fc2", width, ffn);
    const std::int64_t out = fields.number({"out_hidden_size"}, 3584), wide = merged(fields, width);
    const auto merge_in = [&](const Section& merger, std::int64_t normed) {
        merger.norm("norm", normed);
        merger.linear("linear_fc1", wide, wide);
        merger.linear("linear_fc2", out, wide);
    };
    const Section connector = section.as(Component::connector);
    merge_in(connector.in("merger"), width);
    if (!deep) return out;
    const std::int64_t deep_layers = listed_indices(fields, "deepstack_visual_indexes").value_or(3);
    merge_in(connector.each("deepstack_merger_list", deep_layers), wide);
    return out;
}

// What GLM's have behind their layers.
void downsample(ConfigReader& fields, const Section& section, std::int64_t width, std::int64_t out,
                std::int64_t inner) {
    const std::int64_t side = fields.number({"spatial_merge_size"}, 2);
    section.norm("post_layernorm", width, false);
    const Section connector = section.as(Component::connector), merger = connector.in("merger");
    connector.convolution("downsample", {out, width, side, side});
    merger.linear("proj", out, out, false);
    merger.norm("post_projection_norm", out);
    merger.linears({"gate_proj", "up_proj"}, inner, out, false);
    merger.linear("down_proj", out, inner, false);
}

}  // namespace

std::int64_t qwen2_vl(ConfigReader& fields, const Section& section) {
    const std::int64_t width = fields.number({"embed_dim"}, 1280), ffn = width * fields.number({"mlp_ratio"}, 4);
    check_heads(fields, width);
    cut_in_time(fields, section, width, 14, false);
    const Section layer = section.each("blocks", fields.number({"depth"}, 32, 0));
    layer.norms({"norm1", "norm2"}, width);
    layer.linear("attn.qkv", 3 * width, width);
    layer.linear("attn.proj", width, width);
    layer.linear("mlp.fc1", ffn, width);
    layer.linear("mlp.fc2", width, ffn);
    const std::int64_t out = fields.number({"hidden_size"}, 3584);
    merge(fields, section, width, out, true);
    return out;
}

std::int64_t qwen2_5_vl(ConfigReader& fields, const Section& section) { return gated_qwen(fields, section, false); }

std::int64_t exaone4_5(ConfigReader& fields, const Section& section) { return gated_qwen(fields, section, true); }

std::int64_t qwen3_vl(ConfigReader& fields, const Section& section) { return layered_qwen(fields, section, true); }

std::int64_t qwen3_5(ConfigReader& fields, const Section& section) { return layered_qwen(fields, section, false); }

std::int64_t glm4v(ConfigReader& fields, const Section& section) {
    const std::int64_t width = fields.number({"hidden_size"}, 1536), out = fields.number({"out_hidden_size"}, 4096);
    check_heads(fields, width);
    const std::int64_t places =
        patches_along(fields, fields.number({"image_size"}, 336), fields.number({"patch_size"}, 14));
    section.table("embeddings.position_embedding", places * places, width);
    cut_in_time(fields, section, width, 14, true);
    const Section layer = section.each("blocks", fields.number({"depth", "num_hidden_layers"}, 24, 0));
    layer.norms({"norm1", "norm2"}, width, false);
    layer.linear("attn.qkv", 3 * width, width, fields.flag({"attention_bias"}, false));
    layer.linear("attn.proj", width, width, false);
    gated(layer, width, out, false);
    section.norm("post_conv_layernorm", width, false);
    downsample(fields, section, width, out, fields.number({"intermediate_size"}, 13696));
    return out;
}

std::int64_t glm_ocr(ConfigReader& fields, const Section& section) {
    const std::int64_t width = fields.number({"hidden_size"}, 1024), out = fields.number({"out_hidden_size"}, 1536);
    const std::int64_t heads = check_heads(fields, width, 16);
    const bool bias = fields.flag({"attention_bias"}, true);
    cut_in_time(fields, section, width, 14, true);
    const Section layer = section.each("blocks", fields.number({"depth", "num_hidden_layers"}, 24, 0));
    layer.norms({"norm1", "norm2"}, width, false);
    layer.linear("attn.qkv", 3 * width, width, bias);
    layer.linear("attn.proj", width, width, bias);
    layer.norms({"attn.q_norm", "attn.k_norm"}, width / heads, false);
    gated(layer, width, fields.number({"intermediate_size"}, 4096), bias);
    downsample(fields, section, width, out, out * fields.number({"in_channels"}, 3));
    return out;
}

}  // namespace towers
}  // namespace headcount
