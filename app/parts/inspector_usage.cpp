// How the model computes with a tensor: the equation, the shapes that meet in it, and what it leaves unsaid.
#include "app/parts/inspector_usage.hpp"

#include <algorithm>

#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"

namespace headcount {
namespace {

// "(", the shape, ")", with one axis underlined.
void append_bracketed(const Inspector& inspector, Runs& runs, const Shape& shape, Written written, int underlined) {
    runs.push_back({"("});
    append_shape(inspector, runs, shape, written, underlined);
    runs.push_back({")"});
}

// Whether shapes stand on both sides of an equation, or one becomes another by picking, turning or joining.
bool computes(Op op) {
    return op == Op::linear || op == Op::scores || op == Op::mix || op == Op::gate || op == Op::add || op == Op::norm;
}

// The shapes that meet, in words where a row is looked up or repeated rather than multiplied.
void append_shapes(const Inspector& inspector, Runs& runs, const Node& node, Written written) {
    const ModelGraph& graph = inspector.graph();
    const Shape& output = graph.tensors[node.output].shape;
    if (const std::optional<Product> product = product_of(node)) {
        append_bracketed(inspector, runs, graph.tensors[product->left].shape, written, 1);
        runs.push_back({" · "});
        const Shape& right = graph.tensors[product->right].shape;
        if (product->transposed)
            append_bracketed(inspector, runs, Shape{right[1], right[0]}, written, 0);
        else
            append_bracketed(inspector, runs, right, written, 0);
    } else if (node.op == Op::embed || node.op == Op::add_positions || node.op == Op::add_types) {
        append_formula(inspector, runs, Expr(Symbol::tokens), written);
        append_text(runs, " rows of ");
        append_bracketed(inspector, runs, graph.tensors[node.parameters.front()].shape, written, -1);
    } else if (node.op == Op::join_heads) {
        append_formula(inspector, runs, graph.blocks[graph.tensors[node.inputs.front()].block].repeat, written);
        append_text(runs, " times ");
        append_bracketed(inspector, runs, graph.tensors[node.inputs.front()].shape, written, -1);
    } else if (node.op == Op::update_state || node.op == Op::read_state) {
        const bool writes = node.op == Op::update_state;
        const Shape& state = graph.tensors[writes ? node.output : node.inputs[1]].shape;
        append_formula(inspector, runs, Expr(Symbol::tokens), written);
        append_text(runs, " times ");
        append_bracketed(inspector, runs, writes ? Shape{state[0], 1} : Shape{1, state[0]}, written, 1);
        runs.push_back({" · "});
        append_bracketed(inspector, runs, writes ? Shape{1, state[1]} : state, written, 0);
    } else if (node.op == Op::convolve) {
        append_bracketed(inspector, runs, graph.tensors[node.inputs.front()].shape, written, -1);
        append_text(runs, " with ");
        append_bracketed(inspector, runs, graph.tensors[node.parameters.front()].shape, written, -1);
    } else if (node.op == Op::combine || node.op == Op::route || node.op == Op::masked_softmax) {
        append_bracketed(inspector, runs, graph.tensors[node.inputs.front()].shape, written, -1);
    } else {
        const std::string_view sign = node.op == Op::gate           ? " ⊙ "
                                      : node.op == Op::take_head    ? " | "
                                      : node.op == Op::index_scores ? " · "
                                                                    : " + ";
        for (const TensorIndex& input : node.inputs) {
            if (&input != &node.inputs.front()) runs.push_back({std::string(sign)});
            append_bracketed(inspector, runs, graph.tensors[input].shape, written, -1);
        }
        for (const TensorIndex parameter : node.parameters) {
            const bool added = graph.tensors[parameter].id.ends_with(".bias");
            if (!node.inputs.empty()) runs.push_back({added ? " + " : " ⊙ "});
            append_bracketed(inspector, runs, graph.tensors[parameter].shape, written, -1);
        }
    }
    runs.push_back({computes(node.op) ? " = " : " → "});
    append_shape(inspector, runs, output, written);
}

// What the equation leaves unsaid.
std::string remark_of(const Inspector& inspector, const Node& node) {
    const std::int64_t shared = sharers(inspector, node);
    if (node.op == Op::norm && !node.rule<NormRule>().group)
        return "Each row is rescaled by itself; the parameters act on its channels, the same in every row.";
    if (node.op == Op::append_cache)
        return "Put below the rows of earlier tokens, for which it need not be computed again.";
    if (node.op == Op::linear && node.parameters.size() > 1) return "The same numbers are added to every row.";
    if (node.op == Op::keep_window && inspector.graph().tensors[node.output].role == Role::state)
        return "The convolution of the next token reads no more than these.";
    if (node.op == Op::update_state) return "As large after any number of tokens: it has no row for each.";
    if (node.op == Op::keep_window) return "What lies further back than the window is forgotten.";
    if (shared > 1 && is_recurrent(inspector.graph(), node.block))
        return "Head i uses the queries and keys of group j: i / " + std::to_string(shared) + ", rounded down.";
    if (shared > 1) return "Query head i uses key/value head j: i / " + std::to_string(shared) + ", rounded down.";
    return "";
}

}  // namespace

std::int64_t sharers(const Inspector& inspector, const Node& node) {
    if (node.op != Op::take_head) return 1;
    return std::max<std::int64_t>(1, value_of(node.rule<HeadRule>().share, inspector.bindings()));
}

Runs equation_runs(const Inspector& inspector, const Equation& equation) {
    Runs runs;
    for (const WrittenPiece& piece : written(inspector.graph(), equation)) {
        if (piece.size) {
            append_formula(inspector, runs, *piece.size, Written::symbols);
        } else if (piece.tensor) {
            append_tensor(inspector, runs, *piece.tensor);
            runs.back().text = piece.text;
        } else {
            runs.push_back({piece.text});
        }
    }
    return runs;
}

std::optional<Product> product_of(const Node& node) {
    if (node.op == Op::linear) {
        const TensorIndex weight = node.parameters.front();
        return Product{node.inputs.front(), weight, node.output, node.rule<LinearRule>().transposed};
    }
    if (node.op == Op::scores) return Product{node.inputs[0], node.inputs[1], node.output, true};
    if (node.op == Op::mix) return Product{node.inputs[0], node.inputs[1], node.output, false};
    return std::nullopt;
}

void draw_equation(Inspector& inspector, const Node& node) {
    const Ui& ui = inspector.ui;
    const IdScope scope(inspector.graph().tensors[node.output].id);
    const Equation equation = equation_of(inspector.graph(), node);
    draw_line(inspector, "inspector.equation", equation_runs(inspector, equation), ui.fonts.mono_body,
              ui.theme.text_high);
    std::vector<std::string> keys{inspector.graph().tensors[node.output].id};
    for (const auto* const read : {&node.inputs, &node.parameters})
        for (const TensorIndex tensor : *read) keys.push_back(inspector.graph().tensors[tensor].id);
    const About about(keys);
    Runs runs;
    for (const Written written : {Written::symbols, Written::values}) {
        runs.clear();
        append_shapes(inspector, runs, node, written);
        draw_line(inspector, "inspector.shapes", runs, ui.fonts.mono, ui.theme.text_mid);
    }
    std::vector<std::string> remarks;
    if (inspector.graph().unread) remarks.push_back("Not sure: " + sentence(*inspector.graph().unread) + ".");
    for (const std::string& sentence : equation.where) remarks.push_back(sentence + ".");
    if (std::string remark = remark_of(inspector, node); !remark.empty()) remarks.push_back(std::move(remark));
    for (const std::string& remark : remarks) {
        gap(ui, 4);
        paragraph(ui, ui.fonts.table, ui.theme.text_mid, remark);
    }
}

}  // namespace headcount
