// Numbers, formats and devices along ranges.
#include "core/analysis/sweep.hpp"

#include <map>

#include "core/analysis/parameters.hpp"
#include "core/analysis/rates.hpp"
#include "core/arch/validate.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

std::optional<std::int64_t> count_of(const ValueRange& range) {
    if (range.choices) return static_cast<std::int64_t>(range.choices->size());
    if (!range.listed.empty()) return static_cast<std::int64_t>(range.listed.size());
    return checked_add((range.to - range.from) / range.step, 1);
}

std::int64_t value_at(const ValueRange& range, std::int64_t place) {
    if (range.choices) return place;
    return range.listed.empty() ? range.from + place * range.step : range.listed[static_cast<std::size_t>(place)];
}

// One point of a sweep, before it is worked out.
struct Planned {
    std::optional<Architecture> arch;
    Input input;
    PointWants wants;
    std::vector<std::int64_t> values, choices;  // of all ranges, and of those that are no numbers
};

void choose(Planned& planned, const Choices& choices, std::size_t place) {
    switch (choices.of) {
        case Choices::Of::weights:
            planned.input.precision = choices.formats[place];
            break;
        case Choices::Of::cache:
            planned.input.cache = choices.formats[place].rest;
            break;
        case Choices::Of::device:
            planned.wants.pass.device = choices.devices[place];
            break;
    }
}

void change(Planned& planned, const ValueRange& range, std::int64_t place) {
    planned.values.push_back(value_at(range, place));
    if (range.choices) {
        planned.choices.push_back(place);
        choose(planned, *range.choices, static_cast<std::size_t>(place));
    } else if (range.input) {
        planned.input.*range.input->number = planned.values.back();
    } else if (planned.arch) {
        planned.arch = with_number(*std::move(planned.arch), range.field, planned.values.back());
    }
}

std::optional<Error> any_twice(std::span<const ValueRange> ranges) {
    for (std::size_t i = 0; i < ranges.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (ranges[i].key() == ranges[j].key())
                return Error{std::string(ranges[i].key()) + " is varied twice", "--vary", "give one range for it"};
    return std::nullopt;
}

// The nearest value outside of a range that makes a point, on one side of it.
std::optional<std::int64_t> nearest_point(PointMaker& maker, const Architecture& arch, const ValueRange& range,
                                          std::int64_t step) {
    constexpr std::int64_t furthest = 4096;
    const std::int64_t start = step < 0 ? range.from : range.to;
    for (std::int64_t away = 1; away <= furthest; ++away) {
        const std::optional<std::int64_t> value = checked_add(start, away * step);
        if (!value || *value < info(range.field).least) return std::nullopt;
        const std::optional<Architecture> changed = with_number(arch, range.field, *value);
        if (changed && !maker.refusal(*changed) && maker.at(*changed)) return value;
    }
    return std::nullopt;
}

std::string ranges_text(std::span<const ValueRange> ranges) {
    std::string text;
    for (const ValueRange& range : ranges)
        text += (text.empty() ? "" : " with ") + std::string(range.key()) + " in " + range_text(range);
    return text;
}

// `refused`: what is wrong with the input at one of the values, where that is so.
Error no_point(PointMaker& maker, const Architecture& arch, std::span<const ValueRange> ranges, const Sweep& empty,
               const std::optional<Error>& refused) {
    const std::string where = ranges_text(ranges);
    std::string fix;
    if (ranges.size() == 1 && !ranges.front().input && !ranges.front().choices)
        for (std::int64_t step : {-1, 1})
            if (const std::optional<std::int64_t> value = nearest_point(maker, arch, ranges.front(), step))
                fix += (fix.empty() ? "the nearest possible: " : " or ") + std::string(info(ranges.front().field).key) +
                       "=" + std::to_string(*value);
    if (empty.too_large > 0)
        return {"of " + where + " every possible value makes a number that does not fit in 64 bits", "--vary",
                fix.empty() ? "give smaller values" : fix};
    if (refused)
        return {"no value of " + where + " is possible, since " + refused->what, "--vary",
                fix.empty() ? refused->fix : fix};
    return {"no value of " + where + " is possible", "--vary",
            fix.empty() ? "change what it must fit as well, with --set" : fix};
}

}  // namespace

std::optional<std::int64_t> whole_value_of(const SweepPoint& point, Metric metric) {
    switch (metric) {
        case Metric::total:
            return point.parameters.total;
        case Metric::active:
            return point.parameters.active;
        case Metric::weights:
            return point.weights;
        case Metric::cache:
            return point.cache;
        case Metric::cache_per_token:
            return point.cache_per_token;
        case Metric::memory:
            return point.memory;
        case Metric::flops:
            return point.flops;
        default:
            return std::nullopt;
    }
}

std::optional<double> value_of(const SweepPoint& point, Metric metric) {
    if (metric == Metric::seconds) return point.seconds;
    if (point.tokens > 0 && metric == Metric::flops_per_token)
        return static_cast<double>(point.flops) / static_cast<double>(point.tokens);
    if (point.seconds && metric == Metric::tokens_per_second) return tokens_per_second(point.tokens, *point.seconds);
    const std::optional<std::int64_t> whole = whole_value_of(point, metric);
    return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
}

PointWants wants_for(Metric metric, const PassOptions& pass) {
    PointWants wants{metric == Metric::memory, pass};
    const bool of_pass = info(metric).unit == Unit::flops || is_timed(metric);
    if (!of_pass) wants.pass.device.reset();
    return wants;
}

PointMaker::Formulas::Formulas(const Architecture& arch, const Input& input, const PassOptions& pass)
    : Formulas(arch, expand(arch), input, pass) {}

PointMaker::Formulas::Formulas(const Architecture& arch, const ModelGraph& at_once, const Input& input,
                               const PassOptions& pass)
    : of(formula_shape(arch)), totals(at_once), memory(arch, at_once, pass.held(input)) {
    const Input read = input_in(input, pass.phase);
    std::optional<ModelGraph> behind;
    if (read.cached > 0) behind = expand(arch, read);
    const ModelGraph& graph = behind ? *behind : at_once;
    WorkOptions how{.weights = StoredWeights(arch, graph, input.precision),
                    .cache = input.cached_in(),
                    .pairs = pass.pairs,
                    .trained = pass.phase == Phase::training};
    for (const bool absorbed : {false, true}) {
        if (absorbed && !arch.layer.attention.latent) continue;
        how.absorbed = absorbed;
        forms.push_back({flops_formula(graph, how), {}});
        if (pass.roof_for(input)) forms.back().operations = operation_formulas(graph, how);
    }
}

const PointMaker::Formulas& PointMaker::formulas_of(const Architecture& arch) {
    // A recipe looks at how many layers there are, and what is divided at how many heads.
    if (!formulas_ || input_.precision.recipe || wants_.pass.sharding.divided() || formulas_->of != formula_shape(arch))
        formulas_.emplace(arch, input_, wants_.pass);
    return *formulas_;
}

void PointMaker::set_input(const Input& input) {
    // What the cache holds decides which graph it is.
    const auto behind = [&](const Input& each) { return input_in(each, wants_.pass.phase).cached > 0; };
    if (behind(input) != behind(input_)) formulas_.reset();
    input_ = input;
}

std::optional<PointMaker::Refusal> PointMaker::refusal(const Architecture& arch) const {
    if (!possible(arch)) return Refusal::impossible;
    if (!validate(arch, input_).empty()) return Refusal::input;
    if (wrong_sharding(wants_.pass.sharding, arch)) return Refusal::sharding;
    return std::nullopt;
}

// In the form that `pass_of` takes.
Result<PointMaker::PassCosts> PointMaker::pass_at(const Formulas& formulas, const Architecture& arch) const {
    const Bindings values = bindings(arch, input_in(input_, wants_.pass.phase));
    std::optional<PassCosts> best;
    for (const Formulas::Form& form : formulas.forms) {
        const Result<std::int64_t> flops = evaluate(form.flops, values);
        const std::optional<double> seconds = roof_ ? seconds_at(*roof_, form.operations, values) : std::nullopt;
        if (!best && !flops) return flops.error();
        if (!best && roof_ && !seconds)
            return Error{"the traffic does not fit in 64 bits", "compute", "make a dimension smaller"};
        if (!flops || (roof_ && !seconds)) continue;
        if (!best || (roof_ ? *seconds < *best->seconds : *flops < best->flops)) best = PassCosts{*flops, seconds};
    }
    return *best;
}

Result<SweepPoint> PointMaker::at(const Architecture& arch) {
    const Formulas& formulas = formulas_of(arch);
    const Bindings values = bindings(arch, all_at_once(input_));
    const Result<Totals> totals = formulas.totals.at(values);
    if (!totals) return totals.error();
    SweepPoint point;
    point.parameters = *totals;
    for (const auto& [number, formula] :
         {std::pair<std::int64_t*, const Expr*>{&point.cache_per_token, &formulas.memory.cache_per_token_formula()},
          {&point.cache, &formulas.memory.cache_formula()}}) {
        const Result<std::int64_t> value = evaluate(*formula, values);
        if (!value) return value.error();
        *number = *value;
    }
    const Result<PassCosts> pass = pass_at(formulas, arch);
    if (!pass) return pass.error();
    point.flops = pass->flops;
    const Input read = input_in(input_, wants_.pass.phase);
    point.tokens = checked_multiply(read.tokens, read.batch).value_or(0);
    point.seconds = pass->seconds;
    const Result<std::int64_t> bytes = input_.precision.uniform()
                                           ? evaluate(bytes_formula(totals->total, input_.precision.rest), {})
                                           : evaluate(formulas.memory.weights_formula(), values);
    if (!bytes) return bytes.error();
    point.weights = *bytes;
    if (wants_.memory) {
        point.memory = memory_of(arch);
        if (!point.memory) return Error{"the memory does not fit in 64 bits", "memory", "make a dimension smaller"};
    }
    return point;
}

std::optional<std::int64_t> PointMaker::memory_of(const Architecture& arch) {
    return formulas_of(arch).memory.total_on_device(bindings(arch, all_at_once(input_)));
}

std::optional<std::int64_t> PointMaker::amount_of(const Architecture& arch, Metric metric) {
    if (metric == Metric::total) return total_of(arch);
    if (metric == Metric::memory) return memory_of(arch);
    if (metric == Metric::flops) {
        const Result<PassCosts> pass = pass_at(formulas_of(arch), arch);
        return pass ? std::optional(pass->flops) : std::nullopt;
    }
    const Result<SweepPoint> point = at(arch);
    return point ? whole_value_of(*point, metric) : std::nullopt;
}

std::optional<std::int64_t> PointMaker::total_of(const Architecture& arch) {
    const Result<std::int64_t> total = formulas_of(arch).totals.total_at(bindings(arch, input_));
    return total ? std::optional(*total) : std::nullopt;
}

std::optional<AmountFormula> amount_formula(const Architecture& arch, const Input& input, Metric metric,
                                            const PassOptions& options) {
    if (metric == Metric::total) return AmountFormula{total_formula(expand(arch)), bindings(arch, input)};
    if (metric == Metric::memory) {
        const Bindings numbers = bindings(arch, all_at_once(input));
        const Result<Memory> held = memory(arch, expand(arch), numbers, options.held(input));
        if (!held) return std::nullopt;
        // What is there at the moment when the most is.
        const MemoryParts& device = held->device;
        return AmountFormula{device.weights.formula + device.cache.formula + device.states.formula +
                                 device.activations.formula + device.gradients.formula + device.optimizer.formula,
                             numbers};
    }
    if (metric != Metric::flops) return std::nullopt;
    const Result<Pass> pass = pass_of(arch, input, options.phase, options);
    if (!pass) return std::nullopt;
    return AmountFormula{flops_formula(pass->graph, {.pairs = options.pairs,
                                                     .absorbed = pass->work.absorbed,
                                                     .trained = options.phase == Phase::training}),
                         pass->bindings};
}

Result<Sweep> sweep(const Architecture& arch, std::span<const ValueRange> ranges, const Input& input,
                    const PointWants& wants) {
    if (ranges.empty() || ranges.size() > most_varied)
        return Error{grouped(static_cast<std::int64_t>(ranges.size())) + " ranges are more than can be varied at once",
                     "--vary", "vary one thing, two or three"};
    if (std::optional<Error> twice = any_twice(ranges)) return *twice;
    for (const ValueRange& range : ranges)
        if (const std::optional<Error> wrong = wrong_range(range)) return *wrong;
    Sweep result;
    std::optional<std::int64_t> count = 1;
    for (const ValueRange& range : ranges) {
        result.ranges.push_back(range);
        const std::optional<std::int64_t> along = count_of(range);
        count = count && along ? checked_multiply(*count, *along) : std::nullopt;
    }
    if (!count || *count > most_points)
        return Error{(count ? grouped(*count) : "more than 64 bits' worth of") + " points are more than the " +
                         grouped(most_points) + " that a sweep may have",
                     "--vary", "give a larger step"};
    std::map<std::vector<std::int64_t>, PointMaker> makers;  // one for each combination of what is no number
    std::optional<Error> refused;
    for (std::int64_t i = 0; i < *count; ++i) {
        Planned planned{.arch = arch, .input = input, .wants = wants, .values = {}, .choices = {}};
        std::int64_t rest = *count, place = i;
        for (const ValueRange& range : ranges) {
            rest /= *count_of(range);
            change(planned, range, place / rest);
            place %= rest;
        }
        PointMaker& maker = makers.try_emplace(planned.choices, planned.input, planned.wants).first->second;
        maker.set_input(planned.input);
        const std::optional<PointMaker::Refusal> refusal =
            planned.arch ? maker.refusal(*planned.arch) : PointMaker::Refusal::impossible;
        if (refusal) {
            if (refusal == PointMaker::Refusal::input) refused = validate(*planned.arch, planned.input).front();
            if (refusal == PointMaker::Refusal::sharding) refused = wrong_sharding(wants.pass.sharding, *planned.arch);
            ++result.left_out;
            continue;
        }
        Result<SweepPoint> point = maker.at(*planned.arch);
        if (!point) {
            ++result.too_large;
            continue;
        }
        point->values = std::move(planned.values);
        result.points.push_back(std::move(*point));
    }
    if (result.points.empty()) return no_point(makers.begin()->second, arch, ranges, result, refused);
    return result;
}

}  // namespace headcount
