// Typed text as letters and digits, and formulas as people spell them: other names of symbols, 4d, 2^12, words that
// only say what is counted.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/grading/typed.hpp"

namespace headcount {
namespace {

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

constexpr std::string_view between = "write · or * between factors";

// "Vd" as "V*d": symbols one behind the other, if they can be read in one way only.
std::optional<std::string> product_of_symbols(std::string_view letters) {
    constexpr std::size_t longest = 24;
    if (letters.empty() || letters.size() > longest) return std::nullopt;
    std::vector<int> ways(letters.size() + 1, 0);
    std::vector<std::string> product(letters.size() + 1);
    ways.front() = 1;
    for (std::size_t end = 1; end <= letters.size(); ++end)
        for (const SymbolInfo& each : symbols()) {
            if (!letters.substr(0, end).ends_with(each.text)) continue;
            const std::size_t start = end - each.text.size();
            if (ways[start] == 0) continue;
            ways[end] = std::min(2, ways[end] + ways[start]);
            product[end] = product[start] + (start > 0 ? "*" : "") + std::string(each.text);
        }
    return ways.back() == 1 ? std::optional(product.back()) : std::nullopt;
}

// Whether what is read so far ends with an operand, spaces behind it aside: a symbol behind it is a factor.
bool ends_with_operand(std::string_view out) {
    while (out.ends_with(' ')) out.remove_suffix(1);
    return !out.empty() && (is_word(out.back()) || out.back() == ')');
}

// 4k, 4M and the like, which can be read in two ways, or "4d", which means 4·d.
Result<std::string> digits_with_letters(std::string_view word) {
    const std::size_t end = static_cast<std::size_t>(
        std::ranges::find_if(word, [](char c) { return !is_digit(c) && c != '_'; }) - word.begin());
    const std::string number(word.substr(0, end)), letters(word.substr(end));
    if (letters.empty()) return number;
    constexpr std::string_view thousands_or_more = "kmg";  // "4kd" may be 4,000·d
    const bool power = thousands_or_more.find(lower(letters).front()) != std::string_view::npos;
    if (power && letters.size() == 1)
        if (const Result<std::int64_t> either = parse_whole_number(word, "", 0); !either) return either.error();
    if (symbol_of(letters)) return number + "*" + letters;
    if (!power)
        if (const auto product = product_of_symbols(letters)) return number + "*" + *product;
    return typed_error(quote(word) + " cannot be read", "write the number out, or " + std::string(between));
}

// Powers written out: 2^12 as 4096, d^2 as d*d.
Result<std::string> power(const std::string& base, std::string_view exponent) {
    const Result<std::int64_t> times = parse_whole_number(exponent, "", 0);
    if (!times || *times > 64)
        return typed_error("the power ^" + std::string(exponent) + " is too large", "write it out");
    if (!base.empty() && is_digit(base.front())) {
        const Result<std::int64_t> number = parse_whole_number(base, "", 0);
        if (!number) return number.error();
        std::optional<std::int64_t> product = 1;
        for (std::int64_t i = 0; product && i < *times; ++i) product = checked_multiply(*product, *number);
        if (product) return std::to_string(*product);
        return typed_error(base + "^" + std::string(exponent) + " does not fit in 64 bits", "give a smaller number");
    }
    if (base.empty() || *times < 1 || *times > 8)
        return typed_error("this power cannot be read", "write it as a product");
    std::string product = base;
    for (std::int64_t i = 1; i < *times; ++i) product += "*" + base;
    return "(" + product + ")";
}

}  // namespace

std::optional<int> number_word(std::string_view word) {
    constexpr std::array<std::string_view, 13> words{"zero",  "one",   "two",  "three", "four",   "five",  "six",
                                                     "seven", "eight", "nine", "ten",   "eleven", "twelve"};
    const auto found = std::ranges::find(words, lower(word));
    return found == words.end() ? std::nullopt : std::optional(static_cast<int>(found - words.begin()));
}

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

Result<std::string> spelled(std::string_view typed) {
    const std::string text = without_separators(typed);
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] == '.' && i > 0 && is_digit(text[i - 1]))
            return typed_error(quote(typed) + " has a point in it",
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
        } else if (const std::optional<int> number = number_word(word)) {
            word = std::to_string(*number);
        } else if (const bool idle = std::find(idle_words.begin(), idle_words.end(), lower(word)) != idle_words.end();
                   idle && (ends_with_operand(out) || !symbol_of(word))) {
            continue;  // "32 layers", but "2*layers"
        } else if (const std::optional<Symbol> symbol = symbol_of(word)) {
            if (word == info(*symbol).text && ends_with_operand(out)) out += '*';  // "2 L"
            word = info(*symbol).text;
        } else if (const auto product = product_of_symbols(word); product && !text.substr(i).starts_with('(')) {
            word = *product;
            if (ends_with_operand(out)) out += '*';
        }
        if (i < text.size() && text[i] == '^') {
            const std::size_t last_factor = word.rfind('*') + 1;  // of "V*d^2" only d is squared; 0 where it is alone
            out += word.substr(0, last_factor);
            word.erase(0, last_factor);
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

std::size_t word_end(std::string_view text, std::size_t at) {
    while (at < text.size() && is_word(text[at])) ++at;
    return at;
}

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

}  // namespace headcount
