// Of all shipped models the one with the most or the fewest of something: all parameters, those of a part, a dimension.
#include <algorithm>

#include "core/arch/fields.hpp"
#include "core/ask/answer.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

struct Ranked {
    const Preset* preset;
    ComparedCount has;
};

// Those that have it, the first of them first; of two that have as much the one that ships first. What is compared
// depends on no input, so each has one that is possible in every model.
std::vector<Ranked> ranked(const WideQuestion& question) {
    AskMemory& memory = *question.about.memory;
    std::vector<Ranked> models;
    for (const Preset& preset : question.about.presets)
        if (const CountedModelPtr model = memory.model(preset, Input{.tokens = 1}))
            if (std::optional<ComparedCount> has = compared(question.heard, *model, question.about);
                has && (has->unit.empty() || has->unit.ends_with("parameters")))
                models.push_back({&preset, *std::move(has)});
    const bool fewest = question.heard.wide == AskWide::fewest;
    std::stable_sort(models.begin(), models.end(), [&](const Ranked& a, const Ranked& b) {
        return fewest ? a.has.count < b.has.count : a.has.count > b.has.count;
    });
    return models;
}

}  // namespace

AskOutcome answer_rank(const WideQuestion& question) {
    constexpr std::size_t shown = 5;
    const std::vector<Ranked> models = ranked(question);
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
    answer.about = "of " + std::to_string(models.size()) + " shipped models";
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
        outcome.found.push_back({.kind = AskMatch::Kind::preset,
                                 .id = models[i].preset->id,
                                 .title = models[i].preset->architecture.name,
                                 .detail = grouped(models[i].has.count)});
    return outcome;
}

}  // namespace headcount
