// Expressions as text: printing in symbols and in numbers, and parsing.
#include <algorithm>
#include <cctype>
#include <iterator>

#include "core/base/expr.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

enum class Precedence { sum, product, leaf };

// How an operation stands in a formula: between its sides, or as a name before them.
struct Sign {
    Expr::Kind kind;
    Precedence precedence;
    std::string_view text;
};
constexpr Sign signs[] = {
    {Expr::Kind::add, Precedence::sum, " + "},        {Expr::Kind::subtract, Precedence::sum, " - "},
    {Expr::Kind::multiply, Precedence::product, "·"}, {Expr::Kind::divide, Precedence::product, "/"},
    {Expr::Kind::floor, Precedence::leaf, "⌊"},       {Expr::Kind::ceil_to, Precedence::leaf, "ceil_to"},
    {Expr::Kind::min, Precedence::leaf, "min"},       {Expr::Kind::max, Precedence::leaf, "max"}};

// Of any kind but integer and symbol.
const Sign& sign_of(Expr::Kind kind) { return *std::ranges::find(signs, kind, &Sign::kind); }

// Of a quotient that is rounded up what is divided, ⌈d/128⌉: of how many blocks of 128 a row of d is.
const Expr* rounded_up(const Expr& expr) {
    if (expr.kind() != Expr::Kind::divide || expr.left().kind() != Expr::Kind::ceil_to) return nullptr;
    return expr.left().right() == expr.right() ? &expr.left().left() : nullptr;
}

Precedence precedence(const Expr& expr) {
    return expr.is_leaf() || rounded_up(expr) ? Precedence::leaf : sign_of(expr.kind()).precedence;
}

// Whether a product, read from the left, divides before it multiplies: b / c·e.
bool starts_with_division(const Expr& expr) {
    if (precedence(expr) != Precedence::product) return false;
    return expr.kind() == Expr::Kind::divide || starts_with_division(expr.left());
}

class Printer {
  public:
    explicit Printer(const Bindings* numbers) : numbers_(numbers) {}

    std::vector<FormulaPiece> print(const Expr& expr) {
        write(expr);
        return std::move(pieces_);
    }

  private:
    void write(const Expr& expr) {
        if (expr.kind() == Expr::Kind::integer) return text(std::to_string(expr.integer()));
        if (expr.kind() == Expr::Kind::symbol) {
            pieces_.push_back({symbol_text(expr.symbol()), expr.symbol()});
            return;
        }
        if (expr.kind() == Expr::Kind::floor) {
            text("⌊");
            infix(expr.left(), expr.right(), Expr::Kind::divide);
            return text("⌋");
        }
        const Sign& sign = sign_of(expr.kind());
        if (const Expr* const divided = rounded_up(expr)) {
            text("⌈");
            infix(*divided, expr.right(), Expr::Kind::divide);
            return text("⌉");
        }
        if (precedence(expr) == Precedence::leaf)
            call(sign.text, expr);
        else
            infix(expr.left(), expr.right(), expr.kind());
    }

    std::string symbol_text(Symbol symbol) const {
        std::optional<std::int64_t> value = numbers_ ? (*numbers_)[symbol] : std::nullopt;
        return value ? std::to_string(*value) : std::string(info(symbol).text);
    }

    void text(std::string_view words) {
        if (!pieces_.empty() && !pieces_.back().symbol)
            pieces_.back().text += words;
        else
            pieces_.push_back({std::string(words), std::nullopt});
    }

    void infix(const Expr& left, const Expr& right, Expr::Kind kind) {
        const Sign& sign = sign_of(kind);
        side(left, precedence(left) < sign.precedence);
        text(sign.text);
        // a - (b + c), a / (b·c) and a·(b / c), which rounds, keep their brackets; a + (b + c) and a·(b·c) need none,
        // but a·(b / c·e) does.
        bool associative = right.kind() == kind &&
                           (kind == Expr::Kind::add || (kind == Expr::Kind::multiply && !starts_with_division(right)));
        side(right, precedence(right) <= sign.precedence && !associative);
    }

    void side(const Expr& expr, bool bracketed) {
        if (bracketed) text("(");
        write(expr);
        if (bracketed) text(")");
    }

    void call(std::string_view name, const Expr& expr) {
        text(name);
        text("(");
        write(expr.left());
        text(", ");
        write(expr.right());
        text(")");
    }

    const Bindings* numbers_;
    std::vector<FormulaPiece> pieces_;
};

std::string joined(const std::vector<FormulaPiece>& pieces) {
    std::string text;
    for (const FormulaPiece& piece : pieces) text += piece.text;
    return text;
}

// Recursive descent over: sum = product {(+|-) product}; product = leaf {(*|·|×|/) leaf};
// leaf = integer | symbol | name(sum, sum) | (sum) | ⌊sum⌋ | ⌈sum⌉, of which the sum is a quotient.
class Parser {
  public:
    explicit Parser(std::string_view text) : text_(text) {}

    Result<Expr> parse() {
        Result<Expr> expr = sum(0);
        if (!expr) return expr;
        skip_spaces();
        if (at_ < text_.size()) return wrong("write one of + - * / between two numbers");
        return expr;
    }

  private:
    static constexpr int deepest = 64;       // brackets in brackets
    static constexpr int most_leaves = 256;  // longer texts are not formulas, and trees this deep are safe to walk

    Result<Expr> sum(int depth) {
        Result<Expr> left = product(depth);
        while (left) {
            bool plus = take("+");
            if (!plus && !take("-")) break;
            Result<Expr> right = product(depth);
            if (!right) return right;
            left = plus ? *left + *right : *left - *right;
        }
        return left;
    }

    Result<Expr> product(int depth) {
        Result<Expr> left = leaf(depth);
        while (left) {
            bool times = take("*") || take("·") || take("×");
            if (!times && !take("/")) break;
            Result<Expr> right = leaf(depth);
            if (!right) return right;
            left = times ? *left * *right : *left / *right;
        }
        return left;
    }

    Result<Expr> leaf(int depth) {
        skip_spaces();
        if (depth > deepest || ++leaves_ > most_leaves) return wrong("write a shorter formula");
        if (take("(")) {
            Result<Expr> inner = sum(depth + 1);
            if (inner && !take(")")) return wrong("close the bracket with )");
            return inner;
        }
        const bool down = take("⌊");
        if (down || take("⌈")) return rounded(depth, down);
        std::string_view word = take_word();
        if (word.empty()) return wrong("write a number, or a symbol such as d, there");
        if (std::isdigit(static_cast<unsigned char>(word.front()))) return integer(word);
        if (take("(")) return call(word, depth);
        for (const SymbolInfo& symbol : symbols())
            if (word == symbol.text || word == symbol.key) return Expr(symbol.symbol);
        at_ -= word.size();
        return unknown_symbol(word);
    }

    Result<Expr> rounded(int depth, bool down) {
        Result<Expr> quotient = sum(depth + 1);
        if (!quotient) return quotient;
        if (!take(down ? "⌋" : "⌉")) return wrong(std::string("close the bracket with ") + (down ? "⌋" : "⌉"));
        if (quotient->kind() != Expr::Kind::divide) return quotient;  // "⌊d/1⌋" is whole
        const Expr &above = quotient->left(), &below = quotient->right();
        return down ? floor_of(above, below) : ceil_to(above, below) / below;
    }

    Result<Expr> integer(std::string_view word) {
        Result<std::int64_t> value = parse_whole_number(word, "character " + std::to_string(at_ - word.size() + 1), 0);
        if (!value) return value.error();
        return Expr(*value);
    }

    Result<Expr> call(std::string_view name, int depth) {
        const Sign* named = std::ranges::find(signs, name, &Sign::text);
        if (named == std::end(signs)) return wrong("write * before the bracket; only ceil_to, min and max need none");
        Result<Expr> left = sum(depth + 1);
        if (!left) return left;
        if (!take(",")) return wrong("write a comma and a second number");
        Result<Expr> right = sum(depth + 1);
        if (!right) return right;
        if (!take(")")) return wrong("close the bracket with )");
        return Expr(named->kind, *left, *right);
    }

    void skip_spaces() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    }

    bool take(std::string_view sign) {
        skip_spaces();
        if (!text_.substr(at_).starts_with(sign)) return false;
        at_ += sign.size();
        return true;
    }

    std::string_view take_word() {
        std::size_t start = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
        return text_.substr(start, at_ - start);
    }

    // Said to students, who know no grammar: from where on it cannot be read, and what to write there.
    Error wrong(std::string fix) const {
        const std::string from =
            at_ < text_.size() ? " cannot be read from " + quote(text_.substr(at_, 8)) + " on" : " ends too early";
        return {"the formula " + quote(text_) + from, "character " + std::to_string(at_ + 1), std::move(fix)};
    }

    Error unknown_symbol(std::string_view word) const {
        std::vector<std::string_view> known;
        for (const SymbolInfo& symbol : symbols()) known.push_back(symbol.text);
        return {"unknown symbol " + quote(word), "character " + std::to_string(at_ + 1),
                did_you_mean(word, known, "write a number, or a symbol such as d, L, h")};
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int leaves_ = 0;
};

}  // namespace

std::vector<FormulaPiece> pieces_in_symbols(const Expr& expr) { return Printer(nullptr).print(expr); }

std::vector<FormulaPiece> pieces_in_numbers(const Expr& expr, const Bindings& bindings) {
    return Printer(&bindings).print(expr);
}

std::string in_symbols(const Expr& expr) { return joined(pieces_in_symbols(expr)); }
std::string in_numbers(const Expr& expr, const Bindings& bindings) { return joined(pieces_in_numbers(expr, bindings)); }

Result<Expr> parse_expr(std::string_view text) { return Parser(text).parse(); }

}  // namespace headcount
