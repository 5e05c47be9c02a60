// Works out what conditions ask of an architecture.
#include "core/analysis/judge.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/arch/validate.hpp"
#include "core/base/checked.hpp"
#include "core/base/find.hpp"

namespace headcount {
namespace {

// The memory that there is room in.
std::optional<double> room_of(const Wish& wish) {
    std::optional<double> room;
    for (const Goal& each : conditions_of(wish))
        if (each.metric == Metric::memory && !each.least && (!room || each.amount < *room)) room = each.amount;
    return room;
}

// An input with so many tokens, none of them read before, or so many sequences.
Input with_more(Input input, FigureFrom from, std::int64_t number) {
    if (from == FigureFrom::batch) input.batch = number;
    if (from == FigureFrom::context) {
        input.tokens = number;
        input.cached = 0;
    }
    return input;
}

constexpr std::array<std::int64_t, 4> usual_heads{64, 96, 128, 256};

}  // namespace

std::vector<Goal> conditions_of(const Wish& wish) {
    std::vector<Goal> all;
    if (wish.held != Metric::total) all.push_back({wish.held, false, static_cast<double>(wish.amount)});
    all.insert(all.end(), wish.goals.begin(), wish.goals.end());
    return all;
}

std::optional<Error> wrong_metric(const Wish& wish, Metric metric) {
    const std::string key(info(metric).key);
    if (is_timed(metric) && !wish.pass.device)
        return Error{key + " hangs on a device, and there is none", "--where", "add --device, such as --device h100"};
    if (is_timed(metric) && !wish.pass.roof_for(wish.input, phase_of(metric, wish.pass.phase)))
        return Error{key + " hangs on a device", "--where", "name one whose speed is published"};
    if (metric == Metric::price && !wish.pass.price)
        return Error{key + " hangs on what an hour of a device costs", "--where",
                     "give the price of an hour, such as 2.5"};
    if (is_likely(metric) && !(wish.reached && workload_of(phase_of(metric, wish.pass.phase), wish.input, wish.pass)))
        return Error{"no pass like it was measured", "--where",
                     "use " + std::string(info(*info(metric).bound).key) + ", the bound"};
    if (is_room(metric) && !room_of(wish))
        return Error{key + " hangs on a memory", "--where", "add --device, such as --device h100, or --memory"};
    return std::nullopt;
}

// Memory and rooms are searched for.
PointWants wants_of(const Wish& wish) {
    std::vector<Metric> asked{wish.held};
    for (const Goal& each : wish.goals) asked.push_back(each.metric);
    asked.insert(asked.end(), wish.shown.begin(), wish.shown.end());
    std::erase_if(asked, [](Metric each) { return source_of(each) == Metric::memory; });
    return wants_for(asked, wish.pass, wish.reached);
}

Judge::Judge(const Wish& wish, const Architecture& now)
    : wish_(wish),
      now_(now),
      inputs_{wish.input},
      wants_(wants_of(wish)),
      any_(wish.input, wants_),
      room_(room_of(wish)) {
    const std::optional<Architecture> more = with_number(now, Field::layers, now.layers + 1);
    alike_ = more && same_formulas(now, *more);
    const bool own = contains(wish.free, Field::head_dim, &Freed::field);
    split_ = !own && !now.layer.attention.head_dim && !now.layer.attention.latent && now.layer.attention.heads > 0 &&
             attends(now);
    const Input read = input_in(wish.input, wish.pass.phase);
    tokens_ = static_cast<double>(read.tokens) * static_cast<double>(read.batch);
    for (const Goal& goal : wish.goals) {
        const Metric metric = source_of(goal.metric);
        const FigureFrom from = info(goal.metric).from;
        switch (from) {
            case FigureFrom::itself: rules_.push_back({metric, 0, goal.least, goal.amount}); break;
            case FigureFrom::rate: rules_.push_back({metric, 0, !goal.least, tokens_ / goal.amount}); break;
            case FigureFrom::rate_for_one: rules_.push_back({metric, 0, !goal.least, 1 / goal.amount}); break;
            case FigureFrom::rate_for_all:
                rules_.push_back({metric, 0, !goal.least, static_cast<double>(wish.input.batch) / goal.amount});
                break;
            case FigureFrom::context:
            case FigureFrom::batch: {
                // At most so many: one more does not fit.
                const auto number = static_cast<std::int64_t>(goal.amount) + (goal.least ? 0 : 1);
                const double room = room_.value_or(0);
                rules_.push_back({metric, place_of(with_more(wish.input, from, number)), !goal.least,
                                  goal.least ? room : std::nextafter(room, std::numeric_limits<double>::infinity())});
                break;
            }
        }
    }
}

std::size_t Judge::place_of(const Input& input) {
    const auto known = std::ranges::find(inputs_, input);
    if (known == inputs_.end()) inputs_.push_back(input);
    return static_cast<std::size_t>(std::ranges::find(inputs_, input) - inputs_.begin());
}

PointMaker& Judge::maker(std::size_t input, const Architecture& arch) {
    std::vector<PointMaker>& all = makers_[alike_ ? 0 : arch.layers];
    while (all.size() < inputs_.size()) all.emplace_back(inputs_[all.size()], wants_);
    return all[input];
}

bool Judge::likes(std::int64_t head_size) const {
    return contains(usual_heads, head_size) || head_size == field_number(now_, Field::head_dim);
}

bool Judge::splits(std::int64_t dim, std::int64_t heads) const {
    return !split_ || (dim % heads == 0 && (!wish_.friendly || likes(dim / heads)));
}

bool Judge::possible(const Architecture& arch) const {
    if (wish_.friendly && arch.layer.attention.heads > 0 && !arch.layer.attention.latent) {
        const std::optional<std::int64_t> size = field_number(arch, Field::head_dim);
        if (!size || !likes(*size)) return false;
    }
    if (any_.refusal(arch)) return false;
    return std::all_of(inputs_.begin() + 1, inputs_.end(),
                       [&](const Input& input) { return validate(arch, input).empty(); });
}

std::optional<std::int64_t> Judge::held(const Architecture& arch) { return maker(0, arch).amount_of(arch, wish_.held); }

std::optional<double> Judge::amount(std::size_t input, Metric metric, const Architecture& arch) {
    if (is_timed(metric) || metric == Metric::flops_per_token) {
        const Result<SweepPoint> point = maker(input, arch).at(arch);
        return point ? value_of(*point, metric) : std::nullopt;
    }
    const std::optional<std::int64_t> whole = maker(input, arch).amount_of(arch, metric);
    return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
}

std::optional<double> Judge::at(const Rule& rule, const Architecture& arch) {
    return amount(rule.input, rule.metric, arch);
}

bool Judge::keeps(const Architecture& arch) {
    return std::ranges::all_of(rules_, [&](const Rule& rule) {
        const std::optional<double> is = at(rule, arch);
        return is && rule.keeps(*is);
    });
}

std::optional<double> Judge::figure(Metric metric, const Architecture& arch) {
    if (!is_room(metric)) return amount(0, metric, arch);
    if (!room_) return std::nullopt;
    PointMaker maker(wish_.input, wants_);
    return static_cast<double>(largest([&](std::int64_t number) {
        const Input input = with_more(wish_.input, info(metric).from, number);
        if (!validate(arch, input).empty()) return false;
        maker.set_input(input);
        const std::optional<std::int64_t> memory = maker.amount_of(arch, Metric::memory);
        return memory && static_cast<double>(*memory) <= *room_;
    }));
}

std::optional<Totals> Judge::totals(const Architecture& arch) {
    const Result<SweepPoint> point = maker(0, arch).at(arch);
    return point ? std::optional(point->parameters) : std::nullopt;
}

}  // namespace headcount
