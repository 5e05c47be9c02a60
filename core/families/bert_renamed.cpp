// Encoders like BERT with names of their own: DistilBERT (Sanh et al. 2019), without kinds of tokens, MPNet (Song et
// al. 2020), whose scores have distances besides; and, with rotary positions, Nomic's, Jina's and GTE
// (transformers, modeling_distilbert.py, modeling_mpnet.py, modeling_nomic_bert.py, modeling_jina_embeddings_v3.py,
// modeling_gte.py).
#include "core/families/bert_like.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace bert_renamed {

constexpr auto distil_modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, "DistilBertForMaskedLM"},
    {1, "activation", ModuleKind::activation, {}, {}},
    {1, "distilbert", ModuleKind::container, {}, "DistilBertModel"},
    {2, "embeddings", ModuleKind::container, {}, "Embeddings"},
    {3, "word_embeddings", ModuleKind::embedding, Part::token_embedding, {}},
    {3, "position_embeddings", ModuleKind::embedding, Part::position_embedding, {}},
    {3, "LayerNorm", ModuleKind::norm, Part::embedding_norm, {}},
    {3, "dropout", ModuleKind::stateless, {}, dropout_10},
    {2, "transformer", ModuleKind::container, {}, "Transformer"},
    {3, "layer", ModuleKind::container, {}, "ModuleList"},
    {4, "{i}", ModuleKind::layer, {}, "TransformerBlock"},
    {5, "attention", ModuleKind::container, {}, "DistilBertSelfAttention"},
    {6, "q_lin", ModuleKind::linear, Part::query, {}},
    {6, "k_lin", ModuleKind::linear, Part::key, {}},
    {6, "v_lin", ModuleKind::linear, Part::value, {}},
    {6, "out_lin", ModuleKind::linear, Part::attention_output, {}},
    {6, "dropout", ModuleKind::stateless, {}, dropout_10},
    {5, "sa_layer_norm", ModuleKind::norm, Part::attention_output_norm, {}},
    {5, "ffn", ModuleKind::container, {}, "FFN"},
    {6, "dropout", ModuleKind::stateless, {}, dropout_10},
    {6, "lin1", ModuleKind::linear, Part::up, {}},
    {6, "lin2", ModuleKind::linear, Part::down, {}},
    {6, "activation", ModuleKind::activation, {}, {}},
    {5, "output_layer_norm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
    {1, "vocab_transform", ModuleKind::linear, Part::head_transform, {}},
    {1, "vocab_layer_norm", ModuleKind::norm, Part::head_norm, {}},
    {1, "vocab_projector", ModuleKind::linear, Part::output_head, {}},
    {1, "mlm_loss_fct", ModuleKind::stateless, {}, "CrossEntropyLoss()"},
});
constexpr BertType distil{.called = {"distilbert", "DistilBERT", distil_modules},
                          .usual = {.layers = 6},
                          .token_types = {},
                          .fields = {.dim = "dim",
                                     .layers = "n_layers",
                                     .heads = "n_heads",
                                     .ffn_dim = "hidden_dim",
                                     .activation = "activation",
                                     .epsilon = {}},
                          .pools = false,
                          .ignored = "sinusoidal_pos_embds tie_weights_"};

constexpr auto mpnet_modules =
    join(bert_root_modules<"MPNet">("mpnet"), bert_embedding_modules<"MPNet">, bert_encoder_modules<"MPNet">,
         std::to_array<Module>({
             {5, "attention", ModuleKind::container, {}, "MPNetAttention"},
             {6, "attn", ModuleKind::container, {}, "MPNetSelfAttention"},
             {7, "q", ModuleKind::linear, Part::query, {}},
             {7, "k", ModuleKind::linear, Part::key, {}},
             {7, "v", ModuleKind::linear, Part::value, {}},
             {7, "o", ModuleKind::linear, Part::attention_output, {}},
             {7, "dropout", ModuleKind::stateless, {}, dropout_10},
             {6, "LayerNorm", ModuleKind::norm, Part::attention_output_norm, {}},
             {6, "dropout", ModuleKind::stateless, {}, dropout_10},
         }),
         bert_feed_forward_modules<"MPNet">,
         std::to_array<Module>({{3, "relative_attention_bias", ModuleKind::embedding, Part::relative_bias, {}}}),
         bert_pooler_modules<"MPNet">, roberta_head_modules<"MPNet">);
// Its code makes 32 ranges of distances, whatever table the file gives them.
constexpr std::int64_t mpnet_ranges = 32;
void compute_mpnet(ComputationReader& reader, Computation&) {
    const std::int64_t ranges = reader.arch().layer.attention.relative_buckets;
    if (ranges != mpnet_ranges)
        reader.reject("relative_attention_num_buckets",
                      "MPNet computes with 32 ranges of distances, not " + std::to_string(ranges), "give 32");
}

constexpr BertType mpnet{.called = {"mpnet", "MPNet", mpnet_modules},
                         .usual = {.vocab = 30527},
                         .token_types = {},
                         .positions_behind_padding = true,
                         .positions = Positions::learned_relative,
                         .computing = {.head_activation = Activation::gelu, .rest = compute_mpnet},
                         .padding = 1,
                         .own = {[](ConfigReader& reader, Architecture& arch) {
                                     arch.layer.attention.relative_buckets =
                                         reader.number({"relative_attention_num_buckets"}, mpnet_ranges);
                                 },
                                 [](nlohmann::ordered_json& config, const Architecture& arch) {
                                     config["relative_attention_num_buckets"] = arch.layer.attention.relative_buckets;
                                 }}};

// What the two with rotary positions have as published: norms after each sum, queries, keys and values in one matrix.
template <FixedText name, std::size_t N>
constexpr auto rotary_modules(std::string_view base, std::string_view attention,
                              const std::array<Module, N>& feed_forward) {
    return join(bert_root_modules<name>(base),
                std::to_array<Module>({
                    {2, "embeddings", ModuleKind::container, {}, joined_name<name, "Embeddings">},
                    {3, "word_embeddings", ModuleKind::embedding, Part::token_embedding, {}},
                    {3, "token_type_embeddings", ModuleKind::embedding, Part::token_type_embedding, {}},
                    {3, "dropout", ModuleKind::stateless, {}, dropout_10},
                    {2, "emb_ln", ModuleKind::norm, Part::embedding_norm, {}},
                    {2, "encoder", ModuleKind::container, {}, joined_name<name, "Encoder">},
                    {3, "layers", ModuleKind::container, {}, "ModuleList"},
                    {4, "{i}", ModuleKind::layer, {}, joined_name<name, "Layer">},
                    {5, attention, ModuleKind::container, {}, joined_name<name, "Attention">},
                    {6, "Wqkv", ModuleKind::linear, {Part::query, Part::key, Part::value}, {}},
                    {6, "out_proj", ModuleKind::linear, Part::attention_output, {}},
                    {5, "norm1", ModuleKind::norm, Part::attention_output_norm, {}},
                    {5, "norm2", ModuleKind::norm, Part::feed_forward_output_norm, {}},
                }),
                feed_forward, bert_pooler_modules<name>);
}

constexpr auto nomic_modules =
    join(rotary_modules<"NomicBert">("nomic_bert", "attn",
                                     std::to_array<Module>({
                                         {5, "mlp", ModuleKind::container, {}, "NomicBertMLP"},
                                         {6, "fc11", ModuleKind::linear, Part::up, {}},
                                         {6, "fc12", ModuleKind::linear, Part::gate, {}},
                                         {6, "fc2", ModuleKind::linear, Part::down, {}},
                                         {6, "act_fn", ModuleKind::activation, {}, {}},
                                     })),
         renamed(bert_head_modules<"NomicBert">, "LayerNorm", "layer_norm"));
constexpr BertType nomic{.called = {"nomic_bert", "Nomic BERT", nomic_modules},
                         .usual = {.vocab = 30528, .context = 2048},
                         .activation = "silu",
                         .positions = Positions::rope,
                         .biases = false,
                         .gated = true,
                         .pools = false,
                         .computing = {.rope_base = 1000},
                         .own = {[](ConfigReader& reader, Architecture& arch) {
                                     arch.layer.attention.head_dim = reader.optional_number({"head_dim"});
                                 },
                                 [](nlohmann::ordered_json& config, const Architecture& arch) {
                                     config["head_dim"] = bindings(arch, Input{})[Symbol::head_dim].value_or(0);
                                 }}};

constexpr auto jina_modules =
    join(rotary_modules<"JinaEmbeddingsV3">("roberta", "mixer",
                                            std::to_array<Module>({
                                                {5, "mlp", ModuleKind::container, {}, "JinaEmbeddingsV3MLP"},
                                                {6, "activation_fn", ModuleKind::activation, {}, {}},
                                                {6, "fc1", ModuleKind::linear, Part::up, {}},
                                                {6, "fc2", ModuleKind::linear, Part::down, {}},
                                            })),
         roberta_head_modules<"JinaEmbeddingsV3">);
constexpr BertType jina{
    .called = {"jina_embeddings_v3", "Jina Embeddings 3", jina_modules},
    .usual = {.dim = 1024, .layers = 24, .heads = 16, .ffn_dim = 4096, .vocab = 250002, .context = 8194},
    .token_types = 1,
    .epsilon = 1e-5,
    .positions = Positions::rope,
    .computing = {.rope_base = 20000, .head_activation = Activation::gelu},
    .padding = 1};

// GTE (Zhang et al. 2024): queries, keys and values in one matrix, gate and values of the feed-forward in another,
// which has no bias.
constexpr auto gte_modules =
    join(bert_root_modules<"Gte">("gte"),
         std::to_array<Module>({
             {2, "embeddings", ModuleKind::container, {}, "GteEmbeddings"},
             {3, "word_embeddings", ModuleKind::embedding, Part::token_embedding, {}},
             {3, "token_type_embeddings", ModuleKind::embedding, Part::token_type_embedding, {}},
             {3, "LayerNorm", ModuleKind::norm, Part::embedding_norm, {}},
             {3, "dropout", ModuleKind::stateless, {}, dropout_10},
             {2, "encoder", ModuleKind::container, {}, "GteEncoder"},
             {3, "layer", ModuleKind::container, {}, "ModuleList"},
             {4, "{i}", ModuleKind::layer, {}, "GteLayer"},
             {5, "attention", ModuleKind::container, {}, "GteAttention"},
             {6, "qkv_proj", ModuleKind::linear, {Part::query, Part::key, Part::value}, {}},
             {6, "o_proj", ModuleKind::linear, Part::attention_output, {}},
             {5, "attn_ln", ModuleKind::norm, Part::attention_output_norm, {}},
             {5, "mlp", ModuleKind::container, {}, "GteMLP"},
             {6, "up_gate_proj", ModuleKind::linear, {Part::up, Part::gate}, {}},
             {6, "down_proj", ModuleKind::linear, Part::down, {}},
             {6, "act_fn", ModuleKind::activation, {}, {}},
             {5, "mlp_ln", ModuleKind::norm, Part::feed_forward_output_norm, {}},
             {2, "rotary_emb", ModuleKind::rotary, {}, "GteRotaryEmbedding()"},
         }),
         bert_pooler_modules<"Gte">,
         std::to_array<Module>({
             {1, "lm_head", ModuleKind::container, {}, "GteLMHead"},
             {2, "dense", ModuleKind::linear, Part::head_transform, {}},
             {2, "norm", ModuleKind::norm, Part::head_norm, {}},
             {2, "decoder", ModuleKind::linear, Part::output_head, {}},
         }));
constexpr BertType gte{.called = {"gte", "GTE", gte_modules},
                       .usual = {.vocab = 250048, .context = 8192},
                       .token_types = 1,
                       .positions = Positions::rope,
                       .gated = true,
                       .pools = false,
                       .computing = {.rope_base = 160000, .head_activation = Activation::gelu},
                       .padding = 1,
                       .own = {[](ConfigReader&, Architecture& arch) { arch.layer.feed_forward.input_bias = false; }}};

}  // namespace bert_renamed

constexpr Family distilbert_family = bert_like<bert_renamed::distil>();
constexpr Family mpnet_family = bert_like<bert_renamed::mpnet>();
constexpr Family gte_family = known_to_peft(bert_like<bert_renamed::gte>(), {.parts_apart = true});
constexpr Family nomic_bert_family = known_to_peft(bert_like<bert_renamed::nomic>(), {.parts_apart = true});
constexpr Family jina_embeddings_v3_family = bert_like<bert_renamed::jina>();

}  // namespace headcount
