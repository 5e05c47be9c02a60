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

std::vector<HeadFound> heads_in(const RunSnapshot& run, const RunValues& values, std::int64_t tokens) {
    const auto ids = values.ids().first(static_cast<std::size_t>(tokens));
    return find_heads({
        .ids = {ids.begin(), ids.end()},
        .is_stop = [&](std::int64_t at) { return is_full_stop(piece_of(run, ids[static_cast<std::size_t>(at)])); },
        .layers = values.layers(),
        .heads = [&](std::int64_t layer) { return sees_all_before(values, layer) ? values.heads_of(layer) : 0; },
        .attention = [&](std::int64_t layer, std::int64_t head) { return values.attention(layer, head); },
    });
}

// By the same model; null where it cannot be.
std::shared_ptr<const RunValues> read_example(const RunSnapshot& run, const std::string& text) {
    const std::shared_ptr<const Model>& model = run.values->shared_model();
    const Result<std::vector<std::int32_t>> ids = run.tokenizer->encode(text);
    if (!ids || ids->empty()) return nullptr;
    Result<Run> read = Run::start(model, {.capacity = std::ssize(*ids), .keep = Keep::all});
    if (!read || read->append(*ids)) return nullptr;
    return std::make_shared<const RunValues>(model, std::make_shared<const Run>(*std::move(read)));
}

}  // namespace

std::int64_t tokens_through(const RunSnapshot& run) {
    const std::int64_t all = run.values->tokens();
    return run.reached(all - 1, run.values->layers()) ? all : all - 1;
}

RunHeads heads_worth_a_look(const RunSnapshot& run) {
    const std::int64_t tokens = tokens_through(run);
    RunHeads found{run.values, tokens, heads_in(run, *run.values, tokens)};
    if (!run.tokenizer || !run.of || !run.of->light() || run.values->layers(true) > 0) return found;
    for (const ExamplePrompt& each : run.of->examples) {
        const std::shared_ptr<const RunValues> read = read_example(run, each.text);
        if (!read) continue;
        for (const HeadFound& head : heads_in(run, *read, read->tokens())) {
            const auto same = [&](const HeadFound& other) { return other.role == head.role; };
            if (std::ranges::none_of(found.heads, same) && std::ranges::none_of(found.elsewhere, same))
                found.elsewhere.push_back(head);
        }
    }
    return found;
}

RunPlace at_head(RunPlace place, const HeadFound& head) {
    place.layer = head.layer;
    place.head = head.head;
    place.at_source = false;
    place.opens = false;
    return place;
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
