// Encoders with decoders like BART whose encoders read long texts: LED (Beltagy et al. 2020), BigBird-Pegasus (Zaheer
// et al. 2020) and PEGASUS-X (Phang et al. 2023); NLLB's mixture of experts (Costa-jussà et al. 2022), the text half of
// SeamlessM4T (Barrault et al. 2023), FSMT (Ng et al. 2019), whose stacks have vocabularies of their own, and
// ProphetNet (Qi et al. 2020), which foresees several tokens (transformers, modeling_led.py,
// modeling_bigbird_pegasus.py, modeling_pegasus_x.py, modeling_nllb_moe.py, modeling_seamless_m4t.py, modeling_fsmt.py,
// modeling_prophetnet.py).
#include "core/base/text.hpp"
#include "core/families/bart_like.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace bart {

constexpr std::array<Module, 1> shared_table{{{2, "shared", ModuleKind::embedding, Part::token_embedding, {}}}};
constexpr std::array<Module, 1> idle_table{{{2, "shared", ModuleKind::embedding, Part::idle_embedding, {}}}};

// The attention of an encoder's layer in two modules.
template <FixedText name>
constexpr auto nested_attention_modules(std::string_view own, std::string_view own_class) {
    return std::array<Module, 6>{{
        {5, "self_attn", ModuleKind::container, {}, joined_name<name, "EncoderAttention">},
        {6, own, ModuleKind::container, {}, own_class},
        {7, "query", ModuleKind::linear, Part::query, {}},
        {7, "key", ModuleKind::linear, Part::key, {}},
        {7, "value", ModuleKind::linear, Part::value, {}},
        {6, "output", ModuleKind::linear, Part::attention_output, {}},
    }};
}

constexpr std::array<Module, 1> closing_embedding_norm{
    {{3, "layernorm_embedding", ModuleKind::norm, Part::embedding_norm, {}}}};
// BigBird-Pegasus calls its last norm by the name that BART has for its first.
constexpr std::array<Module, 1> closing_final_norm{
    {{3, "layernorm_embedding", ModuleKind::norm, Part::final_norm, {}}}};

template <FixedText name, std::size_t N, std::size_t M>
constexpr auto long_modules(std::string_view base, const std::array<Module, N>& attention,
                            const std::array<Module, M>& closing) {
    return join(std::array<Module, 2>{{
                    {0, "", ModuleKind::container, {}, generation_class<name>},
                    {1, base, ModuleKind::container, {}, joined_name<name, "Model">},
                }},
                shared_table, idle_table,
                stack_modules("encoder", ModuleKind::encoder, joined_name<name, "Encoder">, {}), learned_modules<name>,
                std::array<Module, 2>{{
                    {3, "layers", ModuleKind::container, {}, "ModuleList"},
                    {4, "{i}", ModuleKind::layer, {}, joined_name<name, "EncoderLayer">},
                }},
                attention, attention_norm_modules, activation_modules, feed_forward_modules, closing,
                stack_modules("decoder", ModuleKind::decoder, joined_name<name, "Decoder">, {}), learned_modules<name>,
                decoder_layer_modules<name>, closing, biased_head_modules);
}

// Tokens that see all others have matrices of their own; a text alone has none of them.
std::vector<Extra> led_besides(const Architecture&) {
    std::vector<Extra> all;
    for (const auto& [name, label, symbol] : {std::tuple{"query_global", "Global query projection", "W_qg"},
                                              std::tuple{"key_global", "Global key projection", "W_kg"},
                                              std::tuple{"value_global", "Global value projection", "W_vg"}})
        all.push_back({.place = Extra::Place::attention,
                       .name = std::string("self_attn.longformer_self_attn.") + name,
                       .label = label,
                       .symbol = symbol,
                       .meaning = "For tokens that see all others: of a text without any it is read by nothing.",
                       .weight = {Symbol::dim, Symbol::dim},
                       .bias = {Symbol::dim},
                       .in_layers = true,
                       .stacks = Extra::Stacks::encoder});
    return all;
}
constexpr auto led_modules = long_modules<"LED">(
    "led", nested_attention_modules<"LED">("longformer_self_attn", "LEDEncoderSelfAttention"), closing_embedding_norm);
constexpr Type led{.type = "led",
                   .name = "LED",
                   .modules = led_modules,
                   .fields = {.context = "max_decoder_position_embeddings",
                              .encoder_context = "max_encoder_position_embeddings",
                              .window = "attention_window"},
                   .position_offset = 0,
                   .besides = led_besides};

constexpr auto big_bird_modules = long_modules<"BigBirdPegasus">(
    "model", nested_attention_modules<"BigBirdPegasus">("self", "BigBirdPegasusBlockSparseAttention"),
    closing_final_norm);
constexpr std::array big_bird_ignored = std::to_array<std::string_view>(
    {"attention_type", "block_size", "decoder_layerdrop", "encoder_layerdrop", "num_random_blocks", "scale_embedding"});
constexpr Type big_bird{
    .type = "bigbird_pegasus",
    .name = "BigBird-Pegasus",
    .modules = big_bird_modules,
    .vocab = 96103,
    .context = 4096,
    .encoder_layers = 16,
    .decoder_layers = 16,
    .fields = {.attention_bias = "use_bias"},
    .attention_bias = false,
    .activation = "gelu_new",
    .scaled = true,
    .position_offset = 0,
    .placement = NormPlacement::before,
    .embedding_norm = false,
    .padding = 0,
    .alone_untied = true,
    .compute_rest =
        [](ComputationReader& reader, Computation& computation) {
            const std::int64_t size = reader.number("block_size", 64), drawn = reader.number("num_random_blocks", 3);
            const auto tokens = drawn < 1'000'000 ? checked_multiply(5 + 2 * drawn, size) : std::nullopt;
            if (reader.text("attention_type", "block_sparse") == "block_sparse")
                computation.limit =
                    TokenLimit{tokens.value_or(size), "each looks at some blocks alone, drawn at random"};
        },
    .ignored = big_bird_ignored};

// Tokens of its own that read all of the source, and are read by all of it.
std::vector<Extra> x_besides(const Architecture& arch) {
    constexpr std::string_view meaning = "Of tokens beside the source that all of it sees; not computed here.";
    return {{.place = Extra::Place::embedding,
             .name = "encoder.embed_global",
             .label = "Global tokens",
             .symbol = "E_g",
             .meaning = meaning,
             .weight = {Besides(arch).number("num_global_tokens", 32), Symbol::dim}},
            {.place = Extra::Place::norm,
             .name = "global_self_attn_layer_norm",
             .label = "Global attention norm",
             .symbol = "g",
             .meaning = meaning,
             .weight = {Symbol::dim},
             .bias = {Symbol::dim},
             .in_layers = true,
             .stacks = Extra::Stacks::encoder}};
}
constexpr auto x_modules =
    join(body_modules<"PegasusX">(generation_class<"PegasusX">, scaled_table<"PegasusX">, computed_modules<"PegasusX">),
         head_modules);
constexpr std::array x_ignored =
    std::to_array<std::string_view>({"block_size", "decoder_layerdrop", "encoder_layerdrop", "num_global_tokens",
                                     "scale_embedding", "stagger_local_blocks"});
constexpr Type pegasus_x{
    .type = "pegasus_x",
    .name = "PEGASUS-X",
    .modules = x_modules,
    .vocab = 96103,
    .context = 16384,
    .encoder_layers = 16,
    .decoder_layers = 16,
    .attention_bias = false,
    .scaled = true,
    .positions = Positions::sinusoidal,
    .position_offset = 0,
    .placement = NormPlacement::before,
    .embedding_norm = false,
    .head_bias = false,
    .padding = 0,
    .read_rest = [](ConfigReader& reader, Architecture&) { carry_number(reader, "num_global_tokens", 32); },
    .compute_rest =
        [](ComputationReader& reader, Computation&) {
            reader.reject("num_global_tokens", "tokens beside the source that all of it sees are not computed here",
                          "count it; a Pegasus runs");
        },
    .besides = x_besides,
    .ignored = x_ignored};

// Layers as NLLB's mixture names them, and SeamlessM4T; experts where there are some.
template <FixedText name>
constexpr auto named_feed_forward_modules(std::string_view norm, std::string_view feed_forward) {
    return join(std::array<Module, 9>{{
                    {5, "ffn", ModuleKind::container, {}, feed_forward},
                    {6, "fc1", ModuleKind::linear, Part::up, {}},
                    {6, "fc2", ModuleKind::linear, Part::down, {}},
                    {6, "router", ModuleKind::container, {}, joined_name<name, "Top2Router">, Part::router},
                    {7, "classifier", ModuleKind::linear, Part::router, {}},
                    {6, "experts", ModuleKind::container, {}, "ModuleDict"},
                    {7, "expert_{e}", ModuleKind::expert, {}, feed_forward},
                    {8, "fc1", ModuleKind::linear, Part::expert_up, {}},
                    {8, "fc2", ModuleKind::linear, Part::expert_down, {}},
                }},
                norm_modules(norm, Part::feed_forward_norm, Part::feed_forward_output_norm));
}

template <FixedText name>
constexpr auto named_encoder_modules(std::string_view norm, std::string_view feed_forward) {
    return join(std::array<Module, 2>{{
                    {3, "layers", ModuleKind::container, {}, "ModuleList"},
                    {4, "{i}", ModuleKind::layer, {}, joined_name<name, "EncoderLayer">},
                }},
                attention_modules<name>("self_attn", ModuleKind::container), attention_norm_modules,
                named_feed_forward_modules<name>(norm, feed_forward));
}

template <FixedText name>
constexpr auto named_decoder_modules(std::string_view norm, std::string_view feed_forward) {
    return join(std::array<Module, 2>{{
                    {3, "layers", ModuleKind::container, {}, "ModuleList"},
                    {4, "{i}", ModuleKind::layer, {}, joined_name<name, "DecoderLayer">},
                }},
                attention_modules<name>("self_attn", ModuleKind::container), activation_modules, attention_norm_modules,
                attention_modules<name>("cross_attention", ModuleKind::cross),
                norm_modules("cross_attention_layer_norm", Part::attention_norm, Part::attention_output_norm,
                             ModuleKind::cross_norm),
                named_feed_forward_modules<name>(norm, feed_forward));
}

constexpr std::array<Module, 1> last_norm{{{3, "layer_norm", ModuleKind::norm, Part::final_norm, {}}}};

constexpr auto nllb_moe_modules =
    join(std::array<Module, 2>{{
             {0, "", ModuleKind::container, {}, generation_class<"NllbMoe">},
             {1, "model", ModuleKind::container, {}, "NllbMoeModel"},
         }},
         shared_table, idle_table, stack_modules("encoder", ModuleKind::encoder, "NllbMoeEncoder", {}),
         computed_modules<"NllbMoe">, named_encoder_modules<"NllbMoe">("ff_layer_norm", "NllbMoeDenseActDense"),
         last_norm, stack_modules("decoder", ModuleKind::decoder, "NllbMoeDecoder", {}), computed_modules<"NllbMoe">,
         named_decoder_modules<"NllbMoe">("ff_layer_norm", "NllbMoeDenseActDense"), last_norm, head_modules);
constexpr std::array nllb_moe_ignored = std::to_array<std::string_view>(
    {"batch_prioritized_routing", "decoder_layerdrop", "encoder_layerdrop", "expert_capacity",
     "moe_eval_capacity_token_fraction", "moe_token_dropout", "normalize_router_prob_before_dropping", "router_dtype",
     "router_ignore_padding_tokens", "scale_embedding", "second_expert_policy"});
// Each token goes to its best two experts, whose work counts less by as much as training left out of it. Experts have
// room for all tokens unless the file says otherwise; what of more is left out is not computed.
void compute_nllb_moe(ComputationReader& reader, Computation& computation) {
    const auto& mixture = reader.arch().layer.mixture;
    if (!mixture) return;
    computation.sinusoids.to_the_end = true;
    computation.routing = {
        .scores = RouterScores::softmax, .normalized = true, .scaling = 1 - reader.real("moe_token_dropout", 0.2)};
    if (mixture->experts_per_token != 2)
        reader.reject("experts_per_token", "its router always chooses 2 experts", "set it to 2");
    if (reader.text("second_expert_policy", "all") != "all")
        reader.reject("second_expert_policy", "a second expert that is drawn is not computed here", "give \"all\"");
    if (reader.real("moe_eval_capacity_token_fraction", 1) < 1)
        reader.reject("moe_eval_capacity_token_fraction", "experts without room for all tokens are not computed here",
                      "give 1");
}

constexpr Type nllb_moe{.type = "nllb-moe",
                        .name = "NLLB-MoE",
                        .modules = nllb_moe_modules,
                        .vocab = 128112,
                        .activation = "relu",
                        .scaled = true,
                        .positions = Positions::sinusoidal,
                        .offset_behind_padding = true,
                        .placement = NormPlacement::before,
                        .embedding_norm = false,
                        .head_bias = false,
                        .sparse = true,
                        .compute_rest = compute_nllb_moe,
                        .ignored = nllb_moe_ignored};

// One level higher: its stacks are the whole's own.
template <std::size_t N>
constexpr std::array<Module, N> raised(std::array<Module, N> modules) {
    for (Module& module : modules) --module.depth;
    return modules;
}

template <FixedText name>
constexpr auto seamless_modules = join(
    std::array<Module, 1>{{{0, "", ModuleKind::container, {}, joined_name<name, "ForTextToText">}}},
    raised(shared_table), raised(idle_table),
    raised(join(stack_modules("text_encoder", ModuleKind::encoder, joined_name<name, "Encoder">, {}),
                computed_modules<name>,
                named_encoder_modules<name>("ffn_layer_norm", joined_name<name, "FeedForwardNetwork">), last_norm,
                stack_modules("text_decoder", ModuleKind::decoder, joined_name<name, "Decoder">, {}),
                computed_modules<name>,
                named_decoder_modules<name>("ffn_layer_norm", joined_name<name, "FeedForwardNetwork">), last_norm)),
    head_modules);
constexpr auto seamless_first_modules = seamless_modules<"SeamlessM4T">;
constexpr auto seamless_second_modules = seamless_modules<"SeamlessM4Tv2">;

// Of the halves that hear and speak, which such a model does not have, and of training.
constexpr std::array seamless_ignored = std::to_array<std::string_view>({"adaptor_kernel_size",
                                                                         "adaptor_stride",
                                                                         "add_adapter",
                                                                         "char_vocab_size",
                                                                         "conv_depthwise_kernel_size",
                                                                         "decoder_layerdrop",
                                                                         "encoder_layerdrop",
                                                                         "feature_projection_input_dim",
                                                                         "initializer_range",
                                                                         "lang_embed_dim",
                                                                         "layer_norm_eps",
                                                                         "leaky_relu_slope",
                                                                         "left_max_position_embeddings",
                                                                         "max_new_tokens",
                                                                         "max_source_positions",
                                                                         "num_adapter_layers",
                                                                         "num_conv_pos_embedding_groups",
                                                                         "num_conv_pos_embeddings",
                                                                         "position_embeddings_type",
                                                                         "resblock_dilation_sizes",
                                                                         "resblock_kernel_sizes",
                                                                         "right_max_position_embeddings",
                                                                         "rotary_embedding_base",
                                                                         "sampling_rate",
                                                                         "scale_embedding",
                                                                         "speech_encoder_attention_heads",
                                                                         "speech_encoder_chunk_size",
                                                                         "speech_encoder_hidden_act",
                                                                         "speech_encoder_intermediate_size",
                                                                         "speech_encoder_layerdrop",
                                                                         "speech_encoder_layers",
                                                                         "speech_encoder_left_chunk_num",
                                                                         "spkr_embed_dim",
                                                                         "t2u_decoder_attention_heads",
                                                                         "t2u_decoder_ffn_dim",
                                                                         "t2u_decoder_layers",
                                                                         "t2u_encoder_attention_heads",
                                                                         "t2u_encoder_ffn_dim",
                                                                         "t2u_encoder_layers",
                                                                         "t2u_max_new_tokens",
                                                                         "t2u_max_position_embeddings",
                                                                         "t2u_variance_predictor_embed_dim",
                                                                         "t2u_variance_predictor_hidden_dim",
                                                                         "t2u_variance_predictor_kernel_size",
                                                                         "t2u_vocab_size",
                                                                         "unit_embed_dim",
                                                                         "unit_hifi_gan_vocab_size",
                                                                         "upsample_initial_channel",
                                                                         "upsample_kernel_sizes",
                                                                         "upsample_rates",
                                                                         "use_cache",
                                                                         "variance_predictor_kernel_size",
                                                                         "vocoder_num_langs",
                                                                         "vocoder_num_spkrs",
                                                                         "vocoder_offset"});
constexpr Type seamless_type(std::string_view type, std::string_view name, std::span<const Module> modules,
                             std::int64_t vocab, std::int64_t context) {
    return {.type = type,
            .name = name,
            .modules = modules,
            .vocab = vocab,
            .context = context,
            .ffn_dim = 8192,
            .encoder_layers = 24,
            .decoder_layers = 24,
            .fields = {.dim = "hidden_size"},
            .activation = "relu",
            .scaled = true,
            .positions = Positions::sinusoidal,
            .offset_behind_padding = true,
            .placement = NormPlacement::before,
            .embedding_norm = false,
            .head_bias = false,
            .padding = 0,
            .compute_rest = [](ComputationReader& reader, Computation&) { reader.reject_uncompared("an M2M-100"); },
            .ignored = seamless_ignored};
}
constexpr Type seamless = seamless_type("seamless_m4t", "SeamlessM4T", seamless_first_modules, 256102, 1024);
constexpr Type seamless_v2 = seamless_type("seamless_m4t_v2", "SeamlessM4T 2", seamless_second_modules, 256102, 4096);

// Where all is tied, the decoder keeps the one table.
constexpr auto fsmt_modules =
    join(std::array<Module, 3>{{
             {0, "", ModuleKind::container, {}, generation_class<"FSMT">},
             {1, "model", ModuleKind::container, {}, "FSMTModel"},
             {2, "decoder.embed_tokens", ModuleKind::embedding, Part::token_embedding, {}},
         }},
         stack_modules("encoder", ModuleKind::encoder, "FSMTEncoder", {}), frozen_modules<"FSMT">,
         encoder_layer_modules<"FSMT">, stack_modules("decoder", ModuleKind::decoder, "FSMTDecoder", {}),
         frozen_modules<"FSMT">, decoder_layer_modules<"FSMT">,
         std::array<Module, 1>{{{3, "output_projection", ModuleKind::linear, Part::output_head, {}}}});
constexpr std::array fsmt_ignored =
    std::to_array<std::string_view>({"decoder_layerdrop", "encoder_layerdrop", "langs", "scale_embedding"});
constexpr Type fsmt{
    .type = "fsmt",
    .name = "FSMT",
    .modules = fsmt_modules,
    .vocab = 42024,
    .fields = {.vocab = "tgt_vocab_size", .encoder_vocab = "src_vocab_size"},
    .activation = "relu",
    .scaled = true,
    .positions = Positions::sinusoidal,
    .offset_behind_padding = true,
    .embedding_norm = false,
    .head_bias = false,
    .shares_table = false,
    .compute_rest = [](ComputationReader& reader, Computation&) { reader.reject_uncompared("a Marian"); },
    .ignored = fsmt_ignored};

constexpr auto prophet_attention_modules(std::string_view attention, std::string_view class_name, ModuleKind kind) {
    return std::array<Module, 5>{{
        {5, attention, kind, {}, class_name},
        {6, "key_proj", ModuleKind::linear, Part::key, {}},
        {6, "value_proj", ModuleKind::linear, Part::value, {}},
        {6, "query_proj", ModuleKind::linear, Part::query, {}},
        {6, "out_proj", ModuleKind::linear, Part::attention_output, {}},
    }};
}
constexpr auto prophet_feed_forward_modules =
    join(std::array<Module, 3>{{
             {5, "feed_forward", ModuleKind::container, {}, "ProphetNetFeedForward"},
             {6, "intermediate", ModuleKind::linear, Part::up, {}},
             {6, "output", ModuleKind::linear, Part::down, {}},
         }},
         norm_modules("feed_forward_layer_norm", Part::feed_forward_norm, Part::feed_forward_output_norm));
constexpr auto prophet_stack_modules(std::string_view stack, ModuleKind kind, std::string_view class_name,
                                     std::string_view layer) {
    return std::array<Module, 6>{{
        {2, stack, kind, {}, class_name},
        {3, "word_embeddings", ModuleKind::embedding, Part::token_embedding, {}, Part::idle_embedding},
        {3, "position_embeddings", ModuleKind::embedding, Part::position_embedding, {}},
        {3, "embeddings_layer_norm", ModuleKind::norm, Part::embedding_norm, {}},
        {3, "layers", ModuleKind::container, {}, "ModuleList"},
        {4, "{i}", ModuleKind::layer, {}, layer},
    }};
}
constexpr auto prophet_modules = join(
    std::array<Module, 4>{{
        {0, "", ModuleKind::container, {}, generation_class<"ProphetNet">},
        {1, "prophetnet", ModuleKind::container, {}, "ProphetNetModel"},
        {2, "word_embeddings", ModuleKind::embedding, Part::token_embedding, {}, {}, Part::idle_embedding},
        {2, "word_embeddings", ModuleKind::embedding, Part::idle_embedding, {}},
    }},
    prophet_stack_modules("encoder", ModuleKind::encoder, "ProphetNetEncoder", "ProphetNetEncoderLayer"),
    prophet_attention_modules("self_attn", "ProphetNetAttention", ModuleKind::container), attention_norm_modules,
    prophet_feed_forward_modules,
    prophet_stack_modules("decoder", ModuleKind::decoder, "ProphetNetDecoder", "ProphetNetDecoderLayer"),
    prophet_attention_modules("self_attn", "ProphetNetNgramSelfAttention", ModuleKind::container),
    attention_norm_modules, prophet_attention_modules("cross_attn", "ProphetNetAttention", ModuleKind::cross),
    norm_modules("cross_attn_layer_norm", Part::attention_norm, Part::attention_output_norm, ModuleKind::cross_norm),
    prophet_feed_forward_modules, head_modules);
constexpr std::array prophet_ignored =
    std::to_array<std::string_view>({"disable_ngram_loss", "eps", "ngram", "num_buckets", "relative_max_distance"});
std::vector<Extra> prophet_besides(const Architecture& arch) {
    Besides fields(arch);
    const Expr distances = Expr(fields.number("num_buckets", 32)) * Symbol::heads;
    std::vector<Extra> all{{.place = Extra::Place::embedding,
                            .name = "decoder.ngram_embeddings",
                            .label = "Embedding of steps ahead",
                            .symbol = "E_n",
                            .meaning = "One row of {d} numbers for each token that is foreseen; not computed here.",
                            .weight = {fields.number("ngram", 2), Symbol::dim}},
                           {.place = Extra::Place::attention,
                            .name = "self_attn.relative_pos_embeddings",
                            .label = "Distance projection",
                            .symbol = "W_dist",
                            .meaning = "Makes of each token what its heads add for distances; not computed here.",
                            .weight = {distances, Symbol::dim},
                            .bias = {distances},
                            .in_layers = true,
                            .stacks = Extra::Stacks::decoder}};
    if (!arch.encoder && !arch.tied) all.push_back(unread_table(Symbol::vocab, Symbol::dim));  // by itself, too
    return all;
}
constexpr Type prophet{
    .type = "prophetnet",
    .name = "ProphetNet",
    .modules = prophet_modules,
    .vocab = 30522,
    .context = 512,
    .fields = {.dim = "hidden_size",
               .encoder_layers = "num_encoder_layers",
               .decoder_layers = "num_decoder_layers",
               .encoder_heads = "num_encoder_attention_heads",
               .decoder_heads = "num_decoder_attention_heads"},
    .position_offset = 0,
    .head_bias = false,
    .padding = 0,
    .read_rest =
        [](ConfigReader& reader, Architecture&) {
            carry_number(reader, "ngram", 2);
            carry_number(reader, "num_buckets", 32);
            if (!reader.flag({"add_cross_attention"}, true))
                reader.reject("add_cross_attention", "a decoder that reads no other text is not known here",
                              "set it to true");
        },
    .compute_rest =
        [](ComputationReader& reader, Computation&) {
            reader.reject("ngram", "steps that are foreseen are not computed here", "count it; a BART runs");
        },
    .besides = prophet_besides,
    .ignored = prophet_ignored};

}  // namespace bart

constexpr Family led_family = bart::family_of<led_family, bart::led>();
constexpr Family bigbird_pegasus_family = bart::family_of<bigbird_pegasus_family, bart::big_bird>();
constexpr Family pegasus_x_family = bart::family_of<pegasus_x_family, bart::pegasus_x>();
constexpr Family nllb_moe_family = bart::family_of<nllb_moe_family, bart::nllb_moe>();
constexpr Family seamless_m4t_family = bart::family_of<seamless_m4t_family, bart::seamless>();
constexpr Family seamless_m4t_v2_family = bart::family_of<seamless_m4t_v2_family, bart::seamless_v2>();
constexpr Family fsmt_family = bart::family_of<fsmt_family, bart::fsmt>();
constexpr Family prophetnet_family = bart::family_of<prophetnet_family, bart::prophet>();

}  // namespace headcount
