// A curtain, a dot that follows the pointer, and a pen, over whatever is shown to a class; and a pointer that is away
// while one steps.
#include <cmath>

#include "app/ui/recorder.hpp"
#include "app/views/show/presenter.hpp"

namespace headcount {
namespace {

constexpr float spot_radius = 26, pen_width = 4, halo = 2, least_step = 2;  // design pixels
constexpr float moved_pixels = 3;                                           // of a hand that rests on a mouse

// While the pointer is away: where it lies.
struct PointerAway {
    bool away = false;
    ImVec2 at, seen;  // where it was when it went, and in this frame
};

// Whether a stroke is under way.
struct PenDown {
    bool draws = false;
};

float distance(ImVec2 a, ImVec2 b) { return std::hypot(a.x - b.x, a.y - b.y); }

void draw_curtain(const Ui& ui, ImDrawList& list, ImVec2 window, Curtain curtain) {
    list.AddRectFilled(ImVec2(0, 0), window, curtain == Curtain::black ? rgb(0x000000) : rgb(0xFFFFFF));
    ui.recorder.record("show", curtain == Curtain::black ? "black" : "white", ImVec2(0, 0), window);
}

// Soft: each of the rings lets through what the ones around it did.
void draw_spot(const Ui& ui, ImDrawList& list, ImVec2 at) {
    constexpr int rings = 10;
    const float radius = ui.px(spot_radius);
    for (int i = rings; i > 0; --i)
        list.AddCircleFilled(at, radius * static_cast<float>(i) / rings, with_alpha(ui.theme.wrong, 0.13F), 48);
    ui.recorder.record("show", "spot", ImVec2(at.x - radius, at.y - radius), ImVec2(at.x + radius, at.y + radius));
}

void draw_strokes(const Ui& ui, ImDrawList& list, ImVec2 window, const std::vector<PenStroke>& strokes) {
    std::vector<ImVec2> points;
    for (const PenStroke& stroke : strokes) {
        points.clear();
        for (const auto& [x, y] : stroke) points.emplace_back(x * window.x, y * window.y);
        const float width = ui.px(pen_width);
        if (points.size() == 1) {
            list.AddCircleFilled(points.front(), width / 2 + ui.px(halo), ui.theme.panel);
            list.AddCircleFilled(points.front(), width / 2, ui.theme.wrong);
            continue;
        }
        const auto line = [&](ImU32 colour, float wide) {
            list.AddPolyline(points.data(), static_cast<int>(points.size()), colour, ImDrawFlags_None, wide);
        };
        line(ui.theme.panel, width + 2 * ui.px(halo));
        line(ui.theme.wrong, width);
    }
    if (!strokes.empty()) ui.recorder.record("show", "strokes", ImVec2(0, 0), window);
}

// The stroke that is under way grows; a press begins one.
bool draw_on(const Ui& ui, ImVec2 window, Aids& aids) {
    bool& draws = kept<PenDown>(ui, "show.pen").draws;
    const ImVec2 at = ImGui::GetIO().MousePos;
    const bool down = ImGui::IsMouseDown(ImGuiMouseButton_Left) && ImGui::IsMousePosValid(&at);
    const bool begins = down && !draws;
    draws = down;
    if (!down) return false;
    const std::array<float, 2> point{at.x / window.x, at.y / window.y};
    if (begins || aids.strokes.empty()) {
        if (aids.strokes.size() >= most_strokes) return false;
        aids.strokes.push_back({point});
        return true;
    }
    PenStroke& stroke = aids.strokes.back();
    const ImVec2 last(stroke.back()[0] * window.x, stroke.back()[1] * window.y);
    if (stroke.size() >= longest_stroke || distance(at, last) < ui.px(least_step)) return false;
    stroke.push_back(point);
    return true;
}

}  // namespace

Intents draw_aids(const Ui& ui, const View& view) {
    Intents intents;
    Aids aids = view.show.aids;
    if (!view.show.presenting || aids == Aids{}) return intents;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const bool covered = aids.curtain != Curtain::none;
    if (covered || aids.pen) {
        ImGui::SetNextWindowPos(ImVec2(0, 0));
        ImGui::SetNextWindowSize(window);
        ImGui::Begin("show.aids", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav);
        ImGui::SetCursorScreenPos(ImVec2(0, 0));
        const bool pressed = press_area(ui, "page", ImVec2(0, 0), window, -1, false).pressed;
        if (covered && pressed) {
            aids.curtain = Curtain::none;
            intents.push_back(SetAids{aids});
        } else if (!covered && draw_on(ui, window, aids)) {
            intents.push_back(SetAids{aids});
        }
        ImGui::End();
    }
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    draw_strokes(ui, list, window, aids.strokes);
    const ImVec2 at = ImGui::GetIO().MousePos;
    const bool there = ImGui::IsMousePosValid(&at);
    if (aids.spot && !covered) {
        if (there) draw_spot(ui, list, at);
        ImGui::SetMouseCursor(ImGuiMouseCursor_None);
    }
    if (covered) {
        draw_curtain(ui, list, window, view.show.aids.curtain);
        ImGui::SetMouseCursor(ImGuiMouseCursor_None);
    }
    return intents;
}

void keep_pointer_away(const Ui& ui, const View& view) {
    PointerAway& pointer = kept<PointerAway>(ui, "show.pointer");
    ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsMousePosValid(&io.MousePos)) pointer.seen = io.MousePos;
    const bool held = io.MouseDown[0] || io.MouseDown[1] || io.MouseWheel != 0;
    const bool moved = distance(pointer.seen, pointer.at) > moved_pixels;
    // A dot that follows the pointer is to be seen, also while one steps.
    if (view.show.aids.spot || view.show.aids.pen || held || moved) pointer.away = false;
    if (!pointer.away) return;
    io.MousePos = ImVec2(-FLT_MAX, -FLT_MAX);
    ImGui::SetMouseCursor(ImGuiMouseCursor_None);
}

void bring_pointer_back(const Ui& ui) {
    const PointerAway& pointer = kept<PointerAway>(ui, "show.pointer");
    if (pointer.away) ImGui::GetIO().MousePos = pointer.seen;
}

void pointer_stepped(const Ui& ui) {
    PointerAway& pointer = kept<PointerAway>(ui, "show.pointer");
    pointer.away = true;
    pointer.at = pointer.seen;
    ui.memory.animating = true;  // the next frame is without it
}

}  // namespace headcount
