// Looks at the scores of all tokens, and at the likeliest of each.
#include "app/cli/run_filled.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr std::size_t most_shown = 5;

std::vector<Candidate> likeliest_of(const MatrixView& logits, std::int64_t row) {
    std::vector<float> scores(static_cast<std::size_t>(logits.columns));
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = logits.at(row, static_cast<std::int64_t>(i));
    Result<Distribution> all = distribution(scores, {.temperature = 1, .top_k = 0, .top_p = 1, .min_p = 0});
    if (!all) return {};
    all->candidates.resize(std::min(all->candidates.size(), most_shown));
    return std::move(all->candidates);
}

}  // namespace

std::string text_of_token(std::int32_t id, const std::optional<Tokenizer>& tokenizer) {
    return tokenizer ? printable(tokenizer->bytes(id)) : "[" + std::to_string(id) + "]";
}

std::vector<FilledToken> filled_in(const Run& run, const std::optional<Tokenizer>& tokenizer) {
    if (!has_head(run.model().architecture)) return {};
    const MatrixView logits = run.activation(run.model().graph.nodes.back().output);
    const std::optional<std::int32_t> mask = tokenizer ? tokenizer->mask() : std::nullopt;
    const bool hidden = mask && contains(run.ids(), *mask);
    std::vector<FilledToken> filled;
    for (std::int64_t token = 0; token < logits.rows; ++token)
        if (!hidden || run.ids()[static_cast<std::size_t>(token)] == *mask)
            filled.push_back({token, likeliest_of(logits, token)});
    return filled;
}

std::vector<float> pooled(const Run& run) {
    const ModelGraph& graph = run.model().graph;
    const TensorIndex last = graph.nodes.back().output;
    if (has_head(run.model().architecture) || graph.tensors[last].shape[0] != Expr(1)) return {};
    const MatrixView row = run.activation(last);
    std::vector<float> numbers;
    for (std::int64_t i = 0; i < row.columns; ++i) numbers.push_back(row.at(0, i));
    return numbers;
}

std::string pooled_text(const std::vector<float>& pooled) {
    const auto first = std::span(pooled).first(std::min(pooled.size(), most_shown));
    const std::string rest = first.size() < pooled.size() ? ", ... " + std::to_string(pooled.size()) + " numbers" : "";
    return "pooled: " + listed(first, [](float each) { return decimal_text(static_cast<double>(each), 3); }) + rest;
}

std::string filled_text(const FilledToken& filled, const std::optional<Tokenizer>& tokenizer) {
    return "token " + std::to_string(filled.token) + ": " + listed(filled.likeliest, [&](const Candidate& each) {
               return text_of_token(each.id, tokenizer) + " " + decimal_text(100 * each.plain, 1) + " %";
           });
}

nlohmann::ordered_json filled_json(const FilledToken& filled, const std::optional<Tokenizer>& tokenizer) {
    nlohmann::ordered_json likeliest = nlohmann::ordered_json::array();
    for (const Candidate& each : filled.likeliest)
        likeliest.push_back(
            {{"id", each.id}, {"text", text_of_token(each.id, tokenizer)}, {"probability", each.plain}});
    return {{"token", filled.token}, {"likeliest", std::move(likeliest)}};
}

}  // namespace headcount
