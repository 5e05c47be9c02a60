// What a letter behind a number can mean besides what it is read as first: B is bytes, billions or the batch, T
// trillions or tokens, k thousands, 1,024 or experts. Who asks accepts whichever is right.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expr.hpp"

namespace headcount {

// The same, spelled so that it can be read in one way only.
struct OtherReading {
    std::string text;
    std::optional<Symbol> symbol;  // that the letter at its end is taken for: "2*T*3 B" as "2*T*3*B"
};
std::vector<OtherReading> other_readings(std::string_view typed, bool bytes, const Bindings& numbers);

}  // namespace headcount
