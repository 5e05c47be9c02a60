// Looks for the values of a few numbers that come nearest to a wish.
#include "core/analysis/solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/analysis/judge.hpp"
#include "core/analysis/solve_line.hpp"
#include "core/analysis/sweep.hpp"
#include "core/arch/validate.hpp"
#include "core/base/find.hpp"

namespace headcount {
namespace {

constexpr std::size_t most_rounds = 64;  // of steps that make the best answer better
constexpr std::int64_t nearby = 512;     // multiples among which one is that heads divide,
constexpr std::int64_t next_to = 16;     // and one that is possible of what heads do not divide
constexpr std::size_t most_lines = 512;  // along one field, with all others as they are
constexpr double weight = 0.1;           // of a change by its logarithm, beside a share of the wish

class Search {
  public:
    Search(const Architecture& arch, const Wish& wish) : arch_(arch), wish_(wish), judge_(wish, arch) {
        for (const Freed& each : wish.free)
            now_.push_back(std::max<std::int64_t>(1, field_number(arch, each.field).value_or(1)));
    }

    Result<std::vector<Answer>> run() {
        const bool longer = contains(wish_.free, Field::context, &Freed::field);
        if (!longer && !validate(arch_, wish_.input).empty()) return nothing_possible(arch_, wish_);
        if (const std::optional<Error> error = wish_.free.size() == 1 ? along() : across()) return *error;
        if (found_.empty() && overflowed_) return never_fits(wish_);
        if (found_.empty()) return nothing_possible(arch_, wish_);
        std::vector<Answer> all = found_;
        if (wish_.free.size() == 1)
            std::erase_if(found_, [&](const Answer& answer) { return !keeps(answer); });
        else
            found_ = std::move(kept_);
        if (found_.empty()) return unmet(all);
        if (wish_.free.size() > 1) improve();
        sort(found_);
        if (!wish_.shown.empty()) leave_out_far();
        if (found_.size() > wish_.answers) found_.resize(wish_.answers);
        for (Answer& answer : found_) fill(answer);
        return std::move(found_);
    }

  private:
    // Whether the amount may be an answer: a budget is not exceeded.
    bool met(std::int64_t amount) const { return wish_.held == Metric::total || amount <= wish_.amount; }
    bool keeps(const Answer& answer) {
        if (!met(answer.amount)) return false;
        if (judge_.rules().empty()) return true;
        const std::optional<Architecture> changed = with(answer.values);
        return changed && judge_.keeps(*changed);
    }

    std::int64_t away(std::int64_t amount) const {
        return amount > wish_.amount ? amount - wish_.amount : wish_.amount - amount;
    }
    // How far one field is from what it is, by its logarithm.
    double change(std::size_t place, std::int64_t value) const {
        return std::abs(
            std::log(static_cast<double>(std::max<std::int64_t>(1, value)) / static_cast<double>(now_[place])));
    }
    double change(const std::vector<std::int64_t>& values) const {
        double sum = 0;
        for (std::size_t i = 0; i < values.size(); ++i) sum += change(i, values[i]);
        return sum;
    }
    // Of several free fields: a hundredth off the wish weighs as much as a tenth of change.
    double distance(const Answer& answer) const {
        if (now_.size() == 1) return 0;
        return share(answer) + weight * change(answer.values);
    }
    double share(const Answer& answer) const {
        return static_cast<double>(away(answer.amount)) / static_cast<double>(wish_.amount);
    }
    bool better(const Answer& a, const Answer& b) const {
        if (met(a.amount) != met(b.amount)) return met(a.amount);
        const double a_distance = distance(a), b_distance = distance(b);
        if (a_distance != b_distance) return a_distance < b_distance;
        if (away(a.amount) != away(b.amount)) return away(a.amount) < away(b.amount);
        const double a_change = change(a.values), b_change = change(b.values);
        return a_change != b_change ? a_change < b_change : a.values < b.values;
    }
    void sort(std::vector<Answer>& answers) const {
        std::ranges::sort(answers, [&](const Answer& a, const Answer& b) { return better(a, b); });
    }

    // With one field free.
    std::optional<Error> along() {
        const Freed& freed = wish_.free.front();
        SolveLine line(arch_, judge_, freed);
        if (!line.bounded() && !line.fits_at_least()) return never_fits(wish_);
        if (!line.matters() && wish_.goals.empty()) return no_dependence(wish_, freed.field);
        look_along(line, {}, wish_.answers);
        if (wish_.held != Metric::total && !line.bounded())
            if (const std::vector<SolveLine::Value> first = line.around(1, 1); !first.empty())
                found_.push_back({.values = {first.front().value}, .amount = first.front().amount});
        drop_doubles();
        return std::nullopt;
    }

    // Where the first of what is found begins.
    std::optional<std::int64_t> look_along(SolveLine& line, const std::vector<std::int64_t>& others,
                                           std::size_t each_side, std::optional<std::int64_t> start = {},
                                           std::int64_t furthest = 4096, const SolveLine::Worth& worth = {}) {
        std::vector<SolveLine::Value> values;
        if (line.bounded()) {
            for (std::int64_t value : line.few())
                if (const auto there = line.at(value)) values.push_back(*there);
        } else {
            values = line.around(wish_.amount, each_side, start, furthest, worth);
        }
        for (const SolveLine::Value& value : values) {
            std::vector<std::int64_t> all = others;
            all.insert(all.begin() + static_cast<std::ptrdiff_t>(inner_), value.value);
            found_.push_back({.values = std::move(all), .amount = value.amount});
        }
        overflowed_ = overflowed_ || line.overflowed();
        return values.empty() ? start : std::optional(values.front().value);
    }

    void drop_doubles() {
        std::ranges::sort(found_, [](const Answer& a, const Answer& b) { return a.values < b.values; });
        found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    }

    // With more: for the values of all but one of them, the nearest first, that one's which suit them best.
    std::optional<Error> across() {
        bool hangs = false;
        std::optional<Error> none;
        std::size_t least = std::numeric_limits<std::size_t>::max();
        for (std::size_t i = 0; i < wish_.free.size(); ++i) {
            SolveLine line(arch_, judge_, wish_.free[i]);
            if (!line.bounded() && !line.fits_at_least()) return never_fits(wish_);
            if (!line.matters()) {
                if (!wish_.free[i].follows && !none) none = no_dependence(wish_, wish_.free[i].field);
                continue;
            }
            hangs = true;
            if (rank(line, wish_.free[i].field) < least) {
                least = rank(line, wish_.free[i].field);
                inner_ = i;
            }
        }
        if (none && (!hangs || wish_.goals.empty())) return *none;
        const std::int64_t furthest = splits_width(wish_.free[inner_].field) ? nearby : next_to;
        std::optional<std::int64_t> start;
        for (const Outer& outer : outer_values()) {
            if (weight * outer.change >= last_kept()) break;
            const std::optional<Architecture> changed = with(outer.values, inner_);
            if (!changed) continue;
            SolveLine line(*changed, judge_, wish_.free[inner_]);
            const std::size_t before = found_.size();
            start = look_along(line, outer.values, 1, start, furthest, [&](std::int64_t value, double amount) {
                return worth_from(outer.change, value, amount);
            });
            for (std::size_t i = before; i < found_.size(); ++i) {
                const double far = distance(found_[i]);
                if (far > last_kept() || !keeps(found_[i])) continue;
                near_.push_back(far);
                kept_.push_back(found_[i]);
            }
        }
        drop_doubles();
        return std::nullopt;
    }

    // How far the last of as many answers is as are wanted.
    double last_kept() {
        if (near_.size() < wish_.answers) return std::numeric_limits<double>::infinity();
        const auto last = near_.begin() + static_cast<std::ptrdiff_t>(wish_.answers - 1);
        std::nth_element(near_.begin(), last, near_.end());
        near_.resize(wish_.answers);
        return near_.back();
    }

    // The least amount along the inner field that can be among the answers, given the last value below the wish;
    // nothing where none can: conditions only lead down from there, unless one asks for more.
    std::optional<double> worth_from(double outer_change, std::int64_t value, double amount) {
        const double last = last_kept();
        const auto wish = static_cast<double>(wish_.amount);
        const double from = wish * (1 - (last - weight * outer_change));
        const auto more = [](const Judge::Rule& rule) { return rule.least; };
        if (std::ranges::any_of(judge_.rules(), more)) return from;
        // Of a total the next value may be nearer, which is above the wish.
        const bool above = wish_.held == Metric::total;
        const double off = above ? 0 : std::max(0.0, (wish - amount) / wish);
        const std::int64_t best = value + (above ? wish_.free[inner_].multiple : 0);
        const double near = off + weight * (outer_change + (best <= now_[inner_] ? change(inner_, best) : 0));
        return near > last ? std::nullopt : std::optional(from);
    }

    // Which field is looked along: not one of whose values each is looked at, nor layers that are not alike, since they
    // make formulas of their own for each number of layers; nor one of whose values few are possible.
    std::size_t rank(const SolveLine& line, Field field) const {
        if (line.bounded()) return 3;
        if (field == Field::layers) {
            return judge_.alike() ? 0 : 2;
        }
        const bool spiky = std::ranges::any_of(
            wish_.free, [&](const Freed& other) { return other.field != field && coupled(field, other.field); });
        return spiky ? 2 : 1;
    }

    struct Outer {
        std::vector<std::int64_t> values;  // of all fields but the inner, in their order
        double change = 0;
    };
    std::vector<Outer> outer_values() {
        std::vector<Outer> all{{}};
        for (std::size_t i = 0; i < wish_.free.size(); ++i) {
            if (i == inner_) continue;
            const std::vector<std::int64_t> values = values_of(i);
            std::vector<Outer> more;
            for (const Outer& outer : all)
                for (const std::int64_t value : values) {
                    Outer& next = more.emplace_back(outer);
                    next.values.push_back(value);
                    next.change += change(i, value);
                }
            all = std::move(more);
            std::erase_if(all, [&](const Outer& outer) { return !shaped(outer.values); });
            std::ranges::stable_sort(all, [](const Outer& a, const Outer& b) { return a.change < b.change; });
            // The nearest of all are among the nearest so far, unless what follows leaves some of these out.
            const auto rest = std::span(wish_.free).subspan(i + 1);
            const bool may_leave_out = std::ranges::any_of(
                rest, [&](const Freed& later) { return &later != &wish_.free[inner_] && splits_width(later.field); });
            if (!may_leave_out && all.size() > most_lines) all.resize(most_lines);
        }
        return all;
    }

    // Whether heads of these many columns may be liked, as far as is known of the outer fields that come first.
    bool shaped(const std::vector<std::int64_t>& values) const {
        std::optional<std::int64_t> dim, heads;
        std::size_t place = 0;
        for (std::size_t i = 0; i < wish_.free.size() && place < values.size(); ++i) {
            if (i == inner_) continue;
            if (wish_.free[i].field == Field::dim) dim = values[place];
            if (wish_.free[i].field == Field::heads) heads = values[place];
            ++place;
        }
        return !dim || !heads || judge_.splits(*dim, *heads);
    }

    // The field's next possible multiple, where that does not hang on the value of another.
    std::int64_t possible_from(const Freed& freed, std::int64_t value) {
        for (const Freed& other : wish_.free)
            if (other.field != freed.field && coupled(freed.field, other.field)) return value;
        for (std::int64_t i = 0; i < nearby; ++i) {
            const std::int64_t next = value + i * freed.multiple;
            const std::optional<Architecture> changed = with_number(arch_, freed.field, next);
            if (changed && judge_.possible(*changed)) return next;
        }
        return value;
    }

    // From an eighth of what the field is to eight times that, more of them near it; and the smallest.
    std::vector<std::int64_t> values_of(std::size_t place) {
        const Freed& freed = wish_.free[place];
        SolveLine line(arch_, judge_, freed);
        std::vector<std::int64_t> values;
        if (line.bounded()) {
            values = line.few();
            if (freed.field == Field::ffn_multiple_of)
                std::erase_if(values, [](std::int64_t value) { return (value & (value - 1)) != 0; });
            return values;
        }
        const std::int64_t now = std::min(now_[place], INT64_MAX / 64);
        const std::int64_t times = wish_.held == Metric::total ? 32 : 64;  // one of so many parts is a step
        values.push_back(possible_from(freed, std::max<std::int64_t>(info(freed.field).least, freed.multiple)));
        for (std::int64_t value = now / 8; value <= now * 8;) {
            const std::int64_t kept = possible_from(freed, value / freed.multiple * freed.multiple);
            if (kept >= info(freed.field).least && kept > values.back()) values.push_back(kept);
            const std::int64_t part = value < now / 4 || value > now * 4 ? times / 8 : times;
            value += std::max(freed.multiple, value / part);
        }
        const std::int64_t own = now / freed.multiple * freed.multiple;
        if (own > 0 && !contains(values, own)) values.push_back(own);
        std::ranges::sort(values);
        return values;
    }

    // Of all fields, or of all but one, in their order.
    std::optional<Architecture> with(const std::vector<std::int64_t>& values,
                                     std::optional<std::size_t> but = {}) const {
        std::optional<Architecture> changed = arch_;
        for (std::size_t i = 0, place = 0; i < wish_.free.size() && changed; ++i)
            if (i != but) changed = with_number(*std::move(changed), wish_.free[i].field, values[place++]);
        return changed;
    }

    std::optional<Answer> at(const std::vector<std::int64_t>& values) {
        const std::optional<Architecture> changed = with(values);
        if (!changed || !judge_.possible(*changed)) return std::nullopt;
        const std::optional<std::int64_t> amount = judge_.held(*changed);
        if (!amount || !met(*amount)) return std::nullopt;
        return Answer{.values = values, .amount = *amount};
    }

    // The next possible values of a field on both sides, and some further away.
    std::vector<std::int64_t> steps_from(const Architecture& now, std::size_t place, std::int64_t value) const {
        const auto& [field, multiple, listed, follows] = wish_.free[place];
        if (!listed.empty()) return listed;
        std::vector<std::int64_t> values;
        for (const bool up : {true, false})
            if (const auto next = next_possible(judge_.maker(), now, field, multiple, up)) values.push_back(*next);
        for (const std::int64_t times : {4, 16, 64, 256})
            for (const std::int64_t each : {value + times * multiple, value - times * multiple})
                if (each >= info(field).least) values.push_back(each);
        return values;
    }

    // Steps of one field alone, as long as they make the best answer better.
    void improve() {
        sort(found_);
        Answer best = found_.front();
        for (std::size_t round = 0; round < most_rounds; ++round) {
            Answer next = best;
            const Architecture now = with(best.values).value_or(arch_);
            for (std::size_t i = 0; i < best.values.size(); ++i)
                for (const std::int64_t value : steps_from(now, i, best.values[i])) {
                    std::vector<std::int64_t> values = best.values;
                    values[i] = value;
                    std::optional<Answer> there = at(values);
                    if (there && better(*there, next) && keeps(*there)) next = *std::move(there);
                }
            if (next == best) break;
            best = std::move(next);
        }
        if (!contains(found_, best)) found_.push_back(std::move(best));
    }

    // Among figures of many answers a smaller model than was wished would win: what is further than a hundredth from a
    // total, or not that near to a budget, is no answer then, unless all are.
    void leave_out_far() {
        constexpr double near = 0.01;
        const auto far = [&](const Answer& answer) { return share(answer) > near; };
        if (!std::ranges::all_of(found_, far)) std::erase_if(found_, far);
    }

    // None keeps all conditions: of the nearest, among small ones and large ones, what it comes to.
    Error unmet(std::vector<Answer> all) {
        constexpr std::size_t most_looked_at = 64;
        std::ranges::sort(all, {}, &Answer::amount);
        if (all.size() > most_looked_at) all.erase(all.begin() + most_looked_at / 2, all.end() - most_looked_at / 2);
        const std::vector<Goal> conditions = conditions_of(wish_);
        const Answer* nearest = &all.front();
        std::vector<double> of_nearest;
        double least = std::numeric_limits<double>::infinity();
        for (const Answer& answer : all) {
            const std::optional<Architecture> changed = with(answer.values);
            std::vector<double> figures;
            double beyond = 0;
            for (const Goal& each : conditions) {
                const double is = changed ? judge_.figure(each.metric, *changed).value_or(0) : 0;
                figures.push_back(is);
                if (!each.keeps(is)) beyond += std::abs(std::log(std::max(is, 1e-12) / each.amount));
            }
            if (beyond >= least) continue;
            least = beyond;
            nearest = &answer;
            of_nearest = std::move(figures);
        }
        return never_met(wish_, *nearest, of_nearest);
    }

    void fill(Answer& answer) {
        const std::optional<Architecture> changed = with(answer.values);
        if (!changed) return;
        answer.parameters = judge_.totals(*changed).value_or(Totals{});
        for (std::size_t i = 0; i < wish_.goals.size() + wish_.shown.size(); ++i)
            answer.figures.push_back(judge_.figure(metric_at(wish_, i), *changed).value_or(0));
    }

    const Architecture& arch_;
    const Wish& wish_;
    Judge judge_;
    std::vector<std::int64_t> now_;  // what the free fields are
    std::vector<Answer> found_;
    std::vector<Answer> kept_;  // of these, with several fields free, those that keep all conditions
    std::vector<double> near_;  // how far those are that keep all conditions
    std::size_t inner_ = 0;
    bool overflowed_ = false;
};

}  // namespace

Result<std::vector<Answer>> solve(const Architecture& arch, const Wish& wish) {
    if (const std::optional<Error> wrong = wrong_wish(wish)) return *wrong;
    return Search(arch, wish).run();
}

}  // namespace headcount
