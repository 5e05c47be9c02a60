// Encoders with BERT's names and other layers: ALBERT (Lan et al. 2020), all of whose layers are one, RoFormer (Su et
// al. 2021), the first with rotary positions, RemBERT (Chung et al. 2021), whose head is wider than the rest, and ESM
// (Rives et al. 2021; Lin et al. 2023), which reads proteins (transformers, modeling_albert.py, modeling_roformer.py,
// modeling_rembert.py, modeling_esm.py).
#include "core/families/bert_like.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace bert_later {

// "albert_layer_groups.0.albert_layers.0": the only layer of the only group.
constexpr auto albert_modules =
    join(bert_root_modules<"Albert">("albert"),
         std::to_array<Module>({
             {2, "embeddings", ModuleKind::container, {}, "AlbertEmbeddings"},
             {3, "word_embeddings", ModuleKind::embedding, Part::token_embedding, {}},
             {3, "position_embeddings", ModuleKind::embedding, Part::position_embedding, {}},
             {3, "token_type_embeddings", ModuleKind::embedding, Part::token_type_embedding, {}},
             {3, "LayerNorm", ModuleKind::norm, Part::embedding_norm, {}},
             {3, "dropout", ModuleKind::stateless, {}, dropout_0},
         }),
         std::to_array<Module>({
             {2, "encoder", ModuleKind::container, {}, "AlbertTransformer"},
             {3, "embedding_hidden_mapping_in", ModuleKind::linear, Part::embedding_projection, {}},
             {3, "albert_layer_groups", ModuleKind::container, {}, "ModuleList"},
             {4, "0", ModuleKind::container, {}, "AlbertLayerGroup"},
             {5, "albert_layers", ModuleKind::container, {}, "ModuleList"},
             {6, "{i}", ModuleKind::layer, {}, "AlbertLayer"},
             {7, "full_layer_layer_norm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
             {7, "attention", ModuleKind::container, {}, "AlbertAttention"},
             {8, "attention_dropout", ModuleKind::stateless, {}, dropout_0},
             {8, "output_dropout", ModuleKind::stateless, {}, dropout_0},
             {8, "query", ModuleKind::linear, Part::query, {}},
             {8, "key", ModuleKind::linear, Part::key, {}},
             {8, "value", ModuleKind::linear, Part::value, {}},
             {8, "dense", ModuleKind::linear, Part::attention_output, {}},
             {8, "LayerNorm", ModuleKind::norm, Part::attention_output_norm, {}},
             {7, "ffn", ModuleKind::linear, Part::up, {}},
             {7, "ffn_output", ModuleKind::linear, Part::down, {}},
             {7, "activation", ModuleKind::activation, {}, {}},
         }),
         std::to_array<Module>({
             {7, "dropout", ModuleKind::stateless, {}, dropout_0},
             {2, "pooler", ModuleKind::linear, Part::pooler, {}},
             {2, "pooler_activation", ModuleKind::stateless, {}, "Tanh()", Part::pooler},
             {1, "predictions", ModuleKind::container, {}, "AlbertMLMHead"},
             // Tied, it is the head's; else it lies beside that, read by nothing.
             {2, "bias", ModuleKind::bare, Part::idle_head_bias, {}},
             {2, "bias", ModuleKind::bare, Part::output_head, {}, {}, Part::idle_head_bias},
             {2, "LayerNorm", ModuleKind::norm, Part::head_norm, {}},
             {2, "dense", ModuleKind::linear, Part::head_transform, {}},
             {2, "decoder", ModuleKind::linear, Part::output_head, {}},
             {2, "activation", ModuleKind::activation, {}, {}},
         }));
// Of code that had more forms than transformers.
constexpr std::string_view albert_ignored = "down_scale_factor gap_size net_structure_type num_memory_blocks";
constexpr BertType albert{
    .called = {"albert", "ALBERT", albert_modules},
    .usual = {.dim = 4096, .heads = 64, .ffn_dim = 16384, .vocab = 30000},
    .activation = "gelu_new",
    .embedding_dim_field = "embedding_size",
    .always_widens = true,
    .ignored = albert_ignored,
    .own = {[](ConfigReader& reader, Architecture& arch) {
        arch.tied_layers = true;
        for (const std::string_view several : {"num_hidden_groups", "inner_group_num"})
            if (const std::int64_t groups = reader.number({several}, 1); groups != 1)
                reader.reject(several,
                              std::to_string(groups) + " different layers that share weights are not known here",
                              "give 1");
    }}};

// Its angles lie in the file, though a rule gives them.
constexpr auto roformer_modules =
    join(bert_root_modules<"RoFormer">("roformer"),
         std::to_array<Module>({
             {2, "embeddings", ModuleKind::container, {}, "RoFormerEmbeddings"},
             {3, "word_embeddings", ModuleKind::embedding, Part::token_embedding, {}},
             {3, "token_type_embeddings", ModuleKind::embedding, Part::token_type_embedding, {}},
             {3, "LayerNorm", ModuleKind::norm, Part::embedding_norm, {}},
             {3, "dropout", ModuleKind::stateless, {}, dropout_10},
             {2, "embeddings_project", ModuleKind::linear, Part::embedding_projection, {}},
             {2, "encoder", ModuleKind::container, {}, "RoFormerEncoder"},
             {3, "embed_positions", ModuleKind::frozen, Part::rotary_table, "RoFormerSinusoidalPositionalEmbedding"},
             {3, "layer", ModuleKind::container, {}, "ModuleList"},
         }),
         std::to_array<Module>({
             {4, "{i}", ModuleKind::layer, {}, "RoFormerLayer"},
             {5, "attention", ModuleKind::container, {}, "RoFormerAttention"},
         }),
         bert_self_modules<"RoFormer">, bert_self_output_modules<"RoFormer">, bert_feed_forward_modules<"RoFormer">,
         bert_head_modules<"RoFormer">);
constexpr BertType roformer{.called = {"roformer", "RoFormer", roformer_modules},
                            .usual = {.vocab = 50000, .context = 1536},
                            .embedding_dim_field = "embedding_size",
                            .embedding_dim = 0,
                            .positions = Positions::rope,
                            .pools = false,
                            .computing = {.pairs = RopePairs::neighbours,
                                          .rest =
                                              [](ComputationReader& reader, Computation& computation) {
                                                  computation.turns_values = reader.flag("rotary_value", false);
                                              }},
                            .ignored = "rotary_value",
                            .besides = [](const Architecture& arch) -> std::vector<Extra> {
                                if (!rotates(arch) || arch.encoder) return {};
                                return {{.component = Component::attention,
                                         .name = "rotary_table",
                                         .label = "Rotary table",
                                         .symbol = "E_rot",
                                         .meaning = "The sines and cosines of {C} positions, not trained; stored, and "
                                                    "computed anew where queries and keys are turned.",
                                         .weight = {Symbol::context, Symbol::head_dim},
                                         .part = Part::rotary_table}};
                            }};

constexpr auto esm_modules = join(bert_root_modules<"Esm">("esm"),
                                  std::to_array<Module>({
                                      {2, "embeddings", ModuleKind::container, {}, "EsmEmbeddings"},
                                      {3, "word_embeddings", ModuleKind::embedding, Part::token_embedding, {}},
                                      {3, "layer_norm", ModuleKind::norm, Part::embedding_norm, {}},
                                      {3, "dropout", ModuleKind::stateless, {}, dropout_10},
                                      {3, "position_embeddings", ModuleKind::embedding, Part::position_embedding, {}},
                                  }),
                                  bert_encoder_modules<"Esm">,
                                  std::to_array<Module>({
                                      {5, "attention", ModuleKind::container, {}, "EsmAttention"},
                                      {6, "self", ModuleKind::container, {}, "EsmSelfAttention"},
                                      {7, "query", ModuleKind::linear, Part::query, {}},
                                      {7, "key", ModuleKind::linear, Part::key, {}},
                                      {7, "value", ModuleKind::linear, Part::value, {}},
                                      {6, "output", ModuleKind::container, {}, "EsmSelfOutput"},
                                      {7, "dense", ModuleKind::linear, Part::attention_output, {}},
                                      {7, "dropout", ModuleKind::stateless, {}, dropout_10},
                                  }),
                                  std::to_array<Module>({
                                      {6, "LayerNorm", ModuleKind::norm, Part::attention_norm, {}},
                                      {5, "intermediate", ModuleKind::container, {}, "EsmIntermediate"},
                                      {6, "dense", ModuleKind::linear, Part::up, {}},
                                      {5, "output", ModuleKind::container, {}, "EsmOutput"},
                                      {6, "dense", ModuleKind::linear, Part::down, {}},
                                      {6, "dropout", ModuleKind::stateless, {}, dropout_10},
                                      {5, "LayerNorm", ModuleKind::norm, Part::feed_forward_norm, {}},
                                      {3, "emb_layer_norm_after", ModuleKind::norm, Part::final_norm, {}},
                                  }),
                                  bert_pooler_modules<"Esm">,
                                  std::to_array<Module>({
                                      {2, "contact_head", ModuleKind::container, {}, "EsmContactPredictionHead"},
                                      {3, "regression", ModuleKind::linear, Part::contact_head, {}},
                                      {3, "activation", ModuleKind::stateless, {}, "Sigmoid()"},
                                      {1, "lm_head", ModuleKind::container, {}, "EsmLMHead"},
                                      {2, "bias", ModuleKind::bare, Part::logits_bias, {}},
                                      {2, "dense", ModuleKind::linear, Part::head_transform, {}},
                                      {2, "layer_norm", ModuleKind::norm, Part::head_norm, {}},
                                      {2, "decoder", ModuleKind::linear, Part::output_head, {}},
                                  }));
constexpr BertType esm{
    .called = {"esm", "ESM", esm_modules},
    .usual = {.vocab = 33, .context = 1026},
    .token_types = {},
    .fields = {.activation = ""},
    .positions_behind_padding = true,
    .may_rotate = true,
    .placement = NormPlacement::before,
    .embedding_norm = false,
    .computing = {.head_activation = Activation::gelu,
                  // What it was trained with: 15 % of all tokens hidden, of which 80 % are left out.
                  .rest =
                      [](ComputationReader& reader, Computation& computation) {
                          if (reader.flag("token_dropout", false)) computation.embedding_scale = 1 - 0.15 * 0.8;
                      }},
    .padding = 1,
    .ignored = "esmfold_config vocab_list",
    .own = {[](ConfigReader& reader, Architecture& arch) {
                arch.embedding_norm = reader.flag({"emb_layer_norm_before"}, false);
                if (reader.flag({"is_folding_model"}, false))
                    reader.reject("is_folding_model", "what folds proteins is not known here", "set it to false");
            },
            [](nlohmann::ordered_json& config, const Architecture& arch) {
                config["emb_layer_norm_before"] = arch.embedding_norm;
            }},
    .besides = [](const Architecture& arch) -> std::vector<Extra> {
        if (arch.encoder) return {};
        return {{.component = Component::output,
                 .name = "contact_head",
                 .label = "Contact head",
                 .symbol = "W_c",
                 .meaning = "Tells from the weights of all heads which tokens touch; not computed here.",
                 .weight = {Expr(Symbol::layers) * Symbol::heads, 1},
                 .bias = {1},
                 .part = Part::contact_head}};
    }};

// RemBERT (Chung et al. 2021): a narrow embedding, and before the scores, which have weights of their own, more columns
// than the stream has.
constexpr auto rembert_modules =
    join(bert_root_modules<"RemBert">("rembert"),
         std::to_array<Module>({
             {2, "embeddings", ModuleKind::container, {}, "RemBertEmbeddings"},
             {3, "word_embeddings", ModuleKind::embedding, Part::token_embedding, {}},
             {3, "position_embeddings", ModuleKind::embedding, Part::position_embedding, {}},
             {3, "token_type_embeddings", ModuleKind::embedding, Part::token_type_embedding, {}},
             {3, "LayerNorm", ModuleKind::norm, Part::embedding_norm, {}},
             {3, "dropout", ModuleKind::stateless, {}, dropout_0},
             {2, "encoder", ModuleKind::container, {}, "RemBertEncoder"},
             {3, "embedding_hidden_mapping_in", ModuleKind::linear, Part::embedding_projection, {}},
             {3, "layer", ModuleKind::container, {}, "ModuleList"},
             {4, "{i}", ModuleKind::layer, {}, "RemBertLayer"},
         }),
         std::to_array<Module>({{5, "attention", ModuleKind::container, {}, "RemBertAttention"}}),
         bert_self_modules<"RemBert">,
         std::to_array<Module>({
             {6, "output", ModuleKind::container, {}, "RemBertSelfOutput"},
             {7, "dense", ModuleKind::linear, Part::attention_output, {}},
             {7, "LayerNorm", ModuleKind::norm, Part::attention_output_norm, {}},
             {7, "dropout", ModuleKind::stateless, {}, dropout_0},
         }),
         bert_feed_forward_modules<"RemBert">, bert_pooler_modules<"RemBert">,
         std::to_array<Module>({
             {1, "cls", ModuleKind::container, {}, "RemBertOnlyMLMHead"},
             {2, "predictions", ModuleKind::container, {}, "RemBertLMPredictionHead"},
             {3, "dense", ModuleKind::linear, Part::head_transform, {}},
             {3, "decoder", ModuleKind::linear, Part::output_head, {}},
             {3, "activation", ModuleKind::activation, {}, {}},
             {3, "LayerNorm", ModuleKind::norm, Part::head_norm, {}},
         }));
constexpr BertType rembert{.called = {"rembert", "RemBERT", rembert_modules},
                           .usual = {.dim = 1152, .layers = 32, .heads = 18, .ffn_dim = 4608, .vocab = 250300},
                           .embedding_dim_field = "input_embedding_size",
                           .embedding_dim = 256,
                           .always_widens = true,
                           .own = {[](ConfigReader& reader, Architecture& arch) {
                                       arch.tied = false;
                                       arch.transform_dim = reader.number({"output_embedding_size"}, 1664);
                                   },
                                   [](nlohmann::ordered_json& config, const Architecture& arch) {
                                       config["output_embedding_size"] =
                                           bindings(arch, Input{})[Symbol::transform_dim].value_or(arch.dim);
                                   }}};

}  // namespace bert_later

constexpr Family albert_family = bert_like<bert_later::albert>();
constexpr Family roformer_family = bert_like<bert_later::roformer>();
constexpr Family rembert_family = bert_like<bert_later::rembert>();
constexpr Family esm_family = bert_like<bert_later::esm>();

}  // namespace headcount
