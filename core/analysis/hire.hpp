// Devices by the hour: how many hours of one device so many tokens take, at the roof and likely, and what that costs
// where an hour has a price. No price is known here: it is whoever asks that says one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/measured.hpp"
#include "core/analysis/pass.hpp"

namespace headcount {

// What is asked for.
struct HireTerms {
    std::optional<std::int64_t> train_tokens;  // of a whole training; absent: none is said
    std::optional<double> price;               // of an hour of one device, in whatever currency
    // The part of the peak at which a training's operations are done, as MeasuredRate::mfu has it; absent: by
    // measurements.
    std::optional<double> mfu;

    bool asked() const { return train_tokens || price || mfu; }
    bool operator==(const HireTerms&) const = default;
};

// Serving is said of so many tokens, as services sell them.
inline constexpr std::int64_t sold_tokens = 1'000'000;

// Hours of one device, of all devices together.
struct Hire {
    Phase phase = Phase::prefill;
    std::int64_t sequences = 1;  // side by side
    std::int64_t tokens = 0;
    double least = 0;                   // at the roof: a bound
    std::optional<double> likely = {};  // nothing where nothing like it was measured
};

// A pass reads or makes `pass_tokens` in `seconds`, on devices of which `sharing` share one.
double device_hours(std::int64_t tokens, std::int64_t pass_tokens, double seconds, std::int64_t sharing);

// Of a pass with its time at the roof: of `sold_tokens`, of a training as many as are asked for; nothing where none
// are, and without a roof. `likely` is of the same pass.
std::optional<Hire> hire_of(const Pass& pass, Phase phase, const Input& input, const PassOptions& options,
                            const HireTerms& terms, const std::optional<Likely>& likely);

// "2.5", "$2.5", "$ 0.80": what an hour costs; errors name `what`.
Result<double> parse_price(std::string_view text, std::string_view what);
// "41%", "0.41": above 0, at most all.
Result<double> parse_part(std::string_view text, std::string_view what);

// "prefill of 1,000,000 tokens", "decode of 1,000,000 tokens, 8 sequences side by side", "training of 15.0 T tokens"
std::string hire_words(const Hire& hire);

}  // namespace headcount
