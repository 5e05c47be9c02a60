#include "core/ask/least_devices.hpp"

#include <algorithm>
#include <cstdint>

namespace headcount {
namespace {

// The first number from 1 that does, of which all behind it do; nothing where `last` does not.
template <class Does>
std::optional<std::int64_t> first(std::int64_t last, Does does) {
    if (last < 1 || !does(last)) return std::nullopt;
    std::int64_t low = 0;
    while (low + 1 < last) {
        const std::int64_t middle = low + (last - low) / 2;
        (does(middle) ? last : low) = middle;
    }
    return last;
}

}  // namespace

std::optional<Sharding> LeastDevices::with(const Device& device) {
    const std::int64_t room = options_.serving.usable(device), stages = most_stages();
    std::optional<Sharding> least;
    // Of as many devices the largest groups, which are the fastest.
    for (std::int64_t group = 1; !wrong_sharding({.devices = group, .tensor = group}, model_.architecture); ++group) {
        const auto staged = [&](std::int64_t n) {
            return Sharding{.devices = group * n, .tensor = group, .pipeline = n};
        };
        if (!uneven_parts(staged(1), model_.architecture).empty()) continue;
        const std::optional<std::int64_t> needed =
            first(least ? std::min(stages, least->devices / group) : stages,
                  [&](std::int64_t n) { return on_device(staged(n)).value_or(INT64_MAX) <= room; });
        if (needed) least = staged(*needed);
    }
    return least;
}

std::optional<std::int64_t> LeastDevices::on_device(const Sharding& sharding) {
    const auto [at, fresh] = held_.try_emplace({sharding.tensor, sharding.pipeline});
    if (!fresh) return at->second;
    options_.sharding = sharding;
    return at->second = MemoryFormulas(model_.architecture, model_.graph, options_).total_on_device(model_.bindings);
}

std::int64_t LeastDevices::most_stages() const {
    const auto possible = [&](std::int64_t number) {
        return !wrong_sharding({.devices = number, .pipeline = number}, model_.architecture);
    };
    std::int64_t low = 1, high = 1 << 20;
    while (low + 1 < high) {
        const std::int64_t middle = low + (high - low) / 2;
        (possible(middle) ? low : high) = middle;
    }
    return low;
}

}  // namespace headcount
