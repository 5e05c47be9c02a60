// Copies it all into one piece of memory: comparing two takes less time than a thousandth of drawing one.
#include "app/shell/frame_look.hpp"

#include <array>
#include <type_traits>

namespace headcount {

void FrameLook::put(const void* from, std::size_t bytes) {
    const auto* const first = static_cast<const std::byte*>(from);
    now_.insert(now_.end(), first, first + bytes);
}

// With their number, so that two lists are never mistaken for two others.
template <class Element>
void FrameLook::put_all(const Element* from, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<Element>);
    put(&count, sizeof count);
    put(from, count * sizeof(Element));
}

bool FrameLook::stays(const ImDrawData& data, ImU32 ground) {
    now_.clear();
    const std::array<float, 6> place{data.DisplayPos.x,  data.DisplayPos.y,       data.DisplaySize.x,
                                     data.DisplaySize.y, data.FramebufferScale.x, data.FramebufferScale.y};
    put(&ground, sizeof ground);
    put_all(place.data(), place.size());
    for (int i = 0; i < data.CmdListsCount; ++i) {
        const ImDrawList& list = *data.CmdLists[i];
        put_all(list.VtxBuffer.Data, static_cast<std::size_t>(list.VtxBuffer.Size));
        put_all(list.IdxBuffer.Data, static_cast<std::size_t>(list.IdxBuffer.Size));
        for (const ImDrawCmd& command : list.CmdBuffer) {
            put(&command.ClipRect, sizeof command.ClipRect);
            const std::array<unsigned, 3> triangles{command.VtxOffset, command.IdxOffset, command.ElemCount};
            put_all(triangles.data(), triangles.size());
            if (!command.UserCallback || command.UserCallback == ImDrawCallback_ResetRenderState) continue;
            reading_ = true;
            command.UserCallback(&list, &command);
            reading_ = false;
        }
    }
    const bool same = now_ == before_;
    now_.swap(before_);
    return same;
}

void FrameLook::read(const Drawing& drawing) {
    put(&drawing.area, sizeof drawing.area);
    put(&drawing.view_projection, sizeof drawing.view_projection);
    put_all(drawing.boxes.data(), drawing.boxes.size());
    put_all(drawing.lines.data(), drawing.lines.size());
    put_all(drawing.batches.data(), drawing.batches.size());
    put_all(drawing.values.data(), drawing.values.size());
}

}  // namespace headcount
