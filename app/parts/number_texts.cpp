// How counts, bytes and shapes are written; see the header.
#include "app/parts/number_texts.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>

#include "core/analysis/activations.hpp"
#include "core/base/text.hpp"

namespace headcount {

void add_bytes_texts(std::vector<std::string>& texts, std::int64_t bytes) {
    texts.push_back(grouped(bytes));
    texts.push_back(std::to_string(bytes));
    texts.push_back(bytes_text(bytes));
}

void add_count_texts(std::vector<std::string>& texts, std::int64_t count, Precision precision) {
    texts.push_back(grouped(count));
    texts.push_back(std::to_string(count));
    texts.push_back(short_count(count));
    if (const std::optional<std::int64_t> bytes = bytes_of(count, precision)) add_bytes_texts(texts, *bytes);
}

void add_rough_texts(std::vector<std::string>& texts, std::int64_t count) {
    struct Unit {
        double ones;
        std::string_view sign, word;
    };
    constexpr std::array<Unit, 4> units{
        {{1e12, " T", " trillion"}, {1e9, " B", " billion"}, {1e6, " M", " million"}, {1e3, " k", " thousand"}}};
    constexpr int most_decimals = 2;
    const auto value = static_cast<double>(count);
    const auto unit = std::find_if(units.begin(), units.end(), [&](const Unit& each) { return value >= each.ones; });
    if (unit == units.end()) return;
    for (int decimals = 0; decimals <= most_decimals; ++decimals) {
        std::array<char, 32> digits{};
        std::snprintf(digits.data(), digits.size(), "%.*f", decimals, value / unit->ones);
        for (const std::string_view after : {unit->sign, unit->word})
            texts.push_back(std::string(digits.data()).append(after));
    }
}

void add_shape_texts(std::vector<std::string>& texts, std::span<const std::int64_t> sides) {
    if (sides.size() < 2) return;
    for (const std::string_view between : {" × ", "·", " · ", ", "}) {
        std::string there, back;
        for (std::size_t axis = 0; axis < sides.size(); ++axis) {
            const std::string one = std::to_string(sides[axis]);
            there += (axis > 0 ? std::string(between) : "") + one;
            back.insert(0, one + (axis > 0 ? std::string(between) : ""));
        }
        texts.push_back(std::move(there));
        texts.push_back(std::move(back));
    }
}

}  // namespace headcount
