// Says which rows of the embedding are words, and finds heads in a text.
#include "app/state/run/vocabulary.hpp"

#include <algorithm>

#include "core/arch/layers.hpp"
#include "core/tokenizer/tokenizer.hpp"

namespace headcount {
namespace {

// Heads of a window see but a part of what an even share is of.
bool sees_all_before(const RunValues& values, std::int64_t layer) {
    return values.attention(layer, 0) && !layer_kind(values.model().architecture, layer).windowed;
}

}  // namespace

std::int64_t tokens_through(const RunSnapshot& run) {
    const std::int64_t all = run.values->tokens();
    return run.reached(all - 1, run.values->layers()) ? all : all - 1;
}

RunHeads heads_worth_a_look(const RunSnapshot& run) {
    const RunValues& values = *run.values;
    const std::int64_t tokens = tokens_through(run);
    const auto ids = values.ids().first(static_cast<std::size_t>(tokens));
    const auto is_stop = [&](std::int64_t position) {
        return is_full_stop(run.tokens[static_cast<std::size_t>(position)].text);
    };
    return {
        run.values, tokens,
        find_heads({
            .ids = {ids.begin(), ids.end()},
            .is_stop = is_stop,
            .layers = values.layers(),
            .heads = [&](std::int64_t layer) { return sees_all_before(values, layer) ? values.heads_of(layer) : 0; },
            .attention = [&](std::int64_t layer, std::int64_t head) { return values.attention(layer, head); },
        })};
}

std::int64_t words_of(const RunSnapshot& run) {
    if (!run.tokenizer || !run.values) return 0;
    return std::min(token_table(run.values->model()).rows, run.tokenizer->size());
}

std::vector<std::int32_t> ids_of_no_text(const RunSnapshot& run) {
    return run.tokenizer->ids_of_no_text(token_table(run.values->model()).rows);
}

std::vector<std::int64_t> trained_words(const RunSnapshot& run, const RunTrained& trained) {
    std::vector<std::int64_t> words;
    for (std::int64_t id = 0; id < words_of(run); ++id)
        if (!trained.rows || !trained.rows->untrained(id)) words.push_back(id);
    return words;
}

}  // namespace headcount
