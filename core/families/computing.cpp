// Reads from an architecture's carried fields what its model computes beside its shapes.
#include "core/families/computing.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/base/text.hpp"
#include "core/families/rope_fields.hpp"

namespace headcount {
namespace {

// slope of the first of `heads` heads, which is its power for the others: 2^(-8 / heads).
double first_slope(double heads) { return std::exp2(-8 / heads); }

// The slopes of ALiBi as Press et al. 2022 set them, for up to so many heads (BLOOM and Falcon).
std::vector<double> alibi_slopes(std::int64_t heads) {
    std::vector<double> slopes;
    const auto all = static_cast<std::uint64_t>(std::clamp<std::int64_t>(heads, 1, most_slopes));
    const auto power_of_two = static_cast<double>(std::bit_floor(all));
    for (double head = 1; head <= power_of_two; ++head) slopes.push_back(std::pow(first_slope(power_of_two), head));
    // The others between those: every other one of twice as many.
    for (double head = 1; slopes.size() < all; head += 2)
        slopes.push_back(std::pow(first_slope(2 * power_of_two), head));
    return slopes;
}

}  // namespace

ComputationReader::ComputationReader(const Architecture& arch)
    : arch_(arch), json_(arch.carried.object()), fields_(json_) {}

bool ComputationReader::flag(std::string_view name, bool otherwise) {
    const auto found = json_.find(name);
    if (found != json_.end() && found->is_number()) return *found != 0;
    return fields_.flag({name}, otherwise);
}

std::optional<double> ComputationReader::cap(std::string_view name, double otherwise) {
    if (json_.contains(name)) return fields_.positive({name});  // null: none
    return otherwise > 0 ? std::optional(otherwise) : std::nullopt;
}

void ComputationReader::keep(const Error& error) { reject(error.where, error.what, error.fix); }

void ComputationReader::read_ropes(const ComputationType& type, Computation& computation) {
    if (arch_.positions != Positions::rope) return;
    RopeFields fields{
        .config = json_, .arch = arch_, .base_field = type.rope_base_field, .base_otherwise = type.rope_base};
    if (type.windowed_apart) fields.layer_kind = "full_attention";
    computation.rope.base = type.rope_base;  // where the file's own is refused
    computation.rope.pairs = type.pairs;
    const Result<Rope> rope = read_rope(fields);
    if (!rope) return keep(rope.error());
    computation.rope = *rope;
    computation.rope.pairs = type.pairs;
    if (!type.windowed_apart) return;
    fields.layer_kind = "sliding_attention";
    fields.scaled = false;
    if (type.windowed_base) {
        fields.base_field = type.windowed_base_field;
        fields.base_otherwise = *type.windowed_base;
    }
    const Result<Rope> windowed = read_rope(fields);
    if (!windowed) return keep(windowed.error());
    computation.windowed_rope = *windowed;
    computation.windowed_rope->pairs = type.pairs;
}

void ComputationReader::read_score_scale(const ComputationType& type, Computation& computation) {
    const std::int64_t head_dim = bindings(arch_, Input{})[Symbol::head_dim].value_or(1);
    computation.score_scale = 1 / std::sqrt(static_cast<double>(head_dim));
    if (!type.score_scalar.empty())
        computation.score_scale = 1 / std::sqrt(positive(type.score_scalar, type.score_scalar_otherwise));
    if (type.granite) computation.score_scale = positive("attention_multiplier", 1);
    if (type.yarn_scores) computation.score_scale *= read_score_sharpening(json_).value_or(1);
}

void ComputationReader::read_routing(const ComputationType& type, Routing& routing) {
    if (type.normalizes)
        routing.normalized =
            flag(json_.contains("moe_renormalize") ? "moe_renormalize" : "norm_topk_prob", type.routing.normalized);
    if (!type.routing_scale_field.empty()) routing.scaling = positive(type.routing_scale_field, type.routing.scaling);
    if (!type.grouped) return;
    const std::int64_t groups = fields_.number({"n_group", "num_expert_group"}, type.routing.groups);
    const std::int64_t used = number("topk_group", type.routing.groups_used);
    if (!arch_.layer.mixture) return;
    const std::int64_t experts = arch_.layer.mixture->experts;
    routing.groups = routing.groups_used = 1;  // where the file's own are refused
    if (experts % groups != 0)
        return reject("n_group", grouped(groups) + " groups do not divide " + grouped(experts) + " experts",
                      "give a number that does, or as many experts as it divides, such as " +
                          grouped((experts / groups + 1) * groups));
    if (used > groups)
        return reject("topk_group", "there are not " + grouped(used) + " groups of experts",
                      "give at most " + grouped(groups));
    routing.groups = groups;
    routing.groups_used = used;
}

Computation ComputationReader::read(const ComputationType& type) {
    Computation computation;
    read_ropes(type, computation);
    read_score_scale(type, computation);
    if (type.root_embedding_scale) computation.embedding_scale = std::sqrt(static_cast<double>(arch_.dim));
    computation.norm_offset = type.norm_offset;
    computation.index_heads = type.index_heads;
    if (type.logit_scale) computation.logit_scale = positive("logit_scale", *type.logit_scale);
    if (type.granite) {
        computation.embedding_scale = positive("embedding_multiplier", 1);
        computation.residual_scale = positive("residual_multiplier", 1);
        computation.logit_scale = 1 / positive("logits_scaling", 1);
    }
    if (type.score_cap) computation.score_soft_cap = cap("attn_logit_softcapping", *type.score_cap);
    if (type.logit_cap) computation.logit_soft_cap = cap("final_logit_softcapping", *type.logit_cap);
    computation.head_activation = type.head_activation;
    if (type.clips) computation.clip_qkv = cap("clip_qkv", 0);
    if (arch_.layer.mixture) computation.routing = type.routing;
    read_routing(type, computation.routing);
    // A model that was edited to have them; published ones say how theirs are.
    if (arch_.positions == Positions::alibi) computation.alibi = Alibi{alibi_slopes(arch_.layer.attention.heads)};
    if (const std::optional<Indexer>& indexer = arch_.layer.attention.indexer; indexer && !indexer->layers.contains(0))
        reject("indexer_types", "the first layer has no heads that choose keys, and none before it has chosen any",
               "let the first be full");
    return computation;
}

Computation ComputationReader::finish(Computation computation) const {
    computation.refused = fields_.error();
    const std::int64_t heads = arch_.layer.attention.heads;
    if (!computation.alibi || static_cast<std::int64_t>(computation.alibi->slopes.size()) == heads) return computation;
    computation.alibi.reset();
    if (!computation.refused)
        computation.refused = Error{grouped(heads) + " heads are more than ALiBi's slopes are made for", "heads",
                                    "take at most " + grouped(most_slopes)};
    return computation;
}

Computation compute(const Architecture& arch, const ComputationType& type) {
    ComputationReader reader(arch);
    Computation computation = reader.read(type);
    if (!type.refused.empty())
        reader.reject("model_type", std::string(type.refused) + " are not computed here",
                      "count it, or run a model of another type");
    if (type.rest) type.rest(reader, computation);
    return reader.finish(std::move(computation));
}

}  // namespace headcount
