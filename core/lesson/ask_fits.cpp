// What a model with an input takes, and which models fit into so much memory.
#include <algorithm>

#include "core/analysis/memory.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/lesson/ask_wide.hpp"

namespace headcount {
namespace {

// All that a pass with this input takes on one device; nothing where the model cannot have the input.
std::optional<Memory> memory_of(const LessonModel& model, const PassOptions& pass) {
    Result<Memory> all = memory(model.architecture, model.graph, model.bindings,
                                {.weights = model.input.precision, .cache = pass.cache_for(model.input)});
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

// All that the model takes with its input, added up.
struct Takes {
    AskAnswer answer;
    std::int64_t bytes;
};
Result<Takes> all_of(const WideQuestion& question) {
    const LessonModel& asked = question.model;
    const Result<LessonModelPtr> model = lesson_model(asked.architecture, from_the_start(asked.input));
    if (!model) return model.error();
    const std::optional<Memory> all = memory_of(**model, question.about.pass);
    if (!all) return Error{"what " + asked.architecture.name + " takes does not fit in 64 bits", "", ""};
    AskAnswer answer;
    answer.title = "Memory of " + asked.architecture.name;
    answer.about = asked_about(**model, true, true);
    answer.number = answer.result = grouped(all->total);
    answer.unit = "bytes";
    answer.in_short = bytes_text(all->total);
    answer.symbols = "weights + KV cache + activations";
    answer.numbers =
        grouped(all->weights.bytes) + " + " + grouped(all->cache.bytes) + " + " + grouped(all->activations.bytes);
    answer.notes.push_back("Weights " + bytes_text(all->weights.bytes) + ", KV cache " + bytes_text(all->cache.bytes) +
                           ", activations at most " + bytes_text(all->activations.bytes) + ".");
    answer.light = "total";
    return Takes{std::move(answer), all->total};
}

AskOutcome one_fits(const WideQuestion& question, std::int64_t budget) {
    Result<Takes> all = all_of(question);
    if (!all) return {std::nullopt, sentence(all.error()), {}};
    const std::int64_t spare = budget - all->bytes;
    all->answer.title =
        question.model.architecture.name + (spare >= 0 ? " fits in " : " does not fit in ") + room_text(budget);
    all->answer.result = (spare >= 0 ? bytes_text(spare) + " to spare" : bytes_text(-spare) + " too much");
    return {std::move(all->answer), {}, {}};
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
        if (const std::optional<Memory> all = memory_of(*model, question.about.pass); all && all->total <= budget)
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

AskOutcome answer_fits(const WideQuestion& question) {
    if (!question.heard.budget) return {std::nullopt, "Say how much memory there is, such as 24 GB or 80 GiB.", {}};
    if (question.heard.preset) return one_fits(question, *question.heard.budget);
    return all_that_fit(question, *question.heard.budget);
}

AskOutcome answer_memory(const WideQuestion& question) {
    Result<Takes> all = all_of(question);
    if (!all) return {std::nullopt, sentence(all.error()), {}};
    return {std::move(all->answer), {}, {}};
}

}  // namespace headcount
