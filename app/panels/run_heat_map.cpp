// Copies what is shown of each matrix, and puts a box where it is seen.
#include "app/panels/run_heat_map.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/part_colours.hpp"
#include "app/panels/run_heat.hpp"

namespace headcount {
namespace {

bool masked(const ModelGraph& graph, TensorIndex tensor) {
    const Node* const made = graph.producer(tensor);
    return made && (made->op == Op::scores || made->op == Op::masked_softmax);
}

// Small magnitudes are most of what there is: they are told apart too (as heat_of does).
float strength(float value, float limit) {
    if (!std::isfinite(value)) return value;
    return limit > 0 ? std::copysign(std::pow(std::min(1.0F, std::abs(value) / limit), 0.7F), value) : 0;
}

float value_at(const RunFigure& figure, std::int64_t down, std::int64_t across, bool triangle) {
    const std::int64_t row = figure.first_row + (figure.transposed ? across : down),
                       column = figure.first_column + (figure.transposed ? down : across);
    return triangle && column > row ? 0 : figure.view.at(row, column);
}

float limit_of(const RunFigure& figure, bool triangle) {
    float limit = 0;
    for (std::int64_t i = 0; i < figure.down(); ++i)
        for (std::int64_t j = 0; j < figure.across(); ++j) {
            const float value = std::abs(value_at(figure, i, j, triangle));
            if (std::isfinite(value)) limit = std::max(limit, value);
        }
    return limit;
}

// Whether the newest token has not come so far.
bool not_there(const RunSnapshot& run, const RunFigure& figure) {
    const ModelGraph& graph = run.values->model().graph;
    const Tensor& tensor = graph.tensors[figure.tensor];
    if (run.whole() || tensor.role == Role::parameter || tensor.role == Role::buffer) return false;
    if (graph.layer_of(tensor.block)) return figure.layer >= run.layers_shown;
    return tensor.component == Component::output || tensor.part == Part::final_norm;
}

ImU32 hue_of(const Theme& theme, const Tensor& tensor) {
    const bool stream =
        tensor.part == Part::residual || tensor.symbol == "X_n" || tensor.symbol == "O_i" || tensor.symbol == "O";
    return stream ? theme.text_high : part_colour(theme, tensor.part);
}

}  // namespace

void copy_values(RunHeat& heat, const RunSnapshot& run, const std::vector<RunLine>& lines, bool shared) {
    const ModelGraph& graph = run.values->model().graph;
    heat.starts.clear();
    heat.limits.clear();
    heat.drawing.values.clear();
    for (const RunLine& line : lines)
        for (const RunFigure& figure : line.figures)
            heat.limits.push_back(limit_of(figure, masked(graph, figure.tensor)));
    if (shared && !heat.limits.empty()) {
        const float most = *std::max_element(heat.limits.begin(), heat.limits.end());
        std::fill(heat.limits.begin(), heat.limits.end(), most);
    }
    for (const RunLine& line : lines)
        for (const RunFigure& figure : line.figures) {
            const float limit = heat.limits[heat.starts.size()];
            const bool triangle = masked(graph, figure.tensor);
            const std::int64_t last = not_there(run, figure) ? run.values->tokens() - 1 : -1;
            heat.starts.push_back(heat.drawing.values.size());
            for (std::int64_t i = 0; i < figure.down(); ++i)
                for (std::int64_t j = 0; j < figure.across(); ++j) {
                    const bool there = figure.first_row + (figure.transposed ? j : i) != last;
                    heat.drawing.values.push_back(there ? strength(value_at(figure, i, j, triangle), limit) : 0);
                }
        }
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
    std::size_t index = 0;
    for (const RunLine& line : lines)
        for (const RunFigure& figure : line.figures) {
            const std::size_t at = index++;
            const Tensor& tensor = graph.tensors[figure.tensor];
            const ImU32 hue = hue_of(theme, tensor);
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
            box.largest = 1;
            drawing.add(box);
            Box frame{.min_x = box.min_x - 1, .min_y = box.min_y - 1, .max_x = box.max_x + 1, .max_y = box.max_y + 1};
            frame.edge = kept_in_cache(tensor) ? theme.kv_edge : theme.strong_line;
            frame.edge_width = 1;
            drawing.add(frame);
        }
}

}  // namespace headcount
