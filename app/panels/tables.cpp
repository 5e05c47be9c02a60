// The bottom tables: every activation, one head step by step, every tensor of the checkpoint.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/panels/panels.hpp"
#include "app/panels/tables_csv.hpp"
#include "app/panels/words.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/table.hpp"
#include "app/ui/tabs.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/analysis/checkpoint_names.hpp"

namespace headcount {
namespace {

constexpr std::array<std::string_view, 3> tab_names{"Activations", "One head", "Tensors"};

constexpr std::array activation_columns{TableColumn{"Step", 176, 120},
                                        TableColumn{"Symbol", 66, 64, Align::left, true, true},
                                        TableColumn{"Rows × cols", 112, 100, Align::right, true},
                                        TableColumn{"Elements", 116, 92, Align::right, true},
                                        TableColumn{"Bytes", 116, 92, Align::right, true},
                                        TableColumn{"Meaning", 264, 120, Align::left, false, false, true}};
constexpr std::array tensor_columns{TableColumn{"Tensor", 346, 220, Align::left, true, false, true},
                                    TableColumn{"Stored shape", 120, 100, Align::right, true},
                                    TableColumn{"In symbols", 172, 150, Align::right, true, true},
                                    TableColumn{"Each", 100, 84, Align::right, true},
                                    TableColumn{"Copies", 60, 48, Align::right, true},
                                    TableColumn{"Total", 112, 100, Align::right, true}};

// What one frame of the panel works with.
struct Tables {
    const Ui& ui;
    const Session& session;
    Intents intents;

    const Counted& shown() const { return session.derived.shown; }
    const ModelGraph& graph() const { return session.derived.shown.graph; }
};

// The row of an activation also stands for the parameters that make it: selecting W_up shows where U comes from.
bool row_shows(const ModelGraph& graph, TensorIndex row, const Subject& subject) {
    const auto* tensor = std::get_if<TensorSubject>(&subject);
    if (!tensor) return false;
    if (graph.tensors[row].id == tensor->id) return true;
    const Node* node = graph.producer(row);
    return node && std::any_of(node->parameters.begin(), node->parameters.end(),
                               [&](TensorIndex parameter) { return graph.tensors[parameter].id == tensor->id; });
}

bool row_lit(const ModelGraph& graph, TensorIndex row, const Subject& subject) {
    return lights(subject, graph.tensors[row]) || row_shows(graph, row, subject);
}

// "Scores, 32 heads": one row stands for all heads of a layer, and for the whole batch.
std::string step_of(const Counted& shown, const ActivationRow& row, bool one_head) {
    const Tensor& tensor = shown.graph.tensors[row.tensor];
    std::string text(tensor.label);
    if (!one_head && in_head(shown.graph, tensor.block))
        text += ", " + std::to_string(row.in_layer / shown.input.batch) + " heads";
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
    std::array<char, 48> shape{};
    std::snprintf(shape.data(), shape.size(), "%lld × %lld", static_cast<long long>(activation.rows),
                  static_cast<long long>(activation.columns));
    row.swatch = swatch_of(to.ui.theme, tensor);
    row.name = tensor.id;
    row.cells = {TableCell{row.keep(step_of(to.shown(), activation, one_head))},
                 TableCell{tensor.symbol},
                 TableCell{row.keep(shape.data())},
                 TableCell{row.keep(count_text(sizes.elements))},
                 TableCell{row.keep(count_text(sizes.bytes))},
                 TableCell{row.keep(filled_in(tensor.meaning, to.shown().bindings))}};
    row.selected = row_shows(to.graph(), activation.tensor, to.session.view.selection);
    row.lit = row_lit(to.graph(), activation.tensor, to.session.view.hover);
}

bool stored_shows(const ModelGraph& graph, const StoredTensor& stored, const Subject& subject) {
    const auto* tensor = std::get_if<TensorSubject>(&subject);
    return tensor && std::any_of(stored.parts.begin(), stored.parts.end(),
                                 [&](TensorIndex part) { return graph.tensors[part].id == tensor->id; });
}

void fill_tensor(const Tables& to, const ParameterRow& parameter, TableRow& row) {
    const ModelGraph& graph = to.graph();
    const StoredTensor& stored = graph.stored[parameter.stored];
    const Tensor& first = graph.tensors[stored.parts.front()];
    row.swatch = swatch_of(to.ui.theme, first);
    row.name = first.id;
    row.cells = {TableCell{row.keep(name_in_layer(stored.name, "*"))},
                 TableCell{row.keep(stored_shape_text(stored.shape, to.shown().bindings))},
                 TableCell{row.keep(shape_in_symbols(stored.shape)), to.ui.theme.text_mid},
                 TableCell{row.keep(grouped(parameter.count))},
                 TableCell{row.keep(std::to_string(parameter.copies)), to.ui.theme.text_mid},
                 TableCell{row.keep(grouped(parameter.total))}};
    row.selected = stored_shows(graph, stored, to.session.view.selection);
    for (const TensorIndex part : stored.parts) row.lit = row.lit || lights(to.session.view.hover, graph.tensors[part]);
}

void fill_total(const Tables& to, TableRow& row) {
    const Parameters& parameters = to.shown().parameters;
    row.name = "total";
    row.strong = row.group = true;
    row.cells[0] = {"All parameters"};
    row.cells[5] = {row.keep(grouped(parameters.total))};
    row.selected = std::holds_alternative<TotalSubject>(to.session.view.selection);
    row.lit = std::holds_alternative<TotalSubject>(to.session.view.hover);
}

// One of the three: its columns, its rows, and what each row stands for.
class Page {
  public:
    Page(const Tables& to, BottomTab tab) : to_(to), tab_(tab) {}

    std::span<const TableColumn> columns() const {
        if (tab_ == BottomTab::tensors) return tensor_columns;
        return activation_columns;
    }
    int rows() const {
        if (tab_ == BottomTab::tensors) return static_cast<int>(to_.shown().parameters.tensors.size()) + 1;
        return static_cast<int>(activations().size());
    }
    void fill(int index, TableRow& row) const {
        const auto at = static_cast<std::size_t>(index);
        if (tab_ != BottomTab::tensors)
            fill_activation(to_, activations()[at], tab_ == BottomTab::head, row);
        else if (at < to_.shown().parameters.tensors.size())
            fill_tensor(to_, to_.shown().parameters.tensors[at], row);
        else
            fill_total(to_, row);
    }
    Subject subject(int index) const {
        const auto at = static_cast<std::size_t>(index);
        const ModelGraph& graph = to_.graph();
        if (tab_ != BottomTab::tensors) return TensorSubject{graph.tensors[activations()[at].tensor].id};
        if (at >= to_.shown().parameters.tensors.size()) return TotalSubject{};
        const StoredTensor& stored = graph.stored[to_.shown().parameters.tensors[at].stored];
        return TensorSubject{graph.tensors[stored.parts.front()].id};
    }
    // The first row that the selection marks; below 0 where none is.
    int selected() const {
        const Subject& selection = to_.session.view.selection;
        if (tab_ != BottomTab::tensors) {
            for (std::size_t i = 0; i < activations().size(); ++i)
                if (row_shows(to_.graph(), activations()[i].tensor, selection)) return static_cast<int>(i);
            return -1;
        }
        const auto& tensors = to_.shown().parameters.tensors;
        for (std::size_t i = 0; i < tensors.size(); ++i)
            if (stored_shows(to_.graph(), to_.graph().stored[tensors[i].stored], selection)) return static_cast<int>(i);
        return std::holds_alternative<TotalSubject>(selection) ? static_cast<int>(tensors.size()) : -1;
    }

  private:
    const std::vector<ActivationRow>& activations() const {
        return tab_ == BottomTab::head ? to_.shown().head : to_.shown().activations;
    }
    const Tables& to_;
    BottomTab tab_;
};

void copy_table(Tables& to, BottomTab tab) {
    to.intents.push_back(Copy{table_as_csv(to.shown(), tab), "the table (CSV)"});
}

std::string context_of(const Counted& shown, BottomTab tab, std::int64_t head) {
    const Input& input = shown.input;
    if (tab == BottomTab::tensors) return shown.architecture.name;
    std::string text = "Layer 0";
    if (tab == BottomTab::head) text += " · Head " + std::to_string(head);
    text += " · T = " + std::to_string(input.tokens) + " · B = " + std::to_string(input.batch);
    if (input.cached > 0) text += " · P = " + std::to_string(input.cached);
    return text + " · " + std::string(precision_name(input));
}

void draw_tabs(Tables& to, BottomTab tab) {
    const Ui& ui = to.ui;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, padding = ui.px(size::panel_padding);
    const float height = std::round(ui.px(size::tab_bar));
    ImGui::SetCursorScreenPos(ImVec2(start.x + padding, start.y));
    const std::size_t recorded = ui.recorder.all().size();
    const std::optional<int> chosen = tab_bar(ui, "tables.tab", tab_names, static_cast<int>(tab));
    for (std::size_t i = 0; i < bottom_tab_keys.size(); ++i) {
        const NamedRect& rect = ui.recorder.all()[recorded + i];
        const ImVec2 min = rect.min, max = rect.max;
        ui.recorder.record("tables.tab", bottom_tab_keys[i], min, max);
    }
    if (chosen) to.intents.push_back(ShowTab{static_cast<BottomTab>(*chosen)});

    const float side = ui.px(size::small_button), right = start.x + width - padding + ui.px(4);
    const ImVec2 mark(right - side, start.y + std::round((height - side) / 2));
    ImGui::SetCursorScreenPos(mark);
    IconButtonOptions options;
    options.side = size::small_button;
    if (icon_button(ui, "tables.copy", Icon::copy, "Copy the table as CSV", options)) copy_table(to, tab);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_text_in(list, ui.fonts.mono_caption, start, ImVec2(mark.x - ui.px(8), start.y + height), ui.theme.text_low,
                 context_of(to.shown(), tab, to.session.view.here.copy), Align::right);
    list.AddRectFilled(ImVec2(start.x, start.y + height), ImVec2(start.x + width, start.y + height + 1), ui.theme.line);
    place(start, ImVec2(width, height + 1));
}

// Where the selection came from: a press in this table leaves the scroll position as it is.
bool selection_is_news(const Tables& to, const TableResult& result, const Page& page, BottomTab tab) {
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID slot = ImGui::GetID("tables.selection");
    const auto mark = [&](const Subject& subject) {
        const std::string key = subject_key(subject);
        return static_cast<int>(ImGui::GetID(key.c_str()) + static_cast<ImGuiID>(tab));
    };
    const int now = mark(to.session.view.selection);
    const bool news = storage.GetInt(slot) != now;
    storage.SetInt(slot, result.clicked ? mark(page.subject(*result.clicked)) : now);
    return news;
}

// A right press copies the number (or the words) under the pointer.
void copy_cell(Tables& to, const Page& page, int index, float left, float width) {
    const Ui& ui = to.ui;
    const float bar = ImGui::GetStyle().ScrollbarSize, padding = ui.px(size::panel_padding);
    const auto edges = column_edges(page.columns(), width - padding - bar, ui.scale);
    const float x = ImGui::GetIO().MousePos.x - left - padding;
    std::size_t column = 0;
    while (column + 1 < page.columns().size() && x >= edges[column + 1]) ++column;
    TableRow row;
    page.fill(index, row);
    const std::string_view text = row.cells[column].text;
    if (!text.empty()) to.intents.push_back(Copy{std::string(text), std::string(text)});
}

}  // namespace

Intents draw_tables(const Ui& ui, const Session& session) {
    Tables to{ui, session, {}};
    const BottomTab tab = session.view.bottom_tab;
    draw_tabs(to, tab);
    const Page page(to, tab);
    TableOptions options;
    options.rows = page.rows();
    options.selected = page.selected();
    const float left = ImGui::GetCursorScreenPos().x, width = ImGui::GetContentRegionAvail().x;
    if (selection_is_news(to, {}, page, tab)) options.scroll_to = options.selected;
    const TableResult result =
        table(ui, "tables", page.columns(), options, [&](int index, TableRow& row) { page.fill(index, row); });
    if (result.hovered) {
        to.intents.push_back(Hover{page.subject(*result.hovered)});
        if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) copy_cell(to, page, *result.hovered, left, width);
    }
    if (result.clicked) {
        selection_is_news(to, result, page, tab);
        to.intents.push_back(Select{page.subject(*result.clicked)});
    }
    if (result.copy) copy_table(to, tab);
    return std::move(to.intents);
}

}  // namespace headcount
