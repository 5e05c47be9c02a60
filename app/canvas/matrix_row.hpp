// Matrices beside each other at one scale. Of a product the right factor stands above what it makes, and that right of
// the left factor: the three meet at a corner. Numbers of rows and extents of words go in, places come out.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "app/canvas/scene.hpp"

namespace headcount {

enum class MatrixSpot {
    alone,   // a left factor, or what is no product
    right,   // a right factor
    bias,    // what is added to the product, between the right factor and the result
    result,  // at the corner
};

struct MatrixSize {
    MatrixSpot spot = MatrixSpot::alone;
    double rows = 1, columns = 1;
    float before = 0;               // pixels in front of it, or of what stands above it
    float least_row = 0;            // a row is never thinner
    std::vector<Point> words = {};  // how large its caption is: all that can be said first, its name alone last
};

// Pixels, but for the scale.
struct MatrixRoom {
    Point from = {};  // the upper left corner
    float width = 0, height = std::numeric_limits<float>::infinity();
    float scale = 1;       // of the interface: gaps grow with it
    float largest = 16;    // of one number
    float wrapped = 0;     // where a number would have less, the row goes on below
    float least_side = 6;  // of a matrix
    Point corner = {};     // what else has to have room above the left factor
};

struct MatrixRow {
    struct Placed {
        Rect area;
        Point words;  // the upper left corner of its caption
    };
    std::vector<Placed> matrices;  // in the order of their sizes
    float cell = 0;                // pixels of one number
    std::size_t words = 0;         // which captions have room
    float height = 0;              // of everything
    std::optional<Rect> corner;    // what is empty above the first left factor
    bool thickened = false;        // a side has the least of all, which is more than its own
};

// The right factor and the bias come before the result that they belong to. Words give way before matrices leave the
// room; names never do.
MatrixRow place_matrices(std::span<const MatrixSize> sizes, const MatrixRoom& room);

}  // namespace headcount
