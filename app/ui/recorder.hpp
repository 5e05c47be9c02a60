// Where the named things of the interface are on the screen in this frame, for tests inside and outside the process.
#pragma once

#include <imgui.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headcount {

struct NamedRect {
    std::string name = {};
    ImVec2 min, max;
};

// Names keep their storage from frame to frame, so that a steady interface allocates nothing.
class Recorder {
  public:
    void begin_frame() { used = 0; }

    // Records `name`, or `name.part` where a part is given.
    void record(std::string_view name, ImVec2 min, ImVec2 max) { record(name, {}, min, max); }
    void record(std::string_view name, std::string_view part, ImVec2 min, ImVec2 max);

    std::span<const NamedRect> all() const { return {entries.data(), used}; }
    const NamedRect* find(std::string_view name) const;

  private:
    std::vector<NamedRect> entries;
    std::size_t used = 0;
};

}  // namespace headcount
