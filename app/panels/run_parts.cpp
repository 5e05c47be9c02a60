// What of a run is looked at, and how its tokens are written.
#include "app/panels/run_parts.hpp"

#include <algorithm>

namespace headcount {

std::string chip_text(std::string_view piece) {
    constexpr std::string_view dot = "·";
    if (piece.find_first_not_of(' ') == std::string_view::npos) {
        std::string dots;
        for (std::size_t i = 0; i < piece.size(); ++i) dots += dot;
        return dots;
    }
    if (piece.starts_with(' ')) piece.remove_prefix(1);
    return std::string(piece);
}

std::string chip_text(const RunToken& token) {
    return chip_text(token.text);
}

std::string candidate_text(const RunSnapshot& run, std::int32_t id) {
    return chip_text(piece_of(run, id));
}

const RunSnapshot* run_of(const Session& session) {
    const RunSnapshot* const run = session.running.shown.get();
    return run && run->values && !run->tokens.empty() ? run : nullptr;
}

bool can_run(const Session& session) {
    const RunModel* const model = session.running.model.get();
    const RunSnapshot* const run = session.running.shown.get();
    const bool failed = run && run->error && run->of.get() == model && run->phase == RunPhase::idle && !run->values &&
                        run->error->where != "prompt" && run->error->where != "ids";
    return model && !model->wrong && !failed;
}

std::int64_t shown_layer(const Session& session) {
    const RunSnapshot* const run = run_of(session);
    const std::int64_t last = run ? run->values->layers() - 1 : 0;
    return std::clamp<std::int64_t>(session.view.run.layer, 0, std::max<std::int64_t>(last, 0));
}

std::int64_t shown_head(const Session& session) {
    const RunSnapshot* const run = run_of(session);
    const std::int64_t last = run ? run->values->heads() - 1 : 0;
    return std::clamp<std::int64_t>(session.view.run.head, 0, std::max<std::int64_t>(last, 0));
}

std::int64_t lit_position(const Ui& ui, const Session& session) {
    const RunSnapshot* const run = run_of(session);
    const std::optional<std::int64_t>& token = pointed_in_run(ui).token;
    return run && token && *token < run->values->tokens() ? *token : shown_position(session);
}

std::int64_t shown_position(const Session& session) {
    const RunSnapshot* const run = run_of(session);
    return run ? position_in(*run, session.view.run.position) : 0;
}

Intent run_from(const Session& session, RunSource source) {
    return with_run(session, [&](RunPlace& place) {
        place.source = source;
        place.position.reset();
        place.trail.clear();
    });
}

}  // namespace headcount
