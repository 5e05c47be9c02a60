// What stands in each row of the bottom tables.
#include "app/views/explore/tables_page.hpp"

#include <algorithm>
#include <array>

#include "app/parts/hidden.hpp"
#include "app/parts/words.hpp"
#include "core/analysis/checkpoint_names.hpp"
#include "core/analysis/memory.hpp"
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
constexpr float least_beside_kinds = 152;  // of the first column: words must stay whole

// "Scores, 32 heads": one row stands for all heads of a layer, and for the whole batch.
std::string step_of(const Counted& shown, const ActivationRow& row, bool one_head) {
    const Tensor& tensor = shown.graph.tensors[row.tensor];
    std::string text(tensor.label);
    const std::string count = ", " + std::to_string(row.in_layer / shown.input.batch);
    if (!one_head && shown.graph.is(tensor.block, BlockKind::head)) text += count + " heads";
    if (!one_head && shown.graph.is(tensor.block, BlockKind::expert))
        text += count + " of " + std::to_string(*shown.bindings[Symbol::experts]);
    if (row.kept != shown.input.computed()) text += ", " + precision_text(row.kept);
    return text;
}

struct Sizes {
    std::optional<std::int64_t> elements, bytes;
};

// In one layer, all heads and the whole batch together; of one head alone in the table of one head.
Sizes sizes_of(const ActivationRow& row, bool one_head) {
    if (one_head) return {row.elements, row.bytes};
    const std::optional<std::int64_t> elements = checked_multiply(row.elements, row.in_layer);
    return {elements, elements ? bytes_of(*elements, row.kept) : std::nullopt};
}

}  // namespace

CountedTable::CountedTable(const Ui& ui, const Shown& model, BottomTab tab) : ui_(ui), model_(model), tab_(tab) {
    const Counted& shown = model.derived.shown;
    const Parameters& parameters = shown.parameters;
    if (tab != BottomTab::tensors) {
        for (const ActivationRow& row : tab == BottomTab::head ? shown.head : shown.activations) rows_.push_back(&row);
        return;
    }
    const ImU32 mid = ui.theme.text_mid;
    for (const StoredTensor& stored : shown.graph.stored) rows_.push_back(&stored);
    rows_.push_back(Sum{.name = "total", .label = "All parameters", .count = parameters.total, .total = true});
    if (parameters.active != parameters.total)
        rows_.push_back(
            Sum{.name = "active", .label = "Active for each token", .count = parameters.active, .ink = mid});
    if (shown.graph.buffers.empty()) return;
    rows_.push_back(Sum{.name = "buffers",
                        .label = "Buffers, outside the total",
                        .count = parameters.buffers,
                        .ink = mid,
                        .count_ink = mid});
    for (const StoredTensor& stored : shown.graph.buffers) rows_.push_back(&stored);
}

std::vector<TableColumn> CountedTable::columns() const {
    const auto& usual = tab_ == BottomTab::tensors ? tensor_columns : activation_columns;
    std::vector<TableColumn> all(usual.begin(), usual.end());
    if (!kinds()) return all;
    all.front().minimum = std::max(all.front().minimum, least_beside_kinds);
    if (all.back().grows) all.back().minimum = 64;
    all.insert(all.begin() + 1, kind_column);
    return all;
}

// With the kind of layers behind the first where that has a column.
void CountedTable::set_cells(TableRow& row, std::span<const TableCell> cells, std::optional<BlockIndex> block) const {
    std::size_t column = 0;
    for (const TableCell& cell : cells) {
        row.cells[column++] = cell;
        if (column != 1 || !kinds()) continue;
        row.cells[column++] = {row.keep(block ? kind_text(graph(), *block) : ""), ui_.theme.text_mid};
    }
}

void CountedTable::fill(const ActivationRow& activation, TableRow& row) const {
    const Counted& shown = model_.derived.shown;
    const Tensor& tensor = graph().tensors[activation.tensor];
    const bool one_head = tab_ == BottomTab::head;
    const Sizes sizes = sizes_of(activation, one_head);
    row.swatch = swatch_of(ui_.theme, tensor);
    row.name = row.about = tensor.id;
    const About meant(keys_in({tensor.meaning}));
    const std::array cells{
        TableCell{row.keep(step_of(shown, activation, one_head))},
        TableCell{tensor.symbol},
        TableCell{row.keep(std::to_string(activation.rows) + " × " + std::to_string(activation.columns))},
        TableCell{row.keep(count_text(sizes.elements))},
        TableCell{row.keep(count_text(sizes.bytes))},
        TableCell{row.keep(covered_text(filled_in(tensor.meaning, shown.bindings)))}};
    set_cells(row, cells, tensor.block);
}

void CountedTable::fill(const StoredTensor& stored, TableRow& row) const {
    const Bindings& bindings = model_.derived.shown.bindings;
    const Tensor& first = graph().tensors[stored.parts.front()];
    const std::int64_t one = elements_of(stored.shape, bindings), copies = value_of(stored.copies, bindings);
    row.swatch = swatch_of(ui_.theme, first);
    row.name = row.about = first.id;
    const std::array cells{TableCell{row.keep(name_in_layer(stored.name, "*"))},
                           TableCell{row.keep(stored_shape_text(stored.shape, bindings))},
                           TableCell{row.keep(grouped(one))},
                           TableCell{row.keep(std::to_string(copies)), ui_.theme.text_mid},
                           TableCell{row.keep(grouped(one * copies))},
                           TableCell{row.keep(shape_in_symbols(stored.shape)), ui_.theme.text_mid}};
    set_cells(row, cells, first.block);
}

void CountedTable::fill(const Sum& sum, TableRow& row) const {
    row.name = sum.name;
    row.group = true;
    row.strong = sum.total;
    row.about = total_key;
    std::array<TableCell, 6> cells{TableCell{sum.label, sum.ink}};
    cells[total_cell] = {row.keep(sum.total ? total_text(model_.derived) : grouped(sum.count)), sum.count_ink};
    set_cells(row, cells, {});
}

bool CountedTable::shows(const Row& row, const Subject& subject) const {
    if (const auto* activation = std::get_if<const ActivationRow*>(&row))
        return row_shows(graph(), (*activation)->tensor, subject);
    if (const auto* sum = std::get_if<Sum>(&row)) return sum->total && std::holds_alternative<TotalSubject>(subject);
    const auto* tensor = std::get_if<TensorSubject>(&subject);
    const std::vector<TensorIndex>& parts = std::get<const StoredTensor*>(row)->parts;
    return tensor &&
           std::ranges::any_of(parts, [&](TensorIndex part) { return graph().tensors[part].id == tensor->id; });
}

bool CountedTable::lit(const Row& row, const Subject& subject) const {
    const auto lights_it = [&](TensorIndex tensor) { return lights(subject, graph().tensors[tensor]); };
    if (const auto* stored = std::get_if<const StoredTensor*>(&row))
        return std::any_of((*stored)->parts.begin(), (*stored)->parts.end(), lights_it);
    const auto* activation = std::get_if<const ActivationRow*>(&row);
    return shows(row, subject) || (activation && lights_it((*activation)->tensor));
}

void CountedTable::fill(int index, TableRow& row) const {
    const Row& which = rows_[static_cast<std::size_t>(index)];
    if (const auto* activation = std::get_if<const ActivationRow*>(&which))
        fill(**activation, row);
    else if (const auto* stored = std::get_if<const StoredTensor*>(&which))
        fill(**stored, row);
    else
        fill(std::get<Sum>(which), row);
    row.selected = shows(which, model_.look.selection);
    row.lit = lit(which, model_.look.hover);
}

Subject CountedTable::subject(int index) const {
    const Row& row = rows_[static_cast<std::size_t>(index)];
    if (const auto* stored = std::get_if<const StoredTensor*>(&row))
        return TensorSubject{graph().tensors[(*stored)->parts.front()].id};
    const auto* activation = std::get_if<const ActivationRow*>(&row);
    if (!activation) return TotalSubject{};
    const Tensor& made = graph().tensors[(*activation)->tensor];
    std::optional<std::int64_t> head;
    if (tab_ == BottomTab::head && graph().is(made.block, BlockKind::head)) head = copies_shown(model_).head;
    return carried(TensorSubject{made.id, {.layer = {}, .head = head, .expert = {}}}, model_.look.selection, graph());
}

int CountedTable::selected() const {
    const auto found = std::ranges::find_if(rows_, [&](const Row& row) { return shows(row, model_.look.selection); });
    return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

}  // namespace headcount
