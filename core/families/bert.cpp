// BERT (Devlin et al. 2019): an encoder, with scores for hidden tokens on it or with a pooler; and encoders with its
// names: ERNIE, Megatron's BERT, whose norms stand before the sub-blocks, and ELECTRA, whose embedding may be narrower
// than the rest (transformers, modeling_bert.py, modeling_ernie.py, modeling_megatron_bert.py, modeling_electra.py).
#include "core/families/bert_like.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace bert {

template <FixedText name>
constexpr auto modules_with(std::string_view base) {
    return join(bert_root_modules<name>(base), bert_embedding_modules<name>, bert_layer_modules<name>,
                bert_pooler_modules<name>, bert_head_modules<name>);
}

constexpr auto first_modules = modules_with<"Bert">("bert");
constexpr BertType first{.called = {"bert", "BERT", first_modules}, .may_decode = true};

constexpr auto ernie_modules = modules_with<"Ernie">("ernie");
constexpr BertType ernie{
    .called = {"ernie", "ERNIE", ernie_modules},
    .computing = {.rest =
                      [](ComputationReader& reader, Computation&) {
                          if (reader.flag("use_task_id", false))
                              reader.reject("use_task_id", "rows of kinds of tasks are not computed here",
                                            "count it, or set it to false");
                      }},
    .ignored = "task_type_vocab_size use_task_id",
    .own = {[](ConfigReader& reader, Architecture&) {
        carry_number(reader, "task_type_vocab_size", 3);
        carry_flag(reader, "use_task_id", false);
    }},
    .besides = [](const Architecture& arch) -> std::vector<Extra> {
        Besides more(arch);
        if (!more.flag("use_task_id", false)) return {};
        return more.add("embeddings.task_type_embeddings.weight", {more.number("task_type_vocab_size", 3), Symbol::dim})
            .take();
    }};

constexpr auto megatron_modules = join(bert_root_modules<"MegatronBert">("bert"),
                                       bert_embedding_modules<"MegatronBert">, bert_encoder_modules<"MegatronBert">,
                                       std::to_array<Module>({
                                           {5, "attention", ModuleKind::container, {}, "MegatronBertAttention"},
                                           {6, "ln", ModuleKind::norm, Part::attention_norm, {}},
                                       }),
                                       bert_self_modules<"MegatronBert">,
                                       std::to_array<Module>({
                                           {6, "output", ModuleKind::container, {}, "MegatronBertSelfOutput"},
                                           {7, "dense", ModuleKind::linear, Part::attention_output, {}},
                                           {7, "dropout", ModuleKind::stateless, {}, dropout_10},
                                           {5, "ln", ModuleKind::norm, Part::feed_forward_norm, {}},
                                       }),
                                       bert_intermediate_modules<"MegatronBert">,
                                       std::to_array<Module>({
                                           {5, "output", ModuleKind::container, {}, "MegatronBertOutput"},
                                           {6, "dense", ModuleKind::linear, Part::down, {}},
                                           {6, "dropout", ModuleKind::stateless, {}, dropout_10},
                                           {3, "ln", ModuleKind::norm, Part::final_norm, {}},
                                       }),
                                       bert_pooler_modules<"MegatronBert">, bert_head_modules<"MegatronBert">);
constexpr BertType megatron{.called = {"megatron-bert", "Megatron BERT", megatron_modules},
                            .usual = {.dim = 1024, .layers = 24, .heads = 16, .ffn_dim = 4096, .vocab = 29056},
                            .placement = NormPlacement::before,
                            .embedding_norm = false};

constexpr auto electra_modules =
    join(bert_root_modules<"Electra">("electra"), bert_embedding_modules<"Electra">, bert_layer_modules<"Electra">,
         std::to_array<Module>({
             {1, "generator_predictions", ModuleKind::container, {}, "ElectraGeneratorPredictions"},
             {2, "activation", ModuleKind::stateless, {}, "GELUActivation()"},
             {2, "LayerNorm", ModuleKind::norm, Part::head_norm, {}},
             {2, "dense", ModuleKind::linear, Part::head_transform, {}},
             {1, "generator_lm_head", ModuleKind::linear, Part::output_head, {}},
         }));
// How much smaller a generator trained beside it was: of another file.
constexpr std::string_view electra_ignored = "generator_size";
constexpr BertType electra{.called = {"electra", "ELECTRA", electra_modules},
                           .usual = {.dim = 256, .heads = 4, .ffn_dim = 1024},
                           .embedding_dim_field = "embedding_size",
                           .pools = false,
                           .computing = {.head_activation = Activation::gelu},
                           .ignored = electra_ignored};

}  // namespace bert

constexpr Family bert_family = bert_like<bert::first>();
constexpr Family ernie_family = bert_like<bert::ernie>();
constexpr Family megatron_bert_family = bert_like<bert::megatron>();
constexpr Family electra_family = bert_like<bert::electra>();

}  // namespace headcount
