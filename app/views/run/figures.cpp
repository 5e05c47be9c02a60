// Reads the lines off the graph's nodes: products with one input, heads, and what is done cell by cell.
#include "app/views/run/figures.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "app/parts/words.hpp"

namespace headcount {
namespace {

constexpr std::int64_t most_figure_rows = 512, most_columns = 768, most_cells = 200'000;  // of one figure

class Lines {
  public:
    Lines(const RunValues& values, const RunSight& sight, const std::optional<CellAt>& asked)
        : values_(values), graph_(values.model().graph), sight_(sight), asked_(asked) {}

    std::vector<RunLine> read() {
        bool head_done = false;
        for (const Node& node : graph_.nodes) {
            if (!on_page(node)) continue;
            const bool in_head = graph_.is(node.block, BlockKind::head);
            if (in_head && !std::exchange(head_done, true)) read_head(node.block);
            // What heads give is seen where it is multiplied next.
            if (in_head || node.op == Op::join_heads) continue;
            if (node.op == Op::linear)
                read_product(node);
            else
                read_link(node);
        }
        for (RunLine& line : lines_)
            for (RunFigure& each : line.figures) name(each);
        std::erase_if(lines_, [](const RunLine& line) { return line.figures.empty(); });
        return std::move(lines_);
    }

  private:
    bool on_page(const Node& node) const {
        const std::optional<std::size_t> group = graph_.layer_of(node.block);
        if (sight_.part == RunPart::ends) return !group;
        if (!group) return false;
        const LayerKind& kind = graph_.layers[*group].group.kind;
        return kind == layer_kind(values_.model().architecture, sight_.layer, sight_.encoder) &&
               graph_.within(node.block, block_of(sight_.part));
    }

    // A tensor as this page shows it; one without numbers shows nothing.
    std::optional<RunFigure> figure(TensorIndex tensor, MatrixSpot place = MatrixSpot::alone,
                                    std::string before = {}) const {
        const Tensor& of = graph_.tensors[tensor];
        RunFigure made{.tensor = tensor, .place = place, .before = std::move(before)};
        const bool layered = graph_.layer_of(of.block).has_value();
        made.layer = layered ? sight_.layer : 0;
        if (graph_.is(of.block, BlockKind::head)) made.copy = std::min(sight_.head, values_.heads_of(sight_.layer) - 1);
        const bool parameter = is_weight(of);
        if (graph_.is(of.block, BlockKind::expert)) made.copy = parameter ? expert() : sight_.which;
        if (graph_.is(of.block, BlockKind::expert) && !parameter) made.expert = expert();
        made.view = parameter ? values_.parameter(tensor, made.layer, made.copy)
                              : values_.activation(tensor, made.layer, made.copy);
        if (!made.view) return std::nullopt;
        take_piece(made);
        return made;
    }

    // All of it, or of a very large one what is around the cell that is asked for.
    void take_piece(RunFigure& made) const {
        made.rows = std::min(made.view.rows, most_figure_rows);
        made.columns = std::min(made.view.columns, most_columns);
        if (made.rows * made.columns > most_cells) made.rows = most_cells / made.columns;
        if (!asked_ || !made.shows(*asked_)) return;
        const auto begin = [](std::int64_t size, std::int64_t most, std::int64_t asked) {
            return std::clamp<std::int64_t>(asked - most / 2, 0, std::max<std::int64_t>(0, size - most));
        };
        made.first_row = begin(made.view.rows, made.rows, asked_->row);
        made.first_column = begin(made.view.columns, made.columns, asked_->column);
    }

    std::int64_t expert() const { return values_.expert(sight_.layer, sight_.position, sight_.which).value_or(0); }

    // What a node reads: a tensor of this page, or of a layer's first nodes the stream that the layer before has left.
    std::optional<RunFigure> input(const Node& node, std::size_t index, MatrixSpot place,
                                   std::string before = {}) const {
        const TensorIndex tensor = node.inputs[index];
        if (graph_.tensors[tensor].role == Role::input) return std::nullopt;
        if (!graph_.reads_stream(node, tensor)) return figure(tensor, place, std::move(before));
        const bool encoder = graph_.of_source(tensor);
        const std::int64_t layers = graph_.reads_last_layer(node, tensor) ? values_.layers(encoder) : sight_.layer;
        for (std::size_t i = graph_.tensors.size(); i-- > 0;) {
            const auto at = static_cast<TensorIndex>(i);
            const MatrixView stream = values_.hidden(layers, encoder);
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
        const std::optional<RunFigure> in = input(node, 0, MatrixSpot::alone);
        const bool joins = !lines_.empty() && lines_.back().product && in && !lines_.back().figures.empty() &&
                           lines_.back().figures.front().view.data == in->view.data && section_ == node.block;
        if (!joins) {
            lines_.push_back({.product = true});
            add(lines_.back(), in);
            begin_section(node);
        }
        RunLine& line = lines_.back();
        std::optional<RunFigure> weight = figure(node.parameters.front(), MatrixSpot::right);
        // The embedding as the output head has its inputs along its columns.
        if (weight) weight->transposed = node.rule<LinearRule>().transposed;
        add(line, weight);
        if (node.parameters.size() > 1) add(line, figure(node.parameters[1], MatrixSpot::bias));
        std::optional<RunFigure> made = figure(node.output, MatrixSpot::result);
        if (made) made->note = product_note(node);
        add(line, made);
    }

    void begin_section(const Node& node) {
        if (std::exchange(section_, node.block) == node.block) return;
        RunLine& line = lines_.back();
        if (graph_.is(node.block, BlockKind::expert)) {
            line.title = "Expert " + std::to_string(expert());
            line.remark =
                "that token " + std::to_string(sight_.position) + " is sent to; tokens of other experts are dim";
        } else if (graph_.blocks[node.block].id.ends_with(".shared")) {
            line.title = "Shared experts";
            line.remark = "which every token passes";
        }
    }

    // What is done cell by cell; one after the other where each reads what the one before has made.
    void read_link(const Node& node) {
        const LinkWords words = link_words(values_.model(), node);
        assert(words.parameters.size() >= node.parameters.size());
        const bool goes_on = words.inputs.size() == 1 && !lines_.empty() && !lines_.back().product &&
                             !lines_.back().figures.empty() &&
                             lines_.back().figures.back().tensor == node.inputs.front();
        if (!goes_on) lines_.push_back({.title = words.title, .remark = words.remark});
        RunLine& line = lines_.back();
        for (const LinkWords::Input& each : words.inputs)
            if (!goes_on) add(line, input(node, each.index, MatrixSpot::alone, each.before));
        for (std::size_t i = 0; i < node.parameters.size(); ++i)
            add(line, figure(node.parameters[i], MatrixSpot::alone, words.parameters[i]));
        add(line, figure(node.output, MatrixSpot::alone, words.output));
    }

    // "X^(2)", "E^T"; "128 × 64", and what was said of it besides.
    void name(RunFigure& made) const {
        made.name = symbol_text(values_.model(), {made.tensor, made.layer}) + (made.transposed ? "^T" : "");
        made.sides = std::to_string(made.transposed ? made.view.columns : made.view.rows) + " × " +
                     std::to_string(made.transposed ? made.view.rows : made.view.columns);
        if (!made.note.empty()) made.note.insert(0, ", ");
        if (!made.whole()) made.note.insert(0, ", in part");
    }

    // S of Q and Kᵀ, its softmax A, and O of A and V.
    void read_head(BlockIndex block) {
        RunLine line{.head = true,
                     .title = "Head " + std::to_string(sight_.head) + " of layer " + std::to_string(sight_.layer),
                     .remark = "its own columns of Q, K and V"};
        for (const Node& node : graph_.nodes) {
            if (node.block != block) continue;
            if (node.op == Op::scores) {
                add(line, figure(node.inputs[0]));
                if (std::optional<RunFigure> keys = figure(node.inputs[1], MatrixSpot::right)) {
                    keys->transposed = true;
                    line.figures.push_back(std::move(*keys));
                }
                std::optional<RunFigure> scores = figure(node.output, MatrixSpot::result);
                const std::int64_t columns = values_.activation(node.inputs[0], sight_.layer, 0).columns;
                if (scores) scores->note = score_words(node, sight_.layer, columns);
                add(line, std::move(scores));
            } else if (node.op == Op::masked_softmax) {
                for (const TensorIndex sinks : node.parameters) add(line, figure(sinks, MatrixSpot::alone, "and"));
                add(line, figure(node.output, MatrixSpot::alone, "softmax"));
            } else if (node.op == Op::mix) {
                add(line, figure(node.inputs[1], MatrixSpot::right));
                add(line, figure(node.output, MatrixSpot::result));
            } else if (node.op == Op::update_state) {
                add(line, figure(node.inputs[0]));
                add(line, figure(node.inputs[1], MatrixSpot::alone, "and"));
                add(line, figure(node.output, MatrixSpot::alone, "written into"));
            } else if (node.op == Op::read_state) {
                add(line, figure(node.inputs[0], MatrixSpot::alone, "read by"));
                add(line, figure(node.output, MatrixSpot::alone, "gives"));
            }
        }
        lines_.push_back(std::move(line));
    }

    const RunValues& values_;
    const ModelGraph& graph_;
    const RunSight& sight_;
    const std::optional<CellAt>& asked_;
    std::vector<RunLine> lines_;
    BlockIndex section_ = 0;  // of the last product
};

}  // namespace

BlockKind block_of(RunPart part) {
    constexpr std::array kinds{BlockKind::model, BlockKind::mixer, BlockKind::cross, BlockKind::feed_forward};
    return kinds[static_cast<std::size_t>(part)];
}

std::vector<const RunFigure*> figures_of(const std::vector<RunLine>& lines) {
    std::vector<const RunFigure*> all;
    for (const RunLine& line : lines)
        for (const RunFigure& figure : line.figures) all.push_back(&figure);
    return all;
}

std::vector<RunLine> run_lines(const RunValues& values, const RunSight& sight, const std::optional<CellAt>& asked) {
    return Lines(values, sight, asked).read();
}

}  // namespace headcount
