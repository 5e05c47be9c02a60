// The smallest block with a picture around the tensors and blocks that a question's answers name.
#include <algorithm>

#include "core/worksheet/sheet.hpp"

namespace headcount {
namespace {

// Of an answer: the ids that it names.
std::vector<std::string> ids_of(const KnownAnswer& answer) {
    if (const auto* shape = std::get_if<ShapeAnswer>(&answer))
        return shape->id.empty() ? std::vector<std::string>{} : std::vector{shape->id};
    if (const auto* number = std::get_if<NumberAnswer>(&answer)) return number->resolved.ids;
    if (const auto* select = std::get_if<SelectAnswer>(&answer)) return {select->ids.front()};
    return {};
}

bool compares(const KnownAnswer& answer) {
    const auto* number = std::get_if<NumberAnswer>(&answer);
    return number && !number->resolved.elsewhere.empty();
}

// From the model down to it; the model alone for a component, which is in no one place.
std::vector<BlockIndex> way_to(const ModelGraph& graph, std::string_view id) {
    std::vector<BlockIndex> way{0};
    std::optional<BlockIndex> at;
    if (const Tensor* const tensor = graph.find(id)) at = tensor->block;
    if (const Block* const block = graph.find_block(id)) at = static_cast<BlockIndex>(block - graph.blocks.data());
    for (; at && *at != 0; at = graph.blocks[*at].parent) way.insert(way.begin() + 1, *at);
    return way;
}

// Whether it is drawn as a picture of its own: the model, a layer, a head, an expert. The others are strips of a layer.
bool has_picture(const ModelGraph& graph, BlockIndex block) {
    const bool layer = std::any_of(graph.layers.begin(), graph.layers.end(),
                                   [&](const LayerBlock& each) { return each.block == block; });
    return block == 0 || layer || !(graph.blocks[block].repeat == Expr(1));
}

}  // namespace

std::optional<std::string> block_of(const SheetQuestion& question) {
    const ModelGraph& graph = question.model->graph;
    std::optional<std::vector<BlockIndex>> common;
    for (const Blank& blank : question.blanks) {
        if (compares(blank.answer)) return std::nullopt;
        for (const std::string& id : ids_of(blank.answer)) {
            const std::vector<BlockIndex> way = way_to(graph, id);
            if (!common) {
                common = way;
                continue;
            }
            const auto apart = std::mismatch(common->begin(), common->end(), way.begin(), way.end());
            common->erase(apart.first, common->end());
        }
    }
    if (!common) return std::nullopt;
    while (!has_picture(graph, common->back())) common->pop_back();
    return graph.blocks[common->back()].id;
}

}  // namespace headcount
