// A panel may stay when the session is the same, no input has come, the pointer is elsewhere and nothing moves.
#include "app/parts/panel_cache.hpp"

#include <algorithm>
#include <utility>

#include "app/state/in_view.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/imgui_drawing.hpp"

namespace headcount {
namespace {

// Some layouts know a height one frame late.
constexpr int settling_frames = 2;

bool input_came() {
    const ImGuiIO& io = ImGui::GetIO();
    const bool buttons = std::ranges::any_of(io.MouseDown, [](bool down) { return down; }) ||
                         std::ranges::any_of(io.MouseReleased, [](bool up) { return up; });
    return buttons || io.MouseWheel != 0 || io.MouseWheelH != 0 || !io.InputQueueCharacters.empty() ||
           compat::any_key_down();
}

bool same(ImVec2 a, ImVec2 b) { return a.x == b.x && a.y == b.y; }

}  // namespace

void PanelCache::begin_frame(const Ui& ui, const Session& session) {
    const Shown& side = model_in_view(session);
    Seen seen{.document = session.document,
              .view = session.view,
              .look = session.look,
              .desk = session.desk.kept,
              .sheet = session.desk.sheet,
              .pupils = session.desk.pupils,
              .sheet_problem = session.desk.problem,
              .claims = session.claims.groups,
              .run_model = session.running.model,
              .run_shown = session.running.shown,
              .run_next = session.running.next,
              .run_lens = session.running.lens,
              .run_trial = session.running.trial,
              .run_ranked = session.running.ranked,
              .run_diagnosis = session.running.diagnosis,
              .training = session.training.shown,
              .run_watch = session.running.watch,
              .side_document = side.document,
              .side_look = side.look,
              .can_undo = session.history.can_undo(),
              .can_redo = session.history.can_redo(),
              .font_texture = compat::font_texture()};
    Lit lit{std::exchange(seen.look.hover, {}), std::exchange(seen.side_look.hover, {}), pointed_in_run(ui)};
    same_light_ = lit_ == lit;
    lit_ = std::move(lit);
    const bool same_session = seen_ == seen;
    seen_ = std::move(seen);
    calm_ = same_session && !input_came() && !ImGui::IsAnyItemActive() && !ImGui::GetIO().NavVisible &&
            !compat::popup_is_or_was_open();
    // A panel that stays is one that is seen: its animations begin where they are, not at their end.
    if (calm_)
        for (UiMemory::Motion& motion : ui.memory.motions) motion.last_frame = ImGui::GetFrameCount();
}

bool PanelCache::undisturbed(const Area& area) const {
    return calm_ && !ImGui::IsMouseHoveringRect(area.min, area.max, false);
}

PanelCache::Panel& PanelCache::panel(std::string_view name) {
    const auto found = std::ranges::find_if(panels_, [&](const Panel& each) { return each.name == name; });
    if (found != panels_.end()) return *found;
    panels_.emplace_back().name = name;
    return panels_.back();
}

bool PanelCache::keep(const Ui& ui, std::string_view name, const Area& area) {
    const Panel& kept = panel(name);
    const bool stays = same_light_ && kept.window && kept.calm_frames >= settling_frames && undisturbed(area) &&
                       same(kept.area.min, area.min) && same(kept.area.max, area.max);
    if (!stays) return false;
    compat::keep_window(kept.window);
    for (const NamedRect& rect : kept.rects) ui.recorder.record(rect.name, rect.min, rect.max);
    ui.memory.tab_stops.insert(ui.memory.tab_stops.end(), kept.tab_stops.begin(), kept.tab_stops.end());
    return true;
}

PanelCache::Watch::Watch(PanelCache* cache, const Ui& ui, std::string_view name, const Area& area)
    : cache_(cache),
      ui_(ui),
      name_(name),
      area_(area),
      rects_(ui.recorder.all().size()),
      stops_(ui.memory.tab_stops.size()),
      moving_before_(std::exchange(ui.memory.animating, false)) {}

void PanelCache::Watch::window_is_open() { window_ = compat::current_window(); }

PanelCache::Watch::~Watch() {
    const bool moves = ui_.memory.animating;
    ui_.memory.animating = moves || moving_before_;
    if (!cache_) return;
    Panel& panel = cache_->panel(name_);
    const bool moved = !same(panel.area.min, area_.min) || !same(panel.area.max, area_.max);
    panel.calm_frames = moves || moved || !cache_->undisturbed(area_) ? 0 : panel.calm_frames + 1;
    panel.area = area_;
    panel.window = window_;
    if (panel.calm_frames < settling_frames) return;
    const auto rects = ui_.recorder.all().subspan(rects_);
    panel.rects.assign(rects.begin(), rects.end());
    panel.tab_stops.assign(ui_.memory.tab_stops.begin() + static_cast<std::ptrdiff_t>(stops_),
                           ui_.memory.tab_stops.end());
}

}  // namespace headcount
