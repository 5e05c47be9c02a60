// A chart that is about to be saved, as it was when the file dialog was asked for.
#pragma once

#include <array>
#include <string>

namespace headcount {

struct ChartFile {
    std::string name;               // "Sensitivity": what the file is proposed to be called after
    std::string text;               // SVG, or CSV
    std::array<float, 4> cut = {};  // of the window's picture: left, top, right, bottom; all 0: all of it

    bool operator==(const ChartFile&) const = default;
};

}  // namespace headcount
