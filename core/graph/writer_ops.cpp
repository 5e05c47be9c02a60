// Formulas of operations that have a notation of their own.
#include <string>

#include "core/graph/writer.hpp"

namespace headcount {

// Columns behind those that are taken from the same matrix before: "C[:, r_kv : r_kv + d_r]".
void FormulaWriter::write_columns(const Formula& formula) {
    write(formula.operands[0]);
    add("[:, ");
    if (node_.rule<ColumnRange>().by_layer) {
        const Expr& columns = graph_.tensors[node_.output].shape[1];
        add("(l−1)·", "(\\ell - 1) \\cdot ");
        add_size(columns);
        add(" : l·", " : \\ell \\cdot ");
        add_size(columns);
        return add("]");
    }
    add_size(formula.size);
    add(" : ");
    add_size(formula.size + graph_.tensors[node_.output].shape[1]);
    add("]");
}

// "Q[:, i·d_h : (i+1)·d_h]", with j where several query heads have the same; of a head's columns some "KV[:, head i, :
// d_n]".
void FormulaWriter::write_head(const Formula& formula) {
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

void FormulaWriter::write_heads(const Formula& formula) {
    add("concat_i(", "\\operatorname{concat}_{i}\\left(");
    write(formula.operands[0]);
    add(")", "\\right)");
}

void FormulaWriter::write_softmax(const Formula& formula) {
    const bool sink = formula.operands.size() > 1;
    if (latex_)
        add(sink ? "\\operatorname{softmax}\\left(\\left[" : "\\operatorname{softmax}\\left(");
    else
        add(sink ? "softmax([" : "softmax(");
    write(formula.operands[0]);
    const bool chosen = formula.operands[0].kind == Formula::Kind::where_chosen;
    if (!chosen && !node_.rule<Mask>().sees_all()) add(" + mask", " + \\mathrm{mask}");
    if (sink) {
        add(" | ", " \\mid ");
        add_tensor(formula.operands[1].tensor, latex_ ? "_{i}" : "_i");
        add("]", "\\right]");
    }
    add(")", "\\right)");
}

// "best k_x of (I + mask)"
void FormulaWriter::write_best(const Formula& formula) {
    add("best ", "\\text{best }");
    add_size(formula.size);
    add(" of (", "\\text{ of }\\left(");
    write(formula.operands[0]);
    add(" + mask)", " + \\mathrm{mask}\\right)");
}

// "2.5 · normalized(best k of sigmoid(R), chosen by sigmoid(R) + b_e in the best 4 of 8 groups)"
void FormulaWriter::write_chosen(const Formula& formula) {
    const auto& rule = node_.rule<Routing>();
    const auto words = [&](std::string_view text) {
        if (latex_)
            add("\\text{" + std::string(text) + "}");
        else
            add(text);
    };
    const auto scores = [&] {
        const bool rooted = rule.scores == RouterScores::root_softplus, each = rule.scores == RouterScores::sigmoid;
        if (!rooted && !each && rule.scores != RouterScores::softmax) return write(formula.operands[0]);
        if (rooted) add("√", "\\sqrt{");
        call(rooted ? "softplus" : each ? "sigmoid" : "softmax", {formula.operands[0]});
        if (rooted) add("", "}");
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
    words(rule.tabled ? "a table's " : "best ");
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
void FormulaWriter::write_state(const Formula& formula) {
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
    const auto& rule = node_.rule<StateRule>();
    const bool replaces = rule.replaces;
    const auto column = [&](std::size_t index) {
        add_tensor(formula.operands[index].tensor, latex_ ? "[t]^{\\top}" : "[t]^T");
    };
    earlier();
    add(" + ");
    column(0);
    times();
    if (rule.apart) {
        row(1);
        add(" − ", " - ");
        column(4);
        times();
        add("(", "\\left(");
        row(3);
        times();
        add("S_(t−1)", "S_{t-1}");
        return add(")", "\\right)");
    }
    if (formula.operands.size() < 4) return row(1);
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
void FormulaWriter::write_faded(const Formula& formula) {
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
void FormulaWriter::write_row_mean(const Formula& formula) {
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
void FormulaWriter::write_inserted(const Formula& formula) {
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

void FormulaWriter::write_over_experts(const Formula& formula) {
    add("Σ ", "\\sum_{e} ");
    if (formula.operands.size() > 1) {
        write(formula.operands[1], Binding::whole);
        add(" · ", " \\, ");
    }
    write(formula.operands[0], Binding::whole);
}

}  // namespace headcount
