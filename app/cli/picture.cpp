// headcount render and the options of the window: what main hands to the shell.
#include <algorithm>

#include "app/cli/commands.hpp"
#include "app/cli/model.hpp"
#include "app/cli/picture_parts.hpp"
#include "app/state/derived.hpp"
#include "app/state/storage.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/base/write_file.hpp"
#include "core/lesson/claims.hpp"

namespace headcount {
namespace {

Result<ThemeChoice> read_theme(const std::string& text) {
    if (text == "dark") return ThemeChoice::dark;
    if (text == "light") return ThemeChoice::light;
    return Error{quote(text) + " is not a theme", "--theme", "give dark or light"};
}

Result<PictureSize> read_size(const std::string& text) {
    std::size_t cross = text.find('x');
    if (cross == std::string::npos)
        return Error{quote(text) + " is not a size", "--size", "give width and height in pixels, such as 1600x1000"};
    std::string range = "give whole numbers from " + std::to_string(smallest_picture) + " to " +
                        std::to_string(largest_picture) + ", such as 1600x1000";
    PictureSize size;
    for (auto [pixels, digits] :
         {std::pair(&size.width, text.substr(0, cross)), {&size.height, text.substr(cross + 1)}}) {
        Result<std::int64_t> number = parse_whole_number(digits, "--size");
        if (!number) return Error{number.error().what, "--size", range};
        if (*number < smallest_picture || *number > largest_picture)
            return Error{digits + " pixels are out of range", "--size", range};
        *pixels = static_cast<int>(*number);
    }
    return size;
}

// Theme and size, where they were given: of a picture and of a window alike.
template <class Arguments, class Options>
Failure read_look(const Arguments& arguments, Options& options) {
    if (arguments.theme) {
        Result<ThemeChoice> theme = read_theme(*arguments.theme);
        if (!theme) return theme.error();
        options.theme = *theme;
    }
    if (arguments.size) {
        Result<PictureSize> size = read_size(*arguments.size);
        if (!size) return size.error();
        options.size = *size;
    }
    return std::nullopt;
}

Result<std::filesystem::path> read_screenshot_path(const std::string& text) {
    std::filesystem::path path(text);
    if (path.extension() == ".png") return path;
    return Error{"a screenshot cannot have this ending", "--screenshot " + text, "end it in .png"};
}

Result<std::filesystem::path> read_picture_path(const std::string& text, bool tilted) {
    std::filesystem::path path(text);
    if (path.extension() != ".png" && path.extension() != ".svg")
        return Error{"a picture cannot have this ending", "-o " + text,
                     "end it in .png for the whole view or in .svg for the diagram alone"};
    if (path.extension() == ".svg" && tilted)
        return Error{"an SVG file has the diagram flat, not in perspective", "--tilt",
                     "leave --tilt out, or end the file in .png"};
    return path;
}

Failure read_view(const RenderArguments& arguments, RenderOptions& options) {
    const std::size_t colon = std::min(arguments.view.find(':'), arguments.view.size());
    const std::string part = arguments.view.substr(std::min(colon + 1, arguments.view.size()));
    const auto view = std::find(workspace_keys.begin(), workspace_keys.end(), arguments.view.substr(0, colon));
    if (view == workspace_keys.end()) {
        std::string all;
        for (std::string_view each : workspace_keys)
            all += (all.empty() ? "the views are: " : ", ") + std::string(each);
        return Error{"there is no view " + quote(arguments.view), "--view", all};
    }
    options.view = static_cast<Workspace>(view - workspace_keys.begin());
    if (colon < arguments.view.size()) {
        const auto tab = std::find(what_if_tab_keys.begin(), what_if_tab_keys.end(), part);
        if (options.view != Workspace::what_if || tab == what_if_tab_keys.end())
            return Error{"there is no " + quote(part) + " in this view", "--view " + arguments.view,
                         "give what-if:sweep, what-if:sensitivity, what-if:solve or what-if:shelf"};
        options.what_if = static_cast<WhatIfTab>(tab - what_if_tab_keys.begin());
    }
    if (options.view != Workspace::explore && (arguments.present || arguments.tour))
        return Error{"a class is shown the Explore view alone", arguments.present ? "--present" : "--tour",
                     "leave --view out"};
    if (!arguments.claim) return std::nullopt;
    if (options.view != Workspace::claims) return Error{"claims are in another view", "--claim", "give --view claims"};
    const Result<std::vector<ClaimsFile>> files = shipped_claims();
    if (!files) return files.error();
    std::vector<std::string_view> known;
    for (const ClaimsFile& file : *files)
        for (const Claim& claim : file.claims) {
            if (claim.id == *arguments.claim) options.claim = {file.id, claim.id, {}};
            known.push_back(claim.id);
        }
    if (!options.claim.claim.empty()) return std::nullopt;
    const std::string nearest = did_you_mean(nearest_names(*arguments.claim, known));
    return Error{"there is no claim " + quote(*arguments.claim), "--claim",
                 nearest.empty() ? "\"headcount claims\" lists them" : nearest};
}

// The model that it is compared with.
Failure read_other(const RenderArguments& arguments, std::span<const Preset> presets, RenderOptions& options,
                   Notes& said, std::vector<std::filesystem::path>& read) {
    if (!arguments.with) return std::nullopt;
    if (options.view != Workspace::compare)
        return Error{"two models are in another view", "--with", "give --view compare"};
    Notes on_other;
    Result<OpenedDocument> opened = open_document(ModelArguments{*arguments.with, {}}, presets, on_other);
    if (!opened) return within("--with", opened.error());
    for (std::string& note : said) note = "A: " + note;
    for (const std::string& note : on_other) said.push_back("B: " + note);
    Document& other = opened->document;
    if (other.architecture.vocab == 0) other.architecture = other.base;
    if (const Result<Counted> counted = count(other.architecture, Input{.tokens = 1}); !counted)
        return within("--with", counted.error());
    read.insert(read.end(), opened->read.begin(), opened->read.end());
    options.document.with = Compared{std::move(other.architecture), std::move(other.base), other.preset, other.file};
    return std::nullopt;
}

}  // namespace

Result<RenderOptions> render_options(const RenderArguments& arguments, Notes& said) {
    RenderOptions options;
    if (Failure failure = read_view(arguments, options)) return *failure;
    Result<std::filesystem::path> output = read_picture_path(arguments.output, arguments.tilted);
    if (!output) return output.error();
    options.output = *output;
    if (Failure failure = read_look(arguments, options)) return *failure;
    Result<std::vector<Preset>> presets = shipped_presets(&said);
    if (!presets) return presets.error();
    Result<OpenedDocument> opened = open_document(arguments.model, *presets, said);
    if (!opened) return opened.error();
    Result<Document> document = with_input(std::move(opened->document), arguments.input);
    if (!document) return document.error();
    options.document = std::move(*document);
    std::vector<std::filesystem::path> read = std::move(opened->read);
    if (arguments.select) {
        options.selection = subject_from_key(*arguments.select);
        Failure failure = check_selection(options.selection, *arguments.select, options.document.architecture);
        if (failure) return *failure;
    }
    if (arguments.at) {
        Result<Place> place = read_place(*arguments.at, options.document);
        if (!place) return place.error();
        options.at = *place;
    }
    options.tilted = arguments.tilted;
    options.log_sides = arguments.log_sides;
    options.present = arguments.present;
    if (Failure failure = read_other(arguments, *presets, options, said, read)) return *failure;
    if (Failure failure = read_sheet(arguments, *presets, options)) return *failure;
    if (Failure failure = read_tour_step(arguments, *presets, options)) return *failure;
    for (const auto& named : {arguments.answers, arguments.sheet, arguments.tour})
        if (named) read.emplace_back(*named);
    if (Failure failure = cannot_write(options.output, read)) return *failure;
    // A model too large to count has no picture either, and the command line is where to say so.
    Result<Counted> counted = count(options.document.architecture, options.document.input);
    if (!counted) return in_file(options.document, arguments.model, counted.error());
    return options;
}

Result<WindowOptions> window_options(const WindowArguments& arguments) {
    WindowOptions options;
    if (Failure failure = read_look(arguments, options)) return *failure;
    if (arguments.screenshot) {
        Result<std::filesystem::path> path = read_screenshot_path(*arguments.screenshot);
        if (!path) return path.error();
        options.screenshot = *path;
    }
    if (arguments.report_ui) options.report_ui = *arguments.report_ui;
    if (arguments.tour) {
        if (const Result<Tour> tour = named_tour(*arguments.tour); !tour) return tour.error();
        options.tour = *arguments.tour;
    }
    std::vector<std::filesystem::path> read{arguments.tour.value_or("")};
    if (const Result<std::filesystem::path> state = state_file()) read.push_back(*state);
    if (arguments.model.arch.empty() && !arguments.model.set.empty())
        return Error{"there is no model to change", "--set", "name a preset or a file before it"};
    if (!arguments.model.arch.empty()) {
        Notes shown;  // by the window
        Result<OpenedDocument> opened = open_document(arguments.model, shown);
        if (!opened) return opened.error();
        options.document = std::move(opened->document);
        read.insert(read.end(), opened->read.begin(), opened->read.end());
    }
    for (const auto& output : {options.screenshot, options.report_ui})
        if (Failure failure = output ? cannot_write(*output, read) : std::nullopt) return *failure;
    return options;
}

}  // namespace headcount
