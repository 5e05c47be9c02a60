// Where each parameter lies in memory.
#include "core/runtime/weights.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "core/base/checked.hpp"
#include "core/runtime/plan.hpp"

namespace headcount {
namespace {

bool stored(const Tensor& tensor) {
    return (tensor.role == Role::parameter || tensor.role == Role::buffer) && !is_sense(tensor.component);
}

Error does_not_fit_in_64_bits() { return {"the weights do not fit in 64 bits", "", "take a smaller model"}; }

// Of a panel of blocks.
std::int64_t panel_bytes(const BlockForm& form, std::int64_t inputs) {
    return inputs / form.numbers * form.bytes * panel_columns;
}

}  // namespace

const BlockForm* StoredForms::at(TensorIndex tensor, std::int64_t layer) const {
    const auto found = forms_.find({tensor, layer});
    return found != forms_.end() ? found->second : nullptr;
}

void StoredForms::set(TensorIndex tensor, std::int64_t layer, const BlockForm* form) {
    const auto [known, is_new] = forms_.try_emplace({tensor, layer}, form);
    if (!is_new && known->second != form) known->second = nullptr;
}

bool Weights::Entry::can_be(const BlockForm& form) const {
    return (layout != Layout::rows || embeds) && (by_rows(&form) ? columns : rows) % form.numbers == 0;
}

// Of one copy, to the end of a cache line.
Result<std::int64_t> Weights::Entry::floats(const BlockForm* form) const {
    const std::int64_t outputs = by_rows(form) ? rows : columns, inputs = by_rows(form) ? columns : rows;
    const std::optional<std::int64_t> wide = checked_ceil_to(outputs, panel_columns);
    // A block is no larger than its numbers as floats.
    const std::optional<std::int64_t> all = wide ? checked_multiply(*wide, inputs) : std::nullopt;
    const std::int64_t size = !all   ? 0
                              : form ? *wide / panel_columns * panel_bytes(*form, inputs) / std::int64_t{sizeof(float)}
                                     : *all;
    const std::optional<std::int64_t> lines = all ? checked_ceil_to(size, FloatMemory::alignment) : std::nullopt;
    return lines ? Result<std::int64_t>(*lines) : does_not_fit_in_64_bits();
}

Result<std::vector<Weights::Entry>> Weights::measure(const Architecture& arch, const ModelGraph& graph) {
    const Bindings values = bindings(arch, Input{.tokens = 1});
    std::vector<Entry> entries(graph.tensors.size());
    for (const Node& node : graph.nodes) {
        if (node.op == Op::linear) entries[node.parameters.front()].layout = Layout::column_panels;
        if (node.op == Op::embed) entries[node.parameters.front()].embeds = true;
    }
    if (graph.tied_head) entries[*graph.tied_head].layout = Layout::row_panels;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Tensor& tensor = graph.tensors[i];
        if (!stored(tensor)) continue;
        const bool vector = tensor.shape.rank() == 1;
        const Result<std::int64_t> rows = vector ? 1 : evaluate(tensor.shape[0], values);
        const Result<std::int64_t> columns = evaluate(tensor.shape[vector ? 0 : 1], values);
        const Result<std::int64_t> copies = evaluate(graph.copies_in_layer(tensor.block), values);
        if (!rows || !columns || !copies) return (!rows ? rows : !columns ? columns : copies).error();
        entries[i].rows = *rows, entries[i].columns = *columns, entries[i].copies = *copies;
    }
    return entries;
}

// All sizes fit in 64 bits: `bytes_of` has seen them.
std::int64_t Weights::lay_out(const Architecture& arch, const ModelGraph& graph, const StoredForms& forms,
                              std::vector<Entry>& entries) {
    std::int64_t end = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        Entry& entry = entries[i];
        if (entry.copies == 0) continue;
        const std::optional<std::size_t> group = graph.layer_of(graph.tensors[i].block);
        const LayerKind* const kind = group ? &graph.layers[*group].group.kind : nullptr;
        for (std::int64_t layer = 0; layer < (kind ? stack_layers(arch, *kind) : 1); ++layer) {
            InLayer& own = entry.layers.emplace_back();
            if (kind && !is_of_kind(arch, layer, *kind)) continue;
            const BlockForm* const form = forms.at(static_cast<TensorIndex>(i), layer);
            if (form && entry.can_be(*form)) own.form = form;
            own.start = end, own.step = *entry.floats(own.form);
            end += own.step * entry.copies;
        }
    }
    return end;
}

Result<std::int64_t> Weights::bytes_of(const Architecture& arch, const ModelGraph& graph, const StoredForms& forms) {
    const Result<std::vector<Entry>> entries = measure(arch, graph);
    if (!entries) return entries.error();
    std::optional<std::int64_t> floats = 0;
    for (std::size_t i = 0; i < entries->size() && floats; ++i) {
        const Entry& entry = (*entries)[i];
        const std::optional<std::size_t> group = graph.layer_of(graph.tensors[i].block);
        const Result<std::int64_t> step = entry.floats(nullptr);
        if (!step) return step;
        const std::optional<std::int64_t> all =
            checked_product(std::array{*step, entry.copies, group ? graph.layers[*group].group.count : 1});
        floats = all ? checked_add(*floats, *all) : std::nullopt;
    }
    const std::optional<std::int64_t> bytes =
        floats ? checked_multiply(*floats, std::int64_t{sizeof(float)}) : std::nullopt;
    if (!bytes) return does_not_fit_in_64_bits();
    std::int64_t less = 0;
    for (const auto& [place, form] : forms.all()) {
        const Entry& entry = (*entries)[place.first];
        if (form && entry.can_be(*form)) less += (*entry.floats(nullptr) - *entry.floats(form)) * entry.copies;
    }
    return *bytes - less * std::int64_t{sizeof(float)};
}

Result<Weights> Weights::reserve(const Architecture& arch, const ModelGraph& graph, const StoredForms& forms) {
    const Result<std::int64_t> bytes = bytes_of(arch, graph, forms);
    if (!bytes) return bytes.error();
    Result<FloatMemory> memory = FloatMemory::take(*bytes / std::int64_t{sizeof(float)}, FloatMemory::Pages::large);
    if (!memory) return memory.error();
    Weights weights;
    weights.memory_ = std::make_shared<FloatMemory>(std::move(*memory));
    weights.entries_ = *measure(arch, graph);
    [[maybe_unused]] const std::int64_t end = lay_out(arch, graph, forms, weights.entries_);
    assert(end == weights.memory_->size());
    return weights;
}

Result<Weights> Weights::copied() const {
    Weights made = *this;
    std::map<std::int64_t, InLayer> moved;  // by where they are here: layers may share one
    std::int64_t end = 0;
    for (Entry& entry : made.entries_)
        for (InLayer& own : entry.layers) {
            if (own.start < 0) continue;
            const Result<std::int64_t> step = entry.floats(nullptr);
            if (!step) return step.error();
            const auto [to, is_new] = moved.try_emplace(own.start, InLayer{.start = end, .step = *step});
            if (is_new) end += *step * entry.copies;
            own = to->second;
        }
    if (std::optional<Error> error =
            does_not_fit(end * std::int64_t{sizeof(float)}, "a copy of the weights in float32"))
        return *std::move(error);
    Result<FloatMemory> memory = FloatMemory::take(end, FloatMemory::Pages::large);
    if (!memory) return memory.error();
    made.memory_ = std::make_shared<FloatMemory>(std::move(*memory));
    for (std::size_t i = 0; i < entries_.size(); ++i)
        for (std::int64_t layer = 0; layer < std::ssize(entries_[i].layers); ++layer)
            for (std::int64_t copy = 0; copy < entries_[i].copies; ++copy)
                made.restore(*this, static_cast<TensorIndex>(i), layer, copy);
    return made;
}

void Weights::restore(const Weights& from, TensorIndex tensor, std::int64_t layer, std::int64_t copy) {
    const MatrixView view = from.view(tensor, layer, copy), own = this->view(tensor, layer, copy);
    float* const to = floats(tensor, layer, copy);
    if (!to) return;
    if (!view.form) {
        std::copy_n(view.data, entries_[tensor].layers[static_cast<std::size_t>(layer)].step, to);
        return;
    }
    for (std::int64_t row = 0; row < view.rows; ++row)
        for (std::int64_t column = 0; column < view.columns; ++column)
            to[own.offset(row, column)] = view.at(row, column);
}

void Weights::take_layers(TensorIndex tensor, std::span<const std::int64_t> order) {
    std::vector<InLayer> taken;
    for (const std::int64_t layer : order) {
        const InLayer* const own = find(tensor, layer, 0);
        taken.push_back(own ? *own : InLayer{});
    }
    entries_[tensor].layers = std::move(taken);
}

const Weights::InLayer* Weights::find(TensorIndex tensor, std::int64_t layer, std::int64_t copy) const {
    const Entry& entry = entries_[tensor];
    if (layer < 0 || layer >= std::ssize(entry.layers) || copy < 0 || copy >= entry.copies) return nullptr;
    const InLayer& own = entry.layers[static_cast<std::size_t>(layer)];
    return own.start < 0 ? nullptr : &own;
}

float* Weights::floats(TensorIndex tensor, std::int64_t layer, std::int64_t copy) {
    const InLayer* const own = find(tensor, layer, copy);
    return own && !own->form ? memory_->data() + own->start + copy * own->step : nullptr;
}

std::byte* Weights::blocks(TensorIndex tensor, std::int64_t layer, std::int64_t copy) {
    const InLayer* const own = find(tensor, layer, copy);
    return own && own->form ? reinterpret_cast<std::byte*>(memory_->data() + own->start + copy * own->step) : nullptr;
}

MatrixView Weights::view(TensorIndex tensor, std::int64_t layer, std::int64_t copy) const {
    const InLayer* const own = find(tensor, layer, copy);
    if (!own) return {};
    const Entry& entry = entries_[tensor];
    MatrixView view{.rows = entry.rows, .columns = entry.columns};
    const float* const from = memory_->data() + own->start + copy * own->step;
    if (own->form) {
        const bool by_rows = entry.by_rows(own->form);
        view.form = own->form;
        view.blocks = reinterpret_cast<const std::byte*>(from);
        (by_rows ? view.row_panel : view.column_panel) = panel_bytes(*own->form, by_rows ? entry.columns : entry.rows);
        return view;
    }
    view.data = from;
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

std::vector<KeptNumbers> Weights::kept() const {
    std::vector<KeptNumbers> all;
    for (const Entry& entry : entries_)
        for (const InLayer& own : entry.layers) {
            if (own.start < 0) continue;
            const std::string_view type = own.form ? own.form->type : "F32";
            const bool multiplied = entry.layout != Layout::rows;
            auto found = std::ranges::find_if(
                all, [&](const KeptNumbers& each) { return each.type == type && each.multiplied == multiplied; });
            if (found == all.end()) found = all.insert(all.end(), {.type = type, .multiplied = multiplied});
            found->numbers += entry.rows * entry.columns * entry.copies;
            found->bytes += own.step * entry.copies * std::int64_t{sizeof(float)};
        }
    std::ranges::stable_sort(all, std::ranges::greater(), &KeptNumbers::bytes);
    return all;
}

kernels::Right right_of(const MatrixView& matrix, std::int64_t first) {
    const std::int64_t panel = matrix.row_panel + matrix.column_panel, from = first / panel_columns * panel;
    if (matrix.form) return {.panel_step = panel, .form = matrix.form, .blocks = matrix.blocks + from};
    return {.data = matrix.data + from, .row_step = panel_columns, .panel_step = panel};
}

}  // namespace headcount
