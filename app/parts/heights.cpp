// Looks heights up by their ID; there are a handful.
#include "app/parts/heights.hpp"

#include <algorithm>

namespace headcount {
namespace {

std::vector<UiMemory::Height>::iterator find(UiMemory& memory, ImGuiID id) {
    return std::find_if(memory.heights.begin(), memory.heights.end(),
                        [id](const auto& known) { return known.id == id; });
}

}  // namespace

float known_height(const Ui& ui, ImGuiID id, float guess) {
    const auto known = find(ui.memory, id);
    return known == ui.memory.heights.end() ? guess : known->height;
}

void remember_height(const Ui& ui, ImGuiID id, float height) {
    const auto known = find(ui.memory, id);
    if (known != ui.memory.heights.end() && known->height == height) return;
    if (known == ui.memory.heights.end())
        ui.memory.heights.push_back({id, height});
    else
        known->height = height;
    ui.memory.animating = true;
}

}  // namespace headcount
