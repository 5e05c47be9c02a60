// A parameter: where the checkpoint keeps it, how many numbers it is and why, what it costs, how it is used.
#include <algorithm>

#include "app/panels/inspector_usage.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/matrix_view.hpp"
#include "app/ui/rich_text.hpp"
#include "core/analysis/work.hpp"
#include "core/base/text.hpp"
#include "core/analysis/checkpoint_names.hpp"

namespace headcount {
namespace {

std::optional<Symbol> symbol_of(const Expr& dimension) {
    if (dimension.kind() == Expr::Kind::symbol) return dimension.symbol();
    // Of a product, the factor with a slider of its own: h_kv of h_kv·d_h.
    if (dimension.kind() == Expr::Kind::multiply) return symbol_of(dimension.left());
    return std::nullopt;
}

// "stored as [11008, 4096]", or which part of which fused tensor it is.
void draw_stored(Inspector& to, TensorIndex index) {
    const ModelGraph& graph = to.graph();
    const StoredTensor* stored = stored_with(graph, index);
    if (!stored) return;
    const Ui& ui = to.ui;
    const bool fused = stored->parts.size() > 1;
    if (fused) caption(ui, "stored within");
    const std::string name = name_in_layer(stored->name, "0");
    if (copyable(ui, "inspector.copy", name, ui.fonts.mono, ui.theme.text_mid, true)) to.copy(name);
    std::string where = (fused ? "" : "stored as ") + stored_shape_text(stored->shape, to.bindings());
    if (fused) {
        const Shape& shape = graph.tensors[index].shape;
        const std::size_t last = shape.rank() - 1;
        const bool columns = stored->shape.rank() == 1 || stored->shape[0] == shape[0];
        std::int64_t from = 0;
        for (const TensorIndex part : stored->parts) {
            if (part == index) break;
            const Shape& before = graph.tensors[part].shape;
            from += value_of(before[before.rank() - 1], to.bindings());
        }
        const std::int64_t end = from + value_of(shape[last], to.bindings());
        const std::string_view kind = shape.rank() == 1 ? "numbers " : columns ? "columns " : "rows ";
        where = std::string(kind) + std::to_string(from) + " to " + std::to_string(end - 1) + " of " + where;
    }
    caption(ui, where);
}

// Where it is crowded from the right, a narrow matrix goes without its label, which would stand there.
void draw_thumbnail(Inspector& to, const Tensor& tensor, bool crowded) {
    const Ui& ui = to.ui;
    const bool vector = tensor.shape.rank() == 1;
    const std::size_t last = tensor.shape.rank() - 1;
    const std::int64_t rows = vector ? 1 : value_of(tensor.shape[0], to.bindings());
    const std::int64_t columns = value_of(tensor.shape[last], to.bindings());
    const std::string rows_text = std::to_string(rows), columns_text = std::to_string(columns);
    MatrixView view;
    view.rows = static_cast<double>(rows);
    view.columns = static_cast<double>(columns);
    view.rows_text = rows_text;
    view.columns_text = columns_text;
    if (!vector && (!crowded || columns * 2 > rows)) view.label = tensor.symbol;
    view.colour = part_colour(ui.theme, tensor.part);
    view.height = vector ? 44 : 124;
    std::string preset;
    if (const Tensor* before = to.base().graph.find(tensor.id); before && before->shape.rank() == tensor.shape.rank()) {
        const Bindings& bindings = to.base().bindings;
        const std::int64_t old_rows = vector ? 1 : value_of(before->shape[0], bindings);
        const std::int64_t old_columns = value_of(before->shape[last], bindings);
        if (old_rows != rows || old_columns != columns) {
            view.preset_rows = static_cast<double>(old_rows);
            view.preset_columns = static_cast<double>(old_columns);
            preset = std::string(origin_of(to)) + " " + std::to_string(old_columns != columns ? old_columns : old_rows);
            view.preset_text = preset;
        }
    }
    const auto lit = [&](const Expr& dimension, ImU32& colour) {
        const std::optional<Symbol> symbol = symbol_of(dimension);
        const std::optional<Field> field = symbol ? field_of(*symbol) : std::nullopt;
        const ImU32 hue = symbol ? symbol_colour(ui.theme, *symbol) : 0;
        colour = hue ? readable(ui.theme, hue) : ui.theme.text_high;
        return field && to.session.view.hover == Subject(*field);
    };
    if (!vector) view.rows_lit = lit(tensor.shape[0], view.rows_colour);
    view.columns_lit = lit(tensor.shape[last], view.columns_colour);
    const MatrixResult result = matrix_view(ui, "inspector.matrix", view);
    const auto follow = [&](const Expr& dimension, bool hovered, bool clicked) {
        const std::optional<Symbol> symbol = symbol_of(dimension);
        const std::optional<Field> field = symbol ? field_of(*symbol) : std::nullopt;
        if (field && hovered) to.point_at(*field, false);
        if (field && clicked) to.point_at(*field, true);
    };
    if (!vector) follow(tensor.shape[0], result.rows_hovered, result.rows_clicked);
    follow(tensor.shape[last], result.columns_hovered, result.columns_clicked);
}

// The thumbnail, and beside it how heads share where they do.
void draw_pictures(Inspector& to, const Tensor& tensor) {
    const bool shared = tensor.part == Part::query || tensor.part == Part::key || tensor.part == Part::value;
    const bool fan = shared && tensor.shape.rank() == 2 && heads_share(to.shown());
    if (!fan) return draw_thumbnail(to, tensor, false);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float taken = to.ui.px(sharing_width + 12), right = start.x + available_width();
    compat::narrow_content(taken);
    draw_thumbnail(to, tensor, true);
    compat::narrow_content(-taken);
    const float bottom = ImGui::GetCursorScreenPos().y;
    const float lower = draw_sharing(to, ImVec2(right - to.ui.px(sharing_width), start.y + to.ui.px(8)));
    place(start, ImVec2(1, std::max(bottom, lower + to.ui.px(4)) - start.y));
}

void draw_card(Inspector& to, const Tensor& tensor, const TensorCount& counts) {
    const Card card(to.ui, "inspector.formula");
    draw_shape_formula(to, tensor.shape, counts.one);
    if (counts.copies > 1)
        draw_words_row(to, std::to_string(counts.copies) + " layers",
                       "× " + std::to_string(counts.copies) + " = " + grouped(counts.all));
    draw_rules(to, tensor.shape);
    const Tensor* before = to.base().graph.find(tensor.id);
    draw_change(to, before ? std::optional(elements_of(before->shape, to.base().bindings)) : std::nullopt, counts.one);
}

void draw_costs(Inspector& to, TensorIndex index, const TensorCount& counts) {
    const Tensor& tensor = to.graph().tensors[index];
    const Input& input = to.shown().input;
    const std::int64_t total = to.shown().parameters.total;
    const auto one = bytes_of(counts.one, input.precision), all = bytes_of(counts.all, input.precision);
    const double work = work_of_parameter(to.graph(), index, to.bindings());
    const auto flops = [](double amount) { return amount > 0 ? flop_text(amount) : std::string("none"); };
    const std::array facts{
        Fact{"Share of the total", percent(counts.one, total), percent(counts.all, total)},
        Fact{"Memory in " + std::string(precision_name(input)), memory_text(one), memory_text(all)},
        Fact{"Bytes", count_text(one), count_text(all)},
        Fact{"Work for " + tokens_text(input), flops(work / static_cast<double>(counts.copies)), flops(work)}};
    const std::string heading = counts.copies > 1 ? "all " + std::to_string(counts.copies) + " layers" : "";
    FactTable table{"this one", heading, facts};
    table.share_one = static_cast<double>(counts.one) / static_cast<double>(total);
    table.share_all = static_cast<double>(counts.all) / static_cast<double>(total);
    table.colour = part_colour(to.ui.theme, tensor.part);
    draw_facts(to, "inspector.costs", table);
}

void draw_usage(Inspector& to, TensorIndex index) {
    const Ui& ui = to.ui;
    section_title(ui, "How it is used");
    for (const Node& node : to.graph().nodes) {
        if (std::find(node.parameters.begin(), node.parameters.end(), index) == node.parameters.end()) continue;
        draw_equation(to, node);
        gap(ui, 8);
    }
    const Tensor& tensor = to.graph().tensors[index];
    paragraph(ui, ui.fonts.table, ui.theme.text_mid, as_sentence(tensor.meaning, to.bindings()));
    if (to.graph().tied_head == index) {
        gap(ui, 8);
        paragraph(ui, ui.fonts.table, ui.theme.text_mid,
                  "Tied: the output head is this same tensor, transposed. The checkpoint stores it once, and it is "
                  "counted once.");
    }
    draw_cache_cost(to, tensor);
}

}  // namespace

void inspect_parameter(Inspector& to, TensorIndex index) {
    const Tensor& tensor = to.graph().tensors[index];
    const Ui& ui = to.ui;
    const std::string place = place_of(to.graph(), tensor.block, to.head());
    const std::array chips{std::string_view(place), std::string_view("parameters")};
    const bool bias = tensor.id.ends_with(".bias");
    const std::string label = std::string(tensor.label) + (bias ? ", bias" : "");
    draw_head(to, swatch_of(ui.theme, tensor), label, chips);
    gap(ui, 4);
    draw_stored(to, index);
    gap(ui, 12);
    draw_pictures(to, tensor);
    gap(ui, 8);
    const TensorCount counts = count_of(to.graph(), tensor, to.bindings());
    draw_card(to, tensor, counts);
    gap(ui, 8);
    draw_costs(to, index, counts);
    separator(ui, 12, 8);
    draw_usage(to, index);
}

}  // namespace headcount
