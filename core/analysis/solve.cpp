// The values of one or two numbers of an architecture that bring its size nearest to a wish.
#include "core/analysis/solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/solve_line.hpp"
#include "core/analysis/sweep.hpp"

namespace headcount {
namespace {

constexpr std::size_t most_rounds = 64;  // of steps that make the best answer better
constexpr std::int64_t nearby = 512;     // multiples among which one is that heads divide

// Whether what is possible of one hangs on the other.
bool coupled(Field a, Field b) {
    const auto splits_width = [](Field field) {
        return field == Field::dim || field == Field::heads || field == Field::kv_heads || field == Field::head_dim ||
               field == Field::rotary_dim;
    };
    const auto picks_experts = [](Field field) { return field == Field::experts || field == Field::experts_per_token; };
    return (splits_width(a) && splits_width(b)) || (picks_experts(a) && picks_experts(b));
}

class Search {
  public:
    Search(const Architecture& arch, const Wish& wish)
        : arch_(arch),
          wish_(wish),
          maker_(wish.input, wants_for(wish.limits.empty() ? wish.held : Metric::memory, wish.pass)) {}

    Result<std::vector<Answer>> run() {
        if (const std::optional<Error> wrong = wrong_wish(wish_)) return *wrong;
        if (const std::optional<Error> error = wish_.free.size() == 1 ? along() : across()) return *error;
        if (found_.empty() && overflowed_) return never_fits(wish_);
        if (found_.empty()) return nothing_possible(arch_, wish_);
        sort(found_);
        if (!met(found_.front().amount)) return never_met(wish_, found_.front());
        const Answer nearest = found_.front();
        std::erase_if(found_, [&](Answer& answer) { return !met(answer.amount) || !within_limits(answer); });
        if (found_.empty()) return never_met(wish_, nearest);
        if (wish_.free.size() == 2) improve();
        if (found_.size() > wish_.answers) found_.resize(wish_.answers);
        for (Answer& answer : found_) fill_totals(answer);
        return std::move(found_);
    }

    // Of answers to other wishes with the same fields those that are of use for this one.
    std::vector<Answer> best_of(std::vector<Answer> answers) {
        for (Answer& answer : answers)
            if (std::optional<Answer> there = at(answer.values); there && met(there->amount) && within_limits(*there))
                found_.push_back(*std::move(there));
        drop_doubles();
        sort(found_);
        if (found_.size() > wish_.answers) found_.resize(wish_.answers);
        for (Answer& answer : found_) fill_totals(answer);
        return std::move(found_);
    }

  private:
    // Whether the amount may be an answer: a budget is not exceeded.
    bool met(std::int64_t amount) const { return wish_.held == Metric::total || amount <= wish_.amount; }
    // Fills in the amounts of the limits.
    bool within_limits(Answer& answer) {
        answer.limited.clear();
        const std::optional<Architecture> changed = wish_.limits.empty() ? std::nullopt : with(answer.values);
        for (const Limit& limit : wish_.limits) {
            const auto amount = changed ? maker_.amount_of(*changed, limit.metric) : std::nullopt;
            if (!amount || *amount > limit.amount) return false;
            answer.limited.push_back(*amount);
        }
        return true;
    }
    std::int64_t away(std::int64_t amount) const {
        return amount > wish_.amount ? amount - wish_.amount : wish_.amount - amount;
    }
    bool better(const Answer& a, const Answer& b) const {
        if (met(a.amount) != met(b.amount)) return met(a.amount);
        if (away(a.amount) != away(b.amount)) return away(a.amount) < away(b.amount);
        if (furthest(a) != furthest(b)) return furthest(a) < furthest(b);
        return a.values < b.values;
    }
    void sort(std::vector<Answer>& answers) const {
        std::sort(answers.begin(), answers.end(), [&](const Answer& a, const Answer& b) { return better(a, b); });
    }

    // With one field free.
    std::optional<Error> along() {
        const Freed& freed = wish_.free.front();
        SolveLine line(arch_, maker_, freed, wish_.held);
        if (!line.bounded() && !line.fits_at_least()) return never_fits(wish_);
        if (!line.matters()) return no_dependence(wish_, freed.field);
        look_along(line, {}, wish_.answers);
        if (wish_.held != Metric::total && !line.bounded())
            if (const auto least = first_possible(arch_, freed))
                found_.push_back({.values = {least->value}, .amount = least->amount, .parameters = {}});
        drop_doubles();
        return std::nullopt;
    }

    void look_along(SolveLine& line, const std::vector<std::int64_t>& before, std::size_t each_side,
                    std::optional<std::int64_t> start = {}, std::int64_t furthest = 4096) {
        const auto add = [&](const SolveLine::Value& value) {
            std::vector<std::int64_t> values = before;
            values.push_back(value.value);
            found_.push_back({.values = std::move(values), .amount = value.amount, .parameters = {}});
        };
        if (line.bounded()) {
            for (std::int64_t value : line.few())
                if (const auto there = line.at(value)) add(*there);
        } else {
            for (const SolveLine::Value& value : line.around(wish_.amount, each_side, start, furthest)) add(value);
        }
        overflowed_ = overflowed_ || line.overflowed();
    }

    std::optional<SolveLine::Value> first_possible(const Architecture& arch, const Freed& freed) {
        SolveLine line(arch, maker_, freed, wish_.held);
        const std::vector<SolveLine::Value> found = line.around(1, 1);
        return found.empty() ? std::nullopt : std::optional(found.front());
    }

    void drop_doubles() {
        std::sort(found_.begin(), found_.end(), [](const Answer& a, const Answer& b) { return a.values < b.values; });
        found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    }

    // With two: for each of the outer field's values the inner's that suit it best.
    std::optional<Error> across() {
        for (const Freed& each : wish_.free) {
            SolveLine line(arch_, maker_, each, wish_.held);
            if (!line.bounded() && !line.fits_at_least()) return never_fits(wish_);
            if (!line.matters()) return no_dependence(wish_, each.field);
        }
        outer_ = outer_is_first() ? 0 : 1;
        std::optional<std::int64_t> start;
        for (std::int64_t value : outer_values()) {
            const std::optional<Architecture> changed = with_number(arch_, wish_.free[outer_].field, value);
            if (!changed) continue;
            start = look_across(*changed, value, start);
        }
        drop_doubles();
        keep_near();
        return std::nullopt;
    }

    // The inner value that the next search may begin near.
    std::optional<std::int64_t> look_across(const Architecture& changed, std::int64_t value,
                                            std::optional<std::int64_t> start) {
        std::vector<Answer> all;
        std::swap(all, found_);
        SolveLine line(changed, maker_, wish_.free[1 - outer_], wish_.held);
        look_along(line, {}, 1, start, nearby);
        sort(found_);
        if (!found_.empty()) {
            start = found_.front().values.front();
            Answer best = found_.front();
            best.values.insert(outer_ == 0 ? best.values.begin() : best.values.end(), value);
            all.push_back(std::move(best));
        }
        found_ = std::move(all);
        return start;
    }

    // Layers that are not alike make formulas of their own for each number of layers: few of those are tried. So are
    // few of what is looked at one by one.
    bool outer_is_first() const {
        const auto rank = [&](const Freed& freed) {
            PointMaker unused(wish_.input, wants_for(wish_.held, wish_.pass));
            if (SolveLine(arch_, unused, freed, wish_.held).bounded()) return 2;
            return freed.field == Field::layers ? 1 : 0;
        };
        return rank(wish_.free[0]) >= rank(wish_.free[1]);
    }

    // The outer field's next possible multiple, where that does not hang on the inner's value.
    std::int64_t possible_from(std::int64_t value) {
        const Freed& freed = wish_.free[outer_];
        if (coupled(freed.field, wish_.free[1 - outer_].field)) return value;
        for (std::int64_t i = 0; i < nearby; ++i) {
            const std::int64_t next = value + i * freed.multiple;
            const std::optional<Architecture> changed = with_number(arch_, freed.field, next);
            if (changed && !maker_.refusal(*changed)) return next;
        }
        return value;
    }

    // From an eighth of what the field is to eight times that, more of them near it; and the smallest.
    std::vector<std::int64_t> outer_values() {
        const Freed& freed = wish_.free[outer_];
        SolveLine line(arch_, maker_, freed, wish_.held);
        std::vector<std::int64_t> values;
        if (line.bounded()) {
            values = line.few();
            if (freed.field == Field::ffn_multiple_of)
                std::erase_if(values, [](std::int64_t value) { return (value & (value - 1)) != 0; });
            return values;
        }
        const std::int64_t now =
            std::clamp<std::int64_t>(field_number(arch_, freed.field).value_or(1), 1, INT64_MAX / 64);
        const std::int64_t times = wish_.held == Metric::total ? 32 : 64;  // one of so many parts is a step
        values.push_back(possible_from(std::max<std::int64_t>(info(freed.field).least, freed.multiple)));
        for (std::int64_t value = now / 8; value <= now * 8;) {
            const std::int64_t kept = possible_from(value / freed.multiple * freed.multiple);
            if (kept >= info(freed.field).least && kept > values.back()) values.push_back(kept);
            const std::int64_t part = value < now / 2 || value > now * 2 ? times / 8 : times;
            value += std::max(freed.multiple, value / part);
        }
        const std::int64_t own = now / freed.multiple * freed.multiple;
        if (own > 0 && std::find(values.begin(), values.end(), own) == values.end()) values.push_back(own);
        std::sort(values.begin(), values.end());
        return values;
    }

    // How many times as large, or as small, the furthest of an answer's values is.
    double furthest(const Answer& answer) const {
        double most = 1;
        for (std::size_t i = 0; i < answer.values.size(); ++i) {
            const double now =
                static_cast<double>(std::max<std::int64_t>(1, field_number(arch_, wish_.free[i].field).value_or(1)));
            const double value = static_cast<double>(std::max<std::int64_t>(1, answer.values[i]));
            most = std::max({most, value / now, now / value});
        }
        return most;
    }

    // Answers that stay near to what the fields are, as long as some of them come within a hundredth of the wish.
    void keep_near() {
        for (double times : {2.0, 4.0, 8.0, 16.0}) {
            std::vector<Answer> near;
            for (Answer& answer : found_)
                if (furthest(answer) <= times && met(answer.amount) && within_limits(answer)) near.push_back(answer);
            const bool close = std::any_of(near.begin(), near.end(), [&](const Answer& answer) {
                return away(answer.amount) <= wish_.amount / 100;
            });
            if (!close) continue;
            found_ = std::move(near);
            return;
        }
    }

    std::optional<Architecture> with(const std::vector<std::int64_t>& values) const {
        std::optional<Architecture> changed = arch_;
        for (std::size_t i = 0; i < values.size() && changed; ++i)
            changed = with_number(*changed, wish_.free[i].field, values[i]);
        return changed;
    }

    std::optional<Answer> at(const std::vector<std::int64_t>& values) {
        const std::optional<Architecture> changed = with(values);
        if (!changed || maker_.refusal(*changed)) return std::nullopt;
        const std::optional<std::int64_t> amount = maker_.amount_of(*changed, wish_.held);
        return amount ? std::optional(Answer{.values = values, .amount = *amount, .parameters = {}}) : std::nullopt;
    }

    // Steps of one field alone, as long as they come nearer.
    void improve() {
        Answer best = found_.front();
        for (std::size_t round = 0; round < most_rounds; ++round) {
            Answer next = best;
            const Architecture now = with(best.values).value_or(arch_);
            for (std::size_t i = 0; i < best.values.size(); ++i)
                for (bool up : {true, false}) {
                    const auto value = next_possible(maker_, now, wish_.free[i].field, wish_.free[i].multiple, up);
                    if (!value) continue;
                    std::vector<std::int64_t> values = best.values;
                    values[i] = *value;
                    std::optional<Answer> there = at(values);
                    if (there && better(*there, next) && within_limits(*there)) next = *std::move(there);
                }
            if (next == best) break;
            best = std::move(next);
        }
        if (best == found_.front()) return;
        std::erase_if(found_, [&](const Answer& each) { return each.values[outer_] == best.values[outer_]; });
        found_.insert(found_.begin(), std::move(best));
    }

    void fill_totals(Answer& answer) {
        const std::optional<Architecture> changed = with(answer.values);
        if (!changed) return;
        if (const Result<SweepPoint> point = maker_.at(*changed)) answer.parameters = point->parameters;
    }

    const Architecture& arch_;
    const Wish& wish_;
    PointMaker maker_;
    std::vector<Answer> found_;
    std::size_t outer_ = 0;
    bool overflowed_ = false;
};

}  // namespace

Result<std::vector<Answer>> solve(const Architecture& arch, const Wish& wish) {
    if (wish.limits.empty()) return Search(arch, wish).run();
    Wish all = wish;
    all.answers = std::numeric_limits<std::size_t>::max();
    Result<std::vector<Answer>> found = Search(arch, all).run();
    if (!found && wrong_wish(wish)) return found;
    // What is nearest to a limit, where nothing near to the wish is within it.
    std::optional<Error> out_of_reach;
    std::vector<Answer> answers = found ? *std::move(found) : std::vector<Answer>{};
    for (const Limit& limit : wish.limits) {
        Wish limited = all;
        limited.held = limit.metric;
        limited.amount = limit.amount;
        std::erase_if(limited.limits, [&](const Limit& each) { return each.metric == limit.metric; });
        if (wish.held != Metric::total) limited.limits.push_back({wish.held, wish.amount});
        const Result<std::vector<Answer>> more = Search(arch, limited).run();
        if (more)
            answers.insert(answers.end(), more->begin(), more->end());
        else if (!out_of_reach)
            out_of_reach = more.error();
    }
    if (answers.empty() && out_of_reach) return *out_of_reach;
    if (answers.empty()) return found;
    return Search(arch, wish).best_of(std::move(answers));
}

}  // namespace headcount
