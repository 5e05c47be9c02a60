// Where each parameter lies in memory.
#include "core/runtime/weights.hpp"

#include "core/base/checked.hpp"

namespace headcount {
namespace {

bool stored(const Tensor& tensor) {
    return tensor.role == Role::parameter || tensor.role == Role::buffer;
}

Result<std::int64_t> padded_size(std::int64_t outputs, std::int64_t inputs) {
    const std::optional<std::int64_t> wide = checked_ceil_to(outputs, panel_columns);
    const std::optional<std::int64_t> all = wide ? checked_multiply(*wide, inputs) : std::nullopt;
    const std::optional<std::int64_t> lines = all ? checked_ceil_to(*all, FloatMemory::alignment) : std::nullopt;
    if (!lines) return Error{"the weights do not fit in 64 bits", "", "take a smaller model"};
    return *lines;
}

}  // namespace

Result<Weights> Weights::lay_out(const Architecture& arch, const ModelGraph& graph) {
    const Bindings values = bindings(arch, Input{.tokens = 1});
    Weights weights;
    weights.entries_.resize(graph.tensors.size());
    for (const Node& node : graph.nodes)
        if (node.op == Op::linear) weights.entries_[node.parameters.front()].layout = Layout::column_panels;
    if (graph.tied_head) weights.entries_[*graph.tied_head].layout = Layout::row_panels;
    std::vector<LayerKind> kinds;
    for (std::int64_t layer = 0; layer < arch.layers; ++layer) kinds.push_back(layer_kind(arch, layer));
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Tensor& tensor = graph.tensors[i];
        if (!stored(tensor)) continue;
        Entry& entry = weights.entries_[i];
        const bool vector = tensor.shape.rank() == 1;
        const Result<std::int64_t> rows = vector ? 1 : evaluate(tensor.shape[0], values);
        const Result<std::int64_t> columns = evaluate(tensor.shape[vector ? 0 : 1], values);
        const Result<std::int64_t> copies = evaluate(graph.copies_in_layer(tensor.block), values);
        if (!rows || !columns || !copies) return (!rows ? rows : !columns ? columns : copies).error();
        entry.rows = *rows, entry.columns = *columns, entry.copies = *copies;
        const bool by_rows = entry.layout == Layout::row_panels;
        const Result<std::int64_t> size =
            padded_size(by_rows ? entry.rows : entry.columns, by_rows ? entry.columns : entry.rows);
        if (!size) return size.error();
        entry.step = *size;
        const std::optional<std::size_t> group = graph.layer_of(tensor.block);
        const std::optional<std::int64_t> all = checked_multiply(*size, *copies);
        for (std::int64_t layer = 0; layer < (group ? arch.layers : 1); ++layer) {
            const bool there = !group || kinds[static_cast<std::size_t>(layer)] == graph.layers[*group].group.kind;
            entry.starts.push_back(there ? weights.size_ : -1);
            const std::optional<std::int64_t> next = all ? checked_add(weights.size_, *all) : std::nullopt;
            if (!next) return Error{"the weights do not fit in 64 bits", "", "take a smaller model"};
            if (there) weights.size_ = *next;
        }
    }
    return weights;
}

Result<std::int64_t> Weights::bytes_of(const Architecture& arch, const ModelGraph& graph) {
    const Result<Weights> weights = lay_out(arch, graph);
    if (!weights) return weights.error();
    const std::optional<std::int64_t> bytes = checked_multiply(weights->size_, std::int64_t{sizeof(float)});
    if (!bytes) return Error{"the weights do not fit in 64 bits", "", "take a smaller model"};
    return *bytes;
}

Result<Weights> Weights::reserve(const Architecture& arch, const ModelGraph& graph) {
    Result<Weights> weights = lay_out(arch, graph);
    if (!weights) return weights.error();
    Result<FloatMemory> memory = FloatMemory::take(weights->size_);
    if (!memory) return memory.error();
    weights->memory_ = std::move(*memory);
    return weights;
}

std::int64_t Weights::start(TensorIndex tensor, std::int64_t layer, std::int64_t copy) const {
    const Entry& entry = entries_[tensor];
    if (layer < 0 || layer >= static_cast<std::int64_t>(entry.starts.size())) return -1;
    const std::int64_t first = entry.starts[static_cast<std::size_t>(layer)];
    return first < 0 || copy < 0 || copy >= entry.copies ? -1 : first + copy * entry.step;
}

float* Weights::floats(TensorIndex tensor, std::int64_t layer, std::int64_t copy) {
    const std::int64_t at = start(tensor, layer, copy);
    return at < 0 ? nullptr : memory_.data() + at;
}

MatrixView Weights::view(TensorIndex tensor, std::int64_t layer, std::int64_t copy) const {
    const std::int64_t at = start(tensor, layer, copy);
    if (at < 0) return {};
    const Entry& entry = entries_[tensor];
    MatrixView view{.data = memory_.data() + at, .rows = entry.rows, .columns = entry.columns};
    view.row_step = entry.columns;
    if (entry.layout == Layout::column_panels) {
        view.row_step = panel_columns;
        view.column_panel = panel_columns * entry.rows;
    } else if (entry.layout == Layout::row_panels) {
        view.row_step = 1;
        view.column_step = panel_columns;
        view.row_panel = panel_columns * entry.columns;
    }
    return view;
}

}  // namespace headcount
