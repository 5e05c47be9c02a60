// The value of one number of an architecture that brings its total nearest to a wish.
#include "core/analysis/solve.hpp"

#include <algorithm>

#include "core/analysis/sweep.hpp"
#include "core/arch/validate.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::int64_t furthest = 65'536;  // values on each side of the best that are tried
constexpr std::int64_t largest_value = std::int64_t{1} << 61;

class Search {
  public:
    Search(const Architecture& arch, const Wish& wish) : arch_(arch), wish_(wish), maker_(Input{.tokens = 1}) {}

    Result<std::vector<Answer>> run() {
        if (info(wish_.field).kind != FieldKind::number)
            return Error{std::string(info(wish_.field).key) + " is no number", "--vary",
                         "free a number, such as layers"};
        if (bounded()) {
            for (std::int64_t value : candidates()) try_value(value);
        } else if (!fits_at_least()) {
            return overflow();
        } else if (!search()) {
            return no_dependence();
        }
        if (found_.empty() && overflowed_) return overflow();
        if (found_.empty())
            return Error{"no value of " + std::string(info(wish_.field).key) + " is possible", "--vary",
                         "change what it must fit as well, with --set"};
        const bool alike = std::all_of(found_.begin(), found_.end(),
                                       [&](const Answer& each) { return each.total == found_.front().total; });
        if (bounded() && alike && found_.size() > 1) return no_dependence();
        const auto away = [&](const Answer& answer) {
            return answer.total > wish_.total ? answer.total - wish_.total : wish_.total - answer.total;
        };
        std::sort(found_.begin(), found_.end(), [&](const Answer& a, const Answer& b) {
            return away(a) != away(b) ? away(a) < away(b) : a.value < b.value;
        });
        if (found_.size() > wish_.answers) found_.resize(wish_.answers);
        return std::move(found_);
    }

  private:
    Error no_dependence() const {
        return {"the total does not depend on " + std::string(info(wish_.field).key), "--vary",
                "free a field that shapes a matrix, such as dim, layers or vocab"};
    }

    Error overflow() const {
        return {"the total does not fit in 64 bits, whatever " + std::string(info(wish_.field).key) + " is", "--vary",
                "make another dimension smaller, with --set"};
    }

    // Heads share a width that stays, and a rule's multiple rounds up: the total may fall where these grow, and there
    // are few of them.
    bool bounded() const {
        const Attention& attention = arch_.layer.attention;
        if (wish_.field == Field::heads) return !attention.head_dim && !attention.latent;
        return wish_.field == Field::kv_heads || wish_.field == Field::ffn_multiple_of;
    }

    std::vector<std::int64_t> candidates() const {
        std::vector<std::int64_t> values;
        const auto add = [&](std::int64_t value) {
            if (value % wish_.multiple == 0) values.push_back(value);
        };
        if (wish_.field == Field::ffn_multiple_of) {
            for (std::int64_t value = 1; value <= largest_rounding; ++value) add(value);
            return values;
        }
        const std::int64_t whole = wish_.field == Field::heads ? arch_.dim : arch_.layer.attention.heads;
        for (std::int64_t value = 1; value <= whole / value; ++value) {
            if (whole % value != 0) continue;
            add(value);
            if (value != whole / value) add(whole / value);
        }
        return values;
    }

    std::optional<Architecture> with_value(std::int64_t value) const {
        Result<Architecture> changed = with_field(arch_, wish_.field, std::to_string(value));
        return changed ? std::optional(std::move(*changed)) : std::nullopt;
    }

    bool try_value(std::int64_t value) {
        const std::optional<Architecture> changed = with_value(value);
        if (!changed || !possible(*changed)) return false;
        const std::optional<std::int64_t> total = maker_.total_of(*changed);
        if (total) found_.push_back({value, *total});
        overflowed_ = overflowed_ || !total;
        return total.has_value();
    }

    // The total at the value's place among the multiples; the largest number where it does not fit.
    std::int64_t total_at(std::int64_t place) {
        const std::optional<Architecture> changed = with_value(place * wish_.multiple);
        return changed ? maker_.total_of(*changed).value_or(INT64_MAX) : INT64_MAX;
    }

    std::int64_t first_place() const { return info(wish_.field).least == 0 ? 0 : 1; }

    // Whether the smallest value's total fits: the total grows with the value.
    bool fits_at_least() {
        const std::optional<Architecture> changed = with_value(first_place() * wish_.multiple);
        return !changed || maker_.total_of(*changed);
    }

    // The total grows with the value: first where it passes the wish, then the possible values on both sides of that.
    bool search() {
        const std::int64_t first = first_place(), last = largest_value / wish_.multiple;
        std::int64_t low = first, high = 1;
        while (high < last && total_at(high) < wish_.total) {
            low = high;
            high *= 2;
        }
        if (total_at(first) == total_at(std::min(last, std::max(high, std::int64_t{1} << 20)))) return false;
        while (low + 1 < high) {
            const std::int64_t middle = low + (high - low) / 2;
            (total_at(middle) < wish_.total ? low : high) = middle;
        }
        std::size_t below = 0, above = 0;
        for (std::int64_t i = 0; i < furthest && below < wish_.answers && low - i >= first; ++i)
            below += try_value((low - i) * wish_.multiple);
        for (std::int64_t i = 0; i < furthest && above < wish_.answers; ++i)
            if (low + 1 + i <= last) above += try_value((low + 1 + i) * wish_.multiple);
        return true;
    }

    const Architecture& arch_;
    const Wish& wish_;
    PointMaker maker_;
    std::vector<Answer> found_;
    bool overflowed_ = false;
};

}  // namespace

Result<std::vector<Answer>> solve(const Architecture& arch, const Wish& wish) {
    if (wish.multiple < 1)
        return Error{"a multiple of " + grouped(wish.multiple) + " is none", "--multiple", "give at least 1"};
    return Search(arch, wish).run();
}

}  // namespace headcount
