// What is right, as people write it, and the three lines behind it: in symbols, with numbers, the result. What is of
// another model is written in that model's symbols and numbers.
#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "core/base/text.hpp"
#include "core/worksheet/sheet.hpp"

namespace headcount {
namespace {

// Long formulas read better as a side in brackets.
std::string side(const Expr& expr) { return expr.is_leaf() ? in_symbols(expr) : "(" + in_symbols(expr) + ")"; }
std::string side(const Expr& expr, const Bindings& bindings) {
    return expr.is_leaf() ? in_numbers(expr, bindings) : "(" + in_numbers(expr, bindings) + ")";
}

// The first place of this number with the symbol in it.
Expr with_symbol(const Expr& expr, std::int64_t number, Symbol symbol, bool& done) {
    if (done || expr.kind() == Expr::Kind::symbol) return expr;
    if (expr.kind() == Expr::Kind::integer) {
        done = expr.integer() == number;
        return done ? Expr(symbol) : expr;
    }
    Expr left = with_symbol(expr.left(), number, symbol, done);
    Expr right = with_symbol(expr.right(), number, symbol, done);
    return {expr.kind(), std::move(left), std::move(right)};
}

// An answer with a symbol in place of each number of another model: one that its formula does not use.
struct WithElsewhere {
    Expr value;
    Bindings numbers;
    std::vector<Symbol> of;  // in the order of Resolved::elsewhere; shorter where no more were found in it

    WithElsewhere(const Resolved& resolved, const Bindings& own) : value(resolved.value), numbers(own) {
        for (const Elsewhere& each : resolved.elsewhere) {
            const std::optional<Symbol> symbol = unused();
            bool done = false;
            if (symbol) value = with_symbol(value, each.value, *symbol, done);
            if (!done) return;
            numbers.set(*symbol, each.value);
            of.push_back(*symbol);
        }
    }

    std::optional<Symbol> unused() const {
        for (const SymbolInfo& each : symbols())
            if (!uses(value, each.symbol)) return each.symbol;
        return std::nullopt;
    }
};

// The pieces joined, with what `elsewhere` says in place of a number of another model.
std::string joined(const std::vector<FormulaPiece>& pieces, const std::vector<Symbol>& of,
                   const std::function<std::string(std::size_t)>& elsewhere) {
    std::string text;
    for (const FormulaPiece& piece : pieces) {
        const auto found = piece.symbol ? std::ranges::find(of, *piece.symbol) : of.end();
        text += found == of.end() ? piece.text : elsewhere(static_cast<std::size_t>(found - of.begin()));
    }
    return text;
}

std::string symbols_line(const Resolved& resolved, const WithElsewhere& with) {
    const bool alone = with.value.is_leaf();
    return joined(pieces_in_symbols(with.value), with.of, [&](std::size_t i) {
        const Elsewhere& each = resolved.elsewhere[i];
        const std::string text = in_symbols(each.formula) + " in " + each.model->architecture.name;
        return alone ? text : "(" + text + ")";
    });
}

std::string numbers_line(const Resolved& resolved, const WithElsewhere& with) {
    const bool alone = with.value.is_leaf();
    return joined(pieces_in_numbers(with.value, with.numbers), with.of, [&](std::size_t i) {
        const Elsewhere& each = resolved.elsewhere[i];
        const Bindings& numbers = each.model->bindings;
        return alone ? in_numbers(each.formula, numbers) : side(each.formula, numbers);
    });
}

std::vector<std::string> shape_derivation(const SheetQuestion& question, const Blank& blank, const ShapeAnswer& shape) {
    const CountedModel& model = *question.model;
    std::string symbols = side(shape.rows) + " × " + side(shape.columns);
    const Expr rule = head_dim_rule(model.architecture);
    const bool head = uses(shape.rows, Symbol::head_dim) || uses(shape.columns, Symbol::head_dim);
    if (head && rule.kind() != Expr::Kind::integer) symbols += ", where d_h = " + in_symbols(rule);
    return {symbols, side(shape.rows, model.bindings) + " × " + side(shape.columns, model.bindings),
            right_answer(question, blank)};
}

std::string number_text(const Expr& expr, const CountedModel& model) {
    return std::to_string(*evaluate(expr, model.bindings));
}

}  // namespace

std::string letter(std::size_t place) { return std::string(1, static_cast<char>('a' + place)); }

std::string order_text(const std::vector<std::size_t>& order) {
    std::string text;
    for (const std::size_t place : order) text += (text.empty() ? "" : ", ") + letter(place);
    return text;
}

std::vector<std::size_t> order_as_shown(std::size_t steps) {
    std::vector<std::size_t> order(steps);
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
}

std::string right_answer(const SheetQuestion& question, const Blank& blank) {
    const CountedModel& model = *question.model;
    if (const auto* shape = std::get_if<ShapeAnswer>(&blank.answer))
        return number_text(shape->rows, model) + " × " + number_text(shape->columns, model);
    if (const auto* number = std::get_if<NumberAnswer>(&blank.answer)) {
        const std::int64_t value = *evaluate(number->resolved.value, model.bindings);
        if (number->formula) return in_symbols(number->resolved.value);
        if (number->resolved.bytes) return grouped(value) + " bytes (" + bytes_text(value) + ")";
        if (number->round == 3)
            return grouped(value) + " (" + short_count(value) + ")";  // short ones have three digits
        return grouped(value);
    }
    if (const auto* choice = std::get_if<ChoiceAnswer>(&blank.answer)) return letter(choice->right);
    if (const auto* order = std::get_if<OrderAnswer>(&blank.answer)) return order_text(order->right);
    if (const auto* select = std::get_if<SelectAnswer>(&blank.answer)) {
        const Tensor* const tensor = model.graph.find(select->ids.front());
        return tensor ? std::string(tensor->label) : select->ids.front();
    }
    if (const auto* experiment = std::get_if<ExperimentAnswer>(&blank.answer)) return experiment->parts;
    return std::get<TextAnswer>(blank.answer).model;
}

std::vector<std::string> derivation(const SheetQuestion& question, const Blank& blank) {
    if (const auto* shape = std::get_if<ShapeAnswer>(&blank.answer)) return shape_derivation(question, blank, *shape);
    const auto* number = std::get_if<NumberAnswer>(&blank.answer);
    if (!number) return {};
    const Bindings& own = question.model->bindings;
    const Resolved& resolved = number->resolved;
    std::string result = grouped(*evaluate(resolved.value, own));
    if (resolved.bytes) result += " bytes";
    if (resolved.elsewhere.empty()) return {in_symbols(resolved.value), in_numbers(resolved.value, own), result};
    const WithElsewhere with(resolved, own);
    return {symbols_line(resolved, with), numbers_line(resolved, with), result};
}

}  // namespace headcount
