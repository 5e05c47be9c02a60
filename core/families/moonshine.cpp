// Moonshine (Jeffries et al. 2024): speech to text like Whisper, from the wave itself, with rotary positions. Its
// decoder's feed-forward has a gate, in one matrix, where the encoder's has none (transformers, modeling_moonshine.py).
#include "core/families/families.hpp"
#include "core/families/plain_type.hpp"
#include "core/families/rope_fields.hpp"

namespace headcount {
namespace moonshine {

constexpr std::string_view encoder_activation = "encoder_hidden_act", encoder_usual = "gelu";

constexpr std::array<Module, 5> attention_of(std::string_view name, ModuleKind kind) {
    return {{
        {5, name, kind, {}, "MoonshineAttention"},
        {6, "q_proj", ModuleKind::linear, Part::query, {}},
        {6, "k_proj", ModuleKind::linear, Part::key, {}},
        {6, "v_proj", ModuleKind::linear, Part::value, {}},
        {6, "o_proj", ModuleKind::linear, Part::attention_output, {}},
    }};
}

constexpr auto modules =
    join(std::to_array<Module>({
             {0, "", ModuleKind::container, {}, "MoonshineForConditionalGeneration"},
             {1, "model", ModuleKind::container, {}, "MoonshineModel"},
             {2, "encoder", ModuleKind::encoder, {}, "MoonshineEncoder"},
             {3, "conv{n}", ModuleKind::over_time, Part::convolution, {}},
             {3, "groupnorm", ModuleKind::norm, Part::convolution_norm, {}},
             {3, "layers", ModuleKind::container, {}, "ModuleList"},
             {4, "{i}", ModuleKind::layer, {}, "MoonshineEncoderLayer"},
         }),
         attention_of("self_attn", ModuleKind::container),
         std::to_array<Module>({
             {5, "mlp", ModuleKind::container, {}, "MoonshineEncoderMLP"},
             {6, "fc1", ModuleKind::linear, Part::up, {}},
             {6, "fc2", ModuleKind::linear, Part::down, {}},
             {5, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
             {5, "post_attention_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
             {3, "layer_norm", ModuleKind::norm, Part::final_norm, {}},
             {2, "decoder", ModuleKind::decoder, {}, "MoonshineDecoder"},
             {3, "embed_tokens", ModuleKind::embedding, Part::token_embedding, {}},
             {3, "layers", ModuleKind::container, {}, "ModuleList"},
             {4, "{i}", ModuleKind::layer, {}, "MoonshineDecoderLayer"},
         }),
         attention_of("self_attn", ModuleKind::container), attention_of("encoder_attn", ModuleKind::cross),
         std::to_array<Module>({
             {5, "mlp", ModuleKind::container, {}, "MoonshineDecoderMLP"},
             {6, "fc1", ModuleKind::linear, {Part::up, Part::gate}, {}},
             {6, "fc2", ModuleKind::linear, Part::down, {}},
             {5, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
             {5, "post_attention_layernorm", ModuleKind::cross_norm, Part::attention_norm, {}},
             {5, "final_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
             {3, "norm", ModuleKind::norm, Part::final_norm, {}},
             {1, "proj_out", ModuleKind::linear, Part::output_head, {}},
         }));

void read_rest(ConfigReader& reader, Architecture& arch) {
    arch.encoder = Encoder{.layers = reader.number({"encoder_num_hidden_layers"}, 6), .own_embedding = true};
    Attention& attention = arch.layer.attention;
    attention.kv_heads = reader.optional_number({"decoder_num_key_value_heads", "num_key_value_heads"});
    attention.head_dim = std::max<std::int64_t>(1, arch.dim / attention.heads);
    attention.qkv_bias = reader.flag({"attention_bias"}, false);
    attention.rotary_dim = reader.rotary_dim(0.9, *attention.head_dim);
    if (attention.rotary_dim) *attention.rotary_dim += *attention.rotary_dim % 2;  // they are turned in pairs
    const std::int64_t heads = reader.number({"encoder_num_attention_heads"}, 8);
    if (heads != attention.heads ||
        reader.optional_number({"encoder_num_key_value_heads"}).value_or(heads) != kv_heads(arch))
        reader.reject("encoder_num_attention_heads", "an encoder with other heads than the decoder's is not known here",
                      "give both stacks as many heads, and as many for keys and values");
    arch.layer.feed_forward.bias = true;
    read_activation(reader, {encoder_activation}, encoder_usual);
    reader.carry(encoder_activation);
    reader.flag({"is_encoder_decoder"}, true);
    arch.sound = Sound{.channels = 1,
                       .convolutions = {{1, 127, 64, true}, {2, 7, 3, true}, {1, 3, 2, true}},
                       .padded = false,
                       .norms = ConvolutionNorms::first_whole};
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    config["encoder_num_hidden_layers"] = arch.encoder.value_or(Encoder{}).layers;
    config["encoder_num_attention_heads"] = arch.layer.attention.heads;
    config["encoder_num_key_value_heads"] = config["decoder_num_key_value_heads"] = kv_heads(arch);
    config["attention_bias"] = arch.layer.attention.qkv_bias;
    config["is_encoder_decoder"] = true;
    write_rotary_part(config, arch, "partial_rotary_factor");
}

Activation of_encoder(const Architecture& arch) {
    ConfigReader fields(arch.carried.object());
    return read_activation(fields, {encoder_activation}, encoder_usual);
}

// The latter is read again where the encoder is built.
constexpr std::string_view ignored = "pad_head_dim_to_multiple_of encoder_hidden_act";
constexpr ComputationType computing{.pairs = RopePairs::neighbours,
                                    .refused = "waves that an encoder reads beside a decoder"};

constexpr PlainType type{.called = {"moonshine", "Moonshine", modules},
                         .words = {.layers = {"decoder_num_hidden_layers", "num_hidden_layers"},
                                   .heads = {"decoder_num_attention_heads", "num_attention_heads"},
                                   .activation = "decoder_hidden_act",
                                   .epsilon = {}},
                         .usual = {.dim = 288, .layers = 6, .heads = 8, .vocab = 32768, .context = 512, .width = 1152},
                         .activation = "silu",
                         .norm = {.kind = NormKind::layer, .epsilon = 1e-5},
                         .gated = true,
                         .biases = false,
                         .computing = computing,
                         .own = {read_rest, write_rest},
                         .rest = {.ungated_encoder = of_encoder, .ignored = ignored}};

}  // namespace moonshine

constexpr Family moonshine_family = plain_family<moonshine::type>();

}  // namespace headcount
