// Looks along one free number for where the amount passes a wish.
#include "core/analysis/solve_line.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headcount {
namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

// The last place from `low` on, where the value is known to be below the limit, whose value is still below it, where
// that is not so at `high`: values grow with places. Few values are asked for, since they grow about evenly.
template <class Value>
std::int64_t last_below(std::int64_t low, std::int64_t high, double limit, const Value& value) {
    double at_low = low + 2 < high ? value(low) : 0, at_high = low + 2 < high ? value(high) : endless;
    for (bool halve = false; low + 1 < high; halve = !halve) {
        std::int64_t place = low + (high - low) / 2;
        if (!halve && at_high < endless && at_high > at_low) {
            const double share = (limit - at_low) / (at_high - at_low);
            place = low + static_cast<std::int64_t>(share * static_cast<double>(high - low));
            place = std::clamp(place, low + 1, high - 1);
        }
        const double there = value(place);
        if (there < limit) {
            low = place;
            at_low = there;
        } else {
            high = place;
            at_high = there;
        }
    }
    return low;
}

}  // namespace

bool splits_width(Field field) {
    return field == Field::dim || field == Field::heads || field == Field::kv_heads || field == Field::head_dim ||
           field == Field::rotary_dim;
}

bool coupled(Field a, Field b) {
    const auto picks_experts = [](Field field) { return field == Field::experts || field == Field::experts_per_token; };
    return (splits_width(a) && splits_width(b)) || (picks_experts(a) && picks_experts(b));
}

bool SolveLine::bounded() const {
    if (!freed_.listed.empty()) return true;
    const Attention& attention = arch_.layer.attention;
    if (freed_.field == Field::heads) return !attention.head_dim && !attention.latent;
    return freed_.field == Field::kv_heads || freed_.field == Field::ffn_multiple_of ||
           freed_.field == Field::experts_per_token || freed_.field == Field::rotary_dim;
}

std::vector<std::int64_t> SolveLine::few() const {
    if (!freed_.listed.empty()) return freed_.listed;
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
    if (freed_.field == Field::dim && !judge_.splits(value, arch_.layer.attention.heads)) return std::nullopt;
    const std::optional<Architecture> changed = with_number(arch_, freed_.field, value);
    if (!changed || !judge_.possible(*changed)) return std::nullopt;
    const std::optional<std::int64_t> amount = judge_.held(*changed);
    if (!amount) {
        overflowed_ = true;
        return std::nullopt;
    }
    return Value{value, *amount};
}

std::vector<SolveLine::Value> SolveLine::around(std::int64_t wish, std::size_t each_side,
                                                std::optional<std::int64_t> start, std::int64_t furthest,
                                                const Worth& worth) {
    const std::int64_t first = first_place(), last = last_place();
    const auto limit = static_cast<double>(wish);
    const auto amount = [&](std::int64_t place) { return amount_at(place); };
    std::int64_t low = first, high = 1;
    if (start) {
        const std::int64_t place = std::clamp(*start / freed_.multiple, first, std::max(first, last - 1));
        std::int64_t step = 1;
        low = place;
        while (low > first && amount_at(low) >= limit) {
            low = std::max(first, low - step);
            step *= 2;
        }
        high = std::max(low, place) + 1;
    }
    for (std::int64_t step = 1; high < last && amount_at(high) < limit; step *= 2) {
        low = high;
        high = start ? std::min(last, high + step) : high * 2;
    }
    low = last_below(low, high, limit, amount);
    low = std::clamp(low, first, last);
    const auto at_place = [&](const Judge::Rule& rule, std::int64_t place) {
        const std::optional<Architecture> changed = with(place);
        return changed ? judge_.at(rule, *changed).value_or(endless) : endless;
    };
    if (worth) {
        const std::optional<double> from = worth(low * freed_.multiple, amount_at(low));
        if (!from) return {};
        // What a value breaks, those above it do too.
        const std::int64_t least = *from > 0 ? last_below(first, low + 1, *from, amount) + 1 : first;
        if (least > first && std::ranges::any_of(judge_.rules(), [&](const Judge::Rule& rule) {
                return !rule.least && !rule.keeps(at_place(rule, least));
            }))
            return {};
    }
    for (const Judge::Rule& rule : judge_.rules()) {
        const auto value = [&](std::int64_t place) { return at_place(rule, place); };
        if (rule.keeps(value(low))) continue;
        if (!rule.least) {
            low = last_below(first, low, std::nextafter(rule.amount, endless), value);
            continue;
        }
        for (high = low + 1; high < last && !rule.keeps(value(high));) {
            low = high;
            high = std::min(last, high * 2);
        }
        low = last_below(low, high, rule.amount, value);
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
    if (!bounded()) {
        const std::int64_t far = grows_the_graph() ? first_place() + 64 : std::int64_t{1} << 20;
        return amount_at(first_place()) != amount_at(std::min(last_place(), far));
    }
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
    const std::optional<Architecture> changed = with(first_place());
    return !changed || judge_.held(*changed);
}

std::optional<Architecture> SolveLine::with(std::int64_t place) const {
    return with_number(arch_, freed_.field, place * freed_.multiple);
}

double SolveLine::amount_at(std::int64_t place) {
    const std::optional<Architecture> changed = with(place);
    // More of them than can be told apart.
    if (changed && grows_the_graph() && changed->layers > arch_.layers && !judge_.possible(*changed)) return endless;
    const std::optional<std::int64_t> amount = changed ? judge_.held(*changed) : std::nullopt;
    return amount ? static_cast<double>(*amount) : endless;
}

}  // namespace headcount
