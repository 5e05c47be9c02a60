// Steps that keep an architecture possible.
#include "core/analysis/steps.hpp"

#include <numeric>

#include "core/base/checked.hpp"

namespace headcount {
namespace {

// What published widths are multiples of: what matrix units are fast with.
std::int64_t usual_multiple(Field field) {
    switch (field) {
        case Field::ffn_dim:
            return 256;
        case Field::dim:
        case Field::embedding_dim:
        case Field::expert_dim:
        case Field::vocab:
        case Field::context:
        case Field::window:
            return 128;
        case Field::kv_rank:
        case Field::query_rank:
            return 64;
        case Field::ffn_multiple_of:
            return 32;
        case Field::head_dim:
        case Field::nope_dim:
        case Field::value_dim:
            return 16;
        case Field::rotary_dim:
        case Field::rope_dim:
            return 2;
        default:
            return 1;
    }
}

constexpr std::int64_t furthest = 1024;  // multiples away

// What the field can be at most beside the others.
std::int64_t most_of(const Architecture& arch, Field field) {
    switch (field) {
        case Field::heads:
            return arch.layer.attention.head_dim || arch.layer.attention.latent ? INT64_MAX : arch.dim;
        case Field::kv_heads:
            return arch.layer.attention.heads;
        case Field::experts_per_token:
            return arch.layer.mixture ? arch.layer.mixture->experts : 1;
        case Field::rotary_dim:
            return bindings(arch, Input{})[Symbol::head_dim].value_or(1);
        default:
            return INT64_MAX;
    }
}

}  // namespace

std::int64_t kept_multiple(Field field, std::int64_t value) {
    return value < 1 ? 1 : std::gcd(value, usual_multiple(field));
}

std::optional<Architecture> with_number(const Architecture& arch, Field field, std::int64_t value) {
    if (value < info(field).least) return std::nullopt;
    Result<Architecture> changed = with_field(arch, field, std::to_string(value));
    return changed ? std::optional(std::move(*changed)) : std::nullopt;
}

std::optional<std::int64_t> next_possible(const PointMaker& maker, const Architecture& arch, Field field,
                                          std::int64_t multiple, bool up) {
    const std::optional<std::int64_t> now = field_number(arch, field);
    if (!now || !checked_add(*now, multiple)) return std::nullopt;
    const std::int64_t most = up ? most_of(arch, field) : INT64_MAX;
    const std::int64_t first = up ? *now / multiple + 1 : (*now + multiple - 1) / multiple - 1;
    for (std::int64_t i = 0; i < furthest; ++i) {
        const std::optional<std::int64_t> place = checked_add(first, up ? i : -i);
        const std::optional<std::int64_t> value = place ? checked_multiply(*place, multiple) : std::nullopt;
        if (!value || *value < info(field).least || *value > most) return std::nullopt;
        const std::optional<Architecture> changed = with_number(arch, field, *value);
        if (changed && !maker.refusal(*changed)) return value;
    }
    return std::nullopt;
}

}  // namespace headcount
