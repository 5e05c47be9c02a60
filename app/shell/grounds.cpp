// Puts callbacks before the first command of a list, and takes them out again.
#include "app/shell/grounds.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gl/opengl.hpp"

namespace headcount {
namespace {

constexpr unsigned corners = 6;  // of two triangles

void clear(const ImDrawList*, const ImDrawCmd* command) {
    for (const Ground& ground : *static_cast<const std::vector<Ground>*>(command->UserCallbackData))
        clear_rect(ground.left, ground.bottom, ground.width, ground.height, ground.rgba);
}

bool same(ImVec2 a, ImVec2 b) {
    return a.x == b.x && a.y == b.y;
}

// A whole number of pixels, but for rounding; nothing where it is between two.
std::optional<int> whole(float pixels) {
    const float nearest = std::round(pixels);
    if (std::abs(pixels - nearest) > 1e-3F) return std::nullopt;
    return static_cast<int>(nearest);
}

}  // namespace

std::optional<Ground> ground_at(const ImDrawData& data, const ImDrawList& list, const ImDrawCmd& command,
                                unsigned index) {
    if (command.UserCallback || index + corners > command.ElemCount) return std::nullopt;
    const ImDrawIdx* const at = list.IdxBuffer.Data + command.IdxOffset + index;
    constexpr std::array<unsigned, corners> of_rectangle{0, 1, 2, 0, 2, 3};
    for (unsigned i = 0; i < corners; ++i)
        if (at[i] != at[0] + of_rectangle[i]) return std::nullopt;
    const ImDrawVert* const v = list.VtxBuffer.Data + command.VtxOffset + at[0];
    const ImVec2 min = v[0].pos, max = v[2].pos, white = ImGui::GetFontTexUvWhitePixel();
    if (!same(v[1].pos, {max.x, min.y}) || !same(v[3].pos, {min.x, max.y})) return std::nullopt;
    for (int i = 0; i < 4; ++i)
        if (!same(v[i].uv, white) || v[i].col != v[0].col) return std::nullopt;
    if (v[0].col >> IM_COL32_A_SHIFT != 255) return std::nullopt;

    // As the back end cuts.
    const ImVec2 from = data.DisplayPos, scale = data.FramebufferScale;
    const float high = data.DisplaySize.y * scale.y;
    const auto across = [&](float x) { return (x - from.x) * scale.x; };
    const auto up = [&](float y) { return high - (y - from.y) * scale.y; };
    const ImVec4 clip = command.ClipRect;
    const int cut_left = static_cast<int>(across(clip.x)), cut_bottom = static_cast<int>(up(clip.w));
    const int cut_right = cut_left + static_cast<int>(across(clip.z) - across(clip.x));
    const int cut_top = cut_bottom + static_cast<int>(up(clip.y) - up(clip.w));
    const std::optional<int> left = whole(across(min.x)), right = whole(across(max.x)), bottom = whole(up(max.y)),
                             top = whole(up(min.y));
    if (!left || !right || !bottom || !top) return std::nullopt;
    Ground ground{.left = std::max(*left, cut_left), .bottom = std::max(*bottom, cut_bottom)};
    ground.width = std::min(*right, cut_right) - ground.left;
    ground.height = std::min(*top, cut_top) - ground.bottom;
    constexpr int small = 64;  // pixels: then another call is no less work
    if (std::min(ground.width, ground.height) < small) return std::nullopt;
    const ImVec4 colour = ImGui::ColorConvertU32ToFloat4(v[0].col);
    ground.rgba = {colour.x, colour.y, colour.z, 1};
    return ground;
}

ClearedGrounds::ClearedGrounds(const ImDrawData& data) {
    changed_.reserve(static_cast<std::size_t>(data.CmdListsCount));
    for (int i = 0; i < data.CmdListsCount; ++i) {
        ImDrawList& list = *data.CmdLists[i];
        if (list.CmdBuffer.empty()) continue;
        std::vector<Ground> grounds;
        const ImDrawCmd& first = list.CmdBuffer.front();
        while (const auto ground = ground_at(data, list, first, corners * static_cast<unsigned>(grounds.size())))
            grounds.push_back(*ground);
        if (grounds.empty()) continue;
        const unsigned cleared = corners * static_cast<unsigned>(grounds.size());
        changed_.push_back({&list, std::move(grounds)});
        ImDrawCmd callback;
        callback.ClipRect = first.ClipRect;
        callback.UserCallback = clear;
        callback.UserCallbackData = &changed_.back().grounds;
        list.CmdBuffer.front().IdxOffset += cleared;
        list.CmdBuffer.front().ElemCount -= cleared;
        list.CmdBuffer.insert(list.CmdBuffer.begin(), callback);
    }
}

ClearedGrounds::~ClearedGrounds() {
    for (const Changed& each : changed_) {
        each.list->CmdBuffer.erase(each.list->CmdBuffer.begin());
        const unsigned cleared = corners * static_cast<unsigned>(each.grounds.size());
        each.list->CmdBuffer.front().IdxOffset -= cleared;
        each.list->CmdBuffer.front().ElemCount += cleared;
    }
}

}  // namespace headcount
