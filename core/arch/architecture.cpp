// What follows from an architecture's choices: derived dimensions and names.
#include "core/arch/architecture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/arch/computation.hpp"
#include "core/base/checked.hpp"

namespace headcount {
namespace {

constexpr std::array<PrecisionInfo, 5> precision_table{{
    {Precision::fp32, "fp32", 32},
    {Precision::bf16, "bf16", 16},
    {Precision::fp16, "fp16", 16},
    {Precision::int8, "int8", 8},
    {Precision::int4, "int4", 4},
}};

static_assert(in_order(precision_table, &PrecisionInfo::precision),
              "info() looks precisions up by their place in the table");

// Whether a field is there that scales scores in some family: asking the family costs more.
bool may_scale_scores(const Carried& carried) {
    constexpr std::array at_the_top =
        std::to_array<std::string_view>({"attention_multiplier", "query_pre_attn_scalar", "scale_attn_weights"});
    constexpr std::array inside = std::to_array<std::string_view>({"\"mscale_all_dim\"", "\"softmax_scale\""});
    const auto scales = [&](const Carried::Field& field) {
        const auto holds = [&](std::string_view name) { return field.second.find(name) != std::string::npos; };
        return std::find(at_the_top.begin(), at_the_top.end(), field.first) != at_the_top.end() ||
               std::any_of(inside.begin(), inside.end(), holds);
    };
    return std::any_of(carried.fields().begin(), carried.fields().end(), scales);
}

}  // namespace

std::span<const PrecisionInfo> precisions() {
    return precision_table;
}
const PrecisionInfo& info(Precision precision) {
    return precision_table[static_cast<std::size_t>(precision)];
}

std::int64_t kv_heads(const Architecture& arch) {
    if (arch.layer.attention.latent) return arch.layer.attention.heads;
    return arch.layer.attention.kv_heads.value_or(arch.layer.attention.heads);
}

bool rotates(const Architecture& arch) {
    return arch.positions == Positions::rope && arch.layer.attention.rotated.count(arch.layers) > 0;
}

std::optional<double> own_score_scale(const Architecture& arch) {
    if (!arch.family || !may_scale_scores(arch.carried)) return std::nullopt;
    const std::optional<std::int64_t> head_dim = bindings(arch, Input{})[Symbol::head_dim];
    const Result<Computation> computation = computation_of(arch);
    if (!computation || !head_dim) return std::nullopt;
    const bool usual = std::abs(computation->score_scale - 1 / std::sqrt(static_cast<double>(*head_dim))) <= 1e-9;
    return usual ? std::nullopt : std::optional(computation->score_scale);
}

Expr head_dim_rule(const Architecture& arch) {
    if (arch.layer.attention.latent) return Expr(Symbol::nope_dim) + Symbol::rope_dim;
    if (arch.layer.attention.head_dim) return *arch.layer.attention.head_dim;
    return Expr(Symbol::dim) / Symbol::heads;
}

Expr ffn_dim_rule(const Architecture& arch) {
    const auto& width = arch.layer.feed_forward.width;
    if (const auto* given = std::get_if<std::int64_t>(&width)) return *given;
    const MetaRule& rule = std::get<MetaRule>(width);
    Expr hidden = Expr(2) * 4 * Symbol::dim / 3;
    return ceil_to(Expr(rule.multiplier.numerator) * hidden / rule.multiplier.denominator, rule.multiple_of);
}

Bindings bindings(const Architecture& arch, const Input& input) {
    Bindings values;
    values.set(Symbol::dim, arch.dim);
    values.set(Symbol::layers, arch.layers);
    values.set(Symbol::heads, arch.layer.attention.heads);
    values.set(Symbol::kv_heads, kv_heads(arch));
    values.set(Symbol::vocab, arch.vocab);
    values.set(Symbol::context, arch.context);
    values.set(Symbol::tokens, input.tokens);
    values.set(Symbol::batch, input.batch);
    values.set(Symbol::cached, input.cached);
    const Attention& attention = arch.layer.attention;
    if (attention.window) values.set(Symbol::window, attention.window->size);
    if (attention.latent) {
        if (attention.latent->query_rank) values.set(Symbol::query_rank, *attention.latent->query_rank);
        values.set(Symbol::kv_rank, attention.latent->kv_rank);
        values.set(Symbol::rope_dim, attention.latent->rope_dim);
        values.set(Symbol::nope_dim, attention.latent->nope_dim);
        values.set(Symbol::value_dim, attention.latent->value_dim);
    }
    if (const std::optional<Mixture>& mixture = arch.layer.mixture) {
        values.set(Symbol::experts, mixture->experts);
        values.set(Symbol::experts_per_token, mixture->experts_per_token);
        values.set(Symbol::expert_dim, mixture->expert_dim);
        values.set(Symbol::shared_experts, mixture->shared_experts);
    }
    values.set(Symbol::embedding_dim, arch.embedding_dim.value_or(arch.dim));
    if (Result<std::int64_t> head_dim = evaluate(head_dim_rule(arch), values)) values.set(Symbol::head_dim, *head_dim);
    if (Result<std::int64_t> ffn_dim = evaluate(ffn_dim_rule(arch), values)) values.set(Symbol::ffn_dim, *ffn_dim);
    return values;
}

std::string_view feed_forward_name(const DenseFeedForward& feed_forward) {
    const ActivationInfo& about = info(feed_forward.activation);
    return feed_forward.gated ? about.gated : about.function;
}

}  // namespace headcount
