// Formulas as they are written.
#include <algorithm>
#include <utility>

#include "core/graph/writer.hpp"

namespace headcount {

namespace {
using Kind = Formula::Kind;
}

void FormulaWriter::add_tensor(TensorIndex tensor, std::string_view behind) {
    std::string symbol(graph_.tensors[tensor].symbol);
    if (graph_.reads_last_layer(node_, tensor))
        symbol = graph_.of_source(tensor) ? "X^(L_enc)" : "X^(L)";
    else if (graph_.reads_stream(node_, tensor))
        symbol = "X^(i)";
    pieces.push_back({.text = (latex_ ? latex_symbol(symbol) : symbol) + std::string(behind), .tensor = tensor});
}

void FormulaWriter::write(const Formula& formula, Binding around) {
    const bool bracketed = binding(formula) < around;
    if (bracketed) add("(", "\\left(");
    write_bare(formula);
    if (bracketed) add(")", "\\right)");
}

void FormulaWriter::add_words(std::string_view words) {
    const bool starts_line = words.size() > 1 && (words.front() == ' ');
    if (!pieces.empty() && !pieces.back().tensor && !pieces.back().size && !starts_line)
        pieces.back().text += words;
    else
        pieces.push_back({.text = std::string(words)});
}

void FormulaWriter::add_number(double value) {
    std::string text = number_text(value);
    const std::size_t power = text.find('e');
    if (latex_ && power != std::string::npos)
        text = (text.substr(0, power) == "1" ? "" : text.substr(0, power) + " \\cdot ") + "10^{" +
               std::to_string(std::stoi(text.substr(power + 1))) + "}";
    add(text);
}

void FormulaWriter::add_size(const Expr& size) {
    const std::string text = in_symbols(size);
    pieces.push_back({.text = latex_ ? latex_sizes(text) : text, .size = size});
}

FormulaWriter::Binding FormulaWriter::binding(const Formula& formula) const {
    switch (formula.kind) {
        case Kind::sum:
        case Kind::difference:
        case Kind::faded: return Binding::sums;
        case Kind::over: return latex_ ? Binding::whole : Binding::products;
        case Kind::times:
        case Kind::product:
        case Kind::read_state: return Binding::products;
        case Kind::over_experts:
        case Kind::over_heads: return Binding::products;
        case Kind::chosen: return node_.rule<Routing>().scaling != 1 ? Binding::products : Binding::whole;
        case Kind::size: return formula.size.is_leaf() ? Binding::whole : Binding::sums;
        default: return Binding::whole;
    }
}

void FormulaWriter::call(std::string_view name, const std::vector<Formula>& operands) {
    if (latex_)
        add(latex_function(name) + "\\left(");
    else
        add(std::string(name) + "(");
    for (const Formula& each : operands) {
        if (&each != &operands.front()) add(", ");
        write(each);
    }
    add(")", "\\right)");
}

void FormulaWriter::two(const Formula& formula, std::string_view text, std::string_view latex, Binding left,
                        Binding right) {
    write(formula.operands[0], left);
    add(text, latex);
    write(formula.operands[1], right);
}

void FormulaWriter::write_over(const Formula& formula) {
    if (!latex_) return two(formula, " / ", "", Binding::products, Binding::whole);
    add("\\frac{");
    write(formula.operands[0]);
    add("}{");
    write(formula.operands[1]);
    add("}");
}

// "clip(U, ±7)"
void FormulaWriter::write_within(const Formula& formula) {
    add("clip(", "\\operatorname{clip}\\left(");
    write(formula.operands[0]);
    add(", ±", ", \\pm ");
    write(formula.operands[1]);
    add(")", "\\right)");
}

void FormulaWriter::write_bare(const Formula& formula) {
    const std::vector<Formula>& of = formula.operands;
    switch (formula.kind) {
        case Kind::number: return add_number(formula.value);
        case Kind::size: return add_size(formula.size);
        case Kind::tensor: return add_tensor(formula.tensor);
        case Kind::query_position: return add("p");
        case Kind::key_position: return add("q");
        case Kind::slope: return add("m_i", "m_{i}");
        case Kind::layer_number: return add("l", "\\ell");
        case Kind::sum: return two(formula, " + ", " + ", Binding::sums, Binding::sums);
        case Kind::difference: return two(formula, " − ", " - ", Binding::sums, Binding::products);
        case Kind::times:
            return of[0].is_scalar() || of[1].is_scalar()
                       ? two(formula, " · ", " \\cdot ", Binding::products, Binding::products)
                       : two(formula, " ⊙ ", " \\odot ", Binding::products, Binding::products);
        case Kind::over: return write_over(formula);
        case Kind::square:
            add("", "{");
            write(of[0], Binding::whole);
            return add("²", "}^{2}");
        case Kind::root:
            add("√", "\\sqrt{");
            write(of[0], latex_ ? Binding::sums : Binding::whole);
            return add("", "}");
        case Kind::least: return call("min", of);
        case Kind::most: return call("max", of);
        case Kind::within: return write_within(formula);
        case Kind::function: return call(formula.function->name, of);
        case Kind::mean: return call("mean", of);
        case Kind::row_mean: return write_row_mean(formula);
        case Kind::variance: return call("var", of);
        case Kind::product:
            return two(formula, " · ", " \\, ", of[0].kind == Kind::times ? Binding::whole : Binding::products,
                       Binding::whole);
        case Kind::transposed:
            if (of[0].kind == Kind::tensor) return add_tensor(of[0].tensor, latex_ ? "^{\\top}" : "^T");
            write(of[0], Binding::whole);
            return add("^T", "^{\\top}");
        case Kind::rows_of:
            write(of[0], Binding::whole);
            add("[");
            write(of[1]);
            return add("]");
        case Kind::positions_of:
            write(of[0], Binding::whole);
            add("[");
            add_size(formula.size);
            add(" : ");
            add_size(formula.size + graph_.tensors[node_.output].shape[0]);
            return add("]");
        case Kind::columns: return write_columns(formula);
        case Kind::paired: return call("paired", of);
        case Kind::head_columns: return write_head(formula);
        case Kind::spread:
            write(of[0], Binding::whole);
            add(" ⊗ 1_(", " \\otimes 1_{");
            add_size(formula.size);
            return add(")", "}");
        case Kind::row_by_row: return call("flat", of);
        case Kind::beside:
            add("[");
            write(of[0]);
            add(" | ", " \\mid ");
            write(of[1]);
            return add("]");
        case Kind::behind_earlier:
            add("[earlier rows | ", "[\\text{earlier rows} \\mid ");
            write(of[0]);
            return add("]");
        case Kind::last_rows:
            write(of[0], Binding::whole);
            add("[−", "[-");
            write(Formula(formula.size), Binding::whole);
            return add(" :]");
        case Kind::heads: return write_heads(formula);
        case Kind::turned: return call("RoPE", of);
        case Kind::masked_softmax: return write_softmax(formula);
        case Kind::where_chosen:
            write(of[0]);
            add(" where ", " \\mid ");
            write(of[1]);
            return add(" = 1");
        case Kind::one_of_heads:
            write(of[0], Binding::whole);
            return formula.size == Expr(1) ? add("[:, j]") : add("[:, head j]", "[:, \\text{head } j]");
        case Kind::over_heads:
            add("Σ_j ", "\\sum_{j} ");
            return two(formula, " ⊙ ", " \\odot ", Binding::products, Binding::products);
        case Kind::best: return write_best(formula);
        case Kind::chosen: return write_chosen(formula);
        case Kind::over_experts: return write_over_experts(formula);
        case Kind::of_expert: add_tensor(of[0].tensor); return add("[e]");
        case Kind::distance:
            add_tensor(of[0].tensor);
            if (graph_.tensors[of[0].tensor].role == Role::parameter) return add("[β(q − p), i]", "[\\beta(q - p), i]");
            return add("[β(q − p)]", "[\\beta(q - p)]");
        case Kind::first_row: write(of[0], Binding::whole); return add("[0]");
        case Kind::inserted: return write_inserted(formula);
        case Kind::mixed_blocks: return call("mixed", of);
        case Kind::unfolded: return call("unfold", of);
        case Kind::convolved: return call("conv", of);
        case Kind::row_before: return add_tensor(of[0].tensor, latex_ ? "[t-1]" : "[t−1]");
        case Kind::weighed: return call("mean", of);
        case Kind::summed_up: return call("sums", of);
        case Kind::faded: return write_faded(formula);
        case Kind::written_state: return write_state(formula);
        case Kind::read_state:
            add_tensor(of[0].tensor, row_);
            add(" · ", " \\, ");
            if (node_.rule<StateRule>().read_first) return add_tensor(of[1].tensor, latex_ ? "_{t-1}" : "_(t−1)");
            return add_tensor(of[1].tensor, latex_ ? "_{t}" : "_t");
    }
}

std::vector<WrittenPiece> written(const ModelGraph& graph, const Equation& equation, Notation notation) {
    FormulaWriter writer(graph, *graph.producer(equation.left), notation);
    writer.add_tensor(equation.left);
    writer.add(" = ");
    writer.write(equation.right);
    return std::move(writer.pieces);
}

std::string written_text(const ModelGraph& graph, const Equation& equation, Notation notation) {
    std::string text;
    for (const WrittenPiece& piece : written(graph, equation, notation)) text += piece.text;
    return text;
}

}  // namespace headcount
