// What a search is made of: one free number with all others as they are, of whose values some are worth a look; and the
// sentences about a wish or about what was found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/solve.hpp"
#include "core/analysis/sweep.hpp"

namespace headcount {

class SolveLine {
  public:
    // `arch` and `maker` must outlive it.
    SolveLine(const Architecture& arch, PointMaker& maker, const Freed& freed, Metric held)
        : arch_(arch), maker_(maker), freed_(freed), held_(held) {}

    // Whether the amount may fall where the field grows, so that all of its few values are looked at: heads share a
    // width that stays, and a rule's multiple rounds up.
    bool bounded() const {
        const Attention& attention = arch_.layer.attention;
        if (freed_.field == Field::heads) return !attention.head_dim && !attention.latent;
        return freed_.field == Field::kv_heads || freed_.field == Field::ffn_multiple_of ||
               freed_.field == Field::experts_per_token || freed_.field == Field::rotary_dim;
    }

    std::vector<std::int64_t> few() const {
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

    struct Value {
        std::int64_t value, amount;
    };
    // The amount at a possible value that is a multiple.
    std::optional<Value> at(std::int64_t value) {
        const std::optional<Architecture> changed = with_number(arch_, freed_.field, value);
        if (!changed || maker_.refusal(*changed)) return std::nullopt;
        const std::optional<std::int64_t> amount = maker_.amount_of(*changed, held_);
        if (!amount) {
            overflowed_ = true;
            return std::nullopt;
        }
        return Value{value, *amount};
    }

    // Of a number that the amount grows with: the possible values on both sides of where it passes the wish, at most so
    // many on each. `start` is a value near it, where one is known.
    // No possible value is looked for further than `furthest` multiples away.
    std::vector<Value> around(std::int64_t wish, std::size_t each_side, std::optional<std::int64_t> start = {},
                              std::int64_t furthest = 4096) {
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

    // Whether the amount depends on the field at all, as far as can be told without a possible value.
    bool matters() {
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

    // Whether the smallest value's amount fits in 64 bits: then larger ones may.
    bool fits_at_least() {
        const std::optional<Architecture> changed = with_number(arch_, freed_.field, first_place() * freed_.multiple);
        return !changed || maker_.amount_of(*changed, held_);
    }

    bool overflowed() const { return overflowed_; }  // some possible value's amount did not fit

  private:
    // The amount at the value's place among the multiples; the largest number where it does not fit.
    std::int64_t amount_at(std::int64_t place) {
        const std::optional<Architecture> changed = with_number(arch_, freed_.field, place * freed_.multiple);
        return changed ? maker_.amount_of(*changed, held_).value_or(INT64_MAX) : INT64_MAX;
    }

    std::int64_t first_place() const { return info(freed_.field).least == 0 ? 0 : 1; }

    std::int64_t last_place() const { return (std::int64_t{1} << 61) / freed_.multiple; }

    const Architecture& arch_;
    PointMaker& maker_;
    Freed freed_;
    Metric held_;
    bool overflowed_ = false;
};

// What is wrong with a wish by itself.
std::optional<Error> wrong_wish(const Wish& wish);

// What is held is the same whatever the field is.
Error no_dependence(const Wish& wish, Field field);

// No value of what is free makes an amount of 64 bits.
Error never_fits(const Wish& wish);

Error nothing_possible(const Architecture& arch, const Wish& wish);

// All answers are more than the budget; `least` is the nearest.
Error never_met(const Wish& wish, const Answer& least);

}  // namespace headcount
