// The same as app/ui/imgui_compat.hpp for fonts and lists of what is drawn.
#pragma once

#include <imgui.h>
#include <imgui_internal.h>

#include <memory>

namespace headcount::compat {

inline void push_font(ImFont* face, float size) {
#if IMGUI_VERSION_NUM >= 19200
    ImGui::PushFont(face, size);
#else
    (void)size;
    ImGui::PushFont(face);
#endif
}

// Distance from the top of a line to its baseline.
inline float font_ascent(ImFont* face, float size) {
#if IMGUI_VERSION_NUM >= 19200
    return face->GetFontBaked(size)->Ascent;
#else
    return face->FontSize > 0 ? face->Ascent * size / face->FontSize : size;
#endif
}

// Before 1.92 the back end's font texture is made once: whoever changes the fonts has it made anew.
inline constexpr bool fixed_font_texture = IMGUI_VERSION_NUM < 19200;

// How large a face is put into the atlas that has so many dots for each pixel along a side, and such a face as it is
// drawn: in its own size.
inline float baked_size(ImFontConfig& config, float pixels, float fineness) {
#if IMGUI_VERSION_NUM >= 19200
    config.RasterizerDensity = fineness;
    return pixels;
#else
    (void)config;
    return pixels * fineness;
#endif
}
inline ImFont* drawn_from(ImFont* face, float fineness) {
#if IMGUI_VERSION_NUM < 19200
    if (face) face->Scale = 1 / fineness;
#else
    (void)fineness;
#endif
    return face;
}

// For pictures of so many dots for each pixel along a side: how far curves may be off, and how soft edges are.
inline void refine_curves(float fineness) {
    const ImGuiStyle usual;
    ImGui::GetStyle().CircleTessellationMaxError = usual.CircleTessellationMaxError / fineness;
    ImGui::GetStyle().CurveTessellationTol = usual.CurveTessellationTol / fineness;
}
inline void refine_edges(ImDrawList& list, float fineness) { list._FringeScale = 1 / fineness; }

// A list that belongs to no window, of what is between these corners of the screen.
inline std::shared_ptr<ImDrawList> new_list(ImVec2 min, ImVec2 max, float fineness) {
    auto list = std::make_shared<ImDrawList>(ImGui::GetDrawListSharedData());
    list->_ResetForNewFrame();
    refine_edges(*list, fineness);
#if IMGUI_VERSION_NUM >= 19200
    list->PushTexture(ImGui::GetIO().Fonts->TexRef);
#else
    list->PushTextureID(ImGui::GetIO().Fonts->TexID);
#endif
    list->PushClipRect(min, max);
    return list;
}

// That one alone, to be drawn. `list` must outlive what is returned.
inline ImDrawData data_of(ImDrawList*& list, ImVec2 min, ImVec2 max, float fineness) {
    list->_PopUnusedDrawCmd();
    ImDrawData data;
#if IMGUI_VERSION_NUM >= 18980
    data.CmdLists.push_back(list);
#else
    data.CmdLists = &list;
#endif
#if IMGUI_VERSION_NUM >= 19200
    data.Textures = &ImGui::GetPlatformIO().Textures;
#endif
    data.Valid = true;
    data.CmdListsCount = 1;
    data.TotalIdxCount = list->IdxBuffer.Size;
    data.TotalVtxCount = list->VtxBuffer.Size;
    data.DisplayPos = min;
    data.DisplaySize = ImVec2(max.x - min.x, max.y - min.y);
    data.FramebufferScale = ImVec2(fineness, fineness);
    return data;
}

// Another one when glyphs have moved in the atlas, so that what was drawn before shows the wrong ones.
inline const void* font_texture() {
#if IMGUI_VERSION_NUM >= 19200
    return ImGui::GetIO().Fonts->TexData;
#else
    return nullptr;
#endif
}

}  // namespace headcount::compat
