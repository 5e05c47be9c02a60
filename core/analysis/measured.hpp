// How fast a model really ran, as somebody measured it, beside the time that nothing is faster than: from the part of
// the bound that was reached follows how long another pass likely takes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/pass.hpp"
#include "core/analysis/served.hpp"

namespace headcount {

// A pass on devices that share it.
struct Workload {
    Phase phase = Phase::prefill;
    Input input;  // its tokens as of every phase: those of each sequence when the pass is over
    Device device;
    std::int64_t devices = 1;

    bool operator==(const Workload&) const = default;
};

// The pass as measurements are looked for that are like it. Fails with a sentence where there can be none: without a
// device whose speed is known, and of devices that take turns with a token.
Result<Workload> workload_of(Phase phase, const Input& input, const PassOptions& options);

// The part of its bound that such a pass likely reaches; nothing where none like it was measured.
using Reached = std::function<std::optional<double>(const Workload&)>;

// Seconds that a pass of so many sequences takes at least.
using BoundWith = std::function<std::optional<double>(std::int64_t batch)>;
// The longest that a decoding step of fewer sequences likely takes: one of more does no less, though programs that were
// measured with many may reach so much more of the bound that it would seem to. 0 of other passes.
double likely_with_fewer(const Workload& run, const BoundWith& bound, const Reached& reached);

// What is likely where this is the bound, and `step` that of a decoding step; nothing of a pass of which none can be
// said.
Served likely_served(const Served& bound, const BoundWith& step, const Input& input, const PassOptions& options,
                     const Reached& reached);

// One of these says how fast it was.
struct MeasuredRate {
    std::optional<double> tokens_per_second;  // of all sequences on all devices
    std::optional<double> seconds;            // of the pass
    // The part of the devices' peak at which the pass's operations were done, every query against every key and nothing
    // computed twice: model FLOPs utilization (Chowdhery et al. 2022, appendix B).
    std::optional<double> mfu;
};

struct Measurement {
    std::string model;                                     // a preset's id
    std::vector<std::pair<std::string, std::string>> set;  // its fields that are others
    Workload run;
    MeasuredRate rate;
    std::string with;  // the program that ran it
    std::string source;
};

// What was measured, and what its pass takes at least.
struct MeasuredTime {
    double bound = 0, seconds = 0;  // of the pass
    std::int64_t tokens = 0;        // that it reads or makes, of all sequences

    double efficiency() const { return bound / seconds; }
};

// `arch` is the measured model. Fails where the device's speed is not published, or a number does not fit in 64 bits.
Result<MeasuredTime> measured_time(const Measurement& measurement, const Architecture& arch);

// A measurement by its place, and how unlike a pass is: a power of two for each of what differs.
struct Alike {
    std::size_t place;
    double away;
};
// At most five measurements of the same phase that are most like this pass, the most alike first: on the same device or
// one about as fast, with about as many sequences, tokens and devices, and bits a weight. `without` is left out.
std::vector<Alike> most_alike(std::span<const Measurement> all, const Workload& run,
                              std::optional<std::size_t> without = {});

// How much of the bound such passes reached.
struct Efficiency {
    double likely = 0, least = 0, most = 0;  // the mean, and the range
    std::vector<std::size_t> of;             // the measurements, by their places
};

// The geometric mean, in which a measurement counts the more, the more alike it is. Nothing where nothing was measured.
// `reached` has one number for each of those alike.
std::optional<Efficiency> efficiency_of(std::span<const Alike> alike, std::span<const double> reached);

// How long a pass likely takes, and what that is concluded from.
struct Likely {
    Phase phase = Phase::prefill;
    double bound = 0;         // seconds that it takes at least, at the roof
    std::int64_t tokens = 0;  // that it reads or makes
    Efficiency efficiency;
    std::vector<Measurement> of;  // the most alike first
    std::int64_t devices = 1;     // that share it
    double sending = 0;           // seconds that what is sent between devices takes at least
    double with_fewer = 0;        // likely_with_fewer

    double seconds() const { return std::max({bound / efficiency.likely, sending, with_fewer}); }
    // Whether that follows from the part of the roof that such passes reach.
    bool follows_part() const { return sending != seconds() && with_fewer != seconds(); }
};

}  // namespace headcount
