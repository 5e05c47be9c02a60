// What a student typed, read in any sensible form.
#include "core/grading/typed.hpp"

#include <algorithm>

#include "core/base/find.hpp"
#include "core/base/utf8.hpp"
#include "core/lesson/rewrite.hpp"

namespace headcount {
namespace {

constexpr std::size_t longest = 400;

// Whether the x at `at` stands for "times": between numbers, brackets, spaces or symbols, not within a word (max).
bool is_cross(std::string_view text, std::size_t at) {
    if (text[at] != 'x' && text[at] != 'X') return false;
    std::size_t start = at;
    while (start > 0 && is_word(text[start - 1])) --start;
    const std::size_t end = word_end(text, at + 1);
    const std::string_view before = text.substr(start, at - start), behind = text.substr(at + 1, end - at - 1);
    const auto operand = [](std::string_view word) {
        return word.empty() || is_digit(word.front()) || symbol_of(word).has_value();
    };
    return operand(before) && operand(behind);
}

// Every sign between rows and columns as the one byte \x01 where it is outside of brackets, and as * within.
std::string with_crosses(std::string text) {
    replace_all(text, "×", "\x01");
    for (const std::string_view word : {" by ", " times ", " mal "})
        for (std::size_t at = lower(text).find(word); at != std::string::npos; at = lower(text).find(word))
            text.replace(at, word.size(), "\x01");
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (is_cross(text, i)) text[i] = '\x01';
        if (text[i] == '(') ++depth;
        if (text[i] == ')') --depth;
        if (text[i] == '\x01' && depth > 0) text[i] = '*';
    }
    return text;
}

// Brackets around everything: "(100, 4096)", "[100, 4096]".
std::string unwrapped(std::string text) {
    const bool round = text.starts_with('(') && text.ends_with(')'),
               square = text.starts_with('[') && text.ends_with(']');
    if (!round && !square) return text;
    int depth = 0;
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        if (text[i] == '(' || text[i] == '[') ++depth;
        if (text[i] == ')' || text[i] == ']') --depth;
        if (depth == 0) return text;
    }
    return plain_text(text.substr(1, text.size() - 2));
}

// The places of a sign that stand outside of brackets.
std::vector<std::size_t> outside(std::string_view text, std::string_view signs) {
    std::vector<std::size_t> places;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(') ++depth;
        if (text[i] == ')') --depth;
        if (depth == 0 && signs.find(text[i]) != std::string_view::npos) places.push_back(i);
    }
    return places;
}

// A shape has two sides, so one comma parts them: "100,128". Only "4,096" is one number: no side begins with 0.
std::vector<std::size_t> single_comma(std::string_view text) {
    std::vector<std::size_t> cuts = outside(text, ",;");
    const bool parts = cuts.size() == 1 && !plain_text(text.substr(cuts.front() + 1)).starts_with('0');
    return parts ? cuts : std::vector<std::size_t>();
}

// A number with a point and no unit: not how many of something.
Error fraction(const std::string& typed, std::string_view digits, const Rounded& read, bool bytes) {
    constexpr std::size_t group = 3;
    const std::size_t point = digits.find('.'), behind = digits.size() - point - 1;
    const bool commas = typed.find(',') != std::string::npos || typed.find('_') != std::string::npos;
    const std::string units = "say of what it is: million, billion" + std::string(bytes ? ", GiB" : "");
    // Three digits behind the point are thousands in one country, decimals in another.
    if (behind == group && point <= group && !commas)
        return typed_error(quote(typed) + " can be read in two ways", "write thousands with commas, or " + units);
    if (read.digits < 1000) return typed_error(quote(typed) + " has no unit", units);
    return typed_error(quote(typed) + " is no whole number", "give a whole one");
}

// "0,5 GiB", "1,25 GB" with points, as half of the world writes them: no thousands are behind such a comma.
std::string with_points(std::string text) {
    const std::size_t comma = text.find(',');
    if (comma == text.npos || comma == 0 || !is_digit(text[comma - 1]) ||
        text.find_first_of(",.(", comma + 1) != text.npos)
        return text;
    std::size_t begin = comma, end = comma + 1;
    while (begin > 0 && is_digit(text[begin - 1])) --begin;
    while (end < text.size() && is_digit(text[end])) ++end;
    const bool whole = begin == 0 && text.find('.') == text.npos && end > comma + 1;
    constexpr std::size_t thousands = 3;
    if (whole && (end - comma - 1 != thousands || text.starts_with("0,"))) text[comma] = '.';
    return text;
}

// A number that counts nothing: one below 0, or beyond what any model has.
std::optional<Error> no_count(std::string_view text) {
    const bool negative = text.starts_with('-');
    const std::string digits = without_separators(plain_text(text.substr(negative ? 1 : 0)));
    if (digits.empty() || !std::ranges::all_of(digits, is_digit)) return std::nullopt;
    if (negative) return typed_error(quote(text) + " is no count", "write a number above 0");
    constexpr std::size_t longest_count = 18;
    if (digits.size() <= longest_count) return std::nullopt;
    return typed_error(quote(text) + " is far too large", "write a smaller number");
}

}  // namespace

Result<Expr> typed_formula(std::string_view typed) {
    std::string text = plain_text(typed);
    if (text.size() > longest) return typed_error("this is too long", "give a shorter answer");
    if (const std::size_t equals = text.find('='); equals != std::string::npos)
        text = plain_text(text.substr(0, equals));
    if (const std::optional<Error> none = no_count(text)) return *none;
    text = with_crosses(std::move(text));
    std::ranges::replace(text, '\x01', '*');
    const Result<std::string> formula = spelled(text);
    if (!formula) return formula.error();
    Result<Expr> expr = parse_expr(*formula);
    if (!expr) return typed_error(expr.error().what, expr.error().fix);
    return expr;
}

Result<TypedShape> typed_shape(std::string_view typed) {
    std::string text = unwrapped(plain_text(typed));
    if (text.size() > longest) return typed_error("this is too long", "give rows x columns");
    text = with_crosses(std::move(text));
    std::vector<std::size_t> cuts = outside(text, "\x01");
    if (cuts.empty()) cuts = single_comma(text);
    if (cuts.empty()) {
        // Of several commas those between groups of thousands do not part rows from columns.
        text = without_separators(text);
        cuts = outside(text, ",;");
    }
    if (cuts.empty()) cuts = outside(text, "*");
    const bool signs = !cuts.empty();
    if (!signs) cuts = outside(text, " ");
    const std::string fix = "write rows x columns, such as 100 x 64 or T x d";
    if (!signs && cuts.size() > 1) return typed_error(quote(plain_text(typed)) + " is not read as a shape", fix);
    if (cuts.empty())
        return typed_error(quote(plain_text(typed)) + " is one number; a shape has rows and columns", fix);
    if (cuts.size() > 1)
        return typed_error(quote(plain_text(typed)) + " has more than two sides",
                           "write rows x columns, and a product in brackets: T x (h*d_h)");
    for (const auto& [side, name] :
         {std::pair(text.substr(0, cuts.front()), "rows"), {text.substr(cuts.front() + 1), "columns"}})
        if (plain_text(side).empty()) return typed_error("the " + std::string(name) + " are missing", fix);
    const Result<Expr> rows = typed_formula(text.substr(0, cuts.front()));
    if (!rows) return rows.error();
    const Result<Expr> columns = typed_formula(text.substr(cuts.front() + 1));
    if (!columns) return columns.error();
    return TypedShape{*rows, *columns};
}

Result<TypedCount> typed_count(std::string_view typed, bool bytes) {
    std::string text = plain_text(typed);
    if (text.size() > longest) return typed_error("this is too long", "give a number");
    if (const std::size_t equals = text.rfind('='); equals != std::string::npos)
        text = plain_text(text.substr(equals + 1));
    for (std::string_view about : {"~", "about ", "ca. ", "approximately "})
        if (lower(text).starts_with(about)) text = plain_text(text.substr(about.size()));
    // "536,870,912 bytes (512 MiB)", as the key has it: the same again in another unit.
    if (const std::size_t again = text.rfind(" ("); again != std::string::npos && text.ends_with(')')) {
        const auto other = typed_decimal(without_separators(text.substr(again + 2, text.size() - again - 3)), bytes);
        if (other && (bytes || !other->unit.empty())) text.resize(again);
    }
    text = without_separators(joined_groups(with_points(std::move(text))));
    TypedCount count;
    count.rounded = typed_decimal(text, bytes);
    if (const std::size_t point = text.find('.'); count.rounded && count.rounded->unit.empty() && point != text.npos) {
        const std::size_t end = word_end(text, point + 1);
        const bool nothing = end - point - 1 != 3 && text.find_first_not_of('0', point + 1) >= end;  // "4096.0"
        if (!nothing) return fraction(plain_text(typed), text.substr(0, end), *count.rounded, bytes);
        text.resize(point);
        count.rounded = typed_decimal(text, bytes);
    }
    if (count.rounded && !count.rounded->unit.empty()) return count;
    if (const std::optional<Rounded> size = bytes || count.rounded ? std::nullopt : typed_decimal(text, true))
        return typed_error(quote(plain_text(typed)) + " is a size in bytes; how many there are is asked",
                           "give a number, such as 6.74 billion");
    // "512 M" of bytes is one of two.
    const bool letter = text.size() > 1 && is_letter(text.back()) && !is_letter(text[text.size() - 2]);
    if (bytes && letter && !count.rounded && typed_decimal(text, false)) {
        const std::string power = capitalized(text.substr(text.size() - 1));
        return typed_error(quote(plain_text(typed)) + " can be read in two ways",
                           "write " + power + "B or " + power + "iB");
    }
    if (const std::optional<std::size_t> unit = unit_at_end(text, bytes)) {
        const Result<Expr> formula = typed_formula(std::string_view(text).substr(0, *unit));
        // Of how many there are, a B behind symbols is one more of them.
        if (formula && (bytes || symbols_in(*formula).empty())) {
            count.exact = *formula;
            count.unit = text.substr(*unit);
            // "1/2 GiB" is no whole number of GiB.
            if (const auto one = typed_decimal("1 " + count.unit, bytes);
                one && formula->kind() == Expr::Kind::divide) {
                count.exact = formula->left() * Expr(static_cast<std::int64_t>(one->ones)) / formula->right();
                count.unit.clear();
            }
            return count;
        }
    }
    const Result<Expr> exact = typed_formula(text);
    if (!exact) return exact.error();
    count.exact = *exact;
    return count;
}

Result<std::vector<std::size_t>> typed_order(std::string_view typed, std::size_t count) {
    std::vector<std::size_t> order;
    for (char c : lower(plain_text(typed))) {
        if (c == ' ' || c == ',' || c == ';' || c == '.' || c == '-' || c == '>' || c == ')' || c == '(') continue;
        const std::size_t place = c >= 'a' && c <= 'z' ? static_cast<std::size_t>(c - 'a') : count;
        if (place >= count)
            return typed_error(
                quote(std::string_view(&c, 1)) + " is none of the steps",
                "give the letters a to " + std::string(1, static_cast<char>('a' + count - 1)) + " in order");
        if (contains(order, place))
            return typed_error("step " + std::string(1, c) + " stands there twice", "give each letter once");
        order.push_back(place);
    }
    if (order.size() != count)
        return typed_error(std::to_string(order.size()) + " of " + std::to_string(count) + " steps are given",
                           "give every letter once, the first step first");
    return order;
}

}  // namespace headcount
