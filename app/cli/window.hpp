// The window: which words name what it opens with.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/cli/options.hpp"
#include "core/tours/tour.hpp"

namespace headcount {

struct WindowArguments {
    ModelArguments model;
    LookArguments look;
    std::optional<std::string> tour;
    bool welcome = false;
    std::optional<std::filesystem::path> screenshot, report_ui;
};

void describe_window(CLI::App* command, WindowArguments& arguments);

// What main needs to open it.
Result<WindowOptions> window_options(const WindowArguments& arguments);

// A tour by its id, or from a file.
Result<Tour> named_tour(const std::string& text);

}  // namespace headcount
