// Encoders of images and of waves that a decoder of any type reads (vision-encoder-decoder: TrOCR, Donut, ViT before
// GPT-2; speech-encoder-decoder): every tensor by name and shape (transformers, modeling_vision_encoder_decoder.py,
// modeling_speech_encoder_decoder.py, modeling_vit.py, modeling_deit.py, modeling_beit.py, modeling_donut_swin.py,
// modeling_swin.py, modeling_wav2vec2.py).
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.hpp"
#include "core/families/besides.hpp"
#include "core/families/senses.hpp"

namespace headcount {
namespace senses {
namespace {

using Sizes = std::vector<std::int64_t>;

// As the file lists them, none so large that what follows from them does not fit in 64 bits.
Sizes listed_sizes(ConfigReader& fields, std::string_view field, Sizes otherwise, std::int64_t least = 1) {
    Sizes sizes = carry_list(fields, field, least).value_or(std::move(otherwise));
    for (std::int64_t& size : sizes) {
        if (size > largest_size) fields.reject(field, grouped(size) + " is too large", "give a smaller number");
        size = std::min(size, largest_size);
    }
    return sizes;
}

// What layers of BERT's kind have behind attention.
void list_feed_forward(const Section& layer, std::int64_t width, std::int64_t ffn) {
    layer.linear("intermediate.dense", ffn, width);
    layer.linear("output.dense", width, ffn);
    layer.norms({"layernorm_before", "layernorm_after"}, width);
}

std::int64_t vit_with(ConfigReader& fields, const Section& section, bool distilled) {
    const std::int64_t width = fields.number({"hidden_size"}, 768), ffn = fields.number({"intermediate_size"}, 3072);
    check_heads(fields, width, 12);
    const auto image = sides_of(fields, "image_size", 224), patch = sides_of(fields, "patch_size", 16);
    const std::int64_t patches =
        patches_along(fields, image.first, patch.first) * patches_along(fields, image.second, patch.second);
    const Section rows = section.in("embeddings");
    rows.add("cls_token", {1, 1, width});
    if (distilled) rows.add("distillation_token", {1, 1, width});
    rows.add("position_embeddings", {1, patches + (distilled ? 2 : 1), width});
    rows.convolution("patch_embeddings.projection",
                     {width, fields.number({"num_channels"}, 3), patch.first, patch.second});
    const Section layer = section.in("encoder").each("layer", fields.number({"num_hidden_layers"}, 12, 0));
    layer.linears({"attention.attention.query", "attention.attention.key", "attention.attention.value"}, width, width,
                  fields.flag({"qkv_bias"}, true));
    layer.linear("attention.output.dense", width, width);
    list_feed_forward(layer, width, ffn);
    section.norm("layernorm", width);
    section.linear("pooler.dense", fields.number({"pooler_output_size"}, width), width);
    return width;
}

std::int64_t vit(ConfigReader& fields, const Section& section) { return vit_with(fields, section, false); }

std::int64_t deit(ConfigReader& fields, const Section& section) { return vit_with(fields, section, true); }

// BEiT (Bao et al. 2021): sub-blocks scaled by column, keys without a bias, and in scores a number for each way in
// which one patch lies to another, with three more for the class token.
std::int64_t beit(ConfigReader& fields, const Section& section) {
    const std::int64_t width = fields.number({"hidden_size"}, 768), ffn = fields.number({"intermediate_size"}, 3072);
    const std::int64_t heads = check_heads(fields, width, 12);
    const auto image = sides_of(fields, "image_size", 224), patch = sides_of(fields, "patch_size", 16);
    const std::int64_t down = patches_along(fields, image.first, patch.first);
    const std::int64_t across = patches_along(fields, image.second, patch.second);
    const Expr ways = Expr(2 * down - 1) * Expr(2 * across - 1) + Expr(3);
    const Section rows = section.in("embeddings");
    rows.add("cls_token", {1, 1, width});
    if (fields.flag({"use_mask_token"}, false)) rows.add("mask_token", {1, 1, width});
    if (fields.flag({"use_absolute_position_embeddings"}, false))
        rows.add("position_embeddings", {1, Expr(down) * Expr(across) + Expr(1), width});
    rows.convolution("patch_embeddings.projection",
                     {width, fields.number({"num_channels"}, 3), patch.first, patch.second});
    const Section layer = section.in("encoder").each("layer", fields.number({"num_hidden_layers"}, 12, 0));
    const Section attention = layer.in("attention.attention");
    if (fields.real({"layer_scale_init_value"}, 0.1) > 0) {
        layer.add("lambda_1", {width});
        layer.add("lambda_2", {width});
    }
    attention.linears({"query", "value"}, width, width);
    attention.linear("key", width, width, false);
    layer.linear("attention.output.dense", width, width);
    list_feed_forward(layer, width, ffn);
    constexpr std::string_view table = "relative_position_bias.relative_position_bias_table";
    if (fields.flag({"use_relative_position_bias"}, false)) attention.add(table, {ways, heads});
    if (fields.flag({"use_shared_relative_position_bias"}, false)) section.in("encoder").add(table, {ways, heads});
    section.norm(fields.flag({"use_mean_pooling"}, true) ? "pooler.layernorm" : "layernorm", width);
    return width;
}

// Windows that move (Liu et al. 2021): after each stage four patches become one of twice the width. Donut's has no norm
// behind the last, a row of positions too many, and stores which rows of its tables belong to which pair of patches.
std::int64_t swin_with(ConfigReader& fields, const Section& section, bool of_donut) {
    constexpr std::size_t most_stages = 16;
    const Sizes depths = listed_sizes(fields, "depths", {2, 2, 6, 2}, 0);
    const Sizes heads = listed_sizes(fields, "num_heads", {3, 6, 12, 24});
    if (depths.empty() || depths.size() > most_stages)
        fields.reject("depths", grouped(depths.size()) + " stages are not known here", "give 1 to 16 numbers");
    else if (heads.size() < depths.size())
        fields.reject("num_heads", grouped(heads.size()) + " numbers are too few for the stages in depths",
                      "give one for each");
    std::int64_t width = fields.number({"embed_dim"}, 96);
    const double ratio = std::min(fields.positive({"mlp_ratio"}).value_or(4), 64.0);
    const std::int64_t window = fields.number({"window_size"}, 7), across = 2 * window - 1;
    const bool biased = fields.flag({"qkv_bias"}, true);
    const auto image = sides_of(fields, "image_size", 224), patch = sides_of(fields, "patch_size", 4);
    const Section rows = section.in("embeddings");
    rows.convolution("patch_embeddings.projection",
                     {width, fields.number({"num_channels"}, 3), patch.first, patch.second});
    rows.norm("norm", width);
    const std::int64_t patches =
        patches_along(fields, image.first, patch.first) * patches_along(fields, image.second, patch.second);
    if (fields.flag({"use_absolute_embeddings"}, false))
        rows.add("position_embeddings", {1, patches + (of_donut ? 1 : 0), width});
    for (std::size_t i = 0; i < depths.size() && !fields.error(); ++i) {
        if (width % heads[i] != 0)
            fields.reject("num_heads", grouped(heads[i]) + " does not divide width " + grouped(width),
                          "give heads that divide each stage's width");
        if (width > largest_size)
            fields.reject("embed_dim", "the last stage is too wide", "give a smaller width, or fewer stages");
        const Section stage = section.in("encoder.layers." + std::to_string(i)),
                      block = stage.each("blocks", depths[i]);
        block.add("attention.self.relative_position_bias_table", {across * across, heads[i]});
        if (of_donut) block.buffer("attention.self.relative_position_index", {window * window, window * window});
        block.linears({"attention.self.query", "attention.self.key", "attention.self.value"}, width, width, biased);
        block.linear("attention.output.dense", width, width);
        list_feed_forward(block, width, static_cast<std::int64_t>(static_cast<double>(width) * ratio));
        if (i + 1 == depths.size()) continue;
        stage.linear("downsample.reduction", 2 * width, 4 * width, false);
        stage.norm("downsample.norm", 4 * width);
        width *= 2;
    }
    if (!of_donut) section.norm("layernorm", width);
    return width;
}

std::int64_t swin(ConfigReader& fields, const Section& section) { return swin_with(fields, section, false); }

std::int64_t donut_swin(ConfigReader& fields, const Section& section) { return swin_with(fields, section, true); }

// Convolutions over a wave, and behind the layers where the file asks for them others that make fewer moments.
std::int64_t wav2vec2(ConfigReader& fields, const Section& section) {
    constexpr std::size_t most_convolutions = 100;
    const std::int64_t width = fields.number({"hidden_size"}, 768), ffn = fields.number({"intermediate_size"}, 3072);
    check_heads(fields, width, 12);
    const Sizes columns = listed_sizes(fields, "conv_dim", Sizes(7, 512));
    const Sizes kernels = listed_sizes(fields, "conv_kernel", {10, 3, 3, 3, 3, 2, 2});
    const std::int64_t groups = fields.number({"num_conv_pos_embedding_groups"}, 16);
    if (columns.empty() || columns.size() > most_convolutions || kernels.size() != columns.size())
        fields.reject("conv_kernel", "conv_dim and conv_kernel are not alike in length", "give 1 to 100 of both");
    if (width % groups != 0)
        fields.reject("num_conv_pos_embedding_groups", grouped(groups) + " does not divide width " + grouped(width),
                      "give groups that divide it");
    if (said(fields.config(), "adapter_attn_dim"))
        fields.reject("adapter_attn_dim", "adapters in each layer are not known beside a decoder", "leave it out");
    if (fields.error()) return width;
    if (fields.real({"mask_time_prob"}, 0.05) > 0 || fields.real({"mask_feature_prob"}, 0) > 0)
        section.add("masked_spec_embed", {width});
    const bool all_normed = fields.text({"feat_extract_norm"}, "group") == "layer";
    const bool biased = fields.flag({"conv_bias"}, false);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const Section one = section.in("feature_extractor.conv_layers." + std::to_string(i));
        one.convolution("conv", {columns[i], i == 0 ? 1 : columns[i - 1], kernels[i]}, biased);
        if (i == 0 || all_normed) one.norm("layer_norm", columns[i]);
    }
    const Section made = section.in("feature_projection"), body = section.in("encoder");
    made.norm("layer_norm", columns.back());
    made.linear("projection", width, columns.back());
    const std::int64_t kernel = fields.number({"num_conv_pos_embeddings"}, 128);
    const Section places = body.in("pos_conv_embed.conv");
    places.add("bias", {width});
    places.add("parametrizations.weight.original0", {1, 1, kernel});
    places.add("parametrizations.weight.original1", {width, width / groups, kernel});
    body.norm("layer_norm", width);
    const Section layer = body.each("layers", fields.number({"num_hidden_layers"}, 12, 0));
    layer.linears({"attention.k_proj", "attention.v_proj", "attention.q_proj", "attention.out_proj"}, width, width);
    layer.norms({"layer_norm", "final_layer_norm"}, width);
    layer.linear("feed_forward.intermediate_dense", ffn, width);
    layer.linear("feed_forward.output_dense", width, ffn);
    if (!fields.flag({"add_adapter"}, false)) return width;
    const std::int64_t out = fields.number({"output_hidden_size"}, width);
    const Section adapter = section.in("adapter");
    if (out != width) adapter.linear("proj", out, width);
    if (out != width) adapter.norm("proj_layer_norm", out);
    adapter.each("layers", fields.number({"num_adapter_layers"}, 3, 0))
        .convolution("conv", {2 * out, out, fields.number({"adapter_kernel_size"}, 3)});
    return width;
}

struct EncoderType {
    std::string_view type;
    Tower tower;
};
constexpr std::array encoders = std::to_array<EncoderType>(
    {{"beit", beit}, {"deit", deit}, {"donut-swin", donut_swin}, {"swin", swin}, {"vit", vit}, {"wav2vec2", wav2vec2}});

// `usual` is the encoder's type where the file does not say it.
Result<Senses> joined(const nlohmann::json& file, std::string_view usual) {
    SensesReader reader(file);
    const nlohmann::json own = reader.part("encoder"), decoder = reader.part("decoder");
    const std::string_view named = type_said(own);
    const auto* const found = std::ranges::find(encoders, named.empty() ? usual : named, &EncoderType::type);
    if (found == encoders.end()) {
        reader.give_up();
        return reader.take();
    }
    const std::int64_t columns = reader.list("encoder", found->tower, reader.tower("encoder"));
    ConfigReader fields(decoder), encoder(own);
    const bool reads = fields.optional_number({"cross_attention_hidden_size"}).has_value();
    if (fields.number({"hidden_size"}, columns) != encoder.number({"output_hidden_size"}, columns) && !reads)
        reader.connector("").linear("enc_to_dec_proj", Symbol::dim, columns);
    return reader.take();
}

}  // namespace

Result<Senses> seen_by_decoder(const nlohmann::json& file) { return joined(file, "vit"); }

Result<Senses> heard_by_decoder(const nlohmann::json& file) { return joined(file, "wav2vec2"); }

}  // namespace senses
}  // namespace headcount
