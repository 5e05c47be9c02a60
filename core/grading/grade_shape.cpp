// Answers that are shapes: each side by itself, and what else has these sides.
#include "core/grading/grade.hpp"
#include "core/grading/typed.hpp"

namespace headcount {
namespace {

struct ShapeGrader {
    const CountedModel& model;
    const Bindings& numbers = model.bindings;

    Grade operator()(const ShapeAnswer& right, std::string_view typed) const {
        const Result<TypedShape> read = typed_shape(typed);
        if (!read) return unreadable(read.error());
        const Result<std::int64_t> rows = evaluate(read->rows, numbers), columns = evaluate(read->columns, numbers);
        if (!rows) return unreadable(rows.error());
        if (!columns) return unreadable(columns.error());
        const std::int64_t right_rows = *evaluate(right.rows, numbers),
                           right_columns = *evaluate(right.columns, numbers);
        Grade grade;
        grade.given = std::to_string(*rows) + " × " + std::to_string(*columns);
        grade.rows_right = *rows == right_rows;
        grade.columns_right = *columns == right_columns;
        grade.verdict = grade.rows_right && grade.columns_right ? Outcome::right : Outcome::wrong;
        if (grade.verdict == Outcome::right) return grade;
        if (*rows == right_columns && *columns == right_rows) {
            grade.mistake = Mistake::swapped;
            grade.hint = "Rows and columns are swapped: " + swapped_rule(right);
            return grade;
        }
        if (!grade.rows_right) side(grade, "Rows", right.rows, *rows, grade.columns_right);
        if (!grade.columns_right) side(grade, "Columns", right.columns, *columns, grade.rows_right);
        const std::string other = shape_named(model, *rows, *columns, right.id);
        if (!other.empty() && grade.mistake != Mistake::all_heads) {
            grade.hint += " " + grade.given + " is " + other + ".";
            if (grade.mistake == Mistake::other) grade.mistake = Mistake::named;
        }
        return grade;
    }

    std::string swapped_rule(const ShapeAnswer& right) const {
        const Tensor* tensor = right.id.empty() ? nullptr : model.graph.find(right.id);
        if (tensor && tensor->role == Role::parameter)
            return "a matrix of weights is multiplied from the right, so it has one row for each number that comes in.";
        if (right.rows == right.columns) return "write rows first.";
        return "each row is one token, each column one number of it.";
    }

    void side(Grade& grade, std::string_view which, const Expr& right, std::int64_t number, bool other_right) const {
        const std::vector<Slip> slips = number_slips(model, {right, {}, false});
        const Slip* slip = slip_of(slips, number);
        grade.hint += std::string(grade.hint.empty() ? "" : " ") +
                      (other_right ? (which == "Rows" ? "Columns right. " : "Rows right. ") : "") + std::string(which) +
                      ": not yet. ";
        const std::string plain = std::to_string(number);
        if (slip)
            grade.hint += is_slip(plain, side_text(*slip, right));
        else
            grade.hint += plain + " is " + how_far(number, *evaluate(right, numbers)) + ".";
        if (grade.mistake == Mistake::none || grade.mistake == Mistake::other)
            grade.mistake = slip ? slip->mistake : Mistake::other;
    }

    // A side that is one symbol reads shorter: "the head size d_h, not the tokens".
    std::string side_text(const Slip& slip, const Expr& right) const {
        if (slip.mistake == Mistake::all_heads) {
            const Expr rule = head_dim_rule(model.architecture);
            const bool columns = right == Expr(Symbol::head_dim) && rule.kind() != Expr::Kind::integer;
            const std::string all = slip.text.substr(0, slip.text.find(';'));
            return columns ? all + "; one head has " + in_symbols(rule) + " columns" : slip.text;
        }
        if (slip.mistake == Mistake::factor || slip.mistake == Mistake::power) {
            const bool leaf = right.kind() == Expr::Kind::symbol;
            if (leaf) return how_far(slip.value, *evaluate(right, numbers));
        }
        return slip.text;
    }
};

}  // namespace

Grade grade_shape(const CountedModel& model, const ShapeAnswer& right, std::string_view typed) {
    const ShapeGrader grader{model};
    Grade first = grader(right, typed);
    if (first.verdict == Outcome::right) return first;
    for (const OtherReading& other : other_readings(typed, false, model.bindings))
        if (Grade grade = grader(right, other.text); grade.verdict == Outcome::right) return grade;
    return first;
}

}  // namespace headcount
