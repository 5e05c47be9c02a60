// One run of the command line inside the test: its exit status and what it wrote.
#pragma once

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/cli.hpp"

namespace headcount::testing_data {

struct Ran {
    CommandLine result;
    std::string out, err;

    // -1 where a window or a picture was asked for.
    int status() const { return std::holds_alternative<int>(result) ? std::get<int>(result) : -1; }
    nlohmann::json json() const { return nlohmann::json::parse(out); }
};

inline constexpr std::array views{explore_view, compare_view, costs_view,     what_if_view,
                                  run_view,     train_view,   worksheet_view, claims_view};

inline Ran run(const std::vector<std::string>& arguments) {
    std::ostringstream out, err;
    CommandLine result = parse_command_line(arguments, out, err, views);
    return {std::move(result), out.str(), err.str()};
}

inline bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace headcount::testing_data
