// What is on a picture, or in a link: the model, the view, the place in it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/cli/options.hpp"

namespace headcount {

struct AskedView {
    std::string key{explore_view};
    WhatIfTab what_if = WhatIfTab::sweep;
    std::optional<CompareTab> compare = {};  // absent: as it is
};

// `--view`, with the words of `views`.
void add_view(CLI::App* command, std::optional<AskedView>& view, std::span<const std::string_view> views,
              std::string_view what);

struct RenderArguments {
    ModelArguments model;
    InputArguments input;
    std::optional<AskedView> view;
    OutputArguments output;
    LookArguments look;
    std::optional<std::string> select, at;
    std::optional<std::int64_t> scale;  // percent
    bool tilted = false, log_sides = false;
    std::optional<std::string> tour, with, claim, sheet, answers, against;
    std::optional<std::int64_t> step, question;
    bool present = false, welcome = false;
    std::optional<std::int64_t> pixels;
    bool crop = false, no_ground = false;
    std::optional<std::string> frames;  // a folder

    PictureFormat format() const { return static_cast<PictureFormat>(output.format.value_or(0)); }
};

// The options of what is seen. Returns that of the model.
CLI::Option* describe_seen(CLI::App* command, RenderArguments& arguments, std::span<const std::string_view> views);

// What one view shows and another does not; for the command's rule.
Failure wrong_view(const RenderArguments& arguments);

// What they come to. Errors: what is not there. Without a file to write nothing is said of it.
Result<RenderOptions> render_options(const RenderArguments& arguments, Notes& said);

}  // namespace headcount
