// Questions about several models: what makes two differ, and which of them fit into so much memory.
#include <algorithm>

#include "core/analysis/difference.hpp"
#include "core/analysis/memory.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/lesson/ask_wide.hpp"

namespace headcount {
namespace {

Side side_of(const LessonModel& model) {
    return {model.architecture, model.graph, model.bindings, model.parameters};
}

// The three parts that gain or lose most, and the fields that are others.
std::vector<std::string> what_differs(const Difference& between) {
    constexpr std::size_t most_parts = 3, most_fields = 6;
    std::vector<Component> order(components.begin(), components.end());
    std::stable_sort(order.begin(), order.end(),
                     [&](Component a, Component b) { return std::abs(between.of(a)) > std::abs(between.of(b)); });
    std::vector<std::string> notes;
    for (std::size_t i = 0; i < most_parts; ++i)
        if (const std::int64_t change = between.of(order[i]); change != 0)
            notes.push_back(std::string(component_name(order[i])) + " " + signed_grouped(change) + ".");
    std::string fields;
    for (std::size_t i = 0; i < between.fields.size() && i < most_fields; ++i) {
        const FieldDifference& each = between.fields[i];
        fields += (fields.empty() ? "" : ", ") + std::string(info(each.field).label) + " " + each.a + " → " + each.b;
    }
    if (!fields.empty()) notes.push_back(fields + ".");
    return notes;
}

// All that a pass with this input takes on one device; nothing where the model cannot have the input.
std::optional<Memory> memory_of(const LessonModel& model) {
    const Precision weights = model.input.precision;
    Result<Memory> all =
        memory(model.architecture, model.graph, model.bindings, {.weights = weights, .cache = default_cache(weights)});
    return all ? std::optional(std::move(*all)) : std::nullopt;
}

// Of the whole sequence: what is cached already is read with the rest.
Input from_the_start(Input input) {
    // What is too much stays as it is, and is no input that a model can have.
    if (const std::optional<std::int64_t> all = checked_add(input.tokens, input.cached)) {
        input.tokens = *all;
        input.cached = 0;
    }
    return input;
}

// As it was typed where that is a round number: "24 GB".
std::string room_text(std::int64_t bytes) {
    constexpr std::int64_t gigabyte = 1'000'000'000;
    return bytes % gigabyte == 0 ? grouped(bytes / gigabyte) + " GB" : bytes_text(bytes);
}

AskOutcome one_fits(const WideQuestion& question, std::int64_t budget) {
    const Result<LessonModelPtr> model =
        lesson_model(question.model.architecture, from_the_start(question.model.input));
    const std::optional<Memory> all = model ? memory_of(**model) : std::nullopt;
    if (!all) return {std::nullopt, "What " + question.model.architecture.name + " takes does not fit in 64 bits.", {}};
    const std::int64_t spare = budget - all->total;
    AskAnswer answer;
    answer.title = (*model)->architecture.name + (spare >= 0 ? " fits in " : " does not fit in ") + room_text(budget);
    answer.about = asked_about(**model, true, true);
    answer.number = grouped(all->total);
    answer.unit = "bytes";
    answer.in_short = bytes_text(all->total);
    answer.symbols = "weights + KV cache + activations";
    answer.numbers =
        grouped(all->weights.bytes) + " + " + grouped(all->cache.bytes) + " + " + grouped(all->activations.bytes);
    answer.result = (spare >= 0 ? bytes_text(spare) + " to spare" : bytes_text(-spare) + " too much");
    answer.light = "total";
    return {std::move(answer), {}, {}};
}

// The shipped models that fit, the largest first.
AskOutcome all_that_fit(const WideQuestion& question, std::int64_t budget) {
    constexpr std::size_t most = 5;
    struct Fitting {
        const Preset* preset;
        std::int64_t parameters, bytes;
    };
    std::vector<Fitting> fitting;
    AskMemory forgotten;
    AskMemory& memory = question.about.memory ? *question.about.memory : forgotten;
    const Input input = from_the_start(question.heard.input);
    for (const Preset& preset : question.about.presets) {
        const LessonModelPtr model = memory.model(preset, input);
        // Not even four bits a weight: nothing more has to be worked out.
        if (!model || model->parameters.total / 2 > budget) continue;
        if (const std::optional<Memory> all = memory_of(*model); all && all->total <= budget)
            fitting.push_back({&preset, model->parameters.total, all->total});
    }
    std::stable_sort(fitting.begin(), fitting.end(),
                     [](const Fitting& a, const Fitting& b) { return a.parameters > b.parameters; });
    AskAnswer answer;
    answer.title = "Shipped models that fit in " + room_text(budget);
    answer.about = grouped(input.tokens) + (input.tokens == 1 ? " token" : " tokens") +
                   (input.batch > 1 ? " · " + grouped(input.batch) + " sequences" : "") + " · " +
                   std::string(info(input.precision).key);
    answer.number = std::to_string(fitting.size());
    answer.unit = "of " + std::to_string(question.about.presets.size()) + " models";
    answer.symbols = "weights + KV cache + activations ≤ " + grouped(budget) + " bytes";
    if (!fitting.empty()) {
        answer.numbers = fitting.front().preset->architecture.name + ": " + grouped(fitting.front().bytes) + " bytes";
        answer.result = "the largest is " + fitting.front().preset->architecture.name;
    }
    AskOutcome outcome{std::move(answer), {}, {}};
    for (std::size_t i = 0; i < fitting.size() && i < most; ++i)
        outcome.found.push_back({AskMatch::Kind::preset, fitting[i].preset->id, fitting[i].preset->architecture.name,
                                 bytes_text(fitting[i].bytes), 0, "", ""});
    return outcome;
}

}  // namespace

AskOutcome answer_compare(const WideQuestion& question) {
    const Heard& heard = question.heard;
    const Architecture* const second = heard.second ? &heard.second->architecture : &question.about.architecture;
    if (!heard.preset || (!heard.second && heard.preset->id == question.about.preset))
        return {std::nullopt, "Name two models to compare, such as llama 2 7b with llama 3 8b.", {}};
    const Result<LessonModelPtr> other = lesson_model(*second, heard.input);
    if (!other) return {std::nullopt, sentence(other.error()), {}};
    // Of two that are named the second less the first; of one that and the model at hand.
    const LessonModel& a = heard.second ? question.model : **other;
    const LessonModel& b = heard.second ? **other : question.model;
    const Result<Difference> between = difference(side_of(a), side_of(b));
    if (!between) return {std::nullopt, sentence(between.error()), {}};
    AskAnswer answer;
    answer.title = b.architecture.name + " less " + a.architecture.name;
    answer.about = b.architecture.name;
    answer.number = answer.result = signed_grouped(between->total);
    answer.unit = "parameters";
    answer.in_short = signed_short(between->total);
    answer.symbols = b.architecture.name + " - " + a.architecture.name;
    answer.numbers = grouped(b.parameters.total) + " - " + grouped(a.parameters.total);
    answer.notes = what_differs(*between);
    answer.light = "total";
    if (heard.second && heard.second->id != question.about.preset) answer.preset = heard.second->id;
    return {std::move(answer), {}, {}};
}

AskOutcome answer_fits(const WideQuestion& question) {
    if (!question.heard.budget) return {std::nullopt, "Say how much memory there is, such as 24 GB or 80 GiB.", {}};
    if (question.heard.preset) return one_fits(question, *question.heard.budget);
    return all_that_fit(question, *question.heard.budget);
}

}  // namespace headcount
