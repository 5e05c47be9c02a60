// The pen that writes an SVG document.
#include "app/charts/pen.hpp"
#include "core/base/markup.hpp"
#include "core/base/scripts.hpp"
#include "core/base/svg_text.hpp"

namespace headcount {

using svg::attribute;
using svg::paint;

namespace {

double number(float value) { return static_cast<double>(value); }

std::string stroke(ImU32 colour, float width) {
    return attribute("fill", "none") + paint("stroke", colour) + attribute("stroke-width", number(width));
}

}  // namespace

SvgPen::SvgPen(const Ui& ui, ImVec2 min, ImVec2 max, ImU32 ground) : ui_(ui), min_(min), max_(max), ground_(ground) {}

void SvgPen::fill(ImVec2 min, ImVec2 max, ImU32 colour, float radius) {
    const svg::Extent extent{x(min.x), y(min.y), number(max.x - min.x), number(max.y - min.y)};
    body_ += svg::rect(extent, number(radius), paint("fill", colour));
}

void SvgPen::outline(ImVec2 min, ImVec2 max, ImU32 colour, float radius, float width) {
    const double half = number(width) / 2;
    const svg::Extent extent{x(min.x) + half, y(min.y) + half, number(max.x - min.x - width),
                             number(max.y - min.y - width)};
    body_ += svg::rect(extent, number(radius), stroke(colour, width));
}

void SvgPen::line(ImVec2 from, ImVec2 to, ImU32 colour, float width) {
    body_ += svg::Path().move(x(from.x), y(from.y)).line(x(to.x), y(to.y)).element(stroke(colour, width));
}

void SvgPen::dashes(ImVec2 from, ImVec2 to, ImU32 colour, float dash, float width) {
    body_ += svg::Path()
                 .move(x(from.x), y(from.y))
                 .line(x(to.x), y(to.y))
                 .element(stroke(colour, width) + attribute("stroke-dasharray", number(dash)));
}

void SvgPen::strokes(std::span<const ImVec2> points, ImU32 colour, float width) {
    if (points.empty()) return;
    svg::Path path;
    path.move(x(points.front().x), y(points.front().y));
    for (const ImVec2 point : points.subspan(1)) path.line(x(point.x), y(point.y));
    body_ += path.element(stroke(colour, width) + attribute("stroke-linejoin", "round"));
}

void SvgPen::polygon(std::span<const ImVec2> points, ImU32 colour) {
    if (points.empty()) return;
    svg::Path path;
    path.move(x(points.front().x), y(points.front().y));
    for (const ImVec2 point : points.subspan(1)) path.line(x(point.x), y(point.y));
    body_ += path.close().element(paint("fill", colour));
}

void SvgPen::circle(ImVec2 centre, float radius, ImU32 colour) {
    body_ += "<circle" + attribute("cx", x(centre.x)) + attribute("cy", y(centre.y)) + attribute("r", number(radius)) +
             paint("fill", colour) + "/>\n";
}

void SvgPen::ring(ImVec2 centre, float radius, ImU32 colour, float width) {
    body_ += "<circle" + attribute("cx", x(centre.x)) + attribute("cy", y(centre.y)) + attribute("r", number(radius)) +
             stroke(colour, width) + "/>\n";
}

void SvgPen::text(const Font& font, ImVec2 at, ImU32 colour, std::string_view words, bool scripts) {
    const bool mono = font.advance > 0;
    const std::string shown = covered_text(words);
    const Fonts& fonts = ui_.fonts;
    const bool bold = font.face == fonts.body_bold.face || font.face == fonts.mono_result.face ||
                      font.face == fonts.mono_total.face || font.face == fonts.title.face;
    body_ += "<text" + attribute("x", x(at.x)) + attribute("y", y(at.y + ascent(font))) +
             attribute("textLength", number(scripts ? symbol_width(font, shown) : text_width(font, shown))) +
             attribute("font-family", mono ? svg::mono_families : svg::word_families) +
             attribute("font-size", number(font.em)) + (bold ? attribute("font-weight", "600") : "") +
             paint("fill", colour) + attribute("xml:space", "preserve") + ">" +
             (scripts ? svg::with_scripts(shown, number(font.em)) : html_text(shown)) + "</text>\n";
}

std::string SvgPen::document(std::string_view title) const {
    return svg::document({x(max_.x), y(max_.y), title, "Drawn by Headcount.", ground_}, body_);
}

}  // namespace headcount
