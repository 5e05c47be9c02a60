// How fast a device could be at what a pass computes and moves; see core/analysis/arithmetic.hpp.
#include <algorithm>
#include <limits>

#include "core/analysis/arithmetic.hpp"

namespace headcount {

std::optional<Roof> roof_of(const Device& device, const Formats& formats, std::int64_t devices) {
    if (!device.bandwidth) return std::nullopt;
    const auto together = static_cast<double>(devices);
    // Where formats differ that of the fastest: what is multiplied in which of them is not told apart.
    double flops = peak_flops(device, formats.rest).value_or(std::numeric_limits<double>::infinity());
    for (const std::optional<Precision>& own : formats.own)
        if (own) flops = std::max(flops, peak_flops(device, *own).value_or(flops));
    for (const NamedFormat& named : formats.named)
        flops = std::max(flops, peak_flops(device, named.precision).value_or(flops));
    return Roof{flops * together, *device.bandwidth * together};
}

namespace {

double seconds_at(const Roof& roof, std::int64_t flops, std::int64_t bytes) {
    return std::max(static_cast<double>(flops) / roof.flops, static_cast<double>(bytes) / roof.bandwidth);
}

}  // namespace

double seconds_at(const Roof& roof, const OperationWork& work) {
    return seconds_at(roof, work.flops.counted(), work.bytes);
}

bool bound_by_memory(const Roof& roof, const OperationWork& work) {
    return static_cast<double>(work.bytes) / roof.bandwidth > static_cast<double>(work.flops.counted()) / roof.flops;
}

double seconds_at(const Roof& roof, const LeastWork& work) { return seconds_at(roof, work.flops, work.bytes); }

}  // namespace headcount
