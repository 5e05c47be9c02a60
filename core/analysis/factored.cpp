// A long sum written shortly.
#include "core/analysis/factored.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/checked.hpp"

namespace headcount {
namespace {

// 2 · B · T · d: a number times symbols, or whole expressions that cannot be taken apart, in order.
struct Product {
    std::int64_t times = 1;
    std::vector<Expr> factors;
};
using Products = std::vector<Product>;

constexpr std::size_t most_products = 400;

// People write the batch, the tokens and the layers first; what is no symbol comes last.
std::pair<int, std::string> place_of(const Expr& factor) {
    if (factor.kind() == Expr::Kind::subtract) return {-1, in_symbols(factor)};  // layers of one kind, mostly
    if (factor.kind() != Expr::Kind::symbol) return {100, in_symbols(factor)};
    const Symbol symbol = factor.symbol();
    const bool first = symbol == Symbol::batch || symbol == Symbol::tokens || symbol == Symbol::layers;
    const int before = symbol == Symbol::batch ? -3 : symbol == Symbol::tokens ? -2 : -1;
    return {first ? before : static_cast<int>(symbol), ""};
}

bool comes_before(const Expr& a, const Expr& b) {
    return place_of(a) < place_of(b);
}

std::optional<Products> multiplied(const Products& left, const Products& right) {
    if (left.size() * right.size() > most_products) return std::nullopt;
    Products all;
    for (const Product& one : left)
        for (const Product& other : right) {
            const std::optional<std::int64_t> times = checked_multiply(one.times, other.times);
            if (!times) return std::nullopt;
            Product product{*times, one.factors};
            product.factors.insert(product.factors.end(), other.factors.begin(), other.factors.end());
            all.push_back(std::move(product));
        }
    return all;
}

std::optional<Products> multiplied_out(const Expr& expr) {
    if (expr.kind() == Expr::Kind::integer) return Products{{expr.integer(), {}}};
    if (expr.kind() != Expr::Kind::add && expr.kind() != Expr::Kind::multiply) return Products{{1, {expr}}};
    std::optional<Products> left = multiplied_out(expr.left()), right = multiplied_out(expr.right());
    if (!left || !right) return std::nullopt;
    if (expr.kind() == Expr::Kind::multiply) return multiplied(*left, *right);
    left->insert(left->end(), right->begin(), right->end());
    return left->size() > most_products ? std::nullopt : std::move(left);
}

// Nothing where the number of like products does not fit in 64 bits.
std::optional<Products> collected(Products all) {
    Products kept;
    for (Product& product : all) {
        std::sort(product.factors.begin(), product.factors.end(), comes_before);
        const auto same = std::find_if(kept.begin(), kept.end(),
                                       [&](const Product& each) { return each.factors == product.factors; });
        if (same == kept.end()) {
            kept.push_back(std::move(product));
            continue;
        }
        const std::optional<std::int64_t> times = checked_add(same->times, product.times);
        if (!times) return std::nullopt;
        same->times = *times;
    }
    std::erase_if(kept, [](const Product& product) { return product.times == 0; });
    return kept;
}

// (L - 3)·d and 3·d are L·d: of layers of two kinds what both have. Whether two were joined so.
bool joined(Products& all) {
    for (Product& product : all)
        for (std::size_t i = 0; i < product.factors.size(); ++i) {
            const Expr factor = product.factors[i];
            if (factor.kind() != Expr::Kind::subtract || factor.right().kind() != Expr::Kind::integer) continue;
            const std::optional<std::int64_t> times = checked_multiply(product.times, factor.right().integer());
            std::vector<Expr> others = product.factors;
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
            const auto rest = std::find_if(all.begin(), all.end(), [&](const Product& each) {
                return each.times == times && each.factors == others;
            });
            if (rest == all.end()) continue;
            product.factors[i] = factor.left();
            all.erase(rest);
            return true;
        }
    return false;
}

Expr written(const Product& product) {
    Expr all = product.times;
    for (const Expr& factor : product.factors) all = std::move(all) * factor;
    return all;
}

bool has(const Product& product, const Expr& factor) {
    return std::find(product.factors.begin(), product.factors.end(), factor) != product.factors.end();
}

// What all of them share is taken out of them.
Product taken_out(Products& all) {
    Product shared{0, {}};
    for (const Product& product : all) shared.times = std::gcd(shared.times, product.times);
    for (Product& product : all) product.times /= shared.times;
    const std::vector<Expr> candidates = all.front().factors;
    for (const Expr& factor : candidates) {
        if (!std::all_of(all.begin(), all.end(), [&](const Product& product) { return has(product, factor); }))
            continue;
        for (Product& product : all)
            product.factors.erase(std::find(product.factors.begin(), product.factors.end(), factor));
        shared.factors.push_back(factor);
    }
    return shared;
}

// That most of them have, two at least.
std::optional<Expr> commonest(const Products& all) {
    std::optional<Expr> best;
    std::ptrdiff_t most = 1;
    for (const Product& product : all)
        for (const Expr& factor : product.factors) {
            const std::ptrdiff_t there =
                std::count_if(all.begin(), all.end(), [&](const Product& each) { return has(each, factor); });
            if (there < most || (there == most && (!best || !comes_before(factor, *best)))) continue;
            best = factor;
            most = there;
        }
    return best;
}

Expr bracketed(Products all) {
    if (all.size() == 1) return written(all.front());
    const Product shared = taken_out(all);
    const std::optional<Expr> factor = commonest(all);
    Expr sum;
    if (!factor) {
        for (const Product& product : all) sum = std::move(sum) + written(product);
    } else {
        Products with, without;
        for (Product& product : all) (has(product, *factor) ? with : without).push_back(std::move(product));
        sum = bracketed(std::move(with));
        if (!without.empty()) sum = std::move(sum) + bracketed(std::move(without));
    }
    return written(shared) * std::move(sum);
}

}  // namespace

Expr factored(const Expr& sum) {
    std::optional<Products> products = multiplied_out(sum);
    if (products) products = collected(*std::move(products));
    while (products && joined(*products)) products = collected(*std::move(products));
    if (!products) return sum;
    return products->empty() ? Expr(0) : bracketed(*std::move(products));
}

}  // namespace headcount
