// Where everything stands on the poster: a column or several for each year, at the largest scale that all have room at.
#include "core/poster/sheet.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "core/base/text.hpp"

namespace headcount::poster {
namespace {

// As wide as a letter is on average, in ems.
constexpr double letter = 0.53;

// In lines of so many letters, cut at spaces: as many as it takes, or so many, where three dots say that there is more.
std::vector<std::string> in_lines(std::string_view text, std::size_t letters, std::optional<std::size_t> count = {}) {
    std::vector<std::string> lines(1);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string_view word = text.substr(at, end - at);
        if (!lines.back().empty() && letters_in(lines.back()) + letters_in(word) + 1 > letters) {
            if (lines.size() == count) {
                lines.back() += " …";
                return lines;
            }
            lines.emplace_back();
        }
        if (!lines.back().empty()) lines.back() += ' ';
        lines.back() += word;
        at = end + 1;
    }
    return lines;
}

// What stands below the names of a tree's models. Each is cut once for each width, of which few are asked for.
class Lines {
  public:
    explicit Lines(std::span<const TreeNode> tree) : tree_(tree), cut_(tree.size()) {}

    const std::vector<std::string>& of(std::size_t node, double room) {
        const auto letters = static_cast<std::size_t>(std::max(8.0, room / (letter * line_size)));
        const auto [at, fresh] = cut_[node].try_emplace(letters);
        if (fresh) at->second = cut(tree_[node], letters);
        return at->second;
    }

  private:
    std::vector<std::string> cut(const TreeNode& node, std::size_t letters) const {
        const std::string total = short_count(node.total);
        if (!node.parent) return {total};
        const std::string& parent = tree_[*node.parent].preset->architecture.name;
        const std::string cost = node.cost == 0 ? ", as " : " · " + signed_short(node.cost) + " on ";
        std::vector<std::string> lines = in_lines(total + cost + parent, letters);
        if (node.changes.empty()) return lines;
        const std::string changes = listed(node.changes);
        for (std::string& line : in_lines(changes, letters, 2)) lines.push_back(std::move(line));
        return lines;
    }

    std::span<const TreeNode> tree_;
    std::vector<std::map<std::size_t, std::vector<std::string>>> cut_;  // by letters
};

// A model whose square is at (0, 0), without its lines.
Placed placed(std::span<const TreeNode> tree, std::size_t node, Lines& lines, double scale, double column) {
    Placed model;
    model.side = std::sqrt(static_cast<double>(tree[node].total) / scale);
    const bool below = model.side > beside;
    model.words_x = below ? 0 : beside + gap;
    model.words_y = below ? model.side + 2 : 0;
    model.room = column - model.words_x - 2 * gap;
    const double words = name_step + line_step * static_cast<double>(lines.of(node, model.room).size());
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
Filled fill(std::span<const TreeNode> tree, Lines& lines, double scale, double column) {
    Filled filled;
    filled.models.resize(tree.size());
    std::map<int, std::vector<std::size_t>> by_year;
    for (std::size_t i = 0; i < tree.size(); ++i) by_year[*tree[i].preset->year].push_back(i);
    constexpr double room = bottom - top;
    double highest = 0;
    for (const auto& [year, nodes] : by_year) {
        double all = 0;
        for (const std::size_t i : nodes) {
            filled.models[i] = placed(tree, i, lines, scale, column);
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

constexpr double narrowest = 118;  // of columns

// In columns as wide as can be, where all fit into the narrowest.
Filled fit(std::span<const TreeNode> tree, Lines& lines, double scale) {
    constexpr double most = 400, near = 1;
    Filled best = fill(tree, lines, scale, narrowest);
    for (double low = narrowest, high = most; high - low > near;) {
        const double middle = (low + high) / 2;
        Filled filled = fill(tree, lines, scale, middle);
        (filled.fits ? low : high) = middle;
        if (filled.fits) best = std::move(filled);
    }
    return best;
}

// Of ways: how far below a square's top they end, how far beside a column they go down, and how wide they bend.
constexpr double below_top = 6, beside_column = 4, longest_bend = 60;

}  // namespace

Way way(const Placed& from, const Placed& placed) {
    const auto hook = [](const Placed& model) { return model.y + std::min(model.side / 2, below_top); };
    if (placed.x - from.x < beside) {
        const double left = std::min(from.x, placed.x) - beside_column;
        return {false, {{{from.x, hook(from)}, {left, hook(from)}, {left, hook(placed)}, {placed.x, hook(placed)}}}};
    }
    const double right = from.x + from.side, middle = from.y + from.side / 2;
    const double bend = std::min(longest_bend, (placed.x - right) / 2);
    return {true,
            {{{right, middle}, {right + bend, middle}, {placed.x - bend, hook(placed)}, {placed.x, hook(placed)}}}};
}

std::size_t letters_in(std::string_view text) {
    const auto continues = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; };
    return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues));
}

Sheet lay_out(std::span<const TreeNode> tree) {
    Sheet sheet;
    Lines lines(tree);
    // Parameters a pixel, by its logarithm: from one to more than there are.
    double low = 0, high = 20;
    constexpr int steps = 20;
    for (int step = 0; step < steps; ++step) {
        const double middle = (low + high) / 2;
        const bool fits = fill(tree, lines, std::pow(10.0, middle), narrowest).fits;
        (fits ? high : low) = middle;
        if (fits) sheet.scale = std::pow(10.0, middle);
    }
    if (sheet.scale <= 0) return sheet;
    Filled best = fit(tree, lines, sheet.scale);
    double all = 0;
    for (const double each : best.widths) all += each;
    const double stretch = (width - 2 * margin - all) / static_cast<double>(best.widths.size());
    std::vector<double> lefts{margin};
    for (const double each : best.widths) lefts.push_back(lefts.back() + each + stretch);
    for (std::size_t i = 0; i < best.models.size(); ++i) {
        Placed& model = best.models[i];
        model.lines = lines.of(i, model.room);
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
