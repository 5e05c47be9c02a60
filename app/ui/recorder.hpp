// Where the named things of the interface are on the screen in this frame: for tests inside and outside the process,
// and for what points at them, such as the pins of the welcome.
#pragma once

#include <imgui.h>

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/find.hpp"

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
    void record(std::string_view name, std::string_view part, ImVec2 min, ImVec2 max) {
        if (used == entries.size()) entries.emplace_back();
        NamedRect& entry = entries[used++];
        entry.name.assign(name);
        if (!part.empty()) entry.name.append(1, '.').append(part);
        entry.min = min;
        entry.max = max;
    }

    std::span<const NamedRect> all() const { return {entries.data(), used}; }
    const NamedRect* find(std::string_view name) const {
        const std::span<const NamedRect> rects = all();
        return find_if_in(rects, [&](const auto& rect) { return rect.name == name; });
    }

  private:
    std::vector<NamedRect> entries;
    std::size_t used = 0;
};

// What is recorded as "from.N" for the Nth of `all`, counted from `first`, is recorded as "to.KEY", too. What is not
// seen is left out.
template <class All, class KeyOf = std::identity>
void record_keys(Recorder& recorder, std::string_view from, std::string_view to, const All& all, KeyOf key_of = {},
                 std::size_t first = 0) {
    for (const auto& each : all) {
        const NamedRect* const rect = recorder.find(std::string(from) + "." + std::to_string(first++));
        if (!rect) continue;
        const ImVec2 min = rect->min, max = rect->max;  // recording moves it
        recorder.record(to, std::invoke(key_of, each), min, max);
    }
}

}  // namespace headcount
