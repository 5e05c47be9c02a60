// The family tree on a sheet of paper, as SVG.
#include "core/poster/poster.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

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

// Those of the light theme, packed with red in the lowest byte.
constexpr std::array<std::uint32_t, components.size()> part_colours{rgb(0x1F7ACB), rgb(0xE07B1A), rgb(0x189B6F),
                                                                    rgb(0x76808F), rgb(0x7F2F99), rgb(0xD77DB9),
                                                                    rgb(0x8C6946), rgb(0x3E4753)};
constexpr std::uint32_t ground = rgb(0xFFFFFF), ink = rgb(0x12161C), soft = rgb(0x454E5B), faint = rgb(0xC6CCD5);

std::string text(double x, double y, double size, int weight, std::uint32_t colour, std::string_view words,
                 std::string_view more = "") {
    return "<text" + svg::attribute("x", x) + svg::attribute("y", y) + svg::attribute("font-size", size) +
           (weight == 400 ? "" : svg::attribute("font-weight", weight)) + svg::paint("fill", colour) +
           std::string(more) + ">" + html_text(words) + "</text>\n";
}

// Its parts from left to right, each as wide as its share.
std::string square(const TreeNode& node, const Placed& model) {
    std::string all;
    double x = model.x;
    for (const Component component : components) {
        const auto place = static_cast<std::size_t>(component);
        if (node.by_component[place] == 0) continue;
        const double wide =
            model.side * static_cast<double>(node.by_component[place]) / static_cast<double>(node.total);
        all += svg::rect({x, model.y, wide, model.side}, 0, svg::paint("fill", part_colours[place]));
        x += wide;
    }
    return all;
}

std::string line(const poster::Way& way) {
    const auto& [from, second, third, end] = way.points;
    svg::Path path;
    path.move(from[0], from[1]);
    if (way.curved)
        path.curve(second[0], second[1], third[0], third[1], end[0], end[1]);
    else
        path.across(second[0]).down(third[1]).across(end[0]);
    return path.element(" fill=\"none\"" + svg::paint("stroke", faint) + svg::attribute("stroke-width", 0.8));
}

std::string words(const TreeNode& node, const Placed& model) {
    const std::string& name = node.preset->architecture.name;
    // One that is longer than its room is set smaller.
    constexpr double bold_letter = 0.56;  // of an em, on average
    const auto letters = static_cast<double>(poster::letters_in(name));
    const double size = std::min(poster::name_size, model.room / (bold_letter * letters));
    double y = model.words_y + poster::name_size - 1;
    std::string all = text(model.words_x, y, size, 600, ink, name);
    y += poster::name_step - 1.5;
    for (const std::string& line : model.lines) {
        all += text(model.words_x, y, poster::line_size, 400, soft, line);
        y += poster::line_step;
    }
    return all;
}

// Of the key: its squares' top, sizes that can be compared, room for the words beside one, and a stripe's sample.
constexpr double key_top = 30, least_key = 2, most_key = 60, key_words = 40, key_size = 9;
constexpr double sample_top = 83, sample = 9, sample_size = 9.5, sample_gap = 17, sample_letter = 5.6;

// How large a round number of parameters is, and what the colours are.
std::string key(const Sheet& sheet, std::span<const TreeNode> tree) {
    std::string all;
    double x = poster::width - poster::margin;
    for (const double count : {1e12, 1e11, 1e10, 1e9}) {
        const double side = std::sqrt(count / sheet.scale);
        if (side > most_key || side < least_key) continue;
        x -= side + key_words;
        all += svg::rect({x, key_top, side, side}, 0, svg::paint("fill", faint));
        all += text(x + side + 4, key_top + key_size + 1, key_size, 400, ink,
                    short_count(static_cast<std::int64_t>(count)));
    }
    x = poster::margin;
    for (const Component component : components) {
        const auto place = static_cast<std::size_t>(component);
        if (std::ranges::none_of(tree, [&](const TreeNode& node) { return node.by_component[place] > 0; })) continue;
        const std::string name(component_name(component));
        all += svg::rect({x, sample_top, sample, sample}, 0, svg::paint("fill", part_colours[place]));
        x += sample + 4;
        all += text(x, sample_top + sample - 1, sample_size, 400, ink, name);
        x += sample_gap + sample_letter * static_cast<double>(name.size());
    }
    return all;
}

}  // namespace

Result<std::string> poster_svg(std::span<const TreeNode> tree) {
    const Sheet sheet = poster::lay_out(tree);
    if (sheet.models.size() != tree.size())
        return Error{"a sheet of A2 has no room for " + std::to_string(tree.size()) + " models", "PRESET",
                     "name fewer"};
    const std::string title =
        "The family tree of " + std::to_string(tree.size()) + (tree.size() == 1 ? " model" : " models");
    std::string body = "<g" + svg::attribute("font-family", svg::word_families) + ">\n";
    body += text(poster::margin, 46, 30, 700, ink, title);
    body +=
        text(poster::margin, 68, 11, 400, soft,
             "One scale for all: the area of a square is the number of parameters, its stripes are the parts. A line "
             "leads from what a model was made from, or in the image of; beside it, how many parameters that cost, "
             "and what changed, the costliest first.");
    body += key(sheet, tree);
    for (const poster::YearSpan& year : sheet.years) {
        body +=
            svg::rect({year.x, poster::top - 8, 0.6, poster::bottom - poster::top + 8}, 0, svg::paint("fill", faint));
        body += text(year.x + poster::gap, poster::top - 12, 15, 700, ink, std::to_string(year.year));
    }
    for (std::size_t i = 0; i < tree.size(); ++i)
        if (tree[i].parent) body += line(poster::way(sheet.models[*tree[i].parent], sheet.models[i]));
    for (std::size_t i = 0; i < tree.size(); ++i) body += square(tree[i], sheet.models[i]);
    std::string labels;
    for (std::size_t i = 0; i < tree.size(); ++i) labels += words(tree[i], sheet.models[i]);
    // The halo is a text of its own below: WeasyPrint 57 draws a stroke over its fill, whatever paint-order says.
    body += "<g" + svg::paint("stroke", ground) + " stroke-width=\"2\" stroke-linejoin=\"round\">\n" + labels +
            "</g>\n" + labels + "</g>\n";
    return svg::document({.width = poster::width,
                          .height = poster::height,
                          .title = title,
                          .description = "Models by year, with their parents; areas are parameters.",
                          .ground = ground},
                         body);
}

}  // namespace headcount
