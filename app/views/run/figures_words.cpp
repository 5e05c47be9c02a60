// Reads the words off what the node computes (core/graph/attributes.hpp): a line must be what is done to its numbers.
#include <cmath>

#include "app/views/run/figures.hpp"

namespace headcount {
namespace {

// A factor of the model's own as it is written: "0.22", not "0.220".
std::string plain_factor(double value) {
    std::string text = cell_text(value);
    if (text.find('.') == std::string::npos || text.find('e') != std::string::npos) return text;
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
}

// Rescaled, then times the weights, then plus the bias: whichever there are.
LinkWords norm_words(const Model& model, const Node& node) {
    LinkWords words{.inputs = {{0, ""}}};
    const double offset = node.rule<NormRule>().offset;
    std::string pending = "norm";
    for (const TensorIndex parameter : node.parameters) {
        const bool bias = model.graph.tensors[parameter].bias;
        std::string word = pending == "norm" ? "norm, " : pending;
        word += bias ? "+" : offset != 0 ? "· (" + plain_factor(offset) + " +" : "·";
        words.parameters.push_back(std::move(word));
        pending = !bias && offset != 0 ? ") " : "";
    }
    words.output = pending == "norm" ? pending : pending + "=";
    return words;
}

LinkWords gate_words(const Node& node) {
    const auto& rule = node.rule<GateRule>();
    if (const auto& clamped = rule.clamped) {
        const std::string limit = plain_factor(clamped->limit);
        return {.inputs = {{0, ""}, {1, "with"}},
                .output = "=",
                .title = "Gate",
                .remark = "G kept below " + limit + ", U within ± " + limit + ": G · sigmoid(" +
                          plain_factor(clamped->alpha) + " · G) ⊙ (U + 1)"};
    }
    const std::string function(info(rule.activation).function);
    return {.inputs = {{0, function + "("}, {1, ") ⊙"}}, .output = "="};
}

// How scores choose experts.
LinkWords route_words(const Model& model, const Node& node) {
    const auto& routing = node.rule<Routing>();
    const auto& mixture = model.architecture.layer.mixture;
    const std::string best = "best " + std::to_string(mixture ? mixture->experts_per_token : 1);
    LinkWords words{.inputs = {{0, ""}}};
    const bool each = routing.scores == RouterScores::sigmoid;
    const std::string first = each ? "sigmoid" : routing.scores == RouterScores::softmax ? "softmax" : "";
    for (std::size_t i = 0; i < node.parameters.size(); ++i)
        words.parameters.push_back(first.empty() ? "chosen by +" : first + ", chosen by +");
    const bool said = !node.parameters.empty() || first.empty();
    words.output = (said ? best : first + ", " + best) + (first.empty() ? ", softmax" : "");
    if (routing.scaling != 1) words.output += ", · " + plain_factor(routing.scaling);
    return words;
}

// F_e is of one of each token's experts, G_k how much each of them counts.
LinkWords combine_words(const Node& node) {
    LinkWords words{.output = "=", .title = "Experts added up", .remark = "each token's own; one of them is drawn"};
    if (node.rule<Routing>().on_input)
        words.inputs = {{0, "Σ"}};
    else
        words.inputs = {{1, "Σ"}, {0, "·"}};
    if (node.inputs.size() > 3) {
        words.inputs.push_back({3, "+ sigmoid("});
        words.inputs.push_back({2, ") ·"});
    } else if (node.inputs.size() > 2) {
        words.inputs.push_back({2, "+"});
    }
    return words;
}

LinkWords sum_words(const Node& node) {
    LinkWords words{.inputs = {{0, ""}}, .output = "="};
    const double scale = node.rule<Scaling>().factor;
    for (std::size_t i = 1; i < node.inputs.size(); ++i)
        words.inputs.push_back({i, scale != 1 ? "+ " + plain_factor(scale) + " ·" : "+"});
    return words;
}

// Between the model's limits, where it has any.
LinkWords step_words(const Node& node) {
    const auto& rule = node.rule<StepRule>();
    LinkWords words{.inputs = {{0, ""}}, .parameters = {"+"}, .output = "softplus"};
    if (rule.least > 0) words.output += ", at least " + plain_factor(rule.least);
    if (rule.most) words.output += ", at most " + plain_factor(*rule.most);
    return words;
}

LinkWords one_word(std::string word) {
    return {.inputs = {{0, ""}}, .output = std::move(word)};
}

}  // namespace

LinkWords link_words(const Model& model, const Node& node) {
    switch (node.op) {
        case Op::embed: {
            const double scale = node.rule<Scaling>().factor;
            return {.parameters = {""}, .output = scale != 1 ? "rows · " + plain_factor(scale) : "rows"};
        }
        case Op::add_positions:
        case Op::add_types:
            return {.inputs = {{0, ""}}, .parameters = {"+ rows of"}, .output = "="};
        case Op::norm:
            return norm_words(model, node);
        case Op::activate:
            return one_word(std::string(info(node.rule<GateRule>().activation).function));
        case Op::gate:
            return gate_words(node);
        case Op::route:
            return route_words(model, node);
        case Op::combine:
            return combine_words(node);
        case Op::add:
        case Op::sum:
            return sum_words(node);
        case Op::rotate:
            return one_word("turned");
        case Op::append_cache:
            return one_word("kept");
        case Op::keep_window:
            return one_word(model.graph.tensors[node.output].role == Role::state ? "kept" : "window");
        case Op::convolve:
            return {.inputs = {{0, ""}}, .parameters = {"over the last tokens ·", "+"}, .output = "="};
        case Op::step:
            return step_words(node);
        case Op::decay:
            return {.inputs = {{0, ""}}, .parameters = {"· −exp("}, .output = "), exp ="};
        case Op::take_columns:
            return one_word("columns");
        default:
            return one_word("=");
    }
}

std::string score_words(const Node& scores, std::int64_t layer, std::int64_t columns) {
    const auto& rule = scores.rule<ScoreRule>();
    const double factor = rule.by_layer ? rule.factor / static_cast<double>(layer + 1) : rule.factor;
    const bool usual = std::abs(factor * std::sqrt(static_cast<double>(columns)) - 1) < 1e-9;
    std::string words = usual ? "/ √" + std::to_string(columns) : factor == 1 ? "" : "· " + plain_factor(factor);
    if (rule.temperature) words += " · position's factor";
    if (rule.soft_cap) words += ", capped";
    if (rule.alibi && rule.alibi->rounded_before_scale) words = "+ position · slope, " + words;
    if (rule.alibi && !rule.alibi->rounded_before_scale) words += " − distance · slope";
    if (rule.relative) words += std::string(words.empty() ? "" : " ") + "+ the distance's bias";
    return words;
}

std::string product_note(const Node& node) {
    const auto& rule = node.rule<LinearRule>();
    if (rule.clip) return "within ± " + plain_factor(*rule.clip);
    std::string note;
    if (rule.scale != 1) note = "times " + plain_factor(rule.scale);
    if (rule.soft_cap) note += (note.empty() ? "" : ", ") + ("capped at " + plain_factor(*rule.soft_cap));
    return note;
}

}  // namespace headcount
