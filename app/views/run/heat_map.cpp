// Copies what is shown of each matrix, and puts a box where it is seen.
#include "app/views/run/heat_map.hpp"

#include <algorithm>
#include <cmath>

#include "app/diagram/run_heat.hpp"
#include "app/parts/part_colours.hpp"

namespace headcount {
namespace {

// Small magnitudes are most of what there is: they are told apart too (as heat_of does). What is divided by its
// greatest afterwards is the same strength, so that another scale needs no other values.
float strength(float value) {
    return std::isfinite(value) ? std::copysign(std::pow(std::abs(value), heat_power), value) : value;
}

float value_at(const RunFigure& figure, std::int64_t down, std::int64_t across, bool triangle) {
    const std::int64_t row = figure.first_row + (figure.transposed ? across : down),
                       column = figure.first_column + (figure.transposed ? down : across);
    return triangle && column > row ? 0 : figure.view.at(row, column);
}

// Adds them at the end, 0 for a row that is not there yet. Returns the greatest magnitude.
float add_values(std::vector<float>& values, const RunFigure& figure, bool triangle = false,
                 std::optional<std::int64_t> missing_row = {}) {
    float limit = 0;
    for (std::int64_t i = 0; i < figure.down(); ++i)
        for (std::int64_t j = 0; j < figure.across(); ++j) {
            const bool there = figure.first_row + (figure.transposed ? j : i) != missing_row;
            const float value = there ? value_at(figure, i, j, triangle) : 0;
            values.push_back(strength(value));
            if (std::isfinite(value)) limit = std::max(limit, std::abs(value));
        }
    return limit;
}

// What a run never changes is copied once for a page, however many tokens come.
void copy_weights(RunHeat& heat, const ModelGraph& graph, const std::vector<const RunFigure*>& figures) {
    std::vector<RunHeat::Weight> weights;
    for (const RunFigure* each : figures)
        if (is_weight(graph.tensors[each->tensor]))
            weights.push_back(
                {each->view.data, each->transposed, each->first_row, each->first_column, each->rows, each->columns});
    std::size_t end = 0;
    for (const RunHeat::Weight& each : weights) end += static_cast<std::size_t>(each.rows * each.columns);
    std::vector<float>& values = heat.drawing.values;
    if (heat.weights == weights && values.size() >= end) {
        values.resize(end);
        return;
    }
    values.clear();
    heat.weight_limits.clear();
    for (const RunFigure* each : figures)
        if (is_weight(graph.tensors[each->tensor])) heat.weight_limits.push_back(add_values(values, *each));
    heat.weights = std::move(weights);
    ++heat.weights_copied;
}

}  // namespace

ImU32 heat_hue(const Theme& theme, const Tensor& tensor) {
    const bool stream =
        tensor.part == Part::residual || tensor.symbol == "X_n" || tensor.symbol == "O_i" || tensor.symbol == "O";
    return stream ? theme.text_high : part_colour(theme, tensor.part);
}

void copy_values(RunHeat& heat, const RunSnapshot& run, const std::vector<RunLine>& lines, bool shared) {
    const ModelGraph& graph = run.values->model().graph;
    const std::vector<const RunFigure*> figures = figures_of(lines);
    if (!heat.of || &heat.of->model() != &run.values->model()) {
        heat.weights.clear();
        heat.drawing.values.clear();
    }
    heat.of = run.values;
    copy_weights(heat, graph, figures);
    heat.starts.clear();
    heat.limits.clear();
    std::size_t weight = 0, at = 0;
    for (const RunFigure* each : figures) {
        if (is_weight(graph.tensors[each->tensor])) {
            heat.starts.push_back(at);
            heat.limits.push_back(heat.weight_limits[weight++]);
            at += static_cast<std::size_t>(each->rows * each->columns);
            continue;
        }
        const std::int64_t newest = row_of_token(*run.values, each->view, run.values->tokens() - 1);
        const auto missing = not_there(run, each->tensor, each->layer) ? std::optional(newest) : std::nullopt;
        heat.starts.push_back(heat.drawing.values.size());
        const bool triangle = hides_later(graph, each->tensor);
        heat.limits.push_back(add_values(heat.drawing.values, *each, triangle, missing));
    }
    if (!shared || heat.limits.empty()) return;
    const float most = *std::max_element(heat.limits.begin(), heat.limits.end());
    std::fill(heat.limits.begin(), heat.limits.end(), most);
}

void compose_heat(RunHeat& heat, const Theme& theme, const ModelGraph& graph, const std::vector<RunLine>& lines,
                  ImVec2 corner, ImVec2 min, ImVec2 max) {
    Drawing& drawing = heat.drawing;
    drawing.boxes.clear();
    drawing.lines.clear();
    drawing.batches.clear();
    drawing.area = {{min.x, min.y}, {max.x, max.y}};
    const float width = std::max(drawing.area.width(), 1.0F), height = std::max(drawing.area.height(), 1.0F);
    drawing.view_projection = {2 / width, 0, 0, 0, 0, -2 / height, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    const Point middle = drawing.area.centre();
    const std::vector<const RunFigure*> figures = figures_of(lines);
    std::vector<Box> frames;  // around them: together, so that each kind of box is drawn at once
    for (std::size_t at = 0; at < figures.size(); ++at) {
        const RunFigure& figure = *figures[at];
        const Tensor& tensor = graph.tensors[figure.tensor];
        const ImU32 hue = heat_hue(theme, tensor);
        Box box{.min_x = corner.x + figure.min.x - middle.x,
                .min_y = corner.y + figure.min.y - middle.y,
                .max_x = corner.x + figure.max.x - middle.x,
                .max_y = corner.y + figure.max.y - middle.y};
        if (box.max_y < -height || box.min_y > height) continue;
        box.fill = hue;
        box.negative = heat_of(theme, hue, -1, 1);
        box.zero = heat_of(theme, hue, 0, 1);
        // Of lines between large cells; on small ones only of what is no number.
        box.ink = figure.cell > 3 ? theme.canvas : theme.wrong;
        box.pattern = CellPattern::heat;
        box.columns_a_pixel = static_cast<float>(figure.across()) / (box.max_x - box.min_x);
        box.rows_a_pixel = static_cast<float>(figure.down()) / (box.max_y - box.min_y);
        box.values = static_cast<std::uint32_t>(heat.starts[at]);
        box.value_columns = static_cast<std::int32_t>(figure.across());
        box.largest = std::pow(heat.limits[at], heat_power);
        drawing.add(box);
        Box& frame = frames.emplace_back(
            Box{.min_x = box.min_x - 1, .min_y = box.min_y - 1, .max_x = box.max_x + 1, .max_y = box.max_y + 1});
        frame.edge = kept_in_cache(tensor) ? theme.kv_edge : theme.strong_line;
        frame.edge_width = 1;
    }
    for (const Box& frame : frames) drawing.add(frame);
}

}  // namespace headcount
