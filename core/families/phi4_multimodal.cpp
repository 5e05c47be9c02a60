// Phi-4-multimodal: Phi-4's text, and beside it what reads pictures and what hears, which are counted by name and shape
// (transformers, modeling_phi4_multimodal.py). All of it stands in one file whose text fields are at the top.
#include <tuple>

#include "core/base/text.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/senses.hpp"

namespace headcount {

namespace phi4_multimodal {

constexpr DecoderClasses classes = classes_of<"Phi4Multimodal">;
constexpr auto attention = std::to_array<Module>({
    {4, "self_attn", ModuleKind::container, {}, classes.attention},
    {5, "o_proj", ModuleKind::linear, Part::attention_output, {}},
    {5, "qkv_proj", ModuleKind::linear, {Part::query, Part::key, Part::value}, {}},
    {5, "q_norm", ModuleKind::norm, Part::query_norm, {}},
    {5, "k_norm", ModuleKind::norm, Part::key_norm, {}},
});
constexpr std::array modules =
    decoder_modules(classes, attention, fused_gate_modules(classes.feed_forward), norm_modules);
constexpr std::string_view vision = "vision_config", audio = "audio_config";

// SigLIP's encoder with the attention of its trained query, and two matrices to the text's width.
std::optional<Error> list_pictures(const nlohmann::json& config, const Section& section) {
    nlohmann::json own{{"hidden_size", 1152},       {"intermediate_size", 4304}, {"num_hidden_layers", 27},
                       {"num_attention_heads", 16}, {"image_size", 448},         {"patch_size", 14}};
    own.update(object_said(config, vision));
    ConfigReader fields(own, largest_size);
    const std::int64_t columns = find_tower("siglip_vision_model")(fields, section.in("img_processor"));
    const Section connector = section.as(Component::connector);
    connector.add("global_img_feature_extensor", {1, 1, columns});
    connector.add("sub_img_feature_extensor", {1, 1, 1, columns});
    connector.linear("img_projection_up", Symbol::dim, columns);
    connector.linear("img_projection_down", Symbol::dim, Symbol::dim);
    return fields.error();
}

// Half of a layer's feed-forward, which stand before and behind the rest.
void list_half(const Section& section, std::int64_t width, std::int64_t ffn) {
    section.norm("layer_norm", width);
    section.linear("gate_up_proj", 2 * ffn, width);
    section.linear("down_proj", width, ffn);
}

// A Conformer: convolutions that halve frequencies and time, then layers of attention and convolution.
std::optional<Error> list_sound(const nlohmann::json& config, const Section& section) {
    const nlohmann::json own = object_said(config, audio);
    ConfigReader fields(own, largest_size);
    const std::int64_t width = fields.number({"hidden_size"}, 1024), ffn = fields.number({"intermediate_size"}, 1536);
    const std::int64_t heads = check_heads(fields, width, 16);
    const Section encoder = section.in("encoder"), rows = encoder.in("embed");
    const std::int64_t channels = fields.number({"nemo_conv_channels"}, 1024);
    const std::int64_t reduction = fields.number({"time_reduction"}, 8, 2);
    if (reduction % 2 != 0) fields.reject("time_reduction", grouped(reduction) + " is odd", "give an even number");
    std::int64_t left = fields.number({"input_size"}, 80);
    encoder.buffer("encoder_embedding.global_mean", {left});
    encoder.buffer("encoder_embedding.global_invstd", {left});
    rows.convolution("conv.0", {channels, 1, 3, 3});
    for (std::int64_t i = 0, step = 2; step <= reduction; ++i, step *= 2) {
        left = (left + 1) / 2;
        if (i == 0) continue;
        rows.convolution("conv." + std::to_string(3 * i - 1), {channels, 1, 3, 3});
        rows.convolution("conv." + std::to_string(3 * i), {channels, channels, 1, 1});
    }
    rows.linear("out", width, channels * left);
    const std::int64_t ways = fields.number({"bias_max_distance"}, 1000);
    encoder.linear("relative_attention_bias_layer.bias_values",
                   fields.flag({"bias_symmetric"}, false) ? ways : 2 * ways, heads, false);
    const std::int64_t outer = fields.number({"ext_pw_out_channel"}, 1024);
    const std::int64_t inner = width * fields.number({"depthwise_multiplier"}, 1);
    const Section layer = encoder.each("encoders", fields.number({"num_blocks"}, 24, 0)), conv = layer.in("conv");
    list_half(layer.in("feed_forward_in"), width, ffn);
    layer.linears({"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj"}, width, width);
    conv.norm("layer_norm", width);
    conv.add("glu.b1", {1, outer, 1});
    conv.add("glu.b2", {1, outer, 1});
    conv.convolution("glu.ext_pw_conv_1d", {2 * outer, width, 1});
    conv.convolution("dw_sep_conv_1d.dw_conv", {inner, 1, fields.number({"kernel_size"}, 3)});
    conv.convolution("dw_sep_conv_1d.pw_conv", {fields.number({"depthwise_separable_out_channel"}, 1024), inner, 1});
    conv.convolution("ext_pw_conv_1d", {outer, width, 1});
    list_half(layer.in("feed_forward_out"), width, ffn);
    layer.norms({"layer_norm_att", "layer_norm"}, width);
    const std::int64_t rate = fields.number({"downsample_rate"}, 1);
    const Section connector = section.as(Component::connector);
    connector.linears({"up_proj_for_speech", "up_proj_for_vision_speech"}, Symbol::dim, width * rate);
    connector.linears({"down_proj_for_speech", "down_proj_for_vision_speech"}, Symbol::dim, Symbol::dim);
    return fields.error();
}

// Both; or the first that is wrong with them.
Result<std::vector<Extra>> list_senses(const nlohmann::json& config) {
    std::vector<Extra> all;
    for (const auto& [part, list, name] :
         {std::tuple{vision, &list_pictures, "image_embed"}, std::tuple{audio, &list_sound, "audio_embed"}}) {
        std::vector<Extra> listed;
        const Section at(listed, Component::tower, std::string("embed_tokens_extend.") + name);
        if (const std::optional<Error> wrong = list(config, at)) return within(std::string(part), *wrong);
        const Result<std::vector<Extra>> apart = one_by_one(listed);
        if (!apart) return within(std::string(part), apart.error());
        all.insert(all.end(), apart->begin(), apart->end());
    }
    return all;
}

void read(ConfigReader& reader, Architecture&) {
    for (const std::string_view part : {vision, audio}) {
        reader.object({part});
        reader.carry(part);
    }
    if (const Result<std::vector<Extra>> all = list_senses(reader.config()); !all)
        reader.reject(all.error().where, all.error().what, all.error().fix);
}

std::vector<Extra> besides(const Architecture& arch) {
    const Result<std::vector<Extra>> all = list_senses(arch.carried.object());
    return all ? *all : std::vector<Extra>();
}

constexpr LlamaType type{.called = {"phi4_multimodal", "Phi-4-multimodal", classes, modules},
                         .usual = {.dim = 3072, .ffn_dim = 8192, .vocab = 200064, .context = 131072},
                         .kv_heads = 8,
                         .rotary = 1.0,
                         .qkv_bias_field = {},
                         .norm = {.epsilon = 1e-5},
                         .window = WindowFields{.has_types = false},
                         .padding = 199999,
                         .ignored = "vision_config audio_config",
                         .besides = besides,
                         .own = {read}};

}  // namespace phi4_multimodal

constexpr Family phi4_multimodal_family = llama_like<phi4_multimodal::type>();

}  // namespace headcount
