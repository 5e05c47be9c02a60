// Copies the stretch of a draw list that was written, and back.
#include "app/ui/kept_ink.hpp"

#include <algorithm>

#include "app/ui/imgui_compat.hpp"

namespace headcount {
namespace {

bool same_clip(const ImVec4& a, const ImVec4& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

}  // namespace

KeptInk::Mark KeptInk::mark_of(const ImDrawList& list) {
    return {list.VtxBuffer.Size, list.IdxBuffer.Size, list.CmdBuffer.Size, list._VtxCurrentIdx,
            list._CmdHeader.VtxOffset};
}

bool KeptInk::put_again(ImDrawList& list) const {
    if (!kept_ || !same_clip(clip_, list._CmdHeader.ClipRect) || font_texture_ != compat::font_texture()) return false;
    list.PrimReserve(static_cast<int>(indices_.size()), static_cast<int>(vertices_.size()));
    list._VtxWritePtr = std::copy(vertices_.begin(), vertices_.end(), list._VtxWritePtr);
    ImDrawIdx* const indices = list._IdxWritePtr;
    list._IdxWritePtr = std::copy(indices_.begin(), indices_.end(), indices);
    // Mostly what stands before it is as it was, too.
    if (const unsigned moved = list._VtxCurrentIdx - first_; moved != 0)
        for (ImDrawIdx* at = indices; at != list._IdxWritePtr; ++at) *at = static_cast<ImDrawIdx>(*at + moved);
    list._VtxCurrentIdx += static_cast<unsigned>(vertices_.size());
    return true;
}

void KeptInk::keep(const ImDrawList& list, const Mark& mark) {
    // Another command would be another texture, or another clipping within; from another offset its vertices are
    // numbered anew.
    kept_ = list.CmdBuffer.Size == mark.commands && list._CmdHeader.VtxOffset == mark.offset;
    if (!kept_) return;
    vertices_.assign(list.VtxBuffer.begin() + mark.vertices, list.VtxBuffer.end());
    indices_.assign(list.IdxBuffer.begin() + mark.indices, list.IdxBuffer.end());
    first_ = mark.first;
    clip_ = list._CmdHeader.ClipRect;
    font_texture_ = compat::font_texture();
}

}  // namespace headcount
