// How the model computes with a tensor: the equation, the shapes that meet in it, and what it leaves unsaid.
#include "app/parts/inspector_usage.hpp"

#include <algorithm>

#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// Puts the pieces of a pattern: {0}, {1}, ... are the node's inputs, {w} and {b} its first and its last parameter, {s}
// the symbol; what stands behind a bar in one goes behind its name: {1|^T}.
void append_pattern(const Inspector& to, Runs& runs, const Node& node, std::string_view pattern,
                    Symbol symbol = Symbol::dim) {
    while (!pattern.empty()) {
        const std::size_t open = std::min(pattern.find('{'), pattern.size());
        append_text(runs, pattern.substr(0, open));
        if (open == pattern.size()) return;
        const std::size_t close = pattern.find('}', open);
        const char what = pattern[open + 1];
        const std::string_view after = pattern.substr(open + 2, close - open - 2);
        const std::string_view behind = after.substr(after.empty() ? 0 : 1);
        if (what == 's')
            append_formula(to, runs, Expr(symbol), Written::symbols);
        else if (what == 'w' || what == 'b')
            append_tensor(to, runs, what == 'w' ? node.parameters.front() : node.parameters.back(), behind);
        else
            append_tensor(to, runs, node.inputs[static_cast<std::size_t>(what - '0')], behind);
        pattern.remove_prefix(close + 1);
    }
}

void append_linear(const Inspector& to, Runs& runs, const Node& node) {
    append_pattern(to, runs, node, product_of(to.graph(), node)->transposed ? "{0} · {w|^T}" : "{0} · {w}");
    if (node.parameters.size() > 1) append_pattern(to, runs, node, " + {b}");
}

void append_norm(const Inspector& to, Runs& runs, const Node& node) {
    append_text(runs, info(Field::norm).labels[static_cast<std::size_t>(to.shown().architecture.norm.kind)]);
    append_pattern(to, runs, node, "({0})");
    for (const TensorIndex parameter : node.parameters) {
        append_text(runs, to.graph().tensors[parameter].id.ends_with(".bias") ? " + " : " ⊙ ");
        append_tensor(to, runs, parameter);
    }
}

void append_take_head(const Inspector& to, Runs& runs, const Node& node) {
    // Of latent attention's keys and values: each head has columns of both, and one key is added that all heads share.
    if (to.graph().tensors[node.inputs.front()].part == Part::latent_up) {
        const bool keys = node.inputs.size() > 1;
        append_pattern(to, runs, node, keys ? "[{0}[:, head i, : {s}]" : "{0}[:, head i, {s} :]", Symbol::nope_dim);
        if (keys) append_pattern(to, runs, node, " | {1}]");
        return;
    }
    const bool shared = sharers(to, node) > 1;
    append_pattern(to, runs, node, shared ? "{0}[:, j·{s} : (j+1)·{s}]" : "{0}[:, i·{s} : (i+1)·{s}]",
                   Symbol::head_dim);
}

void append_gate(const Inspector& to, Runs& runs, const Node& node) {
    append_text(runs, info(to.shown().architecture.layer.feed_forward.activation).function);
    append_pattern(to, runs, node, "({0})");
    if (node.op == Op::gate) append_pattern(to, runs, node, " ⊙ {1}");
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
    append_pattern(to, runs, node, "{0}[:, ");
    append_formula(to, runs, before, Written::symbols);
    append_text(runs, " : ");
    append_formula(to, runs, before + graph.tensors[node.output].shape[1], Written::symbols);
    append_text(runs, "]");
}

// Inputs: the experts' output, the routing, and where there are shared experts their output and how much it counts.
void append_combine(const Inspector& to, Runs& runs, const Node& node) {
    append_pattern(to, runs, node, "Σ {1} · {0|_e}");
    if (node.inputs.size() > 2)
        append_pattern(to, runs, node, node.inputs.size() > 3 ? " + {3} ⊙ {2|_s}" : " + {2|_s}");
}

void append_sum(const Inspector& to, Runs& runs, const Node& node) {
    for (const TensorIndex& input : node.inputs) {
        if (&input != &node.inputs.front()) append_text(runs, " + ");
        append_tensor(to, runs, input);
    }
}

void append_scores(const Inspector& to, Runs& runs, const Node& node) {
    const std::optional<double> scale = to.graph().score_scale;
    append_pattern(to, runs, node, "{0} · {1|^T}");
    append_pattern(to, runs, node, scale ? " · " + factor_text(*scale) : " / √{s}", Symbol::head_dim);
    if (to.shown().architecture.positions == Positions::alibi) append_text(runs, " + distances · slope");
}

void append_right_side(const Inspector& to, Runs& runs, const Node& node) {
    const bool plain = node.parameters.empty();
    switch (node.op) {
        case Op::embed:
            return append_pattern(to, runs, node, "{w}[{0}]");
        case Op::add_positions:
            return append_pattern(to, runs, node, "{0} + {w}[0 : {s}]", Symbol::tokens);
        case Op::norm:
            return append_norm(to, runs, node);
        case Op::linear:
            return append_linear(to, runs, node);
        case Op::rotate:
            return append_pattern(to, runs, node, "RoPE({0})");
        case Op::append_cache:
            return append_pattern(to, runs, node, to.shown().input.cached > 0 ? "[earlier rows | {0}]" : "{0}");
        case Op::keep_window:  // the last W rows: those that later tokens still see
            return append_pattern(to, runs, node, "{0}[−{s} :]", Symbol::window);
        case Op::take_columns:
            return append_take_columns(to, runs, node);
        case Op::take_head:
            return append_take_head(to, runs, node);
        case Op::scores:
            return append_scores(to, runs, node);
        case Op::masked_softmax:  // a sink is one more column of scores, which takes its share and is then dropped
            return append_pattern(to, runs, node, plain ? "softmax(mask({0}))" : "softmax([mask({0}) | {w|_i}])");
        case Op::mix:
            return append_pattern(to, runs, node, "{0} · {1}");
        case Op::join_heads:
            for (const std::string_view piece : {"[O_1", " | O_2", " | … | ", "O_h]"})
                runs.push_back({std::string(piece)});
            return;
        case Op::activate:
        case Op::gate:
            return append_gate(to, runs, node);
        case Op::route:
            return append_pattern(to, runs, node,
                                  plain ? "best {s} of softmax({0})" : "best {s} of (softmax({0}) + {w})",
                                  Symbol::experts_per_token);
        case Op::combine:
            return append_combine(to, runs, node);
        case Op::add:
            return append_sum(to, runs, node);
    }
}

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

std::int64_t sharers(const Inspector& to, const Node& node) {
    const Part part = to.graph().tensors[node.output].part;
    const bool latent = to.shown().architecture.layer.attention.latent.has_value();
    if (node.op != Op::take_head || part == Part::query || latent) return 1;
    return *to.bindings()[Symbol::heads] / kv_heads(to.shown().architecture);
}

Runs equation_of(const Inspector& to, const Node& node) {
    Runs runs;
    append_tensor(to, runs, node.output);
    runs.push_back({" = "});
    append_right_side(to, runs, node);
    return runs;
}

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
