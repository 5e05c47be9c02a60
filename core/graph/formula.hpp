// A formula of tensors: a tree that is written (as text, in the window, as LaTeX) and evaluated for one cell from the
// same value, so that what is shown is what is computed. Matrices have one row a token; a vector stands for each row.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/expr.hpp"
#include "core/graph/attributes.hpp"

namespace headcount {

// A function of one number.
struct Function {
    std::string_view name;    // "GELU": as it is written, which several may share
    double (*apply)(double);  // what it makes
    std::string_view
        spreadsheet;  // "TANH($)": by what a spreadsheet makes it, $ in the number's place; empty: by nothing
};

struct Formula {
    enum class Kind {
        number,          // `value`
        size,            // `size`
        tensor,          // `tensor`
        query_position,  // p: of the row's token
        key_position,    // q: of the column's token
        slope,           // m_i: ALiBi's, of the head
        layer_number,    // l: the layer's, from 1
        sum,             // of both, cell by cell, as are
        difference,      //
        times,           //
        over,            //
        square,          //
        root,            //
        least,           // the smaller of both
        most,            // the larger
        within,          // between -b and b of the second
        function,        // of a number, or of each cell
        mean,            // of a row's cells, of each group of `size` columns
        row_mean,        // of a column's cells, from the row of `size` on; of the first `value` rows, or of all
        variance,        // the same
        product,         // of matrices: Σ over the `size` columns of the first
        transposed,
        rows_of,         // of a table, by the ids in the second
        positions_of,    // rows of a table, from the one of `size` on
        columns,         // as many as the node's output has, from `size` on
        paired,          // heads of `size` columns, beside each the one half as many further on
        head_columns,    // of this head, by the node's HeadRule
        spread,          // each column `size` times
        row_by_row,      // of a matrix, its rows of `size` columns behind one another
        beside,          // columns of the second behind the `size` of the first
        behind_earlier,  // rows behind those of earlier tokens
        last_rows,       // `size` at most
        heads,           // all of them side by side, `size` columns each
        turned,          // by position, by the node's Rotation
        masked_softmax,  // of each row, by the node's Mask; a second one is the head's sink
        where_chosen,    // of the first what the second has a 1 for; the rest counts for nothing
        one_of_heads,    // of heads side by side, `size` columns each, the one that a sum over heads has come to
        over_heads,      // Σ over `size` heads: the first times the second
        best,            // 1 at the `size` largest cells that a row sees by the node's Mask, 0 elsewhere
        chosen,          // the best experts' weights, by the node's Routing; a second one corrects the choice
        of_expert,       // of a number for each expert, that of the column's
        distance,        // the row for how far the key lies from the query, by the node's RelativeRule; of a parameter
                         // what the head adds
        first_row,       // alone
        inserted,        // rows of the second, and so on, before the row of `size` of the first
        unfolded,        // rows around each side by side, by the node's UnfoldRule
        convolved,       // each column over the last tokens, with the weights of the second, (K, columns)
        faded,           // what the first leaves of the third, the row before, and √(1 − its square) of the second
        row_before,      // nothing before the first
        weighed,         // mean of the second's rows so far, by the first's exponentials, which fade as the third says
        summed_up,       // the largest exponent in that mean after the last row, and both sums
        written_state,   // after a row's token: of keys, values, decays and strengths, or as the node's StateRule says
        read_state,      // by a row's query, from the state after its token, or before it
        mixed_blocks,    // of the `size` blocks of the first's columns, as much of each as the second says
        over_experts,    // Σ over a token's experts, of those that made the first, times how much the second says
    };
    Kind kind = Kind::number;
    std::vector<Formula> operands = {};
    double value = 0;
    Expr size = 0;
    TensorIndex tensor = 0;
    const Function* function = nullptr;

    Formula() = default;
    Formula(double number) : value(number) {}
    Formula(Expr number) : kind(Kind::size), size(std::move(number)) {}
    Formula(Kind which, std::vector<Formula> of, Expr number = 0)
        : kind(which), operands(std::move(of)), size(std::move(number)) {}

    static Formula of(TensorIndex tensor);
    static Formula of(const Function& function, Formula operand);

    // Whether it is one number and no matrix.
    bool is_scalar() const;
};

Formula operator+(Formula left, Formula right);
Formula operator-(Formula left, Formula right);
Formula operator*(Formula left, Formula right);  // cell by cell, or by a number
Formula operator/(Formula left, Formula right);

double sigmoid(double x);
double softplus(double x);  // log(1 + e^x)

namespace functions {
extern const Function sigmoid, tanh, softplus, exp, expm1, log, floor, bfloat16;
}
// Null of those that the equation of a node writes out: xIELU, which has trained numbers, and the linear one.
const Function* function_of(Activation activation);

// As it is written, to six figures: "10000", "0.0833333", "1e-05".
std::string number_text(double value);

}  // namespace headcount
