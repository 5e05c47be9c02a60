// What a model with an input takes, and which models fit into so much memory.
#include <algorithm>

#include "core/analysis/amount_text.hpp"
#include "core/analysis/memory.hpp"
#include "core/analysis/pass.hpp"
#include "core/ask/answer.hpp"
#include "core/ask/least_devices.hpp"
#include "core/base/text.hpp"

namespace headcount {

// Devices that are counted in the question are divided as is said beside it, or share the model unless ZeRO divides it.
// All at each product are the fastest; what they hold is that of the largest such groups that divide it evenly, one
// behind the other.
Sharding sharding_of(const WideQuestion& question) {
    const Heard& heard = question.heard;
    Sharding sharding = question.about.pass.sharding;
    if (!heard.device_count) return sharding;
    sharding.devices = *heard.device_count;
    if (heard.zero && heard.wide != AskWide::figure) sharding.zero = *heard.zero;
    if (group_of(sharding) != 1 || sharding.zero > 0 || sharding.expert > 1) return sharding;
    sharding.tensor = sharding.devices;
    if (heard.wide == AskWide::figure) return sharding;
    const Architecture& arch = question.model.architecture;
    const auto even = [&](std::int64_t group) {
        const Sharding alone{.devices = group, .tensor = group};
        return sharding.devices % group == 0 && !wrong_sharding(alone, arch) && uneven_parts(alone, arch).empty();
    };
    constexpr std::int64_t most_tried = 1 << 12;  // more than any model has heads
    sharding.tensor = std::min(sharding.tensor, most_tried);
    while (!even(sharding.tensor)) --sharding.tensor;
    sharding.pipeline = sharding.devices / sharding.tensor;
    return sharding;
}

Training training_of(const WideQuestion& question) {
    Training training = question.about.pass.training.value_or(Training{});
    if (question.heard.optimizer) training.optimizer = *question.heard.optimizer;
    return training;
}

AskCosts costs_of(const WideQuestion& question) {
    const Heard& heard = question.heard;
    AskCosts costs;
    if (heard.device) costs.device = heard.device->id;
    if (heard.training) {
        costs.training = training_of(question);
        costs.phase = Phase::training;
    }
    costs.sharding = sharding_of(question);
    return costs;
}

namespace {

bool trains(const WideQuestion& question) {
    return question.heard.training || question.about.pass.phase == Phase::training;
}

MemoryOptions options_of(const WideQuestion& question, const Input& input) {
    PassOptions pass = question.about.pass;
    pass.sharding = sharding_of(question);
    if (question.heard.training) {
        pass.phase = Phase::training;
        pass.training = training_of(question);
    }
    if (question.heard.adapters()) pass.adapters = question.heard.adapters();
    return pass.held(input);
}

std::optional<Error> wrong_for(const WideQuestion& question, const MemoryOptions& options, const CountedModel& model) {
    if (const std::optional<Adapters> adapters = question.heard.adapters())
        if (std::optional<Error> wrong = wrong_adapters(model.graph, *adapters)) return wrong;
    return wrong_options(options, model.architecture);
}

// "Llama 3 8B", or what is trained beside it.
std::string trained_name(const WideQuestion& question) {
    const std::string& name = question.model.architecture.name;
    return question.heard.adapters() ? adapters_text(question.heard) + " beside " + name : name;
}

}  // namespace

Result<Memory> memory_of(const CountedModel& model, const WideQuestion& question) {
    const MemoryOptions options = options_of(question, model.input);
    if (const std::optional<Error> wrong = wrong_for(question, options, model)) return *wrong;
    return memory(model.architecture, model.graph, model.bindings, options);
}

namespace {

// What something is to fit in: as it was typed where that is a round number ("24 GB"), or a device's memory.
struct Budget {
    std::int64_t bytes;
    std::string text, note = {};
};
std::optional<Budget> budget_of(const WideQuestion& question) {
    const Heard& heard = question.heard;
    const PassOptions& pass = question.about.pass;
    constexpr std::int64_t gigabyte = 1'000'000'000;
    if (heard.budget)
        return Budget{
            *heard.budget,
            *heard.budget % gigabyte == 0 ? grouped(*heard.budget / gigabyte) + " GB" : bytes_text(*heard.budget),
            "All of it counts: of a device that is named, " + grouped(pass.serving.reserve) +
                " % are left to other things."};
    const Device* const device = heard.device ? heard.device : pass.device ? &*pass.device : nullptr;
    if (!device) return std::nullopt;
    const Sharding sharding = sharding_of(question);  // copies hold all of it each
    const bool divided = sharding.zero > 0 || sharding.expert > 1;
    const std::int64_t devices = divided ? sharding.devices : group_of(sharding).value_or(1);
    std::string text = "the " + bytes_text(device->memory) + " of " +
                       (devices > 1 ? "each of " + grouped(devices) + " × " : "") + device->name;
    if (pass.serving.reserve > 0) text += " less " + grouped(pass.serving.reserve) + " %";
    return Budget{pass.serving.usable(*device), std::move(text)};
}

std::string held_words(const WideQuestion& question) {
    return trains(question) ? "weights + gradients + optimizer + activations" : "weights + KV cache + activations";
}

// Of which the most is asked for.
bool is_length(Symbol symbol) { return symbol == Symbol::context || symbol == Symbol::tokens; }

// All that the model takes with its input, added up.
struct Takes {
    AskAnswer answer;
    std::int64_t bytes, on_device, activations;
    CountedModelPtr model;
};
Result<Takes> all_of(const WideQuestion& question) {
    const CountedModel& asked = question.model;
    const Result<CountedModelPtr> model = counted_model(asked.architecture, all_at_once(asked.input));
    if (!model) return model.error();
    const Result<Memory> all = memory_of(**model, question);
    if (!all) return all.error();
    const bool training = trains(question);
    struct Piece {
        std::string name;
        std::int64_t bytes;
        std::string_view how = " ";
        std::string in{};  // " in bf16", where it is not what the title says of the weights
    };
    const Input& input = (*model)->input;
    const std::string formats = formats_title(input.precision), cached = precision_text(input.cached_in());
    std::vector<Piece> pieces{{"weights", all->weights.bytes}};
    if (training) {
        const std::string_view optimizer =
            word_of(optimizer_words(), options_of(question, asked.input).training->optimizer);
        pieces.push_back({"gradients", all->gradients.bytes});
        pieces.push_back({"optimizer (" + std::string(optimizer) + ")", all->optimizer.bytes});
        pieces.push_back({"activations kept", all->activations.bytes});
    } else {
        pieces.push_back({"KV cache", all->cache.bytes, " ", cached == formats ? "" : " in " + cached});
        if (all->states.bytes > 0) pieces.push_back({"states", all->states.bytes});
        pieces.push_back({"activations", all->activations.bytes, " at most "});
    }
    AskAnswer answer;
    answer.title = training ? "Memory to train " + trained_name(question) : "Memory of " + asked.architecture.name;
    answer.about = asked_about(**model, true, formats);
    answer.number = answer.result = grouped(all->total);
    answer.unit = "bytes";
    answer.in_short = bytes_text(all->total);
    std::string note;
    for (const Piece& each : pieces) {
        const std::string plus = answer.symbols.empty() ? "" : " + ";
        answer.symbols += plus + each.name;
        answer.numbers += plus + grouped(each.bytes);
        note += (note.empty() ? "" : ", ") + each.name + std::string(each.how) + bytes_text(each.bytes) + each.in;
    }
    answer.notes.push_back(capitalized(note) + ".");
    if (!question.heard.tokens_given && !question.heard.full_context && !question.heard.has(AskScope::one_token))
        answer.notes.emplace_back("Write 4k tokens, batch 8 for other inputs than this.");
    answer.light = "total";
    answer.costs = costs_of(question);
    return Takes{std::move(answer), all->total, all->device.total, all->activations.bytes, *model};
}

void add_uneven(AskAnswer& answer, const Sharding& sharding, const Architecture& arch) {
    const std::string uneven = uneven_parts(sharding, arch);
    if (!uneven.empty())
        answer.notes.push_back("Not divided evenly: " + uneven + ". What is said of a device is said of the fullest.");
}

AskOutcome one_fits(const WideQuestion& question, const Budget& budget) {
    Result<Takes> all = all_of(question);
    if (!all) return {std::nullopt, sentence(all.error()), {}};
    const std::int64_t spare = budget.bytes - all->on_device;
    const std::string& name = question.model.architecture.name;
    all->answer.title = (trains(question) ? "Training " + trained_name(question) : name) +
                        (spare >= 0 ? " fits in " : " does not fit in ") + budget.text;
    if (const Sharding sharding = sharding_of(question); sharding.devices > 1) {
        all->answer.notes.push_back("The fullest of " + grouped(sharding.devices) + " devices holds at least " +
                                    bytes_text(all->on_device) + ".");
        add_uneven(all->answer, sharding, question.model.architecture);
    }
    if (!budget.note.empty()) all->answer.notes.push_back(budget.note);
    all->answer.spare = spare;
    // What is said of a device is said of the fullest.
    const std::int64_t devices = sharding_of(question).devices;
    all->answer.result = (spare >= 0 ? bytes_text(spare) + " to spare" : bytes_text(-spare) + " too much") +
                         (devices > 1 ? " on the fullest of " + grouped(devices) + " devices" : "");
    return {std::move(all->answer), {}, {}};
}

// The shipped models that fit, the largest first.
AskOutcome all_that_fit(const WideQuestion& question, const Budget& budget) {
    constexpr std::size_t most = 5;
    // Of any model, such as weights of 4 bits that cannot be trained.
    if (const std::optional<Error> wrong =
            wrong_options(options_of(question, question.heard.input), question.model.architecture))
        return {std::nullopt, sentence(*wrong), {}};
    struct Fitting {
        const Preset* preset;
        std::int64_t parameters, bytes;
    };
    std::vector<Fitting> fitting;
    AskMemory& memory = *question.about.memory;
    const Input input = all_at_once(question.heard.input);
    const std::optional<Input> own =
        question.heard.published ? std::optional(published_input(question.about.architecture, question.about.stored))
                                 : std::nullopt;
    for (const Preset& preset : question.about.presets) {
        const CountedModelPtr model = memory.model(preset, input, own);
        // Not even four bits a weight: nothing more has to be worked out.
        if (!model || !question.heard.shelf.has(preset, *model)) continue;
        if (model->parameters.total / 2 / sharding_of(question).devices > budget.bytes) continue;
        if (const Result<Memory> all = memory_of(*model, question); all && all->device.total <= budget.bytes)
            fitting.push_back({&preset, model->parameters.total, all->device.total});
    }
    std::ranges::stable_sort(fitting, [](const Fitting& a, const Fitting& b) { return a.parameters > b.parameters; });
    AskAnswer answer;
    answer.title = capitalized(models_words(question.heard)) +
                   (question.heard.adapters() ? " beside which training " + adapters_text(question.heard) + " fits in "
                    : trains(question)        ? " whose training fits in "
                                              : " that fit in ") +
                   budget.text;
    answer.about = grouped(input.tokens) + (input.tokens == 1 ? " token" : " tokens") +
                   (input.batch > 1 ? " · " + grouped(input.batch) + " sequences" : "") + " · " +
                   (own ? "as published" : formats_title(input.precision));
    answer.number = std::to_string(fitting.size());
    answer.unit = "of " + std::to_string(question.about.presets.size()) + " models";
    answer.symbols = held_words(question) + " ≤ " + grouped(budget.bytes) + " bytes";
    if (!fitting.empty()) {
        answer.numbers = fitting.front().preset->architecture.name + ": " + grouped(fitting.front().bytes) + " bytes";
        answer.result = "the largest is " + fitting.front().preset->architecture.name;
    }
    if (!budget.note.empty()) answer.notes.push_back(budget.note);
    AskOutcome outcome{std::move(answer), {}, {}};
    for (std::size_t i = 0; i < fitting.size() && i < most; ++i)
        outcome.found.push_back({.kind = AskMatch::Kind::preset,
                                 .id = fitting[i].preset->id,
                                 .title = fitting[i].preset->architecture.name,
                                 .detail = bytes_text(fitting[i].bytes)});
    return outcome;
}

// The longest context or the largest batch.
AskOutcome most_that_fits(const WideQuestion& question, const Budget& budget) {
    const CountedModel& asked = question.model;
    const Result<CountedModelPtr> model = counted_model(asked.architecture, all_at_once(asked.input));
    if (!model) return {std::nullopt, sentence(model.error()), {}};
    const CountedModel& counted = **model;
    MemoryOptions options = options_of(question, asked.input);
    options.serving.reserve = 0;  // the budget is without it
    if (const std::optional<Error> wrong = wrong_for(question, options, counted))
        return {std::nullopt, sentence(*wrong), {}};
    const bool length = is_length(question.heard.symbols.front());
    if (length && counted.architecture.patches)
        return {std::nullopt, "An image has as many rows as it has: ask for the largest batch.", {}};
    const Room room = MemoryFormulas(counted.architecture, counted.graph, options)
                          .room({.id = {}, .name = {}, .memory = budget.bytes}, counted.bindings);
    const std::int64_t most = length ? room.longest_context : room.largest_batch;
    AskAnswer answer;
    answer.title = std::string(length ? "Longest context" : "Largest batch") + " of " + asked.architecture.name +
                   (question.heard.adapters() ? " with training of " + adapters_text(question.heard) : "") +
                   " that fits in " + budget.text;
    answer.about = asked_about(counted, !length, formats_title(counted.input.precision));
    answer.number = answer.result = room_text(most);
    answer.unit = most == 0 ? "" : length ? "tokens" : "sequences";
    answer.symbols = held_words(question) + " ≤ memory";
    answer.numbers = "≤ " + grouped(budget.bytes) + " bytes";
    const bool ends = length && has_position_table(counted.architecture) && most == most_tokens(counted.architecture);
    if (most == 0)
        answer.notes.emplace_back("Not even one has room.");
    else if (ends)
        answer.notes.emplace_back("Its positions end there, and not the memory.");
    else if (answer.number != "any")
        answer.notes.emplace_back("Found by search, and exact: one more does not fit.");
    if (length && most > counted.architecture.context && !has_position_table(counted.architecture))
        answer.notes.push_back("The model is made for " + grouped(counted.architecture.context) + " tokens.");
    if (!budget.note.empty()) answer.notes.push_back(budget.note);
    answer.light = "total";
    answer.costs = costs_of(question);
    return {std::move(answer), {}, {}};
}

}  // namespace

AskOutcome answer_fits(const WideQuestion& question) {
    const std::optional<Budget> budget = budget_of(question);
    if (!budget) return {std::nullopt, "Say how much memory there is, such as 24 GB or 80 GiB.", {}};
    if (const std::vector<Symbol>& asked = question.heard.symbols; !asked.empty()) {
        const Symbol most = asked.front();
        if (asked.size() == 1 && (is_length(most) || most == Symbol::batch)) return most_that_fits(question, *budget);
        return {std::nullopt,
                "Ask whether a model fits, or which models do. The most " + std::string(info(most).name) +
                    " that a model may have is searched for in What-if, Solve.",
                {}};
    }
    return question.heard.preset || question.heard.at_hand ? one_fits(question, *budget)
                                                           : all_that_fit(question, *budget);
}

AskOutcome answer_devices(const WideQuestion& question) {
    Result<Takes> all = all_of(question);
    if (!all) return {std::nullopt, sentence(all.error()), {}};
    std::span<const Device> devices = question.about.devices;
    const std::optional<Device>& named = question.about.pass.device;
    if (const Device* const one = question.heard.device ? question.heard.device : named ? &*named : nullptr)
        devices = {one, 1};
    // "how many 24 GB gpus"
    const bool by_memory = question.heard.budget && !question.heard.device;
    Device of_budget;
    if (by_memory) {
        of_budget.name = "each with " + budget_of(question)->text;
        of_budget.memory = *question.heard.budget;
        devices = {&of_budget, 1};
    }
    if (devices.empty()) return {std::nullopt, "Say on which device, such as an H100.", {}};
    LeastDevices least(options_of(question, all->model->input), *all->model);
    std::vector<std::pair<const Device*, Sharding>> held;  // with the fewest first
    for (const Device& each : devices)
        if (const std::optional<Sharding> found = least.with(each))
            if (devices.size() == 1 || found->devices == 1 || !each.alone) held.emplace_back(&each, *found);
    if (held.empty()) return {std::nullopt, "No device that is known can be put beside others to hold it.", {}};
    std::ranges::stable_sort(held, {},
                             [](const auto& each) { return std::pair(each.second.devices, each.first->memory); });
    const Device& shown = *held.front().first;
    const Sharding& sharding = held.front().second;
    const Serving& serving = question.about.pass.serving;
    AskAnswer& answer = all->answer;
    answer.title = "Devices that hold " + question.model.architecture.name + ": " + shown.name;
    answer.symbols = "memory on each ≤ memory of one less " + grouped(serving.reserve) + " %";
    answer.numbers = grouped(least.on_device(sharding).value_or(0)) + " ≤ " + grouped(serving.usable(shown));
    answer.number = answer.result = grouped(sharding.devices);
    answer.unit = "at least, by memory";
    answer.in_short.clear();
    if (sharding.pipeline > 1)
        answer.notes.push_back(
            "In " + grouped(sharding.pipeline) + " stages of layers" +
            (sharding.tensor > 1 ? ", each of " + grouped(sharding.tensor) + " tensor-parallel." : "."));
    else if (sharding.devices > 1)
        answer.notes.emplace_back("Tensor-parallel.");
    add_uneven(answer, sharding, question.model.architecture);
    answer.costs->device = shown.id;
    answer.costs->sharding = sharding;
    if (by_memory) answer.costs.reset();  // nothing else of it is known
    for (const auto& [each, needed] : held)
        if (each != &shown) answer.notes.push_back(each->name + ": " + grouped(needed.devices) + ".");
    return {std::move(answer), {}, {}};
}

AskOutcome answer_memory(const WideQuestion& question) {
    Result<Takes> all = all_of(question);
    if (!all) return {std::nullopt, sentence(all.error()), {}};
    return {std::move(all->answer), {}, {}};
}

AskOutcome answer_activations(const WideQuestion& question) {
    Result<Takes> all = all_of(question);
    if (!all) return {std::nullopt, sentence(all.error()), {}};
    AskAnswer& answer = all->answer;
    answer.title = std::string(trains(question) ? "Activations that training keeps" : "Activations, at most") + ", " +
                   question.model.architecture.name;
    answer.number = answer.numbers = answer.result = grouped(all->activations);
    answer.in_short = bytes_text(all->activations);
    answer.symbols = trains(question) ? "what the backward pass reads" : "the most that one sub-block needs at once";
    return {std::move(answer), {}, {}};
}

}  // namespace headcount
