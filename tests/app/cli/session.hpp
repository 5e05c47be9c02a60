// One run of the command line inside the test: its exit status and what it wrote.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/cli.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/scratch.hpp"

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

inline bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// A folder with the model that ships and a tokenizer that has a token for every byte.
inline std::string shipped_with_bytes(const Scratch& scratch) {
    const std::filesystem::path from = std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "models" / "tiny-stories";
    for (const char* name : {"config.json", "model.safetensors"})
        std::filesystem::copy_file(from / name, scratch.folder() / name);
    std::filesystem::copy_file(golden_folder() / "byte_tokenizer.json", scratch.folder() / "tokenizer.json");
    return scratch.folder().string();
}

}  // namespace headcount::testing_data
