// Below the card that shows one head's columns: the scores of all heads, and how what they make goes back to the
// stream.
#include <algorithm>

#include "app/canvas/arrange/band_plan.hpp"
#include "app/canvas/arrange/block_layout.hpp"
#include "app/canvas/arrange/head_plan.hpp"

namespace headcount {
namespace {

class BandRow {
  public:
    BandRow(Sketch& sketch, const BandPlan& plan, const BlockWays& ways, const Rect& band)
        : sketch_(sketch), plan_(plan), ways_(ways), band_(band) {}

    void draw();

  private:
    static constexpr std::string_view scores = "layer.attention.head.scores", joined = "layer.attention.joined",
                                      output = "layer.attention.output.weight";

    float px(float design) const { return sketch_.px(design); }

    Rect draw_squares();
    void draw_way_out(const Rect& squares);
    void name_inside_or_above(std::string_view id, const Rect& slab);

    Sketch& sketch_;
    const BandPlan& plan_;
    const BlockWays& ways_;
    const Rect& band_;
};

void BandRow::draw() {
    const Rect squares = draw_squares();
    const float y = plan_.row.centre().y, from = band_.centre().x, gap = px(2);
    if (from + px(14) <= squares.min.x) {
        sketch_.wire({{from, band_.max.y}, {from, y}, {squares.min.x - gap, y}}, scores);
    } else {
        const float turn = plan_.card.max.y + px(3), to = squares.centre().x;
        sketch_.wire({{from, band_.max.y}, {from, turn}, {to, turn}, {to, squares.min.y - gap}}, scores);
    }
    draw_way_out(squares);
}

// A square for each head's scores, each of which is the door to that head's page.
Rect BandRow::draw_squares() {
    const std::int64_t count = plan_.heads;
    const float width = px(90), height = std::min(plan_.row.height() - px(4), px(60));
    const std::int64_t columns = columns_of_grid(count, width, head_aspect * height);
    const std::int64_t rows = (count + columns - 1) / columns;
    const float cell = std::min(width / static_cast<float>(columns), head_aspect * height / static_cast<float>(rows));
    const float half = cell / head_aspect * static_cast<float>(rows) / 2, y = plan_.row.centre().y;
    const float left = plan_.row.min.x + px(76);
    const Rect rect{{left, y - half}, {left + cell * static_cast<float>(columns), y + half}};
    sketch_.scene.slabs.push_back({.id = std::string(scores),
                                   .rect = rect,
                                   .part = Part::scores,
                                   .rows = rows,
                                   .columns = columns,
                                   .grid_columns = static_cast<int>(columns),
                                   .grid_cells = count});
    sketch_.grid_door("layer.attention.head", rect, columns, count);
    sketch_.scene.doors.back().entry_tensor = band_lanes[0].made;
    sketch_.frame(scores, sketch_.scene.doors.back().cell(plan_.head), FrameKind::band, Component::attention);
    return rect;
}

// The heads side by side, through W_o, back to the stream.
void BandRow::draw_way_out(const Rect& squares) {
    const float y = plan_.row.centre().y, arrow = px(20), gap = px(2);
    const float wide = sketch_.thick(sketch_.sides(output, true).columns, plan_.scale);
    const float joined_wide = sketch_.thick(sketch_.sides(joined, true).columns, plan_.scale);
    const Rect weight = sketch_.slab(output, {plan_.row.max.x - wide, y}, plan_.scale);
    sketch_.bias_below("layer.attention.output.bias", weight, plan_.scale);
    const Rect all = sketch_.slab(joined, {weight.min.x - arrow - joined_wide, y}, plan_.scale, plan_.row.height());
    name_inside_or_above(output, weight);
    name_inside_or_above(joined, all);
    const float words = squares.max.x + px(8), room = all.min.x - arrow - words;
    const std::string count = std::to_string(plan_.heads), one = plan_.heads == 1 ? "1 head" : count + " heads";
    const std::string named = fitting(sketch_, {count + (plan_.heads == 1 ? " score matrix" : " score matrices"), one},
                                      TextRole::title, room);
    const std::string shape = sketch_.shape_text(scores);
    const std::string size = fitting(sketch_, {shape + " each", shape}, TextRole::number, room);
    sketch_.title({words, y - px(16)}, named, scores);
    sketch_.number({words, y + px(1)}, size, scores);
    const float end =
        words + std::max(sketch_.width_of(named, TextRole::title), sketch_.width_of(size, TextRole::number));
    sketch_.wire({{end + px(6), y}, {all.min.x - gap, y}}, joined);
    sketch_.wire({{all.max.x, y}, {weight.min.x - gap, y}}, joined);
    if (ways_.exit.empty()) return;
    std::vector<Point> back{{weight.max.x, y}, {ways_.exit.front().x, y}};
    back.insert(back.end(), ways_.exit.begin(), ways_.exit.end());
    sketch_.line(std::move(back), "layer.attention.output");
}

void BandRow::name_inside_or_above(std::string_view id, const Rect& slab) {
    const Tensor& tensor = *sketch_.find(id);
    const bool inside = tensor.role == Role::parameter && names_inside(sketch_, id, plan_.scale);
    // Before the matrix and over the way to it where there is no room above either.
    const bool above = slab.min.y - px(18) >= plan_.card.max.y + px(1);
    const float y = inside ? slab.centre().y - px(9) : above ? slab.min.y - px(18) : slab.centre().y - px(19);
    sketch_.label({inside || above ? slab.centre().x : slab.min.x - px(2), y}, tensor.symbol, TextRole::name,
                  inside ? Tone::on_slab : Tone::high, inside || above ? Anchor::centre : Anchor::right, id);
}

}  // namespace

void lay_out_band_row(Sketch& sketch, const BandPlan& plan, const BlockWays& ways, const Rect& band) {
    BandRow(sketch, plan, ways, band).draw();
}

}  // namespace headcount
