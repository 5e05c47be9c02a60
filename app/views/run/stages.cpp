// Words for what a step has come to, and for what the next one does: the newest token is embedded, passes layer after
// layer, and what the output head makes of it says what may follow.
#include "app/views/run/parts.hpp"
#include "core/base/scripts.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

std::string newest(const RunSnapshot& run) {
    return "token " + std::to_string(run.values->tokens() - 1);
}

// "there", as the chip behind the last token says it; nothing while another position is looked at.
std::string coming(const RunSnapshot& run, const RunNext* next) {
    const bool known = next && next->pick && same_numbers(*next->of, run) && next->position + 1 == run.values->tokens();
    if (!known) return "the token that is drawn";
    return "\xE2\x80\x9C" + without_scripts(candidate_text(run, *next->pick)) + "\xE2\x80\x9D";
}

}  // namespace

std::string stage_words(const RunSnapshot& run) {
    if (run.whole()) return newest(run) + ": output head";
    if (run.layers_shown == 0) return newest(run) + ": embedded";
    return newest(run) + ": layer " + std::to_string(run.layers_shown - 1);
}

std::string step_words(const Session& session) {
    const RunSnapshot* const run = run_of(session);
    const bool at_once = session.view.run.speed == RunSpeed::most;
    if (!run || run->stale)
        return at_once ? "Reads the prompt, and makes the next token" : "Reads the prompt, and embeds the next token";
    if (run->whole()) {
        if (run->over) return "Nothing follows: go back to the prompt";
        const std::string token = coming(*run, session.running.next.get());
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

}  // namespace headcount
