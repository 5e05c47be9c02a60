// What measurements say of a pass that nobody measured; see the header.
#include "core/analysis/measured.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace headcount {
namespace {

// How many times as much, as a power of two.
double apart(double a, double b) { return std::abs(std::log2(a / b)); }

double apart(std::int64_t a, std::int64_t b) { return apart(static_cast<double>(a), static_cast<double>(b)); }

// Between powers of two all numbers of sequences are as good as each other.
double bits_of(std::int64_t batch) { return std::bit_width(static_cast<std::uint64_t>(batch)); }

// What differs most in how much of a roof is reached counts most: another device, then how many sequences there are.
double distance(const Workload& a, const Workload& b) {
    constexpr double other_device = 1, of_unknown_peak = 1, of_bits = 0.5, of_tokens = 0.25;
    double sum = std::abs(bits_of(a.input.batch) - bits_of(b.input.batch)) + apart(a.devices, b.devices) +
                 of_bits * apart(info(a.input.precision.rest).bits, info(b.input.precision.rest).bits) +
                 of_tokens * apart(a.input.tokens, b.input.tokens);
    if (a.device == b.device) return sum;
    const std::optional<Roof> mine = roof_of(a.device, a.input.precision),
                              theirs = roof_of(b.device, b.input.precision);
    if (!mine || !theirs) return HUGE_VAL;
    const bool both_known = mine->has_peak() && theirs->has_peak();
    return sum + other_device + (both_known ? apart(mine->flops, theirs->flops) : of_unknown_peak) +
           apart(mine->bandwidth, theirs->bandwidth);
}

}  // namespace

Result<Workload> workload_of(Phase phase, const Input& input, const PassOptions& options) {
    // What reads one token behind others is a decoding step, whatever it is called.
    const bool decodes = phase == Phase::decode || (phase == Phase::prefill && input.tokens == 1 && input.cached > 0);
    if (!options.roof_for(input, phase))
        return options.device ? Error{"how fast it is, is not published", options.device->id, "choose another device"}
                              : Error{"time is a device's", "device", "name one"};
    // The host's memory is slower, and how much is not known.
    if (options.sharding.gpu_layers)
        return Error{"no pass of a model of which a part lies in the host's memory was measured", "", ""};
    // Of what they then reach of the roof that all of them have together, nothing was measured.
    if (phase != Phase::training && options.sharding.pipeline > 1)
        return Error{"no " + std::string(decodes ? "decode" : "prefill") +
                         " over the stages of a pipeline, which take turns with a token, was measured",
                     "", ""};
    if (decodes && options.sharding.context > 1)
        return Error{
            "no decode over devices that share a sequence's tokens, each of which reads all weights for it, "
            "was measured",
            "", ""};
    return Workload{decodes ? Phase::decode : phase, decodes ? all_at_once(input) : input, *options.device,
                    options.sharing()};
}

double likely_with_fewer(const Workload& run, const BoundWith& bound, const Reached& reached) {
    double longest = 0;
    Workload fewer = run;
    // The most between two powers of two, among which the same part is reached.
    for (std::int64_t batch = 1; run.phase == Phase::decode && batch < run.input.batch; batch = 2 * batch + 1) {
        fewer.input.batch = batch;
        const std::optional<double> part = reached(fewer), seconds = bound(batch);
        if (part && seconds) longest = std::max(longest, *seconds / *part);
    }
    return longest;
}

Served likely_served(const Served& bound, const BoundWith& step, const Input& input, const PassOptions& options,
                     const Reached& reached) {
    const auto likely = [&](Phase phase, std::optional<double> seconds) -> std::optional<double> {
        const Result<Workload> run = workload_of(phase, input, options);
        const std::optional<double> part = run ? reached(*run) : std::nullopt;
        if (!seconds || !part) return std::nullopt;
        return std::max(*seconds / *part, likely_with_fewer(*run, step, reached));
    };
    return {.users = bound.users,
            .copies = bound.copies,
            .first_token = likely(Phase::prefill, bound.first_token),
            .next_token = likely(Phase::decode, bound.next_token)};
}

Result<MeasuredTime> measured_time(const Measurement& measurement, const Architecture& arch) {
    const Workload& run = measurement.run;
    PassOptions options;
    options.device = run.device;
    options.sharding = {.devices = run.devices, .tensor = run.devices};
    const Result<Pass> pass = pass_of(arch, run.input, run.phase, options);
    if (!pass) return pass.error();
    if (!pass->roof || (measurement.rate.mfu && !pass->roof->has_peak()))
        return Error{"how fast it is, is not published", run.device.id, "measure another device"};
    MeasuredTime time{*pass->seconds, 0, pass->tokens};
    if (measurement.rate.seconds)
        time.seconds = *measurement.rate.seconds;
    else if (measurement.rate.tokens_per_second)
        time.seconds = static_cast<double>(pass->tokens) / *measurement.rate.tokens_per_second;
    else
        time.seconds =
            static_cast<double>(pass->work.flops.full) / (pass->roof->flops * measurement.rate.mfu.value_or(1));
    return time;
}

std::vector<Alike> most_alike(std::span<const Measurement> all, const Workload& run,
                              std::optional<std::size_t> without) {
    constexpr std::size_t most = 5;
    std::vector<Alike> found;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double away = all[i].run.phase == run.phase && i != without ? distance(run, all[i].run) : HUGE_VAL;
        if (std::isfinite(away)) found.push_back({i, away});
    }
    std::ranges::stable_sort(found, {}, &Alike::away);
    if (found.size() > most) found.resize(most);
    return found;
}

std::optional<Efficiency> efficiency_of(std::span<const Alike> alike, std::span<const double> reached) {
    assert(alike.size() == reached.size());
    if (reached.empty()) return std::nullopt;
    constexpr double beside = 0.25;  // how far away what is as good as the same may be
    double sum = 0, weights = 0;
    Efficiency efficiency{0, *std::ranges::min_element(reached), *std::ranges::max_element(reached), {}};
    for (std::size_t i = 0; i < reached.size(); ++i) {
        const double weight = 1 / ((alike[i].away + beside) * (alike[i].away + beside));
        sum += weight * std::log(reached[i]);
        weights += weight;
        efficiency.of.push_back(alike[i].place);
    }
    efficiency.likely = std::exp(sum / weights);
    return efficiency;
}

}  // namespace headcount
