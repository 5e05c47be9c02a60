// Encoders with decoders that came after BART: NLLB's mixture of experts (Costa-jussà et al. 2022) and the text half of
// SeamlessM4T (Barrault et al. 2023), whose layers have names in common (transformers, modeling_nllb_moe.py,
// modeling_seamless_m4t.py).
#include "core/families/bart_like.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace bart {

// Layers as NLLB's mixture names them, and SeamlessM4T; experts where there are some.
template <FixedText name>
constexpr auto named_feed_forward_modules(std::string_view norm, std::string_view feed_forward) {
    return join(std::to_array<Module>({
                    {5, "ffn", ModuleKind::container, {}, feed_forward},
                    {6, "fc1", ModuleKind::linear, Part::up, {}},
                    {6, "fc2", ModuleKind::linear, Part::down, {}},
                    {6, "router", ModuleKind::container, {}, joined_name<name, "Top2Router">, Part::router},
                    {7, "classifier", ModuleKind::linear, Part::router, {}},
                    {6, "experts", ModuleKind::container, {}, "ModuleDict"},
                    {7, "expert_{e}", ModuleKind::expert, {}, feed_forward},
                    {8, "fc1", ModuleKind::linear, Part::expert_up, {}},
                    {8, "fc2", ModuleKind::linear, Part::expert_down, {}},
                }),
                norm_modules(norm, Part::feed_forward_norm, Part::feed_forward_output_norm));
}

template <FixedText name>
constexpr auto named_encoder_modules(std::string_view norm, std::string_view feed_forward) {
    return join(std::to_array<Module>({
                    {3, "layers", ModuleKind::container, {}, "ModuleList"},
                    {4, "{i}", ModuleKind::layer, {}, joined_name<name, "EncoderLayer">},
                }),
                attention_modules<name>("self_attn", ModuleKind::container), attention_norm_modules,
                named_feed_forward_modules<name>(norm, feed_forward));
}

template <FixedText name>
constexpr auto named_decoder_modules(std::string_view norm, std::string_view feed_forward) {
    return join(std::to_array<Module>({
                    {3, "layers", ModuleKind::container, {}, "ModuleList"},
                    {4, "{i}", ModuleKind::layer, {}, joined_name<name, "DecoderLayer">},
                }),
                attention_modules<name>("self_attn", ModuleKind::container), activation_modules, attention_norm_modules,
                attention_modules<name>("cross_attention", ModuleKind::cross),
                norm_modules("cross_attention_layer_norm", Part::attention_norm, Part::attention_output_norm,
                             ModuleKind::cross_norm),
                named_feed_forward_modules<name>(norm, feed_forward));
}

constexpr auto last_norm = std::to_array<Module>({{3, "layer_norm", ModuleKind::norm, Part::final_norm, {}}});

constexpr auto nllb_moe_modules =
    join(std::to_array<Module>({
             {0, "", ModuleKind::container, {}, generation_class<"NllbMoe">},
             {1, "model", ModuleKind::container, {}, "NllbMoeModel"},
         }),
         shared_table, idle_table, stack_modules("encoder", ModuleKind::encoder, "NllbMoeEncoder", {}),
         computed_modules<"NllbMoe">, named_encoder_modules<"NllbMoe">("ff_layer_norm", "NllbMoeDenseActDense"),
         last_norm, stack_modules("decoder", ModuleKind::decoder, "NllbMoeDecoder", {}), computed_modules<"NllbMoe">,
         named_decoder_modules<"NllbMoe">("ff_layer_norm", "NllbMoeDenseActDense"), last_norm, head_modules);
constexpr std::string_view nllb_moe_ignored =
    "batch_prioritized_routing decoder_layerdrop encoder_layerdrop expert_capacity "
    "moe_eval_capacity_token_fraction normalize_router_prob_before_dropping router_ignore_padding_tokens "
    "scale_embedding second_expert_policy";
// Each token goes to its best two experts, whose work counts less by as much as training left out of it. Experts have
// room for all tokens unless the file says otherwise; what of more is left out is not computed.
void compute_nllb_moe(ComputationReader& reader, Computation& computation) {
    const auto& mixture = reader.arch().layer.mixture;
    if (!mixture) return;
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

constexpr Type nllb_moe = changed(like_m2m, [](Type& other) {
    other.called = {"nllb-moe", "NLLB-MoE", nllb_moe_modules};
    other.usual = {.vocab = 128112};
    other.sparse = true;
    other.compute_rest = compute_nllb_moe;
    other.ignored = nllb_moe_ignored;
});

// One level higher: its stacks are the whole's own.
template <std::size_t N>
constexpr std::array<Module, N> raised(std::array<Module, N> modules) {
    for (Module& module : modules) --module.depth;
    return modules;
}

template <FixedText name>
constexpr auto seamless_modules = join(
    std::to_array<Module>({{0, "", ModuleKind::container, {}, joined_name<name, "ForTextToText">}}),
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
constexpr std::string_view seamless_ignored =
    "adaptor_kernel_size adaptor_stride add_adapter char_vocab_size conv_depthwise_kernel_size "
    "decoder_layerdrop encoder_layerdrop feature_projection_input_dim lang_embed_dim leaky_relu_slope "
    "left_max_position_embeddings max_new_tokens max_source_positions num_adapter_layers "
    "num_conv_pos_embedding_groups num_conv_pos_embeddings position_embeddings_type "
    "resblock_dilation_sizes resblock_kernel_sizes right_max_position_embeddings rotary_embedding_base "
    "sampling_rate scale_embedding speech_encoder_attention_heads speech_encoder_chunk_size "
    "speech_encoder_hidden_act speech_encoder_intermediate_size speech_encoder_layerdrop "
    "speech_encoder_layers speech_encoder_left_chunk_num spkr_embed_dim t2u_decoder_attention_heads "
    "t2u_decoder_ffn_dim t2u_decoder_layers t2u_encoder_attention_heads t2u_encoder_ffn_dim "
    "t2u_encoder_layers t2u_max_new_tokens t2u_max_position_embeddings t2u_variance_predictor_embed_dim "
    "t2u_variance_predictor_hidden_dim t2u_variance_predictor_kernel_size t2u_vocab_size unit_embed_dim "
    "unit_hifi_gan_vocab_size upsample_initial_channel upsample_kernel_sizes upsample_rates "
    "variance_predictor_kernel_size vocoder_num_langs vocoder_num_spkrs vocoder_offset";
constexpr Type seamless_type(std::string_view type, std::string_view name, std::span<const Module> modules,
                             std::int64_t vocab, std::int64_t context) {
    return changed(like_m2m, [&](Type& other) {
        other.called = {type, name, modules};
        other.usual = {.vocab = vocab, .context = context, .ffn_dim = 8192, .encoder_layers = 24, .decoder_layers = 24};
        other.fields = {.dim = "hidden_size"};
        other.padding = 0;
        other.ignored = seamless_ignored;
    });
}
constexpr Type seamless = seamless_type("seamless_m4t", "SeamlessM4T", seamless_first_modules, 256102, 1024);
constexpr Type seamless_v2 = seamless_type("seamless_m4t_v2", "SeamlessM4T 2", seamless_second_modules, 256102, 4096);

}  // namespace bart

constexpr Family nllb_moe_family = known_to_peft(bart::family_of<bart::nllb_moe>(), {.experts_apart = true});
constexpr Family seamless_m4t_family = bart::family_of<bart::seamless>();
constexpr Family seamless_m4t_v2_family = bart::family_of<bart::seamless_v2>();

}  // namespace headcount
