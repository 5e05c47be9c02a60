// Rectangles of named things; see the header.
#include "app/ui/recorder.hpp"

namespace headcount {
namespace {

// Whether it is the name with the part, which it mostly is where a frame is like the one before.
bool says(std::string_view text, std::string_view name, std::string_view part) {
    if (part.empty()) return text == name;
    return text.size() == name.size() + 1 + part.size() && text.starts_with(name) && text.ends_with(part) &&
           text[name.size()] == '.';
}

}  // namespace

void Recorder::record(std::string_view name, std::string_view part, ImVec2 min, ImVec2 max) {
    if (used == entries.size()) entries.emplace_back();
    NamedRect& entry = entries[used++];
    if (!says(entry.name, name, part)) {
        entry.name.assign(name);
        if (!part.empty()) entry.name.append(1, '.').append(part);
    }
    entry.min = min;
    entry.max = max;
}

const NamedRect* Recorder::find(std::string_view name) const {
    for (const NamedRect& entry : all())
        if (entry.name == name) return &entry;
    return nullptr;
}

}  // namespace headcount
