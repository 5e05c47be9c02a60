// The top bar, the view below it, the sheets over both, and the keys.
#include "app/shell/frame.hpp"

#include <algorithm>
#include <cmath>

#include "app/bars/panels.hpp"
#include "app/parts/caption.hpp"
#include "app/parts/hidden.hpp"
#include "app/parts/panel_cache.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/number_field.hpp"
#include "app/views/show/presenter.hpp"

namespace headcount {
namespace {

// Whether what lies over everything closes. Otherwise ImGui would hand the keyboard to whichever panel it finds next.
bool closes(const Intents& intents, const View& view) {
    return std::ranges::any_of(intents, [&](const Intent& intent) {
        const auto* show = std::get_if<ShowManual>(&intent);
        const auto* bar = std::get_if<Ask>(&intent);
        const auto* ask = std::get_if<AskForFile>(&intent);
        const auto* share = std::get_if<Share>(&intent);
        const bool taken = std::holds_alternative<OpenFile>(intent) || std::holds_alternative<WriteFile>(intent) ||
                           std::holds_alternative<WritePicture>(intent);
        return std::holds_alternative<Present>(intent) || (view.manual && show && !show->place) ||
               (view.asking && bar && !bar->asking) || (view.sharing && share && !share->open) ||
               (view.task && ((ask && !ask->task) || taken));
    });
}

// While the window presents keys are a clicker's, and no button has them.
void use_keys(const View& view) {
    ImGuiConfigFlags& flags = ImGui::GetIO().ConfigFlags;
    const bool presents = view.show.presenting && !view.manual && !view.task && !view.sharing;
    flags = presents ? flags & ~ImGuiConfigFlags_NavEnableKeyboard : flags | ImGuiConfigFlags_NavEnableKeyboard;
}

// Text that stays in a field because it could not be taken over goes with Esc and with a model that is opened, and
// before an edit is undone.
void take_back_refused(const Ui& ui, const View& view, Intents& intents) {
    std::vector<UiMemory::Rejected>& rejected = ui.memory.rejected;
    const auto seen = [&](const UiMemory::Rejected& text) { return in_sight(ui, text); };
    const auto last = std::find_if(rejected.rbegin(), rejected.rend(), seen);
    const auto asks = [&](auto is) { return std::ranges::any_of(intents, is); };
    const bool covered = view.manual || view.task || view.asking || view.sharing || view.show.presenting;
    const bool free = !covered && !ImGui::GetIO().WantTextInput && !compat::popup_is_or_was_open();
    const auto undoes = [](const Intent& each) { return std::holds_alternative<Undo>(each); };
    const auto leaves = [](const Intent& each) {
        return std::holds_alternative<Select>(each) || std::holds_alternative<GoTo>(each) ||
               std::holds_alternative<LeaveTour>(each);
    };
    const auto opens = [](const Intent& each) {
        return std::holds_alternative<OpenPreset>(each) || std::holds_alternative<OpenFile>(each);
    };
    if (asks(opens)) {
        rejected.clear();
    } else if (last == rejected.rend()) {
        return;
    } else if (asks(undoes)) {
        rejected.erase(std::next(last).base());
        std::erase_if(intents, undoes);
    } else if (free && compat::key_pressed(ImGuiKey_Escape, false)) {
        std::erase_if(rejected, seen);
        std::erase_if(intents, leaves);
    } else {
        return;
    }
    ui.memory.animating = true;  // the next frame is without it
}

// The step's words below a view that has no place for them: it has that much less of the window.
Area draw_toured_view(const PanelFrame& frame, const Views& views) {
    ImVec2& display = ImGui::GetIO().DisplaySize;
    const ImVec2 whole = display;
    const float wanted = std::round(caption_height(frame.ui, frame.session, whole.x));
    const float height = std::min(wanted, std::floor(whole.y / 3));
    display.y = whole.y - height - 1;
    const Area area = view_on(views, frame.session.view).draw(frame);
    display = whole;
    const float top = whole.y - height;
    ImGui::GetBackgroundDrawList()->AddRectFilled(ImVec2(0, top - 1), ImVec2(whole.x, top), frame.ui.theme.line);
    draw_panel(frame, {"caption", {{0, top}, whole}, frame.ui.theme.panel, {}, still_panel}, draw_caption);
    return area;
}

// To a class without what leads elsewhere.
Area draw_bar_and_view(const PanelFrame& frame, const Views& views) {
    const Ui& ui = frame.ui;
    const bool presents = frame.session.view.show.presenting;
    if (!ui.chrome) return view_on(views, frame.session.view).draw(frame);
    const Area bar = explore_layout(ImGui::GetIO().DisplaySize, ui.scale, 0).top_bar;
    ImGui::GetBackgroundDrawList()->AddRectFilled(ImVec2(bar.min.x, bar.max.y), ImVec2(bar.max.x, bar.max.y + 1),
                                                  ui.theme.line);
    if (presents)
        draw_panel(frame, {"presenter_bar", bar, ui.theme.panel, {}, still_panel}, draw_presenter_bar);
    else
        draw_panel(frame, {"top_bar", bar, ui.theme.panel, ImVec2(size::panel_padding, 0), still_panel},
                   [&](const Ui& on, const Session& session) { return draw_top_bar(on, session, views); });
    if (is_toured(frame.session)) return draw_toured_view(frame, views);
    return view_on(views, frame.session.view).draw(frame);
}

bool begins_to_present(const Intents& intents, const View& view) {
    return !view.show.presenting && std::ranges::any_of(intents, [](const Intent& intent) {
        const auto* const present = std::get_if<Present>(&intent);
        return present && present->presenting;
    });
}

}  // namespace

Intents draw_frame(const Ui& ui, const Session& session, PanelCache* cache, float most, const ScenePainter& painter,
                   const Views& views) {
    Intents intents;
    keep_pointer_away(ui, session.view);
    const HiddenNumbers hidden(ui, session);
    const PanelFrame frame{ui, session, cache, intents, painter, view_on(views, session.view).made_for};
    if (cache) cache->begin_frame(ui, session);
    use_keys(session.view);
    Area below = presents_diagram(session.view) ? draw_presenter(frame) : draw_bar_and_view(frame, views);
    if (session.recording && !session.run && !session.view.show.presenting)
        append(intents, draw_recorder(ui, session, below));
    if (session.view.show.presenting && ui.chrome) append(intents, draw_presented_tours(ui, session, below));
    const bool explores = session.view.workspace == explore_view && !session.view.show.presenting;
    if (session.view.welcome.open && ui.chrome && explores) append(intents, draw_welcome_card(ui, session));
    if (session.view.manual) append(intents, draw_manual_sheet(ui, session, views));
    if (session.view.task) append(intents, draw_file_sheet(ui, session));
    if (session.view.asking) append(intents, draw_ask_sheet(ui, session, views, most));
    if (session.view.sharing) append(intents, draw_share_sheet(ui, session));
    const bool over = session.view.manual || session.view.task || session.view.asking || session.view.sharing;
    if (session.view.file_changed && !over) below.max.y -= draw_file_question(ui, session, below, intents);
    if (session.view.film && !over) below.max.y -= draw_film_progress(ui, *session.view.film, below, intents);
    // The file dialog says it itself.
    if (!session.view.notice.text.empty() && !session.view.task) draw_notice(ui, session.view.notice, below);
    append(intents, hidden.pressed());
    append(intents, pressed_shortcuts(views, session, intents, most));
    append(intents, draw_aids(ui, session.view));
    Intents stepped = pressed_show_keys(views, session, intents);
    if (!stepped.empty() || begins_to_present(intents, session.view)) pointer_stepped(ui);
    append(intents, std::move(stepped));
    take_back_refused(ui, session.view, intents);
    if (closes(intents, session.view)) compat::drop_focus();
    bring_pointer_back(ui);
    return intents;
}

}  // namespace headcount
