// An activation: its shape and size, how it is made, and what reads it. Computed for every input, never stored in a
// file.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/parts/hidden.hpp"
#include "app/parts/inspector_usage.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/matrix_view.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/explore/panels.hpp"
#include "core/analysis/arithmetic.hpp"
#include "core/analysis/memory.hpp"
#include "core/base/checked.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/graph/ops.hpp"

namespace headcount {
namespace {

// As counted; token ids, which are no number of the model, by hand.
ActivationRow row_of(const Counted& counted, TensorIndex index) {
    for (const auto* rows : {&counted.activations, &counted.head})
        for (const ActivationRow& row : *rows)
            if (row.tensor == index) return row;
    const std::int64_t elements = elements_of(counted.graph.tensors[index].shape, counted.bindings);
    const std::int64_t batch = counted.input.batch;
    const Precision kept = counted.input.computed();
    return {index, 1, elements, elements, bytes_of(elements, kept).value_or(0), batch, batch, kept};
}

std::string product_text(std::int64_t one, std::int64_t copies) { return count_text(checked_multiply(one, copies)); }

std::string product_memory(std::int64_t elements, std::int64_t copies, Precision precision) {
    const std::optional<std::int64_t> all = checked_multiply(elements, copies);
    return memory_text(all ? bytes_of(*all, precision) : std::nullopt);
}

void draw_thumbnail(Inspector& inspector, const Tensor& tensor, const ActivationRow& row) {
    MatrixFigure view{.rows = row.rows, .columns = row.columns};
    view.label = tensor.symbol;
    view.swatch = swatch_of(inspector.ui.theme, tensor);
    view.height = 96;
    if (!matrix_view(inspector.ui, "inspector.matrix", view).thickened) return;
    gap(inspector.ui, 2);
    caption(inspector.ui, thickened_remark);
    gap(inspector.ui, 4);
}

// "/ 11.31", or "· 0.0833" where the model has a factor of its own.
std::string score_divisor(const Inspector& inspector) {
    if (const std::optional<double> scale = inspector.graph().own_score_factor())
        return *scale == 1 ? "" : "· " + factor_text(*scale);
    std::array<char, 32> root{};
    const std::int64_t under = inspector.graph().score_terms() * *inspector.bindings()[Symbol::head_dim];
    std::snprintf(root.data(), root.size(), "/ %.2f", std::sqrt(static_cast<double>(under)));
    return root.data();
}

// "4096 products, summed": what one number of the result costs.
void draw_one_cell(Inspector& inspector, const Node& node) {
    const std::optional<Product> product = product_of(node);
    if (!product) return;
    const std::int64_t inner = value_of(inspector.graph().tensors[product->left].shape[1], inspector.bindings());
    const std::int64_t sides = 1 + (node.op == Op::scores ? std::ssize(inspector.graph().distance_sides(node)) : 0);
    const std::string sum = std::to_string(sides * inner) + " products, summed";
    std::string quotient;
    if (node.op == Op::scores) {
        quotient = score_divisor(inspector);
    }
    const std::string all = quotient.empty() ? sum : sum + ", " + quotient;
    const bool fits = text_width(inspector.ui.fonts.mono, all) <= words_room(inspector);
    draw_words_row(inspector, "one cell", fits ? all : sum);
    if (!fits && !quotient.empty()) draw_words_row(inspector, "", quotient);
}

void draw_card(Inspector& inspector, const Tensor& tensor, const ActivationRow& row, const Node* node) {
    const Card card(inspector.ui, "inspector.formula");
    draw_shape_formula(inspector, tensor.shape, row.elements);
    if (node) draw_one_cell(inspector, *node);
    draw_rules(inspector, tensor.shape);
    const Tensor* before = inspector.base().graph.find(tensor.id);
    draw_change(inspector, before ? std::optional(elements_of(before->shape, inspector.base().bindings)) : std::nullopt,
                row.elements);
}

// How many there are: heads of a layer, layers, sequences. The wider view stands in the second column.
struct HowMany {
    std::string one, all;
    std::int64_t count;
};

HowMany how_many(const Inspector& inspector, const Tensor& tensor, const ActivationRow& row) {
    const std::int64_t batch = value_of(inspector.graph().batch_of(row.tensor), inspector.bindings());
    const std::string times = batch == 1 ? "" : std::to_string(batch) + " × ";
    const std::string each = "all " + times + std::to_string(row.in_layer / batch);
    if (inspector.graph().is(tensor.block, BlockKind::head)) return {"this head", each + " heads", row.in_layer};
    if (inspector.graph().is(tensor.block, BlockKind::expert))
        return {"one expert", each + " of a token", row.in_layer};
    if (row.copies == 1) return {"this one", "", 1};
    if (const LayerGroup* const group = group_of(inspector.graph(), tensor.block))
        return {"this layer", "all " + times + layers_text(*group), row.copies};
    return {"this one", "all " + std::to_string(batch) + " sequences", batch};
}

void draw_costs(Inspector& inspector, const Tensor& tensor, const ActivationRow& row, const Node* node) {
    const std::int64_t elements = row.elements;
    const HowMany copies = how_many(inspector, tensor, row);
    std::vector<FactRow> facts{{"Numbers", grouped(elements), product_text(elements, copies.count)}};
    if (node && mask_over(inspector.graph(), *node)) {
        const std::int64_t seen = value_of(unmasked_twice(inspector.graph(), tensor), inspector.bindings()) / 2;
        facts.push_back({"Not masked", grouped(seen), product_text(seen, copies.count)});
    }
    const std::string precision = precision_text(row.kept);
    if (!tensor.view && tensor.role != Role::input) {
        facts.push_back({"Bytes in " + precision, grouped(row.bytes), product_text(row.bytes, copies.count)});
        facts.push_back({"Memory", bytes_text(row.bytes), product_memory(elements, copies.count, row.kept)});
        if (inspector.graph().is(tensor.block, BlockKind::head))
            facts.push_back({"In all layers", "", product_memory(elements, row.copies, row.kept)});
    }
    if (const std::optional<Expr> work = node ? work_formula(inspector.graph(), *node) : std::nullopt) {
        const auto one = static_cast<double>(value_of(*work, inspector.bindings()));
        facts.push_back({"Work", flop_text(one), flop_text(one * static_cast<double>(copies.count))});
    }
    draw_facts(inspector, "inspector.costs", {copies.one, copies.all, facts});
}

void draw_making(Inspector& inspector, const Tensor& tensor, const Node* node) {
    const Ui& ui = inspector.ui;
    section_title(ui, node ? "How it is made" : "What it is");
    if (node) draw_equation(inspector, *node);
    gap(ui, 8);
    const About meant(keys_in({tensor.meaning}));
    paragraph(ui, ui.fonts.table, ui.theme.text_mid, as_sentence(tensor.meaning, inspector.bindings()));
    if (tensor.role == Role::state) {
        gap(ui, 4);
        paragraph(ui, ui.fonts.table, ui.theme.text_mid,
                  "Kept for the next token of the text: the same size after any number of them.");
    }
    if (tensor.view) {
        gap(ui, 4);
        paragraph(ui, ui.fonts.table, ui.theme.text_mid, "Takes no memory of its own: it is part of a larger matrix.");
    }
    draw_cache_cost(inspector, tensor);
}

void draw_readers(Inspector& inspector, TensorIndex index) {
    const Ui& ui = inspector.ui;
    bool first = true;
    for (const Node& node : inspector.graph().nodes) {
        if (!contains(node.inputs, index)) continue;
        if (first) {
            gap(ui, 10);
            caption(ui, "Read by");
        }
        first = false;
        const Tensor& made = inspector.graph().tensors[node.output];
        draw_subject_row(inspector, TensorSubject{made.id}, {swatch_of(ui.theme, made), made.label, made.symbol, {}});
    }
}

// How many columns of a projection, or rows of the output projection, one head has.
Expr columns_of_head(const Tensor& tensor) {
    const Expr& side = tensor.part == Part::attention_output ? tensor.shape[0] : tensor.shape[1];
    return side.right();  // behind the heads: h·d_h, h_kv·d_h, h·(d_n + d_v)
}

// The rows of a projection that belong to one head: [0:128, :] of q_proj, or its columns for the output projection.
void draw_head_parameters(Inspector& inspector, std::optional<std::size_t> layer) {
    const Ui& ui = inspector.ui;
    separator(ui, 12, 8);
    section_title(ui, "Parameters of head " + std::to_string(inspector.head()) + " in this layer");
    const std::int64_t group =
        std::max<std::int64_t>(1, *inspector.bindings()[Symbol::heads] / *inspector.bindings()[Symbol::kv_heads]);
    std::int64_t sum = 0;
    for (const Tensor& tensor : inspector.graph().tensors) {
        const std::optional<Expr> share = head_share(tensor);
        if (!share || inspector.graph().layer_of(tensor.block) != layer) continue;
        const bool output = tensor.part == Part::attention_output;
        const std::int64_t count = value_of(*share, inspector.bindings());
        sum += count;
        const bool shared = tensor.part == Part::key || tensor.part == Part::value;
        const std::int64_t size = value_of(columns_of_head(tensor), inspector.bindings());
        const std::int64_t from = (shared ? inspector.head() / group : inspector.head()) * size;
        const std::string range = std::to_string(from) + ":" + std::to_string(from + size);
        const std::string slice = std::string(tensor.symbol) + (output ? "[" + range + ", :]" : "[:, " + range + "]");
        draw_subject_row(inspector, TensorSubject{tensor.id},
                         {swatch_of(ui.theme, tensor), tensor.label, slice, grouped(count)});
    }
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(available_width(), std::round(ui.px(size::table_row)));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_text_in(list, ui.fonts.table, start, start + extent, ui.theme.text_mid, "Sum");
    draw_text_in(list, ui.fonts.mono_medium, start, start + extent, ui.theme.text_high, grouped(sum), Align::right);
    place(start, extent);
    if (!heads_share(inspector.shown())) return;
    const ImVec2 top = ImGui::GetCursorScreenPos() + ImVec2(0, ui.px(8));
    place(top, ImVec2(1, draw_sharing(inspector, top) - top.y));
}

}  // namespace

void inspect_activation(Inspector& inspector, TensorIndex index) {
    const Tensor& tensor = inspector.graph().tensors[index];
    const Ui& ui = inspector.ui;
    const Node* node = inspector.graph().producer(index);
    const ActivationRow row = row_of(inspector.shown(), index);
    const std::string_view kind = tensor.role == Role::input   ? "input"
                                  : tensor.role == Role::cache ? "cache"
                                  : tensor.role == Role::state ? "state"
                                                               : "activations";
    const std::string place = place_of(inspector.graph(), tensor.block, inspector.copies());
    const std::array chips{std::string_view(place), kind};
    draw_head(inspector, swatch_of(ui.theme, tensor), tensor.label, chips);
    gap(ui, 2);
    paragraph(
        ui, ui.fonts.table, ui.theme.text_low,
        tensor.role == Role::input ? "The text that goes in." : "Computed for every input, not stored in the file.");
    gap(ui, 12);
    const bool product = node && draw_product(inspector, *node);
    if (!product) draw_thumbnail(inspector, tensor, row);
    gap(ui, 8);
    draw_card(inspector, tensor, row, node);
    gap(ui, 8);
    draw_costs(inspector, tensor, row, node);
    separator(ui, 12, 8);
    draw_making(inspector, tensor, node);
    draw_readers(inspector, index);
    if (inspector.graph().is(tensor.block, BlockKind::head) && !is_recurrent(inspector.graph(), tensor.block))
        draw_head_parameters(inspector, inspector.graph().layer_of(tensor.block));
}

}  // namespace headcount
