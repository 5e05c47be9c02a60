// A number as people state it ("6.9 billion", "roughly 13 GB"), and how near an exact one comes to it.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/result.hpp"

namespace headcount {

// digits · unit / scale: "6.9 billion" is 69 · 1,000,000,000 / 10.
struct StatedNumber {
    std::int64_t digits = 0, scale = 1, unit = 1;
    bool bytes = false;    // GB, GiB and their kin
    bool roughly = false;  // said to be so

    bool operator==(const StatedNumber&) const = default;
};

// Reads "6,476,005,376", "8.19 M", "2 B", "6.9 billion", "13.21 GB", "12.31 GiB"; "roughly", "about" or "~" may stand
// before it.
Result<StatedNumber> parse_stated(std::string_view text);

enum class Nearness {
    equal,
    rounded,  // the digits given are those of the exact number, rounded
    roughly,  // said to be rough, and within a twentieth
    cut,      // the digits given are those of the exact number, with the rest cut off
    apart,
};

// `exact` may be so large, or the digits so many, that it cannot be told; such numbers are apart.
Nearness nearness(const StatedNumber& stated, std::int64_t exact);

}  // namespace headcount
