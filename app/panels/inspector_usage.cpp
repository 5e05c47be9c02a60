// Operations as equations: each kind of node written as a paper would.
#include "app/panels/inspector_usage.hpp"

#include <cmath>

#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

std::string_view activation_name(Activation activation) {
    switch (activation) {
        case Activation::silu:
            return "SiLU";
        case Activation::gelu:
        case Activation::gelu_tanh:
            return "GELU";
        case Activation::relu:
            return "ReLU";
    }
    return "";
}

std::string_view norm_name(const Norm& norm) {
    return norm.kind == NormKind::rms ? "RMSNorm" : "LayerNorm";
}

// "(", the shape, ")", with one axis underlined.
void append_bracketed(const Inspector& to, Runs& runs, const Shape& shape, Written written, int underlined) {
    runs.push_back({"("});
    append_shape(to, runs, shape, written, underlined);
    runs.push_back({")"});
}

void append_linear(const Inspector& to, Runs& runs, const Node& node) {
    const bool tied = product_of(to.graph(), node)->transposed;
    append_tensor(to, runs, node.inputs.front());
    runs.push_back({" · "});
    append_tensor(to, runs, node.parameters.front(), tied ? "^T" : "");
    if (node.parameters.size() < 2) return;
    runs.push_back({" + "});
    append_tensor(to, runs, node.parameters.back());
}

void append_norm(const Inspector& to, Runs& runs, const Node& node) {
    append_text(runs, norm_name(to.shown().architecture.norm));
    runs.push_back({"("});
    append_tensor(to, runs, node.inputs.front());
    runs.push_back({")"});
    for (const TensorIndex parameter : node.parameters) {
        const bool bias = to.graph().tensors[parameter].id.ends_with(".bias");
        runs.push_back({bias ? " + " : " ⊙ "});
        append_tensor(to, runs, parameter);
    }
}

// Key/value heads are fewer than query heads where several share one.
void append_take_head(const Inspector& to, Runs& runs, const Node& node) {
    const Part part = to.graph().tensors[node.output].part;
    const std::int64_t shared = *to.bindings()[Symbol::heads] / kv_heads(to.shown().architecture);
    append_tensor(to, runs, node.inputs.front());
    if (part == Part::query || shared == 1) {
        append_text(runs, "[:, i·");
        append_formula(to, runs, Expr(Symbol::head_dim), Written::symbols);
        append_text(runs, " : (i + 1)·");
        append_formula(to, runs, Expr(Symbol::head_dim), Written::symbols);
        append_text(runs, "]");
        return;
    }
    append_text(runs, "[:, j·");
    append_formula(to, runs, Expr(Symbol::head_dim), Written::symbols);
    append_text(runs, " : (j + 1)·");
    append_formula(to, runs, Expr(Symbol::head_dim), Written::symbols);
    append_text(runs, "], j = i/" + std::to_string(shared) + " rounded down");
}

void append_gate(const Inspector& to, Runs& runs, const Node& node) {
    append_text(runs, activation_name(to.shown().architecture.layer.feed_forward.activation));
    runs.push_back({"("});
    append_tensor(to, runs, node.inputs.front());
    runs.push_back({")"});
    if (node.op != Op::gate) return;
    runs.push_back({" ⊙ "});
    append_tensor(to, runs, node.inputs.back());
}

void append_right_side(const Inspector& to, Runs& runs, const Node& node) {
    const auto input = [&](std::size_t index) { append_tensor(to, runs, node.inputs[index]); };
    const auto words = [&](std::string_view text) { append_text(runs, text); };
    switch (node.op) {
        case Op::embed:
            append_tensor(to, runs, node.parameters.front());
            words("[");
            input(0);
            words("]");
            break;
        case Op::add_positions:
            input(0);
            words(" + ");
            append_tensor(to, runs, node.parameters.front());
            words("[0 : ");
            append_formula(to, runs, Expr(Symbol::tokens), Written::symbols);
            words("]");
            break;
        case Op::norm:
            append_norm(to, runs, node);
            break;
        case Op::linear:
            append_linear(to, runs, node);
            break;
        case Op::rotate:
            words("RoPE(");
            input(0);
            words(")");
            break;
        case Op::append_cache:
            input(0);
            break;
        case Op::take_head:
            append_take_head(to, runs, node);
            break;
        case Op::scores:
            input(0);
            words(" · ");
            append_tensor(to, runs, node.inputs[1], "^T");
            words(" / √");
            append_formula(to, runs, Expr(Symbol::head_dim), Written::symbols);
            break;
        case Op::masked_softmax:
            words("softmax(mask(");
            input(0);
            words("))");
            break;
        case Op::mix:
            input(0);
            words(" · ");
            input(1);
            break;
        case Op::join_heads:
            words("[");
            runs.push_back({"O_1 "});
            words("| ");
            runs.push_back({"O_2 "});
            words("| … | ");
            runs.push_back({"O_h"});
            words("]");
            break;
        case Op::activate:
        case Op::gate:
            append_gate(to, runs, node);
            break;
        case Op::add:
            input(0);
            words(" + ");
            input(1);
            break;
    }
}

// The shapes that meet, in words where a row is looked up or repeated rather than multiplied.
void append_shapes(const Inspector& to, Runs& runs, const Node& node, Written written) {
    const ModelGraph& graph = to.graph();
    const Shape& output = graph.tensors[node.output].shape;
    if (const std::optional<Product> product = product_of(graph, node)) {
        append_bracketed(to, runs, graph.tensors[product->left].shape, written, 1);
        runs.push_back({" · "});
        const Shape& right = graph.tensors[product->right].shape;
        if (product->transposed)
            append_bracketed(to, runs, Shape{right[1], right[0]}, written, 0);
        else
            append_bracketed(to, runs, right, written, 0);
    } else if (node.op == Op::embed || node.op == Op::add_positions) {
        append_formula(to, runs, Expr(Symbol::tokens), written);
        append_text(runs, " rows of ");
        append_bracketed(to, runs, graph.tensors[node.parameters.front()].shape, written, -1);
    } else if (node.op == Op::join_heads) {
        append_formula(to, runs, Expr(Symbol::heads), written);
        append_text(runs, " times ");
        append_bracketed(to, runs, graph.tensors[node.inputs.front()].shape, written, -1);
    } else {
        append_bracketed(to, runs, graph.tensors[node.inputs.front()].shape, written, -1);
        for (const TensorIndex parameter : node.parameters) {
            runs.push_back({graph.tensors[parameter].id.ends_with(".bias") ? " + " : " ⊙ "});
            append_bracketed(to, runs, graph.tensors[parameter].shape, written, -1);
        }
    }
    runs.push_back({" = "});
    append_shape(to, runs, output, written);
}

// What the equation leaves unsaid.
std::string_view remark_of(const Node& node, bool bias) {
    switch (node.op) {
        case Op::norm:
            return "Each row is rescaled by itself; the parameters act on its channels, the same in every row.";
        case Op::linear:
            return bias ? "The same numbers are added to every row." : "";
        case Op::append_cache:
            return "Put below the rows of earlier tokens; here the cache starts empty.";
        default:
            return "";
    }
}

}  // namespace

std::optional<Product> product_of(const ModelGraph& graph, const Node& node) {
    if (node.op == Op::linear) {
        const TensorIndex weight = node.parameters.front();
        return Product{node.inputs.front(), weight, node.output, graph.tied_head == weight};
    }
    if (node.op == Op::scores) return Product{node.inputs[0], node.inputs[1], node.output, true};
    if (node.op == Op::mix) return Product{node.inputs[0], node.inputs[1], node.output, false};
    return std::nullopt;
}

Runs equation_of(const Inspector& to, const Node& node) {
    Runs runs;
    append_tensor(to, runs, node.output);
    runs.push_back({" = "});
    append_right_side(to, runs, node);
    return runs;
}

void draw_equation(Inspector& to, const Node& node) {
    const Ui& ui = to.ui;
    const IdScope scope(to.graph().tensors[node.output].id);
    draw_line(to, "inspector.equation", equation_of(to, node), ui.fonts.mono_body, ui.theme.text_high);
    Runs runs;
    for (const Written written : {Written::symbols, Written::values}) {
        runs.clear();
        append_shapes(to, runs, node, written);
        draw_line(to, "inspector.shapes", runs, ui.fonts.mono, ui.theme.text_mid);
    }
    const std::string_view remark = remark_of(node, node.parameters.size() > 1);
    if (!remark.empty()) {
        gap(ui, 4);
        paragraph(ui, ui.fonts.table, ui.theme.text_mid, remark);
    }
}

}  // namespace headcount
