// Opens the windows of the Run view and calls its panels; its key, and what the report for tests says of it.
#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/diagram/view.hpp"
#include "app/parts/caption.hpp"
#include "app/parts/run_pointed.hpp"
#include "app/parts/views.hpp"
#include "app/state/run/diagnosis.hpp"
#include "app/state/run/next.hpp"
#include "app/state/run/trial.hpp"
#include "app/state/run/vocabulary.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/views/run/card.hpp"
#include "app/views/run/panels.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float most_below = 0.5F;    // of what is shown and what is below it share
constexpr float prompt_part = 0.45F;  // of a column that it shares with the answers
constexpr float least_shown = 300;    // words: with less, what is below gives way to them
// Of two runs: what stands above a map, and how high that is; with less, what is below stands at the right.
constexpr float above_maps = 130, least_maps = 150;

struct RunLayout {
    Area settings, transport, tokens, shown, layers, answers, caption;
};

// To a class there are but words, what is shown of them, and answers; and on the page of words these stand at their
// map.
struct RunParts {
    float below = 0;  // how high it is to be, in pixels; 0: there is nothing
    bool alone = false, words = false;
    bool card = false;    // the answers give way to what is shown and the card beside it
    bool beside = false;  // two runs
    float least = 0;      // how high what is shown is at least, in pixels
};

RunLayout layout_of(const Ui& ui, float caption, const RunParts& parts) {
    const auto& [wanted, alone, words, card, beside, least] = parts;
    const ExploreLayout explore = explore_layout(ImGui::GetIO().DisplaySize, ui.scale, 0, caption, ui.chrome);
    const float top = explore.canvas.min.y, bottom = explore.inspector.max.y;
    const float from = alone ? explore.architecture.min.x : explore.canvas.min.x,
                to = card ? explore.inspector.max.x : explore.canvas.max.x;
    float bar = alone ? top - 1 : top + std::round(ui.px(run_transport_height));
    float tokens = alone && words ? bar : bar + 1 + std::round(ui.px(run_tokens_height));
    // What would have no room has that of the tokens, and then that of the transport.
    if (bottom - tokens - 1 < least) tokens = bar;
    if (bottom - tokens - 1 < least) tokens = bar = top - 1;
    const float most = std::min(wanted, (bottom - tokens) * most_below);
    const bool tight = beside && (alone || bottom - tokens - most < ui.px(above_maps + least_maps));
    const float below = bottom - (tight ? 0 : std::round(most));
    RunLayout layout{{explore.architecture.min, {explore.architecture.max.x, bottom}},
                     {{from, top}, {to, bar}},
                     {{from, bar + 1}, {to, tokens}},
                     {{from, tokens + 1}, {to, below < bottom ? below - 1 : bottom}},
                     {{from, below}, {to, bottom}},
                     {{card ? to : explore.inspector.min.x, top}, {explore.inspector.max.x, bottom}},
                     explore.caption};
    // Without a column of their own the answers stand below the prompt.
    if (!card && !alone && layout.answers.width() <= 0 && layout.settings.width() > 0) {
        const float middle = std::round(top + (bottom - top) * prompt_part);
        layout.answers = {{layout.settings.min.x, middle + 1}, layout.settings.max};
        layout.settings.max.y = middle;
    }
    return layout;
}

using Json = nlohmann::ordered_json;

// Of what is compared with somebody else's activations; null where nothing is.
Json diagnosis_json(const RunDiagnosis* diagnosis) {
    if (!diagnosis) return nullptr;
    Json said{{"file", diagnosis->file.path}, {"done", diagnosis->done()}};
    if (diagnosis->wrong) said["wrong"] = sentence(*diagnosis->wrong);
    if (!diagnosis->found) return said;
    const Diagnosis& found = *diagnosis->found;
    for (const SaidLine& line : said_lines(found)) said["lines"].push_back(line.text);
    said["first"] = found.first ? Json(found.compared[*found.first].ours) : Json(nullptr);
    said["causes"] = Json::array();
    for (const Cause& each : found.causes) said["causes"].push_back(each.names);
    return said;
}

}  // namespace

Area draw_run_space(const PanelFrame& frame) {
    const Ui& ui = frame.ui;
    // What a tour says of it.
    const float caption = caption_height_below(frame);
    const bool beside = frame.session.view.run.beside && run_of(frame.session.running);
    // What is below is seen with the words, or where there are none with the diagram; all else has all of the height.
    const RunSnapshot* const run = run_of(frame.session.running);
    const std::optional<RunShows> shows = shows_of(frame.session.running, frame.session.view.run);
    const bool drawn = run && shows && *shows != RunShows::words && (has_words(*run) || *shows != RunShows::diagram);
    const bool alone = frame.session.view.show.presenting;
    const ExploreLayout explore = explore_layout(ImGui::GetIO().DisplaySize, ui.scale, 0, caption, ui.chrome);
    const float wanted = ui.px(run_transport_height + run_tokens_height + run_layers_height + least_shown);
    const bool tight = explore.inspector.max.y - explore.canvas.min.y < wanted;
    const float below = beside                    ? run_moved_height(ui, frame.session.running)
                        : drawn || alone || tight ? 0
                                                  : ui.px(run_layers_height);
    const bool card = shows == RunShows::diagram &&
                      run_card_beside(ui, frame.session.view, explore.canvas.width(), explore.inspector.width());
    const bool words = shows == RunShows::words;
    const bool diagram = shows == RunShows::diagram && !beside;
    const float least = diagram ? ui.px(run_way_height + least_canvas_height + 2 * canvas_margin) + 2 : 0;
    const RunLayout layout = layout_of(ui, caption, {below, alone, words, card, beside, least});
    // The lines between all of them.
    const float top = explore.canvas.min.y, bottom = layout.layers.max.y;
    for (const auto& [from, to] :
         {std::pair(layout.settings.max.x, layout.tokens.min.x), std::pair(layout.tokens.max.x, layout.answers.min.x)})
        if (from < to) line_between(ui, {from, top}, {to, bottom});
    if (layout.settings.max.y < bottom)
        line_between(ui, {layout.settings.min.x, layout.settings.max.y}, {layout.settings.max.x, layout.answers.min.y});
    for (const auto& [above, under] : {std::pair(layout.transport, layout.tokens),
                                       std::pair(layout.tokens, layout.shown), std::pair(layout.shown, layout.layers)})
        line_between(ui, {above.min.x, above.max.y}, {above.max.x, under.min.y});
    const auto panel = [&](const PanelPlace& where, Intents (*draw)(RunPanel)) {
        draw_panel(frame, where, [draw](const Ui& on, const Session& session) {
            return draw({on, session.running, session.view.run, session.view.show.presenting});
        });
    };
    if (!alone)
        draw_panel(frame, {"run_settings", layout.settings, ui.theme.panel, padded},
                   [](const Ui& on, const Session& session) {
                       return draw_run_settings({on, session.running, session.view.run}, session, session.view.recent);
                   });
    if (!layout.transport.empty())
        panel({"run_transport", layout.transport, ui.theme.panel, {}, still_panel}, draw_run_transport);
    if (layout.tokens.empty())
        pointed_in_run(ui).chip.reset();
    else
        panel({"run_tokens", layout.tokens, ui.theme.panel, {}, ImGuiWindowFlags_HorizontalScrollbar}, draw_run_tokens);
    if (beside) {
        const bool below_it = !layout.layers.empty();
        panel({"run_beside", layout.shown, ui.theme.canvas, {}, still_panel}, draw_run_beside);
        if (below_it) panel({"run_moved", layout.layers, ui.theme.panel, padded}, draw_run_moved);
        panel({"run_weighed", layout.answers, ui.theme.panel, padded},
              below_it ? draw_run_weighed : draw_run_weighed_and_moved);
    } else {
        draw_panel(frame, {"run_shown", layout.shown, ui.theme.canvas, {}, still_panel},
                   [&](const Ui& on, const Session& session) {
                       const RunPanel run_panel{on, session.running, session.view.run, alone, card};
                       return draw_run_shown(run_panel, session, frame.painter);
                   });
        if (below > 0) panel({"run_layers", layout.layers, ui.theme.panel, {}}, draw_run_layers);
        if (!card) panel({"run_answers", layout.answers, ui.theme.panel, padded}, draw_run_answers);
    }
    draw_caption_below(frame, layout.caption);
    return layout.shown;
}

// Null outside of the Run view.
void report_run(const Session& session, Json& report) {
    Json& json = report["run"] = nullptr;
    const RunSnapshot* const run = session.running.shown.get();
    const RunModel* const model = session.running.model.get();
    if (session.view.workspace != run_view || !model) return;
    constexpr std::array<std::string_view, 4> phases{"idle", "loading", "reading", "ready"};
    const RunPlace& place = session.view.run;
    json = {{"source", word_of(run_source_keys, place.source)},
            {"model", model->architecture().name},
            {"wrong", model->wrong ? Json(sentence(*model->wrong)) : Json(nullptr)},
            {"memory", model->need.total()},
            {"layer", place.layer},
            {"head", place.head},
            {"speed", word_of(run_speed_keys, place.speed)},
            {"phase", run ? Json(phases[static_cast<std::size_t>(run->phase)]) : Json(nullptr)}};
    if (!run) return;
    json["error"] = run->error ? Json(sentence(*run->error)) : Json(nullptr);
    json["playing"] = run->playing;
    json["rested"] = run->rested;
    json["over"] = run->over;
    json["prompt_tokens"] = run->prompt;
    json["generated"] = run->generated;
    json["text"] = run->prompt_text + run->generated_text;
    json["layers_shown"] = run->layers_shown;
    const std::optional<RunWatch>& watch = session.running.watch;
    json["watched"] = watch ? Json{{"step", watch->step}, {"done", watch->done}, {"playing", watch->playing}} : Json();
    json["ids"] = Json::array();
    for (const RunToken& token : run->tokens) json["ids"].push_back(token.id);
    const RunNext* const next = session.running.next.get();
    json["position"] = next ? Json(next->position) : Json(nullptr);
    json["likeliest"] =
        next && !next->distribution.candidates.empty() ? Json(next->distribution.candidates.front().id) : Json(nullptr);
    json["kept"] = next ? next->distribution.kept : 0;
    json["beside"] = place.beside;
    json["changes"] = Json::array();
    const RunTrial* const trial = place.beside ? session.running.trial.get() : nullptr;
    for (std::size_t i = 0; i < place.experiments.changes.size(); ++i) {
        const RunChange& each = place.experiments.changes[i];
        Json& change = json["changes"].emplace_back(Json{{"change", change_text(each.change)}, {"on", each.on}});
        const bool known = trial && i < trial->effects.size() && trial->asked.changes[i].change == each.change;
        change["alone"] = known && trial->effects[i].alone ? Json(*trial->effects[i].alone) : Json(nullptr);
    }
    json["diagnosis"] = diagnosis_json(session.running.diagnosis.get());
    json["before"] = trial && !trial->twins.empty() ? Json(trial->before) : Json(nullptr);
    json["after"] = trial && !trial->twins.empty() ? Json(trial->after) : Json(nullptr);
    json["next"] = next && next->pick ? Json(*next->pick) : Json(nullptr);
}

std::vector<Action> run_actions() {
    return {
        {"run.play", "Play a run, or pause it", {"Space"}, [](const Session& session, float) -> std::optional<Intent> {
             const View& view = session.view;
             if (view.workspace != run_view || view.manual || view.show.presenting || !can_run(session.running))
                 return std::nullopt;
             return AtRun{play_intent(session.running)};
         }}};
}

// On the page of words the heads that are worth a look, one after the other; the text goes on behind the last of them.
// Nothing where that is what a step is.
std::optional<Intent> step_heads(const Session& session, int by) {
    const RunPlace& place = session.view.run;
    const RunHeads* const found = session.running.heads.get();
    const RunSnapshot* const run = run_of(session.running);
    if (shows_of(session.running, place) != RunShows::words || !run || !found || found->heads.empty())
        return std::nullopt;
    const std::vector<HeadFound>& heads = found->heads;
    const auto here = std::ranges::find_if(
        heads, [&](const HeadFound& each) { return each.layer == place.layer && each.head == place.head; });
    const bool chosen = here != heads.end() && !place.at_source, grown = run->generated > 0;
    if (!chosen && (grown || by < 0)) return std::nullopt;
    if (by < 0 && grown && here + 1 == heads.end()) return std::nullopt;
    const auto next = chosen ? here - heads.begin() + by : 0;
    if (next < 0 || next >= std::ssize(heads)) return std::nullopt;
    return AtRun{SetRun{at_head(place, heads[static_cast<std::size_t>(next)])}};
}

// Else one stage of one token, as Step makes it, or undone.
std::optional<Intent> step_run(const Session& session, int by) {
    if (!can_run(session.running)) return std::nullopt;
    if (std::optional<Intent> head = step_heads(session, by)) return head;
    return AtRun{step_intent(session.running, by)};
}

extern constexpr ViewKind run_kind{.key = run_view,
                                   .name = "Run",
                                   .help = "A model that runs, with every number in it.",
                                   .draw = draw_run_space,
                                   .step = step_run,
                                   .report = report_run,
                                   .actions = run_actions};

}  // namespace headcount
