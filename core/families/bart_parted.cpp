// Encoders with decoders like BART whose stacks are built differently: FSMT (Ng et al. 2019), whose stacks have
// vocabularies of their own, and ProphetNet (Qi et al. 2020), whose decoder foresees several tokens (transformers,
// modeling_fsmt.py, modeling_prophetnet.py).
#include "core/families/bart_like.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace bart {

// Where all is tied, the decoder keeps the one table.
constexpr auto fsmt_modules =
    join(std::to_array<Module>({
             {0, "", ModuleKind::container, {}, generation_class<"FSMT">},
             {1, "model", ModuleKind::container, {}, "FSMTModel"},
             {2, "decoder.embed_tokens", ModuleKind::embedding, Part::token_embedding, {}},
         }),
         stack_modules("encoder", ModuleKind::encoder, "FSMTEncoder", {}), frozen_modules<"FSMT">,
         encoder_layer_modules<"FSMT">, stack_modules("decoder", ModuleKind::decoder, "FSMTDecoder", {}),
         frozen_modules<"FSMT">, decoder_layer_modules<"FSMT">,
         std::to_array<Module>({{3, "output_projection", ModuleKind::linear, Part::output_head, {}}}));
constexpr Type fsmt{.called = {"fsmt", "FSMT", fsmt_modules},
                    .usual = {.vocab = 42024},
                    .fields = {.vocab = "tgt_vocab_size", .encoder_vocab = "src_vocab_size"},
                    .activation = "relu",
                    .scaled = true,
                    .positions = Positions::sinusoidal,
                    .offset_behind_padding = true,
                    .embedding_norm = false,
                    .head_bias = false,
                    .shares_table = false,
                    .ignored = "decoder_layerdrop encoder_layerdrop langs scale_embedding"};

constexpr auto prophet_attention_modules(std::string_view attention, std::string_view class_name, ModuleKind kind) {
    return std::to_array<Module>({
        {5, attention, kind, {}, class_name},
        {6, "key_proj", ModuleKind::linear, Part::key, {}},
        {6, "value_proj", ModuleKind::linear, Part::value, {}},
        {6, "query_proj", ModuleKind::linear, Part::query, {}},
        {6, "out_proj", ModuleKind::linear, Part::attention_output, {}},
    });
}
constexpr auto prophet_feed_forward_modules =
    join(std::to_array<Module>({
             {5, "feed_forward", ModuleKind::container, {}, "ProphetNetFeedForward"},
             {6, "intermediate", ModuleKind::linear, Part::up, {}},
             {6, "output", ModuleKind::linear, Part::down, {}},
         }),
         norm_modules("feed_forward_layer_norm", Part::feed_forward_norm, Part::feed_forward_output_norm));
constexpr auto prophet_stack_modules(std::string_view stack, ModuleKind kind, std::string_view class_name,
                                     std::string_view layer) {
    return std::to_array<Module>({
        {2, stack, kind, {}, class_name},
        {3, "word_embeddings", ModuleKind::embedding, Part::token_embedding, {}, Part::idle_embedding},
        {3, "position_embeddings", ModuleKind::embedding, Part::position_embedding, {}},
        {3, "embeddings_layer_norm", ModuleKind::norm, Part::embedding_norm, {}},
        {3, "layers", ModuleKind::container, {}, "ModuleList"},
        {4, "{i}", ModuleKind::layer, {}, layer},
    });
}
constexpr auto prophet_modules = join(
    std::to_array<Module>({
        {0, "", ModuleKind::container, {}, generation_class<"ProphetNet">},
        {1, "prophetnet", ModuleKind::container, {}, "ProphetNetModel"},
        {2, "word_embeddings", ModuleKind::embedding, Part::token_embedding, {}, {}, Part::idle_embedding},
        {2, "word_embeddings", ModuleKind::embedding, Part::idle_embedding, {}},
    }),
    prophet_stack_modules("encoder", ModuleKind::encoder, "ProphetNetEncoder", "ProphetNetEncoderLayer"),
    prophet_attention_modules("self_attn", "ProphetNetAttention", ModuleKind::container), attention_norm_modules,
    prophet_feed_forward_modules,
    prophet_stack_modules("decoder", ModuleKind::decoder, "ProphetNetDecoder", "ProphetNetDecoderLayer"),
    prophet_attention_modules("self_attn", "ProphetNetNgramSelfAttention", ModuleKind::container),
    attention_norm_modules, prophet_attention_modules("cross_attn", "ProphetNetAttention", ModuleKind::cross),
    norm_modules("cross_attn_layer_norm", Part::attention_norm, Part::attention_output_norm, ModuleKind::cross_norm),
    prophet_feed_forward_modules, head_modules);
std::vector<Extra> prophet_besides(const Architecture& arch) {
    Besides fields(arch);
    const Expr distances = Expr(fields.number("num_buckets", 32)) * Symbol::heads;
    std::vector<Extra> all{{.component = Component::embedding,
                            .name = "decoder.ngram_embeddings",
                            .label = "Embedding of steps ahead",
                            .symbol = "E_n",
                            .meaning = "One row of {d} numbers for each token that is foreseen; not computed here.",
                            .weight = {fields.number("ngram", 2), Symbol::dim}},
                           {.component = Component::attention,
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
constexpr Type prophet{.called = {"prophetnet", "ProphetNet", prophet_modules},
                       .usual = {.vocab = 30522, .context = 512},
                       .fields = {.dim = "hidden_size",
                                  .encoder_layers = "num_encoder_layers",
                                  .decoder_layers = "num_decoder_layers",
                                  .encoder_heads = "num_encoder_attention_heads",
                                  .decoder_heads = "num_decoder_attention_heads"},
                       .position_offset = 0,
                       .head_bias = false,
                       .padding = 0,
                       .own = {[](ConfigReader& reader, Architecture&) {
                           carry_number(reader, "ngram", 2);
                           carry_number(reader, "num_buckets", 32);
                           if (!reader.flag({"add_cross_attention"}, true))
                               reader.reject("add_cross_attention",
                                             "a decoder that reads no other text is not known here", "set it to true");
                       }},
                       .compute_rest =
                           [](ComputationReader& reader, Computation&) {
                               reader.reject("ngram", "steps that are foreseen are not computed here",
                                             "count it; a BART runs");
                           },
                       .besides = prophet_besides,
                       .ignored = "disable_ngram_loss eps ngram num_buckets relative_max_distance"};

}  // namespace bart

constexpr Family fsmt_family = bart::family_of<bart::fsmt>();
constexpr Family prophetnet_family = bart::family_of<bart::prophet>();

}  // namespace headcount
