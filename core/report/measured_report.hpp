// What measurements say of passes, and of themselves, as tables and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "core/analysis/measured.hpp"
#include "core/analysis/served.hpp"
#include "core/report/table.hpp"

namespace headcount {

// What decides how long it likely takes: "5 measurements: m1-pro, m2-ultra", how many, and the devices, the most alike
// first; or another time that is longer.
std::string concluded_text(const Likely& likely);
// "62.1 % (46 % to 71 %)": the mean, and the range where there is one.
std::string range_text(const Efficiency& efficiency);

// A row a pass: how long it likely takes, tokens a second, which part of the roof's speed that is and of how many
// measurements on which devices.
Table likely_table(std::span<const Likely> passes);
// Why no likely time of a pass is said: "How long the decode likely takes is not said: no pass like it was measured"
std::string unlikely_words(Phase phase, const Error& why);

// What those who send the batch wait for, a row a figure: the bound at a roof, and what is likely.
Table served_table(const Served& bound, const Served& likely);
// {"users", "copies", "time_to_first_token", "time_per_token", "tokens_per_second_for_one",
// "tokens_per_second_for_all", "likely": {the same}}: seconds, and tokens a second
nlohmann::ordered_json served_json(const Served& bound, const Served& likely);

// {"seconds", "tokens_per_second", "efficiency", "least", "most", "of": [{"model", "device", "source"}]}
nlohmann::ordered_json likely_json(const Likely& likely);

// A measurement beside what is predicted for it out of all others.
struct Checked {
    const Measurement* measurement = nullptr;
    MeasuredTime time;
    std::optional<double> predicted;  // tokens a second
};
// A row each: tokens a second as measured, at most, the part of it, as predicted, and how far that is off.
Table checked_table(std::span<const Checked> rows);
// [{"model", "set", "device", "devices", "phase", "tokens", "batch", "dtype", "tokens_per_second", "bound",
// "efficiency", "predicted", "with", "source"}]
nlohmann::ordered_json checked_json(std::span<const Checked> rows);

}  // namespace headcount
