// Takes what one matrix makes of queries, keys and values apart.
#include <algorithm>
#include <array>
#include <optional>

#include "core/diagnose/links.hpp"
#include "core/diagnose/named.hpp"

namespace headcount {
namespace {

// Queries, keys and values of the layer that is named, in the stack and of the attention that is; absent where one is
// not there.
std::optional<std::array<std::size_t, 3>> projected(std::span<const Site> places, const Named& name) {
    std::array<std::size_t, 3> found{};
    const bool two_stacks = std::ranges::any_of(places, &Site::of_encoder);
    constexpr std::array<std::string_view, 3> endings{"attention.queries", "attention.keys", "attention.values"};
    for (std::size_t i = 0; i < endings.size(); ++i) {
        const auto place = std::ranges::find_if(places, [&](const Site& each) {
            const bool stack = !two_stacks || each.of_encoder == name.encoder.value_or(each.of_encoder);
            return stack && each.in_layer == name.layer && each.across == says_across(name) &&
                   each.name.ends_with(endings[i]);
        });
        if (place == places.end()) return std::nullopt;
        found[i] = static_cast<std::size_t>(place - places.begin());
    }
    return found;
}

// Of a row of all three the columns of one, in heads of so many columns: one after the other, or head by head.
std::vector<float> taken_apart(const TheirTensor& theirs, std::int64_t rows, std::int64_t all, std::int64_t first,
                               std::int64_t columns, std::int64_t head) {
    std::vector<float> made;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t i = 0; i < columns; ++i) {
            const std::int64_t at = head > 0 ? (i / head * 3 + first / columns) * head + i % head : first + i;
            made.push_back(theirs.numbers[static_cast<std::size_t>(row * all + at)]);
        }
    return made;
}

}  // namespace

std::vector<TheirTensor> with_fused_apart(std::span<const TheirTensor> theirs, std::span<const Site> places,
                                          std::span<const std::vector<float>> numbers) {
    constexpr std::array<std::string_view, 3> parts{"queries", "keys", "values"};
    const std::vector<Named> names = named_together(theirs, places);
    std::vector<TheirTensor> all;
    for (std::size_t index = 0; index < theirs.size(); ++index) {
        const TheirTensor& each = theirs[index];
        const Named& name = names[index];
        const bool fused = says(name, "c attn|qkv|qkv proj|query key value|in proj|wqkv|w qkv|fused");
        const auto found = fused && name.layer ? projected(places, name) : std::nullopt;
        const std::int64_t rows = found ? places[(*found)[0]].rows : 0;
        std::int64_t sum = 0;
        for (std::size_t i = 0; found && i < parts.size(); ++i) sum += places[(*found)[i]].columns;
        if (!found || each.shape.empty() || each.shape.back() != sum || std::ssize(each.numbers) != rows * sum) {
            all.push_back(each);
            continue;
        }
        const Site& queries = places[(*found)[0]];
        const auto made = [&](std::size_t i, std::int64_t head) {
            std::int64_t first = 0;
            for (std::size_t before = 0; before < i; ++before) first += places[(*found)[before]].columns;
            const std::int64_t columns = places[(*found)[i]].columns;
            return TheirTensor{.name = each.name + " (" + std::string(parts[i]) + ")",
                               .shape = {rows, columns},
                               .numbers = taken_apart(each, rows, sum, first, columns, head),
                               .tolerance = each.tolerance,
                               .fused = true};
        };
        const auto apart = [&](std::int64_t head) {
            return difference(made(0, head), Lie::plain, queries, numbers[(*found)[0]]);
        };
        // Head by head they can stand only where there are as many of each.
        const bool alike = queries.head_columns > 0 && std::ranges::all_of(*found, [&](std::size_t place) {
                               return places[place].columns == queries.columns;
                           });
        const std::int64_t head = alike && apart(queries.head_columns) < apart(0) ? queries.head_columns : 0;
        for (std::size_t i = 0; i < parts.size(); ++i) all.push_back(made(i, head));
    }
    return all;
}

}  // namespace headcount
