// A table that reaches to a panel's edges: it has the panel's padding inside.
#pragma once

#include <cmath>

#include "app/ui/layout.hpp"
#include "app/ui/table.hpp"

namespace headcount {

// At the cursor; `width` and `height` are of what is inside the padding, in pixels.
template <class Fill>
TableResult flush_table(const Ui& ui, std::string_view name, std::span<const TableColumn> columns,
                        const TableOptions& options, ImVec2 extent, float padding, Fill&& fill) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos(ImVec2(start.x - padding, start.y));
    TableResult result;
    {
        const Panel part(ui, name, ImVec2(extent.x + 2 * padding, extent.y), 0, 0, false);
        result = table(ui, name, columns, options, fill);
    }
    place(start, extent);
    return result;
}

// As high as so many rows with their header.
inline float rows_height(const Ui& ui, std::size_t rows) {
    return std::round(ui.px(size::table_header)) + static_cast<float>(rows) * std::round(ui.px(size::table_row)) + 2;
}

}  // namespace headcount
