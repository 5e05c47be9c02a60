// One or two numbers of an architecture along a range.
#include "core/analysis/sweep.hpp"

#include "core/analysis/arithmetic.hpp"
#include "core/analysis/memory.hpp"
#include "core/analysis/parameters.hpp"
#include "core/arch/validate.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

std::string range_text(const ValueRange& range) {
    std::string text = std::to_string(range.from) + ".." + std::to_string(range.to);
    return range.step == 1 ? text : text + ":" + std::to_string(range.step);
}

std::optional<std::int64_t> count_of(const ValueRange& range) {
    return checked_add((range.to - range.from) / range.step, 1);
}

std::optional<Architecture> with_value(const Architecture& arch, Field field, std::int64_t value) {
    Result<Architecture> changed = with_field(arch, field, std::to_string(value));
    return changed ? std::optional(std::move(*changed)) : std::nullopt;
}

// The nearest possible value outside of a range, on one side of it.
std::optional<std::int64_t> nearest_possible(const Architecture& arch, const ValueRange& range, std::int64_t step) {
    constexpr std::int64_t furthest = 4096;
    const std::int64_t start = step < 0 ? range.from : range.to;
    for (std::int64_t away = 1; away <= furthest; ++away) {
        const std::optional<std::int64_t> value = checked_add(start, away * step);
        if (!value || *value < info(range.field).least) return std::nullopt;
        const std::optional<Architecture> changed = with_value(arch, range.field, *value);
        if (changed && possible(*changed)) return value;
    }
    return std::nullopt;
}

Error nothing_possible(const Architecture& arch, std::span<const ValueRange> ranges) {
    const ValueRange& range = ranges.front();
    const std::string key(info(range.field).key);
    std::string fix;
    if (ranges.size() == 1)
        for (std::int64_t step : {-1, 1})
            if (const std::optional<std::int64_t> value = nearest_possible(arch, range, step))
                fix += (fix.empty() ? "the nearest possible: " : " or ") + key + "=" + std::to_string(*value);
    return {"no value of " + key + " in " + range_text(range) + " is possible", "--vary",
            fix.empty() ? "change what it must fit as well, with --set" : fix};
}

}  // namespace

Result<Field> number_field(std::string_view key) {
    std::vector<std::string_view> keys;
    for (const FieldInfo& field : fields()) {
        if (field.kind == FieldKind::number) keys.push_back(field.key);
        if (field.key != key) continue;
        if (field.kind == FieldKind::number) return field.field;
        return Error{std::string(key) + " is no number", "--vary", "vary a number, such as layers=1..64"};
    }
    const std::string nearest = did_you_mean(nearest_names(key, keys));
    return Error{"unknown field \"" + std::string(key) + "\"", "--vary",
                 nearest.empty() ? "vary a number, such as layers=1..64" : nearest};
}

Result<ValueRange> parse_range(std::string_view text) {
    const std::size_t equals = text.find('='), dots = text.find("..");
    if (equals == std::string_view::npos || dots == std::string_view::npos || dots < equals)
        return Error{"\"" + std::string(text) + "\" is no range", "--vary",
                     "write it as key=FROM..TO or key=FROM..TO:STEP, such as layers=8..64:8"};
    Result<Field> field = number_field(text.substr(0, equals));
    if (!field) return field.error();
    ValueRange range{*field};
    const std::size_t colon = text.find(':', dots);
    const std::string_view from = text.substr(equals + 1, dots - equals - 1);
    const std::string_view to = text.substr(dots + 2, colon == std::string_view::npos ? colon : colon - dots - 2);
    const std::string_view step = colon == std::string_view::npos ? "1" : text.substr(colon + 1);
    const std::int64_t least = info(*field).least;
    for (const auto& [number, word, smallest] :
         {std::tuple<std::int64_t*, std::string_view, std::int64_t>{&range.from, from, least},
          {&range.to, to, least},
          {&range.step, step, 1}}) {
        Result<std::int64_t> value = parse_whole_number(word, "--vary", smallest);
        if (!value) return value.error();
        *number = *value;
    }
    if (range.from > range.to)
        return Error{"the range " + std::string(text) + " runs backwards", "--vary",
                     "write it as " + std::string(info(*field).key) + "=" +
                         range_text({*field, range.to, range.from, range.step})};
    return range;
}

PointMaker::Formulas::Formulas(const Architecture& arch, const Input& input) : of(arch), totals(ModelGraph{}) {
    const ModelGraph graph = expand(arch, input.cached > 0 ? Cache::filled : Cache::empty);
    totals = TotalFormulas(graph);
    MemoryOptions options;
    options.weights = options.cache = input.precision;
    const MemoryFormulas memory(arch, graph, options);
    cache_per_token = memory.cache_per_token_formula();
    cache = memory.cache_formula();
    flops = flops_formula(graph);
    if (input.precision == Precision::int4) weights.push_back(memory.weights_formula());
}

const PointMaker::Formulas& PointMaker::formulas_of(const Architecture& arch) {
    if (!formulas_ || !same_formulas(formulas_->of, arch)) formulas_.emplace(arch, input_);
    return *formulas_;
}

std::optional<SweepPoint> PointMaker::at(const Architecture& arch) {
    if (!possible(arch) || !validate(arch, input_).empty()) return std::nullopt;
    const Formulas& formulas = formulas_of(arch);
    const Bindings values = bindings(arch, input_);
    const Result<Totals> totals = formulas.totals.at(values);
    if (!totals) return std::nullopt;
    SweepPoint point;
    point.parameters = *totals;
    for (const auto& [number, formula] :
         {std::pair<std::int64_t*, const Expr*>{&point.cache_per_token, &formulas.cache_per_token},
          {&point.cache, &formulas.cache},
          {&point.flops, &formulas.flops}}) {
        const Result<std::int64_t> value = evaluate(*formula, values);
        if (!value) return std::nullopt;
        *number = *value;
    }
    const Expr weights =
        formulas.weights.empty() ? bytes_formula(totals->total, input_.precision) : formulas.weights.front();
    const Result<std::int64_t> bytes = evaluate(weights, values);
    if (!bytes) return std::nullopt;
    point.weights = *bytes;
    return point;
}

std::optional<std::int64_t> PointMaker::total_of(const Architecture& arch) {
    const Result<Totals> totals = formulas_of(arch).totals.at(bindings(arch, input_));
    return totals ? std::optional(totals->total) : std::nullopt;
}

Result<Sweep> sweep(const Architecture& arch, std::span<const ValueRange> ranges, const Input& input) {
    if (ranges.empty() || ranges.size() > 2)
        return Error{grouped(static_cast<std::int64_t>(ranges.size())) + " ranges are no line and no plane", "--vary",
                     "vary one field or two"};
    Sweep result;
    std::optional<std::int64_t> count = 1;
    for (const ValueRange& range : ranges) {
        result.fields.push_back(range.field);
        const std::optional<std::int64_t> along = count_of(range);
        count = count && along ? checked_multiply(*count, *along) : std::nullopt;
    }
    if (!count || *count > most_points)
        return Error{(count ? grouped(*count) : "more than 64 bits' worth of") + " points are more than the " +
                         grouped(most_points) + " that a sweep may have",
                     "--vary", "give a larger step"};
    PointMaker maker(input);
    for (std::int64_t i = 0; i < *count; ++i) {
        std::optional<Architecture> changed = arch;
        std::vector<std::int64_t> values;
        const std::int64_t inner = *count_of(ranges.back());
        for (std::size_t r = 0; r < ranges.size(); ++r) {
            const std::int64_t place = r + 1 < ranges.size() ? i / inner : i % inner;
            values.push_back(ranges[r].from + place * ranges[r].step);
            if (changed) changed = with_value(*changed, ranges[r].field, values.back());
        }
        std::optional<SweepPoint> point = changed ? maker.at(*changed) : std::nullopt;
        if (!point) {
            ++result.left_out;
            continue;
        }
        point->values = std::move(values);
        result.points.push_back(std::move(*point));
    }
    if (result.points.empty()) return nothing_possible(arch, ranges);
    return result;
}

}  // namespace headcount
