// What is free in a search where a person frees fields, and which of its answers are worth having.
#include <algorithm>
#include <numeric>
#include <set>

#include "core/analysis/solve.hpp"
#include "core/analysis/sweep.hpp"
#include "core/base/find.hpp"

namespace headcount {

std::int64_t friendly_multiple(Field field, std::int64_t value) {
    constexpr std::int64_t liked = 128;
    const bool width = field == Field::dim || field == Field::ffn_dim || field == Field::expert_dim ||
                       field == Field::shared_dim || field == Field::encoder_ffn_dim;
    const std::int64_t kept = kept_multiple(field, value);
    return width && value >= liked ? std::lcm(kept, liked) : kept;
}

std::vector<Freed> freed(const Architecture& arch, std::span<const Field> fields, bool friendly,
                         std::span<const Architecture> siblings) {
    const auto is_free = [&](Field field) { return contains(fields, field); };
    std::vector<Freed> all;
    for (const Field field : fields) {
        const std::int64_t value = field_number(arch, field).value_or(1);
        Freed& each =
            all.emplace_back(Freed{field, friendly ? friendly_multiple(field, value) : kept_multiple(field, value)});
        if (!friendly || field != Field::kv_heads) continue;
        std::set<std::int64_t> usual{value};
        for (const Architecture& sibling : siblings)
            if (const auto number = field_number(sibling, field)) usual.insert(*number);
        if (usual.size() > 1) each.listed.assign(usual.begin(), usual.end());
    }
    const Attention& attention = arch.layer.attention;
    if (friendly && is_free(Field::dim) && !is_free(Field::heads) && !is_free(Field::head_dim) &&
        all.size() < most_freed && attention.heads > 1 && !attention.head_dim && !attention.latent)
        all.push_back({.field = Field::heads, .follows = true});
    return all;
}

Metric metric_at(const Wish& wish, std::size_t place) {
    return place < wish.goals.size() ? wish.goals[place].metric : wish.shown[place - wish.goals.size()];
}

std::vector<std::size_t> front_of(const Wish& wish, std::span<const Answer> answers, std::size_t x, std::size_t y) {
    // The less the better.
    const auto cost = [&](std::size_t answer, std::size_t place) {
        const double figure = answers[answer].figures[place];
        return better_with_more(metric_at(wish, place)) ? -figure : figure;
    };
    std::vector<std::size_t> order(answers.size()), front;
    std::iota(order.begin(), order.end(), 0);
    // Of several that cost the same the first, which is the nearest to the wish.
    std::ranges::stable_sort(order, {}, [&](std::size_t each) { return std::pair(cost(each, x), cost(each, y)); });
    for (const std::size_t each : order)
        if (front.empty() || cost(each, y) < cost(front.back(), y)) front.push_back(each);
    if (better_with_more(metric_at(wish, x))) std::ranges::reverse(front);
    return front;
}

}  // namespace headcount
