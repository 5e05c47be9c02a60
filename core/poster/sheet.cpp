// Where everything stands on the poster: a column or several for each year, at the largest scale that all have room at.
#include "core/poster/sheet.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/base/text.hpp"

namespace headcount::poster {
namespace {

// As wide as a letter is on average, in ems.
constexpr double letter = 0.53;

// In so many lines of this width, cut at spaces; that there is more is said by three dots.
std::vector<std::string> in_lines(const std::string& text, double room, std::size_t count) {
    const auto letters = static_cast<std::size_t>(std::max(8.0, room / (letter * line_size)));
    std::vector<std::string> lines(1);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, end - at);
        if (!lines.back().empty() && letters_in(lines.back()) + letters_in(word) + 1 > letters) {
            if (lines.size() == count) {
                lines.back() += " …";
                return lines;
            }
            lines.emplace_back();
        }
        lines.back() += (lines.back().empty() ? "" : " ") + word;
        at = end + 1;
    }
    return lines;
}

std::vector<std::string> lines_of(const TreeNode& node, std::span<const TreeNode> tree, double room) {
    const std::string total = short_count(node.total);
    if (!node.parent) return {total};
    const std::string& parent = tree[*node.parent].preset->architecture.name;
    const std::string cost = node.cost == 0 ? ", as " : " · " + signed_short(node.cost) + " on ";
    std::vector<std::string> lines = in_lines(total + cost + parent, room, 1);
    if (node.changes.empty()) return lines;
    for (std::string& line : in_lines(listed(node.changes, [](const std::string& each) { return each; }), room, 2))
        lines.push_back(std::move(line));
    return lines;
}

// A model whose square is at (0, 0).
Placed placed(const TreeNode& node, std::span<const TreeNode> tree, double scale, double column) {
    Placed model;
    model.side = std::sqrt(static_cast<double>(node.total) / scale);
    const bool below = model.side > beside;
    model.words_x = below ? 0 : beside + gap;
    model.words_y = below ? model.side + 2 : 0;
    model.lines = lines_of(node, tree, column - model.words_x - 2 * gap);
    const double words = name_step + line_step * static_cast<double>(model.lines.size());
    model.bottom = std::max(model.side, model.words_y + words) + gap;
    return model;
}

struct Filled {
    std::vector<Placed> models;              // the x of each is the number of its column
    std::vector<std::pair<int, int>> years;  // and in how many columns
    std::vector<double> widths;              // of the columns
    bool fits = false;
};

// All in columns of at least this width, each as wide as its widest square needs.
Filled fill(std::span<const TreeNode> tree, double scale, double column) {
    Filled filled;
    filled.models.resize(tree.size());
    std::map<int, std::vector<std::size_t>> by_year;
    for (std::size_t i = 0; i < tree.size(); ++i) by_year[*tree[i].preset->year].push_back(i);
    constexpr double room = bottom - top;
    double highest = 0;
    for (const auto& [year, nodes] : by_year) {
        double all = 0;
        for (const std::size_t i : nodes) {
            filled.models[i] = placed(tree[i], tree, scale, column);
            all += filled.models[i].bottom;
        }
        // Columns of about the same height.
        const double even = std::min(room, all / std::ceil(all / room) + 40);
        const std::size_t first = filled.widths.size();
        double y = room;
        for (const std::size_t i : nodes) {
            Placed& model = filled.models[i];
            if (filled.widths.size() == first || y + model.bottom > even) {
                filled.widths.push_back(column);
                y = 0;
            }
            model.x = static_cast<double>(filled.widths.size() - 1);
            model.y = y;
            y += model.bottom;
            highest = std::max(highest, y);
            filled.widths.back() = std::max(filled.widths.back(), model.side + 2 * gap);
        }
        filled.years.emplace_back(year, static_cast<int>(filled.widths.size() - first));
    }
    double wide = 0;
    for (const double each : filled.widths) wide += each;
    filled.fits = wide <= width - 2 * margin && highest <= room;
    return filled;
}

constexpr double narrowest = 132;  // of columns

// In columns as wide as can be, where all fit into the narrowest.
Filled fit(std::span<const TreeNode> tree, double scale) {
    constexpr double most = 400, near = 1;
    Filled best = fill(tree, scale, narrowest);
    for (double low = narrowest, high = most; high - low > near;) {
        const double middle = (low + high) / 2;
        Filled filled = fill(tree, scale, middle);
        (filled.fits ? low : high) = middle;
        if (filled.fits) best = std::move(filled);
    }
    return best;
}

// Of ways: how far below a square's top they end, how far beside a column they go down, and how wide they bend.
constexpr double below_top = 6, beside_column = 4, longest_bend = 60;

}  // namespace

Way way(const Placed& from, const Placed& to) {
    const auto hook = [](const Placed& model) { return model.y + std::min(model.side / 2, below_top); };
    if (to.x - from.x < beside) {
        const double left = std::min(from.x, to.x) - beside_column;
        return {false, {{{from.x, hook(from)}, {left, hook(from)}, {left, hook(to)}, {to.x, hook(to)}}}};
    }
    const double right = from.x + from.side, middle = from.y + from.side / 2;
    const double bend = std::min(longest_bend, (to.x - right) / 2);
    return {true, {{{right, middle}, {right + bend, middle}, {to.x - bend, hook(to)}, {to.x, hook(to)}}}};
}

std::size_t letters_in(std::string_view text) {
    const auto continues = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; };
    return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues));
}

Sheet lay_out(std::span<const TreeNode> tree) {
    Sheet sheet;
    // Parameters a pixel, by its logarithm: from one to more than there are.
    double low = 0, high = 20;
    constexpr int steps = 20;
    for (int step = 0; step < steps; ++step) {
        const double middle = (low + high) / 2;
        const bool fits = fill(tree, std::pow(10.0, middle), narrowest).fits;
        (fits ? high : low) = middle;
        if (fits) sheet.scale = std::pow(10.0, middle);
    }
    if (sheet.scale <= 0) return sheet;
    Filled best = fit(tree, sheet.scale);
    double all = 0;
    for (const double each : best.widths) all += each;
    const double stretch = (width - 2 * margin - all) / static_cast<double>(best.widths.size());
    std::vector<double> lefts{margin};
    for (const double each : best.widths) lefts.push_back(lefts.back() + each + stretch);
    for (Placed& model : best.models) {
        const auto column = static_cast<std::size_t>(model.x);
        model.room = lefts[column + 1] - lefts[column] - model.words_x - 2 * gap;
        model.x = lefts[column] + gap;
        model.y += top;
        // A small square stands in the middle of its room, before its words.
        model.words_x += model.x;
        model.words_y += model.y;
        model.bottom += model.y;
        if (model.side <= beside) model.x += (beside - model.side) / 2;
    }
    std::size_t first = 0;
    for (const auto& [year, columns] : best.years) {
        const std::size_t behind = first + static_cast<std::size_t>(columns);
        sheet.years.push_back({year, lefts[first], lefts[behind] - lefts[first]});
        first = behind;
    }
    sheet.models = std::move(best.models);
    return sheet;
}

}  // namespace headcount::poster
