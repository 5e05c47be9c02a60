// What of a run is looked at; words for what a step has come to, and for what the next one does: the newest token is
// embedded, passes layer after layer, and what the output head makes of it says what may follow.
#include "app/views/run/parts.hpp"

#include <algorithm>

#include "app/ui/rich_text.hpp"
#include "core/base/find.hpp"
#include "core/base/scripts.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/tokenizer/token_counts.hpp"

namespace headcount {

std::string read_words(const TokenCounts& counts, std::int32_t id) {
    const std::int64_t times = counts.read[static_cast<std::size_t>(id)];
    return "The training has read it " + grouped(times) + (times == 1 ? " time" : " times") + " among " +
           grouped(counts.all) + " tokens: the model hardly knows it.";
}
namespace {

bool ends_text(const Tokenizer& tokenizer, std::int32_t id) { return contains(tokenizer.ends(), id); }

std::string stands_for(const Tokenizer& tokenizer, std::int32_t id) {
    if (id == tokenizer.unknown())
        return "Stands for letters that have no token: which they were, the model cannot tell.";
    if (id == tokenizer.mask()) return "Stands for a token that the model is to tell.";
    if (ends_text(tokenizer, id)) return "Ends a text.";
    if (id == tokenizer.bos()) return "Stands before every text.";
    return {};
}

std::int64_t within(std::int64_t index, std::int64_t count) {
    return std::clamp<std::int64_t>(index, 0, std::max<std::int64_t>(count - 1, 0));
}

std::string newest(const RunSnapshot& run) { return "token " + std::to_string(run.values->tokens() - 1); }

}  // namespace

std::string note_on(const RunSnapshot& run, std::int32_t id) {
    if (!run.tokenizer) return {};
    std::string note = stands_for(*run.tokenizer, id);
    const auto add = [&](const std::string& more) { note += (note.empty() ? "" : " ") + more; };
    if (const std::string far = code_points(run.tokenizer->bytes(id)); !far.empty()) add(far + ".");
    // What ends a text is told and never read.
    if (run.tokenizer->hardly_read(id) && !ends_text(*run.tokenizer, id)) add(read_words(*run.tokenizer->counts(), id));
    return note;
}

std::optional<std::int32_t> coming_token(const RunSnapshot& run, const RunNext* next) {
    const bool known = next && same_numbers(*next->of, run) && next->position + 1 == run.values->tokens();
    return known && run.whole() && !run.over ? next->pick : std::nullopt;
}

const RunSnapshot* run_of(const RunPage& page) {
    const RunSnapshot* const run = page.shown.get();
    return run && run->values && !run->tokens.empty() ? run : nullptr;
}

bool can_run(const RunPage& page) {
    const RunModel* const model = page.model.get();
    const RunSnapshot* const run = page.shown.get();
    const bool failed = run && run->error && run->of.get() == model && run->phase == RunPhase::idle && !run->values &&
                        !run->prompt_is_wrong();
    return model && !model->wrong && !failed;
}

std::int64_t RunPanel::layer() const {
    return within(place.layer, run() ? run()->values->layers() : 0);  // of the decoder
}

std::int64_t RunPanel::head() const { return within(place.head, run() ? run()->values->heads_of(layer()) : 0); }

std::int64_t RunPanel::position() const { return run() ? position_in(*run(), place.position) : 0; }

RunShows RunPanel::shows() const { return shows_of(page, place).value_or(RunShows::diagram); }

std::int64_t RunPanel::lit_position() const {
    const std::optional<std::int64_t>& token = pointed_in_run(ui).token;
    return run() && token && *token < run()->values->tokens() ? *token : position();
}

NumberedEntries::NumberedEntries(const std::string& word, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) names.push_back(word + " " + std::to_string(i));
    for (const std::string& name : names) entries.push_back({.name = name});
}

std::string stage_words(const RunSnapshot& run) {
    if (run.whole()) return newest(run) + ": output head";
    if (run.layers_shown == 0) return newest(run) + ": embedded";
    return newest(run) + ": layer " + std::to_string(run.layers_shown - 1);
}

std::string step_words(const RunPage& page, RunSpeed speed) {
    const RunSnapshot* const run = run_of(page);
    const bool at_once = speed == RunSpeed::most;
    if (!run || run->stale)
        return at_once ? "Reads the prompt, and makes the next token" : "Reads the prompt, and embeds the next token";
    if (run->whole()) {
        if (run->over) return "Nothing follows: go back to the prompt";
        const auto next = coming_token(*run, page.next.get());
        const std::string token =
            next ? in_quotes(without_scripts(candidate_text(*run, *next))) : "the token that is drawn";
        return at_once ? "Next: " + token + " passes all layers" : "Next: embeds " + token;
    }
    if (run->layers_shown == run->values->layers())
        return run->over ? "Next: the output head; nothing follows" : "Next: the output head, and what it draws";
    return "Next: layer " + std::to_string(run->layers_shown) + " of " + newest(*run);
}

std::string not_yet_words(const RunSnapshot& run) {
    const std::string token = capitalized(newest(run));
    if (run.layers_shown == 0) return token + " is embedded, and has passed no layer.";
    return token + " has come as far as layer " + std::to_string(run.layers_shown - 1) + ".";
}

std::int64_t rows_there(const RunPanel& panel, const RunSnapshot& run, std::int64_t layer) {
    const RunValues& values = *run.values;
    const std::int64_t tokens = values.tokens(), row = panel.position();
    const std::int64_t rows = run.reached(tokens - 1, layer + 1) ? tokens : tokens - 1;
    const bool at_source = panel.place.at_source && values.layers(true) > 0;
    const auto tensor = values.attention_tensor(layer, at_source);
    if (!panel.page.watch || !tensor) return rows;
    const std::int64_t last =
        mask_looked_at(panel, values) == AttentionMask::full ? values.activation(*tensor, layer).columns - 1 : row;
    return Watched(values, *panel.page.watch, row).done(*tensor, layer).has(row, last) ? rows : std::min(rows, row);
}

}  // namespace headcount
