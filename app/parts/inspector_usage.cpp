// How the model computes with a tensor: the equation, the shapes that meet in it, and what it leaves unsaid.
#include "app/parts/inspector_usage.hpp"

#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"

namespace headcount {
namespace {

// "(", the shape, ")", with one axis underlined.
void append_bracketed(const Inspector& to, Runs& runs, const Shape& shape, Written written, int underlined) {
    runs.push_back({"("});
    append_shape(to, runs, shape, written, underlined);
    runs.push_back({")"});
}

// Whether shapes stand on both sides of an equation, or one becomes another by picking, turning or joining.
bool computes(Op op) {
    return op == Op::linear || op == Op::scores || op == Op::mix || op == Op::gate || op == Op::add || op == Op::norm;
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
    } else if (node.op == Op::combine || node.op == Op::route || node.op == Op::masked_softmax) {
        append_bracketed(to, runs, graph.tensors[node.inputs.front()].shape, written, -1);
    } else {
        const std::string_view sign = node.op == Op::gate ? " ⊙ " : node.op == Op::take_head ? " | " : " + ";
        for (const TensorIndex& input : node.inputs) {
            if (&input != &node.inputs.front()) runs.push_back({std::string(sign)});
            append_bracketed(to, runs, graph.tensors[input].shape, written, -1);
        }
        for (const TensorIndex parameter : node.parameters) {
            runs.push_back({graph.tensors[parameter].id.ends_with(".bias") ? " + " : " ⊙ "});
            append_bracketed(to, runs, graph.tensors[parameter].shape, written, -1);
        }
    }
    runs.push_back({computes(node.op) ? " = " : " → "});
    append_shape(to, runs, output, written);
}

// Which columns a rotation turns, where it is not all of them.
std::string rotation_remark(const Inspector& to) {
    const Attention& attention = to.shown().architecture.layer.attention;
    const auto columns = [&](std::string_view which, std::int64_t turned) {
        return "Of each head's " + std::to_string(*to.bindings()[Symbol::head_dim]) + " columns the " +
               std::string(which) + " " + std::to_string(turned) + " are turned.";
    };
    if (attention.latent) return columns("last", attention.latent->rope_dim);
    return attention.rotary_dim ? columns("first", *attention.rotary_dim) : "";
}

// What the equation leaves unsaid.
std::string remark_of(const Inspector& to, const Node& node) {
    const std::int64_t shared = sharers(to, node);
    const Part part = to.graph().tensors[node.output].part;
    const QkNorm qk_norm = to.shown().architecture.layer.attention.qk_norm;
    if (node.op == Op::norm && (part == Part::query_norm || part == Part::key_norm) && qk_norm != QkNorm::across)
        return qk_norm == QkNorm::plain ? "Each head's columns are rescaled by themselves."
               : qk_norm == QkNorm::each_head
                   ? "Each head's columns are rescaled by themselves, with weights of its own."
                   : "Each head's columns are rescaled by themselves, all with the same "
                     "weights.";
    if (node.op == Op::norm)
        return "Each row is rescaled by itself; the parameters act on its channels, the same in every row.";
    if (node.op == Op::append_cache)
        return "Put below the rows of earlier tokens, for which it need not be computed again.";
    if (node.op == Op::linear && node.parameters.size() > 1) return "The same numbers are added to every row.";
    if (node.op == Op::rotate) return rotation_remark(to);
    if (node.op == Op::keep_window) return "What lies further back than the window is forgotten.";
    if (node.op == Op::route)
        return "How scores become weights differs from model to model; the shapes and counts are the same.";
    if (node.op == Op::combine) return "The sum runs over the experts that each token was sent to.";
    if (node.op == Op::masked_softmax && !node.parameters.empty())
        return "The sink's column takes its share of every row and is then dropped.";
    if (shared > 1) return "Query head i uses key/value head j: i / " + std::to_string(shared) + ", rounded down.";
    return "";
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
    const std::string remark = remark_of(to, node);
    if (!remark.empty()) {
        gap(ui, 4);
        paragraph(ui, ui.fonts.table, ui.theme.text_mid, remark);
    }
}

}  // namespace headcount
