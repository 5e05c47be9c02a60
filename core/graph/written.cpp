// Writes formulas: one walk over the tree for both notations, which differ in signs and brackets.
#include "core/graph/written.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/base/scripts.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

using Kind = Formula::Kind;

// How firmly a formula holds together: what is looser than its surroundings stands in brackets.
enum class Binding { sums, products, whole };

class Writer {
  public:
    Writer(const ModelGraph& graph, const Node& node, Notation notation)
        : graph_(graph), node_(node), latex_(notation == Notation::latex) {}

    std::vector<WrittenPiece> pieces;

    // What comes from outside of these layers is the residual stream: of the layer before, or of the last.
    void add_tensor(TensorIndex tensor, std::string_view behind = {}) {
        std::string symbol(graph_.tensors[tensor].symbol);
        if (graph_.reads_last_layer(node_, tensor))
            symbol = graph_.of_source(tensor) ? "X^(L_enc)" : "X^(L)";
        else if (graph_.reads_stream(node_, tensor))
            symbol = "X^(i)";
        pieces.push_back({.text = (latex_ ? latex_symbol(symbol) : symbol) + std::string(behind), .tensor = tensor});
    }
    void add(std::string_view text, std::string_view latex) { add_words(latex_ ? latex : text); }
    void add(std::string_view both) { add_words(both); }

    void write(const Formula& formula, Binding around = Binding::sums) {
        const bool bracketed = binding(formula) < around;
        if (bracketed) add("(", "\\left(");
        write_bare(formula);
        if (bracketed) add(")", "\\right)");
    }

  private:
    // Neighbours become one piece, but for those that a line may be broken before.
    void add_words(std::string_view words) {
        const bool starts_line = words.size() > 1 && (words.front() == ' ');
        if (!pieces.empty() && !pieces.back().tensor && !pieces.back().size && !starts_line)
            pieces.back().text += words;
        else
            pieces.push_back({.text = std::string(words)});
    }

    void add_number(double value) {
        std::string text = number_text(value);
        const std::size_t power = text.find('e');
        if (latex_ && power != std::string::npos)
            text = (text.substr(0, power) == "1" ? "" : text.substr(0, power) + " \\cdot ") + "10^{" +
                   std::to_string(std::stoi(text.substr(power + 1))) + "}";
        add(text);
    }

    void add_size(const Expr& size) {
        const std::string text = in_symbols(size);
        pieces.push_back({.text = latex_ ? latex_sizes(text) : text, .size = size});
    }

    Binding binding(const Formula& formula) const {
        switch (formula.kind) {
            case Kind::sum:
            case Kind::difference:
            case Kind::faded:
                return Binding::sums;
            case Kind::over:
                return latex_ ? Binding::whole : Binding::products;
            case Kind::times:
            case Kind::product:
            case Kind::read_state:
                return Binding::products;
            case Kind::over_experts:
                return Binding::products;
            case Kind::chosen:
                return node_.rule<Routing>().scaling != 1 ? Binding::products : Binding::whole;
            case Kind::size:
                return formula.size.kind() == Expr::Kind::symbol || formula.size.kind() == Expr::Kind::integer
                           ? Binding::whole
                           : Binding::sums;
            default:
                return Binding::whole;
        }
    }

    void call(std::string_view name, const std::vector<Formula>& operands) {
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

    void two(const Formula& formula, std::string_view text, std::string_view latex, Binding left, Binding right) {
        write(formula.operands[0], left);
        add(text, latex);
        write(formula.operands[1], right);
    }

    void write_bare(const Formula& formula);
    void write_over(const Formula& formula);
    void write_within(const Formula& formula);
    void write_columns(const Formula& formula);
    void write_head(const Formula& formula);
    void write_heads(const Formula& formula);
    void write_softmax(const Formula& formula);
    void write_chosen(const Formula& formula);
    void write_over_experts(const Formula& formula);
    void write_row_mean(const Formula& formula);
    void write_inserted(const Formula& formula);
    void write_state(const Formula& formula);
    void write_faded(const Formula& formula);

    const ModelGraph& graph_;
    const Node& node_;
    bool latex_;
    static constexpr std::string_view row_ = "[t]";
};

void Writer::write_over(const Formula& formula) {
    if (!latex_) return two(formula, " / ", "", Binding::products, Binding::whole);
    add("\\frac{");
    write(formula.operands[0]);
    add("}{");
    write(formula.operands[1]);
    add("}");
}

// "clip(U, ±7)"
void Writer::write_within(const Formula& formula) {
    add("clip(", "\\operatorname{clip}\\left(");
    write(formula.operands[0]);
    add(", ±", ", \\pm ");
    write(formula.operands[1]);
    add(")", "\\right)");
}

// Columns behind those that are taken from the same matrix before: "C[:, r_kv : r_kv + d_r]".
void Writer::write_columns(const Formula& formula) {
    write(formula.operands[0]);
    add("[:, ");
    add_size(formula.size);
    add(" : ");
    add_size(formula.size + graph_.tensors[node_.output].shape[1]);
    add("]");
}

// "Q[:, i·d_h : (i+1)·d_h]", with j where several query heads have the same; of a head's columns some "KV[:, head i, :
// d_n]".
void Writer::write_head(const Formula& formula) {
    const auto& rule = node_.rule<HeadRule>();
    const Tensor& made = graph_.tensors[node_.output];
    const std::string i = rule.share == Expr(1) ? "i" : "j";
    const std::string dot = latex_ ? " \\cdot " : "·";
    write(formula.operands[0]);
    if (rule.step == made.shape[1]) {
        if (rule.step == Expr(1)) return add("[:, " + i + "]");
        add("[:, " + i + dot);
        add_size(rule.step);
        add(" : (" + i + "+1)" + dot);
        add_size(rule.step);
    } else if (rule.first == Expr(0)) {
        add("[:, head " + i + ", : ", "[:, \\text{head } " + i + ", : ");
        add_size(rule.columns.value_or(rule.step));
    } else {
        add("[:, head " + i + ", ", "[:, \\text{head } " + i + ", ");
        add_size(rule.first);
        add(" :");
    }
    add("]");
}

void Writer::write_heads(const Formula& formula) {
    add("concat_i(", "\\operatorname{concat}_{i}\\left(");
    write(formula.operands[0]);
    add(")", "\\right)");
}

void Writer::write_softmax(const Formula& formula) {
    const bool sink = formula.operands.size() > 1;
    if (latex_)
        add(sink ? "\\operatorname{softmax}\\left(\\left[" : "\\operatorname{softmax}\\left(");
    else
        add(sink ? "softmax([" : "softmax(");
    write(formula.operands[0]);
    if (!node_.rule<Mask>().sees_all()) add(" + M");
    if (sink) {
        add(" | ", " \\mid ");
        add_tensor(formula.operands[1].tensor, latex_ ? "_{i}" : "_i");
        add("]", "\\right]");
    }
    add(")", "\\right)");
}

// "2.5 · normalized(best k of sigmoid(R), chosen by sigmoid(R) + b_e in the best 4 of 8 groups)"
void Writer::write_chosen(const Formula& formula) {
    const auto& rule = node_.rule<Routing>();
    const auto words = [&](std::string_view text) {
        if (latex_)
            add("\\text{" + std::string(text) + "}");
        else
            add(text);
    };
    const auto scores = [&] {
        const bool each = rule.scores == RouterScores::sigmoid;
        if (!each && rule.scores != RouterScores::softmax) return write(formula.operands[0]);
        call(each ? "sigmoid" : "softmax", {formula.operands[0]});
    };
    if (rule.scaling != 1) {
        add_number(rule.scaling);
        add(" · ", " \\cdot ");
    }
    std::vector<std::string> around;
    if (rule.normalized && rule.scores != RouterScores::softmax_of_chosen) around.emplace_back("normalized");
    if (rule.scores == RouterScores::softmax_of_chosen) around.emplace_back("softmax");
    if (rule.scores == RouterScores::softmax_of_close) around.emplace_back("share");
    if (rule.scores == RouterScores::sigmoid_of_chosen) around.emplace_back("sigmoid");
    for (const std::string& name : around)
        if (latex_)
            add("\\operatorname{" + name + "}\\left(");
        else
            add(name + "(");
    words("best ");
    add_size(formula.size);
    words(" of ");
    scores();
    if (formula.operands.size() > 1) {
        add(",");
        words(" chosen by ");
        scores();
        add(" + ");
        write(formula.operands[1]);
    }
    if (rule.groups > 1)
        words(" in the best " + std::to_string(rule.groups_used) + " of " + std::to_string(rule.groups) + " groups");
    for (std::size_t i = 0; i < around.size(); ++i) add(")", "\\right)");
}

// "α_i[t] · S_(t−1) + K_i[t]^T · (β_i[t] · (V_i[t] − α_i[t] · K_i[t] · S_(t−1)))"
void Writer::write_state(const Formula& formula) {
    const auto row = [&](std::size_t index) { add_tensor(formula.operands[index].tensor, row_); };
    const auto times = [&] { add(" · ", " \\, "); };
    // Each row of the state may fade by itself.
    const bool fixed = node_.rule<StateRule>().fading.has_value();
    const bool by_row = !fixed && !(graph_.tensors[formula.operands[2].tensor].shape[1] == Expr(1));
    const auto earlier = [&] {
        if (fixed)
            add("α", "\\alpha");
        else if (by_row)
            add_tensor(formula.operands[2].tensor, latex_ ? "[t]^{\\top}" : "[t]^T");
        else
            row(2);
        if (by_row)
            add(" ⊙ ", " \\odot ");
        else
            times();
        add("S_(t−1)", "S_{t-1}");
    };
    const bool replaces = node_.rule<StateRule>().replaces;
    earlier();
    add(" + ");
    add_tensor(formula.operands[0].tensor, latex_ ? "[t]^{\\top}" : "[t]^T");
    times();
    if (fixed) return row(1);
    add("(", "\\left(");
    row(3);
    times();
    if (replaces) add("(", "\\left(");
    row(1);
    if (replaces) {
        add(" − ", " - ");
        row(0);
        times();
        earlier();
        add(")", "\\right)");
    }
    add(")", "\\right)");
}

// "α[t] ⊙ H[t−1] + √(1 − α[t]²) ⊙ x_i[t]"
void Writer::write_faded(const Formula& formula) {
    const auto row = [&](std::size_t index) { add_tensor(formula.operands[index].tensor, row_); };
    row(0);
    add(" ⊙ ", " \\odot ");
    add_tensor(formula.operands[2].tensor, latex_ ? "[t-1]" : "[t−1]");
    add(" + √(1 − ", " + \\sqrt{1 - ");
    row(0);
    add("²) ⊙ ", "^{2}} \\odot ");
    row(1);
}

// "mean_t(X[n_c :])"
void Writer::write_row_mean(const Formula& formula) {
    const std::string some = formula.value == 0 ? "" : " < " + number_text(formula.value);
    add("mean_t" + some + "(", "\\operatorname{mean}_{t" + some + "}\\left(");
    write(formula.operands[0]);
    if (formula.size != Expr(0)) {
        add("[");
        add_size(formula.size);
        add(" :]");
    }
    add(")", "\\right)");
}

// "[x_cls; X_e]"; behind the first rows "[X[: n_c]; X_reg; X[n_c :]]".
void Writer::write_inserted(const Formula& formula) {
    const bool first = formula.size == Expr(0);
    const auto part = [&](std::string_view before, std::string_view behind) {
        write(formula.operands[0], Binding::whole);
        if (first) return;
        add("[" + std::string(before));
        add_size(formula.size);
        add(std::string(behind) + "]");
    };
    add("[");
    if (!first) part(": ", ""), add("; ", "; \\, ");
    for (std::size_t i = 1; i < formula.operands.size(); ++i) {
        write(formula.operands[i], Binding::whole);
        add("; ", "; \\, ");
    }
    part("", " :");
    add("]");
}

void Writer::write_over_experts(const Formula& formula) {
    add("Σ ", "\\sum_{e} ");
    if (formula.operands.size() > 1) {
        write(formula.operands[1], Binding::whole);
        add(" · ", " \\, ");
    }
    write(formula.operands[0], Binding::whole);
}

void Writer::write_bare(const Formula& formula) {
    const std::vector<Formula>& of = formula.operands;
    switch (formula.kind) {
        case Kind::number:
            return add_number(formula.value);
        case Kind::size:
            return add_size(formula.size);
        case Kind::tensor:
            return add_tensor(formula.tensor);
        case Kind::query_position:
            return add("p");
        case Kind::key_position:
            return add("q");
        case Kind::slope:
            return add("m_i", "m_{i}");
        case Kind::layer_number:
            return add("l", "\\ell");
        case Kind::sum:
            return two(formula, " + ", " + ", Binding::sums, Binding::sums);
        case Kind::difference:
            return two(formula, " − ", " - ", Binding::sums, Binding::products);
        case Kind::times:
            return of[0].is_scalar() || of[1].is_scalar()
                       ? two(formula, " · ", " \\cdot ", Binding::products, Binding::products)
                       : two(formula, " ⊙ ", " \\odot ", Binding::products, Binding::products);
        case Kind::over:
            return write_over(formula);
        case Kind::square:
            add("", "{");
            write(of[0], Binding::whole);
            return add("²", "}^{2}");
        case Kind::root:
            add("√", "\\sqrt{");
            write(of[0], latex_ ? Binding::sums : Binding::whole);
            return add("", "}");
        case Kind::least:
            return call("min", of);
        case Kind::most:
            return call("max", of);
        case Kind::within:
            return write_within(formula);
        case Kind::function:
            return call(formula.function->name, of);
        case Kind::mean:
            return call("mean", of);
        case Kind::row_mean:
            return write_row_mean(formula);
        case Kind::variance:
            return call("var", of);
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
            add_size(formula.size + Symbol::tokens);
            return add("]");
        case Kind::columns:
            return write_columns(formula);
        case Kind::paired:
            return call("paired", of);
        case Kind::head_columns:
            return write_head(formula);
        case Kind::spread:
            write(of[0], Binding::whole);
            add(" ⊗ 1_(", " \\otimes 1_{");
            add_size(formula.size);
            return add(")", "}");
        case Kind::row_by_row:
            return call("flat", of);
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
        case Kind::heads:
            return write_heads(formula);
        case Kind::turned:
            return call("RoPE", of);
        case Kind::masked_softmax:
            return write_softmax(formula);
        case Kind::chosen:
            return write_chosen(formula);
        case Kind::over_experts:
            return write_over_experts(formula);
        case Kind::distance:
            add_tensor(of[0].tensor);
            return add("[β(q − p), i]", "[\\beta(q - p), i]");
        case Kind::first_row:
            write(of[0], Binding::whole);
            return add("[0]");
        case Kind::inserted:
            return write_inserted(formula);
        case Kind::unfolded:
            return call("unfold", of);
        case Kind::convolved:
            return call("conv", of);
        case Kind::row_before:
            return add_tensor(of[0].tensor, latex_ ? "[t-1]" : "[t−1]");
        case Kind::weighed:
            return call("mean", of);
        case Kind::summed_up:
            return call("sums", of);
        case Kind::faded:
            return write_faded(formula);
        case Kind::written_state:
            return write_state(formula);
        case Kind::read_state:
            add_tensor(of[0].tensor, row_);
            add(" · ", " \\, ");
            return add_tensor(of[1].tensor, latex_ ? "_{t}" : "_t");
    }
}

}  // namespace

std::vector<WrittenPiece> written(const ModelGraph& graph, const Equation& equation, Notation notation) {
    Writer writer(graph, *graph.producer(equation.left), notation);
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
