// How numbers, colours and foreign text are written in an SVG document. Only app/canvas/svg*.cpp include this.
#pragma once

#include <string>
#include <string_view>

#include "app/canvas/drawing.hpp"

namespace headcount::svg {

// At most two decimals, a point whatever the locale: "3", "0.5", "-12.25". Never "-0".
std::string number(double value);

// As XML text or a quoted attribute. What XML cannot hold becomes U+FFFD.
std::string escaped(std::string_view text);

// ` name="value"`.
std::string attribute(std::string_view name, std::string_view value);
std::string attribute(std::string_view name, double value);

// ` fill="#rrggbb"`, with ` fill-opacity="0.5"` where the colour is not opaque; "none" where it is not seen at all.
std::string paint(std::string_view name, Rgba colour);

inline unsigned alpha(Rgba colour) {
    return colour >> 24U;
}

// The letters of a path, absolute.
class Path {
  public:
    Path& move(double x, double y) { return add('M', {x, y}); }
    Path& line(double x, double y) { return add('L', {x, y}); }
    Path& across(double x) { return add('H', {x}); }
    Path& down(double y) { return add('V', {y}); }
    Path& corner(double radius, double x, double y) { return add('A', {radius, radius, 0, 0, 1, x, y}); }  // clockwise
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

// One box, in pixels of the document: `middle` is where the drawing's plane has its origin.
std::string box(const Box& box, const Drawing& drawing, Point middle);

// The cells of its pattern that lie within its border.
std::string cells(const Box& box, const Drawing& drawing, Point middle);

}  // namespace headcount::svg
