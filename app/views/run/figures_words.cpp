// Reads the words off what the model computes (core/arch/computation.hpp): a line must be what is done to its numbers.
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
    const double offset = model.computation.norm_offset;
    std::string pending = "norm";
    for (const TensorIndex parameter : node.parameters) {
        const bool bias = model.graph.tensors[parameter].id.ends_with(".bias");
        std::string word = pending == "norm" ? "norm, " : pending;
        word += bias ? "+" : offset != 0 ? "· (" + plain_factor(offset) + " +" : "·";
        words.parameters.push_back(std::move(word));
        pending = !bias && offset != 0 ? ") " : "";
    }
    words.output = pending == "norm" ? pending : pending + "=";
    return words;
}

LinkWords gate_words(const Model& model) {
    if (const auto& clamped = model.computation.clamped_gate) {
        const std::string limit = plain_factor(clamped->limit);
        return {.inputs = {{0, ""}, {1, "with"}},
                .output = "=",
                .title = "Gate",
                .remark = "G kept below " + limit + ", U within ± " + limit + ": G · sigmoid(" +
                          plain_factor(clamped->alpha) + " · G) ⊙ (U + 1)"};
    }
    const std::string function(info(model.architecture.layer.feed_forward.activation).function);
    return {.inputs = {{0, function + "("}, {1, ") ⊙"}}, .output = "="};
}

// How scores choose experts.
LinkWords route_words(const Model& model, const Node& node) {
    const Routing& routing = model.computation.routing;
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
LinkWords combine_words(const Model& model, const Node& node) {
    LinkWords words{.output = "=", .title = "Experts added up", .remark = "each token's own; one of them is drawn"};
    if (model.computation.routing.on_input)
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

LinkWords sum_words(const Model& model, const Node& node) {
    LinkWords words{.inputs = {{0, ""}}, .output = "="};
    const double scale = model.computation.residual_scale;
    for (std::size_t i = 1; i < node.inputs.size(); ++i)
        words.inputs.push_back({i, scale != 1 ? "+ " + plain_factor(scale) + " ·" : "+"});
    return words;
}

LinkWords one_word(std::string word) {
    return {.inputs = {{0, ""}}, .output = std::move(word)};
}

}  // namespace

LinkWords link_words(const Model& model, const Node& node) {
    switch (node.op) {
        case Op::embed: {
            const double scale = model.computation.embedding_scale;
            return {.parameters = {""}, .output = scale != 1 ? "rows · " + plain_factor(scale) : "rows"};
        }
        case Op::add_positions:
            return {.inputs = {{0, ""}}, .parameters = {"+ rows of"}, .output = "="};
        case Op::norm:
            return norm_words(model, node);
        case Op::activate:
            return one_word(std::string(info(model.architecture.layer.feed_forward.activation).function));
        case Op::gate:
            return gate_words(model);
        case Op::route:
            return route_words(model, node);
        case Op::combine:
            return combine_words(model, node);
        case Op::add:
            return sum_words(model, node);
        case Op::rotate:
            return one_word("turned");
        case Op::append_cache:
            return one_word("kept");
        case Op::keep_window:
            return one_word("window");
        case Op::take_columns:
            return one_word("columns");
        default:
            return one_word("=");
    }
}

std::string score_words(const Model& model, std::int64_t layer, std::int64_t columns) {
    const Computation& computation = model.computation;
    double factor = computation.score_scale;
    if (computation.score_scale_by_layer) factor /= static_cast<double>(layer + 1);
    const bool usual = std::abs(factor * std::sqrt(static_cast<double>(columns)) - 1) < 1e-9;
    std::string words = usual ? "/ √" + std::to_string(columns) : "· " + plain_factor(factor);
    if (computation.query_temperature && !layer_kind(model.architecture, layer).rotated)
        words += " · position's factor";
    if (computation.score_soft_cap) words += ", capped";
    if (computation.alibi && computation.alibi->rounded_before_scale) words = "+ position · slope, " + words;
    if (computation.alibi && !computation.alibi->rounded_before_scale) words += " − distance · slope";
    return words + " =";
}

std::string product_note(const Model& model, const Node& node) {
    const Computation& computation = model.computation;
    const Part part = model.graph.tensors[node.output].part;
    if (const bool projected = part == Part::query || part == Part::key || part == Part::value;
        projected && computation.clip_qkv)
        return "within ± " + plain_factor(*computation.clip_qkv);
    if (part != Part::output_head) return {};
    std::string note;
    if (computation.logit_scale != 1) note = "times " + plain_factor(computation.logit_scale);
    if (computation.logit_soft_cap)
        note += (note.empty() ? "" : ", ") + ("capped at " + plain_factor(*computation.logit_soft_cap));
    return note;
}

}  // namespace headcount
