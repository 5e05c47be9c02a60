// What the panels of the Run view share.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/parts/run_pointed.hpp"
#include "app/parts/token_chip.hpp"
#include "app/state/run/next.hpp"
#include "app/state/session.hpp"

namespace headcount {

// The place with one change: calls change(place).
template <class Change>
Intent with_run(const Session& session, Change&& change) {
    RunPlace place = session.view.run;
    std::forward<Change>(change)(place);
    return AtRun{SetRun{std::move(place)}};
}

// "46.2 %", "0.03 %", "<0.001 %"
inline std::string share_text(double share) {
    char text[24];
    const double percent = share * 100;
    if (percent > 0 && percent < 0.0005) return "<0.001 %";
    const int digits = percent >= 0.995 || percent == 0 ? 1 : percent >= 0.0995 ? 2 : 3;
    std::snprintf(text, sizeof text, "%.*f %%", digits, percent);
    return text;
}

// "0.80", "-2.413": with so many decimals.
inline std::string decimal_text(double value, int decimals) {
    char text[40];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

// A candidate's token, as the tokenizer of the run shows it.
std::string candidate_text(const RunSnapshot& run, std::int32_t id);

// The layer and the head that are looked at, inside the model that runs; the position.
std::int64_t shown_layer(const Session& session);
std::int64_t shown_head(const Session& session);
std::int64_t shown_position(const Session& session);

// The token whose cell is pointed at or pinned, else the position that is looked at.
std::int64_t lit_position(const Ui& ui, const Session& session);

// What the newest token's step has come to, while it goes layer by layer: "token 8: layer 2"; and what the next press
// of Step does: "Next: layer 3 of token 8", to be drawn with scripts.
std::string stage_words(const RunSnapshot& run);
std::string step_words(const Session& session);
std::string not_yet_words(const RunSnapshot& run);  // for whoever points at what the step has not come to

// Whether Play means anything: something is chosen, fits, and could be loaded where that was tried.
bool can_run(const Session& session);

// What is there to see; null where nothing has run.
const RunSnapshot* run_of(const Session& session);

}  // namespace headcount
