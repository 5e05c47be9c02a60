// What is said of an opened file beside its numbers.
#pragma once

#include <string>
#include <vector>

namespace headcount {

// A sentence each: what was not read, what was assumed, what a preset leaves out.
using Notes = std::vector<std::string>;

}  // namespace headcount
