// Tensors of two checkpoints side by side: which is whose pair, and what became of it.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/difference.hpp"

namespace headcount {
namespace {

// A kind of tensor on one side: the same name in the same shape, whichever layers have it, or those of one kind.
struct Kept {
    const std::string* name;
    const ParameterRow* row;
    std::int64_t copies, total;
    std::vector<std::string> places;  // in the graph, of all that it holds
    Part part;                        // of the first
    std::string layers = {};          // as TensorDifference::layers
    bool paired = false;
    const Kept* fused = nullptr;  // the one on the other side that it is in, or itself where others are in it

    // The table of tokens is no pair for what reads patches, though both make the first rows.
    bool same_place(const Kept& other) const { return places == other.places && part == other.part; }
    // Of other names they may be stored the other way round, or as rows of which there is one.
    bool same_shape(const Kept& other) const {
        if (*name == *other.name) return row->shape == other.row->shape;
        std::vector<std::int64_t> own = row->shape, theirs = other.row->shape;
        for (std::vector<std::int64_t>* const shape : {&own, &theirs}) std::erase(*shape, 1);
        return std::ranges::is_permutation(own, theirs);
    }
};

// An encoder beside a decoder is no pair for a model with one stack.
std::vector<std::string> places_of(const ModelGraph& graph, const StoredTensor& stored) {
    const BlockIndex main = graph.stack_of(graph.main_layer().block);
    std::vector<std::string> places;
    for (const TensorIndex part : stored.parts) {
        const Tensor& tensor = graph.tensors[part];
        const BlockIndex stack = graph.stack_of(tensor.block);
        std::string& place = places.emplace_back(place_in_layer(graph, tensor));
        if (!graph.is(stack, BlockKind::stack)) continue;
        if (place.starts_with(graph.blocks[stack].id + ".")) place.erase(0, graph.blocks[stack].id.size() + 1);
        if (stack != main) place.insert(0, "beside ");
    }
    return places;
}

using Names = std::set<std::string_view>;

// Of which there are several shapes: those of layers with a window and without one.
void add_several_shapes(Names& names, const CountedModel& side) {
    std::map<std::string_view, const std::vector<std::int64_t>*> shapes;
    for (const ParameterRow& row : side.parameters.tensors) {
        const std::string& name = side.graph.stored[row.stored].name;
        const auto [at, fresh] = shapes.try_emplace(name, &row.shape);
        if (!fresh && *at->second != row.shape) names.insert(name);
    }
}

// What of a layer's kind makes another shape of one name: heads have another size where there is no window.
std::string layers_of(const LayerKind& kind) { return !kind.attention ? "" : kind.windowed ? "sliding" : "full"; }

std::vector<Kept> kept_tensors(const CountedModel& side, const Names& by_layers) {
    std::vector<Kept> kept;
    kept.reserve(side.parameters.tensors.size());
    for (const ParameterRow& row : side.parameters.tensors) {
        const StoredTensor& stored = side.graph.stored[row.stored];
        const bool of_kind = stored.layer && by_layers.contains(stored.name);
        const std::string layers = of_kind ? layers_of(side.graph.layers[*stored.layer].group.kind) : std::string();
        auto same = std::ranges::find_if(kept, [&](const Kept& each) {
            return *each.name == stored.name && each.layers == layers && each.row->shape == row.shape;
        });
        if (same == kept.end()) {
            kept.push_back({.name = &stored.name,
                            .row = &row,
                            .copies = row.copies,
                            .total = row.total,
                            .places = places_of(side.graph, stored),
                            .part = side.graph.tensors[stored.parts.front()].part,
                            .layers = layers});
            continue;
        }
        same->copies += row.copies;
        same->total += row.total;
    }
    return kept;
}

// What one side has in one tensor, and the other in several of which it has all.
void find_fused(std::vector<Kept>& whole, std::vector<Kept>& apart) {
    for (Kept& one : whole) {
        if (one.paired || one.fused || one.places.size() < 2) continue;
        const auto holds = [&](const std::string& place) { return std::ranges::count(one.places, place) > 0; };
        std::vector<Kept*> pieces;
        std::size_t covered = 0;
        for (Kept& piece : apart) {
            if (piece.paired || piece.fused || !std::ranges::all_of(piece.places, holds)) continue;
            pieces.push_back(&piece);
            covered += piece.places.size();
        }
        if (covered != one.places.size()) continue;
        one.fused = &one;
        for (Kept* const piece : pieces) piece->fused = &one;
    }
}

TensorDifference tensor_difference(const CountedModel& a, const CountedModel& b, const Kept* in_a, const Kept* in_b) {
    const CountedModel& side = in_a ? a : b;
    const Kept& one = in_a ? *in_a : *in_b;
    TensorDifference row{.change = TensorChange::reshaped,
                         .name = *one.name,
                         .layers = one.layers,
                         .component = side.graph.stored[one.row->stored].component,
                         .b_shape = {}};
    if (in_a) {
        row.a_shape = in_a->row->shape;
        row.a_copies = in_a->copies;
        row.a = in_a->total;
        row.a_stored = in_a->row->stored;
    }
    if (in_b) {
        row.b_shape = in_b->row->shape;
        row.b_copies = in_b->copies;
        row.b = in_b->total;
        row.b_stored = in_b->row->stored;
    }
    if (!in_a) row.change = TensorChange::added;
    if (!in_b) row.change = TensorChange::removed;
    if (in_a && in_b && *in_a->name != *in_b->name) row.b_name = *in_b->name;
    if (!(in_a && in_b) && one.fused) {
        row.change = TensorChange::fused;
        if (one.fused != &one) (in_a ? row.b_name : row.name) = *one.fused->name;
        if (one.fused != &one && in_b) row.b_name = *one.name;
    }
    if (in_a && in_b && in_a->same_shape(*in_b))
        row.change = row.a_copies == row.b_copies ? TensorChange::same : TensorChange::repeated;
    return row;
}

}  // namespace

std::vector<TensorDifference> all_tensors(const CountedModel& a, const CountedModel& b) {
    Names by_layers;
    for (const CountedModel* const side : {&a, &b}) add_several_shapes(by_layers, *side);
    std::vector<Kept> all_a = kept_tensors(a, by_layers), all_b = kept_tensors(b, by_layers);
    std::vector<const Kept*> pair(all_a.size());
    const auto match = [&](const auto& fits) {
        for (std::size_t i = 0; i < all_a.size(); ++i) {
            if (pair[i]) continue;
            const auto found =
                std::ranges::find_if(all_b, [&](const Kept& each) { return !each.paired && fits(all_a[i], each); });
            if (found == all_b.end()) continue;
            found->paired = true;
            pair[i] = &*found;
        }
    };
    // The same shape first, so that only what is left is said to be reshaped; of several shapes those of like layers.
    const auto named = [](const Kept& x, const Kept& y) { return *x.name == *y.name && x.layers == y.layers; };
    match([&](const Kept& x, const Kept& y) { return named(x, y) && x.same_shape(y); });
    match(named);
    match([](const Kept& x, const Kept& y) { return *x.name == *y.name && x.same_shape(y); });
    match([](const Kept& x, const Kept& y) { return *x.name == *y.name; });
    match([](const Kept& x, const Kept& y) { return x.same_place(y) && x.same_shape(y); });
    match([](const Kept& x, const Kept& y) { return x.same_place(y); });
    for (std::size_t i = 0; i < all_a.size(); ++i) all_a[i].paired = pair[i] != nullptr;
    find_fused(all_a, all_b);
    find_fused(all_b, all_a);
    std::vector<TensorDifference> rows;
    for (std::size_t i = 0; i < all_a.size(); ++i) rows.push_back(tensor_difference(a, b, &all_a[i], pair[i]));
    for (const Kept& each : all_b)
        if (!each.paired) rows.push_back(tensor_difference(a, b, nullptr, &each));
    return rows;
}

}  // namespace headcount
