// What of a run is looked at, and how its tokens are written.
#include "app/views/run/parts.hpp"

#include <algorithm>

namespace headcount {

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

}  // namespace headcount
