// Reads it off the trial.
#include "app/state/run/goal.hpp"

#include <algorithm>

namespace headcount {

bool brings_about(const Experiment& experiment, const RunTrial& trial) {
    const RunSnapshot& of = *trial.of;
    const bool behind_prompt = trial.asked.position + 1 == static_cast<std::int64_t>(of.prompt);
    if (trial.wrong || !of.of || of.of->of.source != RunSource::shipped || !behind_prompt || trial.twins.empty() ||
        of.prompt_text != experiment.prompt)
        return false;
    std::int64_t off = 0;
    for (const RunChange& each : trial.asked.changes) {
        if (each.on && each.change.kind != Change::Kind::off) return false;
        off += each.on ? 1 : 0;
    }
    if (off == 0 || (experiment.most > 0 && off > experiment.most)) return false;
    const auto likelier = [](const TwinShare& a, const TwinShare& b) { return a.after < b.after; };
    const std::int32_t after = std::ranges::max_element(trial.twins, likelier)->id;
    return says_word(piece_of(of, trial.token), experiment.from) && says_word(piece_of(of, after), experiment.to);
}

}  // namespace headcount
