// What adapters train, what scaling laws say of a model or a budget, and which numbers meet several conditions.
#include <algorithm>
#include <array>

#include "core/analysis/adapters.hpp"
#include "core/analysis/amount_text.hpp"
#include "core/analysis/scaling_laws.hpp"
#include "core/analysis/solve.hpp"
#include "core/ask/answer.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

std::string law_note(const LawSays& says, const LawTraining& training) {
    std::string note = std::string(says.law->name) + ": " + rough_count_text(training.plan.parameters) +
                       " parameters, " + rough_count_text(training.plan.tokens) + " tokens";
    if (training.loss) note += ", loss " + decimal_text(*training.loss, 2);
    if (says.counted != "all") note += "; N is " + says.counted;
    for (const std::string& each : training.outside) note += "; outside of its fit: " + each;
    return note + ".";
}

// "dim=2304 layers=24"
std::string values_text(const Wish& wish, const Answer& answer) {
    std::string text;
    for (std::size_t i = 0; i < wish.free.size(); ++i)
        text += (i > 0 ? " " : "") + std::string(info(wish.free[i].field).key) + "=" + std::to_string(answer.values[i]);
    return text;
}

}  // namespace

std::string adapters_text(const Heard& heard) {
    constexpr std::array<std::string_view, adapter_words.size()> names{"LoRA", "QLoRA", "DoRA"};
    return std::string(names[static_cast<std::size_t>(heard.adapter.value_or(AdapterKind::lora))]) + " of rank " +
           grouped(heard.adapters()->rank);
}

AskOutcome answer_adapters(const WideQuestion& question) {
    const CountedModel& model = question.model;
    const Adapters adapters = *question.heard.adapters();
    if (const std::optional<Error> wrong = wrong_adapters(model.graph, adapters))
        return {std::nullopt, sentence(*wrong), {}};
    AskAnswer answer;
    derive_count(answer, adapter_parameters(model.graph, adapters), model, "parameters");
    answer.title = "Trainable parameters of " + adapters_text(question.heard);
    answer.about = asked_about(model, false);
    answer.notes.emplace_back(adapters.all ? "Beside every linear layer but the output head."
                                           : "Beside the linear layers that make queries and values, as Hu et al. 2021 "
                                             "chose them.");
    if (answer.count)
        answer.notes.push_back(percent(*answer.count, model.parameters.total) + " of the model's " +
                               grouped(model.parameters.total) + ", which stay as they are.");
    answer.light = "total";
    return {std::move(answer), {}, {}};
}

AskOutcome answer_laws(const WideQuestion& question) {
    const CountedModel& model = question.model;
    const std::optional<double>& budget = question.heard.operations;
    const std::optional<std::int64_t>& sized = question.heard.total;
    const std::int64_t active = std::max<std::int64_t>(1, sized.value_or(model.parameters.active));
    const TrainingPlan plan = budget ? compute_optimal(*budget) : optimal_training(active);
    AskAnswer answer;
    answer.about = sized ? "any model" : asked_about(model, false);
    answer.title = budget ? flop_text(plan.flops) + " are best spent on, by the rule D = 20·N"
                          : "Tokens to train with, by the rule D = 20·N";
    answer.number = rough_count_text(budget ? plan.parameters : plan.tokens);
    answer.unit = budget ? "parameters, with " + rough_count_text(plan.tokens) + " tokens" : "tokens";
    answer.symbols = budget ? "√(C / (6·20))" : "20·N";
    answer.numbers = budget ? "√(" + flop_text(plan.flops) + " / 120)" : "20·" + grouped(active);
    answer.result = answer.number;
    if (sized) {
        answer.notes.push_back(std::string(compute_optimal_source) + ".");
        return {std::move(answer), {}, {}};
    }
    for (const LawSays& says : laws_say(model.architecture, model.parameters, plan.flops))
        answer.notes.push_back(law_note(says, budget ? says.best : says.own));
    answer.notes.emplace_back("Losses are in nats a token of each law's own data: two laws' are not to be compared.");
    answer.notes.push_back(std::string(compute_optimal_source) + ".");
    answer.light = "total";
    return {std::move(answer), {}, {}};
}

AskOutcome answer_design(const WideQuestion& question) {
    const Heard& heard = question.heard;
    const Architecture& arch = question.model.architecture;
    Wish wish;
    wish.amount = *heard.total;
    wish.input = heard.input;
    wish.pass = question.about.pass;
    if (heard.device) wish.pass.device = *heard.device;
    wish.friendly = true;
    wish.free = freed(arch, std::array{Field::dim, Field::layers}, wish.friendly, {});
    const std::optional<std::int64_t> room = heard.budget   ? heard.budget
                                             : heard.device ? std::optional(wish.pass.serving.usable(*heard.device))
                                                            : std::nullopt;
    if (room) wish.goals.push_back({Metric::memory, false, static_cast<double>(*room)});
    const Result<std::vector<Answer>> found = solve(arch, wish);
    if (!found) return {std::nullopt, sentence(found.error()), {}};
    const Answer& best = found->front();
    if (const std::optional<Error> small = too_small(wish, best)) return {std::nullopt, sentence(*small), {}};
    AskAnswer answer;
    answer.title = "A model of " + short_count(wish.amount);
    answer.about =
        asked_about(question.model, room.has_value(), room ? formats_title(question.model.input.precision) : "");
    answer.number = values_text(wish, best);
    answer.in_short = short_count(best.parameters.total);
    answer.symbols = "total nearest to the wish" + std::string(room ? ", memory ≤ limit" : "");
    answer.numbers = grouped(best.parameters.total) + " of " + grouped(wish.amount);
    if (room) answer.numbers += ", " + figure_text(Metric::memory, best.figures.front()) + " of " + bytes_text(*room);
    answer.result = answer.number;
    for (std::size_t i = 1; i < found->size(); ++i)
        answer.notes.push_back("Or " + values_text(wish, (*found)[i]) + ": " + grouped((*found)[i].parameters.total) +
                               " parameters.");
    answer.notes.emplace_back(
        "Width and layers are free, in shapes that hardware likes; the rest is as asked for, or as the model has it.");
    answer.light = "total";
    return {std::move(answer), {}, {}};
}

}  // namespace headcount
