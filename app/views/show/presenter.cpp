// Lays the presenter's window out and calls its panels.
#include "app/views/show/presenter.hpp"

#include <algorithm>
#include <cmath>

#include "app/diagram/panels.hpp"
#include "app/parts/caption.hpp"
#include "app/parts/words.hpp"
#include "app/state/in_view.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/rich_text.hpp"
#include "core/analysis/difference.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float line = 1;
constexpr float bar_height = 40, breakdown_part = 0.337F, least_breakdown = 256, most_breakdown = 380;  // design pixels
constexpr float breakdown_padding = 20, least_canvas_beside = 360;  // beside which the breakdown has room
constexpr float enlargement = 1.6F, design_width = 1600, design_height = 1000;
constexpr float least_enlargement = 1.25F;  // a small screen is as large on the wall as another
// Where it still has room for everything; and more than the least enlargement only where the picture keeps its words.
constexpr float presenter_width = 840, presenter_height = 500, roomy_height = 576;
constexpr float bar_gap = 14;

struct PresenterLayout {
    Area bar, canvas, breakdown, caption;
};

// Inside a sub-block, or a head of it, a tour is about what is computed there: the picture has the breakdown's room.
bool shows_inside(const Session& session) {
    const WorkedStep* const step = current_step(session);
    const ModelGraph& graph = session.derived.shown.graph;
    const Block* const block = step ? graph.find_block(step->at) : nullptr;
    for (std::optional<BlockIndex> up = block ? block->parent : std::nullopt; up; up = graph.blocks[*up].parent)
        if (graph.blocks[*up].kind == BlockKind::layer) return true;
    return false;
}

// In whole pixels, with one pixel between neighbours for a line. `caption_height` in pixels.
PresenterLayout presenter_layout(ImVec2 display, float scale, float caption_height, bool with_breakdown) {
    const float width = std::max(display.x, 8 * line), height = std::max(display.y, 8 * line);
    const float top = std::min(std::round(bar_height * scale), std::floor(height / 4));
    const float bottom = height - std::clamp(std::round(caption_height), 1.0F, std::floor(height / 3));
    const float share = std::clamp(width * breakdown_part, least_breakdown * scale, most_breakdown * scale);
    const bool beside = with_breakdown && width - share >= least_canvas_beside * scale;
    const float right = width - (beside ? std::round(share) : 0);
    return {
        .bar = {{0, 0}, {width, top}},
        .canvas = {{0, top + line}, {right - (beside ? line : 0), bottom - line}},
        .breakdown = {{right, top + line}, {width, bottom - line}},
        .caption = {{0, bottom}, {width, height}},
    };
}

}  // namespace

namespace {

// Which model is shown, or which two, and how large it is, or by how much the second one differs.
struct BarWords {
    std::string title, total, rounded, unit = "parameters";
    std::string about = std::string(total_key);
};

// What the part of a comparison that is selected has to do with the difference: "in Attention", and how much of it is
// in there. Nothing where no part is, or both have as many in it.
struct PartOfDifference {
    std::string in;
    std::int64_t change = 0;
};
std::optional<PartOfDifference> selected_part(const Session& session) {
    const Subject& selection = session.look.selection;
    const Difference* const difference = session.comparison.difference.get();
    if (!difference) return std::nullopt;
    if (const auto* const component = std::get_if<Component>(&selection))
        return PartOfDifference{std::string(component_name(*component)), difference->of(*component)};
    if (const auto* const field = std::get_if<Field>(&selection)) {
        const auto row = std::ranges::find(difference->fields, *field, &FieldDifference::field);
        if (row == difference->fields.end() || !row->adds) return std::nullopt;
        return PartOfDifference{std::string(info(*field).label), *row->adds};
    }
    for (const Shown* const model : {static_cast<const Shown*>(&session), &*session.comparison.other}) {
        const Tensor* const tensor = tensor_of(model->derived.shown.graph, selection);
        const auto kind = std::ranges::find_if(
            difference->kinds, [&](const KindDifference& each) { return tensor && each.holds(*tensor); });
        if (kind != difference->kinds.end()) return PartOfDifference{kind->label, kind->difference()};
    }
    return std::nullopt;
}

BarWords words_of(const Session& session) {
    const auto named = [](const Shown& model) {
        return title_of(model.document) + (model.derived.doubt.empty() ? "" : " (not verified)");
    };
    if (shows_both(session)) {
        const Shown& other = *session.comparison.other;
        const std::int64_t change = other.derived.shown.parameters.total - session.derived.shown.parameters.total;
        const std::string sign(doubt_sign(session.derived.doubt + other.derived.doubt));
        if (const auto part = selected_part(session))
            return {.title = named(session) + " → " + named(other),
                    .total = sign + signed_grouped(part->change),
                    .rounded = sign + signed_short(part->change),
                    .unit = "in " + part->in + ", of " + signed_short(change),
                    .about = subject_key(session.look.selection)};
        return {named(session) + " → " + named(other), sign + signed_grouped(change), sign + signed_short(change)};
    }
    const Shown& model = model_in_view(session);
    BarWords words{named(model), total_text(model.derived), short_total_text(model.derived)};
    if (const std::string active = active_text(model.derived.shown.parameters); !active.empty())
        words.unit += ", " + active;
    return words;
}

}  // namespace

Intents draw_presenter_bar(const Ui& ui, const Session& session) {
    Intents intents;
    BarWords words = words_of(session);
    const bool lesson = !shows_own_model(session.view);  // whose numbers may be asked for
    const ImVec2 corner = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const float padding = std::round(ui.px(size::panel_padding)), centre = std::round(corner.y + extent.y / 2);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto put = [&](const Font& font, float x, ImU32 colour, std::string_view text, float width = 0) {
        draw_text(list, font, ImVec2(std::round(x), text_top(font, centre)), colour, text, width);
    };
    const Button back{.label = "Esc", .icon = Icon::shrink, .tooltip = "Back to the whole window (Esc or F5)"};
    float right = corner.x + extent.x - padding - button_width(ui, back);
    ImGui::SetCursorScreenPos(ImVec2(right, centre - std::round(ui.px(size::button) / 2)));
    if (button(ui, "presenter.back", back)) intents.push_back(Present{false});

    // Where there is no room for all, the program's name goes first, then the unit; and the exact total is rounded.
    const float side = ui.px(18), name_width = text_width(ui.fonts.body_bold, "Headcount");
    const float named = side + ui.px(9) + name_width + ui.px(2 * bar_gap), least_title = ui.px(120);
    float left = corner.x + padding;
    std::string& total = words.total;
    const auto room_beside = [&](float more) {
        return right - left - text_width(ui.fonts.mono_total, total) - ui.px(2 * bar_gap) - least_title >= more;
    };
    const float unit_width = ui.px(8) + text_width(ui.fonts.body, words.unit);
    if (lesson) total.clear();
    const bool with_unit = !lesson && room_beside(unit_width), with_name = room_beside(unit_width + named);
    if (!lesson && !room_beside(0)) total = words.rounded;
    right -= ui.px(bar_gap);
    if (with_unit) {
        right -= text_width(ui.fonts.body, words.unit);
        const About about(total_key);
        put(ui.fonts.body, right, ui.theme.text_mid, words.unit);
        right -= ui.px(8);
    }
    right -= text_width(ui.fonts.mono_total, total);
    if (!lesson) {
        const About about(words.about);
        put(ui.fonts.mono_total, right, ui.theme.text_high, total);
        ui.recorder.record("presenter", "total", ImVec2(right, corner.y),
                           ImVec2(right + text_width(ui.fonts.mono_total, total), corner.y + extent.y));
    }

    if (with_name) {
        draw_logo(list, ImVec2(left, centre - side / 2), side, ui.theme.strong_line, ui.theme.query, ui.theme.key);
        const float name = left + side + ui.px(9);
        put(ui.fonts.body_bold, name, ui.theme.text_high, "Headcount");
        left += named;
        const float line = std::round(left - ui.px(bar_gap));
        list.AddRectFilled(ImVec2(line, centre - ui.px(10)), ImVec2(line + 1, centre + ui.px(10)),
                           ui.theme.strong_line);
    }
    const float room = right - left - ui.px(bar_gap);
    if (room > 1) put(ui.fonts.body, left, ui.theme.text_high, words.title, room);
    return intents;
}

namespace {

bool any_pressed(std::initializer_list<ImGuiKey> keys) {
    return std::ranges::any_of(keys, [](ImGuiKey key) { return compat::key_pressed(key, false); });
}

}  // namespace

float presenter_scale(ImVec2 display, float density) {
    const float larger = std::min(display.x / density / design_width, display.y / density / design_height);
    constexpr float steps = 20;
    return std::floor(std::max(least_enlargement, enlargement * larger) * steps + 0.01F) / steps;
}

float largest_presenter_scale(ImVec2 display) {
    constexpr float steps = 20, tolerance = 0.001F;
    const float room = std::min({display.x / presenter_width, display.y / presenter_height,
                                 std::max(least_enlargement, display.y / roomy_height)});
    return std::max(1.0F, std::floor(room * steps + tolerance) / steps);
}

Area draw_presenter(const PanelFrame& frame) {
    const Ui& ui = frame.ui;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const PresenterLayout layout =
        presenter_layout(display, ui.scale, caption_height(ui, frame.session, display.x), !shows_inside(frame.session));
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    for (const auto& [from, to] :
         {std::pair(ImVec2(0, layout.bar.max.y), ImVec2(display.x, layout.canvas.min.y)),
          {ImVec2(layout.canvas.max.x, layout.canvas.min.y), ImVec2(layout.breakdown.min.x, layout.canvas.max.y)},
          {ImVec2(0, layout.canvas.max.y), ImVec2(display.x, layout.caption.min.y)}})
        list.AddRectFilled(from, to, ui.theme.line);
    const ImU32 panel = ui.theme.panel;
    draw_panel(frame, {"presenter_bar", layout.bar, panel, {}, still_panel}, draw_presenter_bar);
    draw_panel(frame, {"canvas", layout.canvas, ui.theme.canvas, {}, still_panel},
               [&](const Ui& on, const Session& of) { return draw_canvas(on, DiagramOf(of), frame.painter); });
    draw_panel(frame,
               {"large_breakdown", layout.breakdown, panel, ImVec2(breakdown_padding, breakdown_padding), still_panel},
               draw_large_breakdown);
    draw_panel(frame, {"caption", layout.caption, panel, {}, still_panel}, draw_caption);
    return layout.canvas;
}

Intents pressed_show_keys(const Views& views, const Session& session, const Intents& asked) {
    const View& view = session.view;
    const bool shows_tours = view.workspace == explore_view || view.workspace == run_view ||
                             view.workspace == train_view || is_toured(session);
    const bool tour = shows_tours && current_step(session), presents = view.show.presenting;
    const auto step = presents ? view_on(views, view).step : nullptr;
    const bool covered = view.task || view.manual || view.asking || view.sharing || (!tour && !presents);
    if (ImGui::GetIO().WantTextInput || compat::popup_is_or_was_open() || covered) return {};
    // A button that the keyboard is on has had the key already.
    const bool stepped = std::ranges::any_of(asked, [](const Intent& intent) {
        return std::holds_alternative<StepTour>(intent) || std::holds_alternative<LeaveTour>(intent) ||
               std::holds_alternative<AtRun>(intent) || std::holds_alternative<AtTrain>(intent) ||
               std::holds_alternative<AtDesk>(intent) || std::holds_alternative<AtClaims>(intent);
    });
    const bool arrows =
        presents && any_pressed({ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow});
    const bool pages = any_pressed({ImGuiKey_PageDown, ImGuiKey_PageUp});
    if (arrows || pages) compat::keep_focus();
    if (stepped) return {};
    const bool on =
                   any_pressed({ImGuiKey_PageDown}) ||
                   (presents && any_pressed({ImGuiKey_Space, ImGuiKey_RightArrow, ImGuiKey_DownArrow, ImGuiKey_Enter})),
               back = any_pressed({ImGuiKey_PageUp}) ||
                      (presents && any_pressed({ImGuiKey_LeftArrow, ImGuiKey_UpArrow, ImGuiKey_Backspace}));
    if (!on && !back) return {};
    Aids aids = view.show.aids;
    if (aids.curtain != Curtain::none) {  // a press behind a curtain would change what nobody sees
        aids.curtain = Curtain::none;
        return {SetAids{std::move(aids)}};
    }
    const int by = on ? 1 : -1;
    Intents intents;
    if (tour)
        intents.push_back(on ? next_in_tour(session) : Intent(StepTour{by}));
    else if (const std::optional<Intent> intent = step ? step(session, by) : std::nullopt)
        intents.push_back(*intent);
    // Who would step points at nothing, also where there is nothing further, or where the diagram steps by itself.
    if (intents.empty() && presents) intents.push_back(Hover{});
    if (intents.empty() || aids.strokes.empty()) return intents;
    aids.strokes.clear();
    intents.push_back(SetAids{std::move(aids)});
    return intents;
}

}  // namespace headcount
