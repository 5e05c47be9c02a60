// Opens the windows of the Run view and calls its panels.
#include <cmath>
#include <utility>

#include "app/parts/caption.hpp"
#include "app/parts/views.hpp"
#include "app/state/run/snapshot.hpp"
#include "app/views/run/matrices.hpp"
#include "app/views/run/panels.hpp"

namespace headcount {
namespace {

struct RunLayout {
    Area settings, transport, tokens, matrices, layers, answers, caption;
};

RunLayout layout_of(const Ui& ui, float caption) {
    const ExploreLayout explore = explore_layout(ImGui::GetIO().DisplaySize, ui.scale, 0, caption);
    const float top = explore.canvas.min.y, bottom = explore.inspector.max.y;
    const float from = explore.canvas.min.x, to = explore.canvas.max.x;
    const float bar = top + std::round(ui.px(run_transport_height));
    const float tokens = bar + 1 + std::round(ui.px(run_tokens_height));
    const float below = bottom - std::round(ui.px(run_layers_height));
    return {{explore.architecture.min, {explore.architecture.max.x, bottom}},
            {{from, top}, {to, bar}},
            {{from, bar + 1}, {to, tokens}},
            {{from, tokens + 1}, {to, below - 1}},
            {{from, below}, {to, bottom}},
            {{explore.inspector.min.x, top}, {explore.inspector.max.x, bottom}},
            explore.caption};
}

}  // namespace

Area draw_run_space(const PanelFrame& frame) {
    const Ui& ui = frame.ui;
    // What a tour says of it.
    const float caption = frame.session.run ? caption_height(ui, frame.session, ImGui::GetIO().DisplaySize.x) : 0;
    const RunLayout layout = layout_of(ui, caption);
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    // The lines between all of them.
    const float top = layout.transport.min.y, bottom = layout.layers.max.y;
    for (const auto& [from, to] : {std::pair(layout.settings.max.x, layout.transport.min.x),
                                   std::pair(layout.transport.max.x, layout.answers.min.x)})
        list.AddRectFilled({from, top}, {to, bottom}, ui.theme.line);
    for (const auto& [above, below] :
         {std::pair(layout.transport, layout.tokens), std::pair(layout.tokens, layout.matrices),
          std::pair(layout.matrices, layout.layers)})
        list.AddRectFilled({above.min.x, above.max.y}, {above.max.x, below.min.y}, ui.theme.line);
    const ImVec2 padded(size::panel_padding, size::panel_padding);
    draw_panel(frame, {"run_settings", layout.settings, ui.theme.panel, padded}, draw_run_settings);
    draw_panel(frame, {"run_transport", layout.transport, ui.theme.panel, {}, still_panel}, draw_run_transport);
    draw_panel(frame, {"run_tokens", layout.tokens, ui.theme.panel, {}, ImGuiWindowFlags_HorizontalScrollbar},
               draw_run_tokens);
    draw_panel(frame, {"run_matrices", layout.matrices, ui.theme.canvas, {}, still_panel},
               [&](const Ui& on, const Session& session) {
                   const bool empty = !session.running.shown || !session.running.shown->values;
                   Intents intents = draw_run_matrices(on, session, frame.painter);
                   if (empty) append(intents, draw_run_empty(on, session));
                   return intents;
               });
    draw_panel(frame, {"run_layers", layout.layers, ui.theme.panel, {}}, draw_run_layers);
    draw_panel(frame, {"run_answers", layout.answers, ui.theme.panel, padded}, draw_run_answers);
    if (caption > 0) {
        list.AddRectFilled({0, layout.settings.max.y}, {layout.caption.max.x, layout.caption.min.y}, ui.theme.line);
        draw_panel(frame, {"caption", layout.caption, ui.theme.panel, {}, still_panel}, draw_caption);
    }
    return layout.matrices;
}

extern constexpr ViewKind run_kind{.key = run_view,
                                   .name = "Run",
                                   .help = "A model that runs, with every number in it.",
                                   .draw = draw_run_space,
                                   .report = report_run,
                                   .actions = run_actions};

}  // namespace headcount
