// Goes through the streams of two runs row by row.
#include "app/state/run/moved.hpp"

#include <algorithm>
#include <cmath>

namespace headcount {
namespace {

// Of two streams, (tokens, dim), how far the one has moved from the other.
std::vector<double> moved_rows(const MatrixView& before, const MatrixView& after) {
    std::vector<double> rows;
    for (std::int64_t row = 0; row < std::min(before.rows, after.rows); ++row) {
        double way = 0, length = 0;
        for (std::int64_t i = 0; i < before.columns; ++i) {
            const auto was = static_cast<double>(before.at(row, i)), is = static_cast<double>(after.at(row, i));
            way += (is - was) * (is - was);
            length += was * was;
        }
        rows.push_back(length > 0 ? std::sqrt(way / length) : 0);
    }
    return rows;
}

}  // namespace

std::vector<std::vector<double>> moved(const RunValues& before, const RunValues& after, bool encoder) {
    std::vector<std::vector<double>> layers;
    for (std::int64_t layer = 0; layer <= before.layers(encoder); ++layer) {
        const MatrixView was = before.hidden(layer, encoder), is = after.hidden(layer, encoder);
        if (!was || !is) return {};
        layers.push_back(moved_rows(was, is));
    }
    return layers;
}

}  // namespace headcount
