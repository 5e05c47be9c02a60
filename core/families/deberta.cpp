// DeBERTa, its second version and its third, which is the second in its files (He et al. 2021; He et al. 2023): what a
// token is and where it stands are compared apart. Without relative attention they are BERT, and are computed; with it
// they are counted (transformers, modeling_deberta.py, modeling_deberta_v2.py).
#include <algorithm>

#include "core/base/text.hpp"
#include "core/families/bert_like.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace deberta {

// What a file says of relative attention.
struct Relative {
    bool there = false, content_to_position = false, position_to_content = false;
    Expr farthest = Symbol::context;  // tokens to either side that have a row

    explicit Relative(const Architecture& arch) {
        const nlohmann::json& carried = arch.carried.object();
        ConfigReader reader(carried);
        there = reader.flag({"relative_attention"}, false);
        if (const auto said_so = reader.optional_number({"max_relative_positions"})) farthest = *said_so;
        const nlohmann::json* kinds = said(carried, "pos_att_type");
        const std::string words = kinds ? kinds->dump() : "";
        content_to_position = words.find("c2p") != std::string::npos;
        position_to_content = words.find("p2c") != std::string::npos;
    }
};

constexpr std::string_view rows_meaning =
    "One row of {d} numbers for each distance, or range of distances, to either side; not computed here.";
constexpr std::string_view matrix_meaning = "Makes keys or queries of distances' rows; not computed here.";

Extra rows(const Expr& to_one_side) {
    return {.place = Extra::Place::attention,
            .name = "encoder.rel_embeddings",
            .label = "Distance embedding",
            .symbol = "E_dist",
            .meaning = rows_meaning,
            .weight = {Expr(2) * to_one_side, Symbol::dim}};
}

Extra matrix(std::string_view name, std::vector<Expr> bias) {
    return {.place = Extra::Place::attention,
            .name = "attention.self." + std::string(name),
            .label = "Distance projection",
            .symbol = "W_dist",
            .meaning = matrix_meaning,
            .weight = {Expr(Symbol::heads) * Symbol::head_dim, Symbol::dim},
            .bias = std::move(bias),
            .in_layers = true};
}

const Expr columns = Expr(Symbol::heads) * Symbol::head_dim;

void read_common(ConfigReader& reader, Architecture& arch) {
    if (!reader.flag({"position_biased_input"}, true)) arch.positions = Positions::none;
    if (!reader.flag({"legacy"}, true) && arch.output == OutputKind::masked) {
        arch.tied = true;
        arch.head_bias = false;  // that one has a name of its own, and is besides
    }
    reader.carry("legacy");
    if (reader.flag({"talking_head"}, false))
        reader.reject("talking_head", "scores that heads mix are not known here", "set it to false");
    if (reader.number({"embedding_size"}, arch.dim) != arch.dim)
        reader.reject("embedding_size", "a matrix before the norm of the embedding is not known here",
                      "give hidden_size, " + grouped(arch.dim));
}

void write_common(nlohmann::ordered_json& config, const Architecture& arch) {
    config["position_biased_input"] = arch.positions != Positions::none;
}

void compute(ComputationReader& reader, Computation&) {
    if (!reader.flag("legacy", true))
        reader.reject("legacy", "a head under other names is counted, and not computed here", "set it to true");
    if (reader.flag("relative_attention", false))
        reader.reject("relative_attention",
                      "scores of what a token is against where others stand are not computed here",
                      "count it, or set it to false");
}

// A head by other names, whose scores are made by the table itself ("legacy": false).
constexpr std::array<Module, 4> newer_head_modules{{
    {1, "lm_predictions", ModuleKind::container, {}, {}},
    {2, "lm_head", ModuleKind::container, {}, {}},
    {3, "dense", ModuleKind::linear, Part::head_transform, {}, {}, Part::output_head},
    {3, "LayerNorm", ModuleKind::norm, Part::head_norm, {}, {}, Part::output_head},
}};
void add_newer_head(const Architecture& arch, std::vector<Extra>& all) {
    Besides more(arch);
    if (arch.output != OutputKind::masked || more.flag("legacy", true)) return;
    all.push_back(
        more.in_model(Extra::Place::output).add("lm_predictions.lm_head.bias", {Symbol::vocab}).take().front());
}

template <FixedText name, std::size_t N>
constexpr auto modules_with(const std::array<Module, N>& self) {
    return join(bert_root_modules<name>("deberta"), bert_embedding_modules<name>, bert_encoder_modules<name>,
                std::array<Module, 2>{{
                    {5, "attention", ModuleKind::container, {}, joined_name<name, "Attention">},
                    {6, "self", ModuleKind::container, {}, "DisentangledSelfAttention"},
                }},
                self,
                std::array<Module, 4>{{
                    {6, "output", ModuleKind::container, {}, joined_name<name, "SelfOutput">},
                    {7, "dense", ModuleKind::linear, Part::attention_output, {}},
                    {7, "LayerNorm", ModuleKind::norm, Part::attention_output_norm, {}},
                    {7, "dropout", ModuleKind::stateless, {}, dropout_10},
                }},
                bert_feed_forward_modules<name>, newer_head_modules, bert_head_modules<name>);
}

constexpr auto first_modules = modules_with<"Deberta">(std::array<Module, 1>{{
    {7, "in_proj", ModuleKind::linear, {Part::query, Part::key, Part::value}, {}, {}, {}, {}, Fusing::by_group},
}});
constexpr std::array first_ignored =
    std::to_array<std::string_view>({"legacy", "max_relative_positions", "pooler_hidden_act", "pooler_hidden_size",
                                     "pos_att_type", "relative_attention"});
// Queries and values have biases, and keys none.
std::vector<Extra> first_besides(const Architecture& arch) {
    std::vector<Extra> all;
    for (const char* name : {"q_bias", "v_bias"})
        all.push_back({.place = Extra::Place::attention,
                       .name = std::string("attention.self.") + name,
                       .label = "Bias of queries or values",
                       .symbol = "b",
                       .meaning = "a number added to each output; not computed here",
                       .weight = {columns},
                       .alone = true,
                       .in_layers = true});
    add_newer_head(arch, all);
    const Relative relative(arch);
    if (!relative.there) return all;
    all.push_back(rows(relative.farthest));
    if (relative.content_to_position) all.push_back(matrix("pos_proj", {}));
    if (relative.position_to_content) all.push_back(matrix("pos_q_proj", {columns}));
    return all;
}
constexpr BertType first{
    .type = "deberta",
    .name = "DeBERTa",
    .modules = first_modules,
    .usual = {.vocab = 50265},
    .token_types = 0,
    .epsilon = 1e-7,
    .pools = false,
    .computing = {.rest =
                      [](ComputationReader& reader, Computation&) {
                          reader.reject("model_type",
                                        "biases of queries and values without one of keys are not computed here",
                                        "count it; a DeBERTa 2 without relative attention runs");
                      }},
    .ignored = first_ignored,
    .read_rest =
        [](ConfigReader& reader, Architecture& arch) {
            read_common(reader, arch);
            arch.layer.attention.qkv_bias = false;
        },
    .write_rest = write_common,
    .besides = first_besides};

constexpr auto second_modules = modules_with<"DebertaV2">(std::array<Module, 3>{{
    {7, "query_proj", ModuleKind::linear, Part::query, {}},
    {7, "key_proj", ModuleKind::linear, Part::key, {}},
    {7, "value_proj", ModuleKind::linear, Part::value, {}},
}});
constexpr std::array second_ignored =
    std::to_array<std::string_view>({"conv_act", "conv_groups", "conv_kernel_size", "legacy", "max_relative_positions",
                                     "norm_rel_ebd", "pooler_hidden_act", "pooler_hidden_size", "pos_att_type",
                                     "position_buckets", "relative_attention", "share_att_key"});
std::vector<Extra> second_besides(const Architecture& arch) {
    const nlohmann::json& carried = arch.carried.object();
    ConfigReader reader(carried);
    std::vector<Extra> all;
    const auto add_norm = [&](std::string_view name, std::string_view label) {
        all.push_back({.place = Extra::Place::norm,
                       .name = std::string(name),
                       .label = label,
                       .symbol = "g",
                       .meaning = "how much each channel counts after rescaling; not computed here",
                       .weight = {Symbol::dim},
                       .bias = {Symbol::dim}});
    };
    add_newer_head(arch, all);
    const Relative relative(arch);
    if (relative.there) {
        const auto ranges = reader.optional_number({"position_buckets"});
        all.push_back(rows(ranges ? Expr(*ranges) : relative.farthest));
        const bool own = !reader.flag({"share_att_key"}, false);
        if (own && relative.content_to_position) all.push_back(matrix("pos_key_proj", {columns}));
        if (own && relative.position_to_content) all.push_back(matrix("pos_query_proj", {columns}));
    }
    if (const nlohmann::json* norm = said(carried, "norm_rel_ebd");
        norm && norm->dump().find("layer_norm") != std::string::npos)
        add_norm("encoder.LayerNorm", "Norm of distances");
    if (const std::int64_t kernel = reader.optional_number({"conv_kernel_size"}).value_or(0); kernel > 0) {
        all.push_back({.place = Extra::Place::attention,
                       .name = "encoder.conv.conv",
                       .label = "Convolution",
                       .symbol = "C_1",
                       .meaning = "A convolution over the tokens beside the first layer; not computed here.",
                       .weight = {Symbol::dim, Expr(Symbol::dim) / reader.number({"conv_groups"}, 1), kernel},
                       .bias = {Symbol::dim}});
        add_norm("encoder.conv.LayerNorm", "Norm behind the convolution");
    }
    return all;
}
constexpr BertType second{.type = "deberta-v2",
                          .name = "DeBERTa 2",
                          .modules = second_modules,
                          .usual = {.dim = 1536, .layers = 24, .heads = 24, .ffn_dim = 6144, .vocab = 128100},
                          .token_types = 0,
                          .epsilon = 1e-7,
                          .pools = false,
                          .computing = {.rest =
                                            [](ComputationReader& reader, Computation& computation) {
                                                compute(reader, computation);
                                                if (reader.number("conv_kernel_size", 0) > 0)
                                                    reader.reject("conv_kernel_size",
                                                                  "a convolution over tokens is not computed here",
                                                                  "count it, or set it to 0");
                                            }},
                          .ignored = second_ignored,
                          .read_rest =
                              [](ConfigReader& reader, Architecture& arch) {
                                  read_common(reader, arch);
                                  carry_number(reader, "conv_kernel_size", 0, 0);
                                  carry_number(reader, "conv_groups", 1);
                              },
                          .write_rest = write_common,
                          .besides = second_besides};

}  // namespace deberta

constexpr Family deberta_family = bert_like<deberta_family, deberta::first>();
constexpr Family deberta_v2_family = bert_like<deberta_v2_family, deberta::second>();

}  // namespace headcount
