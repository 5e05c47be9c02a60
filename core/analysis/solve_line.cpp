// Looks along one free number for where the amount passes a wish.
#include "core/analysis/solve_line.hpp"

#include <algorithm>

namespace headcount {

bool SolveLine::bounded() const {
    const Attention& attention = arch_.layer.attention;
    if (freed_.field == Field::heads) return !attention.head_dim && !attention.latent;
    return freed_.field == Field::kv_heads || freed_.field == Field::ffn_multiple_of ||
           freed_.field == Field::experts_per_token || freed_.field == Field::rotary_dim;
}

std::vector<std::int64_t> SolveLine::few() const {
    std::vector<std::int64_t> values;
    const auto add = [&](std::int64_t value) {
        if (value % freed_.multiple == 0) values.push_back(value);
    };
    const auto add_all = [&](std::int64_t most) {
        for (std::int64_t value = 1; value <= std::min(most, largest_rounding); ++value) add(value);
        return values;
    };
    if (freed_.field == Field::ffn_multiple_of) return add_all(largest_rounding);
    if (freed_.field == Field::rotary_dim) return add_all(bindings(arch_, Input{})[Symbol::head_dim].value_or(1));
    if (freed_.field == Field::experts_per_token) return add_all(arch_.layer.mixture.value_or(Mixture{}).experts);
    const std::int64_t whole = freed_.field == Field::heads ? arch_.dim : arch_.layer.attention.heads;
    constexpr std::int64_t most_divisors = 1 << 20;  // looked for: far more heads than any model has
    for (std::int64_t value = 1; value <= whole / value && value <= most_divisors; ++value) {
        if (whole % value != 0) continue;
        add(value);
        if (value != whole / value) add(whole / value);
    }
    return values;
}

std::optional<SolveLine::Value> SolveLine::at(std::int64_t value) {
    const std::optional<Architecture> changed = with_number(arch_, freed_.field, value);
    if (!changed || maker_.refusal(*changed)) return std::nullopt;
    const std::optional<std::int64_t> amount = maker_.amount_of(*changed, held_);
    if (!amount) {
        overflowed_ = true;
        return std::nullopt;
    }
    return Value{value, *amount};
}

std::vector<SolveLine::Value> SolveLine::around(std::int64_t wish, std::size_t each_side,
                                                std::optional<std::int64_t> start, std::int64_t furthest) {
    const std::int64_t first = first_place(), last = last_place();
    std::int64_t low = first, high = 1;
    if (start) {
        const std::int64_t place = std::clamp(*start / freed_.multiple, first, std::max(first, last - 1));
        std::int64_t step = 1;
        low = place;
        while (low > first && amount_at(low) >= wish) {
            low = std::max(first, low - step);
            step *= 2;
        }
        high = std::max(low, place) + 1;
    }
    for (std::int64_t step = 1; high < last && amount_at(high) < wish; step *= 2) {
        low = high;
        high = start ? std::min(last, high + step) : high * 2;
    }
    while (low + 1 < high) {
        const std::int64_t middle = low + (high - low) / 2;
        (amount_at(middle) < wish ? low : high) = middle;
    }
    std::vector<Value> found;
    const auto look = [&](std::int64_t from, std::int64_t step) {
        std::size_t there = 0;
        for (std::int64_t i = 0; i < furthest && there < each_side; ++i) {
            const std::int64_t place = from + i * step;
            if (place < first || place > last) return;
            const bool before = overflowed_;
            const std::optional<Value> value = at(place * freed_.multiple);
            if (!value && overflowed_ && !before && step > 0) return;  // it only grows
            if (!value) continue;
            found.push_back(*value);
            ++there;
        }
    };
    look(low, -1);
    look(low + 1, 1);
    return found;
}

bool SolveLine::matters() {
    if (!bounded()) return amount_at(first_place()) != amount_at(std::min(last_place(), std::int64_t{1} << 20));
    std::optional<std::int64_t> one;
    int found = 0;
    for (std::int64_t value : few()) {
        const std::optional<Value> there = at(value);
        if (!there) continue;
        if (one && *one != there->amount) return true;
        one = there->amount;
        ++found;
    }
    return found < 2;  // a single value that is possible is an answer
}

bool SolveLine::fits_at_least() {
    const std::optional<Architecture> changed = with_number(arch_, freed_.field, first_place() * freed_.multiple);
    return !changed || maker_.amount_of(*changed, held_);
}

std::int64_t SolveLine::amount_at(std::int64_t place) {
    const std::optional<Architecture> changed = with_number(arch_, freed_.field, place * freed_.multiple);
    return changed ? maker_.amount_of(*changed, held_).value_or(INT64_MAX) : INT64_MAX;
}

}  // namespace headcount
