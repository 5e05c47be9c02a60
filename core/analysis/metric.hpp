// What of an architecture a sweep draws, sensitivity sorts by and a search holds, and along which values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/arch/fields.hpp"
#include "core/arch/input.hpp"

namespace headcount {

enum class Metric {
    total,              // parameters
    active,             // those that a token passes
    weights,            // bytes
    cache,              // bytes of keys and values, of all sequences
    cache_per_token,    // bytes, of one sequence
    states,             // bytes of what is as large for any number of tokens, of all sequences
    memory,             // bytes of inference: weights, cache and the most activations at once
    flops,              // of one pass over the tokens
    seconds,            // of that pass at a device's roof: a bound
    flops_per_token,    // of a pass, for each token that it reads or makes
    tokens_per_second,  // at that roof: a bound
    likely_seconds,     // of that pass, by measurements of others
    first_token,        // seconds until each of the batch has its first token: a prefill, a bound
    next_token,         // seconds from a token of each to the next: a decoding step, a bound
    likely_first,       // both by measurements of others
    likely_next,
    rate_for_one,     // tokens a second that each of the batch gets: a bound
    rate_for_all,     // that all of them get together, those of other copies too
    longest_context,  // tokens of each sequence whose memory there is room for
    largest_batch,    // sequences, likewise
    price,            // of a million tokens at the roof, where an hour of a device has one: a bound
};

enum class Unit { parameters, bytes, flops, seconds, tokens_per_second, tokens, sequences, price };

// How a figure follows from another.
enum class FigureFrom {
    itself,
    rate,          // the pass's tokens by its seconds
    rate_for_one,  // one token by the seconds of a decoding step
    rate_for_all,  // one of each sequence of all copies
    context,       // the most tokens of each sequence whose memory there is room for
    batch,         // the most sequences
};

struct MetricInfo {
    Metric metric;
    std::string_view key;    // "kv_cache": in tables, files and flags
    std::string_view label;  // "KV cache": on the screen
    Unit unit;
    FigureFrom from = FigureFrom::itself;
    std::optional<Metric> follows = {};  // from which figure
    std::string_view also = {};          // another key
    std::optional<Metric> bound = {};    // of what is likely, by measurements: what it is no less than

    bool called(std::string_view name) const { return name == key || (!also.empty() && name == also); }
};

// In the order of the enumeration.
inline constexpr std::array<MetricInfo, 21> metrics{{
    {Metric::total, "total", "Parameters", Unit::parameters},
    {Metric::active, "active", "Active parameters", Unit::parameters},
    {Metric::weights, "weights", "Weights", Unit::bytes},
    {Metric::cache, "kv_cache", "KV cache", Unit::bytes},
    {Metric::cache_per_token, "kv_cache_per_token", "KV cache per token", Unit::bytes},
    {Metric::states, "states", "States", Unit::bytes},
    {Metric::memory, "memory", "Memory", Unit::bytes},
    {Metric::flops, "flops", "FLOPs of a pass", Unit::flops},
    {Metric::seconds, "seconds", "Time at the roof", Unit::seconds},
    {Metric::flops_per_token, "flops_per_token", "FLOPs per token", Unit::flops},
    {Metric::tokens_per_second, "tokens_per_second", "Tokens a second", Unit::tokens_per_second, FigureFrom::rate,
     Metric::seconds},
    {Metric::likely_seconds,
     "likely_seconds",
     "Likely time",
     Unit::seconds,
     FigureFrom::itself,
     {},
     {},
     Metric::seconds},
    {Metric::first_token, "time_to_first_token", "Time to first token", Unit::seconds},
    {Metric::next_token, "time_per_token", "Time per token", Unit::seconds},
    {Metric::likely_first,
     "likely_time_to_first_token",
     "Likely time to first token",
     Unit::seconds,
     FigureFrom::itself,
     {},
     {},
     Metric::first_token},
    {Metric::likely_next,
     "likely_time_per_token",
     "Likely time per token",
     Unit::seconds,
     FigureFrom::itself,
     {},
     {},
     Metric::next_token},
    {Metric::rate_for_one, "tokens_per_second_for_one", "Tokens a second, one user", Unit::tokens_per_second,
     FigureFrom::rate_for_one, Metric::next_token},
    {Metric::rate_for_all, "tokens_per_second_for_all", "Tokens a second, all users", Unit::tokens_per_second,
     FigureFrom::rate_for_all, Metric::next_token},
    {Metric::longest_context, "longest_context", "Longest context", Unit::tokens, FigureFrom::context, Metric::memory},
    {Metric::largest_batch, "largest_batch", "Largest batch", Unit::sequences, FigureFrom::batch, Metric::memory,
     "users"},
    {Metric::price, "price", "Price of 1 M tokens", Unit::price},
}};

constexpr const MetricInfo& info(Metric metric) { return metrics[static_cast<std::size_t>(metric)]; }

// What it follows from, or else itself.
constexpr Metric source_of(Metric metric) { return info(metric).follows.value_or(metric); }

// Whether it hangs on how fast a device is.
constexpr bool is_timed(Metric metric) {
    const Unit unit = info(metric).unit;
    return unit == Unit::seconds || unit == Unit::tokens_per_second || unit == Unit::price;
}

// Whether it is of the prefill and the decode, whichever pass is meant.
constexpr bool is_served(Metric metric) {
    const Metric of = info(metric).bound.value_or(metric);
    return of == Metric::first_token || source_of(of) == Metric::next_token;
}

// Whether measurements say it.
constexpr bool is_likely(Metric metric) { return info(metric).bound.has_value(); }

// Of which pass it is, where another one may be meant.
constexpr Phase phase_of(Metric metric, Phase meant) {
    if (!is_served(metric)) return meant;
    return info(metric).bound.value_or(metric) == Metric::first_token ? Phase::prefill : Phase::decode;
}

// Whether it hangs on how much memory there is.
constexpr bool is_room(Metric metric) {
    return info(metric).unit == Unit::tokens || info(metric).unit == Unit::sequences;
}

// Whether it is said only where a device is.
constexpr bool needs_device(Metric metric) { return is_timed(metric) || is_room(metric); }

// Whether it hangs on how many bytes the weights take: on what they hold, what is left, and how long they are read.
constexpr bool hangs_on_weights(Metric metric) {
    return metric == Metric::weights || metric == Metric::memory || needs_device(metric);
}

// Whether one model is the better for having more of it: parameters, speed, room.
constexpr bool better_with_more(Metric metric) {
    return info(metric).from != FigureFrom::itself || info(metric).unit == Unit::parameters;
}

// A number of the input that a sweep can vary in a field's place.
struct InputNumber {
    std::string_view key, label;  // "cached", and on the screen "Cached tokens"
    std::int64_t Input::*number;
    std::int64_t least;
    std::string_view also = {};  // another key: "users", who send the sequences

    bool called(std::string_view name) const { return name == key || (!also.empty() && name == also); }
    bool operator==(const InputNumber&) const = default;
};
inline constexpr std::array<InputNumber, 4> input_numbers{{{"tokens", "Tokens", &Input::tokens, 1},
                                                           {"source", "Source tokens", &Input::source, 1},
                                                           {"batch", "Batch", &Input::batch, 1, "users"},
                                                           {"cached", "Cached tokens", &Input::cached, 0}}};

// What a sweep can vary that is no number of the model or its input: how weights and cache are stored, which device it
// is, what it sends a second, how many of them, and how they divide the model.
struct Choices {
    enum class Of { weights, cache, device, link, devices, tensor, pipeline, context, expert };
    struct Speed {
        std::string typed;
        double bytes = 0;  // a second
        bool operator==(const Speed&) const = default;
    };
    Of of = Of::weights;
    std::vector<std::optional<Formats>> formats = {};  // of weights, absent: as they are stored; and of the cache
    std::vector<Device> devices = {};
    std::vector<Speed> speeds = {};         // of links
    std::vector<std::int64_t> counts = {};  // of devices, in all or in each group

    bool counts_devices() const { return of >= Of::devices; }
    std::size_t size() const {
        return of == Of::device   ? devices.size()
               : of == Of::link   ? speeds.size()
               : counts_devices() ? counts.size()
                                  : formats.size();
    }
    std::string_view key() const { return keys[static_cast<std::size_t>(of)]; }
    std::string_view label() const { return labels[static_cast<std::size_t>(of)]; }
    bool operator==(const Choices&) const = default;

    static constexpr std::array<std::string_view, 9> keys{
        "dtype", "kv_dtype", "device", "link", "devices", "tensor", "pipeline", "context_parallel", "expert_parallel"};
    static constexpr std::array<std::string_view, 9> labels{
        "Weights' format", "Cache's format",  "Device",           "Link",           "Devices",
        "Tensor parallel", "Pipeline stages", "Context parallel", "Expert parallel"};
    static constexpr std::array<std::string_view, 9> also{"", "kv-dtype", "hardware", "", "", "", "", "", ""};
    static constexpr std::string_view as_stored = "file";  // a format's name
    static std::optional<Of> called(std::string_view key) {
        for (std::size_t i = 0; i < keys.size(); ++i)
            if (key == keys[i] || (!also[i].empty() && key == also[i])) return static_cast<Of>(i);
        return std::nullopt;
    }
};

// The values that one number takes in a sweep: from, from + step, ... up to `to`.
struct ValueRange {
    Field field;
    std::int64_t from = 1, to = 1, step = 1;
    std::optional<InputNumber> input = {};  // then it is that, and not the field
    std::vector<std::int64_t> listed = {};  // then it takes exactly these
    std::optional<Choices> choices = {};    // then it is that, and its values are their places

    std::string_view key() const { return choices ? choices->key() : input ? input->key : info(field).key; }
    std::string_view label() const { return choices ? choices->label() : input ? input->label : info(field).label; }
    std::int64_t least() const { return input ? input->least : info(field).least; }
    bool operator==(const ValueRange&) const = default;
};

}  // namespace headcount
