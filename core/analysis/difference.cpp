// What makes two architectures differ in size.
#include "core/analysis/difference.hpp"

#include <algorithm>

#include "core/base/checked.hpp"

namespace headcount {
namespace {

// "attention.query" from "layer_dense.attention.query.weight".
std::string kind_key(const ModelGraph& graph, const Tensor& tensor) {
    std::string key = tensor.id;
    if (const std::optional<std::size_t> layer = graph.layer_of(tensor.block))
        key.erase(0, graph.blocks[graph.layers[*layer].block].id.size() + 1);
    for (std::string_view end : {".weight", ".bias"})
        if (key.ends_with(end)) key.erase(key.size() - end.size());
    return key;
}

// Adds up the parameters of each part on one side, with a place in `kinds` for each.
void add_kinds(std::vector<KindDifference>& kinds, const CountedModel& side, std::int64_t KindDifference::*sum) {
    for (const Tensor& tensor : side.graph.tensors) {
        if (tensor.role != Role::parameter) continue;
        auto kind = std::find_if(kinds.begin(), kinds.end(),
                                 [&](const KindDifference& each) { return each.part == tensor.part; });
        if (kind == kinds.end())
            kind = kinds.insert(kinds.end(), {tensor.part, kind_key(side.graph, tensor), tensor.label});
        (*kind).*sum += count_of(side.graph, tensor, side.bindings).all;
    }
}

// A kind of tensor on one side: the same name in the same shape, whichever layers have it.
struct Kept {
    const std::string* name;
    const ParameterRow* row;
    std::int64_t copies, total;
    bool paired = false;
};

std::vector<Kept> kept_tensors(const CountedModel& side) {
    std::vector<Kept> kept;
    kept.reserve(side.parameters.tensors.size());
    for (const ParameterRow& row : side.parameters.tensors) {
        const std::string& name = side.graph.stored[row.stored].name;
        auto same = std::find_if(kept.begin(), kept.end(),
                                 [&](const Kept& each) { return *each.name == name && each.row->shape == row.shape; });
        if (same == kept.end()) {
            kept.push_back({&name, &row, row.copies, row.total});
            continue;
        }
        same->copies += row.copies;
        same->total += row.total;
    }
    return kept;
}

TensorDifference tensor_difference(const CountedModel& a, const CountedModel& b, const Kept* in_a, const Kept* in_b) {
    const CountedModel& side = in_a ? a : b;
    const Kept& one = in_a ? *in_a : *in_b;
    TensorDifference row{TensorChange::reshaped, *one.name, side.graph.stored[one.row->stored].component, {}, {}};
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
    if (in_a && in_b && row.a_shape == row.b_shape)
        row.change = row.a_copies == row.b_copies ? TensorChange::same : TensorChange::repeated;
    return row;
}

enum class Which { all, different };

std::vector<TensorDifference> tensor_differences(const CountedModel& a, const CountedModel& b, Which which) {
    std::vector<Kept> all_a = kept_tensors(a), all_b = kept_tensors(b);
    std::vector<const Kept*> pair(all_a.size());
    const auto match = [&](const auto& fits) {
        for (std::size_t i = 0; i < all_a.size(); ++i) {
            if (pair[i]) continue;
            const auto found = std::find_if(all_b.begin(), all_b.end(), [&](const Kept& each) {
                return !each.paired && *each.name == *all_a[i].name && fits(all_a[i], each);
            });
            if (found == all_b.end()) continue;
            found->paired = true;
            pair[i] = &*found;
        }
    };
    // The same shape first, so that only what is left is said to be reshaped.
    match([](const Kept& x, const Kept& y) { return x.row->shape == y.row->shape; });
    match([](const Kept&, const Kept&) { return true; });
    std::vector<TensorDifference> rows;
    for (std::size_t i = 0; i < all_a.size(); ++i) {
        const bool same = pair[i] && pair[i]->row->shape == all_a[i].row->shape && pair[i]->copies == all_a[i].copies;
        if (!same || which == Which::all) rows.push_back(tensor_difference(a, b, &all_a[i], pair[i]));
    }
    for (const Kept& each : all_b)
        if (!each.paired) rows.push_back(tensor_difference(a, b, nullptr, &each));
    return rows;
}

}  // namespace

std::string_view change_word(TensorChange change) {
    constexpr std::array<std::string_view, 5> words{"added", "removed", "reshaped", "repeated", "same"};
    return words[static_cast<std::size_t>(change)];
}

std::vector<TensorDifference> all_tensors(const CountedModel& a, const CountedModel& b) {
    return tensor_differences(a, b, Which::all);
}

Result<Difference> difference(const CountedModel& a, const CountedModel& b) {
    Difference result;
    result.total = b.parameters.total - a.parameters.total;
    for (std::size_t i = 0; i < components.size(); ++i)
        result.by_component[i] = b.parameters.by_component[i] - a.parameters.by_component[i];
    add_kinds(result.kinds, a, &KindDifference::a);
    add_kinds(result.kinds, b, &KindDifference::b);
    result.tensors = tensor_differences(a, b, Which::different);

    result.fields = field_walk(a.architecture, a.graph, a.parameters.total, b.architecture, b.parameters.total);
    result.interaction = result.unnamed = result.total;
    for (const FieldDifference& row : result.fields) {
        const std::optional<std::int64_t> rest = checked_subtract(result.interaction, row.own.value_or(0));
        const std::optional<std::int64_t> unnamed = checked_subtract(result.unnamed, row.adds.value_or(0));
        if (!rest || !unnamed)
            return Error{"the sum of what each changed field makes by itself does not fit in 64 bits", "compare",
                         "compare models that differ less"};
        result.interaction = *rest;
        result.unnamed = *unnamed;
    }
    return result;
}

}  // namespace headcount
