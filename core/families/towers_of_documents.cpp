// Encoders of images and of pages, which need not be as wide everywhere: DaViT (Ding et al. 2022), SAM's (Kirillov et
// al. 2023) and Pix2Struct's; with what wrappers that have them hold besides (transformers, modeling_florence2.py,
// modeling_pp_formulanet.py, modeling_pix2struct.py).
#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/families/besides.hpp"
#include "core/families/senses.hpp"

namespace headcount {
namespace towers {
namespace {

using Sizes = std::vector<std::int64_t>;

// One number a stage.
Sizes sizes_said(ConfigReader& fields, std::string_view field, std::size_t stages, Sizes otherwise,
                 std::int64_t least = 1) {
    Sizes sizes = carry_list(fields, field, least).value_or(std::move(otherwise));
    if (sizes.size() < stages)
        fields.reject(field, grouped(sizes.size()) + " numbers are too few for " + grouped(stages) + " stages",
                      "give one for each width in embed_dim");
    sizes.resize(std::max(sizes.size(), stages), 1);
    for (std::int64_t& size : sizes)
        if (size > largest_size) fields.reject(field, grouped(size) + " is too large", "give a smaller number");
    for (std::int64_t& size : sizes) size = std::min(size, largest_size);
    return sizes;
}

// The heads' share of the width, which has to be a whole number.
void check_share(ConfigReader& fields, std::string_view field, const Sizes& widths, const Sizes& shares) {
    for (std::size_t i = 0; i < widths.size(); ++i)
        if (widths[i] % shares[i] != 0)
            fields.reject(field, grouped(shares[i]) + " does not divide width " + grouped(widths[i]),
                          "give numbers that divide those of embed_dim");
}

// A convolution of each column by itself, a norm, a sub-block: twice.
void davit_block(const Section& section, std::string_view attention, std::int64_t width, std::int64_t ffn, bool bias) {
    for (const char* const convolution : {"conv1", "conv2"}) section.convolution(convolution, {width, 1, 3, 3});
    section.norms({"norm1", "norm2"}, width);
    const Section attends = section.in(attention);
    attends.linear("qkv", 3 * width, width, bias);
    attends.linear("proj", width, width);
    section.linear("ffn.fc1", ffn, width);
    section.linear("ffn.fc2", width, ffn);
}

}  // namespace

std::int64_t davit(ConfigReader& fields, const Section& section) {
    const nlohmann::json& json = fields.config();
    const Sizes widths = carry_list(fields, "embed_dim").value_or(Sizes{128, 256, 512, 1024});
    const std::size_t stages = widths.size();
    constexpr std::size_t most_stages = 16;
    if (stages < 1 || stages > most_stages) {
        fields.reject("embed_dim", grouped(stages) + " stages are not known here", "give 1 to 16 widths");
        return 1;
    }
    const Sizes all = sizes_said(fields, "embed_dim", stages, widths);
    const Sizes depths = sizes_said(fields, "depths", stages, {1, 1, 9, 1}, 0);
    const Sizes patches = sizes_said(fields, "patch_size", stages, {7, 3, 3, 3});
    check_share(fields, "num_heads", all, sizes_said(fields, "num_heads", stages, {4, 8, 16, 32}));
    check_share(fields, "num_groups", all, sizes_said(fields, "num_groups", stages, {4, 8, 16, 32}));
    const nlohmann::json* const before = said(json, "patch_prenorm");
    if (before && (!before->is_array() || before->size() < stages ||
                   !std::ranges::all_of(*before, [](const nlohmann::json& each) { return each.is_boolean(); })))
        fields.reject("patch_prenorm", as_written(*before) + " is not one truth value for each stage",
                      "list true or false for each width in embed_dim");
    if (fields.error()) return 1;
    const double ratio = fields.positive({"mlp_ratio"}).value_or(4);
    const bool bias = fields.flag({"qkv_bias"}, true);
    for (std::size_t i = 0; i < stages; ++i) {
        const std::string stage = std::to_string(i);
        const std::int64_t width = all[i], from = i == 0 ? fields.number({"in_channels"}, 3) : all[i - 1];
        const bool normed_before = before ? (*before)[i].get<bool>() : i > 0;
        const Section patch = section.in("convs." + stage);
        patch.convolution("conv", {width, from, patches[i], patches[i]});
        patch.norm("norm", normed_before ? from : width);
        const double wide = std::min(std::floor(static_cast<double>(width) * ratio), 1e9);
        const Section block = section.in("blocks").each(stage, depths[i]);
        for (const char* const kind : {"spatial_block.window_attn", "channel_block.channel_attn"}) {
            const std::string_view path = kind;
            const std::size_t dot = path.find('.');
            davit_block(block.in(path.substr(0, dot)), path.substr(dot + 1), width, static_cast<std::int64_t>(wide),
                        bias);
        }
    }
    return all.back();
}

std::int64_t sam(ConfigReader& fields, const Section& section) {
    const std::int64_t width = fields.number({"hidden_size"}, 768), ffn = fields.number({"mlp_dim"}, 3072);
    const std::int64_t heads = check_heads(fields, width, 12), layers = fields.number({"num_hidden_layers"}, 12, 0);
    const std::int64_t side = fields.number({"patch_size"}, 16), channels = fields.number({"num_channels"}, 3);
    const std::int64_t patches = patches_along(fields, fields.number({"image_size"}, 512), side);
    const std::int64_t window = fields.number({"window_size"}, 14, 0), out = fields.number({"output_channels"}, 256);
    if (fields.flag({"use_abs_pos"}, true)) section.add("pos_embed", {1, patches, patches, width});
    section.convolution("patch_embed.projection", {width, channels, side, side});
    const Section layer = section.each("layers", layers);
    layer.norms({"layer_norm1", "layer_norm2"}, width);
    layer.linear("attn.qkv", 3 * width, width, fields.flag({"qkv_bias"}, true));
    layer.linear("attn.proj", width, width);
    layer.linear("mlp.lin1", ffn, width);
    layer.linear("mlp.lin2", width, ffn);
    // Rows for how far patches lie apart, in a window or across all: listed one by one.
    const Sizes whole = carry_list(fields, "global_attn_indexes", 0).value_or(Sizes{2, 5, 8, 11});
    if (layers > most_listed)
        fields.reject("num_hidden_layers", grouped(layers) + " layers are too many", "give at most 1,000");
    else if (fields.flag({"use_rel_pos"}, true))
        for (std::int64_t i = 0; i < layers; ++i) {
            const bool all = window == 0 || contains(whole, i);
            const Section attention = section.in("layers." + std::to_string(i) + ".attn");
            for (const char* const axis : {"rel_pos_h", "rel_pos_w"})
                attention.add(axis, {2 * (all ? patches : window) - 1, width / heads});
        }
    const Section neck = section.in("neck");
    neck.convolution("conv1", {out, width, 1, 1}, false);
    neck.convolution("conv2", {out, out, 3, 3}, false);
    neck.norms({"layer_norm1", "layer_norm2"}, out);
    return out;
}

std::int64_t pix2struct(ConfigReader& fields, const Section& section) {
    const std::int64_t width = fields.number({"hidden_size"}, 768), ffn = fields.number({"d_ff"}, 2048);
    const std::int64_t inner = fields.number({"num_attention_heads"}, 12) * fields.number({"d_kv"}, 64);
    const std::int64_t rows = fields.number({"seq_len"}, 4096);
    const Section embedded = section.in("embeddings");
    embedded.linear("patch_projection", width, fields.number({"patch_embed_hidden_size"}, 768));
    for (const char* const axis : {"row_embedder", "column_embedder"}) embedded.table(axis, rows, width);
    const Section layer = section.in("encoder").each("layer", fields.number({"num_hidden_layers"}, 12, 0));
    layer.linears({"attention.query", "attention.key", "attention.value"}, inner, width, false);
    layer.linear("attention.output", width, inner, false);
    layer.linears({"mlp.wi_0", "mlp.wi_1"}, ffn, width, false);
    layer.linear("mlp.wo", width, ffn, false);
    layer.norms({"pre_mlp_layer_norm", "pre_attention_layer_norm"}, width, false);
    section.norm("layernorm", width, false);
    return width;
}

}  // namespace towers

namespace senses {

constexpr std::string_view vision = "vision_config";

Result<Senses> florence2(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t columns = reader.list(vision, towers::davit, reader.tower("vision_tower"));
    const nlohmann::json own = reader.part(vision);
    ConfigReader fields(own, largest_size);
    const std::int64_t made = fields.number({"projection_dim"}, 1024);
    const std::int64_t places = fields.number({"max_position_embeddings"}, 50);
    const std::int64_t frames = fields.number({"max_temporal_embeddings"}, 100);
    reader.keep(fields, vision);
    const Section connector = reader.connector("multi_modal_projector");
    connector.linear("image_projection", made, columns, false);
    connector.norm("image_proj_norm", made);
    const Section rows = connector.in("image_position_embed");
    rows.table("row_embeddings", places, columns / 2);
    rows.table("column_embeddings", places, columns - columns / 2);
    connector.buffer("visual_temporal_embed.pos_idx_to_embed", {frames, columns});
    return reader.take();
}

Result<Senses> pp_formulanet(const nlohmann::json& file) {
    SensesReader reader(file);
    reader.list(vision, towers::sam, reader.tower("encoder"));
    const nlohmann::json own = reader.part(vision);
    ConfigReader fields(own, largest_size);
    const std::int64_t from = fields.number({"post_conv_in_channels"}, 256);
    const std::int64_t between = fields.number({"post_conv_mid_channels"}, 512);
    const std::int64_t out = fields.number({"post_conv_out_channels"}, 1024);
    const std::int64_t made = fields.number({"decoder_hidden_size"}, 512);
    reader.keep(fields, vision);
    const Section connector = reader.connector("encoder.multi_modal_projector");
    connector.convolution("conv1", {between, from, 3, 3}, false);
    connector.convolution("conv2", {out, between, 3, 3}, false);
    connector.linear("linear_1", out, out);
    connector.linear("linear_2", made, out);
    return reader.take();
}

Result<Senses> pix2struct(const nlohmann::json& file) {
    SensesReader reader(file);
    reader.list(vision, towers::pix2struct, reader.tower("encoder"));
    return reader.take();
}

}  // namespace senses
}  // namespace headcount
