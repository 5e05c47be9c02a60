// Writes a tree of branches as a table.
#include "app/cli/run_tree.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/options.hpp"
#include "app/cli/run_filled.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

std::string percent(double share) {
    constexpr double least = 0.00005;  // below, two places would show none
    if (share > 0 && share < least) return "<0.01 %";
    char text[24];
    std::snprintf(text, sizeof text, "%.2f %%", share * 100);
    return text;
}

void add_rows(Table& table, const std::vector<Branch>& branches, std::optional<std::size_t> parent,
              const std::optional<Tokenizer>& tokenizer) {
    for (std::size_t i = 0; i < branches.size(); ++i) {
        const Branch& each = branches[i];
        if (each.parent != parent) continue;
        const std::string indent(static_cast<std::size_t>(2 * (each.depth - 1)), ' ');
        const std::string text = tokenizer && each.over ? tokenizer->piece(each.id) : text_of_token(each.id, tokenizer);
        table.rows.push_back({indent + "\"" + text + "\"", percent(each.probability), percent(each.way)});
        add_rows(table, branches, i, tokenizer);
    }
}

}  // namespace

Result<TreeSize> read_tree(const std::string& text, std::string_view flag) {
    const std::vector<std::string> words = split(text, 'x');
    const std::string fix = "give how many ways, x, and how many tokens ahead, such as 5x3";
    if (words.size() != 2) return Error{quote(text) + " is no size of a tree", std::string(flag), fix};
    const Result<std::int64_t> width = parse_whole_number(words[0], flag, 1),
                               depth = parse_whole_number(words[1], flag, 1);
    if (!width || !depth) return Error{(width ? depth : width).error().what, std::string(flag), fix};
    if (*width > most_branches || *depth > deepest_branch)
        return Error{"a tree of " + text + " is too large", std::string(flag),
                     "give at most " + std::to_string(most_branches) + "x" + std::to_string(deepest_branch)};
    return TreeSize{*width, *depth};
}

Table tree_table(const std::vector<Branch>& branches, const std::optional<Tokenizer>& tokenizer) {
    Table table{.columns = {{"token"}, figures("probability"), figures("whole way")}, .rows = {}};
    add_rows(table, branches, {}, tokenizer);
    return table;
}

nlohmann::ordered_json tree_json(const std::vector<Branch>& branches, const std::optional<Tokenizer>& tokenizer) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const Branch& each : branches)
        json.push_back({{"parent", each.parent ? nlohmann::ordered_json(*each.parent) : nlohmann::ordered_json()},
                        {"depth", each.depth},
                        {"id", each.id},
                        {"text", text_of_token(each.id, tokenizer)},
                        {"probability", each.probability},
                        {"way", each.way},
                        {"over", each.over}});
    return json;
}

}  // namespace headcount
