// Amounts as people say them, and as they type them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/analysis/arithmetic.hpp"
#include "core/analysis/metric.hpp"
#include "core/base/result.hpp"

namespace headcount {

// "8.03 B", "24.0 GiB", "1.08 TFLOP", by the metric's unit.
std::string amount_text(std::int64_t amount, Metric metric);

// "8,030,261,248", "24.0 GiB", "1.08 TFLOP": counts to the last digit.
std::string exact_amount_text(std::int64_t amount, Metric metric);

// Whether so long a context, or so many sequences, stand for any: nothing that is held grows with them.
constexpr bool any_has_room(std::int64_t number) {
    constexpr std::int64_t endless = 1'000'000'000'000;
    return number >= endless;
}

// How long a context, or how many sequences, a device has room for: "3,496", "none"; "any" where nothing grows.
std::string room_text(std::int64_t number);

// "1.23 ms", "45.6 µs", "7.89 s"
std::string seconds_text(double seconds);

// Bytes a second: "3350 GB/s", "26.8 TB/s".
std::string bandwidth_text(double bytes);

// "989 TFLOP/s": of one that is published; and "989 TFLOP/s, 3350 GB/s", without the peak that is not.
std::string peak_text(const Roof& roof);
std::string roof_text(const Roof& roof);

// "69.3 B", "1.39 T": of what need not fit in 64 bits.
std::string rough_count_text(double count);

// "9,962", "66.51": of what need not be whole, such as tokens a second, hours or prices.
std::string real_text(double amount);

// Reads an amount as people type it: "8030261248", "8,030,261,248", "8.03 B", "8b", "13e9", "8k"; of bytes "24 GiB",
// "24GB" (10^9), "512 MiB", "80e9"; of operations "1e15", "1.5 PFLOP". B, G and bn are 10^9. What is no whole number is
// rounded down. Errors name `what` ("--total"): no number, an unknown unit, nothing, more than fits in 64 bits.
Result<std::int64_t> parse_amount(std::string_view text, std::string_view what, Unit unit);

// A count as parse_length reads it ("8k" is 8,192), or written as an amount that is exactly a whole number: "1e9".
Result<std::int64_t> parse_count(std::string_view text, std::string_view what, std::int64_t least = 1);

// Whether it is a whole number, and too large for 64 bits: 99999999999999999999.
bool beyond_64_bits(std::string_view text);

// As parse_amount, of operations that need not fit in 64 bits: "5.76e23", of a whole training.
Result<double> parse_operations(std::string_view text, std::string_view what);

// Bytes a second: "450GB/s", "3.35 TB/s", "1.5T"; a small b is a bit, as networks count: "400Gb/s" and "400Gbps" are
// 50 GB/s. Errors name `what`; what is too little for any device lacks its unit.
Result<double> parse_bandwidth(std::string_view text, std::string_view what);

// A number that need not be whole, above 0: "30", "0.5"; of seconds also with a unit: "50ms", "1.5 s", "20us".
Result<double> parse_real_amount(std::string_view text, std::string_view what, bool of_seconds);

}  // namespace headcount
