// Reads the lines off the graph's nodes: products with one input, heads, and what is done cell by cell.
#include "app/panels/run_figures.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/words.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::int64_t most_rows = 512, most_columns = 768, most_cells = 200'000;  // of one figure

class Lines {
  public:
    Lines(const RunValues& values, const RunSight& sight, const std::optional<CellAt>& asked)
        : values_(values), graph_(values.model().graph), sight_(sight), asked_(asked) {}

    std::vector<RunLine> read() {
        bool head_done = false;
        for (const Node& node : graph_.nodes) {
            if (!on_page(node)) continue;
            const bool in_head = headcount::in_head(graph_, node.block);
            if (in_head && !std::exchange(head_done, true)) read_head(node.block);
            if (in_head) continue;
            if (node.op == Op::linear)
                read_product(node);
            else
                read_link(node);
        }
        lines_.erase(std::remove_if(lines_.begin(), lines_.end(), [](const RunLine& l) { return l.figures.empty(); }),
                     lines_.end());
        return std::move(lines_);
    }

  private:
    bool on_page(const Node& node) const {
        const std::optional<std::size_t> group = graph_.layer_of(node.block);
        if (sight_.part == RunPart::ends) return !group;
        if (!group || graph_.layers[*group].group.kind != layer_kind(values_.model().architecture, sight_.layer))
            return false;
        const std::string part = graph_.blocks[graph_.layers[*group].block].id +
                                 (sight_.part == RunPart::attention ? ".attention" : ".feed_forward");
        const std::string& id = graph_.blocks[node.block].id;
        return id == part || id.starts_with(part + ".");
    }

    // A tensor as this page shows it; one without numbers shows nothing.
    std::optional<RunFigure> figure(TensorIndex tensor, RunFigure::Place place = RunFigure::Place::link,
                                    std::string before = {}) const {
        const Tensor& of = graph_.tensors[tensor];
        RunFigure made{.tensor = tensor, .place = place, .before = std::move(before)};
        const bool layered = graph_.layer_of(of.block).has_value();
        made.layer = layered ? sight_.layer : 0;
        if (in_head(graph_, of.block)) made.copy = sight_.head;
        const bool parameter = of.role == Role::parameter || of.role == Role::buffer;
        if (in_expert(graph_, of.block)) made.copy = parameter ? expert() : sight_.which;
        made.view = parameter ? values_.parameter(tensor, made.layer, made.copy)
                              : values_.activation(tensor, made.layer, made.copy);
        if (!made.view) return std::nullopt;
        take_piece(made);
        return made;
    }

    // All of it, or of a very large one what is around the cell that is asked for.
    void take_piece(RunFigure& made) const {
        made.rows = std::min(made.view.rows, most_rows);
        made.columns = std::min(made.view.columns, most_columns);
        if (made.rows * made.columns > most_cells) made.rows = most_cells / made.columns;
        if (!asked_ || !made.shows(*asked_)) return;
        const auto begin = [](std::int64_t size, std::int64_t most, std::int64_t asked) {
            return std::clamp<std::int64_t>(asked - most / 2, 0, std::max<std::int64_t>(0, size - most));
        };
        made.first_row = begin(made.view.rows, made.rows, asked_->row);
        made.first_column = begin(made.view.columns, made.columns, asked_->column);
    }

    std::int64_t expert() const {
        const std::span<const std::int32_t> all = values_.experts(sight_.layer);
        const std::int64_t tokens = std::max<std::int64_t>(values_.tokens(), 1);
        const auto each = static_cast<std::int64_t>(all.size()) / tokens;
        const std::int64_t at = sight_.position * each + sight_.which;
        return at >= 0 && at < static_cast<std::int64_t>(all.size()) ? all[static_cast<std::size_t>(at)] : 0;
    }

    // What a node reads: a tensor of this page, or of a layer's first nodes the stream that the layer before has left.
    std::optional<RunFigure> input(const Node& node, std::size_t index, RunFigure::Place place,
                                   std::string before = {}) const {
        const TensorIndex tensor = node.inputs[index];
        if (graph_.tensors[tensor].role == Role::input) return std::nullopt;
        const std::optional<std::size_t> own = graph_.layer_of(node.block);
        if (graph_.layer_of(graph_.tensors[tensor].block) == own) return figure(tensor, place, std::move(before));
        const std::int64_t layers = own ? sight_.layer : values_.layers();
        for (std::size_t i = graph_.tensors.size(); i-- > 0;) {
            const auto at = static_cast<TensorIndex>(i);
            const MatrixView stream = values_.hidden(layers);
            const MatrixView view = values_.activation(at, std::max<std::int64_t>(0, layers - 1), 0);
            const std::optional<std::size_t> group = graph_.layer_of(graph_.tensors[i].block);
            if (!stream || !view || view.data != stream.data || (layers > 0) != group.has_value()) continue;
            RunFigure made{.tensor = at, .place = place, .before = std::move(before), .view = view};
            made.layer = std::max<std::int64_t>(0, layers - 1);
            take_piece(made);
            return made;
        }
        return std::nullopt;
    }

    void add(RunLine& line, std::optional<RunFigure> made) const {
        if (made) line.figures.push_back(std::move(*made));
    }

    void read_product(const Node& node) {
        const std::optional<RunFigure> in = input(node, 0, RunFigure::Place::input);
        const bool joins = !lines_.empty() && lines_.back().product && in && !lines_.back().figures.empty() &&
                           lines_.back().figures.front().view.data == in->view.data;
        if (!joins) {
            lines_.push_back({.product = true});
            add(lines_.back(), in);
        }
        RunLine& line = lines_.back();
        std::optional<RunFigure> weight = figure(node.parameters.front(), RunFigure::Place::weight);
        // The embedding as the output head has its inputs along its columns.
        if (weight) weight->transposed = graph_.tied_head == weight->tensor;
        add(line, weight);
        if (node.parameters.size() > 1) add(line, figure(node.parameters[1], RunFigure::Place::bias));
        add(line, figure(node.output, RunFigure::Place::output));
        if (in_expert(graph_, node.block) && !joins && line.title.empty())
            line.title = "Expert " + std::to_string(expert()),
            line.remark = "that token " + std::to_string(sight_.position) + " is sent to";
    }

    // What is done cell by cell; one after the other where each reads what the one before has made.
    void read_link(const Node& node) {
        const bool goes_on = !lines_.empty() && !lines_.back().product && !lines_.back().figures.empty() &&
                             lines_.back().figures.back().tensor == node.inputs.front() && node.op != Op::add;
        if (!goes_on) {
            lines_.emplace_back();
            const bool first = node.op != Op::embed;
            if (first) add(lines_.back(), input(node, 0, RunFigure::Place::link));
        }
        RunLine& line = lines_.back();
        const auto word = [&](std::string_view text) { return std::string(text); };
        for (std::size_t i = 1; i < node.inputs.size(); ++i)
            add(line, input(node, i, RunFigure::Place::link, node.op == Op::gate ? word("⊙") : word("+")));
        for (const TensorIndex parameter : node.parameters)
            add(line, figure(parameter, RunFigure::Place::link,
                             node.op == Op::norm    ? word("norm, ·")
                             : line.figures.empty() ? word("")
                                                    : word("+")));
        add(line, figure(node.output, RunFigure::Place::link, said(node.op)));
    }

    static std::string said(Op op) {
        switch (op) {
            case Op::rotate:
                return "turned";
            case Op::append_cache:
                return "kept";
            case Op::keep_window:
                return "window";
            case Op::take_columns:
                return "columns";
            case Op::route:
                return "best";
            case Op::embed:
                return "rows";
            case Op::join_heads:
                return "joined";
            default:
                return "=";
        }
    }

    // Q · Kᵀ = S, its softmax A, and A · V = O.
    void read_head(BlockIndex block) {
        RunLine line{.title = "Head " + std::to_string(sight_.head) + " of layer " + std::to_string(sight_.layer),
                     .remark = "its own columns of Q, K and V"};
        for (const Node& node : graph_.nodes) {
            if (node.block != block) continue;
            if (node.op == Op::scores) {
                add(line, figure(node.inputs[0]));
                if (std::optional<RunFigure> keys = figure(node.inputs[1], RunFigure::Place::link, "·")) {
                    keys->transposed = true;
                    line.figures.push_back(std::move(*keys));
                }
                add(line,
                    figure(node.output, RunFigure::Place::link, "/ √" + std::to_string(width(node.inputs[0])) + " ="));
            } else if (node.op == Op::masked_softmax) {
                for (const TensorIndex sinks : node.parameters) add(line, figure(sinks, RunFigure::Place::link, "and"));
                add(line, figure(node.output, RunFigure::Place::link, "softmax"));
            } else if (node.op == Op::mix) {
                add(line, figure(node.inputs[1], RunFigure::Place::link, "·"));
                add(line, figure(node.output, RunFigure::Place::link, "="));
            }
        }
        if (values_.model().graph.score_scale || values_.model().computation.alibi)
            for (RunFigure& each : line.figures)
                if (each.before.starts_with("/")) each.before = "scaled =";
        lines_.push_back(std::move(line));
    }

    std::int64_t width(TensorIndex tensor) const { return values_.activation(tensor, sight_.layer, 0).columns; }

    const RunValues& values_;
    const ModelGraph& graph_;
    const RunSight& sight_;
    const std::optional<CellAt>& asked_;
    std::vector<RunLine> lines_;
};

}  // namespace

std::optional<CellAt> RunFigure::cell_under(ImVec2 at) const {
    if (at.x < min.x || at.y < min.y || at.x >= max.x || at.y >= max.y) return std::nullopt;
    const auto place = [](float from, float to, float where, std::int64_t count) {
        const auto index = static_cast<std::int64_t>((where - from) / (to - from) * static_cast<float>(count));
        return std::clamp<std::int64_t>(index, 0, count - 1);
    };
    const std::int64_t x = place(min.x, max.x, at.x, across()), y = place(min.y, max.y, at.y, down());
    return CellAt{tensor, layer, copy, first_row + (transposed ? x : y), first_column + (transposed ? y : x)};
}

bool RunFigure::shows(const CellAt& at) const {
    return at.tensor == tensor && at.layer == layer && at.copy == copy;
}

std::pair<ImVec2, ImVec2> RunFigure::area_of(std::int64_t row, std::int64_t column, std::int64_t last_row,
                                             std::int64_t last_column) const {
    const auto edge = [](float from, float to, std::int64_t index, std::int64_t count) {
        const float share = static_cast<float>(std::clamp<std::int64_t>(index, 0, count)) / static_cast<float>(count);
        return from + share * (to - from);
    };
    std::int64_t x = column - first_column, y = row - first_row, end_x = last_column - first_column + 1,
                 end_y = last_row - first_row + 1;
    if (transposed) {
        std::swap(x, y);
        std::swap(end_x, end_y);
    }
    return {{edge(min.x, max.x, x, across()), edge(min.y, max.y, y, down())},
            {edge(min.x, max.x, end_x, across()), edge(min.y, max.y, end_y, down())}};
}

std::vector<RunLine> run_lines(const RunValues& values, const RunSight& sight, const std::optional<CellAt>& asked) {
    return Lines(values, sight, asked).read();
}

RunSight sight_of(const ModelGraph& graph, const CellAt& cell, RunSight now) {
    const BlockIndex block = graph.tensors[cell.tensor].block;
    if (!graph.layer_of(block)) {
        now.part = RunPart::ends;
        return now;
    }
    const std::string& id = graph.blocks[block].id;
    now.part = id.find(".attention") != std::string::npos ? RunPart::attention : RunPart::feed_forward;
    now.layer = cell.layer;
    const bool parameter = graph.tensors[cell.tensor].role == Role::parameter;
    if (in_head(graph, block)) now.head = cell.copy;
    if (in_expert(graph, block) && !parameter) now.which = cell.copy;
    return now;
}

RunNumbers numbers_of(const RunValues& values) {
    return {&values.model(), values.ids(),
            [&values](TensorIndex tensor, std::int64_t layer, std::int64_t copy) {
                return values.activation(tensor, layer, copy);
            },
            [&values](std::int64_t layer) { return values.experts(layer); }};
}

}  // namespace headcount
