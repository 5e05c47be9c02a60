// Operations as equations: each kind of node written as a paper would.
#include "app/parts/inspector_usage.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

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
    if (const std::optional<double> scale = to.graph().score_scale) {
        append_text(runs, " · " + factor_text(*scale));
    } else {
        append_text(runs, " / √");
        append_formula(to, runs, Expr(Symbol::head_dim), Written::symbols);
    }
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

}  // namespace headcount
