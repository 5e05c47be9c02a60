// The largest of a model's matrices, activations and parts, and how much arithmetic a pass is.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/analysis/links.hpp"
#include "core/ask/answer.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// Whether a tensor is of what is asked about, and not of what is not to be counted: everything where nothing is said.
bool is_of(const Heard& heard, const Tensor& tensor) {
    bool named = false, asked = false;
    for (const AskSubject& each : heard.subjects) {
        const bool of_it =
            each.notion && (each.notion->sum == component_key(tensor.component) || each.notion->sum == "model");
        if (each.less && of_it) return false;
        named = named || !each.less;
        asked = asked || (!each.less && of_it);
    }
    return asked || !named;
}

// Why what is asked cannot be said without what is not to be counted; empty where it can.
std::string wrong_less(const Heard& heard) {
    constexpr std::array of_amounts{AskWide::compare, AskWide::larger, AskWide::smaller, AskWide::most,
                                    AskWide::fewest};
    constexpr std::array of_tensors{AskWide::largest_matrix, AskWide::largest_activation, AskWide::flops};
    if (std::ranges::count(of_amounts, *heard.wide) > 0) return "";
    for (const AskSubject& each : heard.subjects) {
        if (!each.less) continue;
        if (std::ranges::count(of_tensors, *heard.wide) == 0)
            return "Nothing can be left out of this: ask for parameters, or FLOPs, without it.";
        const bool is_part = std::ranges::any_of(
            components, [&](Component part) { return each.notion && each.notion->sum == component_key(part); });
        if (!is_part)
            return "Whole parts can be left out of this: the embedding, attention, feed-forward, norms, the output "
                   "head.";
    }
    return "";
}

AskOutcome largest_tensor(const WideQuestion& question, bool parameter, bool smallest = false) {
    const CountedModel& model = question.model;
    const bool of_layer = question.heard.has(AskScope::one_layer) || question.heard.layer_named;
    std::vector<const Tensor*> largest;  // several where they are alike
    std::int64_t most = 0;
    for (const Tensor& tensor : model.graph.tensors) {
        const bool wanted = parameter ? tensor.role == Role::parameter : tensor.role == Role::activation;
        const Result<std::int64_t> count = element_count(tensor.shape, model.bindings);
        if (!wanted || tensor.view || !is_of(question.heard, tensor) || !count) continue;
        if (of_layer && !tensor.id.starts_with(question.heard.layer + ".")) continue;
        if (smallest && tensor.shape.rank() < 2) continue;  // a vector is no matrix
        if (!largest.empty() && (smallest ? *count > most : *count < most)) continue;
        if (*count != most) largest.clear();
        most = *count;
        largest.push_back(&tensor);
    }
    if (largest.empty()) return {std::nullopt, "There is no such matrix in what is asked about.", {}};
    AskAnswer answer = shape_answer(*largest.front(), model);
    answer.title = std::string(smallest    ? "The smallest matrix: "
                               : parameter ? "The largest matrix: "
                                           : "The largest activation: ") +
                   answer.title;
    for (std::size_t i = 1; i < largest.size() && i < 4; ++i)
        answer.notes.push_back("As large: " + std::string(largest[i]->label) + ".");
    AskOutcome outcome{std::move(answer), {}, {}};
    for (std::size_t i = 1; i < largest.size() && i < 4; ++i) outcome.found.push_back(tensor_match(*largest[i], model));
    return outcome;
}

AskOutcome largest_part(const WideQuestion& question) {
    const CountedModel& model = question.model;
    const Component part = *std::ranges::max_element(
        components, [&](Component a, Component b) { return model.parameters.of(a) < model.parameters.of(b); });
    const std::int64_t count = model.parameters.of(part);
    AskAnswer answer;
    answer.title = "The largest part: " + std::string(component_name(part));
    answer.about = asked_about(model, false);
    answer.number = answer.result = grouped(count);
    answer.unit = "parameters";
    answer.in_short = short_count(count);
    answer.symbols = std::string(component_name(part)) + " / all";
    answer.numbers = grouped(count) + " / " + grouped(model.parameters.total);
    answer.result = percent(count, model.parameters.total) + " of all";
    std::string others;
    for (const Component each : components)
        if (each != part && model.parameters.of(each) > 0)
            others += (others.empty() ? "" : ", ") + std::string(component_name(each)) + " " +
                      percent(model.parameters.of(each), model.parameters.total);
    if (!others.empty()) answer.notes.push_back(others + ".");
    answer.light = "component." + std::string(component_key(part));
    return {std::move(answer), {}, {}};
}

// The arithmetic of what is asked about; nothing where none is multiplied there.
std::optional<Expr> flops_of(const Heard& heard, const Pass& pass, const ModelGraph& graph) {
    std::vector<Expr> terms;
    for (const OperationWork& each : pass.work.operations)
        if (each.flops.counted() > 0 && is_of(heard, graph.tensors[graph.nodes[each.node].output]))
            terms.push_back(each.flops_formula);
    return terms.empty() ? std::nullopt : std::optional(sum_of(terms));
}

// What each part that is asked about has of all: "attention 37.2 %, feed-forward 60.1 %".
std::string shares_of(const Heard& heard, const Pass& pass, const CountedModel& model) {
    std::string shares;
    Heard one = heard;
    one.subjects.clear();
    const auto count = [&] {
        const std::optional<Expr> formula = flops_of(one, pass, model.graph);
        const Result<std::int64_t> value = formula ? evaluate(*formula, model.bindings) : Result<std::int64_t>(0);
        return value ? *value : 0;
    };
    const std::int64_t all = count();
    for (const AskSubject& each : heard.subjects) {
        one.subjects = {each};
        if (each.notion && !each.less && all > 0)
            shares += (shares.empty() ? "" : ", ") + std::string(each.notion->name) + " " + percent(count(), all);
    }
    return shares;
}

AskOutcome answer_flops(const WideQuestion& question) {
    PassOptions options = question.about.pass;
    const Phase phase = question.heard.training ? Phase::training : options.phase;
    const bool training = phase == Phase::training;
    const std::optional<Adapters> adapters = question.heard.adapters();
    if (adapters) options.adapters = adapters;
    if (adapters)
        if (const std::optional<Error> wrong = wrong_adapters(question.model.graph, *adapters))
            return {std::nullopt, sentence(*wrong), {}};
    const Result<Pass> pass = device_pass_of(question.model.architecture, question.model.input, phase, options);
    if (!pass) return {std::nullopt, sentence(pass.error()), {}};
    const Input input = input_in(question.model.input, phase);
    const Result<CountedModelPtr> read = counted_model(question.model.architecture, input);
    if (!read) return {std::nullopt, sentence(read.error()), {}};
    const CountedModel& model = **read;
    const std::optional<Expr> formula = flops_of(question.heard, *pass, model.graph);
    if (!formula) return {std::nullopt, "Nothing is multiplied in what is asked about.", {}};
    AskAnswer answer;
    derive_count(answer, *formula, model, "floating-point operations");
    if (answer.count) answer.in_short = flop_text(static_cast<double>(*answer.count));
    answer.title = training ? "Arithmetic of training, " : "Arithmetic of ";
    if (adapters) answer.title = "Arithmetic of training " + adapters_text(question.heard) + ", ";
    for (const AskSubject& each : question.heard.subjects)
        if (each.notion) answer.title += (each.less ? "all but " : "") + std::string(each.notion->name) + ", ";
    if (const std::string shares = shares_of(question.heard, *pass, model); !shares.empty())
        answer.notes.push_back("Of all arithmetic: " + shares + ".");
    answer.title += model.input.tokens == 1 ? "one token" : "a pass of " + grouped(model.input.tokens) + " tokens";
    if (model.input.cached > 0) answer.title += " behind " + grouped(model.input.cached) + " others";
    answer.about = asked_about(model, true);
    if (question.heard.has(AskScope::one_token) && model.input.tokens > 1 && answer.count)
        answer.notes.push_back(
            "A token on the average: " + grouped(*answer.count / (model.input.tokens * model.input.batch)) + ".");
    if (adapters)
        answer.notes.emplace_back("Forwards and backwards; of the weights beside the adapters there are no gradients.");
    else if (training)
        answer.notes.emplace_back("Forwards and backwards, which is three times as much as forwards alone.");
    answer.notes.push_back(options.pairs == Pairs::full
                               ? "A multiply-add counts as two. Every query is counted against every key."
                               : "A multiply-add counts as two. Of scores those are counted that are not masked.");
    answer.light = "total";
    return {std::move(answer), {}, {}};
}

// Why what is counted of a whole model or pass is not said of so much of it; empty where it can be.
std::string wrong_part(const WideQuestion& question) {
    const Heard& heard = question.heard;
    constexpr std::array of_parts{AskWide::compare,
                                  AskWide::larger,
                                  AskWide::smaller,
                                  AskWide::largest_matrix,
                                  AskWide::most,
                                  AskWide::fewest,
                                  AskWide::largest_activation,
                                  AskWide::smallest_matrix};
    const bool arithmetic = heard.wide == AskWide::flops;
    const bool one =
        !heard.indices.empty() ||
        (arithmetic && (heard.has(AskScope::one_layer) || heard.layer_named || heard.has(AskScope::one_head)));
    if (one && std::ranges::count(of_parts, *heard.wide) == 0)
        return "That is counted of a whole model, not of one layer or head: ask for a layer's parameters, bytes or "
               "shapes.";
    if (!arithmetic && heard.wide != AskWide::memory) return "";
    for (const auto& [symbol, number] : heard.claims)
        if (const auto has = question.model.bindings[symbol]; has && *has != number)
            return question.model.architecture.name + " has " + grouped(*has) + " " + std::string(info(symbol).name) +
                   ", not " + grouped(number) + ": ask what if it had " + grouped(number) + ".";
    return "";
}

AskOutcome answered(const WideQuestion& question) {
    const Heard& heard = question.heard;
    if (heard.sides || !heard.numbers.empty())
        return {std::nullopt, "A number stands there that nothing is said of; write 24 GB, or 100 tokens.", {}};
    if (std::string wrong = wrong_less(heard); !wrong.empty()) return {std::nullopt, std::move(wrong), {}};
    if (std::string wrong = wrong_part(question); !wrong.empty()) return {std::nullopt, std::move(wrong), {}};
    if (heard.train_tokens && heard.wide == AskWide::flops) return answer_hire(question);
    switch (*heard.wide) {
        case AskWide::largest_matrix:
        case AskWide::largest_activation: return largest_tensor(question, heard.wide == AskWide::largest_matrix);
        case AskWide::smallest_matrix: return largest_tensor(question, true, true);
        case AskWide::largest_part: return largest_part(question);
        case AskWide::flops: return answer_flops(question);
        case AskWide::compare:
        case AskWide::larger:
        case AskWide::smaller: return answer_compare(question);
        case AskWide::devices_beside: return answer_devices_beside(question);
        case AskWide::fits: return answer_fits(question);
        case AskWide::memory: return answer_memory(question);
        case AskWide::devices: return answer_devices(question);
        case AskWide::figure: return heard.second ? answer_figures_beside(question) : answer_figure(question);
        case AskWide::hire: return answer_hire(question);
        case AskWide::adapters: return answer_adapters(question);
        case AskWide::laws: return answer_laws(question);
        case AskWide::design: return answer_design(question);
        case AskWide::most:
        case AskWide::fewest: return answer_rank(question);
        case AskWide::models:
        case AskWide::newest:
        case AskWide::oldest: return answer_models(question);
        case AskWide::origin: return answer_origin(question);
        case AskWide::tying: return answer_tying(question);
        case AskWide::activations: return answer_activations(question);
        case AskWide::bits_each:
        case AskWide::bytes_each: return answer_bits(question);
        case AskWide::layers_of: return answer_layers_of(question);
        case AskWide::sized: return answer_sized(question);
        case AskWide::ratio: return answer_ratio(question);
        case AskWide::field: return answer_field(question);
    }
    return {};
}

}  // namespace

AskOutcome answer_tying(const WideQuestion& question) {
    const CountedModel& model = question.model;
    const bool tied = model.graph.tied_head.has_value();
    const Tensor* const head =
        tied ? &model.graph.tensors[*model.graph.tied_head] : model.graph.find("output_head.weight");
    AskAnswer answer;
    if (head)
        answer = shape_answer(*head, model);
    else
        answer.about = model.architecture.name;
    answer.title = std::string(question.heard.asked_tied == tied ? "Yes: " : "No: ") +
                   (tied   ? "the output head is the embedding"
                    : head ? "the output head is a matrix of its own"
                           : "it has no output head");
    answer.says = tied   ? "The output head is the embedding table, used a second time: its numbers are counted once."
                  : head ? "The output head and the embedding table are two matrices, and both are counted."
                         : "It gives no scores to tokens, so that there is nothing to tie.";
    return {std::move(answer), {}, {}};
}

AskOutcome answer_wide(const WideQuestion& question) {
    AskOutcome outcome = answered(question);
    if (outcome.answer) {
        // A model that was supposed is nowhere to be opened, nor are adapters.
        if (question.heard.changes() || question.heard.adapters())
            outcome.answer->costs.reset(), outcome.answer->compares.reset();
        const bool opens = outcome.answer->costs || outcome.answer->compares;
        if (opens) outcome.answer->input = question.heard.input;
        std::vector<std::string>& notes = outcome.answer->notes;
        notes.insert(notes.end(), question.heard.notes.begin(), question.heard.notes.end());
    }
    return outcome;
}

}  // namespace headcount
