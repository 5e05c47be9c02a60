// Steps that keep an architecture possible, and the ranges of a sweep: as they are typed, what is wrong with them,
// which one is suggested.
#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/analysis/amount_text.hpp"
#include "core/analysis/sweep.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

// What published widths are multiples of: what matrix units are fast with.
std::int64_t usual_multiple(Field field) {
    constexpr std::pair<Field, std::int64_t> multiples[] = {
        {Field::ffn_dim, 256},        {Field::dim, 128},          {Field::embedding_dim, 128},
        {Field::expert_dim, 128},     {Field::vocab, 128},        {Field::context, 128},
        {Field::window, 128},         {Field::kv_rank, 64},       {Field::query_rank, 64},
        {Field::ffn_multiple_of, 32}, {Field::head_dim, 16},      {Field::nope_dim, 16},
        {Field::value_dim, 16},       {Field::rotary_dim, 2},     {Field::rope_dim, 2},
        {Field::state_dim, 16},       {Field::state_head_dim, 16}};
    for (const auto& [each, multiple] : multiples)
        if (each == field) return multiple;
    return 1;
}

constexpr std::int64_t furthest = 1024;  // multiples away

// What the field can be at most beside the others.
std::int64_t most_of(const Architecture& arch, Field field) {
    switch (field) {
        case Field::heads: return arch.layer.attention.head_dim || arch.layer.attention.latent ? INT64_MAX : arch.dim;
        case Field::kv_heads: return arch.layer.attention.heads;
        case Field::state_groups: return arch.layer.recurrence ? arch.layer.recurrence->heads : 1;
        case Field::experts_per_token: return arch.layer.mixture ? arch.layer.mixture->experts : 1;
        case Field::rotary_dim: return bindings(arch, Input{})[Symbol::head_dim].value_or(1);
        default: return INT64_MAX;
    }
}

}  // namespace

std::int64_t kept_multiple(Field field, std::int64_t value) {
    return value < 1 ? 1 : std::gcd(value, usual_multiple(field));
}

std::optional<Architecture> with_number(Architecture arch, Field field, std::int64_t value) {
    if (value < info(field).least) return std::nullopt;
    Result<Architecture> changed = with_field(std::move(arch), field, std::to_string(value));
    return changed ? std::optional(std::move(*changed)) : std::nullopt;
}

std::optional<std::int64_t> next_possible(const PointMaker& maker, const Architecture& arch, Field field,
                                          std::int64_t multiple, bool up) {
    const std::optional<std::int64_t> now = field_number(arch, field);
    if (!now || !checked_add(*now, multiple)) return std::nullopt;
    const std::int64_t most = up ? most_of(arch, field) : INT64_MAX;
    const std::int64_t first = up ? *now / multiple + 1 : (*now + multiple - 1) / multiple - 1;
    for (std::int64_t i = 0; i < furthest; ++i) {
        const std::optional<std::int64_t> place = checked_add(first, up ? i : -i);
        const std::optional<std::int64_t> value = place ? checked_multiply(*place, multiple) : std::nullopt;
        if (!value || *value < info(field).least || *value > most) return std::nullopt;
        const std::optional<Architecture> changed = with_number(arch, field, *value);
        if (changed && !maker.refusal(*changed)) return value;
    }
    return std::nullopt;
}

std::string value_text(const ValueRange& range, std::int64_t value) {
    if (!range.choices) return std::to_string(value);
    const Choices& choices = *range.choices;
    const auto place = static_cast<std::size_t>(value);
    if (choices.counts_devices()) return std::to_string(choices.counts[place]);
    if (choices.of == Choices::Of::device) return choices.devices[place].id;
    if (choices.of == Choices::Of::link) return choices.speeds[place].typed;
    const std::optional<Formats>& format = choices.formats[place];
    if (!format) return std::string(Choices::as_stored);
    return choices.of == Choices::Of::cache ? precision_text(format->rest) : formats_text(*format);
}

std::string range_text(const ValueRange& range) {
    if (range.choices) {
        std::string all;
        for (std::size_t i = 0; i < range.choices->size(); ++i)
            all += (i > 0 ? "," : "") + value_text(range, static_cast<std::int64_t>(i));
        return all;
    }
    if (!range.listed.empty())
        return listed(
            range.listed, [](std::int64_t value) { return std::to_string(value); }, ",");
    std::string text = std::to_string(range.from) + ".." + std::to_string(range.to);
    return range.step == 1 ? text : text + ":" + std::to_string(range.step);
}

Result<Field> number_field(std::string_view key, std::string_view fix, std::span<const std::string_view> also) {
    std::vector<std::string_view> keys(also.begin(), also.end());
    for (const FieldInfo& field : fields()) {
        if (field.kind == FieldKind::number) keys.push_back(field.key);
        if (field.key != key) continue;
        if (field.kind == FieldKind::number) return field.field;
        return Error{std::string(key) + " is no number", "--vary", std::string(fix)};
    }
    const std::optional<Field> called = field_called(key);
    const bool number = called && info(*called).kind == FieldKind::number;
    return Error{"unknown field " + quote(key), "--vary",
                 number ? "did you mean " + std::string(info(*called).key) + "?" : did_you_mean(key, keys, fix)};
}

namespace {

constexpr std::string_view a_number = "vary a number, such as layers=1..64";

// The field or the number of the input that is varied, and nothing of its values; of what is neither the nearest is
// said, of these and of choices.
Result<ValueRange> range_of(std::string_view key, std::span<const std::string_view> choices) {
    const auto input = std::ranges::find_if(input_numbers, [&](const InputNumber& each) { return each.called(key); });
    if (input != input_numbers.end()) return ValueRange{.field = Field::layers, .input = *input};
    std::vector<std::string_view> also(choices.begin(), choices.end());
    for (const InputNumber& each : input_numbers) also.push_back(each.key);
    const Result<Field> field = number_field(key, a_number, also);
    if (!field) return field.error();
    return ValueRange{.field = *field};
}

std::optional<Error> read_list(std::string_view text, ValueRange& range) {
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(','));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        const Result<std::int64_t> value = parse_length(word, "--vary", range.least());
        if (!value) return value.error();
        range.listed.push_back(*value);
    }
    return std::nullopt;
}

Error no_range(std::string_view text) {
    return {quote(text) + " is no range", "--vary",
            "write it as key=FROM..TO, key=FROM..TO:STEP, key=FROM..TO:x2 or key=1,2,4, such as layers=8..64:8"};
}

// "1..64:x2" as 1, 2, 4, ... 64.
std::optional<Error> read_powers(std::string_view factor, ValueRange& range) {
    const Result<std::int64_t> times = parse_whole_number(factor, "--vary", 2);
    if (!times) return times.error();
    for (std::optional<std::int64_t> value = std::max<std::int64_t>(1, range.from); value && *value <= range.to;
         value = checked_multiply(*value, *times))
        range.listed.push_back(*value);
    return std::nullopt;
}

// "8..64:8", "1..64:x2", "1,2,4": behind the key.
std::optional<Error> read_values(std::string_view text, ValueRange& range) {
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) return read_list(text, range);
    const std::size_t colon = text.find(':', dots);
    const std::string_view from = text.substr(0, dots);
    const std::string_view to = text.substr(dots + 2, colon == std::string_view::npos ? colon : colon - dots - 2);
    std::string_view step = colon == std::string_view::npos ? "1" : text.substr(colon + 1);
    if (from.empty() || to.empty() || step.empty()) return no_range(std::string(range.key()) + "=" + std::string(text));
    const std::string_view factor = step.starts_with('x') ? step.substr(1) : std::string_view();
    if (!factor.empty()) step = "1";
    for (const auto& [number, word, smallest] :
         {std::tuple<std::int64_t*, std::string_view, std::int64_t>{&range.from, from, range.least()},
          {&range.to, to, range.least()},
          {&range.step, step, 1}}) {
        Result<std::int64_t> value = parse_length(word, "--vary", smallest);
        if (!value) return value.error();
        *number = *value;
    }
    if (std::optional<Error> wrong = wrong_range(range)) return wrong;
    return factor.empty() ? std::nullopt : read_powers(factor, range);
}

Result<ValueRange> read_range(std::string_view text, std::span<const std::string_view> choices) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals + 1 == text.size() || text.find("..") < equals)
        return no_range(text);
    Result<ValueRange> range = range_of(text.substr(0, equals), choices);
    if (!range) return range;
    if (std::optional<Error> wrong = read_values(text.substr(equals + 1), *range)) return *wrong;
    return range;
}

// "h100", "mem=80GB,bw=3.35TB/s": the first of several devices, up to the id of the next or its memory.
std::string_view first_device(std::string_view text) {
    std::size_t end = text.find(',');
    if (text.substr(0, end).find('=') == std::string_view::npos) return text.substr(0, end);
    bool memory = false;
    for (std::size_t begin = 0; begin < text.size(); begin = end + 1) {
        end = std::min(text.find(',', begin), text.size());
        const std::string_view part = text.substr(begin, end - begin);
        const bool has = lower(part).starts_with("mem=");
        if (part.find('=') == std::string_view::npos || (has && memory)) return text.substr(0, begin - 1);
        memory = memory || has;
    }
    return text;
}

// "bf16,int8,int4", "h100,a100", "100GB/s,400Gb/s"; formats by kind have commas of their own, and stand alone.
Result<ValueRange> read_choices(Choices::Of of, std::string_view text, const DeviceReader& read_device) {
    ValueRange range{.field = Field::layers, .choices = Choices{.of = of}};
    if (range.choices->counts_devices()) {
        ValueRange counts{.field = Field::layers, .input = InputNumber{range.key(), range.key(), nullptr, 1}};
        if (std::optional<Error> wrong = read_values(text, counts)) return *wrong;
        const std::optional<std::int64_t> all = count_of(counts);
        if (!all || *all > most_points)
            return Error{"so many numbers of devices are more than a sweep may have", "--vary", "give fewer"};
        for (std::int64_t i = 0; i < *all; ++i) range.choices->counts.push_back(value_at(counts, i));
        return range;
    }
    const bool by_kind = of == Choices::Of::weights && text.find('=') != std::string_view::npos;
    while (!text.empty()) {
        const std::string_view word = by_kind                     ? text
                                      : of == Choices::Of::device ? first_device(text)
                                                                  : text.substr(0, text.find(','));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        if (of == Choices::Of::device) {
            Result<Device> device = read_device(word);
            if (!device) return device.error();
            range.choices->devices.push_back(*std::move(device));
        } else if (of == Choices::Of::link) {
            const Result<double> bytes = parse_bandwidth(word, "--vary");
            if (!bytes) return bytes.error();
            range.choices->speeds.push_back({std::string(word), *bytes});
        } else if (word == Choices::as_stored) {
            range.choices->formats.emplace_back();
        } else if (of == Choices::Of::cache) {
            const Result<Precision> precision = parse_precision(word, "--vary");
            if (!precision) return precision.error();
            range.choices->formats.emplace_back(*precision);
        } else {
            Result<Formats> formats = parse_formats(word, "--vary");
            if (!formats) return formats.error();
            range.choices->formats.push_back(*std::move(formats));
        }
    }
    return range;
}

}  // namespace

std::int64_t Sharding::*counted_as(Choices::Of of) {
    assert(of >= Choices::Of::devices);
    constexpr std::array counts{&Sharding::devices, &Sharding::tensor, &Sharding::pipeline, &Sharding::context,
                                &Sharding::expert};
    return counts[static_cast<std::size_t>(of) - static_cast<std::size_t>(Choices::Of::devices)];
}

Result<ValueRange> parse_range(std::string_view text) {
    const std::string_view key = text.substr(0, text.find('='));
    if (Choices::called(key)) return Error{std::string(key) + " is no number", "--vary", std::string(a_number)};
    return read_range(text, {});
}

Result<ValueRange> parse_varied(std::string_view text, const DeviceReader& read_device) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::optional<Choices::Of> of = Choices::called(text.substr(0, equals));
    if (!of || equals + 1 >= text.size()) return read_range(text, Choices::keys);
    return read_choices(*of, text.substr(equals + 1), read_device);
}

std::optional<Error> wrong_range(const ValueRange& range) {
    if (range.choices) return std::nullopt;
    const std::string key(range.key());
    if (!range.input && info(range.field).kind != FieldKind::number)
        return Error{key + " is no number", "--vary", std::string(a_number)};
    if (range.step < 1)
        return Error{"steps of " + std::to_string(range.step) + " lead nowhere", "--vary", "give at least 1"};
    if (range.from > range.to) {
        ValueRange turned = range;
        std::swap(turned.from, turned.to);
        return Error{"the range " + key + "=" + range_text(range) + " runs backwards", "--vary",
                     "write it as " + key + "=" + range_text(turned)};
    }
    for (const std::int64_t first : range.listed.empty() ? std::vector{range.from} : range.listed)
        if (first < range.least())
            return Error{key + "=" + std::to_string(first) + " is too small", "--vary",
                         "begin at " + std::to_string(range.least())};
    return std::nullopt;
}

ValueRange suggested_range(const Architecture& arch, Field field) {
    constexpr std::int64_t most_suggested = 64;
    const std::int64_t now = std::min(field_number(arch, field).value_or(1), INT64_MAX / 4);
    const std::int64_t unit = kept_multiple(field, now);
    // Half of it to twice as much; of few all.
    const std::int64_t from = std::max(unit, now / 2 / unit * unit), to = std::max(8 * unit, 2 * now / unit * unit);
    const std::int64_t step = std::max<std::int64_t>(1, (to - from) / unit / most_suggested) * unit;
    return {.field = field, .from = from > now ? now : now - (now - from) / step * step, .to = to, .step = step};
}

ValueRange suggested_range(const Input& input, const InputNumber& number) {
    constexpr std::int64_t times = 32, of_none = 1024;
    const std::int64_t now = std::min(input.*number.number, INT64_MAX / times);
    const std::int64_t step = now > 0 ? now : of_none;
    return {
        .field = Field::layers, .from = std::max(number.least, now), .to = times * step, .step = step, .input = number};
}

ValueRange suggested_range(Choices::Of of, const Input& input, const PassOptions& pass,
                           std::span<const Device> devices) {
    constexpr std::ptrdiff_t several = 6;
    ValueRange range{.field = Field::layers, .choices = Choices{.of = of}};
    if (of == Choices::Of::device) {
        const auto own = pass.device ? std::ranges::find(devices, pass.device->id, &Device::id) : devices.begin();
        const auto last = own + std::min(several, devices.end() - own);
        range.choices->devices.assign(last - std::min(several, last - devices.begin()), last);
    }
    if (of > Choices::Of::cache) return range;
    std::vector<std::optional<Formats>>& formats = range.choices->formats;
    const Formats own = of == Choices::Of::weights ? input.precision : Formats(input.cached_in());
    // One for each kind of tensors stands alone where it is written.
    if (formats_text(own).find(',') == std::string::npos) formats.emplace_back(own);
    for (const Precision each : {Precision::bf16, Precision::fp8, Precision::int8, Precision::int4})
        if (own != Formats(each)) formats.emplace_back(each);
    return range;
}

namespace {

template <class List, class Value>
std::optional<std::int64_t> place_of(const List& list, const Value& value) {
    const auto found = std::ranges::find(list, value);
    return found == list.end() ? std::nullopt : std::optional<std::int64_t>(found - list.begin());
}

std::optional<std::int64_t> place_of(const Choices& choices, const Input& input, const PassOptions& pass) {
    switch (choices.of) {
        case Choices::Of::weights: return place_of(choices.formats, std::optional(input.precision));
        case Choices::Of::cache: return place_of(choices.formats, std::optional(Formats(input.cached_in())));
        case Choices::Of::device: return pass.device ? place_of(choices.devices, *pass.device) : std::nullopt;
        case Choices::Of::link: {
            const auto own = std::ranges::find(choices.speeds, pass.link, &Choices::Speed::bytes);
            return own == choices.speeds.end() ? std::nullopt
                                               : std::optional<std::int64_t>(own - choices.speeds.begin());
        }
        default: return place_of(choices.counts, pass.sharding.*counted_as(choices.of));
    }
}

}  // namespace

std::optional<std::int64_t> number_of(const ValueRange& range, const Architecture& arch, const Input& input,
                                      const PassOptions& pass) {
    if (range.choices) return place_of(*range.choices, input, pass);
    return range.input ? std::optional(input.*range.input->number) : field_number(arch, range.field);
}

}  // namespace headcount
