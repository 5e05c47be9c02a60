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
#include "core/claims/claims.hpp"

namespace headcount {
namespace {

Failure read_claim(const RenderArguments& arguments, RenderOptions& options) {
    if (!arguments.claim) return std::nullopt;
    const Result<std::vector<ClaimsFile>> files = shipped_claims();
    if (!files) return files.error();
    std::vector<std::string_view> known;
    for (const ClaimsFile& file : *files)
        for (const Claim& claim : file.claims) {
            if (claim.id == *arguments.claim) options.claim = {file.id, claim.id, {}};
            known.push_back(claim.id);
        }
    if (!options.claim.claim.empty()) return std::nullopt;
    return Error{"there is no claim " + quote(*arguments.claim), "--claim",
                 did_you_mean(*arguments.claim, known, "\"headcount claims\" lists them")};
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
    options.document.with = Compared{std::move(other.architecture), std::move(other.base), other.preset, other.file};
    return std::nullopt;
}

}  // namespace

Result<RenderOptions> render_options(const RenderArguments& arguments, Notes& said) {
    RenderOptions options;
    options.view = arguments.view.key;
    options.what_if = arguments.view.what_if;
    options.output = arguments.output.file;
    options.format = arguments.output.format.value_or(PictureFormat::png);
    options.theme = arguments.look.theme.value_or(options.theme);
    options.size = arguments.look.size.value_or(options.size);
    if (Failure failure = read_claim(arguments, options)) return *failure;
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
    options.theme = arguments.look.theme;
    options.size = arguments.look.size;
    options.screenshot = arguments.screenshot;
    options.report_ui = arguments.report_ui;
    if (arguments.tour) {
        if (const Result<Tour> tour = named_tour(*arguments.tour); !tour) return tour.error();
        options.tour = *arguments.tour;
    }
    std::vector<std::filesystem::path> read{arguments.tour.value_or("")};
    if (const Result<std::filesystem::path> state = state_file()) read.push_back(*state);
    if (!arguments.model.arch.empty()) {
        Notes shown;  // by the window
        Result<OpenedDocument> opened = open_document(arguments.model, shown);
        if (!opened) return opened.error();
        options.document = std::move(opened->document);
        read.insert(read.end(), opened->read.begin(), opened->read.end());
    }
    for (const auto& [flag, output] :
         {std::pair("--screenshot", options.screenshot), {"--report-ui", options.report_ui}})
        if (Failure failure = output ? cannot_write(*output, read) : std::nullopt) return within(flag, *failure);
    return options;
}

}  // namespace headcount
