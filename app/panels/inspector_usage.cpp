// Operations as equations: each kind of node written as a paper would.
#include "app/panels/inspector_usage.hpp"

#include <cmath>

#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

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
    append_text(runs, info(Field::norm).labels[static_cast<std::size_t>(to.shown().architecture.norm.kind)]);
    runs.push_back({"("});
    append_tensor(to, runs, node.inputs.front());
    runs.push_back({")"});
    for (const TensorIndex parameter : node.parameters) {
        const bool bias = to.graph().tensors[parameter].id.ends_with(".bias");
        runs.push_back({bias ? " + " : " ⊙ "});
        append_tensor(to, runs, parameter);
    }
}

// How many query heads share what this node takes: 1 for queries.
std::int64_t sharers(const Inspector& to, const Node& node) {
    const Part part = to.graph().tensors[node.output].part;
    const bool latent = to.shown().architecture.layer.attention.latent.has_value();
    if (node.op != Op::take_head || part == Part::query || latent) return 1;
    return *to.bindings()[Symbol::heads] / kv_heads(to.shown().architecture);
}

// Of latent attention's keys and values: each head has columns of both, and one key is added that all heads share.
void append_take_latent_head(const Inspector& to, Runs& runs, const Node& node) {
    const bool keys = node.inputs.size() > 1;
    if (keys) append_text(runs, "[");
    append_tensor(to, runs, node.inputs.front());
    append_text(runs, keys ? "[:, head i, : " : "[:, head i, ");
    append_formula(to, runs, Expr(Symbol::nope_dim), Written::symbols);
    append_text(runs, keys ? "]" : " :]");
    if (!keys) return;
    append_text(runs, " | ");
    append_tensor(to, runs, node.inputs.back());
    append_text(runs, "]");
}

void append_take_head(const Inspector& to, Runs& runs, const Node& node) {
    if (to.graph().tensors[node.inputs.front()].part == Part::latent_up) return append_take_latent_head(to, runs, node);
    const bool shared = sharers(to, node) > 1;
    append_tensor(to, runs, node.inputs.front());
    append_text(runs, shared ? "[:, j·" : "[:, i·");
    append_formula(to, runs, Expr(Symbol::head_dim), Written::symbols);
    append_text(runs, shared ? " : (j+1)·" : " : (i+1)·");
    append_formula(to, runs, Expr(Symbol::head_dim), Written::symbols);
    append_text(runs, "]");
}

void append_gate(const Inspector& to, Runs& runs, const Node& node) {
    append_text(runs, info(to.shown().architecture.layer.feed_forward.activation).function);
    runs.push_back({"("});
    append_tensor(to, runs, node.inputs.front());
    runs.push_back({")"});
    if (node.op != Op::gate) return;
    runs.push_back({" ⊙ "});
    append_tensor(to, runs, node.inputs.back());
}

void append_rows_of(const Inspector& to, Runs& runs, const Node& node) {
    const bool by_token = node.op == Op::embed;
    if (!by_token) {
        append_tensor(to, runs, node.inputs.front());
        append_text(runs, " + ");
    }
    append_tensor(to, runs, node.parameters.front());
    append_text(runs, by_token ? "[" : "[0 : ");
    if (by_token)
        append_tensor(to, runs, node.inputs.front());
    else
        append_formula(to, runs, Expr(Symbol::tokens), Written::symbols);
    append_text(runs, "]");
}

// The last W rows: those that later tokens still see.
void append_keep_window(const Inspector& to, Runs& runs, const Node& node) {
    append_tensor(to, runs, node.inputs.front());
    append_text(runs, "[−");
    append_formula(to, runs, Expr(Symbol::window), Written::symbols);
    append_text(runs, " :]");
}

// Columns behind those that are taken from the same matrix before: "C[:, r_kv : r_kv + d_r]".
void append_take_columns(const Inspector& to, Runs& runs, const Node& node) {
    const ModelGraph& graph = to.graph();
    Expr before = 0;
    for (const Node& other : graph.nodes) {
        if (&other == &node) break;
        const bool same = other.op == Op::take_columns && other.inputs == node.inputs;
        if (same) before = before + graph.tensors[other.output].shape[1];
    }
    append_tensor(to, runs, node.inputs.front());
    append_text(runs, "[:, ");
    append_formula(to, runs, before, Written::symbols);
    append_text(runs, " : ");
    append_formula(to, runs, before + graph.tensors[node.output].shape[1], Written::symbols);
    append_text(runs, "]");
}

void append_route(const Inspector& to, Runs& runs, const Node& node) {
    append_text(runs, "best ");
    append_formula(to, runs, Expr(Symbol::experts_per_token), Written::symbols);
    append_text(runs, node.parameters.empty() ? " of softmax(" : " of (softmax(");
    append_tensor(to, runs, node.inputs.front());
    append_text(runs, ")");
    for (const TensorIndex parameter : node.parameters) {
        append_text(runs, " + ");
        append_tensor(to, runs, parameter);
        append_text(runs, ")");
    }
}

// Inputs: the experts' output, the routing, and where there are shared experts their output and how much it counts.
void append_combine(const Inspector& to, Runs& runs, const Node& node) {
    append_text(runs, "Σ ");
    append_tensor(to, runs, node.inputs[1]);
    append_text(runs, " · ");
    append_tensor(to, runs, node.inputs[0], "_e");
    if (node.inputs.size() < 3) return;
    append_text(runs, " + ");
    if (node.inputs.size() > 3) {
        append_tensor(to, runs, node.inputs[3]);
        append_text(runs, " ⊙ ");
    }
    append_tensor(to, runs, node.inputs[2], "_s");
}

// A sink is one more column of scores, which takes its share of the row and is then dropped.
void append_softmax(const Inspector& to, Runs& runs, const Node& node) {
    append_text(runs, node.parameters.empty() ? "softmax(mask(" : "softmax([mask(");
    append_tensor(to, runs, node.inputs.front());
    append_text(runs, node.parameters.empty() ? "))" : ") | ");
    if (node.parameters.empty()) return;
    append_tensor(to, runs, node.parameters.front(), "_i");
    append_text(runs, "])");
}

void append_sum(const Inspector& to, Runs& runs, const Node& node) {
    for (const TensorIndex& input : node.inputs) {
        if (&input != &node.inputs.front()) append_text(runs, " + ");
        append_tensor(to, runs, input);
    }
}

void append_scores(const Inspector& to, Runs& runs, const Node& node) {
    append_tensor(to, runs, node.inputs[0]);
    append_text(runs, " · ");
    append_tensor(to, runs, node.inputs[1], "^T");
    append_text(runs, " / √");
    append_formula(to, runs, Expr(Symbol::head_dim), Written::symbols);
    if (to.shown().architecture.positions == Positions::alibi) append_text(runs, " + distances · slope");
}

// One input inside a function, or two with a sign between.
void append_inputs(const Inspector& to, Runs& runs, const Node& node, std::string_view before, std::string_view after) {
    append_text(runs, before);
    append_tensor(to, runs, node.inputs.front());
    append_text(runs, after);
    if (node.inputs.size() > 1) append_tensor(to, runs, node.inputs[1]);
}

void append_right_side(const Inspector& to, Runs& runs, const Node& node) {
    switch (node.op) {
        case Op::embed:
        case Op::add_positions:
            return append_rows_of(to, runs, node);
        case Op::norm:
            return append_norm(to, runs, node);
        case Op::linear:
            return append_linear(to, runs, node);
        case Op::rotate:
            return append_inputs(to, runs, node, "RoPE(", ")");
        case Op::append_cache:
            return append_inputs(to, runs, node, to.shown().input.cached > 0 ? "[earlier rows | " : "",
                                 to.shown().input.cached > 0 ? "]" : "");
        case Op::keep_window:
            return append_keep_window(to, runs, node);
        case Op::take_columns:
            return append_take_columns(to, runs, node);
        case Op::take_head:
            return append_take_head(to, runs, node);
        case Op::scores:
            return append_scores(to, runs, node);
        case Op::masked_softmax:
            return append_softmax(to, runs, node);
        case Op::mix:
            return append_inputs(to, runs, node, "", " · ");
        case Op::join_heads:
            for (const std::string_view piece : {"[O_1", " | O_2", " | … | ", "O_h]"})
                runs.push_back({std::string(piece)});
            return;
        case Op::activate:
        case Op::gate:
            return append_gate(to, runs, node);
        case Op::route:
            return append_route(to, runs, node);
        case Op::combine:
            return append_combine(to, runs, node);
        case Op::add:
            return append_sum(to, runs, node);
    }
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
    const std::string remark = remark_of(to, node);
    if (!remark.empty()) {
        gap(ui, 4);
        paragraph(ui, ui.fonts.table, ui.theme.text_mid, remark);
    }
}

}  // namespace headcount
