// The tours to choose from, behind an icon of the top bar.
#include <cmath>

#include "app/bars/panels.hpp"
#include "app/parts/actions.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/menu.hpp"
#include "app/ui/recorder.hpp"

namespace headcount {
namespace {

constexpr float tour_list_width = 360;
constexpr std::string_view name = "topbar.tours";

struct TourEntry {
    std::string key, text, detail;
    std::string_view group;
    Intent intent;
};

const std::vector<std::string>& step_texts(const Ui& ui, const Session& session) {
    auto& kept_texts = kept<StepTexts>(ui, "topbar.tours");
    const Counted& shown = session.derived.shown;
    const bool same_model = kept_texts.of == shown.architecture && kept_texts.input == shown.input;
    if (same_model && kept_texts.tours == session.tours) return kept_texts.texts;
    kept_texts = {shown.architecture, shown.input, session.tours, {}};
    for (const Tour& tour : session.tours) {
        const Result<WorkedTour> worked = make_tour(tour, session.presets, shown.architecture, shown.input);
        kept_texts.texts.push_back(worked ? std::to_string(worked->steps.size()) + " steps" : "not this model");
    }
    return kept_texts.texts;
}

std::vector<TourEntry> tour_entries(const Ui& ui, const Session& session) {
    std::vector<TourEntry> entries;
    entries.push_back({"present", "Present to a class", action("present").keys.front(), "", Present{true}});
    if (session.run) entries.push_back({"leave", "Leave the tour", "", "", LeaveTour{}});
    if (!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) return entries;
    const std::vector<std::string>& texts = step_texts(ui, session);
    for (std::size_t i = 0; i < session.tours.size(); ++i) {
        const Tour& tour = session.tours[i];
        entries.push_back({tour.id, tour.title, texts[i], "Tours", StartTour{tour.id}});
    }
    return entries;
}

bool asked_by_key() {
    const ImGuiIO& io = ImGui::GetIO();
    return io.KeyCtrl && !io.KeyShift && !io.KeyAlt && !io.WantTextInput && !compat::popup_is_or_was_open() &&
           compat::named_key_pressed("T", false);
}

}  // namespace

void draw_tour_menu(const Ui& ui, const Session& session, ImVec2 top_left, Intents& intents) {
    ImGui::SetCursorScreenPos(top_left);
    const bool pressed =
        icon_button(ui, name, Icon::play, "Tours, and presenting (Ctrl+T)", {.active = session.run.has_value()});
    const bool over = session.view.manual || session.view.task || session.view.asking;
    if (pressed || (!over && asked_by_key())) open_menu(ui, name, 0);
    const std::vector<TourEntry> entries = tour_entries(ui, session);
    std::vector<MenuEntry> shown;
    shown.reserve(entries.size());
    int current = -1;
    for (const TourEntry& entry : entries) {
        if (session.run && entry.key == session.view.show.tour) current = static_cast<int>(shown.size());
        shown.push_back({.name = entry.text, .detail = entry.detail, .group = entry.group});
    }
    const float side = std::round(ui.px(size::icon_button));
    const ImVec2 below(top_left.x + side - ui.px(tour_list_width + 16), top_left.y + side + ui.px(6));
    const std::optional<int> chosen =
        popup_menu(ui, name, {.list_width = tour_list_width, .current = current, .searchable = false}, shown, below);
    record_keys(ui.recorder, name, "topbar.tours.item", entries, &TourEntry::key);
    if (chosen) intents.push_back(entries[static_cast<std::size_t>(*chosen)].intent);
}

}  // namespace headcount
