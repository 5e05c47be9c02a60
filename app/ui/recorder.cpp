// Rectangles of named things; see the header.
#include "app/ui/recorder.hpp"

namespace headcount {

void Recorder::record(std::string_view name, std::string_view part, ImVec2 min, ImVec2 max) {
    if (used == entries.size()) entries.emplace_back();
    NamedRect& entry = entries[used++];
    entry.name.assign(name);
    if (!part.empty()) entry.name.append(1, '.').append(part);
    entry.min = min;
    entry.max = max;
}

const NamedRect* Recorder::find(std::string_view name) const {
    for (const NamedRect& entry : all())
        if (entry.name == name) return &entry;
    return nullptr;
}

}  // namespace headcount
