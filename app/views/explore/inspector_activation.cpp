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

std::string product_text(std::int64_t one, std::int64_t copies) {
    return count_text(checked_multiply(one, copies));
}

std::string product_memory(std::int64_t elements, std::int64_t copies, Precision precision) {
    const std::optional<std::int64_t> all = checked_multiply(elements, copies);
    return memory_text(all ? bytes_of(*all, precision) : std::nullopt);
}

void draw_thumbnail(Inspector& to, const Tensor& tensor, const ActivationRow& row) {
    MatrixFigure view{.rows = row.rows, .columns = row.columns};
    view.label = tensor.symbol;
    view.swatch = swatch_of(to.ui.theme, tensor);
    view.height = 96;
    if (!matrix_view(to.ui, "inspector.matrix", view).thickened) return;
    gap(to.ui, 2);
    caption(to.ui, thickened_remark);
    gap(to.ui, 4);
}

// "/ 11.31", or "· 0.0833" where the model has a factor of its own.
std::string score_divisor(const Inspector& to) {
    if (const std::optional<double> scale = to.graph().own_score_factor())
        return *scale == 1 ? "" : "· " + factor_text(*scale);
    std::array<char, 32> root{};
    const std::int64_t under = to.graph().score_terms() * *to.bindings()[Symbol::head_dim];
    std::snprintf(root.data(), root.size(), "/ %.2f", std::sqrt(static_cast<double>(under)));
    return root.data();
}

// "4096 products, summed": what one number of the result costs.
void draw_one_cell(Inspector& to, const Node& node) {
    const std::optional<Product> product = product_of(node);
    if (!product) return;
    const std::int64_t inner = value_of(to.graph().tensors[product->left].shape[1], to.bindings());
    const std::int64_t sides = 1 + (node.op == Op::scores ? std::ssize(to.graph().distance_sides(node)) : 0);
    const std::string sum = std::to_string(sides * inner) + " products, summed";
    std::string quotient;
    if (node.op == Op::scores) {
        quotient = score_divisor(to);
    }
    const std::string all = quotient.empty() ? sum : sum + ", " + quotient;
    const bool fits = text_width(to.ui.fonts.mono, all) <= words_room(to);
    draw_words_row(to, "one cell", fits ? all : sum);
    if (!fits && !quotient.empty()) draw_words_row(to, "", quotient);
}

void draw_card(Inspector& to, const Tensor& tensor, const ActivationRow& row, const Node* node) {
    const Card card(to.ui, "inspector.formula");
    draw_shape_formula(to, tensor.shape, row.elements);
    if (node) draw_one_cell(to, *node);
    draw_rules(to, tensor.shape);
    const Tensor* before = to.base().graph.find(tensor.id);
    draw_change(to, before ? std::optional(elements_of(before->shape, to.base().bindings)) : std::nullopt,
                row.elements);
}

// How many there are: heads of a layer, layers, sequences. The wider view stands in the second column.
struct HowMany {
    std::string one, all;
    std::int64_t count;
};

HowMany how_many(const Inspector& to, const Tensor& tensor, const ActivationRow& row) {
    const std::int64_t batch = value_of(to.graph().batch_of(row.tensor), to.bindings());
    const std::string times = batch == 1 ? "" : std::to_string(batch) + " × ";
    const std::string each = "all " + times + std::to_string(row.in_layer / batch);
    if (to.graph().is(tensor.block, BlockKind::head)) return {"this head", each + " heads", row.in_layer};
    if (to.graph().is(tensor.block, BlockKind::expert)) return {"one expert", each + " of a token", row.in_layer};
    if (row.copies == 1) return {"this one", "", 1};
    if (const LayerGroup* const group = group_of(to.graph(), tensor.block))
        return {"this layer", "all " + times + layers_text(*group), row.copies};
    return {"this one", "all " + std::to_string(batch) + " sequences", batch};
}

void draw_costs(Inspector& to, const Tensor& tensor, const ActivationRow& row, const Node* node) {
    const std::int64_t elements = row.elements;
    const HowMany copies = how_many(to, tensor, row);
    std::vector<FactRow> facts{{"Numbers", grouped(elements), product_text(elements, copies.count)}};
    if (node && mask_over(to.graph(), *node)) {
        const std::int64_t seen = value_of(unmasked_twice(to.graph(), row.tensor), to.bindings()) / 2;
        facts.push_back({"Not masked", grouped(seen), product_text(seen, copies.count)});
    }
    const std::string precision = precision_text(row.kept);
    if (!tensor.view && tensor.role != Role::input) {
        facts.push_back({"Bytes in " + precision, grouped(row.bytes), product_text(row.bytes, copies.count)});
        facts.push_back({"Memory", bytes_text(row.bytes), product_memory(elements, copies.count, row.kept)});
        if (to.graph().is(tensor.block, BlockKind::head))
            facts.push_back({"In all layers", "", product_memory(elements, row.copies, row.kept)});
    }
    if (const std::optional<Expr> work = node ? work_formula(to.graph(), *node) : std::nullopt) {
        const auto one = static_cast<double>(value_of(*work, to.bindings()));
        facts.push_back({"Work", flop_text(one), flop_text(one * static_cast<double>(copies.count))});
    }
    draw_facts(to, "inspector.costs", {copies.one, copies.all, facts});
}

void draw_making(Inspector& to, const Tensor& tensor, const Node* node) {
    const Ui& ui = to.ui;
    section_title(ui, node ? "How it is made" : "What it is");
    if (node) draw_equation(to, *node);
    gap(ui, 8);
    const About meant(keys_in({tensor.meaning}));
    paragraph(ui, ui.fonts.table, ui.theme.text_mid, as_sentence(tensor.meaning, to.bindings()));
    if (tensor.role == Role::state) {
        gap(ui, 4);
        paragraph(ui, ui.fonts.table, ui.theme.text_mid,
                  "Kept for the next token of the text: the same size after any number of them.");
    }
    if (tensor.view) {
        gap(ui, 4);
        paragraph(ui, ui.fonts.table, ui.theme.text_mid, "Takes no memory of its own: it is part of a larger matrix.");
    }
    draw_cache_cost(to, tensor);
}

void draw_readers(Inspector& to, TensorIndex index) {
    const Ui& ui = to.ui;
    bool first = true;
    for (const Node& node : to.graph().nodes) {
        if (std::ranges::find(node.inputs, index) == node.inputs.end()) continue;
        if (first) {
            gap(ui, 10);
            caption(ui, "Read by");
        }
        first = false;
        const Tensor& made = to.graph().tensors[node.output];
        draw_subject_row(to, TensorSubject{made.id}, {swatch_of(ui.theme, made), made.label, made.symbol, {}});
    }
}

// How many columns of a projection, or rows of the output projection, one head has.
Expr columns_of_head(const Tensor& tensor) {
    const Expr& side = tensor.part == Part::attention_output ? tensor.shape[0] : tensor.shape[1];
    return side.right();  // behind the heads: h·d_h, h_kv·d_h, h·(d_n + d_v)
}

// The rows of a projection that belong to one head: [0:128, :] of q_proj, or its columns for the output projection.
void draw_head_parameters(Inspector& to, std::optional<std::size_t> layer) {
    const Ui& ui = to.ui;
    separator(ui, 12, 8);
    section_title(ui, "Parameters of head " + std::to_string(to.head()) + " in this layer");
    const std::int64_t group =
        std::max<std::int64_t>(1, *to.bindings()[Symbol::heads] / *to.bindings()[Symbol::kv_heads]);
    std::int64_t sum = 0;
    for (const Tensor& tensor : to.graph().tensors) {
        const std::optional<Expr> share = head_share(tensor);
        if (!share || to.graph().layer_of(tensor.block) != layer) continue;
        const bool output = tensor.part == Part::attention_output;
        const std::int64_t count = value_of(*share, to.bindings());
        sum += count;
        const bool shared = tensor.part == Part::key || tensor.part == Part::value;
        const std::int64_t size = value_of(columns_of_head(tensor), to.bindings());
        const std::int64_t from = (shared ? to.head() / group : to.head()) * size;
        const std::string range = std::to_string(from) + ":" + std::to_string(from + size);
        const std::string slice = std::string(tensor.symbol) + (output ? "[" + range + ", :]" : "[:, " + range + "]");
        draw_subject_row(to, TensorSubject{tensor.id},
                         {swatch_of(ui.theme, tensor), tensor.label, slice, grouped(count)});
    }
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(available_width(), std::round(ui.px(size::table_row)));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_text_in(list, ui.fonts.table, start, start + extent, ui.theme.text_mid, "Sum");
    draw_text_in(list, ui.fonts.mono_medium, start, start + extent, ui.theme.text_high, grouped(sum), Align::right);
    place(start, extent);
    if (!heads_share(to.shown())) return;
    const ImVec2 top = ImGui::GetCursorScreenPos() + ImVec2(0, ui.px(8));
    place(top, ImVec2(1, draw_sharing(to, top) - top.y));
}

}  // namespace

void inspect_activation(Inspector& to, TensorIndex index) {
    const Tensor& tensor = to.graph().tensors[index];
    const Ui& ui = to.ui;
    const Node* node = to.graph().producer(index);
    const ActivationRow row = row_of(to.shown(), index);
    const std::string_view kind = tensor.role == Role::input   ? "input"
                                  : tensor.role == Role::cache ? "cache"
                                  : tensor.role == Role::state ? "state"
                                                               : "activations";
    const std::string place = place_of(to.graph(), tensor.block, to.copies());
    const std::array chips{std::string_view(place), kind};
    draw_head(to, swatch_of(ui.theme, tensor), tensor.label, chips);
    gap(ui, 2);
    paragraph(
        ui, ui.fonts.table, ui.theme.text_low,
        tensor.role == Role::input ? "The text that goes in." : "Computed for every input, not stored in the file.");
    gap(ui, 12);
    const bool product = node && draw_product(to, *node);
    if (!product) draw_thumbnail(to, tensor, row);
    gap(ui, 8);
    draw_card(to, tensor, row, node);
    gap(ui, 8);
    draw_costs(to, tensor, row, node);
    separator(ui, 12, 8);
    draw_making(to, tensor, node);
    draw_readers(to, index);
    if (to.graph().is(tensor.block, BlockKind::head) && !is_recurrent(to.graph(), tensor.block))
        draw_head_parameters(to, to.graph().layer_of(tensor.block));
}

}  // namespace headcount
