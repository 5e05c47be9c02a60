// Numbers, formats and devices along ranges.
#include "core/analysis/sweep.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/analysis/links.hpp"
#include "core/analysis/parameters.hpp"
#include "core/arch/validate.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"

namespace headcount {

std::optional<std::int64_t> count_of(const ValueRange& range) {
    if (range.choices) return static_cast<std::int64_t>(range.choices->size());
    if (!range.listed.empty()) return static_cast<std::int64_t>(range.listed.size());
    return checked_add((range.to - range.from) / range.step, 1);
}

std::int64_t value_at(const ValueRange& range, std::int64_t place) {
    if (range.choices) return place;
    return range.listed.empty() ? range.from + place * range.step : range.listed[static_cast<std::size_t>(place)];
}

namespace {

// One point of a sweep, before it is worked out.
struct Planned {
    std::optional<Architecture> arch;
    Input input;
    PointWants wants;
    std::vector<std::int64_t> values, choices;  // of all ranges, and of those that are no numbers
    std::optional<std::int64_t> devices;        // where they are varied, or all points have as many
};

void choose(Planned& planned, const Choices& choices, std::size_t place) {
    switch (choices.of) {
        case Choices::Of::weights:
            if (choices.formats[place]) planned.input.precision = *choices.formats[place];
            break;
        case Choices::Of::cache:
            if (choices.formats[place]) planned.input.cache = choices.formats[place]->rest;
            break;
        case Choices::Of::device:
            planned.wants.pass.device = choices.devices[place];
            if (choices.devices[place].price) planned.wants.pass.price = choices.devices[place].price;
            break;
        case Choices::Of::link: planned.wants.pass.link = choices.speeds[place].bytes; break;
        case Choices::Of::devices: planned.devices = choices.counts[place]; break;
        default: planned.wants.pass.sharding.*counted_as(choices.of) = choices.counts[place];
    }
}

// Groups of another size are as many as before, where no number of devices is said.
void count_devices(Planned& planned, const Sharding& before) {
    Sharding& sharding = planned.wants.pass.sharding;
    sharding.devices = planned.devices.value_or(devices_of(sharding, before.data()).value_or(sharding.devices));
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

// Each place once, as `before` goes from 0 to `count`: which of the points is worked out when so many others are. Those
// with as many layers stand one behind the other, since where layers differ each number of them has formulas of its
// own.
std::int64_t next_place(std::span<const ValueRange> ranges, std::int64_t count, std::int64_t before) {
    std::int64_t behind = count;  // points for each value of a range and of those before it
    for (const ValueRange& range : ranges) {
        const std::int64_t along = *count_of(range);
        behind /= along;
        if (range.input || range.choices || range.field != Field::layers) continue;
        const std::int64_t others = count / along, layers = before / others, other = before % others;
        return (other / behind * along + layers) * behind + other % behind;
    }
    return before;
}

}  // namespace

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
                     "--vary", "give a larger step, as in 1..64k:1k, or powers, as in 1..64k:x2"};
    std::map<std::vector<std::int64_t>, PointMaker> makers;  // one for each combination of what is no number
    std::vector<std::pair<std::int64_t, SweepPoint>> found;
    std::optional<Error> refused;
    std::int64_t last_refused = -1;
    for (std::int64_t i = 0; i < *count; ++i) {
        Planned planned{
            .arch = arch, .input = input, .wants = wants, .values = {}, .choices = {}, .devices = wants.devices};
        const std::int64_t which = next_place(ranges, *count, i);
        std::int64_t rest = *count, place = which;
        for (const ValueRange& range : ranges) {
            rest /= *count_of(range);
            change(planned, range, place / rest);
            place %= rest;
        }
        count_devices(planned, wants.pass.sharding);
        PointMaker& maker = makers.try_emplace(planned.choices, planned.input, planned.wants).first->second;
        maker.set_input(planned.input);
        const std::optional<PointMaker::Refusal> refusal =
            planned.arch ? maker.refusal(*planned.arch) : PointMaker::Refusal::impossible;
        if (refusal) {
            ++result.left_out;
            if (refusal == PointMaker::Refusal::impossible || which < last_refused) continue;
            last_refused = which;
            if (refusal == PointMaker::Refusal::input) refused = validate(*planned.arch, planned.input).front();
            if (refusal == PointMaker::Refusal::held) {
                refused = wrong_context(planned.wants.pass.sharding, *planned.arch, planned.input);
                if (!refused) refused = wrong_options(planned.wants.pass.held(planned.input), *planned.arch);
            }
            continue;
        }
        Result<SweepPoint> point = maker.at(*planned.arch);
        if (!point) {
            ++result.too_large;
            continue;
        }
        point->values = std::move(planned.values);
        found.emplace_back(which, *std::move(point));
    }
    std::ranges::sort(found, {}, &std::pair<std::int64_t, SweepPoint>::first);
    for (auto& [which, point] : found) result.points.push_back(std::move(point));
    if (result.points.empty()) return no_point(makers.begin()->second, arch, ranges, result, refused);
    return result;
}

}  // namespace headcount
