// What a picture can be asked to show: a place of the diagram, a worksheet's question, a tour's step.
#pragma once

#include <span>

#include "app/cli/commands.hpp"
#include "core/tours/files.hpp"

namespace headcount {

// Whether the architecture has what is to be selected; `key` is as it was typed.
Failure check_selection(const Subject& subject, const std::string& key, const Architecture& arch);

// "layer.attention.head:3", "layer.attention.query.weight[5,17]": a place, which of its copies, which cell.
Result<Place> read_place(const std::string& text, const Document& document);

// Which worksheet, at which question, and what was answered in it.
Failure read_sheet(const RenderArguments& arguments, std::span<const Preset> presets, RenderOptions& options);

// By its id, or from a file.
Result<Tour> named_tour(const std::string& text);

// Which step of a tour, counted from 1; the tour is worked out for the model to see whether it has that step.
Failure read_tour_step(const RenderArguments& arguments, std::span<const Preset> presets, RenderOptions& options);

}  // namespace headcount
