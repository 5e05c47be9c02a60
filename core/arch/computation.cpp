// Asks the family what its models compute; and the rules that are not a number by themselves.
#include "core/arch/computation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/arch/class_form.hpp"
#include "core/arch/family.hpp"

namespace headcount {

namespace {

constexpr double full_turn = 6.283185307179586;

// Long waves are divided by the factor, short ones stay; where the two bounds meet there is no between.
double llama3(const Rope& rope, double angle) {
    const double turns = rope.original_context * angle / full_turn;
    if (turns > rope.high_factor) return angle;
    if (turns < rope.low_factor || !(rope.high_factor > rope.low_factor)) return angle / rope.factor;
    const double kept = (turns - rope.low_factor) / (rope.high_factor - rope.low_factor);
    return (1 - kept) * angle / rope.factor + kept * angle;
}

// At which pair a wave makes so many turns in the original context.
double pair_with(const Rope& rope, double columns, double turns) {
    return columns * std::log(rope.original_context / (turns * full_turn)) / (2 * std::log(rope.base));
}

void scale_yarn(const Rope& rope, std::int64_t columns, std::vector<double>& angles) {
    const auto width = static_cast<double>(columns);
    double low = pair_with(rope, width, rope.beta_fast), high = pair_with(rope, width, rope.beta_slow);
    if (rope.truncate) low = std::floor(low), high = std::ceil(high);
    low = std::max(low, 0.0);
    high = std::min(high, width - 1);
    if (low == high) high += 0.001;
    for (std::size_t i = 0; i < angles.size(); ++i) {
        const double divided = std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
        angles[i] = angles[i] / rope.factor * divided + angles[i] * (1 - divided);
    }
}

// The base of sequences longer than the context.
double longer_base(const Rope& rope, std::int64_t columns, std::int64_t tokens) {
    const auto width = static_cast<double>(columns), length = static_cast<double>(tokens);
    if (length <= rope.original_context || columns <= 2) return rope.base;
    const double stretch = rope.factor * length / rope.original_context - (rope.factor - 1);
    return rope.base * std::pow(stretch, width / (width - 2));
}

}  // namespace

std::vector<double> rope_angles(const Rope& rope, std::int64_t columns, std::int64_t tokens) {
    const bool dynamic = rope.scaling == RopeScaling::dynamic;
    const double base = dynamic ? longer_base(rope, columns, tokens) : rope.base;
    std::vector<double> angles(static_cast<std::size_t>(columns / 2));
    for (std::size_t i = 0; i < angles.size(); ++i)
        angles[i] = std::pow(base, -2 * static_cast<double>(i) / static_cast<double>(columns));
    if (rope.scaling == RopeScaling::yarn) scale_yarn(rope, columns, angles);
    const bool proportional = rope.scaling == RopeScaling::proportional;
    const double turned = std::floor(rope.share * static_cast<double>(columns) / 2);
    const bool is_long = static_cast<double>(tokens) > rope.original_context;
    const std::vector<double>& divisors = is_long ? rope.long_divisors : rope.short_divisors;
    for (std::size_t i = 0; i < angles.size(); ++i) {
        if (rope.scaling == RopeScaling::linear || proportional) angles[i] /= rope.factor;
        if (proportional && static_cast<double>(i) >= turned) angles[i] = 0;
        if (rope.scaling == RopeScaling::llama3) angles[i] = llama3(rope, angles[i]);
        if (rope.scaling == RopeScaling::longrope && i < divisors.size()) angles[i] /= divisors[i];
        if (rope.backwards) angles[i] = -angles[i];
    }
    return angles;
}

float sinusoid(const Sinusoids& waves, std::int64_t position, std::int64_t column, std::int64_t columns) {
    const std::int64_t sines = waves.to_the_end ? columns / 2 : (columns + 1) / 2;
    if (waves.to_the_end && column >= 2 * sines) return 0;  // of an odd width the last
    const bool sine = column < sines;
    const auto wave = static_cast<double>(sine ? column : column - sines);
    const double last = waves.to_the_end ? static_cast<double>(sines - 1) : static_cast<double>(columns) / 2;
    const double angle = static_cast<double>(position) * std::pow(10000.0, last > 0 ? -wave / last : 0);
    return static_cast<float>(sine ? std::sin(angle) : std::cos(angle));
}

Result<Computation> computation_of(const Architecture& arch) {
    Computation computation = arch.family->computation(arch);
    if (computation.refused) return *std::move(computation.refused);
    if (class_form(arch))
        return Error{"scores for classes of a text are counted, and not computed here", "architectures",
                     "run the model with scores for tokens, or the layers alone"};
    return computation;
}

double query_factor(const QueryTemperature& temperature, std::int64_t token) {
    return 1 + temperature.scale *
                   std::log1p(std::floor(static_cast<double>(token + temperature.first) / temperature.floor));
}

}  // namespace headcount
