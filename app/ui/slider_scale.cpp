// Slider arithmetic; see the header.
#include "app/ui/slider_scale.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/text.hpp"

namespace headcount {
namespace {

bool bends(const SliderScale& scale) { return scale.logarithmic && scale.minimum > 0; }

std::int64_t on_grid(const SliderScale& scale, double wanted) {
    const auto step = static_cast<double>(std::max<std::int64_t>(1, scale.step));
    const auto low = static_cast<double>(scale.minimum), high = static_cast<double>(scale.maximum);
    // The ends can always be reached, also where they are no multiple of the step.
    if (wanted <= low) return scale.minimum;
    if (wanted >= high) return scale.maximum;
    const double rounded = std::clamp(std::round(wanted / step) * step, low, high);
    return rounded >= high ? scale.maximum : static_cast<std::int64_t>(rounded);
}

}  // namespace

float position_of(const SliderScale& scale, std::int64_t value) {
    if (scale.maximum <= scale.minimum) return 0;
    const std::int64_t inside = std::clamp(value, scale.minimum, scale.maximum);
    const auto low = static_cast<double>(scale.minimum), high = static_cast<double>(scale.maximum);
    const auto at = static_cast<double>(inside);
    return static_cast<float>(bends(scale) ? std::log(at / low) / std::log(high / low) : (at - low) / (high - low));
}

std::int64_t value_at(const SliderScale& scale, float position) {
    const double part = std::clamp(static_cast<double>(position), 0.0, 1.0);
    if (!scale.allowed.empty()) {
        std::int64_t best = scale.allowed.front();
        for (const std::int64_t candidate : scale.allowed)
            if (std::abs(position_of(scale, candidate) - static_cast<float>(part)) <
                std::abs(position_of(scale, best) - static_cast<float>(part)))
                best = candidate;
        return best;
    }
    const auto low = static_cast<double>(scale.minimum), high = static_cast<double>(scale.maximum);
    return on_grid(scale, bends(scale) ? low * std::pow(high / low, part) : low + (high - low) * part);
}

std::int64_t stepped(const SliderScale& scale, std::int64_t value, int direction, int steps) {
    if (!scale.allowed.empty()) {
        std::int64_t result = value;
        for (int i = 0; i < steps; ++i) {
            if (direction > 0) {
                const auto next = std::upper_bound(scale.allowed.begin(), scale.allowed.end(), result);
                if (next != scale.allowed.end()) result = *next;
            } else {
                const auto next = std::lower_bound(scale.allowed.begin(), scale.allowed.end(), result);
                if (next != scale.allowed.begin()) result = *std::prev(next);
            }
        }
        return result;
    }
    const std::int64_t step = std::max<std::int64_t>(1, scale.step);
    const std::int64_t from = std::clamp(value, scale.minimum, scale.maximum);
    // Down from 4100 with a step of 256 goes to 4096, not to 3844.
    const std::int64_t below = from - (from % step + step) % step;
    const std::int64_t whole = direction > 0 || below == from ? 0 : 1;
    const double target =
        static_cast<double>(below) +
        (static_cast<double>(direction) * steps + static_cast<double>(whole)) * static_cast<double>(step);
    if (target <= static_cast<double>(scale.minimum)) return scale.minimum;
    if (target >= static_cast<double>(scale.maximum)) return scale.maximum;
    return static_cast<std::int64_t>(target);
}

std::optional<std::int64_t> typed_number(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    std::string plain(text);
    for (std::size_t i = 1; i + 1 < plain.size(); ++i)  // other signs that group by thousands
        if ((plain[i] == ' ' || plain[i] == '\'') && is_digit(plain[i - 1]) && is_digit(plain[i + 1])) plain[i] = ',';
    const Result<std::int64_t> value = parse_length(plain, "", 0);
    if (!value) return std::nullopt;
    return negative ? -*value : *value;
}

}  // namespace headcount
