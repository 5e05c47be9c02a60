// Words in boxes, for every pen; and the pen of the screen.
#include "app/charts/pen.hpp"

#include <algorithm>

#include "app/ui/shapes.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

// Cut with dots, so that it is no wider; never in the middle of a character.
std::string fitted(const Font& font, std::string_view text, float width, bool scripts) {
    const auto wide = [&](std::string_view words) {
        return scripts ? symbol_width(font, words) : text_width(font, words);
    };
    if (wide(text) <= width) return std::string(text);
    // Of a number that is covered no beginning may be seen: then all of it is drawn, and covered.
    if (covers(text)) return std::string(text);
    constexpr std::size_t longest = 500;  // bytes, wider than any box: each step measures all of them again
    std::string cut(whole_letters(text, longest));
    while (!cut.empty() && wide(cut + "...") > width) {
        while (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xC0U) == 0x80U) cut.pop_back();
        if (!cut.empty()) cut.pop_back();
    }
    cut.resize(cut_before_number(text, cut.size()).size());
    return cut.empty() ? cut : cut + "...";
}

}  // namespace

void Pen::text_in(const Font& font, ImVec2 min, ImVec2 max, ImU32 colour, std::string_view words, Align align,
                  bool scripts) {
    const float room = max.x - min.x;
    const std::string shown = fitted(font, words, room, scripts);
    if (shown.empty()) return;
    const float spare = room - (scripts ? symbol_width(font, shown) : text_width(font, shown));
    const float right = align == Align::left ? 0 : std::max(0.0F, align == Align::right ? spare : spare / 2);
    text(font, {min.x + right, text_top(font, (min.y + max.y) / 2)}, colour, shown, scripts);
}

void ListPen::fill(ImVec2 min, ImVec2 max, ImU32 colour, float radius) {
    list_.AddRectFilled(min, max, colour, radius);
}

void ListPen::outline(ImVec2 min, ImVec2 max, ImU32 colour, float radius, float width) {
    list_.AddRect(min, max, colour, radius, 0, width);
}

void ListPen::line(ImVec2 from, ImVec2 to, ImU32 colour, float width) { list_.AddLine(from, to, colour, width); }

void ListPen::dashes(ImVec2 from, ImVec2 to, ImU32 colour, float dash, float width) {
    draw_dashed_line(list_, from, to, colour, dash, width);
}

void ListPen::strokes(std::span<const ImVec2> points, ImU32 colour, float width) {
    // A list numbers the vertices of one stroke with 16 bits, and each point may take four.
    constexpr std::size_t most = 16'000;
    for (std::size_t first = 0; first + 1 < points.size(); first += most - 1) {
        const std::span<const ImVec2> part = points.subspan(first, std::min(most, points.size() - first));
        list_.AddPolyline(part.data(), static_cast<int>(part.size()), colour, 0, width);
    }
}

void ListPen::polygon(std::span<const ImVec2> points, ImU32 colour) {
    list_.AddConvexPolyFilled(points.data(), static_cast<int>(points.size()), colour);
}

void ListPen::circle(ImVec2 centre, float radius, ImU32 colour) { list_.AddCircleFilled(centre, radius, colour); }

void ListPen::ring(ImVec2 centre, float radius, ImU32 colour, float width) {
    list_.AddCircle(centre, radius, colour, 0, width);
}

void ListPen::text(const Font& font, ImVec2 at, ImU32 colour, std::string_view words, bool scripts) {
    if (scripts)
        put_symbol(list_, font, at, colour, words);
    else
        put_text(list_, font, at, colour, words);
}

}  // namespace headcount
