// Expressions changed in one place.
#include "core/lesson/rewrite.hpp"

#include <functional>

#include "core/base/find.hpp"

namespace headcount {
namespace {

// The same operation on other operands; arithmetic leaves out what changes nothing.
Expr again(Expr::Kind kind, Expr left, Expr right) {
    switch (kind) {
        case Expr::Kind::add: return std::move(left) + std::move(right);
        case Expr::Kind::subtract: return std::move(left) - std::move(right);
        case Expr::Kind::multiply: return std::move(left) * std::move(right);
        case Expr::Kind::divide: return std::move(left) / std::move(right);
        case Expr::Kind::floor: return floor_of(std::move(left), std::move(right));
        default: return {kind, std::move(left), std::move(right)};
    }
}

// `change` is asked at every part, outermost first, and gives what stands in its place, if something does.
using Change = std::function<std::optional<Expr>(const Expr&)>;
Expr changed(const Expr& expr, const Change& change) {
    if (std::optional<Expr> other = change(expr)) return *other;
    if (expr.is_leaf()) return expr;
    return again(expr.kind(), changed(expr.left(), change), changed(expr.right(), change));
}

void visit(const Expr& expr, const std::function<void(const Expr&)>& seen) {
    seen(expr);
    if (expr.is_leaf()) return;
    visit(expr.left(), seen);
    visit(expr.right(), seen);
}

bool is_number(const Expr& expr, std::int64_t number) {
    return expr.kind() == Expr::Kind::integer && expr.integer() == number;
}

}  // namespace

std::vector<Symbol> symbols_in(const Expr& expr) {
    std::vector<Symbol> all;
    visit(expr, [&](const Expr& part) {
        if (part.kind() == Expr::Kind::symbol && !contains(all, part.symbol())) all.push_back(part.symbol());
    });
    return all;
}

Expr substituted(const Expr& expr, Symbol symbol, const Expr& by) {
    return changed(expr, [&](const Expr& part) -> std::optional<Expr> {
        if (part.kind() == Expr::Kind::symbol && part.symbol() == symbol) return by;
        return std::nullopt;
    });
}

std::vector<std::int64_t> number_factors(const Expr& expr) {
    std::vector<std::int64_t> all;
    visit(expr, [&](const Expr& part) {
        if (part.kind() != Expr::Kind::multiply) return;
        for (const Expr* side : {&part.left(), &part.right()})
            if (side->kind() == Expr::Kind::integer && side->integer() > 1 && !contains(all, side->integer()))
                all.push_back(side->integer());
    });
    return all;
}

Expr without_factor(const Expr& expr, std::int64_t factor) {
    return changed(expr, [&](const Expr& part) -> std::optional<Expr> {
        if (part.kind() != Expr::Kind::multiply) return std::nullopt;
        if (is_number(part.left(), factor)) return without_factor(part.right(), factor);
        if (is_number(part.right(), factor)) return without_factor(part.left(), factor);
        return std::nullopt;
    });
}

bool rounds_up(const Expr& expr) {
    bool found = false;
    visit(expr, [&](const Expr& part) { found = found || part.kind() == Expr::Kind::ceil_to; });
    return found;
}

Expr without_rounding(const Expr& expr) {
    return changed(expr, [&](const Expr& part) -> std::optional<Expr> {
        if (part.kind() != Expr::Kind::ceil_to) return std::nullopt;
        return without_rounding(part.left());
    });
}

}  // namespace headcount
