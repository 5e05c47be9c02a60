// What is on a picture, or in a link.
#include "app/cli/render_arguments.hpp"

#include <algorithm>

#include "app/cli/window.hpp"
#include "app/state/claims/page.hpp"
#include "app/state/typed_place.hpp"
#include "core/base/find.hpp"
#include "core/base/json_file.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/base/write_file.hpp"
#include "core/files/documents.hpp"
#include "core/grading/answers.hpp"
#include "core/worksheet/worksheet.hpp"

namespace headcount {
namespace {

// "what-if:solve"
Result<AskedView> read_view(const std::string& text, std::string_view flag, std::span<const std::string_view> views) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    AskedView asked{text.substr(0, colon)};
    if (!contains(views, asked.key)) {
        const std::string known = listed(views);
        return Error{"there is no view " + quote(text), std::string(flag), "the views are: " + known};
    }
    if (colon == text.size()) return asked;
    const std::string part = text.substr(colon + 1);
    const std::span<const std::string_view> tabs = asked.key == what_if_view   ? std::span(what_if_tab_keys)
                                                   : asked.key == compare_view ? std::span(compare_tab_keys)
                                                                               : std::span<const std::string_view>();
    const auto tab = std::ranges::find(tabs, part);
    if (tab != tabs.end()) {
        const auto place = tab - tabs.begin();
        if (asked.key == what_if_view)
            asked.what_if = static_cast<WhatIfTab>(place);
        else
            asked.compare = static_cast<CompareTab>(place);
        return asked;
    }
    const auto those = [](std::string_view view, std::span<const std::string_view> keys) {
        return listed(keys, [view](std::string_view key) { return std::string(view) + ":" + std::string(key); });
    };
    const std::string known = tabs.empty()
                                  ? those(what_if_view, what_if_tab_keys) + ", " + those(compare_view, compare_tab_keys)
                                  : those(asked.key, tabs);
    return Error{"there is no " + quote(part) + " in this view", std::string(flag) + ' ' + text,
                 "give one of " + known};
}

}  // namespace

Failure wrong_view(const RenderArguments& arguments) {
    const std::string view = arguments.view.value_or(AskedView{}).key;
    const bool svg = arguments.format() == PictureFormat::svg;
    if (svg && arguments.tilted)
        return Error{"an SVG file has the diagram flat, not in perspective", "--tilt",
                     "leave --tilt out, or make it a PNG file"};
    if (svg && arguments.pixels)
        return Error{"an SVG file has no pixels", "--pixels", "leave --pixels out, or make it a PNG file"};
    if (arguments.crop && arguments.tilted)
        return Error{"a diagram in perspective is not cut", "--crop", "leave --crop or --tilt out"};
    const bool moving = arguments.tour || view == run_view || arguments.at.value_or("model") != "model";
    if (arguments.frames && !moving)
        return Error{"nothing moves here", "--frames",
                     "give --at PLACE for the way to it, --tour TOUR for its steps, or --view run for its words"};
    if (arguments.frames && arguments.no_ground && arguments.frames->ends_with(".gif"))
        return Error{"a GIF has a ground", "--no-ground", "leave it out, or name a folder"};
    if (arguments.frames && arguments.crop) return Error{"frames are all of one size", "--crop", "leave --crop out"};
    if (view != explore_view && arguments.tour)
        return Error{"a tour chooses the view itself", "--tour", "leave --view out"};
    if (arguments.welcome && (view != explore_view || arguments.present))
        return Error{"the welcome is over the Explore view", "--welcome", "leave --view and --present out"};
    if (arguments.claim && view != claims_view)
        return Error{"claims are in another view", "--claim", "give --view claims"};
    if (arguments.against && view != run_view)
        return Error{"somebody else's activations are in another view", "--against", "give --view run"};
    if (arguments.with && view != compare_view)
        return Error{"two models are in another view", "--with", "give --view compare"};
    const bool sheet = arguments.sheet || arguments.question || arguments.answers;
    if (sheet && view != worksheet_view)
        return Error{"worksheets are in another view", "--sheet", "give --view worksheet"};
    if (sheet && !arguments.sheet) return Error{"of which worksheet?", "--question", "give --sheet too"};
    if (arguments.step && !arguments.tour) return Error{"a step of what?", "--step", "give --tour too"};
    return std::nullopt;
}

void add_view(CLI::App* command, std::optional<AskedView>& view, std::span<const std::string_view> views,
              std::string_view what) {
    add_value(command, "--view", view, any_of(views), std::string(what),
              [views](const std::string& text, std::string_view flag) { return read_view(text, flag, views); });
}

CLI::Option* describe_seen(CLI::App* command, RenderArguments& arguments, std::span<const std::string_view> views) {
    CLI::Option* const arch = add_model(command, arguments.model);
    add_input(command, arguments.input);
    add_view(command, arguments.view, views, "which view; a part of one is written as what-if:solve (explore)");
    add_name(command, "--select", arguments.select, "ID", "select this tensor, such as layer.attention.query.weight");
    add_name(command, "--at", arguments.at, "PLACE",
             "zoom to model, layer, a block or a tensor, such as layer.attention.head:3");
    command->add_flag("--tilt", arguments.tilted, "see the diagram in perspective");
    command->add_flag("--log", arguments.log_sides, "draw sides by their logarithm");
    add_name(command, "--tour", arguments.tour, "TOUR", "a step of this tour, by its id, number or file");
    add_whole(command, "--step", arguments.step, "N", "which step of the tour (1)", 1);
    add_name(command, "--with", arguments.with, "ARCH", "in the Compare view, beside this model");
    add_name(command, "--claim", arguments.claim, "CLAIM", "in the Claims view, this claim");
    add_name(command, "--sheet", arguments.sheet, "SHEET", "in the Worksheet view, this worksheet or file");
    add_whole(command, "--question", arguments.question, "N", "which question of it (1)", 1);
    command->add_flag("--present", arguments.present, "as it is shown to a class");
    return arch;
}

namespace {

Failure read_claim(const RenderArguments& arguments, RenderOptions& options) {
    if (!arguments.claim) return std::nullopt;
    Result<ClaimPlace> claim = named_claim(*arguments.claim, "--claim");
    if (!claim) return claim.error();
    options.claim = *std::move(claim);
    return std::nullopt;
}

// The model that it is compared with.
Failure read_other(const RenderArguments& arguments, std::span<const Preset> presets, RenderOptions& options,
                   Notes& said, std::vector<std::filesystem::path>& read) {
    if (!arguments.with) return std::nullopt;
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
    options.document.with =
        Compared{std::move(other.architecture), std::move(other.base), other.preset, other.file, other.stored};
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
    if (!arguments.sheet) return std::nullopt;
    const Result<Worksheet> worksheet = open_worksheet(*arguments.sheet, presets);
    if (!worksheet) return worksheet.error();
    options.sheet.worksheet = *arguments.sheet;
    const auto last = static_cast<std::int64_t>(worksheet->questions.size());
    const std::int64_t number = arguments.question.value_or(1);
    if (number > last)
        return Error{"there is no question " + std::to_string(number), "--question",
                     "give 1 to " + std::to_string(last)};
    options.sheet.question = static_cast<std::size_t>(number - 1);
    if (!arguments.answers) return std::nullopt;
    const Result<std::string> text = read_text(*arguments.answers);
    if (!text) return text.error();
    const Result<std::vector<Answers>> answers = parse_answers(*text, "", *arguments.answers);
    if (!answers) return answers.error();
    return answers->empty() ? std::nullopt
                            : take_answers(*arguments.answers, answers->front(), *worksheet, presets, options);
}

// Which step of a tour, counted from 1; the tour is worked out for the model to see whether it has that step.
Failure read_tour_step(const RenderArguments& arguments, std::span<const Preset> presets, RenderOptions& options) {
    if (!arguments.tour) return std::nullopt;
    const Result<NamedTour> named = named_tour(*arguments.tour);
    if (!named) return named.error();
    const Document& document = options.document;
    const Result<WorkedTour> worked =
        make_tour(named->tour, presets, document.architecture, document.input, title_of(document));
    if (!worked) return within("--tour", worked.error());
    const std::int64_t step = arguments.step.value_or(1);
    const auto steps = static_cast<std::int64_t>(worked->steps.size());
    if (step > steps)
        return Error{"there is no step " + std::to_string(step), "--step", "give 1 to " + std::to_string(steps)};
    options.tour = named->name;
    options.step = static_cast<std::size_t>(step - 1);
    return std::nullopt;
}

}  // namespace

Result<RenderOptions> render_options(const RenderArguments& arguments, Notes& said) {
    RenderOptions options;
    options.output = arguments.output.file;
    options.format = arguments.format();
    options.size = arguments.look.size.value_or(options.size);
    const bool alone = options.format == PictureFormat::svg || arguments.crop || arguments.no_ground;
    options.slide = {.of = alone ? Slide::Of::diagram : Slide::Of::window,
                     .pixels = static_cast<int>(arguments.pixels.value_or(1)),
                     .ground = !arguments.no_ground,
                     .crop = arguments.crop};
    if (Failure failure = read_claim(arguments, options)) return *failure;
    Result<std::vector<Preset>> presets = shipped_presets(&said);
    if (!presets) return presets.error();
    if (is_link(arguments.model.arch)) {
        Result<ReadLink> link = read_link(arguments.model.arch, *presets);
        if (!link) return link.error();
        options.link = *std::move(link);
    }
    const View linked = options.link ? options.link->state.view : View{};
    const AskedView view = arguments.view.value_or(AskedView{linked.workspace, linked.what_if.tab, {}});
    options.view = view.key;
    if (!arguments.view && !linked.show.tour.empty()) options.view.clear();  // a tour's step says it
    options.what_if = view.what_if;
    options.compare = view.compare;
    // Slides are mostly white: what has no ground of its own has dark ink.
    const ThemeChoice theme = arguments.no_ground && !options.link ? ThemeChoice::light : linked.theme;
    options.theme = arguments.look.theme.value_or(theme);
    Result<OpenedDocument> opened = open_document(arguments.model, *presets, said, arguments.input);
    if (!opened) return opened.error();
    if (options.view == "run" && !opened->checkpoint)
        said.push_back("There are no weights of " + opened->document.architecture.name +
                       " here: the Run view shows the model that ships.");
    const bool opened_weights = opened->checkpoint != nullptr;
    options.document = std::move(opened->document);
    options.costs = std::move(opened->costs);
    if (options.link) {
        options.document.with = options.link->state.document.with;
        options.link->state.document = options.document;
    }
    std::vector<std::filesystem::path> read = std::move(opened->read);
    // A model too large to count has no picture either, and the command line is where to say so.
    Result<Counted> counted = count(options.document.architecture, options.document.input);
    if (!counted) return in_file(options.document, arguments.model, counted.error());
    if (arguments.against && !opened_weights)
        return Error{"there are no weights of " + options.document.architecture.name + " here", "--against",
                     "name a file of weights, or a folder with them: those that the other program has read"};
    options.against = arguments.against.value_or("");
    if (arguments.select) {
        options.selection = subject_from_key(*arguments.select);
        Failure failure = check_selection(options.selection, *arguments.select, counted->graph);
        if (failure) return *failure;
    }
    if (arguments.at) {
        Result<Place> place = read_place(*arguments.at, *counted);
        if (!place) return place.error();
        options.at = *place;
        options.on_canvas = true;
    }
    options.tilted = arguments.tilted;
    options.log_sides = arguments.log_sides;
    options.scale = static_cast<float>(arguments.scale.value_or(100)) / 100;
    options.present = arguments.present;
    options.welcome = arguments.welcome;
    if (Failure failure = read_other(arguments, *presets, options, said, read)) return *failure;
    if (Failure failure = read_sheet(arguments, *presets, options)) return *failure;
    if (Failure failure = read_tour_step(arguments, *presets, options)) return *failure;
    options.presets = *std::move(presets);
    for (const auto& named : {arguments.answers, arguments.sheet, arguments.tour, arguments.against})
        if (named) read.emplace_back(*named);
    options.frames = arguments.frames.value_or("");
    if (options.output.empty()) return options;
    if (Failure failure = cannot_write(options.output, read)) return *failure;
    return options;
}

}  // namespace headcount
