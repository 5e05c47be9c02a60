// Which activations take memory of their own in one pass; and which of them training keeps for the backward pass,
// sub-block by sub-block (Korthikanti et al. 2022, "Reducing Activation Recomputation in Large Transformer Models",
// section 4).
#include <algorithm>
#include <utility>

#include "core/analysis/memory.hpp"
#include "core/analysis/memory_passing.hpp"
#include "core/analysis/storages.hpp"
#include "core/base/find.hpp"
#include "core/graph/choice.hpp"
#include "core/graph/ops.hpp"

namespace headcount {

namespace {

class Placing {
  public:
    Placing(const ModelGraph& graph, Purpose purpose) : graph_(graph), purpose_(purpose) {
        found_.of.resize(graph.tensors.size());
    }

    Storages run() {
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
            const Node& node = graph_.nodes[i];
            for (TensorIndex input : node.inputs) use(input, last_reader(input, i));
            found_.of[node.output] = place(node, i);
            use(node.output, i);
        }
        return std::move(found_);
    }

  private:
    // What one stack makes is read in every layer of the other: up to the end of the last.
    std::size_t last_reader(TensorIndex input, std::size_t at) const {
        const BlockIndex block = graph_.nodes[at].block;
        const std::optional<std::size_t> layer = graph_.layer_of(block);
        if (!layer || graph_.stack_of(graph_.tensors[input].block) == graph_.stack_of(block)) return at;
        while (at + 1 < graph_.nodes.size() && graph_.layer_of(graph_.nodes[at + 1].block) == layer) ++at;
        return at;
    }

    void use(TensorIndex tensor, std::size_t node) {
        for (std::size_t index : found_.of[tensor]) found_.all[index].last = node;
    }

    std::vector<std::size_t> place(const Node& node, std::size_t at) {
        const Tensor& tensor = graph_.tensors[node.output];
        const bool cached = tensor.role == Role::cache;
        if (graph_.made_before(node)) return {};
        if (cached && purpose_ == Purpose::inference) return {};
        const bool shown = tensor.view || cached || node.op == Op::join_heads;
        // What is read of a state is kept for the gate behind it, which its columns in the row of all heads are of.
        const bool read = node.op == Op::read_state && purpose_ == Purpose::training;
        if (!shown || node.op == Op::mix || read) return {make(node, at)};
        std::vector<std::size_t> of;
        for (TensorIndex input : node.inputs)
            for (std::size_t index : found_.of[input])
                if (!contains(of, index)) of.push_back(index);
        return of;
    }

    std::size_t make(const Node& node, std::size_t at) {
        const Tensor& tensor = graph_.tensors[node.output];
        Storage storage{node.output, graph_.batch_of(node.output) * graph_.runs_in_layer(tensor.block) *
                                         element_count(tensor.shape)};
        storage.first = storage.last = at;
        storage.of_scores = info(node.op).moves == Moves::on_chip;
        storage.of_state = node.op == Op::update_state;
        const Shape& shape = tensor.shape;
        storage.whole = shape.rank() == 2 && shape[1] == Expr(Symbol::dim) &&
                        (shape[0] == Expr(Symbol::tokens) || shape[0] == Expr(Symbol::source));
        found_.all.push_back(std::move(storage));
        return found_.all.size() - 1;
    }

    const ModelGraph& graph_;
    Purpose purpose_;
    Storages found_;
};

}  // namespace

Storages storages(const ModelGraph& graph, Purpose purpose) { return Placing(graph, purpose).run(); }

std::vector<TensorIndex> read_in_backward(const Node& node) {
    switch (info(node.op).kept) {
        case KeptForTraining::nothing: return {};
        case KeptForTraining::first_input: return {node.inputs.front()};
        case KeptForTraining::inputs: return node.inputs;
        case KeptForTraining::output: return {node.output};
        case KeptForTraining::all: {
            std::vector<TensorIndex> all = node.inputs;
            all.push_back(node.output);
            return all;
        }
    }
    return {};
}

namespace {

// "layer.attention" of everything within it; "embedding" and "output" of what is outside of layers, and "encoder" of
// what stands behind an encoder's.
std::string place_of(const ModelGraph& graph, const Node& node, bool after_layers) {
    const bool encoder = graph.has_encoder() && graph.inside(node.block, graph.stack_of(graph.layers.front().block));
    if (!graph.layer_of(node.block))
        return !after_layers ? "embedding" : encoder ? graph.blocks[node.block].id : "output";
    BlockIndex block = node.block;
    const BlockIndex layer = graph.layers[*graph.layer_of(block)].block;
    while (graph.blocks[block].parent && *graph.blocks[block].parent != layer) block = *graph.blocks[block].parent;
    return graph.blocks[block].id;
}

// What is kept of one place, in bytes: on one device that has everything, and on one of a tensor-parallel group.
struct Place {
    std::string block;
    std::optional<std::size_t> layer;
    std::vector<Expr> bytes, on_device;
};

class Keeping {
  public:
    Keeping(const ModelGraph& graph, const Training& training, const std::optional<Adapters>& adapters, Expr each,
            const Sharding& sharding)
        : graph_(graph),
          training_(training),
          frozen_(adapters.has_value()),
          each_(std::move(each)),
          sharding_(sharding),
          storages_(storages(graph, Purpose::training)),
          lends_choice_(std::ranges::any_of(graph.tensors, takes_choice)),
          beside_(graph.tensors.size()) {
        if (adapters)
            for (const Adapted& one : adapted(graph, *adapters)) beside_[one.part] = true;
    }

    std::vector<Place> places, again;

    void run() {
        for (const Node& node : graph_.nodes) {
            const std::optional<std::size_t> layer = graph_.layer_of(node.block);
            if (layer != layer_) kept_.clear();
            layer_ = layer;
            if (graph_.stack_of(node.block) != stack_ && graph_.is(graph_.stack_of(node.block), BlockKind::stack))
                after_layers_ = false;
            stack_ = graph_.stack_of(node.block);
            after_layers_ = after_layers_ || layer.has_value();
            here_ = place_of(graph_, node, after_layers_);
            for (TensorIndex tensor : read_of(node))
                for (std::size_t index : storages_.of[tensor]) keep(storages_.all[index], index);
            if (node.op == Op::choose && lends_choice_)
                for (std::size_t index : storages_.of[node.output]) keep(storages_.all[index], index);
            if (training_.dropout) drop(node);
            if (!training_.scores && node.op == Op::masked_softmax) keep_rows(node);
            const Tensor& made = graph_.tensors[node.output];
            // The loss is computed in 32 bits.
            if (node.op == Op::linear && made.part == Part::output_head)
                put(places, Expr(4) * storages_.all[storages_.of[node.output].front()].elements, false);
        }
    }

  private:
    // Of a frozen matrix there is no gradient, so that what it is multiplied with is kept for an adapter beside it
    // alone. What fused attention makes is read in going back through it, whatever comes behind (Dao 2023,
    // "FlashAttention-2", algorithm 2).
    std::vector<TensorIndex> read_of(const Node& node) const {
        const auto has_adapter = [&](TensorIndex parameter) { return beside_[parameter]; };
        const bool product = info(node.op).multiplies && !node.parameters.empty();
        if (frozen_ && product && std::ranges::none_of(node.parameters, has_adapter)) return {};
        std::vector<TensorIndex> read = read_in_backward(node);
        if (frozen_ && node.op == Op::mix && !training_.scores) read.push_back(node.output);
        return read;
    }

    // Of fused attention, so that the weights can be made again on the chip: the logarithm of each row's sum.
    void keep_rows(const Node& node) {
        const Expr rows = graph_.tensors[node.output].shape[0];
        put(training_.recompute == Recompute::full ? again : places,
            Expr(4) * Symbol::batch * graph_.runs_in_layer(node.block) * rows, false);
    }

    // A layer keeps what it reads of an earlier one once more: it is another layer's each time.
    void keep(const Storage& storage, std::size_t index) {
        if (contains(kept_, index)) return;
        kept_.push_back(index);
        if (storage.of_state || (storage.of_scores && !training_.scores)) return;
        // What enters the first layer is kept there.
        if (!layer_ && !after_layers_ && storage.tensor == graph_.before_layers(stack_)) return;
        // What another stack has made is the same in all layers, and so is what they have of tokens by themselves.
        const Tensor& tensor = graph_.tensors[storage.tensor];
        const bool of_all = graph_.is_for_all_layers(storage.tensor);
        if (layer_ && (of_all || graph_.stack_of(tensor.block) != stack_)) return keep_of_other(storage);
        const bool input = layer_ && graph_.layer_of(graph_.tensors[storage.tensor].block) != layer_;
        const bool redone = layer_ && ((training_.recompute == Recompute::full && !input) ||
                                       (training_.recompute == Recompute::selective && storage.of_scores));
        put(redone ? again : places, each_ * storage.elements, storage.whole);
    }

    void keep_of_other(const Storage& storage) {
        if (std::exchange(of_other_, storage.tensor) == storage.tensor) return;
        const BlockIndex other = graph_.stack_of(graph_.tensors[storage.tensor].block);
        const std::string& id = graph_.blocks[other].id;
        put(places, {id.empty() ? "embedding" : id, {}, {}, {}}, each_ * storage.elements, storage.whole);
    }

    // Masks of a byte a number, of the weights and of what each sub-block adds to the stream; of the weights also what
    // the mask leaves of them.
    void drop(const Node& node) {
        const bool weights = node.op == Op::masked_softmax;
        const bool embedded =
            !layer_ && !after_layers_ &&
            graph_.tensors[node.output].part == (has_positions() ? Part::position_embedding : Part::token_embedding);
        if (!weights && node.op != Op::add && !embedded) return;
        // On the chip the mask is drawn again from its seed.
        if (weights && !training_.scores) return;
        const Storage& storage = storages_.all[storages_.of[node.output].front()];
        const bool redone = layer_ && (training_.recompute == Recompute::full ||
                                       (training_.recompute == Recompute::selective && weights));
        put(redone ? again : places, weights ? (each_ + 1) * storage.elements : storage.elements, storage.whole);
        // Sub-blocks side by side meet the stream in one sum, and each has a mask.
        const auto made_in = [&](std::size_t index) { return graph_.tensors[node.inputs[index]].block; };
        for (std::size_t extra = 2; node.op == Op::add && extra < node.inputs.size(); ++extra)
            if (made_in(extra) != made_in(1)) put(redone ? again : places, storage.elements, storage.whole);
    }

    bool has_positions() const {
        return std::ranges::any_of(graph_.nodes, [](const Node& node) { return node.op == Op::add_positions; });
    }

    void put(std::vector<Place>& list, const Expr& bytes, bool whole) {
        put(list, {here_, layer_, {}, {}}, bytes, whole);
    }

    void put(std::vector<Place>& list, Place at, const Expr& bytes, bool whole) {
        auto place = std::ranges::find_if(list, [&](const Place& each) { return each.block == at.block; });
        if (place == list.end()) place = list.insert(list.end(), std::move(at));
        place->bytes.push_back(bytes);
        const std::int64_t tensor = whole && !sharding_.sequence ? 1 : sharding_.tensor;
        place->on_device.push_back(part_of(bytes, tensor * sharding_.context));
    }

    const ModelGraph& graph_;
    const Training& training_;
    bool frozen_;
    Expr each_;
    const Sharding& sharding_;
    Storages storages_;
    bool lends_choice_;              // later layers read which keys one has chosen
    std::vector<bool> beside_;       // parameters that have an adapter
    std::vector<std::size_t> kept_;  // of the layer, or of what is outside of layers, that the walk is in
    std::optional<std::size_t> layer_;
    BlockIndex stack_ = 0;
    std::optional<TensorIndex> of_other_;  // what another stack has made, which is kept once
    bool after_layers_ = false;            // of the stack
    std::string here_;
};

// What A makes of each input of an adapted layer: B's gradient needs it.
Expr adapter_activations(const ModelGraph& graph, const Adapters& adapters) {
    std::vector<Expr> terms;
    for (const Adapted& each : adapted(graph, adapters)) {
        const BlockIndex block = graph.tensors[graph.stored[each.stored].parts.front()].block;
        const bool of_source = graph.has_encoder() && graph.inside(block, graph.stack_of(graph.layers.front().block));
        terms.push_back(Expr(Symbol::batch) * graph.runs(block) * (of_source ? Symbol::source : Symbol::tokens) *
                        adapters.rank);
    }
    return sum_of(terms);
}

}  // namespace

void MemoryFormulas::build_training(const ModelGraph& graph, const Training& training) {
    const Expr each = info(activation_precision(options_.weights)).bits / 8;
    backward_ = passing_bytes(graph, info(activation_precision(options_.weights)).bits / 8, training.scores);
    Keeping keeping(graph, training, options_.adapters, each, options_.sharding);
    keeping.run();
    for (const Place& place : keeping.places) {
        const Expr layers = place.layer ? graph.layers_with(graph.layers[*place.layer].block) : Expr(1);
        kept_.push_back({place.block, sum_of(place.bytes), layers});
        kept_on_device_.push_back({place.block, sum_of(place.on_device), layers});
    }
    if (options_.adapters && training.recompute != Recompute::full) {
        const Expr bytes = each * adapter_activations(graph, *options_.adapters);
        kept_.push_back({"adapters", bytes, 1});
        kept_on_device_.push_back({"adapters", part_of(bytes, options_.sharding.context), 1});
    }
    if (keeping.again.empty()) return;
    // One layer at a time is computed again: the largest kind decides.
    std::vector<Expr> whole(graph.layers.size()), on_device(graph.layers.size());
    for (const Place& place : keeping.again) {
        whole[*place.layer] = whole[*place.layer] + sum_of(place.bytes);
        on_device[*place.layer] = on_device[*place.layer] + sum_of(place.on_device);
    }
    const auto most = [](const std::vector<Expr>& of) {
        Expr largest = of.front();
        for (std::size_t i = 1; i < of.size(); ++i)
            if (of[i] != largest) largest = max(largest, of[i]);
        return largest;
    };
    kept_.push_back({"again", most(whole), 1});
    kept_on_device_.push_back({"again", most(on_device), 1});
}

}  // namespace headcount
