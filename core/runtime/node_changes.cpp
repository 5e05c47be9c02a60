// Finds the node that a change is of, and the numbers of another run that take the place of its own.
#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/graph/ops.hpp"
#include "core/runtime/dump.hpp"
#include "core/runtime/run.hpp"

namespace headcount {
namespace {

class Resolver {
  public:
    Resolver(const Change& change, const Architecture& arch, const ModelGraph& graph, const RunLengths& lengths,
             const OtherRuns& others)
        : change_(change),
          place_(change.place),
          graph_(graph),
          arch_(arch),
          lengths_(lengths),
          others_(others),
          values_(bindings(arch, Input{.tokens = 1})) {}

    Result<NodeChange> resolve() {
        std::optional<Error> error = find_layer();
        if (!error) error = place_.block.empty() ? find_stream() : find_part();
        if (!error) error = find_column();
        if (!error) error = find_token();
        if (!error && change_.kind == Change::Kind::mean && looks_at_tokens())
            error = Error{"what tokens look at has no mean over tokens", "", "set it to a number, or multiply it"};
        if (!error && !others_.later) error = find_numbers();
        if (error) return within(place_text(place_), *std::move(error));
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
        if (place_.layer == ChangePlace::outside) return std::nullopt;
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

    std::int64_t columns_of(TensorIndex tensor) const { return number(graph_.tensors[tensor].shape[1]); }
    void take_whole(TensorIndex tensor) {
        made_.tensor = tensor;
        made_.columns = columns_of(tensor);
    }
    // Rows of the prompt, or of all that is to be read.
    std::int64_t rows(std::int64_t of_text) const { return graph_.of_source(made_.tensor) ? lengths_.source : of_text; }

    std::optional<Error> find_stream() {
        if (place_.head || place_.expert) return Error{"the stream has no heads and no experts", "", "leave it out"};
        take_whole(graph_.last_of(*group_));
        return std::nullopt;
    }

    std::optional<Error> find_part() {
        if (place_.head && place_.expert) return Error{"a head has no experts", "", "leave one of them out"};
        if (place_.is_activation()) return find_activation();
        std::string parts;
        for (std::size_t i = 0; i < graph_.blocks.size(); ++i) {
            const Block& block = graph_.blocks[i];
            if (!graph_.is_part(static_cast<BlockIndex>(i), graph_.layers[*group_].block)) continue;
            parts += (parts.empty() ? "" : " and ") + block.name;
            if (block.name != place_.block) continue;
            const auto index = static_cast<BlockIndex>(i);
            if (place_.head) return find_head(index);
            return place_.expert ? find_expert(index) : find_term(index);
        }
        return Error{"layer " + grouped(place_.layer) + " has no " + in_quotes(place_.block), "", "it has " + parts};
    }

    // What the block adds to the stream: the first sum's term that is made in it, behind a bias and a norm of its own;
    // the first term of Op::add is the stream. Where no sum has one, the last that the block makes.
    std::optional<Error> find_term(BlockIndex block) {
        const auto is_own = [&](TensorIndex tensor) { return graph_.inside(graph_.tensors[tensor].block, block); };
        std::optional<TensorIndex> term, last;
        for (auto node = graph_.nodes.rbegin(); node != graph_.nodes.rend(); ++node) {  // so that the first sum stays
            const bool sum = node->op == Op::sum && graph_.blocks[block].parent == node->block;
            for (std::size_t i = node->inputs.size(); (sum || node->op == Op::add) && i-- > (sum ? 0 : 1);)
                if (is_own(node->inputs[i])) term = node->inputs[i];
            if (!last && is_own(node->output)) last = node->output;
        }
        if (!term && !last) return Error{in_quotes(place_.block) + " makes nothing", "", "name another part"};
        made_.tensor = term ? *term : *last;
        if (place_.column && graph_.first(Op::combine, block))
            return Error{"neurons of " + in_quotes(place_.block) + " are its experts'", "",
                         "name one, as " + in_quotes(place_.block + ".expert:0.neuron:0")};
        if (place_.column) take_neurons();
        made_.columns = columns_of(made_.tensor);
        return std::nullopt;
    }
    // What the last matrix reads of that which makes this.
    void take_neurons() {
        if (const Node* const product = graph_.product_behind(made_.tensor)) made_.tensor = product->inputs.front();
    }

    // Its columns of what the output projection reads: heads side by side, gated and normed where they are.
    std::optional<Error> find_head(BlockIndex block) {
        const Node* const join = graph_.first(Op::join_heads, block);
        if (!join) return Error{in_quotes(place_.block) + " has no heads", "", "name the whole of it"};
        const std::int64_t heads = number(graph_.blocks[graph_.tensors[join->inputs.front()].block].repeat);
        made_.tensor = projected_from(join->output);
        return take_head(heads);
    }
    std::optional<Error> take_head(std::int64_t heads) {
        if (*place_.head >= heads) return none("head", *place_.head, heads);
        made_.columns = columns_of(made_.tensor) / heads;
        made_.first_column = *place_.head * made_.columns;
        return std::nullopt;
    }

    // Along the nodes that read the tensor, up to the one that multiplies it.
    TensorIndex projected_from(TensorIndex tensor) const {
        for (const Node& node : graph_.nodes)
            if (contains(node.inputs, tensor)) return node.op == Op::linear ? tensor : projected_from(node.output);
        return tensor;
    }

    std::optional<Error> find_expert(BlockIndex block) {
        const Node* const combine = graph_.first(Op::combine, block);
        if (!combine)
            return Error{in_quotes(place_.block) + " of layer " + grouped(place_.layer) + " has no experts", "",
                         "name the whole of it"};
        made_.tensor = combine->inputs.front();
        routing_ = combine->inputs[1];
        if (place_.column) take_neurons();
        return take_copy("expert", place_.expert, number(Symbol::experts));
    }

    // Of a head or an expert that makes its own.
    std::optional<Error> take_copy(std::string_view thing, std::optional<std::int64_t> index, std::int64_t count) {
        const std::string name(thing);
        if (!index) return Error{"each " + name + " makes its own", "", "name one, as ." + name + ":0"};
        if (*index >= count) return none(thing, *index, count);
        made_.copy = index;
        made_.columns = looks_at_tokens() ? seen() : columns_of(made_.tensor);
        return std::nullopt;
    }
    // Whether it has a column for each token that is looked at; and how many those are at most.
    bool looks_at_tokens() const {
        const Expr& side = graph_.tensors[made_.tensor].shape[1];
        return uses(side, Symbol::tokens) || uses(side, Symbol::source);
    }
    std::int64_t seen() const {
        const bool of_source = uses(graph_.tensors[made_.tensor].shape[1], Symbol::source);
        if (of_source) return lengths_.source;
        if (change_.kind == Change::Kind::patch) return lengths_.prompt;
        // Whatever comes later, too; which a number is named for, is there.
        return place_.column ? lengths_.all : std::numeric_limits<std::int32_t>::max();
    }

    std::optional<Error> find_activation() {
        std::string names;
        for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
            const auto tensor = static_cast<TensorIndex>(i);
            const std::optional<ChangePlace> place = place_of(graph_, tensor, made_.layer);
            if (!place || graph_.layer_of(graph_.tensors[tensor].block) != group_) continue;
            if (graph_.has_encoder() && (place->stack == ChangePlace::Stack::encoder) != in_encoder()) continue;
            names.append(names.empty() ? "" : ", ").append(place->block);
            if (place->block == place_.block) return take_activation(tensor);
        }
        return Error{"nothing that can be changed is called " + in_quotes(place_.block) +
                         (place_.layer == ChangePlace::outside ? " outside of layers" : " in this layer"),
                     "", "there is " + names};
    }
    std::optional<Error> take_activation(TensorIndex tensor) {
        made_.tensor = tensor;
        const Block& block = graph_.blocks[graph_.tensors[tensor].block];
        const bool expert = block.kind == BlockKind::expert;
        if (place_.expert && !expert) return Error{"no expert makes it", "", "leave the expert out"};
        if (place_.head && expert) return Error{"no head makes it", "", "leave the head out"};
        if (block.kind == BlockKind::head) return take_copy("head", place_.head, number(block.repeat));
        if (expert) {
            if (const Node* const combine = graph_.first(Op::combine, block.parent)) routing_ = combine->inputs[1];
            return take_copy("expert", place_.expert, number(Symbol::experts));
        }
        take_whole(tensor);
        if (!place_.head) return std::nullopt;
        const std::optional<TensorIndex> one = graph_.one_head_of(tensor);
        if (!one) return Error{"no heads stand side by side in it", "", "leave the head out"};
        return take_head(columns_of(tensor) / columns_of(*one));
    }
    bool of_expert() const { return graph_.is(graph_.tensors[made_.tensor].block, BlockKind::expert); }

    std::optional<Error> find_column() {
        if (!place_.column) return std::nullopt;
        if (*place_.column >= made_.columns)
            return none(place_.is_activation() || place_.block.empty() ? "column" : "neuron", *place_.column,
                        made_.columns);
        made_.first_column += *place_.column;
        made_.columns = 1;
        return std::nullopt;
    }
    std::optional<Error> find_token() {
        if (!place_.token) return std::nullopt;
        if (*place_.token >= rows(lengths_.all)) return none("token", *place_.token, rows(lengths_.all));
        made_.token = place_.token;
        return std::nullopt;
    }

    std::optional<Error> find_numbers() {
        switch (change_.kind) {
            case Change::Kind::off: made_.factor = 0.0f; return std::nullopt;
            case Change::Kind::scale: made_.factor = static_cast<float>(change_.number); return std::nullopt;
            case Change::Kind::patch: return others_.patched ? read_run_rows(*others_.patched) : read_rows();
            case Change::Kind::mean: return find_mean();
            case Change::Kind::put: made_.number = static_cast<float>(change_.number); return std::nullopt;
        }
        return std::nullopt;
    }

    std::optional<Error> find_mean() {
        if (!others_.as_it_is)
            return Error{"a mean is of the numbers of a run, and there is none", "", "run the prompt first"};
        const std::optional<std::int64_t> only = std::exchange(made_.token, std::nullopt);
        if (std::optional<Error> error = read_run_rows(*others_.as_it_is)) return error;
        made_.token = only;
        std::vector<double> sum(static_cast<std::size_t>(made_.columns));
        for (const auto& [token, row] : made_.rows)
            for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<double>(row[i]);
        if (!made_.rows.empty())
            for (const double each : sum)
                made_.row.push_back(static_cast<float>(each / static_cast<double>(made_.rows.size())));
        made_.rows.clear();
        return std::nullopt;
    }

    std::optional<Error> read_rows() {
        Result<DumpFile> dump = DumpFile::open(change_.file);
        if (!dump) return dump.error();
        if (of_expert()) return read_expert_rows(*dump);
        const std::string name = place_.block.empty()
                                     ? (in_encoder() ? "encoder.hidden." : "hidden.") + std::to_string(place_.layer + 1)
                                     : activation_name(graph_, made_.tensor, place_.layer);
        const Result<DumpTensor> tensor = dump->read(name);
        if (!tensor) return tensor.error();
        const std::size_t sides = tensor->shape.size();
        const std::int64_t count = rows_there(sides < 2 ? 0 : tensor->shape[sides - 2]);
        const std::int64_t columns = looks_at_tokens() ? seen() : columns_of(made_.tensor);
        std::vector<std::int64_t> expected{count, columns};
        if (made_.copy) expected.insert(expected.begin(), copies());
        if (tensor->shape != expected) return unfit(*dump, name, *tensor, expected);
        const std::int64_t first = made_.copy.value_or(0) * count * columns;
        for (std::int64_t row = 0; row < count; ++row)
            if (made_.token.value_or(row) == row)
                take(row, tensor->numbers, first + row * columns + made_.first_column);
        return std::nullopt;
    }
    // How many rows a file with so many is to have: as the prompt; of one token's place, which needs no others, any up
    // to it. What tokens look at has a column for each.
    std::int64_t rows_there(std::int64_t found) const {
        return made_.token && !looks_at_tokens() ? std::max(found, *made_.token + 1) : rows(lengths_.prompt);
    }
    Error unfit(const DumpFile& dump, const std::string& name, const DumpTensor& found,
                const std::vector<std::int64_t>& expected) const {
        Error error = dump.wrong_shape(name, found, expected);
        if (!made_.token && !looks_at_tokens())
            error.fix += ", or name one token alone, as " + place_text(place_) + "@0";
        return error;
    }
    std::int64_t copies() const { return number(graph_.blocks[graph_.tensors[made_.tensor].block].repeat); }

    void take(std::int64_t token, const std::vector<float>& numbers, std::int64_t first) {
        const auto from = numbers.begin() + first;
        made_.rows[token].assign(from, from + made_.columns);
    }

    // Of the tokens that were sent to it in that run too.
    std::optional<Error> read_expert_rows(const DumpFile& dump) {
        const std::string outputs_name = activation_name(graph_, made_.tensor, place_.layer);
        const std::string chosen_name = experts_name(graph_, routing_, place_.layer);
        const Result<DumpTensor> outputs = dump.read(outputs_name), chosen = dump.read(chosen_name);
        if (!outputs) return outputs.error();
        if (!chosen) return chosen.error();
        const std::int64_t each = number(Symbol::experts_per_token);
        const std::int64_t rows = rows_there(chosen->shape.empty() ? 0 : chosen->shape.front());
        const std::int64_t columns = columns_of(made_.tensor);
        const std::vector<std::int64_t> expected{each, rows, columns}, pairs{rows, each};
        if (outputs->shape != expected) return unfit(dump, outputs_name, *outputs, expected);
        if (chosen->shape != pairs) return unfit(dump, chosen_name, *chosen, pairs);
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t i = 0; i < each; ++i)
                if (made_.token.value_or(row) == row &&
                    chosen->numbers[static_cast<std::size_t>(row * each + i)] == static_cast<float>(*place_.expert))
                    take(row, outputs->numbers, (i * rows + row) * columns + made_.first_column);
        return std::nullopt;
    }

    // Of the tokens that both have; of an expert, those that were sent to it in that run too.
    std::optional<Error> read_run_rows(const Run& other) {
        const std::int64_t each = of_expert() ? number(Symbol::experts_per_token) : 1;
        for (std::int64_t i = 0; i < each; ++i) {
            const MatrixView view = !place_.block.empty() ? other.activation(made_.tensor, made_.layer,
                                                                             of_expert() ? i : made_.copy.value_or(0))
                                    : in_encoder() ? other.encoder_hidden(place_.layer + 1)
                                                          : other.hidden(place_.layer + 1);
            if (!view) return Error{"the other run has not kept what is made here", "", "take a smaller model"};
            const std::int64_t last = std::min(view.columns, made_.first_column + made_.columns);
            for (std::int64_t row = 0; row < std::min(view.rows, rows(lengths_.prompt)); ++row) {
                if (made_.token.value_or(row) != row) continue;
                if (of_expert() &&
                    other.experts(place_.layer, in_encoder())[static_cast<std::size_t>(row * each + i)] !=
                        static_cast<std::int32_t>(*place_.expert))
                    continue;
                std::vector<float>& taken = made_.rows[row];
                for (std::int64_t column = made_.first_column; column < last; ++column)
                    taken.push_back(view.at(row, column));
            }
        }
        return std::nullopt;
    }

    const Change& change_;
    const ChangePlace& place_;
    const ModelGraph& graph_;
    const Architecture& arch_;
    const RunLengths& lengths_;
    const OtherRuns& others_;
    const Bindings values_;
    std::optional<std::size_t> group_;  // of layers
    TensorIndex routing_ = 0;           // of an expert's block
    NodeChange made_;
};

// Where each token has a row that a node makes by itself, or that is made for one head or expert after the other.
bool can_be_changed(const ModelGraph& graph, TensorIndex tensor) {
    const Node* const node = graph.producer(tensor);
    const Tensor& made = graph.tensors[tensor];
    if (!node || made.role != Role::activation || made.view || made.shape.rank() != 2) return false;
    if (!(made.shape[0] == Expr(Symbol::tokens) || made.shape[0] == Expr(Symbol::source))) return false;
    return !graph.is(made.block, BlockKind::head) || info(node->op).of_pairs;
}

}  // namespace

std::optional<ChangePlace> place_of(const ModelGraph& graph, TensorIndex tensor, std::int64_t layer) {
    if (!can_be_changed(graph, tensor)) return std::nullopt;
    const BlockIndex block = graph.tensors[tensor].block;
    const std::optional<std::size_t> group = graph.layer_of(block);
    if (group && graph.layers[*group].block == block) return std::nullopt;  // between its parts
    return place_named(graph, tensor, layer);
}

ChangePlace place_named(const ModelGraph& graph, TensorIndex tensor, std::int64_t layer) {
    const BlockIndex block = graph.tensors[tensor].block;
    const std::optional<std::size_t> group = graph.layer_of(block);
    const Block& stack = graph.blocks[graph.stack_of(block)];
    const std::string& around = group ? graph.blocks[graph.layers[*group].block].id : stack.id;
    const std::string& id = graph.tensors[tensor].id;
    const bool named = !around.empty() && id.starts_with(around + ".");
    return {.stack =
                graph.has_encoder() && stack.name == "encoder" ? ChangePlace::Stack::encoder : ChangePlace::Stack::main,
            .layer = group ? layer : ChangePlace::outside,
            .block = named ? id.substr(around.size() + 1) : id};
}

Result<NodeChange> resolve(const Change& change, const Architecture& arch, const ModelGraph& graph,
                           const RunLengths& lengths, const OtherRuns& others) {
    return Resolver(change, arch, graph, lengths, others).resolve();
}

}  // namespace headcount
