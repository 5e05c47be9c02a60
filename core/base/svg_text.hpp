// How numbers, colours and foreign text are written in an SVG document: the diagram and the charts share it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace headcount::svg {

// At most two decimals, a point whatever the locale: "3", "0.5", "-12.25". Never "-0".
std::string number(double value);

// ` name="value"`.
std::string attribute(std::string_view name, std::string_view value);
std::string attribute(std::string_view name, double value);

// Of a colour packed with red in the lowest byte: ` fill="#rrggbb"`, with ` fill-opacity="0.5"` where the colour is not
// opaque; "none" where it is not seen at all.
std::string paint(std::string_view name, std::uint32_t colour);

inline unsigned alpha(std::uint32_t colour) { return colour >> 24U; }

// The letters of a path, absolute.
class Path {
  public:
    Path& move(double x, double y) { return add('M', {x, y}); }
    Path& line(double x, double y) { return add('L', {x, y}); }
    Path& across(double x) { return add('H', {x}); }
    Path& down(double y) { return add('V', {y}); }
    Path& corner(double radius, double x, double y) { return add('A', {radius, radius, 0, 0, 1, x, y}); }  // clockwise
    Path& curve(double x1, double y1, double x2, double y2, double x, double y) {
        return add('C', {x1, y1, x2, y2, x, y});
    }
    Path& close() { return add('Z', {}); }

    bool empty() const { return letters_.empty(); }
    std::string element(std::string_view attributes) const;

  private:
    Path& add(char letter, std::initializer_list<double> numbers);

    std::string letters_;
};

struct Extent {
    double x = 0, y = 0, width = 0, height = 0;
};
std::string rect(const Extent& extent, double radius, std::string_view attributes);

// The inside of a text element whose sub- and superscripts (see core/base/scripts.hpp) are moved and made small.
std::string with_scripts(std::string_view text, double em);

// Faces as CSS names them, best first: for words, and for numbers and symbols.
inline constexpr std::string_view word_families = "Inter, 'Helvetica Neue', Arial, sans-serif";
inline constexpr std::string_view mono_families = "'JetBrains Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace";

// A whole document: its ground, and `body` cut at its edges.
struct Page {
    double width = 0, height = 0;
    std::string_view title = {}, description = {};
    std::uint32_t ground = 0;
};
std::string document(const Page& page, std::string_view body);

}  // namespace headcount::svg
