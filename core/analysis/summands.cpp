// A formula multiplied out into a sum of products.
#include "core/analysis/summands.hpp"

#include <algorithm>
#include <utility>

#include "core/base/checked.hpp"

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
        const auto same = std::find_if(kept.begin(), kept.end(), [&](const Summand& each) {
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

}  // namespace headcount
