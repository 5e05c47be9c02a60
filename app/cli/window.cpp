// What the window opens with.
#include "app/cli/window.hpp"

#include <algorithm>

#include "app/state/session_files.hpp"
#include "app/state/storage.hpp"
#include "core/base/json_file.hpp"
#include "core/base/utf8.hpp"
#include "core/base/write_file.hpp"
#include "core/files/assets.hpp"
#include "core/files/json_kind.hpp"

namespace headcount {
namespace {

Result<std::filesystem::path> read_screenshot(const std::string& text, std::string_view flag) {
    std::filesystem::path path(text);
    if (path.extension() == ".png") return path;
    return Error{"a screenshot cannot have this ending", std::string(flag) + ' ' + text, "end it in .png"};
}

}  // namespace

void describe_window(CLI::App* command, WindowArguments& arguments, std::span<const std::string_view> views) {
    command->add_option("ARCH", arguments.model.arch, "open this in the window");
    add_set(command, arguments.model.set);
    add_look(command, arguments.look, "colours", "size of the window in pixels");
    add_name(command, "--tour", arguments.tour, "TOUR", "start this tour, by its id, number or file");
    add_view(command, arguments.view, views, "which view; a part of one is written as what-if:solve (the last one)");
    command->add_flag("--welcome", arguments.welcome, "show where to begin, as at a first start");
    add_value(command, "--screenshot", arguments.screenshot, "FILE", "write a picture of the window and end",
              read_screenshot);
    add_name(command, "--report-ui", arguments.report_ui, "FILE",
             "write what the window shows to this file, for tests");
    add_rule(command, [&arguments]() -> Failure {
        const bool tour = arguments.tour || meant_as(arguments.model.arch, JsonKind::tour);
        if (tour && arguments.view) return Error{"a tour chooses the view itself", "--tour", "leave --view out"};
        if (arguments.model.set.empty()) return std::nullopt;
        if (!arguments.model.arch.empty() && !holds_no_model(arguments.model.arch)) return std::nullopt;
        return Error{"there is no model to change", "--set", "name a preset or a file before it"};
    });
}

Result<NamedTour> named_tour(const std::string& text) {
    std::vector<Tour> tours = all_tours().tours;
    const auto tour = std::ranges::find_if(tours, [&](const Tour& each) { return names_shipped(text, each.id); });
    if (tour != tours.end()) return NamedTour{*tour, tour->id};
    std::error_code ignored;
    if (std::filesystem::exists(text, ignored) || text.find('/') != std::string::npos || text.ends_with(".json")) {
        Result<Tour> read = read_tour(text);
        return read ? Result<NamedTour>(NamedTour{*std::move(read), text}) : read.error();
    }
    if (std::optional<Error> nowhere = leads_nowhere(text)) return within("--tour", *std::move(nowhere));
    std::string ids;
    for (const Tour& each : tours) ids += (ids.empty() ? "the tours are: " : ", ") + each.id;
    return Error{"there is no tour " + quote(text), "--tour", ids};
}

Result<WindowOptions> window_options(const WindowArguments& arguments) {
    WindowOptions options;
    options.theme = arguments.look.theme;
    options.size = arguments.look.size;
    options.screenshot = arguments.screenshot;
    options.report_ui = arguments.report_ui;
    options.welcome = arguments.welcome;
    if (arguments.view) {
        options.view = arguments.view->key;
        options.what_if = arguments.view->what_if;
        options.compare = arguments.view->compare;
    }
    if (arguments.tour) {
        Result<NamedTour> tour = named_tour(*arguments.tour);
        if (!tour) return tour.error();
        options.tour = std::move(tour->name);
    }
    std::vector<std::filesystem::path> read{arguments.tour.value_or("")};
    if (const Result<std::filesystem::path> state = state_file()) read.push_back(*state);
    if (holds_no_model(arguments.model.arch)) {
        options.opens = arguments.model.arch;
        read.push_back(arguments.model.arch);
    } else if (!arguments.model.arch.empty()) {
        Notes shown;  // by the window
        Result<OpenedDocument> opened = open_document(arguments.model, shown);
        if (!opened) return opened.error();
        options.document = std::move(opened->document);
        if (is_link(arguments.model.arch)) {
            Result<std::vector<Preset>> presets = shipped_presets();
            if (!presets) return presets.error();
            Result<ReadLink> link = read_link(arguments.model.arch, *presets);
            if (!link) return link.error();
            options.document->with = link->state.document.with;
            link->state.document = *options.document;
            options.link = *std::move(link);
        }
        read.insert(read.end(), opened->read.begin(), opened->read.end());
    }
    for (const auto& [flag, output] :
         {std::pair("--screenshot", options.screenshot), {"--report-ui", options.report_ui}})
        if (Failure failure = output ? cannot_write(*output, read) : std::nullopt) return within(flag, *failure);
    return options;
}

}  // namespace headcount
