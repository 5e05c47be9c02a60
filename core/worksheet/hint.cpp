// What the graph tells of a question: which matrices a shape comes from, what a count has in it, where in the model it
// is, and the smallest block with a picture around all that its answers name.
#include <algorithm>
#include <span>
#include <vector>

#include "core/base/find.hpp"
#include "core/worksheet/sheet.hpp"

namespace headcount {
namespace {

std::string symbol_at(const ModelGraph& graph, TensorIndex tensor) { return std::string(graph.tensors[tensor].symbol); }

// "one head has its own columns of them" where what is asked for is part of a wider product.
std::string of_head(const ModelGraph& graph, const Node& node) {
    const Node* const made = graph.product_behind(node.output);
    if (!made) return {};
    const std::string weight = symbol_at(graph, made->parameters.front());
    return symbol_at(graph, node.output) + " = " + symbol_at(graph, made->inputs.front()) + " · " + weight +
           ": the rows of the first, and of " + weight + " only the columns that belong to one head.";
}

// How the matrix is made, by what its sides come from.
std::string of_activation(const ModelGraph& graph, TensorIndex tensor) {
    const Node* const node = graph.producer(tensor);
    if (!node || node->inputs.empty()) return {};
    const std::string made = symbol_at(graph, tensor), first = symbol_at(graph, node->inputs.front());
    const bool two = node->inputs.size() > 1;
    switch (node->op) {
        case Op::linear:
            return made + " = " + first + " · " + symbol_at(graph, node->parameters.front()) +
                   ": the rows of the first, the columns of the second.";
        case Op::take_head: return of_head(graph, *node);
        case Op::scores:
            if (!two) return {};
            return "Every row of " + first + " meets every row of " + symbol_at(graph, node->inputs[1]) +
                   ": one row for each of the first, one column for each of the second.";
        case Op::mix:
            if (!two) return {};
            return made + " = " + first + " · " + symbol_at(graph, node->inputs[1]) +
                   ": the rows of the first, the columns of the second.";
        case Op::norm:
        case Op::masked_softmax:
        case Op::activate:
        case Op::gate:
        case Op::rotate:
        case Op::add:
        case Op::sum: return "It is made from " + first + " number by number: the shape stays.";
        case Op::join_heads: return "The heads stand side by side: the rows of one, the columns of all.";
        case Op::embed: return "Every token is looked up: one row for each, as long as a row of the table.";
        default: return {};
    }
}

// A matrix of weights: by what it is multiplied with.
std::string of_parameter(const ModelGraph& graph, TensorIndex tensor) {
    const auto node = std::ranges::find_if(
        graph.nodes, [&](const Node& each) { return each.op == Op::linear && each.parameters.front() == tensor; });
    if (node == graph.nodes.end()) return {};
    return symbol_at(graph, node->output) + " = " + symbol_at(graph, node->inputs.front()) + " · " +
           symbol_at(graph, tensor) + ": as many rows as " + symbol_at(graph, node->inputs.front()) +
           " has columns, as many columns as " + symbol_at(graph, node->output) + " has.";
}

std::string of_shape(const ModelGraph& graph, const std::string& id) {
    const Tensor* const tensor = id.empty() ? nullptr : graph.find(id);
    if (!tensor) return {};
    const auto index = static_cast<TensorIndex>(tensor - graph.tensors.data());
    return tensor->role == Role::parameter ? of_parameter(graph, index) : of_activation(graph, index);
}

// The matrices that a count has in it, each once.
std::string of_count(const ModelGraph& graph, const Resolved& resolved) {
    constexpr std::size_t most = 8;
    std::vector<std::string> names;
    for (const CountedTensor& each : resolved.counted) {
        std::string name = symbol_at(graph, each.tensor);
        if (!contains(names, name)) names.push_back(std::move(name));
    }
    if (names.empty() || names.size() > most || !resolved.elsewhere.empty()) return {};
    if (names.size() == 1) return "It is " + names.front() + ": its rows times its columns, as often as it is there.";
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i)
        list += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return "It has " + list + " in it: of each its rows times its columns, as often as it is there.";
}

// Of an answer: the ids that it names.
std::vector<std::string> ids_of(const KnownAnswer& answer) {
    if (const auto* shape = std::get_if<ShapeAnswer>(&answer))
        return shape->id.empty() ? std::vector<std::string>{} : std::vector{shape->id};
    if (const auto* number = std::get_if<NumberAnswer>(&answer)) return number->resolved.ids;
    if (const auto* select = std::get_if<SelectAnswer>(&answer)) return {select->ids.front()};
    return {};
}

std::vector<std::string> ids_of(const SheetQuestion& question) {
    std::vector<std::string> all;
    for (const Blank& blank : question.blanks)
        for (std::string& id : ids_of(blank.answer))
            if (!contains(all, id)) all.push_back(std::move(id));
    return all;
}

bool compares(const KnownAnswer& answer) {
    const auto* number = std::get_if<NumberAnswer>(&answer);
    return number && !number->resolved.elsewhere.empty();
}

// From the model down to it; the model alone for a component, which is in no one place.
std::vector<BlockIndex> way_to(const ModelGraph& graph, const std::string& id) {
    std::vector<BlockIndex> way{0};
    std::optional<BlockIndex> at;
    if (const Tensor* const tensor = graph.find(id)) at = tensor->block;
    if (const Block* const block = graph.find_block(id)) at = static_cast<BlockIndex>(block - graph.blocks.data());
    for (; at && *at != 0; at = graph.blocks[*at].parent) way.insert(way.begin() + 1, *at);
    return way;
}

// As far as it is the same for all of them.
std::vector<BlockIndex> way_to(const ModelGraph& graph, std::span<const std::string> ids) {
    std::vector<BlockIndex> common = way_to(graph, ids.front());
    for (const std::string& id : ids.subspan(1)) {
        const std::vector<BlockIndex> way = way_to(graph, id);
        common.erase(std::mismatch(common.begin(), common.end(), way.begin(), way.end()).first, common.end());
    }
    return common;
}

// Whether it is drawn as a picture of its own: the model, a layer, a head, an expert. The others are strips of a layer.
bool has_picture(const ModelGraph& graph, BlockIndex block) {
    const bool layer = std::ranges::any_of(graph.layers, [&](const LayerBlock& each) { return each.block == block; });
    return block == 0 || layer || !(graph.blocks[block].repeat == Expr(1));
}

}  // namespace

std::string hint_of(const SheetQuestion& question, const Blank& blank) {
    if (!blank.hint.empty()) return blank.hint;
    // Words for the whole question are the teacher's; what the graph tells is for one blank of several.
    if (question.blanks.size() == 1 && !question.hint.empty()) return question.hint;
    std::string told;
    if (const auto* shape = std::get_if<ShapeAnswer>(&blank.answer)) told = of_shape(question.model->graph, shape->id);
    if (const auto* number = std::get_if<NumberAnswer>(&blank.answer))
        told = of_count(question.model->graph, number->resolved);
    return told.empty() ? question.hint : told;
}

std::optional<std::string> block_of(const SheetQuestion& question) {
    for (const Blank& blank : question.blanks)
        if (compares(blank.answer)) return std::nullopt;
    const ModelGraph& graph = question.model->graph;
    std::vector<std::string> ids = ids_of(question);
    if (!question.at.empty()) ids.push_back(question.at);
    if (ids.empty()) return std::nullopt;
    std::vector<BlockIndex> way = way_to(graph, ids);
    while (!has_picture(graph, way.back())) way.pop_back();
    return graph.blocks[way.back()].id;
}

std::optional<std::string> place_of(const SheetQuestion& question) {
    if (!question.at.empty()) return question.at;
    if (question.kind == QuestionKind::select || question.kind == QuestionKind::experiment) return std::nullopt;
    const std::vector<std::string> ids = ids_of(question);
    if (ids.empty()) return std::string();
    if (ids.size() == 1) return ids.front();
    return question.model->graph.blocks[way_to(question.model->graph, ids).back()].id;
}

}  // namespace headcount
