// Opens the windows of the Train view and calls its panels; its keys, and what the report for tests says of it.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "app/parts/caption.hpp"
#include "app/parts/views.hpp"
#include "app/state/tour_run.hpp"
#include "app/views/train/panels.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float curves_share = 0.52F;  // of what the transport and the heads leave
constexpr float least_curves = 270, fewest_curves = 170;
constexpr float heads_around = 76, beside_maps = 116;        // title, names; padding, gaps
constexpr float presented_heads = 140, least_weights = 120;  // a row of matrices
constexpr std::int64_t maps_in_a_row = 8;

struct TrainLayout {
    Area settings, transport, curves, heads, weights, answers, caption;
};

// To a class there are no settings, which are made before; and where no tour has the clicker, nothing to be pressed.
// `spoken`: one of train_parts, for which others give way; `asked`: where a number of a gradient comes from is shown.
TrainLayout layout_of(const Ui& ui, float caption, bool alone, std::string_view spoken, bool asked) {
    const ExploreLayout explore = explore_layout(ImGui::GetIO().DisplaySize, ui.scale, 0, caption, ui.chrome);
    const float top = explore.canvas.min.y, bottom = explore.inspector.max.y;
    const float from = alone ? explore.architecture.min.x : explore.canvas.min.x, to = explore.canvas.max.x;
    const float bar = alone && caption <= 0 ? top - 1 : top + std::round(ui.px(train_transport_height));
    float high = std::min(ui.px(alone ? presented_heads : train_heads_height),
                          ui.px(heads_around) + (to - from - ui.px(beside_maps)) / maps_in_a_row);
    float room = bottom - bar - high;
    // The weights give way where the curves would have too little, before a class sooner; the heads where the weights
    // are spoken of, and for the card of a number the curves too.
    bool folds = room < ui.px((alone ? least_curves : fewest_curves) + least_weights);
    const bool without_heads = folds && spoken == "weights";
    if (without_heads) {
        room += high;
        high = 0;
        folds = false;
    }
    const float most = without_heads ? (asked ? 0 : ui.px(fewest_curves))
                       : alone       ? room - ui.px(least_weights)
                                     : room * 0.65F;
    const float wanted = std::max(without_heads ? 0 : room * curves_share, std::min(ui.px(least_curves), most));
    const float curves = bar + 1 + std::round(folds ? room - 2 : wanted);
    const float heads = curves + 1 + std::round(high);
    return {{explore.architecture.min, {alone ? explore.architecture.min.x : explore.architecture.max.x, bottom}},
            {{from, top}, {to, bar}},
            {{from, bar + 1}, {to, curves}},
            {{from, curves + 1}, {to, heads}},
            {{from, heads + 1}, {to, bottom}},
            {{explore.inspector.min.x, top}, {explore.inspector.max.x, bottom}},
            explore.caption};
}

bool here(const Session& session) { return session.view.workspace == train_view; }

}  // namespace

Area draw_train_space(const PanelFrame& frame) {
    const Ui& ui = frame.ui;
    const bool alone = frame.session.view.show.presenting;
    // What a tour says of it.
    const float caption = caption_height_below(frame);
    const WorkedStep* const step = current_step(frame.session);
    const std::string_view spoken = step && step->train ? std::string_view(step->train->shows) : std::string_view();
    const TrainSnapshot* const run = frame.session.training.shown.get();
    const bool asked = frame.session.view.train.cell && run && run->cell;
    const TrainLayout layout = layout_of(ui, caption, alone, spoken, asked);
    const float top = layout.answers.min.y, bottom = layout.answers.max.y;
    line_between(ui, {layout.settings.max.x, top}, {layout.transport.min.x, bottom});
    line_between(ui, {layout.transport.max.x, top}, {layout.answers.min.x, bottom});
    for (const auto& [above, under] : {std::pair(layout.transport, layout.curves),
                                       std::pair(layout.curves, layout.heads), std::pair(layout.heads, layout.weights)})
        line_between(ui, {above.min.x, above.max.y}, {above.max.x, under.min.y});
    const auto panel = [&](const PanelPlace& where, Intents (*draw)(TrainPanel)) {
        draw_panel(frame, where, [draw](const Ui& on, const Session& session) {
            return draw({on, session.training, session.view.train});
        });
    };
    if (!alone)
        draw_panel(frame, {"train_settings", layout.settings, ui.theme.panel, padded},
                   [](const Ui& on, const Session& session) {
                       return draw_train_settings({on, session.training, session.view.train}, session);
                   });
    if (!layout.transport.empty())
        draw_panel(frame, {"train_transport", layout.transport, ui.theme.panel, {}, still_panel},
                   [alone](const Ui& on, const Session& session) {
                       return draw_train_transport({on, session.training, session.view.train}, !alone);
                   });
    panel({"train_curves", layout.curves, ui.theme.panel, {}, still_panel}, draw_train_curves);
    panel({"train_heads", layout.heads, ui.theme.canvas, {}, still_panel}, draw_train_heads);
    if (!layout.weights.empty())
        panel({"train_weights", layout.weights, ui.theme.panel, {}, still_panel}, draw_train_weights);
    draw_panel(frame, {"train_answers", layout.answers, ui.theme.panel, padded},
               [alone, spoken](const Ui& on, const Session& session) {
                   return draw_train_answers({on, session.training, session.view.train}, alone,
                                             alone ? spoken : std::string_view());
               });
    draw_caption_below(frame, layout.caption);
    return layout.curves;
}

// Null outside of the Train view.
void report_training(const Session& session, nlohmann::ordered_json& report) {
    using Json = nlohmann::ordered_json;
    Json& json = report["train"] = nullptr;
    const TrainSnapshot* const run = session.training.shown.get();
    if (!here(session) || !run) return;
    json = {{"source", word_of(train_source_keys, session.view.train.source)},
            {"task", word_of(task_words, run->of.settings.task.kind)},
            {"error", run->error ? Json(sentence(*run->error)) : Json(nullptr)},
            {"begun", run->begun},
            {"playing", session.training.plays},
            {"steps", run->history.size()},
            {"step", run->step},
            {"parameters", run->parameters},
            {"loss", run->now ? Json(run->now->held_out.loss) : Json(nullptr)},
            {"lines_right", run->now ? Json(run->now->held_out.lines_right) : Json(nullptr)},
            {"cell", run->cell && *run->cell ? Json((*run->cell)->result) : Json(nullptr)},
            {"beside", nullptr}};
    if (const TrainSnapshot* const other = session.training.other.get())
        json["beside"] = {{"differs", difference_words(other->of, run->of)},
                          {"steps", other->history.size()},
                          {"step", other->step},
                          {"loss", other->now ? Json(other->now->held_out.loss) : Json(nullptr)}};
}

std::vector<Action> train_actions() {
    return {{.id = "train.play",
             .name = "Play a training, or pause it",
             .keys = {"Space"},
             .does = [](const Session& session, float) -> std::optional<Intent> {
                 const View& view = session.view;
                 const TrainSnapshot* const run = session.training.shown.get();
                 if (!here(session) || view.manual || view.show.presenting || !run) return std::nullopt;
                 return AtTrain{PlayTraining{!session.training.plays}};
             },
             .in_manual = false}};
}

// It learns until the next press; back, and on again, through the steps that are kept.
std::optional<Intent> step_training(const Session& session, int by) {
    const TrainSnapshot* const run = session.training.shown.get();
    if (!run) return std::nullopt;
    TrainPlace place = session.view.train;
    if (session.training.plays) return AtTrain{PlayTraining{false}};
    if (by > 0 && !place.step) return AtTrain{PlayTraining{true}};
    std::optional<std::int64_t> other;
    for (const std::int64_t kept : run->kept)
        if (by < 0 ? kept < run->step : kept > run->step && !other) other = kept;
    if (by < 0 && !other) return std::nullopt;
    place.step = other;
    return AtTrain{SetTrain{std::move(place)}};
}

extern constexpr ViewKind train_kind{.key = train_view,
                                     .name = "Train",
                                     .help = "A small model learns: its loss, its heads, its weights, step by step.",
                                     .draw = draw_train_space,
                                     .step = step_training,
                                     .report = report_training,
                                     .actions = train_actions};

}  // namespace headcount
