// The family tree on a sheet of paper, as SVG.
#include "core/poster/poster.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/markup.hpp"
#include "core/base/svg_text.hpp"
#include "core/base/text.hpp"
#include "core/poster/sheet.hpp"

namespace headcount {
namespace {

using poster::Placed;
using poster::Sheet;

constexpr std::uint32_t rgb(std::uint32_t hex) {
    return 0xFF000000U | (hex & 0xFFU) << 16U | (hex & 0xFF00U) | hex >> 16U;
}

std::string text(double x, double y, double size, int weight, std::uint32_t colour, std::string_view words,
                 std::string_view more = "") {
    return "<text" + svg::attribute("x", x) + svg::attribute("y", y) + svg::attribute("font-size", size) +
           (weight == 400 ? "" : svg::attribute("font-weight", weight)) + svg::paint("fill", colour) +
           std::string(more) + ">" + html_text(words) + "</text>\n";
}

// Its parts from left to right, each as wide as its share.
std::string square(const TreeNode& node, const Placed& model, const PosterLook& look) {
    std::string all;
    double x = model.x;
    for (const Component component : components) {
        const auto place = static_cast<std::size_t>(component);
        if (node.by_component[place] == 0) continue;
        const double wide =
            model.side * static_cast<double>(node.by_component[place]) / static_cast<double>(node.total);
        all += svg::rect({x, model.y, wide, model.side}, 0, svg::paint("fill", look.parts[place]));
        x += wide;
    }
    return all;
}

// From the parent's right side to the left one of the child; within a column along its left edge.
std::string way(const Placed& from, const Placed& to, const PosterLook& look) {
    const double x1 = from.x + from.side, y1 = from.y + from.side / 2, x2 = to.x,
                 y2 = to.y + std::min(to.side / 2, 6.0);
    const std::string stroke = " fill=\"none\"" + svg::paint("stroke", look.line) + svg::attribute("stroke-width", 0.8);
    const auto n = [](double value) { return svg::number(value) + " "; };
    if (x2 - from.x < poster::beside) {
        const double left = std::min(from.x, to.x) - 4, start = from.y + std::min(from.side / 2, 6.0);
        return "<path d=\"M" + n(from.x) + n(start) + "H" + n(left) + "V" + n(y2) + "H" + n(x2) + "\"" + stroke +
               "/>\n";
    }
    const double bend = std::min(60.0, (x2 - x1) / 2);
    return "<path d=\"M" + n(x1) + n(y1) + "C" + n(x1 + bend) + n(y1) + n(x2 - bend) + n(y2) + n(x2) + n(y2) + "\"" +
           stroke + "/>\n";
}

std::string words(const TreeNode& node, const Placed& model, const PosterLook& look) {
    const std::string& name = node.preset->architecture.name;
    // One that is longer than its room is set smaller.
    constexpr double letter = 0.56;
    const double size = std::min(poster::name_size, model.room / (letter * static_cast<double>(name.size())));
    double y = model.words_y + poster::name_size - 1;
    std::string all = text(model.words_x, y, size, 600, look.ink, name);
    for (const std::string& line : model.lines) {
        y += &line == &model.lines.front() ? poster::name_step - 1.5 : poster::line_step;
        all += text(model.words_x, y, poster::line_size, 400, look.soft, line);
    }
    return all;
}

// How large a round number of parameters is, and what the colours are.
std::string key(const Sheet& sheet, std::span<const TreeNode> tree, const PosterLook& look) {
    std::string all;
    double x = poster::width - poster::margin;
    for (const double count : {1e12, 1e11, 1e10, 1e9}) {
        const double side = std::sqrt(count / sheet.scale);
        if (side > 60 || side < 2) continue;
        x -= side + 40;
        all += svg::rect({x, 30, side, side}, 0, svg::paint("fill", look.line));
        all += text(x + side + 4, 40, 9, 400, look.ink, short_count(static_cast<std::int64_t>(count)));
    }
    std::array<std::int64_t, components.size()> sums{};
    for (const TreeNode& node : tree)
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += node.by_component[i] > 0;
    x = poster::margin;
    for (const Component component : components) {
        const auto place = static_cast<std::size_t>(component);
        if (sums[place] == 0) continue;
        const std::string name(component_name(component));
        all += svg::rect({x, 83, 9, 9}, 0, svg::paint("fill", look.parts[place]));
        all += text(x + 13, 91, 9.5, 400, look.ink, name);
        x += 30 + 5.6 * static_cast<double>(name.size());
    }
    return all;
}

}  // namespace

const PosterLook paper_look{.parts = {rgb(0x1F7ACB), rgb(0xE07B1A), rgb(0x189B6F), rgb(0x76808F), rgb(0x7F2F99),
                                      rgb(0xD77DB9), rgb(0x8C6946), rgb(0x3E4753)},
                            .ground = rgb(0xFFFFFF),
                            .ink = rgb(0x12161C),
                            .soft = rgb(0x454E5B),
                            .line = rgb(0xC6CCD5)};

std::string poster_svg(std::span<const TreeNode> tree, const PosterLook& look) {
    const Sheet sheet = poster::lay_out(tree);
    const std::string title =
        "The family tree of " + std::to_string(tree.size()) + (tree.size() == 1 ? " transformer" : " transformers");
    std::string body = "<g" + svg::attribute("font-family", svg::word_families) + ">\n";
    body += text(poster::margin, 46, 30, 700, look.ink, title);
    body +=
        text(poster::margin, 68, 11, 400, look.soft,
             "One scale for all: the area of a square is the number of parameters, its stripes are the parts. A line "
             "leads from what a model was made from, or in the image of; beside it, how many parameters that cost, "
             "and what changed, the costliest first.");
    body += key(sheet, tree, look);
    for (const poster::YearSpan& year : sheet.years) {
        body += svg::rect({year.x, poster::top - 8, 0.6, poster::bottom - poster::top + 8}, 0,
                          svg::paint("fill", look.line));
        body += text(year.x + poster::gap, poster::top - 12, 15, 700, look.ink, std::to_string(year.year));
    }
    if (!sheet.models.empty()) {
        for (std::size_t i = 0; i < tree.size(); ++i)
            if (tree[i].parent) body += way(sheet.models[*tree[i].parent], sheet.models[i], look);
        for (std::size_t i = 0; i < tree.size(); ++i) body += square(tree[i], sheet.models[i], look);
        body += "<g" + svg::paint("stroke", look.ground) +
                " stroke-width=\"2\" stroke-linejoin=\"round\" paint-order=\"stroke\">\n";
        for (std::size_t i = 0; i < tree.size(); ++i) body += words(tree[i], sheet.models[i], look);
        body += "</g>\n";
    }
    body += "</g>\n";
    return svg::document({.width = poster::width,
                          .height = poster::height,
                          .title = title,
                          .description = "Models by year, with their parents; areas are parameters.",
                          .ground = look.ground},
                         body);
}

}  // namespace headcount
