// Where each parameter lies in memory.
#include "core/runtime/weights.hpp"

#include <algorithm>
#include <cassert>

#include "core/base/checked.hpp"
#include "core/runtime/plan.hpp"

namespace headcount {
namespace {

bool stored(const Tensor& tensor) {
    return (tensor.role == Role::parameter || tensor.role == Role::buffer) && !is_sense(tensor.component);
}

Result<std::int64_t> padded_size(std::int64_t outputs, std::int64_t inputs) {
    const std::optional<std::int64_t> wide = checked_ceil_to(outputs, panel_columns);
    const std::optional<std::int64_t> all = wide ? checked_multiply(*wide, inputs) : std::nullopt;
    const std::optional<std::int64_t> lines = all ? checked_ceil_to(*all, FloatMemory::alignment) : std::nullopt;
    if (!lines) return Error{"the weights do not fit in 64 bits", "", "take a smaller model"};
    return *lines;
}

}  // namespace

// All but where each begins.
Result<std::vector<Weights::Entry>> Weights::measure(const Architecture& arch, const ModelGraph& graph) {
    const Bindings values = bindings(arch, Input{.tokens = 1});
    std::vector<Entry> entries(graph.tensors.size());
    for (const Node& node : graph.nodes)
        if (node.op == Op::linear) entries[node.parameters.front()].layout = Layout::column_panels;
    if (graph.tied_head) entries[*graph.tied_head].layout = Layout::row_panels;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Tensor& tensor = graph.tensors[i];
        if (!stored(tensor)) continue;
        Entry& entry = entries[i];
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
    }
    return entries;
}

// All sizes fit in 64 bits: `bytes_of` has seen them.
void Weights::lay_out(const Architecture& arch, const ModelGraph& graph) {
    std::int64_t end = 0;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        Entry& entry = entries_[i];
        if (entry.copies == 0) continue;
        const std::optional<std::size_t> group = graph.layer_of(graph.tensors[i].block);
        const LayerKind* const kind = group ? &graph.layers[*group].group.kind : nullptr;
        for (std::int64_t layer = 0; layer < (kind ? stack_layers(arch, *kind) : 1); ++layer) {
            const bool there = !kind || is_of_kind(arch, layer, *kind);
            entry.starts.push_back(there ? end : -1);
            if (there) end += entry.step * entry.copies;
        }
    }
    assert(end == memory_->size());
}

Result<std::int64_t> Weights::bytes_of(const Architecture& arch, const ModelGraph& graph) {
    const Result<std::vector<Entry>> entries = measure(arch, graph);
    if (!entries) return entries.error();
    std::optional<std::int64_t> bytes = 0;
    for (std::size_t i = 0; i < entries->size() && bytes; ++i) {
        const Entry& entry = (*entries)[i];
        const std::optional<std::size_t> group = graph.layer_of(graph.tensors[i].block);
        std::optional<std::int64_t> all = std::int64_t{sizeof(float)};
        for (const std::int64_t factor : {entry.step, entry.copies, group ? graph.layers[*group].group.count : 1})
            all = all ? checked_multiply(*all, factor) : std::nullopt;
        bytes = all ? checked_add(*bytes, *all) : std::nullopt;
    }
    if (!bytes) return Error{"the weights do not fit in 64 bits", "", "take a smaller model"};
    return *bytes;
}

Result<Weights> Weights::reserve(const Architecture& arch, const ModelGraph& graph) {
    const Result<std::int64_t> bytes = bytes_of(arch, graph);
    if (!bytes) return bytes.error();
    Result<FloatMemory> memory = FloatMemory::take(*bytes / std::int64_t{sizeof(float)}, FloatMemory::Pages::large);
    if (!memory) return memory.error();
    Weights weights;
    weights.memory_ = std::make_shared<FloatMemory>(std::move(*memory));
    weights.entries_ = *measure(arch, graph);
    weights.lay_out(arch, graph);
    return weights;
}

Result<Weights> Weights::copied() const {
    if (std::optional<Error> error = does_not_fit(bytes(), "a copy of the weights in float32"))
        return *std::move(error);
    Result<FloatMemory> memory = FloatMemory::take(memory_->size(), FloatMemory::Pages::large);
    if (!memory) return memory.error();
    std::copy_n(memory_->data(), memory_->size(), memory->data());
    Weights made = *this;
    made.memory_ = std::make_shared<FloatMemory>(std::move(*memory));
    return made;
}

void Weights::take_layers(TensorIndex tensor, std::span<const std::int64_t> order) {
    std::vector<std::int64_t> taken;
    for (const std::int64_t layer : order) taken.push_back(start(tensor, layer, 0));
    entries_[tensor].starts = std::move(taken);
}

std::int64_t Weights::start(TensorIndex tensor, std::int64_t layer, std::int64_t copy) const {
    const Entry& entry = entries_[tensor];
    if (layer < 0 || layer >= static_cast<std::int64_t>(entry.starts.size())) return -1;
    const std::int64_t first = entry.starts[static_cast<std::size_t>(layer)];
    return first < 0 || copy < 0 || copy >= entry.copies ? -1 : first + copy * entry.step;
}

float* Weights::floats(TensorIndex tensor, std::int64_t layer, std::int64_t copy) {
    const std::int64_t at = start(tensor, layer, copy);
    return at < 0 ? nullptr : memory_->data() + at;
}

MatrixView Weights::view(TensorIndex tensor, std::int64_t layer, std::int64_t copy) const {
    const std::int64_t at = start(tensor, layer, copy);
    if (at < 0) return {};
    const Entry& entry = entries_[tensor];
    MatrixView view{.data = memory_->data() + at, .rows = entry.rows, .columns = entry.columns};
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
