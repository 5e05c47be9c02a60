// Encoders with BERT's layers that know more of a token than its number: where it stands on a page (LayoutLM, Xu et al.
// 2020), in which cell of a table (TAPAS, Herzig et al. 2020), how a Chinese sign looks and sounds (RoCBert, Su et al.
// 2022), which things it names (LUKE, Yamada et al. 2020), of which language it is (X-MOD, Pfeiffer et al. 2022).
// Beside them I-BERT (Kim et al. 2021), which computes in whole numbers where it is asked to (transformers,
// modeling_layoutlm.py, modeling_tapas.py, modeling_roc_bert.py, modeling_luke.py, modeling_xmod.py,
// modeling_ibert.py).
#include <set>

#include "core/base/text.hpp"
#include "core/families/bert_like.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace bert_tables {

Extra table(std::string name, std::string_view label, const Expr& rows, const Expr& columns, std::string_view meaning) {
    return {.name = std::move(name), .label = label, .symbol = "E_b", .meaning = meaning, .weight = {rows, columns}};
}

void compute_without_tables(ComputationReader& reader, Computation&) {
    reader.reject("model_type", "what this type knows of a token beside its number is not computed here",
                  "count it; a BERT runs");
}

template <FixedText name>
constexpr auto bert_modules(std::string_view base) {
    return join(bert_root_modules<name>(base), bert_embedding_modules<name>, bert_layer_modules<name>,
                bert_pooler_modules<name>, bert_head_modules<name>);
}

constexpr auto layout_modules = bert_modules<"LayoutLM">("layoutlm");
constexpr BertType layout{
    .called = {"layoutlm", "LayoutLM", layout_modules},
    .always_pools = true,
    .computing = {.rest = compute_without_tables},
    .ignored = "max_2d_position_embeddings",
    .own = {[](ConfigReader& reader, Architecture&) { carry_number(reader, "max_2d_position_embeddings", 1024); }},
    .besides = [](const Architecture& arch) {
        const std::int64_t places = ConfigReader(arch.carried.object()).number({"max_2d_position_embeddings"}, 1024);
        std::vector<Extra> all;
        for (const auto& [name, label] : {std::pair{"x", "Columns of the page"}, std::pair{"y", "Rows of the page"},
                                          std::pair{"h", "Heights of a box"}, std::pair{"w", "Widths of a box"}})
            all.push_back(table(std::string("embeddings.") + name + "_position_embeddings", label, places, Symbol::dim,
                                "One row of {d} numbers for each place or size on a page, added to the token's "
                                "row; not computed here."));
        return all;
    }};

constexpr auto tapas_modules = bert_modules<"Tapas">("tapas");
constexpr std::string_view tapas_ignored =
    "aggregation_labels aggregation_loss_weight answer_loss_importance aggregation_temperature "
    "allow_empty_column_selection answer_loss_cutoff average_approximation_function "
    "average_logits_per_cell cell_selection_preference disable_per_token_loss huber_loss_delta "
    "init_cell_selection_weights_to_zero max_num_columns max_num_rows no_aggregation_label_index "
    "num_aggregation_labels positive_label_weight reset_position_index_per_cell select_one_column "
    "type_vocab_sizes use_answer_as_supervision use_gumbel_for_aggregation use_gumbel_for_cells "
    "use_normalized_answer_loss";
constexpr BertType tapas{
    .called = {"tapas", "TAPAS", tapas_modules},
    .usual = {.context = 1024},
    .token_types = {},
    .computing = {.rest = compute_without_tables},
    .ignored = tapas_ignored,
    .own = {[](ConfigReader& reader, Architecture&) { carry_list(reader, "type_vocab_sizes"); }},
    .besides = [](const Architecture& arch) {
        const std::vector<std::int64_t> usual{3, 256, 256, 2, 256, 256, 10};
        std::vector<Extra> all;
        for (const std::int64_t size : carried_list(arch, "type_vocab_sizes").value_or(usual))
            all.push_back(table("embeddings.token_type_embeddings_" + std::to_string(all.size()), "Places in a table",
                                size, Symbol::dim,
                                "One row of {d} numbers for each kind, column, row or rank of a cell, added to "
                                "the token's row; not computed here."));
        return all;
    }};

constexpr auto chinese_modules = bert_modules<"RoCBert">("roc_bert");
std::vector<Extra> signs(const Architecture& arch) {
    const nlohmann::json& said = arch.carried.object();
    ConfigReader reader(said);
    const std::int64_t sound = reader.number({"pronunciation_embed_dim"}, 768);
    const std::int64_t shape = reader.number({"shape_embed_dim"}, 512);
    constexpr std::string_view meaning = "One row for each of them, put behind the token's row; not computed here.";
    std::vector<Extra> all{
        table("embeddings.pronunciation_embed", "Pronunciations", reader.number({"pronunciation_vocab_size"}, 910),
              sound, meaning),
        table("embeddings.shape_embed", "Shapes of signs", reader.number({"shape_vocab_size"}, 24858), shape, meaning)};
    if (!reader.flag({"concat_input"}, true)) return all;
    Expr columns = Symbol::dim;
    if (reader.flag({"enable_pronunciation"}, true)) columns = columns + sound;
    if (reader.flag({"enable_shape"}, true)) columns = columns + shape;
    all.push_back({.name = "embeddings.map_inputs_layer",
                   .label = "Input projection",
                   .symbol = "W_map",
                   .meaning = "Makes {d} numbers of a token's row with its sound's and its shape's; not computed here.",
                   .weight = {Symbol::dim, columns},
                   .bias = {Symbol::dim}});
    return all;
}
constexpr BertType chinese{
    .called = {"roc_bert", "RoCBert", chinese_modules},
    .computing = {.rest = compute_without_tables},
    .ignored =
        "concat_input enable_pronunciation enable_shape pronunciation_embed_dim pronunciation_vocab_size "
        "shape_embed_dim shape_vocab_size",
    .own = {[](ConfigReader& reader, Architecture&) {
        for (const std::string_view size :
             {"pronunciation_embed_dim", "pronunciation_vocab_size", "shape_embed_dim", "shape_vocab_size"})
            carry_number(reader, size, 1);
    }},
    .besides = signs};

// Its head has weights of its own, whatever the file says of tying.
constexpr auto luke_modules = join(bert_root_modules<"Luke">("luke"), bert_embedding_modules<"Luke">,
                                   bert_layer_modules<"Luke">, bert_pooler_modules<"Luke">,
                                   std::to_array<Module>({
                                       {1, "lm_head", ModuleKind::container, {}, "LukeLMHead"},
                                       {2, "dense", ModuleKind::linear, Part::head_transform, {}},
                                       {2, "layer_norm", ModuleKind::norm, Part::head_norm, {}},
                                       {2, "decoder", ModuleKind::linear, Part::output_head, {}},
                                   }));
// What a file says of tying is about its scores of things.
bool scores_of_things_tied(const Architecture& arch) {
    const nlohmann::json* tied = said(arch.carried.object(), "tie_word_embeddings");
    return !tied || *tied != false;
}

// Of a text that names no things these are read by nothing.
std::vector<Extra> entities(const Architecture& arch) {
    const nlohmann::json& said = arch.carried.object();
    ConfigReader reader(said);
    const std::int64_t things = reader.number({"entity_vocab_size"}, 500'000);
    const std::int64_t width = reader.number({"entity_emb_size"}, 256);
    constexpr std::string_view meaning =
        "For things that a text is said to name: read by nothing where there are none.";
    const std::string own = "entity_embeddings.";
    std::vector<Extra> all{table(own + "entity_embeddings", "Things", things, width, meaning),
                           table(own + "position_embeddings", "Positions of things",
                                 Expr(Symbol::context) + arch.position_offset, Symbol::dim, meaning)};
    if (arch.token_types > 0)
        all.push_back(
            table(own + "token_type_embeddings", "Types of things", Symbol::token_types, Symbol::dim, meaning));
    const auto add = [&](Component component, std::string name, std::string_view label, std::vector<Expr> weight,
                         std::vector<Expr> bias, bool in_layers) {
        all.push_back({.place = component,
                       .name = std::move(name),
                       .label = label,
                       .symbol = "W_b",
                       .meaning = meaning,
                       .weight = std::move(weight),
                       .bias = std::move(bias),
                       .in_layers = in_layers});
    };
    if (width != arch.dim)
        add(Component::embedding, own + "entity_embedding_dense", "Projection of things", {Symbol::dim, width}, {},
            false);
    add(Component::norm, own + "LayerNorm", "Norm of things", {Symbol::dim}, {Symbol::dim}, false);
    if (reader.flag({"use_entity_aware_attention"}, true))
        for (const char* query : {"w2e_query", "e2w_query", "e2e_query"})
            add(Component::attention, std::string("attention.self.") + query, "Queries between words and things",
                {Symbol::dim, Symbol::dim}, {Symbol::dim}, true);
    if (arch.output != OutputKind::masked) return all;
    const std::string head = "entity_predictions.";
    add(Component::output, head + "transform.dense", "Transform of things", {width, Symbol::dim}, {width}, false);
    add(Component::output, head + "transform.LayerNorm", "Norm before things", {width}, {width}, false);
    if (!scores_of_things_tied(arch)) {
        add(Component::output, head + "decoder", "Scores of things", {things, width}, {}, false);
        add(Component::output, "lm_head.bias", "Idle head bias", {Symbol::vocab}, {}, false);
        all.back().alone = true;
    }
    add(Component::output, head + "bias", "Bias of things", {things}, {}, false);
    all.back().alone = true;
    return all;
}
constexpr BertType luke{.called = {"luke", "LUKE", luke_modules},
                        .usual = {.vocab = 50267},
                        .positions_behind_padding = true,
                        .always_pools = true,
                        .computing = {.head_activation = Activation::gelu},
                        .padding = 1,
                        .ignored = "entity_emb_size entity_vocab_size tie_word_embeddings use_entity_aware_attention",
                        .own = {[](ConfigReader& reader, Architecture& arch) {
                                    for (const std::string_view size : {"entity_vocab_size", "entity_emb_size"})
                                        carry_number(reader, size, 1);
                                    arch.tied = false;
                                    reader.carry("tie_word_embeddings");
                                },
                                [](nlohmann::ordered_json& config, const Architecture& arch) {
                                    config["tie_word_embeddings"] = scores_of_things_tied(arch);
                                }},
                        .besides = entities};

// Norms before the sub-blocks or behind them, in the same modules.
constexpr auto languages_modules = join(
    bert_root_modules<"Xmod">("roberta"), positions_last_modules<"Xmod">, bert_encoder_modules<"Xmod">,
    std::to_array<Module>({{5, "attention", ModuleKind::container, {}, "XmodAttention"}}), bert_self_modules<"Xmod">,
    std::to_array<Module>({
        {6, "output", ModuleKind::container, {}, "XmodSelfOutput"},
        {7, "dense", ModuleKind::linear, Part::attention_output, {}},
        {7, "LayerNorm", ModuleKind::norm, {Part::attention_output_norm}, {}},
        {7, "LayerNorm", ModuleKind::norm, {Part::attention_norm}, {}},
        {7, "dropout", ModuleKind::stateless, {}, dropout_10},
    }),
    bert_intermediate_modules<"Xmod">,
    std::to_array<Module>({
        {5, "output", ModuleKind::container, {}, "XmodOutput"},
        {6, "dense", ModuleKind::linear, Part::down, {}},
        {6, "LayerNorm", ModuleKind::norm, {Part::feed_forward_output_norm}, {}},
        {6, "LayerNorm", ModuleKind::norm, {Part::feed_forward_norm}, {}},
        {6, "dropout", ModuleKind::stateless, {}, dropout_10},
        {3, "LayerNorm", ModuleKind::norm, Part::final_norm, {}},
    }),
    bert_pooler_modules<"Xmod">, roberta_head_modules<"Xmod">);
std::vector<Extra> adapters(const Architecture& arch) {
    const nlohmann::json& carried = arch.carried.object();
    ConfigReader reader(carried);
    const Expr narrow = Expr(Symbol::dim) / reader.number({"adapter_reduction_factor"}, 2);
    const nlohmann::json usual{"en_XX"};
    const nlohmann::json* listed = said(carried, "languages");
    constexpr std::string_view meaning = "For tokens of one language, behind the feed-forward; not computed here.";
    std::vector<Extra> all;
    std::set<std::string> named;  // one that is named again has no adapter more
    for (const nlohmann::json& language : listed && listed->is_array() ? *listed : usual) {
        if (!language.is_string() || !named.insert(language.get<std::string>()).second) continue;
        const std::string adapter = "output.adapter_modules." + language.get<std::string>();
        all.push_back({.component = Component::feed_forward,
                       .name = adapter + ".dense1",
                       .label = "Adapter's first matrix",
                       .symbol = "W_a1",
                       .meaning = meaning,
                       .weight = {narrow, Symbol::dim},
                       .bias = {narrow},
                       .in_layers = true});
        all.push_back({.component = Component::feed_forward,
                       .name = adapter + ".dense2",
                       .label = "Adapter's second matrix",
                       .symbol = "W_a2",
                       .meaning = meaning,
                       .weight = {Symbol::dim, narrow},
                       .bias = {Symbol::dim},
                       .in_layers = true});
    }
    if (reader.flag({"adapter_layer_norm"}, false))
        all.push_back({.component = Component::norm,
                       .name = "output.adapter_layer_norm",
                       .label = "Adapter's norm",
                       .symbol = "g",
                       .meaning = meaning,
                       .weight = {Symbol::dim},
                       .bias = {Symbol::dim},
                       .in_layers = true});
    return all;
}
constexpr BertType languages{
    .called = {"xmod", "X-MOD", languages_modules},
    .positions_behind_padding = true,
    .computing = {.rest =
                      [](ComputationReader& reader, Computation&) {
                          reader.reject("languages", "adapters of languages are not computed here",
                                        "count it; an XLM-RoBERTa runs");
                      }},
    .padding = 1,
    .ignored =
        "adapter_layer_norm adapter_reduction_factor adapter_reuse_layer_norm default_language languages "
        "ln_before_adapter",
    .own = {[](ConfigReader& reader, Architecture& arch) {
                carry_number(reader, "adapter_reduction_factor", 2);
                if (!reader.flag({"pre_norm"}, false)) return;
                arch.norm.placement = NormPlacement::before;
                arch.norm.final = true;
            },
            [](nlohmann::ordered_json& config, const Architecture& arch) {
                config["pre_norm"] = arch.norm.placement == NormPlacement::before;
            }},
    .besides = adapters};

constexpr auto whole_modules =
    join(bert_root_modules<"IBert">("ibert"), bert_embedding_modules<"IBert">, bert_layer_modules<"IBert">,
         bert_pooler_modules<"IBert">, roberta_head_modules<"IBert">);
constexpr BertType whole{.called = {"ibert", "I-BERT", whole_modules},
                         .positions_behind_padding = true,
                         .computing = {.head_activation = Activation::gelu,
                                       .rest =
                                           [](ComputationReader& reader, Computation&) {
                                               if (reader.flag("quant_mode", false))
                                                   reader.reject("quant_mode", "whole numbers are not computed with",
                                                                 "set it to false");
                                           }},
                         .padding = 1,
                         .ignored = "force_dequant quant_mode"};

}  // namespace bert_tables

constexpr Family layoutlm_family = bert_like<bert_tables::layout>();
constexpr Family tapas_family = bert_like<bert_tables::tapas>();
constexpr Family roc_bert_family = bert_like<bert_tables::chinese>();
constexpr Family luke_family = bert_like<bert_tables::luke>();
constexpr Family xmod_family = bert_like<bert_tables::languages>();
constexpr Family ibert_family = bert_like<bert_tables::whole>();

}  // namespace headcount
