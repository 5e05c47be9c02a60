// BART (Lewis et al. 2020) and the encoders with decoders built like it: mBART, PLBart, MVP, Blenderbot, Pegasus,
// Marian, whose layout is that of the first transformer (Vaswani et al. 2017), M2M-100, which is NLLB's too, and
// Whisper, whose encoder hears (Radford et al. 2022; transformers, modeling_bart.py and those that copy it).
#include "core/families/bart_like.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace bart {

constexpr Type first{.called = {"bart", "BART", bart_modules}};
constexpr Type multilingual{.called = {"mbart", "mBART", mbart_modules}, .placement = NormPlacement::before};
constexpr Type programs{
    .called = {"plbart", "PLBart", plbart_modules},
    .usual = {.vocab = 50005, .dim = 768, .heads = 12, .ffn_dim = 3072, .encoder_layers = 6, .decoder_layers = 6},
    .scaled = true};
// Rows of which two matrices make keys and values for each of the decoder's layers, beside an encoder. transformers
// builds those of the decoder alone.
std::vector<Extra> prompts(const Architecture& arch) {
    Besides more(arch);
    if (!arch.encoder || !more.flag("use_prompt", false)) return {};
    const std::int64_t rows = more.number("prompt_length", 100), between = more.number("prompt_mid_dim", 800);
    const Expr made = Expr(2 * std::min(arch.layers, Besides::largest)) * Symbol::dim;
    more.in_model(Component::attention);
    for (const std::string name : {"decoder.self_attn_prompt.", "decoder.cross_attn_prompt."})
        more.table(name + "prompt_embedding", rows, Symbol::dim)
            .linear(name + "prompt_trans.0", between, Symbol::dim, true)
            .linear(name + "prompt_trans.2", made, between, true);
    return more.take();
}
constexpr Type mvp{.called = {"mvp", "MVP", mvp_modules},
                   .usual = {.vocab = 50267},
                   .own = {[](ConfigReader& reader, Architecture&) {
                       carry_flag(reader, "use_prompt", false);
                       carry_number(reader, "prompt_length", 100);
                       carry_number(reader, "prompt_mid_dim", 800);
                   }},
                   .compute_rest =
                       [](ComputationReader& reader, Computation&) {
                           if (reader.flag("use_prompt", false))
                               reader.reject("use_prompt", "prompts of trained rows are not computed here",
                                             "count it, or set it to false");
                       },
                   .besides = prompts};
constexpr Type blenderbot{.called = {"blenderbot", "Blenderbot", blenderbot_modules},
                          .usual = {.vocab = 8008,
                                    .dim = 2560,
                                    .context = 128,
                                    .heads = 32,
                                    .ffn_dim = 10240,
                                    .encoder_layers = 2,
                                    .decoder_layers = 24},
                          .position_offset = 0,
                          .placement = NormPlacement::before,
                          .embedding_norm = false,
                          .padding = 0};
constexpr Type blenderbot_small{
    .called = {"blenderbot-small", "Blenderbot small", blenderbot_small_modules},
    .usual = {.dim = 512, .context = 512, .ffn_dim = 2048, .encoder_layers = 8, .decoder_layers = 8},
    .position_offset = 0,
    .padding = 0,
    .compute_rest = [](ComputationReader&, Computation& computation) { computation.positions_behind_norm = true; }};
constexpr Type pegasus{.called = {"pegasus", "Pegasus", pegasus_modules},
                       .positions = Positions::sinusoidal,
                       .position_offset = 0,
                       .placement = NormPlacement::before,
                       .embedding_norm = false,
                       .padding = 0};
constexpr Type marian{.called = {"marian", "Marian", marian_modules},
                      .usual = {.vocab = 58101},
                      .positions = Positions::sinusoidal,
                      .position_offset = 0,
                      .embedding_norm = false,
                      .padding = 58100,
                      .may_part_embeddings = true};
constexpr Type m2m = changed(like_m2m, [](Type& other) {
    other.called = {"m2m_100", "M2M-100", m2m_modules};
    other.usual = {.vocab = 128112};
});

constexpr std::string_view whisper_ignored =
    "apply_spec_augment classifier_proj_size decoder_layerdrop encoder_layerdrop mask_feature_length "
    "mask_feature_min_masks mask_feature_prob mask_time_length mask_time_min_masks mask_time_prob median_filter_width "
    "scale_embedding use_weighted_layer_sum";
// Frequencies through two convolutions; keys have no biases, and what the encoder hears is always 30 seconds long.
constexpr Type whisper{
    .called = {"whisper", "Whisper", whisper_modules},
    .usual = {.vocab = 51865,
              .dim = 384,
              .context = 448,
              .heads = 6,
              .ffn_dim = 1536,
              .encoder_layers = 4,
              .decoder_layers = 4},
    .fields = {.context = "max_target_positions", .encoder_context = "max_source_positions"},
    .encoder_context = 1500,
    .position_offset = 0,
    .placement = NormPlacement::before,
    .embedding_norm = false,
    .head_bias = false,
    .padding = 50256,
    .shares_table = false,
    .own = {[](ConfigReader& reader, Architecture& arch) {
                arch.encoder->own_embedding = true;
                arch.layer.attention.key_bias = false;
                arch.sound = Sound{.channels = reader.number({"num_mel_bins"}, 80),
                                   .convolutions = {{1, 3, 1, true}, {1, 3, 2, true}}};
            },
            [](nlohmann::ordered_json& config, const Architecture& arch) {
                config["num_mel_bins"] = arch.sound.value_or(Sound{}).channels;
            }},
    .compute_rest = [](ComputationReader&, Computation& computation) { computation.embedding_scale = 1; },
    .ignored = whisper_ignored};

// Speech to Text (Wang et al. 2020): convolutions of which one half gates the other, each reading every second row.
constexpr std::size_t most_convolutions = 16;
std::vector<std::int64_t> kernels_of(const Architecture& arch) {
    std::vector<std::int64_t> kernels =
        carried_list(arch, "conv_kernel_sizes").value_or(std::vector<std::int64_t>{5, 5});
    kernels.resize(std::min(kernels.size(), most_convolutions));
    return kernels;
}
std::vector<Extra> gated_convolutions(const Architecture& arch) {
    Besides more(arch);
    more.in_model(Component::embedding);
    const std::vector<std::int64_t> kernels = kernels_of(arch);
    const std::int64_t between = more.number("conv_channels", 1024);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const std::string name = "encoder.conv.conv_layers." + std::to_string(i);
        const Expr heard = arch.sound ? Expr(Symbol::channels) : Expr(80);
        const Expr inputs = i == 0 ? heard : Expr(between / 2);
        const Expr outputs = i + 1 < kernels.size() ? Expr(between) : Expr(2) * Symbol::dim;
        more.add(name + ".weight", {outputs, inputs, kernels[i]}).add(name + ".bias", {outputs});
    }
    return more.take();
}
void read_speech(ConfigReader& reader, Architecture& arch) {
    arch.encoder->own_embedding = true;
    const std::int64_t sides = reader.number({"input_channels"}, 1);
    const auto numbers = checked_multiply(reader.number({"input_feat_per_channel"}, 80), sides);
    if (!numbers) reader.reject("input_feat_per_channel", "so many do not fit in 64 bits", "give fewer");
    arch.sound = Sound{.channels = numbers.value_or(1), .convolutions = {}};
    carry_number(reader, "conv_channels", 1024);
    const auto kernels = carry_list(reader, "conv_kernel_sizes");
    const std::size_t convolutions = kernels ? kernels->size() : 2;
    if (reader.number({"num_conv_layers"}, 2) != static_cast<std::int64_t>(convolutions) ||
        convolutions > most_convolutions)
        reader.reject("conv_kernel_sizes", "is not one size for each of num_conv_layers convolutions",
                      "give one for each, at most " + std::to_string(most_convolutions));
}
constexpr Type speech{
    .called = {"speech_to_text", "Speech to Text", speech_modules},
    .usual = {.vocab = 10000, .dim = 256, .heads = 4, .ffn_dim = 2048, .encoder_layers = 12, .decoder_layers = 6},
    .fields = {.context = "max_target_positions", .encoder_context = "max_source_positions"},
    .encoder_context = 6000,
    .activation = "relu",
    .scaled = true,
    .positions = Positions::sinusoidal,
    .position_offset = 0,
    .placement = NormPlacement::before,
    .embedding_norm = false,
    .head_bias = false,
    .shares_table = false,
    .own = {read_speech,
            [](nlohmann::ordered_json& config, const Architecture& arch) {
                config["input_feat_per_channel"] = arch.sound.value_or(Sound{}).channels;
                config["input_channels"] = 1;
                config["num_conv_layers"] = kernels_of(arch).size();
            }},
    .compute_rest =
        [](ComputationReader& reader, Computation&) {
            reader.reject("conv_kernel_sizes", "gated convolutions are not computed here", "count it; a Whisper runs");
        },
    .besides = gated_convolutions,
    .ignored = "conv_channels conv_kernel_sizes decoder_layerdrop encoder_layerdrop scale_embedding"};

}  // namespace bart

constexpr Family bart_family = bart::family_of<bart::first>();
constexpr Family mbart_family = bart::family_of<bart::multilingual>();
constexpr Family plbart_family = bart::family_of<bart::programs>();
constexpr Family mvp_family = bart::family_of<bart::mvp>();
constexpr Family blenderbot_family = bart::family_of<bart::blenderbot>();
constexpr Family blenderbot_small_family = bart::family_of<bart::blenderbot_small>();
constexpr Family pegasus_family = bart::family_of<bart::pegasus>();
constexpr Family marian_family = bart::family_of<bart::marian>();
constexpr Family whisper_family = bart::family_of<bart::whisper>();
constexpr Family speech_to_text_family =
    changed(bart::family_of<bart::speech>(), [](Family& made) { made.hears_besides = true; });
constexpr Family m2m_100_family = bart::family_of<bart::m2m>();

}  // namespace headcount
