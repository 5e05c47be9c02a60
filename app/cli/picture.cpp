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

// "5,17" of "layer.attention.query.weight[5,17]".
Result<std::array<std::int64_t, 2>> read_cell(const std::string& text, const Tensor& tensor, const Bindings& bindings) {
    const std::size_t comma = text.find(',');
    const Error wrong{"\"" + text + "\" is not a cell", "--at", "give a row and a column, such as [5,17]"};
    if (comma == std::string::npos) return wrong;
    std::array<std::int64_t, 2> cell{};
    for (std::size_t i = 0; i < 2; ++i) {
        const std::string part = i == 0 ? text.substr(0, comma) : text.substr(comma + 1);
        const Result<std::int64_t> number = parse_whole_number(part, "--at");
        if (!number) return wrong;
        const Shape& shape = tensor.shape;
        const Result<std::int64_t> side =
            evaluate(i == 0 && shape.rank() == 1 ? Expr(1) : shape[shape.rank() == 1 ? 0 : i], bindings);
        if (!side) return side.error();
        if (*number < 0 || *number >= *side)
            return Error{"there is no " + std::string(i == 0 ? "row " : "column ") + part + " in " + tensor.id, "--at",
                         "give 0 to " + std::to_string(*side - 1)};
        cell[i] = *number;
    }
    return cell;
}

// "layer.attention.head:3", "layer.attention.query.weight[5,17]": a place, which of its copies, which cell.
Result<Place> read_place(const std::string& text, const Document& document) {
    const ModelGraph graph = expand(document.architecture);
    const Bindings numbers = bindings(document.architecture, document.input);
    if (text == "model") return Place{};
    Place place{text.substr(0, text.find_first_of(":[")), 0, {}};
    const Block* block = graph.find_block(place.id);
    const Tensor* tensor = graph.find(place.id);
    if (!block && !tensor) {
        std::vector<std::string_view> ids;
        for (const Block& each : graph.blocks) ids.push_back(each.id);
        for (const Tensor& each : graph.tensors) ids.push_back(each.id);
        const std::string nearest = did_you_mean(nearest_names(place.id, ids));
        return Error{"there is no place named \"" + place.id + "\"", "--at",
                     nearest.empty() ? "give model, a block or a tensor, such as layer.attention" : nearest};
    }
    const std::string rest = text.substr(place.id.size());
    if (rest.empty()) return place;
    if (rest.front() == '[' && rest.back() == ']' && tensor) {
        const Result<std::array<std::int64_t, 2>> cell = read_cell(rest.substr(1, rest.size() - 2), *tensor, numbers);
        if (!cell) return cell.error();
        place.cell = *cell;
        return place;
    }
    if (rest.front() != ':' || !block)
        return Error{"\"" + rest + "\" cannot follow " + place.id, "--at",
                     "give :3 after a head, or [5,17] after a tensor"};
    const Result<std::int64_t> copy = parse_whole_number(rest.substr(1), "--at");
    if (!copy) return copy.error();
    const Result<std::int64_t> copies =
        place.id == "layer" ? Result<std::int64_t>(std::int64_t{1}) : evaluate(block->repeat, numbers);
    if (!copies) return copies.error();
    if (*copy < 0 || *copy >= *copies)
        return Error{"there is no number " + std::to_string(*copy) + " of " + place.id, "--at",
                     "give 0 to " + std::to_string(*copies - 1)};
    place.copy = *copy;
    return place;
}

}  // namespace

Result<RenderOptions> render_options(const RenderArguments& arguments) {
    if (arguments.view != "explore")
        return Error{"there is no view \"" + arguments.view + "\"", "--view", "the views are: explore"};
    RenderOptions options;
    Result<std::filesystem::path> output = read_picture_path(arguments.output, arguments.tilted);
    if (!output) return output.error();
    options.output = *output;
    if (Failure failure = read_look(arguments, options)) return *failure;
    Result<std::vector<Preset>> presets = shipped_presets();
    if (!presets) return presets.error();
    Result<OpenedDocument> opened = open_document(arguments.model, *presets);
    if (!opened) return opened.error();
    Result<Document> document = with_input(std::move(opened->document), arguments.input);
    if (!document) return document.error();
    options.document = std::move(*document);
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
    // A model too large to count has no picture either, and the command line is where to say so.
    Result<Counted> counted = count(options.document.architecture, options.document.input);
    if (!counted) return counted.error();
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
    if (arguments.model.arch.empty() && arguments.model.set.empty()) return options;
    if (arguments.model.arch.empty())
        return Error{"there is no model to change", "--set", "name a preset or a file before it"};
    Result<std::vector<Preset>> presets = shipped_presets();
    if (!presets) return presets.error();
    Result<OpenedDocument> opened = open_document(arguments.model, *presets);
    if (!opened) return opened.error();
    options.document = std::move(opened->document);
    return options;
}

}  // namespace headcount
