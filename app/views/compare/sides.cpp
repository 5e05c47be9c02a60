// Both sides of a comparison as the panels read them.
#include "app/views/compare/sides.hpp"

namespace headcount {

std::optional<BothSides> both_sides(const Session& session) {
    const std::optional<Shown>& other = session.comparison.other;
    if (!other) return std::nullopt;
    return BothSides{&session, &*other, session.comparison.difference.get()};
}

std::string why_compared(const Session& session) {
    switch (compared_with(session).because) {
        case ComparedBecause::chosen:
            return "";
        case ComparedBecause::edited:
            return session.document.preset.empty() ? "B is the file as it was read." : "B is the preset, unedited.";
        case ComparedBecause::alike:
            return "B is a model like A; choose another one above.";
    }
    return "";
}

Intents asked_of_other(Intents intents) {
    for (Intent& intent : intents)
        if (const auto* replace = std::get_if<Replace>(&intent)) {
            ReplaceOther other{replace->document.architecture, replace->edited, replace->settled, replace->run};
            intent = AtCompare{std::move(other)};
        }
    return intents;
}

}  // namespace headcount
