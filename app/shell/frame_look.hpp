// Everything that decides how a frame looks, kept to be compared: a frame that looks as the one on the screen need not
// be drawn, which costs most where a processor draws.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <vector>

#include "app/canvas/drawing.hpp"

namespace headcount {

class FrameLook {
  public:
    // Whether the frame that ImGui has made looks as the one that was asked about before. `ground` is below everything.
    // A painter of drawings that callbacks in the lists call must hand them to `read` meanwhile, and draw nothing.
    bool stays(const ImDrawData& data, ImU32 ground);

    bool reading() const { return reading_; }
    void read(const Drawing& drawing);

  private:
    void put(const void* from, std::size_t bytes);
    template <class Element>
    void put_all(const Element* from, std::size_t count);

    std::vector<std::byte> now_, before_;
    bool reading_ = false;
};

}  // namespace headcount
