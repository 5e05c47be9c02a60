// How a token is written on a chip or beside a bar.
#pragma once

#include <string>
#include <string_view>

#include "app/state/run/snapshot.hpp"

namespace headcount {

// A token on a chip or beside a bar: without the space that begins a word; a space alone as "·".
std::string chip_text(const RunToken& token);
std::string chip_text(std::string_view piece);

}  // namespace headcount
