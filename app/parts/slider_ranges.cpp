// The sliders' ranges; see the header for what is round and what fits.
#include "app/parts/slider_ranges.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace headcount {
namespace {

using Values = std::vector<std::int64_t>;

constexpr std::int64_t most_width = 32768, most_heads = 256, most_ffn = 131072, most_vocab = 524288;
constexpr std::int64_t most_context = 1048576, most_layers = 256, most_head_dim = 1024, most_read = 131072,
                       most_multiple = 8192;
constexpr std::int64_t most_experts = 512, most_shared = 16, most_rank = 8192, most_part = 512, most_window = 131072;
constexpr std::int64_t most_state_heads = 512, most_kernel = 16, most_types = 16;
constexpr std::int64_t most_pixels = 2048, most_patch = 64;
constexpr std::int64_t usual_step = 64;

// Multiples of `unit` whose multiplier has at most five significant bits: sixteen an octave, powers of two among them.
void add_round(Values& values, std::int64_t unit, std::int64_t most) {
    for (std::int64_t times = 1; times <= most / unit;) {
        values.push_back(unit * times);
        times += std::max<std::int64_t>(
            1, static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(times))) / 16);
    }
}

void insert(Values& values, std::int64_t value) {
    const auto at = std::lower_bound(values.begin(), values.end(), value);
    if (at == values.end() || *at != value) values.insert(at, value);
}

// Round values from `least` on, and the base's where it is among them.
void list_round(std::int64_t unit, std::int64_t least, std::int64_t most, std::optional<std::int64_t> base,
                Values& allowed) {
    add_round(allowed, unit, most);
    allowed.erase(allowed.begin(), std::lower_bound(allowed.begin(), allowed.end(), least));
    if (base && *base >= least && *base <= most) insert(allowed, *base);
}

// The head size that this width and these heads would give can be used.
bool head_size_fits(const Architecture& arch, std::int64_t dim, std::int64_t heads) {
    const Attention& attention = arch.layer.attention;
    if (attention.head_dim || attention.latent) return true;
    if (dim % heads != 0) return false;
    if (arch.positions != Positions::rope) return true;
    return attention.rotary_dim ? dim / heads >= *attention.rotary_dim : dim / heads % 2 == 0;
}

// A head is at least as wide as the part of it that is turned.
std::int64_t least_head(const Architecture& arch) {
    const std::int64_t turned = arch.layer.attention.rotary_dim.value_or(1);
    return arch.positions == Positions::rope && turned <= most_head_dim / 2 ? turned : 1;
}

void list_widths(const Architecture& arch, const Architecture& base, Values& allowed) {
    const std::int64_t heads = arch.layer.attention.heads;
    if (heads < 1 || heads > most_width / 2) return;
    constexpr std::int64_t coarsest = 2048;
    std::int64_t unit = usual_step;
    if (!arch.layer.attention.head_dim && !arch.layer.attention.latent) {
        const std::int64_t least = arch.positions == Positions::rope ? 2 * heads : heads;
        unit = std::lcm(least, usual_step);
        if (unit > coarsest) unit = least;
    }
    const bool base_fits = head_size_fits(arch, base.dim, heads);
    const bool divided = !arch.layer.attention.head_dim && !arch.layer.attention.latent;
    const std::int64_t least = divided ? std::max(usual_step, heads * least_head(arch)) : usual_step;
    list_round(unit, least, most_width, base_fits ? std::optional(base.dim) : std::nullopt, allowed);
}

void list_heads(const Architecture& arch, Values& allowed) {
    const bool grouped = !arch.layer.attention.latent;
    const std::int64_t kv_heads =
        grouped ? std::max<std::int64_t>(1, arch.layer.attention.kv_heads.value_or(1)) : std::int64_t{1};
    for (std::int64_t heads = 1; heads <= most_heads; ++heads)
        if (heads % kv_heads == 0 && head_size_fits(arch, arch.dim, heads)) allowed.push_back(heads);
}

void list_divisors(std::int64_t heads, Values& allowed) {
    constexpr std::int64_t most_listed = 4096;
    for (std::int64_t count = 1; count <= std::min(heads, most_listed); ++count)
        if (heads % count == 0) allowed.push_back(count);
}

void list_multiples(std::int64_t groups, Values& allowed) {
    for (std::int64_t heads = std::max<std::int64_t>(1, groups); heads <= most_state_heads;
         heads += std::max<std::int64_t>(1, groups))
        allowed.push_back(heads);
}

// What a drag reaches: round values, or every step.
struct Drag {
    std::int64_t step = 1;
    bool round = false, logarithmic = true;
};

// The usual range of a field.
struct UsualRange {
    Field field;
    std::int64_t minimum, maximum;
    Drag drag{};
};
constexpr UsualRange layers_range{Field::layers, 1, most_layers};
constexpr UsualRange usual_ranges[]{
    {Field::dim, usual_step, most_width, {.step = usual_step}},
    {Field::heads, 1, most_heads},
    {Field::kv_heads, 1, most_heads},
    {Field::full_kv_heads, 1, most_heads},
    {Field::head_dim, 8, most_head_dim, {.step = 8, .round = true}},
    {Field::ffn_dim, usual_step, most_ffn, {.step = usual_step, .round = true}},
    {Field::ffn_multiple_of, 1, most_multiple},
    {Field::vocab, 256, most_vocab, {.step = usual_step, .round = true}},
    {Field::context, 128, most_context, {.step = 128, .round = true}},
    {Field::embedding_dim, usual_step, most_width, {.step = usual_step, .round = true}},
    {Field::window, 128, most_window, {.step = 128, .round = true}},
    {Field::rotary_dim, 2, most_head_dim, {.step = 2, .logarithmic = false}},
    {Field::kv_rank, usual_step, most_rank, {.step = usual_step, .round = true}},
    {Field::query_rank, usual_step, most_rank, {.step = usual_step, .round = true}},
    {Field::step_rank, usual_step, most_rank, {.step = usual_step}},
    {Field::blend_rank, usual_step, most_rank, {.step = usual_step}},
    {Field::write_rank, usual_step, most_rank, {.step = usual_step}},
    {Field::value_rank, usual_step, most_rank, {.step = usual_step}},
    {Field::gate_rank, usual_step, most_rank, {.step = usual_step}},
    {Field::rope_dim, 2, most_part, {.step = 2, .round = true}},
    {Field::nope_dim, 8, most_part, {.step = 8, .round = true}},
    {Field::value_dim, 8, most_part, {.step = 8, .round = true}},
    {Field::full_head_dim, 8, most_part, {.step = 8, .round = true}},
    {Field::index_dim, 8, most_part, {.step = 8, .round = true}},
    {Field::index_chosen, 128, most_window, {.step = 128, .round = true}},
    {Field::layer_embedding_dim, 8, most_part, {.step = 8, .round = true}},
    {Field::layer_embedding_vocab, 256, most_vocab, {.step = usual_step, .round = true}},
    {Field::image_height, 8, most_pixels, {.step = 8, .round = true}},
    {Field::image_width, 8, most_pixels, {.step = 8, .round = true}},
    {Field::patch, 1, most_patch},
    {Field::class_tokens, 0, 2, {.logarithmic = false}},
    {Field::registers, 0, most_types, {.logarithmic = false}},
    {Field::token_types, 0, most_types, {.logarithmic = false}},
    {Field::classes, 1, most_vocab},
    {Field::state_dim, 8, most_part, {.step = 8, .round = true}},
    {Field::state_head_dim, 8, most_part, {.step = 8, .round = true}},
    {Field::state_heads, 1, most_state_heads},
    {Field::state_groups, 1, most_state_heads},
    {Field::conv_kernel, 2, most_kernel, {.logarithmic = false}},
    {Field::experts, 1, most_experts, {.round = true}},
    {Field::experts_per_token, 1, most_experts},
    {Field::expert_dim, usual_step, most_ffn, {.step = usual_step, .round = true}},
    {Field::shared_dim, usual_step, most_ffn, {.step = usual_step}},
    {Field::shared_experts, 0, most_shared, {.logarithmic = false}},
};

const UsualRange& usual_range(Field field) {
    const auto found = std::ranges::find(usual_ranges, field, &UsualRange::field);
    return found == std::end(usual_ranges) ? layers_range : *found;
}

void list(const Architecture& arch, const Architecture& base, Field field, const SliderScale& scale, Values& allowed) {
    switch (field) {
        case Field::dim: return list_widths(arch, base, allowed);
        case Field::heads: return list_heads(arch, allowed);
        case Field::kv_heads:
        case Field::full_kv_heads:
        case Field::state_groups: return list_divisors(scale.maximum, allowed);
        case Field::state_heads: return list_multiples(arch.layer.recurrence.value_or(Recurrence{}).groups, allowed);
        case Field::ffn_multiple_of:
            for (std::int64_t value = scale.minimum; value <= scale.maximum; value *= 2) allowed.push_back(value);
            return;
        default:
            if (usual_range(field).drag.round)
                list_round(scale.step, scale.minimum, scale.maximum, field_number(base, field), allowed);
    }
}

// As far as the other fields let it.
SliderScale bare_range(const Architecture& arch, Field field) {
    const UsualRange& usual = usual_range(field);
    SliderScale scale{usual.minimum, usual.maximum, usual.drag.logarithmic, usual.drag.step};
    const auto at_least_one = [](std::int64_t count) { return std::max<std::int64_t>(1, count); };
    const Mixture mixture = arch.layer.mixture.value_or(Mixture{});
    switch (field) {
        case Field::kv_heads:
        case Field::full_kv_heads: scale.maximum = at_least_one(arch.layer.attention.heads); break;
        case Field::head_dim: scale.minimum = std::max(scale.minimum, least_head(arch)); break;
        case Field::rotary_dim:
            scale.maximum = std::max<std::int64_t>(2, bindings(arch, Input{})[Symbol::head_dim].value_or(2) / 2 * 2);
            break;
        case Field::state_groups:
            scale.maximum = at_least_one(arch.layer.recurrence.value_or(Recurrence{}).heads);
            break;
        case Field::experts:  // a token is sent to at most as many as there are
            scale.minimum = std::min(at_least_one(mixture.experts_per_token), most_experts);
            break;
        case Field::experts_per_token:
            scale.maximum = std::clamp<std::int64_t>(mixture.experts, 1, most_experts);
            break;
        default: break;
    }
    return scale;
}

}  // namespace

SliderScale slider_range(const Architecture& arch, const Architecture& base, Field field, Values& allowed,
                         bool listed) {
    allowed.clear();
    SliderScale scale = bare_range(arch, field);
    // What is usual may be more than the base has: letters are fewer than tokens.
    if (const auto own = field_number(base, field); own && *own > 0) scale.minimum = std::min(scale.minimum, *own);
    if (listed) list(arch, base, field, scale, allowed);
    scale.allowed = allowed;
    return scale;
}

SliderScale token_range(Values& allowed, bool listed) {
    allowed.clear();
    if (listed) {
        for (std::int64_t value = 1, step = 1; value <= most_read; value += step) {
            allowed.push_back(value);
            if (value == 100 * step) step *= 10;
        }
        for (std::int64_t value = 128; value <= most_read; value *= 2) insert(allowed, value);
    }
    return {1, most_read, true, 1, allowed};
}

}  // namespace headcount
