// Of all shipped models those that a question is about: which they are, where one is from, and the one with the most or
// the fewest of something: all parameters, those of a part, a dimension.
#include <algorithm>

#include "core/ask/answer.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::size_t shown = 5;

// What is asked of models depends on no input, so each has one that is possible in every model.
CountedModelPtr model_of(const Preset& preset, const AskAbout& about) {
    return about.memory->model(preset, Input{.tokens = 1});
}

AskMatch match_of(const Preset& preset, std::int64_t count) {
    return {
        .kind = AskMatch::Kind::preset, .id = preset.id, .title = preset.architecture.name, .detail = grouped(count)};
}

struct Ranked {
    const Preset* preset;
    ComparedCount has;
};

// Those that have it, the first of them first; of two that have as much the one that ships first.
std::vector<Ranked> ranked(const WideQuestion& question) {
    std::vector<Ranked> models;
    for (const Preset& preset : question.about.presets)
        if (const CountedModelPtr model = model_of(preset, question.about);
            model && question.heard.shelf.has(preset, *model))
            if (std::optional<ComparedCount> has = compared(question.heard, *model, question.about);
                has && (has->unit.empty() || has->unit.ends_with("parameters")))
                models.push_back({&preset, *std::move(has)});
    const bool fewest = question.heard.wide == AskWide::fewest;
    std::ranges::stable_sort(models, [&](const Ranked& a, const Ranked& b) {
        return fewest ? a.has.count < b.has.count : a.has.count > b.has.count;
    });
    return models;
}

}  // namespace

std::string models_words(const Heard& heard) {
    const std::string all = "shipped models";
    return heard.shelf.words.empty() ? all : all + " " + listed(heard.shelf.words);
}

AskOutcome answer_rank(const WideQuestion& question) {
    const std::vector<Ranked> models = ranked(question);
    const bool none = std::ranges::none_of(question.about.presets, [&](const Preset& each) {
        const CountedModelPtr model = model_of(each, question.about);
        return model && question.heard.shelf.has(each, *model);
    });
    if (none) return answer_models(question);
    if (models.empty())
        return {std::nullopt,
                "Models are ranked by all their parameters, those of one part, or one dimension; ask for anything "
                "else of each.",
                {}};
    const auto& [preset, has] = models.front();
    const bool dimension = has.unit.empty();
    const std::string of = dimension ? has.name : has.name.empty() ? has.unit : has.unit + " of " + has.name;
    AskAnswer answer;
    answer.title = preset->architecture.name + ": " + std::string(ask_name(*question.heard.wide)) + " " + of;
    answer.about = "of " + std::to_string(models.size()) + " " + models_words(question.heard);
    answer.number = answer.result = grouped(has.count);
    answer.unit = of;
    answer.in_short = dimension ? "" : short_count(has.count);
    answer.symbols = capitalized(of) + " of " + std::to_string(models.size()) + " models";
    answer.numbers = question.heard.wide == AskWide::fewest ? "the least" : "the most";
    const auto alike = std::count_if(models.begin() + 1, models.end(),
                                     [&](const Ranked& each) { return each.has.count == models.front().has.count; });
    if (alike == 1) answer.notes.push_back(models[1].preset->architecture.name + " has as many.");
    if (alike > 1) answer.notes.push_back(std::to_string(alike) + " others have as many.");
    answer.light = has.light;
    if (preset->id != question.about.preset) answer.preset = preset->id;
    AskOutcome outcome{std::move(answer), {}, {}};
    for (std::size_t i = 0; i < models.size() && i < shown; ++i)
        outcome.found.push_back(match_of(*models[i].preset, models[i].has.count));
    return outcome;
}

AskOutcome list_models(std::string title, const AskAbout& about,
                       const std::function<bool(const Preset&, const CountedModel&)>& wanted) {
    std::vector<std::pair<const Preset*, std::int64_t>> found;
    for (const Preset& preset : about.presets)
        if (const CountedModelPtr model = model_of(preset, about); model && wanted(preset, *model))
            found.emplace_back(&preset, model->parameters.total);
    std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.second > b.second; });
    AskAnswer answer;
    answer.title = std::move(title);
    answer.number = answer.result = grouped(static_cast<std::int64_t>(found.size()));
    answer.unit = "of " + std::to_string(about.presets.size()) + " models";
    answer.of_models = true;
    AskOutcome outcome;
    std::string largest;
    for (std::size_t i = 0; i < found.size() && i < shown; ++i) {
        const auto& [preset, parameters] = found[i];
        outcome.found.push_back(match_of(*preset, parameters));
        largest += (i > 0 ? ", " : "") + preset->architecture.name + " (" + short_count(parameters) + ")";
    }
    if (found.size() > 0)
        answer.notes.push_back((found.size() > shown ? "The largest are " : "By size: ") + largest + ".");
    outcome.answer = std::move(answer);
    return outcome;
}

AskOutcome answer_models(const WideQuestion& question) {
    AskShelf shelf = question.heard.shelf;
    std::string words = models_words(question.heard);
    if (question.heard.wide == AskWide::newest || question.heard.wide == AskWide::oldest) {
        const bool newest = question.heard.wide == AskWide::newest;
        std::optional<int> year;
        for (const Preset& preset : question.about.presets)
            if (const CountedModelPtr model = model_of(preset, question.about);
                model && preset.year && shelf.has(preset, *model))
                year = newest ? std::max(year.value_or(*preset.year), *preset.year)
                              : std::min(year.value_or(*preset.year), *preset.year);
        shelf.first_year = shelf.last_year = year;
        words = (newest ? "newest " : "oldest ") + words;
        if (year && question.heard.shelf.first_year != year) words += ": of " + std::to_string(*year);
    }
    return list_models(capitalized(words), question.about,
                       [&](const Preset& preset, const CountedModel& model) { return shelf.has(preset, model); });
}

AskOutcome answer_origin(const WideQuestion& question) {
    const AskAbout& about = question.about;
    const Preset* const preset =
        question.heard.preset ? question.heard.preset : find_preset(about.presets, about.preset);
    if (!preset || question.heard.changes())
        return {
            std::nullopt, "It is none of the models that ship, of which alone it is known where they are from.", {}};
    AskAnswer answer;
    answer.title = preset->architecture.name;
    if (preset->year) answer.number = answer.result = std::to_string(*preset->year);
    answer.unit = preset->year ? "the year in which it was published" : "";
    answer.says = preset->source + ".";
    if (!preset->after.empty())
        if (const Preset* const before = find_preset(about.presets, preset->after))
            answer.notes.push_back("It comes after " + before->architecture.name + ".");
    return {std::move(answer), {}, {}};
}

}  // namespace headcount
