// The window: which words name what it opens with.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/cli/render_arguments.hpp"
#include "core/tours/tour.hpp"

namespace headcount {

struct WindowArguments {
    ModelArguments model;
    LookArguments look;
    std::optional<std::string> tour;
    std::optional<AskedView> view;
    bool welcome = false;
    std::optional<std::filesystem::path> screenshot, report_ui;
};

void describe_window(CLI::App* command, WindowArguments& arguments, std::span<const std::string_view> views);

// What main needs to open it.
Result<WindowOptions> window_options(const WindowArguments& arguments);

// A tour by its id or number, or from a file.
struct NamedTour {
    Tour tour;
    std::string name;  // its id, or the file
};
Result<NamedTour> named_tour(const std::string& text);

}  // namespace headcount
