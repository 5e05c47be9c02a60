// A formula multiplied out into a sum of products, and a long sum written shortly.
#include "core/analysis/factored.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/checked.hpp"
#include "core/base/find.hpp"

namespace headcount {
namespace {

constexpr std::size_t most_summands = 400;

std::optional<Summands> multiplied(const Summands& left, const Summands& right) {
    if (left.size() * right.size() > most_summands) return std::nullopt;
    Summands all;
    for (const Summand& one : left)
        for (const Summand& other : right) {
            const std::optional<std::int64_t> times = checked_multiply(one.times, other.times);
            if (!times) return std::nullopt;
            Summand summand{*times, one.factors};
            summand.factors.insert(summand.factors.end(), other.factors.begin(), other.factors.end());
            all.push_back(std::move(summand));
        }
    return all;
}

}  // namespace

std::optional<Summands> multiplied_out(const Expr& expr, Differences differences) {
    const Expr::Kind kind = expr.kind();
    if (kind == Expr::Kind::integer) return Summands{{expr.integer(), {}}};
    const bool difference = kind == Expr::Kind::subtract && differences == Differences::taken_apart;
    if (kind != Expr::Kind::add && kind != Expr::Kind::multiply && !difference) return Summands{{1, {expr}}};
    std::optional<Summands> left = multiplied_out(expr.left(), differences);
    std::optional<Summands> right = multiplied_out(expr.right(), differences);
    if (!left || !right) return std::nullopt;
    if (kind == Expr::Kind::multiply) return multiplied(*left, *right);
    if (difference) right = multiplied(*right, {{-1, {}}});
    if (!right || left->size() + right->size() > most_summands) return std::nullopt;
    left->insert(left->end(), right->begin(), right->end());
    return left;
}

std::optional<Summands> collected(Summands all) {
    Summands kept;
    for (Summand& summand : all) {
        const auto same = std::ranges::find_if(kept, [&](const Summand& each) {
            return std::is_permutation(each.factors.begin(), each.factors.end(), summand.factors.begin(),
                                       summand.factors.end());
        });
        if (same == kept.end()) {
            kept.push_back(std::move(summand));
            continue;
        }
        const std::optional<std::int64_t> times = checked_add(same->times, summand.times);
        if (!times) return std::nullopt;
        same->times = *times;
    }
    std::erase_if(kept, [](const Summand& summand) { return summand.times == 0; });
    return kept;
}

Expr written(const Summand& summand) {
    Expr product = summand.times;
    for (const Expr& factor : summand.factors) product = std::move(product) * factor;
    return product;
}

Expr written(const Summands& sum) {
    Expr all;
    for (const Summand& summand : sum) all = std::move(all) + written(summand);
    return all;
}

namespace {

// People write the batch, the tokens and the layers first; what is no symbol comes last.
std::pair<int, std::string> place_of(const Expr& factor) {
    if (factor.kind() == Expr::Kind::subtract) return {-1, in_symbols(factor)};  // layers of one kind, mostly
    if (factor.kind() != Expr::Kind::symbol) return {100, in_symbols(factor)};
    const Symbol symbol = factor.symbol();
    const bool first = symbol == Symbol::batch || symbol == Symbol::tokens || symbol == Symbol::layers;
    const int before = symbol == Symbol::batch ? -3 : symbol == Symbol::tokens ? -2 : -1;
    return {first ? before : static_cast<int>(symbol), ""};
}

bool comes_before(const Expr& a, const Expr& b) { return place_of(a) < place_of(b); }

// Each product once, its factors in order; nothing where a number does not fit in 64 bits.
std::optional<Summands> in_order(Summands all) {
    for (Summand& summand : all) std::ranges::sort(summand.factors, comes_before);
    return collected(std::move(all));
}

// (L - 3)·d and 3·d are L·d: of layers of two kinds what both have. Whether two were joined so.
bool joined(Summands& all) {
    for (Summand& summand : all)
        for (std::size_t i = 0; i < summand.factors.size(); ++i) {
            const Expr factor = summand.factors[i];
            if (factor.kind() != Expr::Kind::subtract || factor.right().kind() != Expr::Kind::integer) continue;
            const std::optional<std::int64_t> times = checked_multiply(summand.times, factor.right().integer());
            std::vector<Expr> others = summand.factors;
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
            const auto rest = std::ranges::find_if(
                all, [&](const Summand& each) { return each.times == times && each.factors == others; });
            if (rest == all.end()) continue;
            summand.factors[i] = factor.left();
            all.erase(rest);
            return true;
        }
    return false;
}

bool has(const Summand& summand, const Expr& factor) { return contains(summand.factors, factor); }

// What all of them share is taken out of them.
Summand taken_out(Summands& all) {
    Summand shared{0, {}};
    for (const Summand& summand : all) shared.times = std::gcd(shared.times, summand.times);
    for (Summand& summand : all) summand.times /= shared.times;
    const std::vector<Expr> candidates = all.front().factors;
    for (const Expr& factor : candidates) {
        if (!std::ranges::all_of(all, [&](const Summand& summand) { return has(summand, factor); })) continue;
        for (Summand& summand : all) summand.factors.erase(std::ranges::find(summand.factors, factor));
        shared.factors.push_back(factor);
    }
    return shared;
}

// That most of them have, two at least.
std::optional<Expr> commonest(const Summands& all) {
    std::optional<Expr> best;
    std::ptrdiff_t most = 1;
    for (const Summand& summand : all)
        for (const Expr& factor : summand.factors) {
            const std::ptrdiff_t there =
                std::ranges::count_if(all, [&](const Summand& each) { return has(each, factor); });
            if (there < most || (there == most && (!best || !comes_before(factor, *best)))) continue;
            best = factor;
            most = there;
        }
    return best;
}

Expr bracketed(Summands all) {
    if (all.size() == 1) return written(all.front());
    const Summand shared = taken_out(all);
    const std::optional<Expr> factor = commonest(all);
    if (!factor) return written(shared) * written(all);
    Summands with, without;
    for (Summand& summand : all) (has(summand, *factor) ? with : without).push_back(std::move(summand));
    Expr sum = bracketed(std::move(with));
    if (!without.empty()) sum = std::move(sum) + bracketed(std::move(without));
    return written(shared) * std::move(sum);
}

// What stands for the other kinds where layers of one kind are counted: L - 3.
bool has_difference(const Expr& expr) {
    if (expr.is_leaf()) return false;
    return expr.kind() == Expr::Kind::subtract || has_difference(expr.left()) || has_difference(expr.right());
}

}  // namespace

Expr factored(const Expr& sum) {
    std::optional<Summands> summands = multiplied_out(sum, Differences::kept);
    if (summands) summands = in_order(*std::move(summands));
    while (summands && joined(*summands)) summands = in_order(*std::move(summands));
    if (!summands) return sum;
    return summands->empty() ? Expr(0) : bracketed(*std::move(summands));
}

std::string formula_text(const Expr& formula) {
    std::string text = in_symbols(formula);
    if (!has_difference(formula)) return text;
    std::string brief = in_symbols(factored(formula));
    return brief.size() < text.size() ? brief : text;
}

}  // namespace headcount
