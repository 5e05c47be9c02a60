// Marching squares, and the joining of what they find.
#include "app/charts/contours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace headcount {
namespace {

// An edge between two neighbouring cells, by the first of them and whether it goes up; a line crosses it once at most.
struct Edge {
    std::size_t cell = 0;
    bool up = false;

    auto operator<=>(const Edge&) const = default;
};
using Segment = std::array<Edge, 2>;

struct Field {
    std::span<const std::optional<double>> values;
    std::size_t columns = 0;

    bool known(std::size_t cell) const { return values[cell] && std::isfinite(*values[cell]); }
    ImVec2 middle(std::size_t cell) const {
        return {static_cast<float>(cell % columns), static_cast<float>(cell / columns)};
    }
    std::size_t end(const Edge& edge) const { return edge.cell + (edge.up ? columns : 1); }
    ImVec2 crossing(const Edge& edge, double level) const {
        const double from = *values[edge.cell], to = *values[end(edge)];
        const auto part = static_cast<float>((level - from) / (to - from));
        const ImVec2 a = middle(edge.cell), b = middle(end(edge));
        return {a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
    }
};

// Those of the square whose lower left corner is the cell. Where opposite corners are above, the middle decides which
// of them hang together.
void add_segments(const Field& field, std::size_t cell, double level, std::vector<Segment>& segments) {
    const std::array corners{cell, cell + 1, cell + field.columns + 1, cell + field.columns};
    if (!std::ranges::all_of(corners, [&](std::size_t each) { return field.known(each); })) return;
    // Around the square: below, right, above, left.
    const std::array edges{Edge{cell, false}, Edge{cell + 1, true}, Edge{cell + field.columns, false},
                           Edge{cell, true}};
    std::array<bool, 4> above{};
    double sum = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        above[i] = *field.values[corners[i]] > level;
        sum += *field.values[corners[i]];
    }
    std::vector<Edge> crossed;
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (above[i] != above[(i + 1) % edges.size()]) crossed.push_back(edges[i]);
    if (crossed.size() == 2) segments.push_back({crossed[0], crossed[1]});
    if (crossed.size() != edges.size()) return;
    const bool joined = (sum / 4 > level) == above[0];  // the first corner with the one opposite
    segments.push_back({edges[0], edges[joined ? 1 : 3]});
    segments.push_back({edges[2], edges[joined ? 3 : 1]});
}

// Joined where they share an edge.
std::vector<std::vector<Edge>> joined(const std::vector<Segment>& segments) {
    std::map<Edge, std::vector<std::size_t>> at;
    for (std::size_t i = 0; i < segments.size(); ++i)
        for (const Edge& edge : segments[i]) at[edge].push_back(i);
    std::vector<bool> used(segments.size());
    std::vector<std::vector<Edge>> lines;
    const auto follow = [&](std::size_t first, const Edge& from) {
        std::vector<Edge>& line = lines.emplace_back(1, from);
        for (std::optional<std::size_t> next = first; next;) {
            used[*next] = true;
            const Segment& segment = segments[*next];
            line.push_back(segment[0] == line.back() ? segment[1] : segment[0]);
            next.reset();
            for (const std::size_t each : at[line.back()])
                if (!used[each]) next = each;
        }
    };
    for (const auto& [edge, ends] : at)
        if (ends.size() == 1 && !used[ends.front()]) follow(ends.front(), edge);
    for (std::size_t i = 0; i < segments.size(); ++i)  // what is closed has no end
        if (!used[i]) follow(i, segments[i][0]);
    return lines;
}

bool overlap(const ChartArea& a, const ChartArea& b) {
    return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

bool meets(const ChartArea& box, std::span<const std::vector<ImVec2>> lines) {
    constexpr float step = 4;  // pixels: no box is as narrow
    for (const std::vector<ImVec2>& line : lines)
        for (std::size_t i = 1; i < line.size(); ++i) {
            const ImVec2 from = line[i - 1], way{line[i].x - from.x, line[i].y - from.y};
            const auto parts = static_cast<int>(std::hypot(way.x, way.y) / step) + 1;
            for (int part = 0; part <= parts; ++part) {
                const float share = static_cast<float>(part) / static_cast<float>(parts);
                const ImVec2 at{from.x + share * way.x, from.y + share * way.y};
                if (at.x > box.min.x && at.x < box.max.x && at.y > box.min.y && at.y < box.max.y) return true;
            }
        }
    return false;
}

float length_of(const std::vector<ImVec2>& line) {
    float length = 0;
    for (std::size_t i = 1; i < line.size(); ++i)
        length += std::hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
    return length;
}

ImVec2 at_share(const std::vector<ImVec2>& line, float share) {
    float left = share * length_of(line);
    for (std::size_t i = 1; i < line.size(); ++i) {
        const ImVec2 way{line[i].x - line[i - 1].x, line[i].y - line[i - 1].y};
        const float length = std::hypot(way.x, way.y);
        if (left <= length && length > 0)
            return {line[i - 1].x + left / length * way.x, line[i - 1].y + left / length * way.y};
        left -= length;
    }
    return line.back();
}

}  // namespace

std::vector<Contour> contours(std::span<const std::optional<double>> values, std::size_t columns,
                              std::span<const double> levels) {
    std::vector<Contour> found;
    if (columns < 2) return found;
    const Field field{values, columns};
    const std::size_t rows = values.size() / columns;
    for (const double level : levels) {
        std::vector<Segment> segments;
        for (std::size_t row = 0; row + 1 < rows; ++row)
            for (std::size_t column = 0; column + 1 < columns; ++column)
                add_segments(field, row * columns + column, level, segments);
        if (segments.empty()) continue;
        Contour& contour = found.emplace_back(Contour{level, {}});
        for (const std::vector<Edge>& line : joined(segments)) {
            std::vector<ImVec2>& points = contour.lines.emplace_back();
            for (const Edge& edge : line) points.push_back(field.crossing(edge, level));
        }
    }
    return found;
}

std::optional<ChartArea> label_on(std::span<const std::vector<ImVec2>> lines, ImVec2 size, const ChartArea& inside,
                                  std::span<const ChartArea> taken, std::span<const std::vector<ImVec2>> others) {
    const auto longest =
        std::ranges::max_element(lines, [](const auto& a, const auto& b) { return length_of(a) < length_of(b); });
    if (longest == lines.end() || length_of(*longest) < 1.5F * size.x) return std::nullopt;
    std::optional<ChartArea> over_lines;
    // From the middle outwards.
    constexpr std::array shares{0.5F, 0.4F, 0.6F, 0.3F, 0.7F, 0.2F, 0.8F, 0.1F, 0.9F};
    for (const float share : shares) {
        const ImVec2 middle = at_share(*longest, share);
        const ChartArea box{{middle.x - size.x / 2, middle.y - size.y / 2},
                            {middle.x + size.x / 2, middle.y + size.y / 2}};
        if (box.min.x < inside.min.x || box.max.x > inside.max.x || box.min.y < inside.min.y ||
            box.max.y > inside.max.y)
            continue;
        if (std::ranges::any_of(taken, [&](const ChartArea& other) { return overlap(box, other); })) continue;
        if (!meets(box, others)) return box;
        if (!over_lines) over_lines = box;
    }
    return over_lines;
}

}  // namespace headcount
