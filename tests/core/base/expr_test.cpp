// Expressions: how they print, parse and evaluate, and what they say when they cannot.
#include "core/base/expr.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/core/base/limits.hpp"

namespace headcount {
namespace {

using testing_data::largest;

Bindings llama_7b() {
    Bindings values;
    values.set(Symbol::dim, 4096);
    values.set(Symbol::layers, 32);
    values.set(Symbol::heads, 32);
    values.set(Symbol::kv_heads, 32);
    values.set(Symbol::head_dim, 128);
    values.set(Symbol::ffn_dim, 11008);
    values.set(Symbol::vocab, 32000);
    values.set(Symbol::context, 2048);
    values.set(Symbol::tokens, 100);
    values.set(Symbol::batch, 1);
    values.set(Symbol::cached, 0);
    return values;
}

std::int64_t value_of(std::string_view text) {
    Result<Expr> expr = parse_expr(text);
    EXPECT_TRUE(expr) << text;
    Result<std::int64_t> value = expr ? evaluate(*expr, llama_7b()) : expr.error();
    EXPECT_TRUE(value) << text;
    return value ? *value : -1;
}

const Expr d = Symbol::dim;
const Expr h = Symbol::heads;
const Expr d_h = Symbol::head_dim;
const Expr d_ff = Symbol::ffn_dim;
const Expr tokens = Symbol::tokens;

TEST(Expr, ReadsAsSymbolsAsNumbersAndAsAResult) {
    Expr columns = h * d_h;
    EXPECT_EQ(in_symbols(columns), "h·d_h");
    EXPECT_EQ(in_numbers(columns, llama_7b()), "32·128");
    EXPECT_EQ(*evaluate(columns, llama_7b()), 4096);
}

TEST(Expr, LeavesOutWhatChangesNothing) {
    EXPECT_EQ(in_symbols(Expr(1) * d), "d");
    EXPECT_EQ(in_symbols(d * 1), "d");
    EXPECT_EQ(in_symbols(Expr(0) + d), "d");
    EXPECT_EQ(in_symbols(d + 0), "d");
    EXPECT_EQ(in_symbols(d - 0), "d");
    EXPECT_EQ(in_symbols(d / 1), "d");
}

TEST(Expr, PutsBracketsOnlyWhereTheMeaningNeedsThem) {
    EXPECT_EQ(in_symbols((d + h) * d_h), "(d + h)·d_h");
    EXPECT_EQ(in_symbols(d + h * d_h), "d + h·d_h");
    EXPECT_EQ(in_symbols(d * (h * d_h)), "d·h·d_h");
    EXPECT_EQ(in_symbols(d + (h + d_h)), "d + h + d_h");
    EXPECT_EQ(in_symbols(d - (h - d_h)), "d - (h - d_h)");
    EXPECT_EQ(in_symbols(d - (h + d_h)), "d - (h + d_h)");
    EXPECT_EQ(in_symbols(d / (h * d_h)), "d/(h·d_h)");
    EXPECT_EQ(in_symbols(d * (h / d_h)), "d·(h/d_h)");  // which rounds otherwise than d·h/d_h
    EXPECT_EQ(in_symbols(d * (h / d_h * tokens)), "d·(h/d_h·T)");
    EXPECT_EQ(in_symbols(d * h / d_h), "d·h/d_h");
    EXPECT_EQ(in_symbols(ceil_to(d + h, 256)), "ceil_to(d + h, 256)");
    EXPECT_EQ(in_symbols(floor_of(d - h, 10) * floor_of(d, h * d_h)), "⌊(d - h)/10⌋·⌊d/(h·d_h)⌋");
    EXPECT_EQ(in_symbols(ceil_to(d + h, 128) / 128 * d_h), "⌈(d + h)/128⌉·d_h");
    EXPECT_EQ(in_symbols(d_h * (ceil_to(d * h, 128) / 128)), "d_h·⌈d·h/128⌉");
    EXPECT_EQ(in_symbols(ceil_to(d, 128) / 64), "ceil_to(d, 128)/64");
}

TEST(Expr, DividesWholeNumbersAndRoundsDown) {
    EXPECT_EQ(value_of("7/2"), 3);
    EXPECT_EQ(value_of("2*4*d/3"), 10922);
    EXPECT_EQ(value_of("⌊7/2⌋·2"), 6);
}

TEST(Expr, KnowsRoundingUpAndTheSmallerAndLargerOfTwo) {
    EXPECT_EQ(value_of("ceil_to(2*4*d/3, 256)"), 11008);
    EXPECT_EQ(value_of("ceil_to(512, 256)"), 512);
    EXPECT_EQ(value_of("ceil_to(0, 256)"), 0);
    EXPECT_EQ(value_of("⌈d/128⌉"), 32);
    EXPECT_EQ(value_of("2·⌈(d + 1)/128⌉"), 66);
    EXPECT_EQ(value_of("min(T, C)"), 100);
    EXPECT_EQ(value_of("max(T, C)"), 2048);
}

TEST(Expr, ParsesEverySpellingOfTheSameThing) {
    for (const char* text : {"h·d_h", "h*d_h", "h×d_h", " heads * head_dim ", "(h)*((d_h))", "32*128", "4_096"})
        EXPECT_EQ(value_of(text), 4096) << text;
}

TEST(Expr, KnowsEverySymbolByTextAndByKey) {
    for (const SymbolInfo& symbol : symbols()) {
        EXPECT_EQ(*parse_expr(symbol.text), Expr(symbol.symbol)) << symbol.text;
        EXPECT_EQ(*parse_expr(symbol.key), Expr(symbol.symbol)) << symbol.key;
        EXPECT_EQ(&info(symbol.symbol), &symbol);
    }
}

TEST(Expr, SubtractsFromTheLeft) {
    EXPECT_EQ(value_of("10 - 3 - 2"), 5);
    EXPECT_EQ(value_of("10 - (3 - 2)"), 9);
    EXPECT_EQ(value_of("100/10/5"), 2);
    EXPECT_EQ(value_of("2 + 3*4"), 14);
}

Expr random_expr(std::mt19937_64& random, int depth) {
    if (depth == 0 || random() % 4 == 0) {
        if (random() % 2 == 0) return static_cast<std::int64_t>(random() % 20);
        return static_cast<Symbol>(random() % symbol_count);
    }
    Expr left = random_expr(random, depth - 1), right = random_expr(random, depth - 1);
    switch (random() % 9) {
        case 0: return left + right;
        case 1: return left - right;
        case 2: return left * right;
        case 3: return left / right;
        case 4: return ceil_to(left, right);
        case 5: return min(left, right);
        case 6: return floor_of(left, right);
        case 7: return ceil_to(left, right) / right;
        default: return max(left, right);
    }
}

TEST(Expr, MeansTheSameAfterItIsPrintedAndParsed) {
    std::mt19937_64 random(20240601);
    for (int i = 0; i < 2000; ++i) {
        Expr expr = random_expr(random, 4);
        Result<Expr> back = parse_expr(in_symbols(expr));
        ASSERT_TRUE(back) << in_symbols(expr) << "\n" << sentence(back.error());
        Result<std::int64_t> a = evaluate(expr, llama_7b()), b = evaluate(*back, llama_7b());
        ASSERT_EQ(static_cast<bool>(a), static_cast<bool>(b)) << in_symbols(expr);
        if (a) {
            ASSERT_EQ(*a, *b) << in_symbols(expr);
        }
    }
}

// Overflow and divisions by zero among them.
TEST(Expr, WorkedOutAsFarAsItGoesHasTheSameValueOrNone) {
    std::mt19937_64 random(20261128);
    const auto any_value = [&] { return static_cast<std::int64_t>(random() % 5 == 0 ? random() >> 2 : random() % 9); };
    int valued = 0, without = 0;
    for (int i = 0; i < 2000; ++i) {
        const Expr expr = random_expr(random, 4);
        Bindings known, all;
        for (const SymbolInfo& each : symbols()) {
            all.set(each.symbol, any_value());
            if (random() % 2) known.set(each.symbol, all[each.symbol]);
        }
        const Expr rest = worked_out(expr, known);
        const Result<std::int64_t> value = evaluate(expr, all), found = evaluate(rest, all);
        ASSERT_EQ(static_cast<bool>(found), static_cast<bool>(value)) << in_symbols(expr) << " as " << in_symbols(rest);
        ++(value ? valued : without);
        if (!value) continue;
        EXPECT_EQ(*found, *value) << in_symbols(expr) << " as " << in_symbols(rest);
        EXPECT_EQ(worked_out(expr, all), Expr(*value));
        for (const SymbolInfo& each : symbols()) EXPECT_FALSE(known[each.symbol] && uses(rest, each.symbol));
    }
    EXPECT_GT(valued, 1000);
    EXPECT_GT(without, 100);
}

TEST(Expr, IsCutIntoPiecesOfWhichEachDimensionIsOne) {
    Expr expr = Expr(2) * d * d_ff;
    std::vector<FormulaPiece> expected{{"2·", {}}, {"d", Symbol::dim}, {"·", {}}, {"d_ff", Symbol::ffn_dim}};
    EXPECT_EQ(pieces_in_symbols(expr), expected);
    expected = {{"2·", {}}, {"4096", Symbol::dim}, {"·", {}}, {"11008", Symbol::ffn_dim}};
    EXPECT_EQ(pieces_in_numbers(expr, llama_7b()), expected);
}

TEST(Expr, SumsCollectLikeTerms) {
    const std::vector<Expr> terms{d * d_ff, d, d * d_ff, d * d_ff, h};
    EXPECT_EQ(in_symbols(sum_of(terms)), "3·d·d_ff + d + h");
    EXPECT_EQ(in_symbols(sum_of({})), "0");
}

TEST(Expr, AProductThatDoesNotFitIsNamedInSymbolsAndNumbers) {
    Bindings values = llama_7b();
    values.set(Symbol::dim, largest);
    Result<std::int64_t> value = evaluate(Expr(7) + d * Symbol::vocab, values);
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().what, "d·V = 9223372036854775807·32000 does not fit in 64 bits");
    EXPECT_EQ(value.error().where, "d·V");
}

TEST(Expr, SumsAndRoundingUpNoticeOverflowToo) {
    EXPECT_FALSE(evaluate(Expr(largest) + 1, {}));
    EXPECT_FALSE(evaluate(Expr(-largest) - 2, {}));
    EXPECT_FALSE(evaluate(ceil_to(Expr(largest), 2), {}));
    EXPECT_TRUE(evaluate(Expr(largest) + 0, {}));
    EXPECT_EQ(*evaluate(Expr(largest) * 1, {}), largest);
    EXPECT_EQ(*evaluate(Expr(largest / 2) * 2, {}), largest - 1);
}

TEST(Expr, DividingByNothingIsAnErrorThatSaysSo) {
    for (const Expr& expr : {Expr(5) / 0, ceil_to(5, 0), Expr(5) / (Expr(2) - 4)}) {
        Result<std::int64_t> value = evaluate(expr, {});
        ASSERT_FALSE(value);
        EXPECT_NE(value.error().what.find("not positive"), std::string::npos) << value.error().what;
    }
}

TEST(Expr, ASymbolWithoutAValueIsAnErrorAndNotAZero) {
    Result<std::int64_t> value = evaluate(d * 2, {});
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().what, "d has no value here");
    EXPECT_EQ(value.error().where, "dim");
}

TEST(Expr, TextThatIsNoFormulaIsRefusedAtTheCharacter) {
    struct Case {
        const char* text;
        const char* where;
    };
    for (auto [text, where] :
         {Case{"", "character 1"}, Case{"2*(3", "character 5"}, Case{"2 3", "character 3"}, Case{"d +", "character 4"},
          Case{"width", "character 1"}, Case{"2*width", "character 3"}, Case{"sqrt(4)", "character 6"},
          Case{"min(1)", "character 6"}, Case{")", "character 1"}, Case{"99999999999999999999", "character 1"}}) {
        Result<Expr> expr = parse_expr(text);
        ASSERT_FALSE(expr) << text;
        EXPECT_EQ(expr.error().where, where) << text;
    }
}

TEST(Expr, WhatIsWrongIsSaidToAStudent) {
    for (const auto& [text, said] : {std::pair("32 $ 8", "the formula \"32 $ 8\" cannot be read from \"$ 8\" on"),
                                     {"4*(3", "\"4*(3\" ends too early"},
                                     {"512 *", "\"512 *\" ends too early"},
                                     {"* 3", "\"* 3\" cannot be read from \"* 3\" on"},
                                     {"d(3)", "cannot be read from \"3)\" on"}}) {
        const Result<Expr> expr = parse_expr(text);
        ASSERT_FALSE(expr) << text;
        const std::string words = sentence(expr.error());
        EXPECT_NE(words.find(said), std::string::npos) << words;
        for (const char* grammar : {"expected", "operator", "operand", "the end", "token"})
            EXPECT_EQ(words.find(grammar), std::string::npos) << words;
    }
}

TEST(Expr, HostileTextIsRefusedAndNotFollowed) {
    EXPECT_FALSE(parse_expr(std::string(100'000, '(')));
    EXPECT_FALSE(parse_expr(std::string(100'000, '-')));
    std::string sum = "1";
    for (int i = 0; i < 100'000; ++i) sum += "+1";
    EXPECT_FALSE(parse_expr(sum));
    EXPECT_FALSE(parse_expr(std::string("\0\0", 2)));
    EXPECT_FALSE(parse_expr("\xff\xfe"));
}

}  // namespace
}  // namespace headcount
