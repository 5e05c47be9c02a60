// Finds the node that a change is of, and the numbers of another run that take the place of its own.
#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/checkpoints/file_bytes.hpp"
#include "core/runtime/dump.hpp"
#include "core/runtime/run.hpp"
#include "core/runtime/stored_numbers.hpp"

namespace headcount {
namespace {

// One tensor of a file that `write_activations` wrote.
struct DumpTensor {
    std::vector<std::int64_t> shape;
    std::vector<float> numbers;
};

class Dump {
  public:
    static Result<Dump> open(const std::filesystem::path& path) {
        Result<Checkpoint> file = read_checkpoint(path);
        if (!file) return file.error();
        return Dump(path, *std::move(file));
    }

    Result<DumpTensor> read(const std::string& name) const {
        const auto found = std::ranges::find(file_.tensors, name, &CheckpointTensor::name);
        if (found == file_.tensors.end())
            return Error{"the file has no tensor " + in_quotes(name), path_.string(),
                         "give what --dump wrote of a run of the same model"};
        Result<FileBytes> bytes = FileBytes::open(file_.files.at(found->file));
        if (!bytes) return bytes.error();
        DumpTensor tensor{found->shape, std::vector<float>(static_cast<std::size_t>(found->elements))};
        if (std::optional<Error> error = read_numbers(*bytes, *found, 0, tensor.numbers)) return *std::move(error);
        const bool finite = std::ranges::all_of(tensor.numbers, [](float each) { return std::isfinite(each); });
        if (finite) return tensor;
        return Error{in_quotes(name) + " holds a number that is none", path_.string(), "give another run's dump"};
    }

    Error wrong_shape(const std::string& name, const DumpTensor& found,
                      const std::vector<std::int64_t>& expected) const {
        return {in_quotes(name) + " has the shape " + shape_text(found.shape) + ", not " + shape_text(expected),
                path_.string(), "give the dump of a run of the same model on as many tokens"};
    }

  private:
    Dump(std::filesystem::path path, Checkpoint file) : path_(std::move(path)), file_(std::move(file)) {}

    std::filesystem::path path_;
    Checkpoint file_;
};

class Resolver {
  public:
    Resolver(const Change& change, const Architecture& arch, const ModelGraph& graph, const RunLengths& lengths,
             const Run* other)
        : change_(change),
          place_(change.place),
          graph_(graph),
          arch_(arch),
          lengths_(lengths),
          other_(other),
          values_(bindings(arch, Input{.tokens = 1})) {}

    Result<NodeChange> resolve() {
        std::optional<Error> error = find_layer();
        if (!error) error = place_.block.empty() ? find_token() : find_part();
        if (!error && change_.kind == Change::Kind::patch) error = read_rows();
        if (error) return within(place_text(place_), *std::move(error));
        if (change_.kind != Change::Kind::patch) made_.factor = static_cast<float>(change_.factor);
        return std::move(made_);
    }

  private:
    bool in_encoder() const { return place_.stack == ChangePlace::Stack::encoder; }
    std::int64_t number(const Expr& expr) const {
        const Result<std::int64_t> value = evaluate(expr, values_);
        return value ? *value : 0;
    }

    std::optional<Error> find_layer() {
        if (place_.stack != ChangePlace::Stack::main && !graph_.has_encoder())
            return Error{"this model has no encoder beside a decoder", "",
                         "name the layer alone, as layer.0.attention"};
        const std::int64_t layers = in_encoder() ? arch_.encoder->layers : arch_.layers;
        if (place_.layer >= layers) return none("layer", place_.layer, layers);
        made_.layer = place_.layer;
        group_ = graph_.group_of(layer_kind(arch_, place_.layer, in_encoder()));
        return std::nullopt;
    }

    // "there is no layer 9: the model has 3" and the like.
    static Error none(std::string_view thing, std::int64_t index, std::int64_t count) {
        const std::string name(thing);
        return {"there is no " + name + " " + grouped(index) + " among " + grouped(count), "",
                count == 1 ? "there is one alone, " + name + " 0" : "count from 0 to " + grouped(count - 1)};
    }

    std::optional<Error> find_token() {
        const std::int64_t tokens = in_encoder() ? lengths_.source : lengths_.all;
        if (*place_.token >= tokens) return none("token", *place_.token, tokens);
        made_.tensor = graph_.last_of(group_);
        made_.token = place_.token;
        made_.columns = columns_of(made_.tensor);
        return std::nullopt;
    }
    std::int64_t columns_of(TensorIndex tensor) const { return number(graph_.tensors[tensor].shape[1]); }

    std::optional<Error> find_part() {
        std::string parts;
        for (std::size_t i = 0; i < graph_.blocks.size(); ++i) {
            const Block& block = graph_.blocks[i];
            if (!graph_.is_part(static_cast<BlockIndex>(i), graph_.layers[group_].block)) continue;
            parts += (parts.empty() ? "" : " and ") + block.name;
            if (block.name != place_.block) continue;
            const auto index = static_cast<BlockIndex>(i);
            if (place_.head) return find_head(index);
            return place_.expert ? find_expert(index) : find_term(index);
        }
        return Error{"layer " + grouped(place_.layer) + " has no " + in_quotes(place_.block), "", "it has " + parts};
    }

    // What the block adds to the stream: the term of a sum, behind a bias and a norm of its own. A sum's first term is
    // the stream.
    std::optional<Error> find_term(BlockIndex block) {
        for (const Node& node : graph_.nodes) {
            if (node.op != Op::add && node.op != Op::sum) continue;
            for (std::size_t i = node.op == Op::add ? 1 : 0; i < node.inputs.size(); ++i)
                if (graph_.inside(graph_.tensors[node.inputs[i]].block, block)) made_.tensor = node.inputs[i];
        }
        made_.columns = columns_of(made_.tensor);
        return std::nullopt;
    }

    // Its columns of what the output projection reads: heads side by side, gated and normed where they are.
    std::optional<Error> find_head(BlockIndex block) {
        const Node* const join = graph_.first(Op::join_heads, block);
        if (!join) return Error{in_quotes(place_.block) + " has no heads", "", "name the whole of it"};
        const std::int64_t heads = number(graph_.blocks[graph_.tensors[join->inputs.front()].block].repeat);
        if (*place_.head >= heads) return none("head", *place_.head, heads);
        made_.tensor = projected_from(join->output);
        made_.columns = columns_of(made_.tensor) / heads;
        made_.first_column = *place_.head * made_.columns;
        return std::nullopt;
    }

    // Along the nodes that read the tensor, up to the one that multiplies it.
    TensorIndex projected_from(TensorIndex tensor) const {
        for (const Node& node : graph_.nodes)
            if (std::ranges::find(node.inputs, tensor) != node.inputs.end())
                return node.op == Op::linear ? tensor : projected_from(node.output);
        return tensor;
    }

    std::optional<Error> find_expert(BlockIndex block) {
        const Node* const combine = graph_.first(Op::combine, block);
        if (!combine)
            return Error{in_quotes(place_.block) + " of layer " + grouped(place_.layer) + " has no experts", "",
                         "name the whole of it"};
        const std::int64_t experts = number(Symbol::experts);
        if (*place_.expert >= experts) return none("expert", *place_.expert, experts);
        made_.tensor = combine->inputs.front();
        routing_ = combine->inputs[1];
        made_.expert = place_.expert;
        made_.columns = columns_of(made_.tensor);
        return std::nullopt;
    }

    std::optional<Error> read_rows() {
        if (other_) return read_run_rows();
        Result<Dump> dump = Dump::open(change_.file);
        if (!dump) return dump.error();
        if (place_.expert) return read_expert_rows(*dump);
        const std::string name = place_.token
                                     ? (in_encoder() ? "encoder.hidden." : "hidden.") + std::to_string(place_.layer + 1)
                                     : activation_name(graph_, made_.tensor, place_.layer);
        const Result<DumpTensor> tensor = dump->read(name);
        if (!tensor) return tensor.error();
        const std::int64_t columns = columns_of(made_.tensor);
        // Of what leaves a layer one token is taken, however many there are.
        const bool enough = place_.token && !tensor->shape.empty() && tensor->shape[0] > *place_.token;
        const std::int64_t rows = enough ? tensor->shape[0] : in_encoder() ? lengths_.source : lengths_.prompt;
        const std::vector<std::int64_t> expected{rows, columns};
        if (tensor->shape != expected) return dump->wrong_shape(name, *tensor, expected);
        for (std::int64_t row = 0; row < rows; ++row)
            if (!place_.token || row == *place_.token) take(row, tensor->numbers, row * columns + made_.first_column);
        return std::nullopt;
    }

    void take(std::int64_t token, const std::vector<float>& numbers, std::int64_t first) {
        const auto from = numbers.begin() + first;
        made_.rows[token].assign(from, from + made_.columns);
    }

    // Of the tokens that were sent to it in that run too.
    std::optional<Error> read_expert_rows(const Dump& dump) {
        const std::string outputs_name = activation_name(graph_, made_.tensor, place_.layer);
        const std::string chosen_name = experts_name(graph_, routing_, place_.layer);
        const Result<DumpTensor> outputs = dump.read(outputs_name), chosen = dump.read(chosen_name);
        if (!outputs) return outputs.error();
        if (!chosen) return chosen.error();
        const std::int64_t each = number(Symbol::experts_per_token), rows = lengths_.prompt;
        const std::vector<std::int64_t> expected{each, rows, made_.columns}, pairs{rows, each};
        if (outputs->shape != expected) return dump.wrong_shape(outputs_name, *outputs, expected);
        if (chosen->shape != pairs) return dump.wrong_shape(chosen_name, *chosen, pairs);
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t i = 0; i < each; ++i)
                if (chosen->numbers[static_cast<std::size_t>(row * each + i)] == static_cast<float>(*place_.expert))
                    take(row, outputs->numbers, (i * rows + row) * made_.columns);
        return std::nullopt;
    }

    // Of the tokens that both have; of an expert, those that were sent to it in that run too.
    std::optional<Error> read_run_rows() {
        const std::int64_t each = place_.expert ? number(Symbol::experts_per_token) : 1;
        for (std::int64_t i = 0; i < each; ++i) {
            const MatrixView view = !place_.token  ? other_->activation(made_.tensor, place_.layer, i)
                                    : in_encoder() ? other_->encoder_hidden(place_.layer + 1)
                                                   : other_->hidden(place_.layer + 1);
            if (!view) return Error{"the other run has not kept what is made here", "", "take a smaller model"};
            const std::int64_t rows = std::min(view.rows, in_encoder() ? lengths_.source : lengths_.prompt);
            for (std::int64_t row = 0; row < rows; ++row) {
                if (place_.token.value_or(row) != row) continue;
                if (place_.expert && other_->experts(place_.layer)[static_cast<std::size_t>(row * each + i)] !=
                                         static_cast<std::int32_t>(*place_.expert))
                    continue;
                std::vector<float>& taken = made_.rows[row];
                for (std::int64_t column = 0; column < made_.columns; ++column)
                    taken.push_back(view.at(row, made_.first_column + column));
            }
        }
        return std::nullopt;
    }

    const Change& change_;
    const ChangePlace& place_;
    const ModelGraph& graph_;
    const Architecture& arch_;
    const RunLengths& lengths_;
    const Run* const other_;
    const Bindings values_;
    std::size_t group_ = 0;
    TensorIndex routing_ = 0;  // of an expert's block
    NodeChange made_;
};

void regroup(const Value& made, const Regrouping& how) {
    const std::int64_t width = made.columns / how.heads;
    assert(width * how.heads == made.columns);
    std::vector<float> all(static_cast<std::size_t>(made.rows * made.columns));
    // Where the number lies that is taken for the one of this row and column.
    const auto taken = [&](std::int64_t row, std::int64_t column) {
        const std::int64_t head = column / width, i = column % width;
        if (how.as == Regrouping::As::heads_first) return (head * made.rows + row) * width + i;
        if (how.as == Regrouping::As::columns_first) return row * made.columns + i * how.heads + head;
        const std::int64_t turned = i * made.rows + row;
        return turned / width * made.columns + head * width + turned % width;
    };
    const auto each_cell = [&](const auto& work) {
        for (std::int64_t row = 0; row < made.rows; ++row)
            for (std::int64_t column = 0; column < made.columns; ++column)
                work(made.row(row)[column], static_cast<std::size_t>(row * made.columns + column),
                     static_cast<std::size_t>(taken(row, column)));
    };
    each_cell([&](float cell, std::size_t here, std::size_t there) { all[how.back ? there : here] = cell; });
    each_cell([&](float& cell, std::size_t here, std::size_t there) { cell = all[how.back ? here : there]; });
}

}  // namespace

Result<NodeChange> resolve(const Change& change, const Architecture& arch, const ModelGraph& graph,
                           const RunLengths& lengths, const Run* other) {
    return Resolver(change, arch, graph, lengths, other).resolve();
}

std::vector<LayerPart> parts_of(const Architecture& arch, const ModelGraph& graph, ChangePlace::Stack stack,
                                std::int64_t layer) {
    const Bindings values = bindings(arch, Input{.tokens = 1});
    const auto number = [&](const Expr& expr) {
        const Result<std::int64_t> value = evaluate(expr, values);
        return value ? *value : 0;
    };
    const std::size_t group = graph.group_of(layer_kind(arch, layer, stack == ChangePlace::Stack::encoder));
    std::vector<LayerPart> parts;
    for (std::size_t i = 0; i < graph.blocks.size(); ++i) {
        if (!graph.is_part(static_cast<BlockIndex>(i), graph.layers[group].block)) continue;
        LayerPart& part = parts.emplace_back(LayerPart{.block = static_cast<BlockIndex>(i)});
        if (const Node* const join = graph.first(Op::join_heads, part.block))
            part.heads = number(graph.blocks[graph.tensors[join->inputs.front()].block].repeat);
        if (graph.first(Op::combine, part.block)) part.experts = number(Symbol::experts);
    }
    return parts;
}

void Run::change(const Value& made, TensorIndex tensor, std::optional<std::int64_t> expert, std::int64_t first) {
    const std::int64_t chosen = expert ? model_->architecture.layer.mixture->experts_per_token : 1;
    for (const NodeChange& change : changes_) {
        if (change.tensor != tensor || change.layer != layer_ || change.expert != expert) continue;
        if (change.regrouping) regroup(made, *change.regrouping);
        for (std::int64_t row = 0; row < made.rows; ++row) {
            const std::int64_t token =
                cached_ + (expert ? token_of_[static_cast<std::size_t>(first + row)] / chosen : row);
            if (change.token.value_or(token) != token) continue;
            float* const cells = made.row(row) + change.first_column;
            const auto other = change.rows.find(token);
            if (other != change.rows.end()) std::ranges::copy(other->second, cells);
            for (std::int64_t i = 0; change.factor && i < change.columns; ++i)
                cells[i] = *change.factor == 0 ? 0 : *change.factor * cells[i];
            for (std::int64_t i = 0; change.rounded && i < change.columns; ++i) cells[i] = as_bfloat16(cells[i]);
        }
    }
}

}  // namespace headcount
