// What the shelf draws of each preset, counted once.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/state/what_if/place.hpp"
#include "app/ui/ui.hpp"
#include "core/arch/input.hpp"
#include "core/files/presets.hpp"

namespace headcount {

struct ShelfModel {
    std::string id, name, group;                                       // of a preset; the document has no id
    std::array<std::optional<double>, shelf_axis_keys.size()> values;  // by ShelfAxis
};

// Nothing where it cannot be counted. The cache is of one token in this number format.
std::optional<ShelfModel> shelf_model(const Architecture& arch, std::optional<int> year, Precision precision);

// Of the document, counted again when it is another.
const std::optional<ShelfModel>& own_shelf_model(const Ui& ui, const Architecture& arch, std::optional<int> year,
                                                 Precision precision);

// Of all presets, in their order; made anew where the number format is another.
const std::vector<ShelfModel>& shelf_models(const Ui& ui, std::span<const Preset> presets, Precision precision);

}  // namespace headcount
