// Keeps boxes and lines in the order in which they are drawn.
#include "app/canvas/drawing.hpp"

namespace headcount {
namespace {

void extend(std::vector<Batch>& batches, Batch::Kind kind, std::size_t at) {
    if (batches.empty() || batches.back().kind != kind) batches.push_back({kind, static_cast<std::uint32_t>(at), 0});
    ++batches.back().count;
}

}  // namespace

void Drawing::clear() {
    boxes.clear();
    lines.clear();
    batches.clear();
    values.clear();
    labels.clear();
    regions.clear();
    lit.clear();
}

void Drawing::add(const Box& box) {
    extend(batches, Batch::Kind::boxes, boxes.size());
    boxes.push_back(box);
}

void Drawing::add(const Line& line) {
    extend(batches, Batch::Kind::lines, lines.size());
    lines.push_back(line);
}

}  // namespace headcount
