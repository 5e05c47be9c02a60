// What runs, as the report for tests has it.
#include <array>
#include <nlohmann/json.hpp>

#include "app/state/run/model.hpp"
#include "app/state/run/next.hpp"
#include "app/state/run/snapshot.hpp"
#include "app/views/run/panels.hpp"

namespace headcount {
namespace {

using Json = nlohmann::ordered_json;

// What runs; null outside of the Run view.
Json run_json(const Session& session) {
    const RunSnapshot* const run = session.running.shown.get();
    const RunModel* const model = session.running.model.get();
    if (session.view.workspace != run_view || !model) return nullptr;
    constexpr std::array<std::string_view, 4> phases{"idle", "loading", "reading", "ready"};
    const RunPlace& place = session.view.run;
    Json json{{"source", run_source_keys[static_cast<std::size_t>(place.source)]},
              {"model", model->architecture().name},
              {"wrong", model->wrong ? Json(sentence(*model->wrong)) : Json(nullptr)},
              {"memory", model->need.total()},
              {"layer", place.layer},
              {"head", place.head},
              {"speed", run_speed_keys[static_cast<std::size_t>(place.speed)]},
              {"phase", run ? Json(phases[static_cast<std::size_t>(run->phase)]) : Json(nullptr)}};
    if (!run) return json;
    json["error"] = run->error ? Json(sentence(*run->error)) : Json(nullptr);
    json["playing"] = run->playing;
    json["rested"] = run->rested;
    json["over"] = run->over;
    json["prompt_tokens"] = run->prompt;
    json["generated"] = run->generated;
    json["text"] = run->prompt_text + run->generated_text;
    json["layers_shown"] = run->layers_shown;
    json["ids"] = Json::array();
    for (const RunToken& token : run->tokens) json["ids"].push_back(token.id);
    const RunNext* const next = session.running.next.get();
    json["position"] = next ? Json(next->position) : Json(nullptr);
    json["likeliest"] =
        next && !next->distribution.candidates.empty() ? Json(next->distribution.candidates.front().id) : Json(nullptr);
    json["kept"] = next ? next->distribution.kept : 0;
    json["next"] = next && next->pick ? Json(*next->pick) : Json(nullptr);
    return json;
}

}  // namespace

void report_run(const Session& session, nlohmann::ordered_json& report) {
    report["run"] = run_json(session);
}

}  // namespace headcount
