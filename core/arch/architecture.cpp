// What follows from an architecture's choices: derived dimensions and names.
#include "core/arch/architecture.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/arch/family.hpp"
#include "core/arch/layers.hpp"
#include "core/arch/rules.hpp"
#include "core/base/json_file.hpp"

namespace headcount {
namespace {

std::shared_ptr<const nlohmann::json> object_of(const std::vector<Carried::Field>& fields) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [name, text] : fields) {
        nlohmann::json value = parsed_again(text);
        if (!value.is_discarded()) object[name] = std::move(value);
    }
    return std::make_shared<const nlohmann::json>(std::move(object));
}

bool has_some(const Architecture& arch, bool LayerKind::*trait) {
    const std::int64_t different = std::min(arch.layers, pattern_length(arch));
    const LayerKinds kinds(arch);
    for (std::int64_t layer = 0; layer < different; ++layer)
        if (kinds[layer].*trait) return true;
    return false;
}

}  // namespace

Carried::Carried(std::vector<Field> fields) {
    if (fields.empty()) return;
    std::shared_ptr<const nlohmann::json> object = object_of(fields);
    kept_ = std::make_shared<const Kept>(Kept{std::move(fields), std::move(object)});
}

Carried carried_from(const nlohmann::json& object) {
    std::vector<Carried::Field> fields;
    for (const auto& [key, value] : object.items())
        fields.emplace_back(key, value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return Carried(std::move(fields));
}

const Carried::Kept& Carried::kept() const {
    static const Kept nothing{{}, object_of({})};
    return kept_ ? *kept_ : nothing;
}

const std::string* Carried::find(std::string_view name) const {
    for (const auto& [key, value] : fields())
        if (key == name) return &value;
    return nullptr;
}

Carried Carried::with(std::string name, const nlohmann::json& value) const {
    std::vector<Field> more = fields();
    more.emplace_back(std::move(name), value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    std::ranges::sort(more);
    return Carried(std::move(more));
}

std::int64_t kv_heads(const Architecture& arch) {
    if (arch.layer.attention.latent) return arch.layer.attention.heads;
    return arch.layer.attention.kv_heads.value_or(arch.layer.attention.heads);
}

bool rotates(const Architecture& arch) {
    return arch.positions == Positions::rope && arch.layer.attention.rotated.count(arch.layers) > 0;
}

bool attends(const Architecture& arch) {
    if (arch.family && arch.family->shared && arch.family->shared(arch)) return true;
    const std::optional<Recurrence>& recurrence = arch.layer.recurrence;
    if (!recurrence || recurrence->beside_attention) return arch.layer.mixer_layers.count(arch.layers) > 0;
    return has_some(arch, &LayerKind::attention);
}

bool recurs(const Architecture& arch) { return arch.layer.recurrence && has_some(arch, &LayerKind::recurrent); }

bool has_position_table(const Architecture& arch) {
    return arch.positions == Positions::learned || arch.positions == Positions::learned_relative ||
           arch.positions == Positions::sinusoidal;
}

bool scores_distances(const Architecture& arch) {
    const bool relative = arch.positions == Positions::relative || arch.positions == Positions::learned_relative;
    return relative && attends(arch);
}

bool sees_all(const Architecture& arch) { return arch.layer.attention.mask == AttentionMask::full; }

bool generates(const Architecture& arch) { return arch.output == OutputKind::language && !sees_all(arch); }

bool has_head(const Architecture& arch) {
    return arch.output == OutputKind::language || arch.output == OutputKind::masked ||
           arch.output == OutputKind::classes;
}

bool reads_numbers(const Architecture& arch) { return arch.patches || (arch.sound && !arch.encoder); }

std::int64_t most_tokens(const Architecture& arch) {
    return arch.patches ? bindings(arch, Input{})[Symbol::tokens].value_or(0) : arch.context;
}

std::int64_t most_source(const Architecture& arch) {
    return arch.encoder ? arch.encoder->context.value_or(arch.context) : arch.context;
}

Expr patch_count(const Architecture& arch) {
    const auto along = [&](Symbol side) -> Expr {
        if (!arch.patches->stride) return floor_of(side, Symbol::patch);
        return floor_of(Expr(side) - Symbol::patch, *arch.patches->stride) + 1;
    };
    return along(Symbol::image_height) * along(Symbol::image_width);
}

Expr moments_of(const Sound& sound, Expr rows, std::size_t behind) {
    for (std::size_t i = sound.convolutions.size(); i-- > behind;) {
        const Convolution& each = sound.convolutions[i];
        // Between zeros each row has as many as the stride has: 3,000 for 1,500 rows.
        rows = sound.padded ? Expr(each.stride) * std::move(rows)
                            : Expr(each.stride) * (std::move(rows) - 1) + each.kernel;
    }
    return rows;
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

std::optional<Expr> rule_of(const Architecture& arch, Symbol symbol) {
    const auto own = [](const std::optional<std::int64_t>& given, Symbol otherwise) {
        return given ? Expr(*given) : Expr(otherwise);
    };
    const std::optional<Mixture>& mixture = arch.layer.mixture;
    switch (symbol) {
        case Symbol::kv_heads:
            return own(arch.layer.attention.latent ? std::nullopt : arch.layer.attention.kv_heads, Symbol::heads);
        case Symbol::head_dim: return head_dim_rule(arch);
        case Symbol::ffn_dim: return ffn_dim_rule(arch);
        case Symbol::embedding_dim: return own(arch.embedding_dim, Symbol::dim);
        case Symbol::transform_dim: return own(arch.transform_dim, Symbol::embedding_dim);
        case Symbol::shared_dim:
            return mixture ? std::optional(own(mixture->shared_dim, Symbol::expert_dim)) : std::nullopt;
        case Symbol::encoder_ffn_dim:
            return arch.encoder ? std::optional(own(arch.encoder->ffn_dim, Symbol::ffn_dim)) : std::nullopt;
        case Symbol::encoder_vocab:
            return arch.encoder ? std::optional(own(arch.encoder->vocab, Symbol::vocab)) : std::nullopt;
        case Symbol::encoder_context:
            return arch.encoder ? std::optional(own(arch.encoder->context, Symbol::context)) : std::nullopt;
        case Symbol::source:  // sound is as long as its positions are, whatever is in it
            return arch.encoder && arch.sound && has_position_table(arch) ? std::optional<Expr>(Symbol::encoder_context)
                                                                          : std::nullopt;
        default: return std::nullopt;
    }
}

std::int32_t decoder_start(const Architecture& arch) {
    const nlohmann::json& said = arch.carried.object();
    for (const char* field : {"decoder_start_token_id", "pad_token_id"})
        if (const auto found = said.find(field); found != said.end() && found->is_number_unsigned())
            if (const auto id = found->get<std::uint64_t>(); id < static_cast<std::uint64_t>(arch.vocab))
                return static_cast<std::int32_t>(id);
    return 0;
}

void bind_experts_read(Bindings& values, double times) {
    if (values[Symbol::experts].value_or(0) < 1) return;
    const auto number = [&](Symbol symbol) { return static_cast<double>(*values[symbol]); };
    const double experts = number(Symbol::experts), missed = 1 - number(Symbol::experts_per_token) / experts;
    const double tokens = times * number(Symbol::batch) * number(Symbol::tokens);
    constexpr double rounding = 1e-3;
    const double read = parts_of_expert * experts * (1 - std::pow(missed, tokens));
    values.set(Symbol::experts_read, static_cast<std::int64_t>(read + rounding));
}

std::string_view feed_forward_name(const DenseFeedForward& feed_forward) {
    const ActivationInfo& about = info(feed_forward.activation);
    return feed_forward.gated ? about.gated : about.function;
}

}  // namespace headcount
