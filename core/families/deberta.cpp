// DeBERTa, its second version and its third, which is the second in its files (He et al. 2021; He et al. 2023): what a
// token is and how far it lies from another are compared apart (transformers, modeling_deberta.py,
// modeling_deberta_v2.py). Without relative attention they are BERT.
#include <cmath>
#include <string>
#include <string_view>

#include "core/base/text.hpp"
#include "core/families/bert_like.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace deberta {

// What a file says of relative attention.
struct Relative {
    bool there = false;
    std::int64_t kinds = 0;  // that are said, known or not
    bool content_to_position = false, position_to_content = false;
    std::optional<std::int64_t> farthest = {};  // tokens to either side that have a row; absent: the context

    explicit Relative(const Architecture& arch) {
        const nlohmann::json& carried = arch.carried.object();
        ConfigReader reader(carried);
        there = reader.flag({"relative_attention"}, false);
        farthest = reader.optional_number({"max_relative_positions"});
        const auto add = [&](std::string_view kind) {
            ++kinds;
            content_to_position = content_to_position || kind == "c2p";
            position_to_content = position_to_content || kind == "p2c";
        };
        const nlohmann::json* const all = said(carried, "pos_att_type");  // "c2p|p2c", or a list
        if (all && all->is_string()) {
            std::string text = lower(all->get_ref<const std::string&>());
            std::erase(text, ' ');
            for (std::size_t from = 0, end = 0; end != std::string::npos; from = end + 1) {
                end = text.find('|', from);
                add(std::string_view(text).substr(from, end - from));
            }
        }
        if (all && all->is_array())
            for (const nlohmann::json& kind : *all)
                if (kind.is_string()) add(kind.get_ref<const std::string&>());
    }

    bool compared() const { return there && (content_to_position || position_to_content); }
    Expr to_one_side() const { return farthest ? Expr(*farthest) : Expr(Symbol::context); }
    DistanceTable table(const Expr& rows_to_one_side) const {
        return {.rows = Expr(2) * rows_to_one_side, .keys = content_to_position, .queries = position_to_content};
    }
    // Scores are scaled as the sum of so many products beside that of queries with keys.
    void scale(const Architecture& arch, std::int64_t products, Computation& computation) const {
        const auto columns = static_cast<double>(bindings(arch, Input{})[Symbol::head_dim].value_or(1));
        computation.score_terms = 1 + products;
        computation.score_scale = 1 / std::sqrt(columns * static_cast<double>(1 + products));
        computation.relative_distance = 0;
    }
};

// A table that nothing is made of.
Extra idle_rows(const Expr& to_one_side) {
    return {.component = Component::attention,
            .name = "encoder.rel_embeddings",
            .label = "Distance embedding",
            .symbol = "E_dist",
            .meaning = "One row of {d} numbers for each distance, or range of distances, to either side; not read.",
            .weight = {Expr(2) * to_one_side, Symbol::dim}};
}

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

void compute(ComputationReader& reader) {
    if (!reader.flag("legacy", true))
        reader.reject("legacy", "a head under other names is counted, and not computed here", "set it to true");
}

// A head by other names, whose scores are made by the table itself ("legacy": false).
constexpr auto newer_head_modules = std::to_array<Module>({
    {1, "lm_predictions", ModuleKind::container, {}, {}},
    {2, "lm_head", ModuleKind::container, {}, {}},
    {3, "dense", ModuleKind::linear, Part::head_transform, {}, {}, Part::output_head},
    {3, "LayerNorm", ModuleKind::norm, Part::head_norm, {}, {}, Part::output_head},
});
void add_newer_head(const Architecture& arch, std::vector<Extra>& all) {
    Besides more(arch);
    if (arch.output != OutputKind::masked || more.flag("legacy", true)) return;
    all.push_back(more.in_model(Component::output).add("lm_predictions.lm_head.bias", {Symbol::vocab}).take().front());
}

constexpr auto distance_modules = std::to_array<Module>({
    {3, "rel_embeddings", ModuleKind::embedding, Part::relative_rows, {}},
    {3, "LayerNorm", ModuleKind::norm, Part::relative_norm, {}},
    {3, "conv", ModuleKind::container, {}, "ConvLayer", Part::convolution},
    {4, "conv", ModuleKind::over_time, Part::convolution, {}},
    {4, "LayerNorm", ModuleKind::norm, Part::convolution_norm, {}},
});

template <FixedText name, std::size_t N>
constexpr auto modules_with(const std::array<Module, N>& self) {
    return join(bert_root_modules<name>("deberta"), bert_embedding_modules<name>, bert_encoder_modules<name>,
                std::to_array<Module>({
                    {5, "attention", ModuleKind::container, {}, joined_name<name, "Attention">},
                    {6, "self", ModuleKind::container, {}, "DisentangledSelfAttention"},
                }),
                self, bert_self_output_modules<name>, bert_feed_forward_modules<name>, distance_modules,
                newer_head_modules, bert_head_modules<name>);
}

// Queries and values have biases, and keys none.
constexpr auto first_modules = modules_with<"Deberta">(std::to_array<Module>({
    {7, "q_bias", ModuleKind::bare_bias, Part::query, {}},
    {7, "v_bias", ModuleKind::bare_bias, Part::value, {}},
    {7, "in_proj", ModuleKind::linear, {Part::query, Part::key, Part::value}, {}, {}, {}, {}, Fusing::by_group},
    {7, "pos_proj", ModuleKind::linear, Part::relative_key, {}},
    {7, "pos_q_proj", ModuleKind::linear, Part::relative_query, {}},
}));
std::vector<Extra> first_besides(const Architecture& arch) {
    std::vector<Extra> all;
    add_newer_head(arch, all);
    const Relative relative(arch);
    if (relative.there && !relative.compared()) all.push_back(idle_rows(relative.to_one_side()));
    return all;
}
std::optional<DistanceTable> first_distances(const Architecture& arch) {
    const Relative relative(arch);
    if (!relative.compared()) return std::nullopt;
    return relative.table(relative.to_one_side());
}
constexpr BertType first{
    .called = {"deberta", "DeBERTa", first_modules},
    .usual = {.vocab = 50265},
    .token_types = 0,
    .epsilon = 1e-7,
    .pools = false,
    .computing = {.rest =
                      [](ComputationReader& reader, Computation& computation) {
                          compute(reader);
                          const Relative relative(reader.arch());
                          relative.scale(reader.arch(), relative.kinds, computation);
                      }},
    .ignored = "legacy max_relative_positions pooler_hidden_act pooler_hidden_size pos_att_type relative_attention",
    .own = {[](ConfigReader& reader, Architecture& arch) {
                read_common(reader, arch);
                arch.layer.attention.key_bias = false;
            },
            write_common},
    .besides = first_besides,
    .distances = first_distances};

constexpr auto second_modules = modules_with<"DebertaV2">(std::to_array<Module>({
    {7, "query_proj", ModuleKind::linear, Part::query, {}},
    {7, "key_proj", ModuleKind::linear, Part::key, {}},
    {7, "value_proj", ModuleKind::linear, Part::value, {}},
    {7, "pos_key_proj", ModuleKind::linear, Part::relative_key, {}},
    {7, "pos_query_proj", ModuleKind::linear, Part::relative_query, {}},
}));
// Distances beyond half as many as there are ranges share those.
std::optional<std::int64_t> ranges_of(const Architecture& arch) {
    return ConfigReader(arch.carried.object()).optional_number({"position_buckets"});
}
Expr second_rows(const Architecture& arch, const Relative& relative) {
    const auto ranges = ranges_of(arch);
    return ranges ? Expr(*ranges) : relative.to_one_side();
}
bool norms_rows(const Architecture& arch) {
    const nlohmann::json* const norm = said(arch.carried.object(), "norm_rel_ebd");
    return norm && norm->dump().find("layer_norm") != std::string::npos;
}
std::optional<DistanceTable> second_distances(const Architecture& arch) {
    const Relative relative(arch);
    if (!relative.compared()) return std::nullopt;
    DistanceTable table = relative.table(second_rows(arch, relative));
    table.normed = norms_rows(arch);
    table.shared = ConfigReader(arch.carried.object()).flag({"share_att_key"}, false);
    table.key_bias = true;
    return table;
}

struct ConvolutionFields {
    std::int64_t kernel, groups;

    explicit ConvolutionFields(const Architecture& arch) {
        ConfigReader reader(arch.carried.object());
        kernel = reader.optional_number({"conv_kernel_size"}).value_or(0);
        groups = reader.number({"conv_groups"}, 1);
    }
    // Others have as many rows as they read, or cannot be multiplied as one matrix.
    bool computed() const { return kernel % 2 == 1 && groups == 1; }
};
std::optional<FirstConvolution> second_convolution(const Architecture& arch) {
    const ConvolutionFields fields(arch);
    if (!fields.computed()) return std::nullopt;
    ConfigReader reader(arch.carried.object());
    return FirstConvolution{fields.kernel, read_activation(reader, {"conv_act"}, "tanh")};
}

std::vector<Extra> second_besides(const Architecture& arch) {
    std::vector<Extra> all;
    const auto add_norm = [&](std::string_view name, std::string_view label) {
        all.push_back({.component = Component::norm,
                       .name = std::string(name),
                       .label = label,
                       .symbol = "g",
                       .meaning = "how much each channel counts after rescaling; not computed here",
                       .weight = {Symbol::dim},
                       .bias = {Symbol::dim}});
    };
    add_newer_head(arch, all);
    const Relative relative(arch);
    if (relative.there && !relative.compared()) all.push_back(idle_rows(second_rows(arch, relative)));
    if (norms_rows(arch) && !relative.compared()) add_norm("encoder.LayerNorm", "Norm of distances");
    const ConvolutionFields fields(arch);
    if (fields.kernel > 0 && !fields.computed()) {
        all.push_back({.component = Component::attention,
                       .name = "encoder.conv.conv",
                       .label = "Convolution",
                       .symbol = "C_1",
                       .meaning = "A convolution over the tokens beside the first layer; not computed here.",
                       .weight = {Symbol::dim, Expr(Symbol::dim) / fields.groups, fields.kernel},
                       .bias = {Symbol::dim}});
        add_norm("encoder.conv.LayerNorm", "Norm behind the convolution");
    }
    return all;
}

void compute_second(ComputationReader& reader, Computation& computation) {
    compute(reader);
    const Architecture& arch = reader.arch();
    const Relative relative(arch);
    relative.scale(arch, (relative.content_to_position ? 1 : 0) + (relative.position_to_content ? 1 : 0), computation);
    const ConvolutionFields fields(arch);
    if (fields.kernel > 0 && !fields.computed())
        reader.reject("conv_kernel_size",
                      "a convolution in groups, or over an even number of tokens, is not computed here",
                      "count it, or set conv_groups to 1 and conv_kernel_size to 3");
    if (fields.kernel > 0) reader.activation("conv_act", "tanh");
    const std::int64_t ranges = relative.compared() ? ranges_of(arch).value_or(0) : 0;
    if (ranges == 0) return;
    computation.relative_distance = relative.farthest.value_or(arch.context);
    if (ranges < 4 || computation.relative_distance - 1 <= ranges / 2)
        reader.reject(
            "position_buckets",
            grouped(ranges) + " ranges do not grow up to " + grouped(computation.relative_distance) + " tokens",
            "give 4 or more, and less than twice max_relative_positions");
}

constexpr BertType second{
    .called = {"deberta-v2", "DeBERTa 2", second_modules},
    .usual = {.dim = 1536, .layers = 24, .heads = 24, .ffn_dim = 6144, .vocab = 128100},
    .token_types = 0,
    .epsilon = 1e-7,
    .pools = false,
    .computing = {.rest = compute_second},
    .ignored =
        "conv_act conv_groups conv_kernel_size legacy max_relative_positions norm_rel_ebd pooler_hidden_act "
        "pooler_hidden_size pos_att_type position_buckets relative_attention share_att_key",
    .own = {[](ConfigReader& reader, Architecture& arch) {
                read_common(reader, arch);
                carry_number(reader, "conv_kernel_size", 0, 0);
                carry_number(reader, "conv_groups", 1);
            },
            write_common},
    .besides = second_besides,
    .distances = second_distances,
    .convolution = second_convolution};

}  // namespace deberta

constexpr Family deberta_family = bert_like<deberta::first>();
constexpr Family deberta_v2_family = bert_like<deberta::second>();

}  // namespace headcount
