// Size and cache of both sides, and a sentence on what their difference means.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/parts/words.hpp"
#include "app/views/compare/panels.hpp"
#include "core/analysis/memory.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

struct SideFormulas {
    Expr weights, per_token, cache;
    Bindings now, full;
};

SideFormulas formulas_of(const Counted& counted, const PassOptions& pass) {
    const MemoryOptions options = pass.held(counted.input);
    // The formulas are those of a graph with an empty cache.
    const CountedModel at_once = *count_model(counted.architecture, all_at_once(counted.input));
    const MemoryFormulas formulas(counted.architecture, at_once.graph, options);
    SideFormulas side{formulas.weights_formula(), formulas.cache_per_token_formula(), formulas.cache_formula(),
                      counted.bindings, counted.bindings};
    side.full.set(Symbol::tokens, counted.bindings[Symbol::context].value_or(1));
    side.full.set(Symbol::batch, 1);
    side.full.set(Symbol::cached, 0);
    return side;
}

CompareFigure figure_of(std::string label, std::string key, const std::array<SideFormulas, 2>& sides,
                        Expr SideFormulas::*formula, Bindings SideFormulas::*values) {
    CompareFigure figure{.label = std::move(label), .key = std::move(key), .bytes = {}, .symbols = {}, .numbers = {}};
    for (std::size_t i = 0; i < 2; ++i) {
        const Expr& expr = sides[i].*formula;
        const Bindings& with = sides[i].*values;
        if (const Result<std::int64_t> bytes = evaluate(expr, with)) figure.bytes[i] = *bytes;
        figure.symbols[i] = in_symbols(expr);
        figure.numbers[i] = in_numbers(expr, with);
    }
    return figure;
}

// "4× smaller", where it is a whole number of times; else nothing.
std::string times_text(std::int64_t a, std::int64_t b) {
    if (a <= 0 || b <= 0 || std::max(a, b) % std::min(a, b) != 0) return "";
    return std::to_string(std::max(a, b) / std::min(a, b)) + "× " + (b < a ? "smaller" : "larger");
}

// Bytes of one more token; 0 where they do not fit in 64 bits.
std::int64_t cache_of_token(const Counted& side) {
    const Result<std::int64_t> bytes = evaluate(cache_per_token(side.graph, side.input.cached_in()), side.bindings);
    return bytes ? *bytes : 0;
}

// Where keys and values differ in nothing but how many heads have them, so that the cache does by as much.
std::string about_kv_heads(const BothSides& both) {
    const Architecture &a = both.a().architecture, &b = both.b().architecture;
    const Bindings &in_a = both.a().bindings, &in_b = both.b().bindings;
    const auto same = [&](Symbol symbol) { return in_a[symbol] == in_b[symbol]; };
    for (const Architecture* const each : {&a, &b})
        if (each->layer.attention.latent || each->layer.recurrence || sees_all(*each)) return "";
    if (!same(Symbol::layers) || !same(Symbol::head_dim) || same(Symbol::kv_heads)) return "";
    const std::int64_t before = in_a[Symbol::kv_heads].value_or(0), after = in_b[Symbol::kv_heads].value_or(0);
    const std::int64_t heads = in_b[Symbol::heads].value_or(0);
    const std::string times = times_text(before, after);
    if (times.empty() || after <= 0 || heads % after != 0) return "";
    if (times_text(cache_of_token(both.a()), cache_of_token(both.b())) != times) return "";
    std::string text = std::to_string(after) + (after == 1 ? " KV head" : " KV heads") + " instead of " +
                       std::to_string(before) + ": ";
    const std::int64_t served = heads / after;
    text += served == 1 ? "each serves one query head" : "each serves " + std::to_string(served) + " query heads";
    return text + ", so the cache of a token is " + times + ".";
}

// The component that changes the most, or those that do by as much, beside the whole.
std::string about_largest(const BothSides& both) {
    const auto& changes = both.difference()->by_component;
    const auto larger = [](std::int64_t one, std::int64_t other) { return std::abs(one) < std::abs(other); };
    const std::int64_t largest = *std::ranges::max_element(changes, larger);
    if (largest == 0) return "They have as many parameters, of every component.";
    std::string names, by;
    bool several = false, alike = true;
    for (const Component each : components) {
        if (std::abs(both.difference()->of(each)) != std::abs(largest)) continue;
        several = !names.empty();
        names += several ? " and " + lower(component_name(each)) : std::string(component_name(each));
        by += (several ? " and " : "") + signed_short(both.difference()->of(each));
        alike = alike && both.difference()->of(each) == largest;
    }
    const std::string text = names + (several ? " change" : " changes") + " the most, by " +
                             (alike ? signed_short(largest) + (several ? " each" : "") : by);
    if (both.difference()->total == 0) return text + "; the others make up for it.";
    return text + (several ? ", of " : " of ") + signed_short(both.difference()->total) + " altogether.";
}

// Of the longest sequences: where these are not of one length, or an encoder's tokens are in it, which ones.
CompareFigure longest_figure(const std::array<SideFormulas, 2>& sides) {
    CompareFigure figure =
        figure_of("KV cache, full context", "full_context", sides, &SideFormulas::cache, &SideFormulas::full);
    const auto tokens = [&](std::size_t side) { return sides[side].full[Symbol::tokens].value_or(0); };
    const std::string of_a = grouped(tokens(0)), of_b = grouped(tokens(1));
    if (of_a != of_b) {
        figure.label = "Full cache, " + of_a + " / " + of_b;
        figure.remark = "A with its " + of_a + " tokens of context, B with its " + of_b + ".";
    }
    for (const SideFormulas& side : sides) {
        if (!uses(side.cache, Symbol::source)) continue;
        const std::string source = grouped(side.full[Symbol::source].value_or(0));
        if (of_a == of_b) figure.label = "Full cache, S = " + source;
        figure.remark += std::string(figure.remark.empty() ? "" : " ") + "With the keys and values of " + source +
                         " source tokens, which the encoder reads.";
        break;
    }
    return figure;
}

}  // namespace

std::array<CompareFigure, 3> compare_figures(const BothSides& both) {
    const std::array sides{formulas_of(both.a(), both.pass), formulas_of(both.b(), both.pass)};
    const std::string precision = precision_name(both.a().input);
    const bool windows = uses(sides[0].cache, Symbol::window) || uses(sides[1].cache, Symbol::window);
    CompareFigure size = figure_of("Size in " + precision, "size", sides, &SideFormulas::weights, &SideFormulas::now);
    size.about = total_key;
    size.signs = {sign_of(both.own.derived, Metric::weights), sign_of(both.other.derived, Metric::weights)};
    return {std::move(size),
            figure_of(windows ? "KV per token, inside window" : "KV cache per token", "per_token", sides,
                      &SideFormulas::per_token, &SideFormulas::now),
            longest_figure(sides)};
}

std::string compare_sentence(const BothSides& both) {
    if (!both.difference()) return "";
    if (both.difference()->fields.empty() && both.difference()->tensors.empty()) return "The two do not differ.";
    const std::string heads = about_kv_heads(both);
    return heads.empty() ? about_largest(both) : heads;
}

std::array<std::string, 2> figure_texts(const CompareFigure& figure) {
    const auto text = [](std::optional<std::int64_t> bytes) -> std::string {
        if (!bytes) return "over 2^63 B";
        const std::string brief = bytes_text(*bytes);
        double number = static_cast<double>(*bytes);
        while (number >= 1024) number /= 1024;
        return number == std::floor(number) ? brief : factor_text(number) + brief.substr(brief.find(' '));
    };
    std::array<std::string, 2> texts{text(figure.bytes[0]), text(figure.bytes[1])};
    if (figure.bytes[0] && figure.bytes[1] && figure.bytes[0] != figure.bytes[1] && texts[0] == texts[1]) {
        const std::int64_t change = *figure.bytes[1] - *figure.bytes[0];
        texts[1] = (change < 0 ? "-" : "+") + bytes_text(std::abs(change));
    }
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i].insert(0, figure.signs[i]);
    return texts;
}

}  // namespace headcount
