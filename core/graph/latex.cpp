// Symbols, sizes and functions in LaTeX's spelling.
#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "core/base/find.hpp"
#include "core/graph/written.hpp"

namespace headcount {

std::string latex_function(std::string_view name) {
    constexpr std::array known = std::to_array<std::string_view>({"exp", "log", "max", "min", "tanh"});
    const bool is_known = contains(known, name);
    if (is_known) return "\\" + std::string(name);
    const std::size_t squared = name.find("²");
    return "\\operatorname{" + std::string(name.substr(0, squared)) + (squared == name.npos ? "}" : "}^{2}");
}

std::string latex_symbol(std::string_view symbol) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 9> letters{{{"α", "\\alpha"},
                                                                                    {"β", "\\beta"},
                                                                                    {"κ", "\\kappa"},
                                                                                    {"ξ", "\\xi"},
                                                                                    {"η", "\\eta"},
                                                                                    {"λ", "\\lambda"},
                                                                                    {"μ", "\\mu"},
                                                                                    {"Δ", "\\Delta"},
                                                                                    {"Λ", "\\Lambda"}}};
    std::string latex;
    const auto script = [&](std::string_view sign, std::string_view text) {
        const bool word = text.size() > 1 && std::ranges::all_of(text, [](unsigned char c) { return std::isalpha(c); });
        latex += std::string(sign) + (word ? "{\\mathrm{" + std::string(text) + "}}" : "{" + latex_symbol(text) + "}");
    };
    if (symbol.size() > 1 && std::ranges::all_of(symbol, [](unsigned char c) { return std::isalpha(c); }))
        return "\\mathrm{" + std::string(symbol) + "}";
    while (!symbol.empty()) {
        const auto sign =
            std::ranges::find_if(letters, [&](const auto& each) { return symbol.starts_with(each.first); });
        if (sign != letters.end()) {
            latex += sign->second;
            symbol.remove_prefix(sign->first.size());
            if (!symbol.empty() && std::isalpha(static_cast<unsigned char>(symbol.front()))) latex += ' ';
            continue;
        }
        const char first = symbol.front();
        if (first != '_' && first != '^') {
            latex += first;
            symbol.remove_prefix(1);
            continue;
        }
        symbol.remove_prefix(1);
        std::string_view text = symbol.substr(0, symbol.find_first_of("^'"));
        if (symbol.starts_with('(')) text = symbol.substr(0, symbol.find(')') + 1);
        script(first == '_' ? "_" : "^", text);
        symbol.remove_prefix(text.size());
    }
    return latex;
}

std::string latex_sizes(std::string_view text) {
    std::string latex, name;
    const auto finish = [&] {
        if (!name.empty()) latex += name == "min" || name == "max" ? "\\" + name : latex_symbol(name);
        name.clear();
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        constexpr std::array<std::pair<std::string_view, std::string_view>, 3> signs{
            {{"·", " \\cdot "}, {"⌊", "\\lfloor "}, {"⌋", " \\rfloor"}}};
        if (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_') {
            name += text[i];
            continue;
        }
        finish();
        const auto* const sign =
            std::ranges::find_if(signs, [&](const auto& each) { return text.substr(i).starts_with(each.first); });
        latex += sign == signs.end() ? text.substr(i, 1) : sign->second;
        if (sign != signs.end()) i += sign->first.size() - 1;
    }
    finish();
    return latex;
}

}  // namespace headcount
