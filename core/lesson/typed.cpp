// What a student typed, read in any sensible form.
#include "core/lesson/typed.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "core/base/checked.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::size_t longest = 400;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_word(char c) {
    return is_digit(c) || is_letter(c);
}
std::string lower(std::string_view text) {
    std::string low(text);
    std::transform(low.begin(), low.end(), low.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return low;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

Error wrong(std::string what, std::string fix) {
    return {std::move(what), "", std::move(fix)};
}

// What else a symbol is called.
struct Alias {
    std::string_view word;
    Symbol symbol;
};
constexpr std::array<Alias, 22> aliases{
    {{"dh", Symbol::head_dim},       {"d_head", Symbol::head_dim},  {"dff", Symbol::ffn_dim},
     {"d_ffn", Symbol::ffn_dim},     {"hkv", Symbol::kv_heads},     {"n_kv", Symbol::kv_heads},
     {"d_model", Symbol::dim},       {"dmodel", Symbol::dim},       {"hidden_size", Symbol::dim},
     {"n_embd", Symbol::dim},        {"width", Symbol::dim},        {"n_heads", Symbol::heads},
     {"n_head", Symbol::heads},      {"n_layers", Symbol::layers},  {"n_layer", Symbol::layers},
     {"vocab_size", Symbol::vocab},  {"seq_len", Symbol::tokens},   {"seq", Symbol::tokens},
     {"token", Symbol::tokens},      {"vocabulary", Symbol::vocab}, {"batch_size", Symbol::batch},
     {"head_size", Symbol::head_dim}}};

std::optional<Symbol> symbol_of(std::string_view word) {
    for (const SymbolInfo& symbol : symbols())
        if (word == symbol.text || word == symbol.key) return symbol.symbol;
    const std::string low = lower(word);
    for (const Alias& alias : aliases)
        if (low == alias.word) return alias.symbol;
    std::optional<Symbol> found;
    for (const SymbolInfo& symbol : symbols()) {
        if (low != lower(symbol.text)) continue;
        if (found) return std::nullopt;  // in two ways
        found = symbol.symbol;
    }
    return found;
}

// Words behind a number that say only what it counts.
constexpr std::array<std::string_view, 18> idle_words{
    "rows",    "row",    "columns", "column", "cols",    "col",      "parameters", "parameter", "params",
    "weights", "weight", "numbers", "values", "entries", "elements", "bytes",      "byte",      "cells"};

// 4k, 4M and the like, which can be read in two ways, or "4d", which means 4·d.
Result<std::string> digits_with_letters(std::string_view word) {
    const std::size_t end = static_cast<std::size_t>(
        std::find_if(word.begin(), word.end(), [](char c) { return !is_digit(c) && c != '_'; }) - word.begin());
    const std::string number(word.substr(0, end)), letters(word.substr(end));
    if (letters.empty()) return number;
    struct Ambiguous {
        std::string_view letters;
        std::int64_t decimal, binary;
    };
    constexpr std::array<Ambiguous, 3> ambiguous{
        {{"k", 1000, 1024}, {"m", 1'000'000, 1 << 20}, {"g", 1'000'000'000, 1 << 30}}};
    for (const Ambiguous& each : ambiguous) {
        if (lower(letters) != each.letters) continue;
        const Result<std::int64_t> ones = parse_whole_number(number, "", 0);
        if (!ones) return ones.error();
        const auto thousands = checked_multiply(*ones, each.decimal), binary = checked_multiply(*ones, each.binary);
        if (thousands && binary)
            return wrong("\"" + std::string(word) + "\" can be read in two ways",
                         grouped(*thousands) + " or " + grouped(*binary) + "? Write the number out");
    }
    if (symbol_of(letters)) return number + "*" + letters;
    return wrong("\"" + std::string(word) + "\" cannot be read", "write the number out");
}

// Commas, underscores and apostrophes between groups of three digits go; other commas stay.
std::string without_separators(std::string_view text) {
    std::string plain;
    int calls = 0;  // in ceil_to(...) commas part the operands
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '(' && (calls > 0 || (i > 0 && is_letter(text[i - 1])))) ++calls;
        if (c == ')' && calls > 0) --calls;
        const auto digits_behind = [&] {
            std::size_t end = i + 1;
            while (end < text.size() && is_digit(text[end])) ++end;
            return end - i - 1;
        };
        const bool separates = c == ',' || c == '\'' || c == '_';
        if (separates && calls == 0 && !plain.empty() && is_digit(plain.back()) && digits_behind() == 3) continue;
        plain += c;
    }
    return plain;
}

std::size_t word_end(std::string_view text, std::size_t at) {
    while (at < text.size() && is_word(text[at])) ++at;
    return at;
}

// Powers written out: 2^12 as 4096, d^2 as d*d.
Result<std::string> power(const std::string& base, std::string_view exponent) {
    const Result<std::int64_t> times = parse_whole_number(exponent, "", 0);
    if (!times || *times > 64) return wrong("the power ^" + std::string(exponent) + " is too large", "write it out");
    if (!base.empty() && is_digit(base.front())) {
        const Result<std::int64_t> number = parse_whole_number(base, "", 0);
        if (!number) return number.error();
        std::optional<std::int64_t> product = 1;
        for (std::int64_t i = 0; product && i < *times; ++i) product = checked_multiply(*product, *number);
        if (product) return std::to_string(*product);
        return wrong(base + "^" + std::string(exponent) + " does not fit in 64 bits", "give a smaller number");
    }
    if (base.empty() || *times < 1 || *times > 8) return wrong("this power cannot be read", "write it as a product");
    std::string product = base;
    for (std::int64_t i = 1; i < *times; ++i) product += "*" + base;
    return "(" + product + ")";
}

// One expression in the spelling that parse_expr takes.
Result<std::string> spelled(std::string_view typed) {
    const std::string text = without_separators(typed);
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] == '.' && i > 0 && is_digit(text[i - 1]))
            return wrong("\"" + std::string(typed) + "\" has a point in it",
                         "write whole numbers, with commas between thousands or without");
        if (!is_word(text[i])) {
            out += text[i++];
            continue;
        }
        const std::size_t end = word_end(text, i);
        std::string word = text.substr(i, end - i);
        i = end;
        if (is_digit(word.front())) {
            const Result<std::string> number = digits_with_letters(word);
            if (!number) return number;
            word = *number;
        } else if (const std::optional<Symbol> symbol = symbol_of(word)) {
            word = info(*symbol).text;
        } else if (std::find(idle_words.begin(), idle_words.end(), lower(word)) != idle_words.end()) {
            continue;
        }
        if (i < text.size() && text[i] == '^') {
            const std::size_t last = word_end(text, i + 1);
            const Result<std::string> product = power(word, std::string_view(text).substr(i + 1, last - i - 1));
            if (!product) return product;
            word = *product;
            i = last;
        }
        out += word;
    }
    return out;
}

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
    for (std::size_t at = lower(text).find(" by "); at != std::string::npos; at = lower(text).find(" by "))
        text.replace(at, 4, "\x01");
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

struct Unit {
    std::string_view word, written;
    long double ones;
};
constexpr std::array<Unit, 18> count_units{{{"k", "K", 1e3L},
                                            {"thousand", "K", 1e3L},
                                            {"m", "M", 1e6L},
                                            {"mn", "M", 1e6L},
                                            {"mio", "M", 1e6L},
                                            {"mil", "M", 1e6L},
                                            {"million", "M", 1e6L},
                                            {"millions", "M", 1e6L},
                                            {"b", "B", 1e9L},
                                            {"bn", "B", 1e9L},
                                            {"g", "B", 1e9L},
                                            {"mrd", "B", 1e9L},
                                            {"billion", "B", 1e9L},
                                            {"billions", "B", 1e9L},
                                            {"t", "T", 1e12L},
                                            {"tn", "T", 1e12L},
                                            {"trillion", "T", 1e12L},
                                            {"trillions", "T", 1e12L}}};
constexpr std::array<Unit, 11> byte_units{{{"b", "B", 1},
                                           {"bytes", "B", 1},
                                           {"byte", "B", 1},
                                           {"kb", "KB", 1e3L},
                                           {"mb", "MB", 1e6L},
                                           {"gb", "GB", 1e9L},
                                           {"tb", "TB", 1e12L},
                                           {"kib", "KiB", 1024.0L},
                                           {"mib", "MiB", 1048576.0L},
                                           {"gib", "GiB", 1073741824.0L},
                                           {"tib", "TiB", 1099511627776.0L}}};

// A decimal number and its unit, if the text is nothing else.
std::optional<Rounded> decimal(std::string_view text, bool bytes) {
    std::size_t end = 0;
    while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
    const std::string_view number = text.substr(0, end);
    const std::size_t point = number.find('.');
    if (number.empty() || !is_digit(number.front()) || number.size() > 18 ||
        std::count(number.begin(), number.end(), '.') > 1)
        return std::nullopt;
    std::string unit = lower(plain_text(text.substr(end)));
    for (std::string_view idle : idle_words) {
        const std::string tail = " " + std::string(idle);
        if (unit.ends_with(tail) && !(bytes && unit == idle)) unit.resize(unit.size() - tail.size());
        if (unit == idle && !bytes) unit.clear();
    }
    Rounded rounded{0, 1, 0, 0, "", 1};
    const auto units = bytes ? std::span<const Unit>(byte_units) : std::span<const Unit>(count_units);
    const auto found = std::find_if(units.begin(), units.end(), [&](const Unit& each) { return each.word == unit; });
    if (!unit.empty() && found == units.end()) return std::nullopt;
    if (!unit.empty()) {
        rounded.unit = found->written;
        rounded.ones = found->ones;
    }
    std::string digits;
    for (char c : number)
        if (c != '.') digits += c;
    const std::size_t decimals = point == std::string_view::npos ? 0 : number.size() - point - 1;
    rounded.step = std::pow(10.0L, -static_cast<long double>(decimals));
    rounded.digits = std::stold(digits) * rounded.step;
    // Zeros at the end of a whole number say nothing about how exact it is.
    const std::size_t first = digits.find_first_not_of('0');
    std::size_t last = digits.size();
    if (decimals == 0)
        while (last > 0 && digits[last - 1] == '0') {
            --last;
            rounded.step *= 10;
        }
    rounded.significant = first == std::string::npos || last < first ? 0 : static_cast<int>(last - first);
    rounded.value = rounded.digits * rounded.ones;
    rounded.step *= rounded.ones;
    return rounded;
}

// "6 738 415 616" and "6.738.415.616" as one number.
std::string joined_groups(std::string text) {
    for (const char separator : {' ', '.'}) {
        std::string joined;
        std::size_t groups = 0;
        bool whole = true;
        for (std::size_t i = 0; i < text.size() && whole; ++i) {
            if (text[i] != separator) {
                joined += text[i];
                whole = is_digit(text[i]);
                continue;
            }
            std::size_t end = i + 1;
            while (end < text.size() && is_digit(text[end])) ++end;
            whole = end - i - 1 == 3 && !joined.empty();
            ++groups;
        }
        if (whole && groups >= (separator == '.' ? 2u : 1u)) return joined;
    }
    return text;
}

}  // namespace

std::string plain_text(std::string_view typed) {
    std::string text(typed);
    constexpr std::array<std::pair<std::string_view, std::string_view>, 22> plain{
        {{"\u00a0", " "}, {"\u2009", " "}, {"\u202f", " "}, {"\u2007", " "}, {"\t", " "}, {"\r", " "},
         {"\n", " "},     {"−", "-"},      {"–", "-"},      {"∗", "*"},      {"⋅", "·"},  {"•", "·"},
         {"∙", "·"},      {"✕", "×"},      {"✖", "×"},      {"²", "^2"},     {"³", "^3"}, {"÷", "/"},
         {"’", "'"},      {"≈", "~"},      {"**", "^"},     {"\u2217", "*"}}};
    for (const auto& [from, to] : plain) replace_all(text, from, to);
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

Result<Expr> typed_formula(std::string_view typed) {
    std::string text = plain_text(typed);
    if (text.size() > longest) return wrong("this is too long", "give a shorter answer");
    if (const std::size_t equals = text.find('='); equals != std::string::npos)
        text = plain_text(text.substr(0, equals));
    text = with_crosses(std::move(text));
    std::replace(text.begin(), text.end(), '\x01', '*');
    const Result<std::string> formula = spelled(text);
    if (!formula) return formula.error();
    Result<Expr> expr = parse_expr(*formula);
    if (!expr) return wrong(expr.error().what, expr.error().fix);
    return expr;
}

Result<TypedShape> typed_shape(std::string_view typed) {
    std::string text = unwrapped(plain_text(typed));
    if (text.size() > longest) return wrong("this is too long", "give rows x columns");
    text = with_crosses(std::move(text));
    std::vector<std::size_t> cuts = outside(text, "\x01");
    if (cuts.empty()) {
        // A comma between groups of thousands does not part rows from columns.
        text = without_separators(text);
        cuts = outside(text, ",;");
    }
    if (cuts.empty()) cuts = outside(text, "*");
    if (cuts.empty()) cuts = outside(text, " ");
    const std::string fix = "write rows x columns, such as 100 x 64 or T x d";
    if (cuts.empty()) return wrong("\"" + plain_text(typed) + "\" is one number; a shape has rows and columns", fix);
    if (cuts.size() > 1)
        return wrong("\"" + plain_text(typed) + "\" has more than two sides",
                     "write rows x columns, and a product in brackets: T x (h*d_h)");
    const Result<Expr> rows = typed_formula(text.substr(0, cuts.front()));
    if (!rows) return rows.error();
    const Result<Expr> columns = typed_formula(text.substr(cuts.front() + 1));
    if (!columns) return columns.error();
    return TypedShape{*rows, *columns};
}

Result<TypedCount> typed_count(std::string_view typed, bool bytes) {
    std::string text = plain_text(typed);
    if (text.size() > longest) return wrong("this is too long", "give a number");
    if (const std::size_t equals = text.rfind('='); equals != std::string::npos)
        text = plain_text(text.substr(equals + 1));
    for (std::string_view about : {"~", "about ", "ca. ", "approximately "})
        if (lower(text).starts_with(about)) text = plain_text(text.substr(about.size()));
    text = without_separators(joined_groups(std::move(text)));
    TypedCount count;
    count.rounded = decimal(text, bytes);
    const bool whole = count.rounded && count.rounded->unit.empty() && text.find('.') == std::string::npos;
    if (count.rounded && !whole) {
        // One point with three digits behind it and no unit: thousands in one country, decimals in another.
        if (count.rounded->unit.empty())
            return wrong("\"" + plain_text(typed) + "\" can be read in two ways",
                         "write thousands with commas, or say of what it is: million, billion" +
                             std::string(bytes ? ", GiB" : ""));
        return count;
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
            return wrong("\"" + std::string(1, c) + "\" is none of the steps",
                         "give the letters a to " + std::string(1, static_cast<char>('a' + count - 1)) + " in order");
        if (std::find(order.begin(), order.end(), place) != order.end())
            return wrong("step " + std::string(1, c) + " stands there twice", "give each letter once");
        order.push_back(place);
    }
    if (order.size() != count)
        return wrong(std::to_string(order.size()) + " of " + std::to_string(count) + " steps are given",
                     "give every letter once, the first step first");
    return order;
}

}  // namespace headcount
