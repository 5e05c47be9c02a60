// What a student typed, read in any sensible form. What can be read in two ways is refused, with both.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/expr.hpp"

namespace headcount {

// "d*d_ff", "d·d_ff", "d × d_ff", "4d", "2^12", "4,096", "D * dff": symbols in any spelling that means one.
Result<Expr> typed_formula(std::string_view text);

struct TypedShape {
    Expr rows, columns;
};
// "100 x 4096", "100×4,096", "100 by 4096", "(100, 4096)", "100 rows, 4096 columns", "T x d", "T x (h·d_h)".
Result<TypedShape> typed_shape(std::string_view text);

// A number that was rounded: how many of what, and how far the last digit that was given reaches.
struct Rounded {
    long double value;   // in ones (bytes)
    long double step;    // one more of the last digit
    long double digits;  // as given, before its unit: 6.74 of "6.74 B"
    int significant;     // digits
    std::string unit;    // "B", "GiB", ...; as it is usually written
    long double ones;    // of the unit
};
struct TypedCount {
    std::optional<Expr> exact;       // a whole number or a formula
    std::optional<Rounded> rounded;  // a number with a unit, a decimal point, or zeros at its end
    std::string unit;                // behind the formula: "4*128 MiB"; empty where it is in ones
};
// "6,738,415,616", "6738415616", "6 738 415 616", "6.74 B", "6.7 billion", "86M", "2 GiB", "d·d_ff", "2*2*T*B B", "=
// 45,088,768 parameters". In a question about bytes B means bytes, else billions.
Result<TypedCount> typed_count(std::string_view text, bool bytes);

// "b, a, c", "B A C", "bac" as places; `count` of them, each once.
Result<std::vector<std::size_t>> typed_order(std::string_view text, std::size_t count);

// Spaces and signs of typesetting (no-break spaces, minus signs, superscripts) as plain ones, and no spaces around it.
std::string plain_text(std::string_view text);

}  // namespace headcount
