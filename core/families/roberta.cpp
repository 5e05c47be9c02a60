// RoBERTa (Liu et al. 2019) and the encoders with its head and its positions, which are counted from behind the padding
// token's row; two of them have norms before their sub-blocks (transformers, modeling_roberta.py,
// modeling_roberta_prelayernorm.py, modeling_xlm_roberta_xl.py).
#include "core/families/bert_like.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace roberta {

template <FixedText name>
constexpr auto body_modules = join(positions_last_modules<name>, bert_layer_modules<name>, bert_pooler_modules<name>);

template <FixedText name>
constexpr auto modules_with(std::string_view base) {
    return join(bert_root_modules<name>(base), body_modules<name>, roberta_head_modules<name>);
}

// The same where the head is registered before the encoder.
template <FixedText name>
constexpr auto head_first_modules(std::string_view base) {
    const std::array<Module, 2> root = bert_root_modules<name>(base);
    return join(std::array<Module, 1>{{root[0]}}, roberta_head_modules<name>, std::array<Module, 1>{{root[1]}},
                body_modules<name>);
}

constexpr ComputationType computing{.head_activation = Activation::gelu};

constexpr BertType type_of(std::string_view type, std::string_view name, std::span<const Module> modules,
                           std::int64_t vocab, bool may_decode = false) {
    return {.called = {type, name, modules},
            .usual = {.vocab = vocab},
            .positions_behind_padding = true,
            .may_decode = may_decode,
            .computing = computing,
            .padding = 1};
}

constexpr auto first_modules = modules_with<"Roberta">("roberta");
constexpr BertType first = type_of("roberta", "RoBERTa", first_modules, 50265, true);

constexpr auto xlm_modules = head_first_modules<"XLMRoberta">("roberta");
constexpr BertType xlm = type_of("xlm-roberta", "XLM-RoBERTa", xlm_modules, 30522, true);

constexpr auto camembert_modules = head_first_modules<"Camembert">("roberta");
constexpr BertType camembert = type_of("camembert", "CamemBERT", camembert_modules, 30522, true);

constexpr auto data2vec_modules = modules_with<"Data2VecText">("data2vec_text");
constexpr BertType data2vec = type_of("data2vec-text", "data2vec", data2vec_modules, 30522);

// Norms before the sub-blocks: where each stands differs.
constexpr auto before_modules =
    join(bert_root_modules<"RobertaPreLayerNorm">("roberta_prelayernorm"),
         positions_last_modules<"RobertaPreLayerNorm">, bert_encoder_modules<"RobertaPreLayerNorm">,
         std::to_array<Module>({{5, "attention", ModuleKind::container, {}, "RobertaPreLayerNormAttention"}}),
         bert_self_modules<"RobertaPreLayerNorm">,
         std::to_array<Module>({
             {6, "output", ModuleKind::container, {}, "RobertaPreLayerNormSelfOutput"},
             {7, "dense", ModuleKind::linear, Part::attention_output, {}},
             {7, "dropout", ModuleKind::stateless, {}, dropout_10},
             {6, "LayerNorm", ModuleKind::norm, Part::attention_norm, {}},
             {5, "intermediate", ModuleKind::container, {}, "RobertaPreLayerNormIntermediate"},
             {6, "LayerNorm", ModuleKind::norm, Part::feed_forward_norm, {}},
             {6, "dense", ModuleKind::linear, Part::up, {}},
             {6, "intermediate_act_fn", ModuleKind::activation, {}, {}},
             {5, "output", ModuleKind::container, {}, "RobertaPreLayerNormOutput"},
             {6, "dense", ModuleKind::linear, Part::down, {}},
             {6, "dropout", ModuleKind::stateless, {}, dropout_10},
         }),
         std::to_array<Module>({{2, "LayerNorm", ModuleKind::norm, Part::final_norm, {}}}),
         bert_pooler_modules<"RobertaPreLayerNorm">, roberta_head_modules<"RobertaPreLayerNorm">);
constexpr BertType before = changed(type_of("roberta-prelayernorm", "RoBERTa-PreLayerNorm", before_modules, 50265),
                                    [](BertType& type) { type.placement = NormPlacement::before; });

constexpr auto large_modules =
    join(bert_root_modules<"XLMRobertaXL">("roberta"), positions_last_modules<"XLMRobertaXL">,
         bert_encoder_modules<"XLMRobertaXL">,
         std::to_array<Module>({{5, "attention", ModuleKind::container, {}, "XLMRobertaXLAttention"}}),
         bert_self_modules<"XLMRobertaXL">,
         std::to_array<Module>({
             {6, "output", ModuleKind::container, {}, "XLMRobertaXLSelfOutput"},
             {7, "dense", ModuleKind::linear, Part::attention_output, {}},
             {7, "dropout", ModuleKind::stateless, {}, dropout_10},
             {6, "self_attn_layer_norm", ModuleKind::norm, Part::attention_norm, {}},
         }),
         bert_intermediate_modules<"XLMRobertaXL">,
         std::to_array<Module>({
             {5, "output", ModuleKind::container, {}, "XLMRobertaXLOutput"},
             {6, "dense", ModuleKind::linear, Part::down, {}},
             {5, "LayerNorm", ModuleKind::norm, Part::feed_forward_norm, {}},
             {3, "LayerNorm", ModuleKind::norm, Part::final_norm, {}},
         }),
         bert_pooler_modules<"XLMRobertaXL">, roberta_head_modules<"XLMRobertaXL">);
constexpr BertType large =
    changed(type_of("xlm-roberta-xl", "XLM-RoBERTa-XL", large_modules, 250880), [](BertType& type) {
        type.usual = {.dim = 2560, .layers = 36, .heads = 32, .ffn_dim = 10240, .vocab = 250880, .context = 514};
        type.token_types = 1;
        type.epsilon = 1e-5;
        type.placement = NormPlacement::before;
        type.embedding_norm = false;
    });

}  // namespace roberta

constexpr Family roberta_family = bert_like<roberta::first>();
constexpr Family xlm_roberta_family = bert_like<roberta::xlm>();
constexpr Family camembert_family = bert_like<roberta::camembert>();
constexpr Family data2vec_text_family = bert_like<roberta::data2vec>();
constexpr Family roberta_prelayernorm_family = bert_like<roberta::before>();
constexpr Family xlm_roberta_xl_family = bert_like<roberta::large>();

}  // namespace headcount
