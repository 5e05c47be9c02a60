// What was drawn in one frame, to be put into the next as it is: for what is much to draw and seldom another.
#pragma once

#include <imgui.h>

#include <vector>

namespace headcount {

class KeptInk {
  public:
    // It is to be drawn anew.
    void forget() { kept_ = false; }

    // Calls draw() where nothing is kept, or it is clipped otherwise now. Only what draws into this list alone and
    // takes neither pointer nor keys can be kept; what it depends on is for the caller to watch.
    template <class Draw>
    void draw(ImDrawList& list, Draw draw) {
        if (put_again(list)) return;
        const Mark mark = mark_of(list);
        draw();
        keep(list, mark);
    }

  private:
    struct Mark {
        int vertices, indices, commands;
        unsigned first, offset;
    };
    static Mark mark_of(const ImDrawList& list);
    bool put_again(ImDrawList& list) const;
    void keep(const ImDrawList& list, const Mark& mark);

    bool kept_ = false;
    std::vector<ImDrawVert> vertices_;
    std::vector<ImDrawIdx> indices_;
    unsigned first_ = 0;  // that of the first vertex
    ImVec4 clip_{};
    const void* font_texture_ = nullptr;
};

}  // namespace headcount
