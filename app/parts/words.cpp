// How panels name what they show; see the header.
#include "app/parts/words.hpp"

#include <algorithm>

#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace headcount {

TensorIndex index_of(const ModelGraph& graph, const Tensor& tensor) {
    return static_cast<TensorIndex>(&tensor - graph.tensors.data());
}

Swatch swatch_of(const Theme& theme, const Tensor& tensor) {
    SwatchLook look = kept_in_cache(tensor) ? SwatchLook::cached : SwatchLook::activation;
    if (tensor.role == Role::parameter || tensor.role == Role::buffer) look = SwatchLook::parameter;
    return {look, part_colour(theme, tensor.part)};
}

const StoredTensor* stored_with(const ModelGraph& graph, TensorIndex parameter) {
    for (const auto* list : {&graph.stored, &graph.buffers})
        for (const StoredTensor& stored : *list)
            if (contains(stored.parts, parameter)) return &stored;
    return nullptr;
}

std::string stored_shape_text(const Shape& shape, const Bindings& bindings) {
    std::string text = "[";
    for (const Expr& dimension : shape.dimensions())
        text += (text.size() > 1 ? ", " : "") + std::to_string(value_of(dimension, bindings));
    return text + "]";
}

std::string block_title(const Block& block) {
    if (block.kind == BlockKind::feed_forward) return std::string(component_name(Component::feed_forward));
    if (block.kind == BlockKind::cross) return "Cross-attention";
    return words_of(block);
}

bool in_layer(const ModelGraph& graph, BlockIndex block) { return graph.layer_of(block).has_value(); }

bool is_recurrent(const ModelGraph& graph, BlockIndex block) {
    return std::ranges::any_of(graph.tensors, [&](const Tensor& tensor) {
        return tensor.block == block && tensor.component == Component::recurrence;
    });
}

const LayerGroup* group_of(const ModelGraph& graph, BlockIndex block) {
    const std::optional<std::size_t> layer = graph.layer_of(block);
    return layer ? &graph.layers[*layer].group : nullptr;
}

Copies copies_shown(const Shown& model) {
    Copies copies = copies_of(model.look.selection);
    if (!copies.head) copies.head = model.look.here.copy;
    return copies;
}

std::string place_of(const ModelGraph& graph, BlockIndex block, const Copies& copies) {
    const LayerGroup* const group = group_of(graph, block);
    if (!group) return "Outside the layers";
    std::string text = "Layer " + std::to_string(copies.layer.value_or(group->first));
    if (graph.is(block, BlockKind::head)) text += " · Head " + std::to_string(copies.head.value_or(0));
    if (graph.is(block, BlockKind::expert))
        text += copies.expert ? " · Expert " + std::to_string(*copies.expert) : " · one expert";
    return text;
}

std::string layers_text(const LayerGroup& group) {
    std::string text = std::to_string(group.count) + " ";
    if (!group.label.empty()) text += group.label + " ";
    return text + (group.count == 1 ? "layer" : "layers");
}

std::string kind_text(const ModelGraph& graph, BlockIndex block) {
    const LayerGroup* const group = group_of(graph, block);
    if (!group || graph.layers.size() == 1) return "";
    return (group->label.empty() ? std::string("others") : group->label) + ", " + std::to_string(group->count);
}

std::string active_text(const Parameters& parameters) {
    return parameters.active == parameters.total ? "" : short_count(parameters.active) + " active";
}

std::string as_sentence(std::string_view meaning, const Bindings& bindings) {
    std::string text = filled_in(meaning, bindings);
    if (text.empty()) return text;
    // A word becomes a capital; a symbol ("d_ff", "SiLU(G)") stays as it is.
    const bool word = text.front() >= 'a' && text.front() <= 'z' && text.size() > 1 && text[1] != '_';
    if (word) text = capitalized(text);
    if (text.back() != '.') text += '.';
    return text;
}

const Tensor* tensor_of(const ModelGraph& graph, const Subject& subject) {
    const auto* tensor = std::get_if<TensorSubject>(&subject);
    return tensor ? graph.find(tensor->id) : nullptr;
}

std::int64_t value_of(const Expr& expr, const Bindings& bindings) {
    const Result<std::int64_t> value = evaluate(expr, bindings);
    return value ? *value : 0;
}

std::int64_t elements_of(const Shape& shape, const Bindings& bindings) {
    const Result<std::int64_t> count = element_count(shape, bindings);
    return count ? *count : 0;
}

namespace {

constexpr std::string_view too_many = "over 2^63";

}  // namespace

std::string count_text(std::optional<std::int64_t> count) { return count ? grouped(*count) : std::string(too_many); }

std::string memory_text(std::optional<std::int64_t> bytes) {
    return bytes ? bytes_text(*bytes) : std::string(too_many);
}

std::string tokens_text(const Input& input) {
    std::string text = std::to_string(input.tokens) + (input.tokens == 1 ? " token" : " tokens");
    return input.batch == 1 ? text : std::to_string(input.batch) + " × " + text;
}

std::string sentence_of(const Error& error) {
    const std::string end = error.fix.ends_with('?') ? "" : ".";  // "did you mean int8?"
    return error.what + "." + (error.fix.empty() ? "" : " " + capitalized(error.fix) + end);
}

namespace {

constexpr std::string_view dot = "·";  // a space

}  // namespace

std::string chip_text(std::string_view piece) {
    if (piece.find_first_not_of(' ') == std::string_view::npos) {
        std::string dots;
        for (std::size_t i = 0; i < piece.size(); ++i) dots += dot;
        return dots;
    }
    if (piece.starts_with(' ')) piece.remove_prefix(1);
    return std::string(piece);
}

ChipTexts::ChipTexts(const std::vector<std::string>& pieces) {
    const std::set<std::string, std::less<>> all(pieces.begin(), pieces.end());
    for (const std::string& piece : all)
        if (piece.starts_with(' ') && all.contains(std::string_view(piece).substr(1))) told_apart_.insert(piece);
}

std::string ChipTexts::of(std::string_view piece) const {
    return (told_apart_.contains(piece) ? std::string(dot) : "") + chip_text(piece);
}

}  // namespace headcount
