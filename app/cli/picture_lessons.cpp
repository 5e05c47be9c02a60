// Worksheets and tours that a picture is to show.
#include <algorithm>

#include "app/cli/picture_parts.hpp"
#include "core/base/json_file.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/grading/answers.hpp"
#include "core/tours/files.hpp"
#include "core/worksheet/files.hpp"

namespace headcount {
namespace {

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

}  // namespace

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

Result<Tour> named_tour(const std::string& text) {
    std::vector<Tour> tours = all_tours().tours;
    const auto tour = std::find_if(tours.begin(), tours.end(), [&](const Tour& each) { return each.id == text; });
    if (tour != tours.end()) return std::move(*tour);
    std::error_code ignored;
    if (std::filesystem::exists(text, ignored) || text.find('/') != std::string::npos || text.ends_with(".json"))
        return read_tour(text);
    if (std::optional<Error> nowhere = leads_nowhere(text)) return within("--tour", *std::move(nowhere));
    std::string ids;
    for (const Tour& each : tours) ids += (ids.empty() ? "the tours are: " : ", ") + each.id;
    return Error{"there is no tour " + quote(text), "--tour", ids};
}

Failure read_tour_step(const RenderArguments& arguments, std::span<const Preset> presets, RenderOptions& options) {
    if (!arguments.tour) return std::nullopt;
    const Result<Tour> tour = named_tour(*arguments.tour);
    if (!tour) return tour.error();
    const Result<WorkedTour> worked = make_tour(*tour, presets, options.document.architecture, options.document.input);
    if (!worked) return within("--tour", worked.error());
    const std::int64_t step = arguments.step.value_or(1);
    const auto steps = static_cast<std::int64_t>(worked->steps.size());
    if (step > steps)
        return Error{"there is no step " + std::to_string(step), "--step", "give 1 to " + std::to_string(steps)};
    options.tour = *arguments.tour;
    options.step = static_cast<std::size_t>(step - 1);
    return std::nullopt;
}

}  // namespace headcount
