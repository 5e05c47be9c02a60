// Hours of devices, and their price.
#include "core/analysis/hire.hpp"

#include <algorithm>

#include "core/base/read_real.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
double device_hours(std::int64_t tokens, std::int64_t pass_tokens, double seconds, std::int64_t sharing) {
    constexpr double seconds_an_hour = 3600;
    return static_cast<double>(tokens) / static_cast<double>(pass_tokens) * seconds * static_cast<double>(sharing) /
           seconds_an_hour;
}

std::optional<Hire> hire_of(const Pass& pass, Phase phase, const Input& input, const PassOptions& options,
                            const HireTerms& terms, const std::optional<Likely>& likely) {
    const bool trains = phase == Phase::training;
    if (!pass.seconds || pass.tokens == 0 || (trains && !terms.train_tokens)) return std::nullopt;
    Hire hire{.phase = phase, .sequences = input.batch, .tokens = trains ? *terms.train_tokens : sold_tokens};
    const auto hours = [&](double seconds) {
        return device_hours(hire.tokens, pass.tokens, seconds, options.sharing());
    };
    hire.least = hours(*pass.seconds);
    if (trains && terms.mfu) {
        const double by_part =
            static_cast<double>(pass.work.flops.full - pass.work.again) / (pass.roof->flops * *terms.mfu);
        hire.likely = hours(std::max(*pass.seconds, by_part));  // what reads memory for longer takes longer
    } else if (likely) {
        hire.likely = hours(likely->seconds());
    }
    return hire;
}

Result<double> parse_price(std::string_view text, std::string_view what) {
    const std::optional<double> price = whole_real(text.substr(text.starts_with('$') ? 1 : 0));
    constexpr double most = 1e9;
    if (!price || *price <= 0 || *price > most)
        return Error{quote(text) + " is no price of a device's hour", std::string(what), "write it as 2.5 or $2.5"};
    return *price;
}

Result<double> parse_part(std::string_view text, std::string_view what) {
    const bool percent = text.ends_with('%');
    std::optional<double> part = whole_real(text.substr(0, text.size() - (percent ? 1 : 0)));
    if (part && percent) *part /= 100;
    if (!part || *part <= 0 || *part > 1)
        return Error{quote(text) + " is no part of a peak", std::string(what), "write it as 41% or 0.41"};
    return *part;
}

std::string hire_words(const Hire& hire) {
    std::string words = std::string(word_of(phase_nouns, hire.phase)) + " of " +
                        (hire.phase == Phase::training ? short_count(hire.tokens) : grouped(hire.tokens)) + " tokens";
    if (hire.phase != Phase::training && hire.sequences > 1)
        words += ", " + grouped(hire.sequences) + " sequences side by side";
    return words;
}

}  // namespace headcount
