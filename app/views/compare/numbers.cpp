// How far B's numbers are from A's: of two files with tensors of the same shapes, as a quantized one and its original.
#include "app/state/compare/numbers.hpp"

#include "app/parts/words.hpp"
#include "app/views/compare/panels.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// A bar's length is whole; of what is no number it is the longest.
std::int64_t bar_of(double share) {
    constexpr double whole = 1e9, most = 1e6;
    return static_cast<std::int64_t>((share < most ? share : most) * whole);
}

}  // namespace

CompareTable compare_numbers_table(const Theme& theme, const BothSides& both) {
    CompareTable table =
        with_columns({{.title = "Tensor", .width = 380, .minimum = 200, .mono = true, .grows = true, .keeps_end = true},
                      {"Stored in A", 130, 92, Align::left, true},
                      {"Stored in B", 130, 92, Align::left, true},
                      {"", 168, 64, Align::centre},
                      {"Error, in parts of A", 150, 126, Align::right, true},
                      {"Angle", 76, 64, Align::right, true},
                      {"Most of one number", 150, 126, Align::right, true},
                      {"Stable rank", 96, 84, Align::right, true},
                      {"Effective rank", 110, 100, Align::right, true}},
                     3);
    table.failure = both.page.no_numbers;
    if (!table.failure.empty() || !both.page.apart) return table;
    const NumbersApart& apart = *both.page.apart;
    const ModelGraph& graph = both.b().graph;
    for (std::size_t i = 0; i < apart.errors.tensors.size(); ++i) {
        const TensorError& each = apart.errors.tensors[i];
        const std::optional<double> share = each.error.share();
        const std::optional<double> angle = each.error.angle();
        const Tensor& first = graph.tensors[graph.stored[each.stored].parts.front()];
        CompareRow& line = table.rows.emplace_back();
        line.name = each.name;
        line.cells = {each.name,
                      apart.stored[i][0],
                      apart.stored[i][1],
                      std::string(),
                      share ? share_text(*share) : std::string(),
                      angle ? decimal_text(*angle, 2) + "°" : std::string(),
                      decimal_text(each.error.worst, 6),
                      std::string(),
                      std::string()};
        if (i < apart.ranks.size() && apart.ranks[i]) {
            line.cells[7] = stable_text(*apart.ranks[i]);
            line.cells[8] = effective_text(*apart.ranks[i]);
        } else if (i >= apart.ranks.size() && !apart.ranked) {
            line.cells[7] = line.cells[8] = "...";
        }
        line.change = bar_of(share.value_or(0));
        line.colour = theme.wrong;
        line.swatch = swatch_of(theme, first);
        line.subject = TensorSubject{first.id, {.layer = each.place.layer}};
        line.low = each.error.difference == 0;
    }
    CompareRow sum = sum_row(table, decimal_text(apart.errors.all.worst, 6));
    if (const std::optional<double> share = apart.errors.all.share()) sum.cells[4] = share_text(*share);
    table.rows.push_back(std::move(sum));
    table.remark =
        "the length of the difference in parts of A's · in the diagrams the redder the farther apart, up to " +
        share_text(apart.largest);
    return table;
}

std::map<std::string, float, std::less<>> heat_of_numbers(const BothSides& both) {
    std::map<std::string, float, std::less<>> heat;
    const NumbersApart* const apart = both.page.apart.get();
    if (both.place.tab != CompareTab::numbers || !apart || apart->wrong) return heat;
    const auto same = [](const auto& each) { return each.second == 0; };
    if (std::ranges::all_of(apart->by_tensor, same)) return heat;
    for (const auto& [id, share] : apart->by_tensor)  // what is no number is as hot as can be
        heat.emplace(id, share == 0               ? 0.0F
                         : share < apart->largest ? static_cast<float>(share / apart->largest)
                                                  : 1.0F);
    return heat;
}

}  // namespace headcount
