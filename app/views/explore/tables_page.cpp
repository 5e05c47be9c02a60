// What stands in each row of the bottom tables.
#include "app/views/explore/tables_page.hpp"

#include <algorithm>
#include <array>

#include "app/parts/words.hpp"
#include "core/analysis/checkpoint_names.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"

namespace headcount {

namespace {

constexpr std::array activation_columns{TableColumn{"Step", 176, 140},
                                        TableColumn{"Symbol", 66, 64, Align::left, true, true},
                                        TableColumn{"Rows × cols", 112, 100, Align::right, true},
                                        TableColumn{"Elements", 116, 92, Align::right, true},
                                        TableColumn{"Bytes", 116, 92, Align::right, true},
                                        TableColumn{"Meaning", 264, 120, Align::left, false, false, true}};
constexpr std::array tensor_columns{TableColumn{"Tensor", 346, 212, Align::left, true, false, true, true},
                                    TableColumn{"Stored shape", 124, 116, Align::right, true},
                                    TableColumn{"Each", 100, 92, Align::right, true},
                                    TableColumn{"Copies", 60, 48, Align::right, true},
                                    TableColumn{"Total", 136, 132, Align::right, true},
                                    TableColumn{"In symbols", 172, 120, Align::left, true, true}};
constexpr std::size_t total_cell = 4;

// Where the layers are not all alike: what tells a row's layers from others, and how many there are.
constexpr TableColumn kind_column{"Layers", 132, 92};

template <std::size_t count>
constexpr std::array<TableColumn, count + 1> with_kinds(const std::array<TableColumn, count>& columns) {
    std::array<TableColumn, count + 1> all{columns.front(), kind_column};
    all[0].minimum = std::max(all[0].minimum, 152.0F);  // words must stay whole
    for (std::size_t i = 1; i < count; ++i) all[i + 1] = columns[i];
    if (all[count].grows) all[count].minimum = 64;
    return all;
}
constexpr auto activation_columns_of_kinds = with_kinds(activation_columns);
constexpr auto tensor_columns_of_kinds = with_kinds(tensor_columns);

// The cells of a row, with the kind of layers behind the first where that has a column.
void set_cells(const Tables& to, TableRow& row, std::span<const TableCell> cells, std::optional<BlockIndex> block) {
    std::size_t at = 0;
    for (const TableCell& cell : cells) {
        row.cells[at++] = cell;
        if (at != 1 || !to.kinds()) continue;
        row.cells[at++] = {row.keep(block ? kind_text(to.graph(), *block) : ""), to.ui.theme.text_mid};
    }
}

bool row_lit(const ModelGraph& graph, TensorIndex row, const Subject& subject) {
    return lights(subject, graph.tensors[row]) || row_shows(graph, row, subject);
}

// "Scores, 32 heads": one row stands for all heads of a layer, and for the whole batch.
std::string step_of(const Counted& shown, const ActivationRow& row, bool one_head) {
    const Tensor& tensor = shown.graph.tensors[row.tensor];
    std::string text(tensor.label);
    const std::string count = ", " + std::to_string(row.in_layer / shown.input.batch);
    if (!one_head && in_head(shown.graph, tensor.block)) text += count + " heads";
    if (!one_head && in_expert(shown.graph, tensor.block))
        text += count + " of " + std::to_string(*shown.bindings[Symbol::experts]);
    return text;
}

struct Sizes {
    std::optional<std::int64_t> elements, bytes;
};

// In one layer, all heads and the whole batch together; of one head alone in the table of one head.
Sizes sizes_of(const Counted& shown, const ActivationRow& row, bool one_head) {
    if (one_head) return {row.elements, row.bytes};
    const std::optional<std::int64_t> elements = checked_multiply(row.elements, row.in_layer);
    return {elements, elements ? bytes_of(*elements, shown.input.precision) : std::nullopt};
}

void fill_activation(const Tables& to, const ActivationRow& activation, bool one_head, TableRow& row) {
    const Tensor& tensor = to.graph().tensors[activation.tensor];
    const Sizes sizes = sizes_of(to.shown(), activation, one_head);
    row.swatch = swatch_of(to.ui.theme, tensor);
    row.name = tensor.id;
    const std::array cells{
        TableCell{row.keep(step_of(to.shown(), activation, one_head))},
        TableCell{tensor.symbol},
        TableCell{row.keep(std::to_string(activation.rows) + " × " + std::to_string(activation.columns))},
        TableCell{row.keep(count_text(sizes.elements))},
        TableCell{row.keep(count_text(sizes.bytes))},
        TableCell{row.keep(filled_in(tensor.meaning, to.shown().bindings))}};
    set_cells(to, row, cells, tensor.block);
    row.selected = row_shows(to.graph(), activation.tensor, to.session.look.selection);
    row.lit = row_lit(to.graph(), activation.tensor, to.session.look.hover);
}

bool stored_shows(const ModelGraph& graph, const StoredTensor& stored, const Subject& subject) {
    const auto* tensor = std::get_if<TensorSubject>(&subject);
    return tensor && std::any_of(stored.parts.begin(), stored.parts.end(),
                                 [&](TensorIndex part) { return graph.tensors[part].id == tensor->id; });
}

void fill_stored(const Tables& to, const StoredTensor& stored, TableRow& row) {
    const ModelGraph& graph = to.graph();
    const Bindings& bindings = to.shown().bindings;
    const Tensor& first = graph.tensors[stored.parts.front()];
    const std::int64_t one = elements_of(stored.shape, bindings), copies = value_of(stored.copies, bindings);
    row.swatch = swatch_of(to.ui.theme, first);
    row.name = first.id;
    const std::array cells{TableCell{row.keep(name_in_layer(stored.name, "*"))},
                           TableCell{row.keep(stored_shape_text(stored.shape, bindings))},
                           TableCell{row.keep(grouped(one))},
                           TableCell{row.keep(std::to_string(copies)), to.ui.theme.text_mid},
                           TableCell{row.keep(grouped(one * copies))},
                           TableCell{row.keep(shape_in_symbols(stored.shape)), to.ui.theme.text_mid}};
    set_cells(to, row, cells, first.block);
    row.selected = stored_shows(graph, stored, to.session.look.selection);
    for (const TensorIndex part : stored.parts) row.lit = row.lit || lights(to.session.look.hover, graph.tensors[part]);
}

void fill_total(const Tables& to, TableRow& row) {
    const Parameters& parameters = to.shown().parameters;
    row.name = "total";
    row.strong = row.group = true;
    std::array<TableCell, 6> cells{TableCell{"All parameters"}};
    cells[total_cell] = {row.keep(grouped(parameters.total))};
    set_cells(to, row, cells, {});
    row.selected = std::holds_alternative<TotalSubject>(to.session.look.selection);
    row.lit = std::holds_alternative<TotalSubject>(to.session.look.hover);
}

// The sum of what a token uses, and the heading of what is stored besides.
void fill_active(const Tables& to, TableRow& row) {
    row.name = "active";
    row.group = true;
    std::array<TableCell, 6> cells{TableCell{"Active for each token", to.ui.theme.text_mid}};
    cells[total_cell] = {row.keep(grouped(to.shown().parameters.active))};
    set_cells(to, row, cells, {});
}

void fill_buffers_heading(const Tables& to, TableRow& row) {
    row.name = "buffers";
    row.group = true;
    std::array<TableCell, 6> cells{TableCell{"Buffers, outside the total", to.ui.theme.text_mid}};
    cells[total_cell] = {row.keep(grouped(to.shown().parameters.buffers)), to.ui.theme.text_mid};
    set_cells(to, row, cells, {});
}

// What stands in the rows of the tensors' table: the checkpoint's tensors, sums, and then its buffers.
struct TensorRow {
    enum class Kind { stored, total, active, heading } kind;
    const StoredTensor* stored = nullptr;
};

std::size_t tensor_rows(const Counted& shown) {
    const std::size_t buffers = shown.graph.buffers.size();
    const bool active = shown.parameters.active != shown.parameters.total;
    return shown.graph.stored.size() + 1 + (active ? 1 : 0) + (buffers == 0 ? 0 : buffers + 1);
}

TensorRow tensor_row(const Counted& shown, std::size_t at) {
    const ModelGraph& graph = shown.graph;
    if (at < graph.stored.size()) return {TensorRow::Kind::stored, &graph.stored[at]};
    at -= graph.stored.size();
    if (at == 0) return {TensorRow::Kind::total};
    if (shown.parameters.active != shown.parameters.total && at-- == 1) return {TensorRow::Kind::active};
    return at == 1 ? TensorRow{TensorRow::Kind::heading} : TensorRow{TensorRow::Kind::stored, &graph.buffers[at - 2]};
}

}  // namespace

std::span<const TableColumn> TablePage::columns() const {
    const bool tensors = tab_ == BottomTab::tensors;
    if (to_.kinds()) {
        if (tensors) return tensor_columns_of_kinds;
        return activation_columns_of_kinds;
    }
    if (tensors) return tensor_columns;
    return activation_columns;
}

int TablePage::rows() const {
    return static_cast<int>(tab_ == BottomTab::tensors ? tensor_rows(to_.shown()) : activations().size());
}

void TablePage::fill(int index, TableRow& row) const {
    const auto at = static_cast<std::size_t>(index);
    if (tab_ != BottomTab::tensors) return fill_activation(to_, activations()[at], tab_ == BottomTab::head, row);
    const TensorRow tensor = tensor_row(to_.shown(), at);
    switch (tensor.kind) {
        case TensorRow::Kind::stored:
            return fill_stored(to_, *tensor.stored, row);
        case TensorRow::Kind::total:
            return fill_total(to_, row);
        case TensorRow::Kind::active:
            return fill_active(to_, row);
        case TensorRow::Kind::heading:
            return fill_buffers_heading(to_, row);
    }
}

Subject TablePage::subject(int index) const {
    const auto at = static_cast<std::size_t>(index);
    const ModelGraph& graph = to_.graph();
    if (tab_ != BottomTab::tensors) {
        const Tensor& made = graph.tensors[activations()[at].tensor];
        Copies copies = copies_shown(to_.session);
        if (tab_ != BottomTab::head || !in_head(graph, made.block)) copies.head.reset();
        return carried(TensorSubject{made.id, {.layer = {}, .head = copies.head, .expert = {}}},
                       to_.session.look.selection, graph);
    }
    const StoredTensor* const stored = tensor_row(to_.shown(), at).stored;
    return stored ? Subject(TensorSubject{graph.tensors[stored->parts.front()].id}) : Subject(TotalSubject{});
}

int TablePage::selected() const {
    const Subject& selection = to_.session.look.selection;
    if (tab_ != BottomTab::tensors) {
        for (std::size_t i = 0; i < activations().size(); ++i)
            if (row_shows(to_.graph(), activations()[i].tensor, selection)) return static_cast<int>(i);
        return -1;
    }
    for (std::size_t i = 0; i < tensor_rows(to_.shown()); ++i) {
        const TensorRow row = tensor_row(to_.shown(), i);
        const bool total = row.kind == TensorRow::Kind::total && std::holds_alternative<TotalSubject>(selection);
        if (total || (row.stored && stored_shows(to_.graph(), *row.stored, selection))) return static_cast<int>(i);
    }
    return -1;
}

}  // namespace headcount
