// A matrix as a rectangle to scale, with dimension lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/ui/shapes.hpp"
#include "app/ui/swatch.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

struct MatrixFigure {
    std::int64_t rows = 1, columns = 1;
    std::string_view label = {};  // "W_up": inside, else to the right
    Swatch swatch = {SwatchLook::parameter};
    std::optional<std::int64_t> preset_rows, preset_columns;  // dashed outline of the preset's size
    std::string_view preset_text = {};                        // beside it: "preset 4096"
    bool rows_lit = false, columns_lit = false;               // a factor of the formula is pointed at
    ImU32 rows_colour = 0, columns_colour = 0;                // of the lit dimension's text
    float height = 120;                                       // unscaled, of the whole view with its lines
};

struct MatrixGeometry {
    ImVec2 min, max;                // the rectangle
    ImVec2 preset_min, preset_max;  // equal where there is no preset outline
    bool thickened = false;         // a side was raised to the minimum of 6 px: not to scale
};

// Fits the larger of the matrix and its preset into the box, keeping one scale for both sides; the shorter side is
// never under `smallest` pixels.
MatrixGeometry fit_matrix(const MatrixFigure& view, ImVec2 box_min, ImVec2 box_max, float smallest);

struct MatrixResult {
    bool hovered = false, thickened = false;
    bool rows_hovered = false, columns_hovered = false, rows_clicked = false, columns_clicked = false;
};
// At the cursor, at the available width. Records name, name.rows, name.columns.
MatrixResult matrix_view(const Ui& ui, std::string_view name, const MatrixFigure& view);

// A matrix's name with scripts, and what is said of it beside the name or below.
struct MatrixCaption {
    std::string name, rest;
    bool below = false;
};
ImVec2 matrix_caption_extent(const Ui& ui, const MatrixCaption& caption);  // with the gap to the next one
void draw_matrix_caption(const Ui& ui, ImVec2 min, const MatrixCaption& caption);

}  // namespace headcount
