// Every way in which the interface writes a number: what must be covered where it is not to be told.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/arch/input.hpp"

namespace headcount {

// "1,073,741,824", "1073741824", "1.00 GiB".
void add_bytes_texts(std::vector<std::string>& texts, std::int64_t bytes);

// "409,600", "409600", "410 k", and its memory in this precision.
void add_count_texts(std::vector<std::string>& texts, std::int64_t count, Precision precision);

// As people say it: "6.7 B", "7 billion", "6.74 billion". Nothing below a thousand.
void add_rough_texts(std::vector<std::string>& texts, std::int64_t count);

// As the panels write shapes, and turned round as a checkpoint stores them. Nothing for less than two sides.
void add_shape_texts(std::vector<std::string>& texts, std::span<const std::int64_t> sides);

}  // namespace headcount
