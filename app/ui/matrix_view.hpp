// A matrix as a rectangle to scale, with dimension lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "app/ui/shapes.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

enum class MatrixLook { parameter, activation, cached };

struct MatrixFigure {
    double rows = 1, columns = 1;              // sizes that set the proportions
    std::string_view rows_text, columns_text;  // on the dimension lines: "4096"
    std::string_view label = {};               // inside: "W_up"
    MatrixLook look = MatrixLook::parameter;
    ImU32 colour = 0;
    std::optional<double> preset_rows, preset_columns;  // dashed outline of the preset's size
    std::string_view preset_text = {};                  // beside it: "preset 4096"
    bool rows_lit = false, columns_lit = false;         // a factor of the formula is pointed at
    ImU32 rows_colour = 0, columns_colour = 0;          // of the lit dimension's text
    float height = 120;                                 // unscaled, of the whole view with its lines
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
    bool hovered = false;
    bool rows_hovered = false, columns_hovered = false, rows_clicked = false, columns_clicked = false;
};
// At the cursor, at the available width. Records name, name.rows, name.columns.
MatrixResult matrix_view(const Ui& ui, std::string_view name, const MatrixFigure& view);

// The rectangle alone, as it is drawn everywhere: filled, or paper with a tab, or paper with the cache's outline.
void draw_matrix(const Ui& ui, ImDrawList& list, ImVec2 min, ImVec2 max, MatrixLook look, ImU32 colour);

}  // namespace headcount
