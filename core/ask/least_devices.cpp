#include "core/ask/least_devices.hpp"

#include <algorithm>

namespace headcount {
namespace {

// The first number that does, of which all behind it do and `last` does.
template <class Does>
std::int64_t first(std::int64_t last, Does does) {
    std::int64_t low = 0;
    while (low + 1 < last) {
        const std::int64_t middle = low + (last - low) / 2;
        (does(middle) ? last : low) = middle;
    }
    return last;
}

}  // namespace

std::optional<Sharding> LeastDevices::with(const Device& device) {
    const std::int64_t room = options_.serving.usable(device), heads = most(&Sharding::tensor);
    const auto staged = [](std::int64_t stages, std::int64_t group) {
        return Sharding{.devices = group * stages, .tensor = group, .pipeline = stages};
    };
    const auto fits = [&](const Sharding& sharding) { return on_device(sharding).value_or(INT64_MAX) <= room; };
    if (fits(staged(1, heads))) return staged(1, first(heads, [&](std::int64_t n) { return fits(staged(1, n)); }));
    const std::int64_t stages = most(&Sharding::pipeline);
    if (!fits(staged(stages, heads))) return std::nullopt;
    Sharding least = staged(first(stages, [&](std::int64_t n) { return fits(staged(n, heads)); }), heads);
    // More stages of smaller groups may do with fewer.
    for (std::int64_t n = least.pipeline + 1; n <= std::min(stages, least.devices - 1); ++n) {
        const std::int64_t fewer = std::min(heads, (least.devices - 1) / n);
        if (fewer < 1 || !fits(staged(n, fewer))) continue;
        least = staged(n, first(fewer, [&](std::int64_t group) { return fits(staged(n, group)); }));
    }
    return least;
}

std::optional<std::int64_t> LeastDevices::on_device(const Sharding& sharding) {
    const auto [at, fresh] = held_.try_emplace({sharding.tensor, sharding.pipeline});
    if (!fresh) return at->second;
    options_.sharding = sharding;
    return at->second = MemoryFormulas(model_.architecture, model_.graph, options_).total_on_device(model_.bindings);
}

// The largest group of this kind that the model can be divided among.
std::int64_t LeastDevices::most(std::int64_t Sharding::*group) const {
    const auto possible = [&](std::int64_t number) {
        Sharding sharding{.devices = number};
        sharding.*group = number;
        return !wrong_sharding(sharding, model_.architecture);
    };
    std::int64_t low = 1, high = 1 << 20;
    while (low + 1 < high) {
        const std::int64_t middle = low + (high - low) / 2;
        (possible(middle) ? low : high) = middle;
    }
    return low;
}

}  // namespace headcount
