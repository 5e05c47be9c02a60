// headcount render and the options of the window: what main hands to the shell.
#include <algorithm>

#include "app/cli/commands.hpp"
#include "app/cli/model.hpp"
#include "app/state/derived.hpp"
#include "core/base/json_file.hpp"
#include "core/base/text.hpp"
#include "core/lesson/answers.hpp"
#include "core/lesson/claims.hpp"
#include "core/lesson/tour_files.hpp"
#include "core/lesson/worksheet_files.hpp"

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

Failure read_view(const RenderArguments& arguments, RenderOptions& options) {
    const std::size_t colon = std::min(arguments.view.find(':'), arguments.view.size());
    const std::string part = arguments.view.substr(std::min(colon + 1, arguments.view.size()));
    const auto view = std::find(workspace_keys.begin(), workspace_keys.end(), arguments.view.substr(0, colon));
    if (view == workspace_keys.end()) {
        std::string all;
        for (std::string_view each : workspace_keys)
            all += (all.empty() ? "the views are: " : ", ") + std::string(each);
        return Error{"there is no view \"" + arguments.view + "\"", "--view", all};
    }
    options.view = static_cast<Workspace>(view - workspace_keys.begin());
    if (colon < arguments.view.size()) {
        const auto tab = std::find(what_if_tab_keys.begin(), what_if_tab_keys.end(), part);
        if (options.view != Workspace::what_if || tab == what_if_tab_keys.end())
            return Error{"there is no \"" + part + "\" in this view", "--view " + arguments.view,
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
    return Error{"there is no claim \"" + *arguments.claim + "\"", "--claim",
                 nearest.empty() ? "\"headcount claims\" lists them" : nearest};
}

// The model that it is compared with.
Failure read_other(const RenderArguments& arguments, std::span<const Preset> presets, RenderOptions& options) {
    if (!arguments.with) return std::nullopt;
    if (options.view != Workspace::compare)
        return Error{"two models are in another view", "--with", "give --view compare"};
    Result<OpenedDocument> opened = open_document(ModelArguments{*arguments.with, {}}, presets);
    if (!opened) return within("--with", opened.error());
    Document& other = opened->document;
    if (other.architecture.vocab == 0) other.architecture = other.base;
    if (const Result<Counted> counted = count(other.architecture, Input{.tokens = 1}); !counted)
        return within("--with", counted.error());
    options.document.with = Compared{std::move(other.architecture), std::move(other.base), other.preset, other.file};
    return std::nullopt;
}

// As they were given: to this worksheet, about these numbers.
Failure take_answers(const std::string& file, const Answers& answers, const Worksheet& worksheet,
                     std::span<const Preset> presets, RenderOptions& options) {
    const Result<Sheet> sheet = make_sheet(worksheet, presets, answers.seed, &options.document.architecture);
    if (!sheet) return within("--answers " + file, sheet.error());
    if (const Result<GradedSheet> graded = grade_all(*sheet, answers); !graded)
        return within("--answers " + file, graded.error());
    options.sheet.seed = answers.seed;
    options.sheet.given = answers.given;
    return std::nullopt;
}

// Which worksheet, at which question, and what was answered in it.
Failure read_sheet(const RenderArguments& arguments, std::span<const Preset> presets, RenderOptions& options) {
    if (!arguments.sheet && !arguments.question && !arguments.answers) return std::nullopt;
    if (options.view != Workspace::worksheet)
        return Error{"worksheets are in another view", "--sheet", "give --view worksheet"};
    if (!arguments.sheet) return Error{"of which worksheet?", "--question", "give --sheet too"};
    const Result<Worksheet> worksheet = open_worksheet(*arguments.sheet, presets);
    if (!worksheet) return worksheet.error();
    options.sheet.worksheet = *arguments.sheet;
    const auto last = static_cast<std::int64_t>(worksheet->questions.size());
    const Result<std::int64_t> number = parse_whole_number(arguments.question.value_or("1"), "--question");
    if (!number || *number > last)
        return Error{"there is no question " + *arguments.question, "--question", "give 1 to " + std::to_string(last)};
    options.sheet.question = static_cast<std::size_t>(*number - 1);
    if (!arguments.answers) return std::nullopt;
    const Result<std::string> text = read_text(*arguments.answers);
    if (!text) return text.error();
    const Result<std::vector<Answers>> answers = parse_answers(*text, "", *arguments.answers);
    if (!answers) return answers.error();
    return answers->empty() ? std::nullopt
                            : take_answers(*arguments.answers, answers->front(), *worksheet, presets, options);
}

// By its id, or from a file.
Result<Tour> named_tour(const std::string& text) {
    std::vector<Tour> tours = all_tours().tours;
    const auto tour = std::find_if(tours.begin(), tours.end(), [&](const Tour& each) { return each.id == text; });
    if (tour != tours.end()) return std::move(*tour);
    std::error_code ignored;
    if (std::filesystem::exists(text, ignored) || text.find('/') != std::string::npos || text.ends_with(".json"))
        return read_tour(text);
    std::string ids;
    for (const Tour& each : tours) ids += (ids.empty() ? "the tours are: " : ", ") + each.id;
    return Error{"there is no tour \"" + text + "\"", "--tour", ids};
}

// Which step of a tour, counted from 1; the tour is worked out for the model to see whether it has that step.
Failure read_tour_step(const RenderArguments& arguments, std::span<const Preset> presets, RenderOptions& options) {
    if (!arguments.tour) {
        if (!arguments.step) return std::nullopt;
        return Error{"a step of what?", "--step", "give --tour too"};
    }
    const Result<Tour> tour = named_tour(*arguments.tour);
    if (!tour) return tour.error();
    const Result<WorkedTour> worked = make_tour(*tour, presets, options.document.architecture, options.document.input);
    if (!worked) return within("--tour", worked.error());
    const Result<std::int64_t> step = parse_whole_number(arguments.step.value_or("1"), "--step");
    const auto steps = static_cast<std::int64_t>(worked->steps.size());
    if (!step || *step < 1 || *step > steps)
        return Error{"there is no step " + *arguments.step, "--step", "give 1 to " + std::to_string(steps)};
    options.tour = *arguments.tour;
    options.step = static_cast<std::size_t>(*step - 1);
    return std::nullopt;
}

}  // namespace

Result<RenderOptions> render_options(const RenderArguments& arguments) {
    RenderOptions options;
    if (Failure failure = read_view(arguments, options)) return *failure;
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
    options.present = arguments.present;
    if (Failure failure = read_other(arguments, *presets, options)) return *failure;
    if (Failure failure = read_sheet(arguments, *presets, options)) return *failure;
    if (Failure failure = read_tour_step(arguments, *presets, options)) return *failure;
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
    if (arguments.tour) {
        if (const Result<Tour> tour = named_tour(*arguments.tour); !tour) return tour.error();
        options.tour = *arguments.tour;
    }
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
