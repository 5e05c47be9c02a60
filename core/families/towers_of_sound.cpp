// Encoders of sound inside models that read text besides, and what leads from there to the text's width: every tensor
// by name and shape, as transformers builds it (modeling_qwen2_audio.py, modeling_voxtral.py,
// modeling_audioflamingo3.py, modeling_glmasr.py, modeling_omniasr.py, modeling_qwen3_asr.py).
#include <algorithm>
#include <string>
#include <vector>

#include "core/base/text.hpp"
#include "core/families/senses.hpp"

namespace headcount {
namespace {

constexpr std::string_view audio = "audio_config";

struct SoundTower {
    std::int64_t width = 1280, ffn = 5120, layers = 32, channels = 128;
};

SoundTower sound_sizes(ConfigReader& fields, const SoundTower& otherwise = {}) {
    const SoundTower sizes{.width = fields.number({"hidden_size", "d_model"}, otherwise.width),
                           .ffn = fields.number({"intermediate_size", "encoder_ffn_dim"}, otherwise.ffn),
                           .layers = fields.number({"num_hidden_layers", "encoder_layers"}, otherwise.layers, 0),
                           .channels = fields.number({"num_mel_bins"}, otherwise.channels)};
    check_heads(fields, sizes.width);
    return sizes;
}

// Two convolutions over time, of which the second reads every other row.
void hearing(const Section& section, const SoundTower& sizes) {
    section.convolution("conv1", {sizes.width, sizes.channels, 3});
    section.convolution("conv2", {sizes.width, sizes.width, 3});
}

// Whisper's layers, whose keys have no biases, and those that have.
void whisper_layers(const Section& section, const SoundTower& sizes, bool key_bias) {
    const Section layer = section.each("layers", sizes.layers);
    layer.linears({"self_attn.v_proj", "self_attn.q_proj", "self_attn.out_proj"}, sizes.width, sizes.width);
    layer.linear("self_attn.k_proj", sizes.width, sizes.width, key_bias);
    layer.norms({"self_attn_layer_norm", "final_layer_norm"}, sizes.width);
    layer.linear("fc1", sizes.ffn, sizes.width);
    layer.linear("fc2", sizes.width, sizes.ffn);
}

std::int64_t whisper(ConfigReader& fields, const Section& section) {
    const SoundTower sizes = sound_sizes(fields);
    hearing(section, sizes);
    section.linear("embed_positions", fields.number({"max_source_positions"}, 1500), sizes.width, false);
    whisper_layers(section, sizes, false);
    section.norm("layer_norm", sizes.width);
    return sizes.width;
}

// Rotary positions, and perhaps fewer heads of keys and values.
std::int64_t rotary_tower(ConfigReader& fields, const Section& section) {
    const SoundTower sizes = sound_sizes(fields);
    hearing(section, sizes);
    const std::int64_t heads = check_heads(fields, sizes.width, 20);
    const std::int64_t size = fields.number({"head_dim"}, std::max<std::int64_t>(1, sizes.width / heads));
    const std::int64_t keys = fields.number({"num_key_value_heads"}, heads) * size;
    const Section layer = section.each("layers", sizes.layers);
    layer.linear("self_attn.q_proj", heads * size, sizes.width);
    layer.linear("self_attn.k_proj", keys, sizes.width, false);
    layer.linear("self_attn.v_proj", keys, sizes.width);
    layer.linear("self_attn.o_proj", sizes.width, heads * size);
    layer.norms({"input_layernorm", "post_attention_layernorm"}, sizes.width);
    layer.linear("mlp.fc1", sizes.ffn, sizes.width);
    layer.linear("mlp.fc2", sizes.width, sizes.ffn);
    section.norm("norm", sizes.width);
    return sizes.width;
}

// One number for each convolution.
std::vector<std::int64_t> sizes_listed(ConfigReader& fields, std::string_view field,
                                       std::vector<std::int64_t> otherwise) {
    const nlohmann::json& json = fields.config();
    constexpr std::size_t most = 16;
    const nlohmann::json* list = said(json, field);
    if (!list) return otherwise;
    std::vector<std::int64_t> sizes;
    if (list->is_array() && list->size() <= most)
        for (const nlohmann::json& each : *list)
            if (each.is_number_integer() && each >= 1 && each <= largest_size)
                sizes.push_back(each.get<std::int64_t>());
    if (!sizes.empty() && sizes.size() == list->size()) return sizes;
    fields.reject(field, as_written(*list) + " lists no sizes of convolutions",
                  "list whole numbers from 1 to " + grouped(largest_size) + ", at most " + std::to_string(most));
    return otherwise;
}

// Convolutions over the wave itself, a norm behind each, as wav2vec 2.0 has them.
std::int64_t wave_tower(ConfigReader& fields, const Section& section) {
    const SoundTower sizes = sound_sizes(fields, {.width = 1024, .ffn = 4096, .layers = 24});
    const std::vector<std::int64_t> columns = sizes_listed(fields, "conv_dim", std::vector<std::int64_t>(7, 512));
    const std::vector<std::int64_t> kernels = sizes_listed(fields, "conv_kernel", {10, 3, 3, 3, 3, 2, 2});
    if (kernels.size() != columns.size())
        fields.reject("conv_kernel", "conv_dim and conv_kernel are not alike in length", "give as many of both");
    const Section hears = section.in("subsampling");
    for (std::size_t i = 0; i < columns.size() && i < kernels.size(); ++i) {
        const Section one = hears.in("conv_layers." + std::to_string(i));
        one.convolution("conv", {columns[i], i == 0 ? 1 : columns[i - 1], kernels[i]},
                        fields.flag({"conv_bias"}, true));
        one.norm("layer_norm", columns[i]);
    }
    hears.norm("layer_norm", columns.back());
    hears.linear("projection", sizes.width, columns.back());
    const std::int64_t groups = fields.number({"num_conv_pos_embedding_groups"}, 16);
    if (sizes.width % groups != 0)
        fields.reject("num_conv_pos_embedding_groups",
                      grouped(groups) + " does not divide width " + grouped(sizes.width),
                      "give groups that divide the tower's width");
    section.convolution("encode_positions.conv", {sizes.width, std::max<std::int64_t>(1, sizes.width / groups),
                                                  fields.number({"num_conv_pos_embeddings"}, 128)});
    const Section layer = section.each("layers", sizes.layers);
    layer.linears({"attention.k_proj", "attention.v_proj", "attention.q_proj", "attention.out_proj"}, sizes.width,
                  sizes.width);
    layer.norms({"layer_norm", "final_layer_norm"}, sizes.width);
    layer.linear("feed_forward.intermediate_dense", sizes.ffn, sizes.width);
    layer.linear("feed_forward.output_dense", sizes.width, sizes.ffn);
    section.norm("layer_norm", sizes.width);
    return sizes.width;
}

// Convolutions over frequencies and time, each of which halves both.
std::int64_t halving_tower(ConfigReader& fields, const Section& section) {
    const SoundTower sizes = sound_sizes(fields, {.width = 1024, .ffn = 4096, .layers = 24});
    const std::int64_t between = fields.number({"downsample_hidden_size"}, 480);
    section.convolution("conv2d1", {between, 1, 3, 3});
    section.convolution("conv2d2", {between, between, 3, 3});
    section.convolution("conv2d3", {between, between, 3, 3});
    std::int64_t left = sizes.channels;
    for (int i = 0; i < 3; ++i) left = (left + 1) / 2;
    section.linear("conv_out", sizes.width, between * left, false);
    whisper_layers(section, sizes, true);
    section.norm("ln_post", sizes.width);
    return sizes.width;
}

// What the tower's own part says of one size.
std::int64_t size_of_part(SensesReader& reader, std::string_view field, std::int64_t otherwise) {
    const nlohmann::json own = reader.part(audio);
    ConfigReader fields(own, largest_size);
    const std::int64_t size = fields.number({field}, otherwise);
    reader.keep(fields, audio);
    return size;
}

constexpr std::string_view projector = "multi_modal_projector";

}  // namespace

namespace senses {

Result<Senses> qwen2_audio(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t columns = reader.list(audio, whisper, reader.tower("audio_tower"));
    reader.connector(projector).linear("linear", Symbol::dim, columns);
    return reader.take();
}

Result<Senses> voxtral(const nlohmann::json& file) {
    SensesReader reader(file);
    reader.list(audio, whisper, reader.tower("audio_tower"));
    const Section connector = reader.connector(projector);
    connector.linear("linear_1", Symbol::dim, size_of_part(reader, "intermediate_size", 5120), false);
    connector.linear("linear_2", Symbol::dim, Symbol::dim, false);
    return reader.take();
}

Result<Senses> audioflamingo3(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t columns = reader.list(audio, whisper, reader.tower("audio_tower"));
    const bool bias = reader.fields.flag({"projector_bias"}, true);
    const Section connector = reader.connector(projector);
    connector.linear("linear_1", Symbol::dim, columns, bias);
    connector.linear("linear_2", Symbol::dim, Symbol::dim, bias);
    return reader.take();
}

Result<Senses> glmasr(const nlohmann::json& file) {
    SensesReader reader(file);
    reader.list(audio, rotary_tower, reader.tower("audio_tower"));
    const Section connector = reader.connector(projector);
    connector.linear("linear_1", Expr(2) * Symbol::dim, size_of_part(reader, "intermediate_size", 5120));
    connector.linear("linear_2", Symbol::dim, Expr(2) * Symbol::dim);
    return reader.take();
}

Result<Senses> omniasr(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t columns = reader.list(audio, wave_tower, reader.tower("audio_tower"));
    reader.connector("").linear(projector, Symbol::dim, columns);
    return reader.take();
}

Result<Senses> qwen3_asr(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t columns = reader.list(audio, halving_tower, reader.tower("audio_tower"));
    const Section connector = reader.connector(projector);
    connector.linear("linear_1", columns, columns);
    connector.linear("linear_2", size_of_part(reader, "output_dim", 3584), columns);
    return reader.take();
}

}  // namespace senses
}  // namespace headcount
