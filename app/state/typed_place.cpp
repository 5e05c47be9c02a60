// Places of the diagram as they are typed.
#include "app/state/typed_place.hpp"

#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

// "5,17" of "layer.attention.query.weight[5,17]".
Result<std::array<std::int64_t, 2>> read_cell(const std::string& text, const Tensor& tensor, const Bindings& bindings) {
    const std::size_t comma = text.find(',');
    const Error wrong{quote(text) + " is not a cell", "--at", "give a row and a column, such as [5,17]"};
    if (comma == std::string::npos) return wrong;
    std::array<std::int64_t, 2> cell{};
    for (std::size_t i = 0; i < 2; ++i) {
        const std::string part = i == 0 ? text.substr(0, comma) : text.substr(comma + 1);
        const Result<std::int64_t> number = parse_whole_number(part, "--at");
        if (!number) return wrong;
        const Shape& shape = tensor.shape;
        const Result<std::int64_t> side =
            evaluate(i == 0 && shape.rank() == 1 ? Expr(1) : shape[shape.rank() == 1 ? 0 : i], bindings);
        if (!side) return side.error();
        if (*number < 0 || *number >= *side)
            return Error{"there is no " + std::string(i == 0 ? "row " : "column ") + part + " in " + tensor.id, "--at",
                         "give 0 to " + std::to_string(*side - 1)};
        cell[i] = *number;
    }
    return cell;
}

}  // namespace

std::optional<Error> check_selection(const Subject& subject, const std::string& key, const ModelGraph& graph) {
    const auto* tensor = std::get_if<TensorSubject>(&subject);
    if (!nothing(subject) && (!tensor || graph.find(tensor->id))) return std::nullopt;
    return Error{
        "there is nothing named " + quote(key) + " to select", "--select",
        did_you_mean(key, graph.tensor_ids(), "give the id of a tensor, such as layer.feed_forward.up.weight")};
}

std::string place_text(const Place& place) {
    std::string text = place.id;
    if (place.copy != 0) text += ":" + std::to_string(place.copy);
    if (place.cell) text += "[" + std::to_string((*place.cell)[0]) + "," + std::to_string((*place.cell)[1]) + "]";
    return text;
}

namespace {

// The id of the picture that shows it: of a stack that of its layers, of a part of a sub-block that is there once that
// of the sub-block.
std::string place_in(const ModelGraph& graph, const Block& block) {
    const auto is_layer = [&](BlockIndex index) { return contains(graph.layers, index, &LayerBlock::block); };
    const bool part = block.parent && graph.layer_of(*block.parent) && !is_layer(*block.parent);
    if (part && block.repeat == Expr(1)) return place_in(graph, graph.blocks[*block.parent]);
    if (block.kind != BlockKind::stack) return block.id;
    const auto index = static_cast<BlockIndex>(&block - graph.blocks.data());
    const auto own = std::ranges::find_if(
        graph.layers, [&](const LayerBlock& layer) { return graph.stack_of(layer.block) == index; });
    return graph.blocks[own->block].id;
}

}  // namespace

Result<Place> read_place(const std::string& text, const CountedModel& model) {
    const ModelGraph& graph = model.graph;
    if (text == "model") return Place{};
    Place place{text.substr(0, text.find_first_of(":[")), 0, {}};
    const Block* block = graph.find_block(place.id);
    const Tensor* tensor = graph.find(place.id);
    if (!block && !tensor) {
        std::vector<std::string_view> ids;
        for (const Block& each : graph.blocks) ids.push_back(each.id);
        for (const Tensor& each : graph.tensors) ids.push_back(each.id);
        return Error{"there is no place named " + quote(place.id), "--at",
                     did_you_mean(place.id, ids, "give model, a block or a tensor, such as layer.attention")};
    }
    const std::string rest = text.substr(place.id.size());
    place.id = block ? place_in(graph, *block) : tensor->id;
    if (rest.empty()) return place;
    if (rest.front() == '[' && rest.back() == ']' && tensor) {
        const Result<std::array<std::int64_t, 2>> cell =
            read_cell(rest.substr(1, rest.size() - 2), *tensor, model.bindings);
        if (!cell) return cell.error();
        place.cell = *cell;
        return place;
    }
    if (rest.front() != ':' || !block)
        return Error{quote(rest) + " cannot follow " + place.id, "--at",
                     "give :3 after a head, or [5,17] after a tensor"};
    const Result<std::int64_t> copy = parse_whole_number(rest.substr(1), "--at");
    if (!copy) return copy.error();
    const Result<std::int64_t> copies =
        place.id == "layer" ? Result<std::int64_t>(std::int64_t{1}) : evaluate(block->repeat, model.bindings);
    if (!copies) return copies.error();
    if (*copy < 0 || *copy >= *copies)
        return Error{"there is no number " + std::to_string(*copy) + " of " + place.id, "--at",
                     "give 0 to " + std::to_string(*copies - 1)};
    place.copy = *copy;
    return place;
}

}  // namespace headcount
