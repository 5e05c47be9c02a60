// headcount render and the options of the window: what main hands to the shell.
#include "app/cli/commands.hpp"
#include "app/cli/model.hpp"
#include "app/state/derived.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

Result<ThemeChoice> read_theme(const std::string& text) {
    if (text == "dark") return ThemeChoice::dark;
    if (text == "light") return ThemeChoice::light;
    return Error{"\"" + text + "\" is not a theme", "--theme", "give dark or light"};
}

Result<PictureSize> read_size(const std::string& text) {
    std::size_t cross = text.find('x');
    if (cross == std::string::npos)
        return Error{"\"" + text + "\" is not a size", "--size", "give width and height in pixels, such as 1600x1000"};
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

Result<std::filesystem::path> read_picture_path(const std::string& text, const std::string& flag) {
    std::filesystem::path path(text);
    if (path.extension() == ".png") return path;
    if (path.extension() == ".svg")
        return Error{"SVG pictures cannot be made yet", flag + " " + text, "end it in .png"};
    return Error{"a picture cannot have this ending", flag + " " + text, "end it in .png"};
}

Failure check_selection(const Subject& subject, const std::string& key, const Architecture& arch) {
    const auto* tensor = std::get_if<TensorSubject>(&subject);
    ModelGraph graph = expand(arch);
    if (!nothing(subject) && (!tensor || graph.find(tensor->id))) return std::nullopt;
    std::vector<std::string_view> ids;
    for (const Tensor& candidate : graph.tensors) ids.push_back(candidate.id);
    std::string nearest = did_you_mean(nearest_names(key, ids));
    return Error{"there is nothing named \"" + key + "\" to select", "--select",
                 nearest.empty() ? "give the id of a tensor, such as layer.feed_forward.up.weight" : nearest};
}

}  // namespace

Result<RenderOptions> render_options(const RenderArguments& arguments) {
    if (arguments.view != "explore")
        return Error{"there is no view \"" + arguments.view + "\"", "--view", "the views are: explore"};
    RenderOptions options;
    Result<std::filesystem::path> output = read_picture_path(arguments.output, "-o");
    if (!output) return output.error();
    options.output = *output;
    if (Failure failure = read_look(arguments, options)) return *failure;
    Result<std::vector<Preset>> presets = shipped_presets();
    if (!presets) return presets.error();
    Result<Document> document = open_document(arguments.model, *presets);
    if (document) document = with_input(std::move(*document), arguments.input);
    if (!document) return document.error();
    options.document = std::move(*document);
    if (arguments.select) {
        options.selection = subject_from_key(*arguments.select);
        Failure failure = check_selection(options.selection, *arguments.select, options.document.architecture);
        if (failure) return *failure;
    }
    // A model too large to count has no picture either, and the command line is where to say so.
    Result<Counted> counted = count(options.document.architecture, options.document.input);
    if (!counted) return counted.error();
    return options;
}

Result<WindowOptions> window_options(const WindowArguments& arguments) {
    WindowOptions options;
    if (Failure failure = read_look(arguments, options)) return *failure;
    if (arguments.screenshot) {
        Result<std::filesystem::path> path = read_picture_path(*arguments.screenshot, "--screenshot");
        if (!path) return path.error();
        options.screenshot = *path;
    }
    if (arguments.report_ui) options.report_ui = *arguments.report_ui;
    if (arguments.model.arch.empty() && arguments.model.set.empty()) return options;
    if (arguments.model.arch.empty())
        return Error{"there is no model to change", "--set", "name a preset or a file before it"};
    Result<std::vector<Preset>> presets = shipped_presets();
    if (!presets) return presets.error();
    Result<Document> document = open_document(arguments.model, *presets);
    if (!document) return document.error();
    options.document = std::move(*document);
    return options;
}

}  // namespace headcount
