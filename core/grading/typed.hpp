// What a student typed, read in any sensible form. What can be read in two ways is refused, with both.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/expr.hpp"
#include "core/base/text.hpp"

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

// Of what was typed, and nowhere else.
inline Error typed_error(std::string what, std::string fix) { return {std::move(what), "", std::move(fix)}; }

inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool is_word(char c) { return is_digit(c) || is_letter(c); }

// Where the letters and digits from `at` on end.
std::size_t word_end(std::string_view text, std::size_t at);

// Commas, underscores and apostrophes between groups of three digits go; other commas stay.
std::string without_separators(std::string_view text);

// "6 738 415 616" and "6.738.415.616" as one number.
std::string joined_groups(std::string text);

// The symbol that a word means in any spelling: "d", "D", "d_model", "width"; nothing where it could be two.
std::optional<Symbol> symbol_of(std::string_view word);

// Words behind a number that say only what it counts.
inline constexpr std::array<std::string_view, 26> idle_words{
    "rows",    "row",    "columns", "column", "cols",    "col",      "parameters", "parameter", "params",
    "weights", "weight", "numbers", "values", "entries", "elements", "bytes",      "byte",      "cells",
    "tokens",  "token",  "layers",  "layer",  "heads",   "head",     "experts",    "expert"};

// "four" as 4; nothing for other words. From nought to twelve, in small letters or not.
std::optional<int> number_word(std::string_view word);

// One expression in the spelling that parse_expr takes.
Result<std::string> spelled(std::string_view typed);

// A decimal number and its unit, if the text is nothing else. In a question about bytes B means bytes, else billions.
std::optional<Rounded> typed_decimal(std::string_view text, bool bytes);

// Where the unit at the end of a text begins: of "2*T*B MiB" and "4*128MiB". Nothing where what stands at the end is no
// unit, or is a factor: "2*T*B".
std::optional<std::size_t> unit_at_end(std::string_view text, bool bytes);

// What a letter behind a number can mean besides what it is read as first: B is bytes, billions or the batch, T
// trillions or tokens, k thousands, 1,024 or experts. Spelled so that it can be read in one way only; who asks accepts
// whichever is right.
struct OtherReading {
    std::string text;
    std::optional<Symbol> symbol;  // that the letter at its end is taken for: "2*T*3 B" as "2*T*3*B"
};
std::vector<OtherReading> other_readings(std::string_view typed, bool bytes, const Bindings& numbers);

}  // namespace headcount
