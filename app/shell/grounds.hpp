// The grounds of panels: rectangles of one colour that cover what is below. They are cleared instead of drawn, which
// takes a processor that draws a tenth of the time.
#pragma once

#include <imgui.h>

#include <array>
#include <optional>
#include <vector>

namespace headcount {

// In the framebuffer's pixels, from below.
struct Ground {
    int left = 0, bottom = 0, width = 0, height = 0;
    std::array<float, 4> rgba{};
};

// What the triangles of the command that begin at this index make, where they are a ground: two triangles, along the
// pixels, and not small.
std::optional<Ground> ground_at(const ImDrawData& data, const ImDrawList& list, const ImDrawCmd& command,
                                unsigned index);

// As long as this is there, the draw data has a callback that clears for each ground with which a list begins. Then all
// is as it was: a list may be drawn again in the next frame.
class ClearedGrounds {
  public:
    explicit ClearedGrounds(const ImDrawData& data);
    ~ClearedGrounds();
    ClearedGrounds(const ClearedGrounds&) = delete;
    ClearedGrounds& operator=(const ClearedGrounds&) = delete;

  private:
    struct Changed {
        ImDrawList* list;
        std::vector<Ground> grounds;
    };
    std::vector<Changed> changed_;
};

}  // namespace headcount
