// Which activations take memory of their own in one pass; and which of them training keeps for the backward pass,
// sub-block by sub-block (Korthikanti et al. 2022, "Reducing Activation Recomputation in Large Transformer Models",
// section 4).
#include <algorithm>
#include <utility>

#include "core/analysis/adapter_work.hpp"
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

// Where adapters alone are trained `gradients` says what has one, with an adapter before each layer or none.
class Keeping {
  public:
    using Behind = AdapterGradients::Behind;

    Keeping(const ModelGraph& graph, const MemoryOptions& options, const AdapterGradients* gradients, Behind behind)
        : graph_(graph),
          training_(*options.training),
          gradients_(gradients),
          behind_(behind),
          each_(info(activation_precision(options.weights)).bits / 8),
          sharding_(options.sharding),
          storages_(storages(graph, Purpose::training)),
          lends_choice_(std::ranges::any_of(graph.tensors, takes_choice)) {}

    std::vector<Place> places, again;

    void run() {
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
            const Node& node = graph_.nodes[i];
            const std::optional<std::size_t> layer = graph_.layer_of(node.block);
            if (layer != layer_) kept_.clear();
            layer_ = layer;
            if (graph_.stack_of(node.block) != stack_ && graph_.is(graph_.stack_of(node.block), BlockKind::stack))
                after_layers_ = false;
            stack_ = graph_.stack_of(node.block);
            after_layers_ = after_layers_ || layer.has_value();
            here_ = place_of(graph_, node, after_layers_);
            for (TensorIndex tensor : read_of(i))
                for (std::size_t index : storages_.of[tensor]) keep(storages_.all[index], index);
            if (node.op == Op::choose && lends_choice_)
                for (std::size_t index : storages_.of[node.output]) keep(storages_.all[index], index);
            if (training_.dropout && goes_back(i)) drop(node);
            if (!training_.scores && node.op == Op::masked_softmax && goes_back(i)) keep_rows(node);
            const Tensor& made = graph_.tensors[node.output];
            // The loss is computed in 32 bits.
            if (node.op == Op::linear && made.part == Part::output_head)
                put(places, Expr(4) * storages_.all[storages_.of[node.output].front()].elements, false);
        }
    }

  private:
    // What fused attention makes is read in going back through it, whatever comes behind (Dao 2023,
    // "FlashAttention-2", algorithm 2).
    std::vector<TensorIndex> read_of(std::size_t index) const {
        const Node& node = graph_.nodes[index];
        if (!gradients_) return read_in_backward(node);
        if (!goes_back(index)) return from_outside(node);
        std::vector<TensorIndex> read = gradients_->read_backwards(index, behind_);
        if (node.op == Op::mix && !training_.scores) read.push_back(node.output);
        return read;
    }

    bool goes_back(std::size_t node) const { return !gradients_ || gradients_->needs(node, behind_); }

    // What a layer is computed again from, where it is.
    std::vector<TensorIndex> from_outside(const Node& node) const {
        std::vector<TensorIndex> found;
        if (layer_ && training_.recompute == Recompute::full && gradients_->trains(*layer_, behind_))
            for (const TensorIndex each : node.inputs)
                if (graph_.layer_of(graph_.tensors[each].block) != layer_) found.push_back(each);
        return found;
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
    const AdapterGradients* gradients_;
    Behind behind_;
    Expr each_;
    const Sharding& sharding_;
    Storages storages_;
    bool lends_choice_;              // later layers read which keys one has chosen
    std::vector<std::size_t> kept_;  // of the layer, or of what is outside of layers, that the walk is in
    std::optional<std::size_t> layer_;
    BlockIndex stack_ = 0;
    std::optional<TensorIndex> of_other_;  // what another stack has made, which is kept once
    bool after_layers_ = false;            // of the stack
    std::string here_;
};

// What A makes of each input of an adapted layer: B's gradient needs it.
Expr adapter_activations(const ModelGraph& graph, const Adapters& adapters, const AdapterGradients& gradients) {
    std::vector<Expr> terms;
    for (const Adapted& each : adapted(graph, adapters))
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            const Node& node = graph.nodes[i];
            if (!contains(node.parameters, each.part) || !gradients.goes_back(i)) continue;
            terms.push_back(graph.batch_of(node.output) * graph.runs(node.block) * graph.tensors[node.output].shape[0] *
                            adapters.rank);
        }
    return sum_of(terms);
}

}  // namespace

void MemoryFormulas::build_training(const Architecture& arch, const ModelGraph& graph, const Training& training) {
    const Expr each = info(activation_precision(options_.weights)).bits / 8;
    std::optional<AdapterGradients> trained;
    if (options_.adapters) trained.emplace(arch, graph, *options_.adapters);
    const AdapterGradients* const gradients = trained ? &*trained : nullptr;
    backward_ = passing_bytes(graph, info(activation_precision(options_.weights)).bits / 8, training.scores, gradients);
    const auto keeping_behind = [&](AdapterGradients::Behind behind) {
        Keeping keeping(graph, options_, gradients, behind);
        keeping.run();
        return keeping;
    };
    const Keeping keeping = keeping_behind(AdapterGradients::some_adapter);
    const auto keep = [&](const Place& place, const Expr& layers) {
        kept_.push_back({place.block, sum_of(place.bytes), layers});
        kept_on_device_.push_back({place.block, sum_of(place.on_device), layers});
    };
    // The layers that no adapter stands before keep less.
    std::optional<Keeping> before_any;
    if (gradients) before_any.emplace(keeping_behind(AdapterGradients::no_adapter));
    std::vector<Place> of_first = before_any ? before_any->places : std::vector<Place>();
    for (const Place& place : keeping.places) {
        const Expr layers = place.layer ? graph.layers_with(graph.layers[*place.layer].block) : Expr(1);
        const std::int64_t first = gradients && place.layer ? gradients->first_layers(*place.layer) : 0;
        const auto own = std::ranges::find_if(of_first, [&](const Place& other) { return other.block == place.block; });
        if (first == 0 || (own != of_first.end() && sum_of(own->bytes) == sum_of(place.bytes))) {
            keep(place, layers);
            continue;
        }
        if (first < graph.layers[*place.layer].group.count) keep(place, layers - first);
        if (own == of_first.end()) continue;
        own->block += ".first";
        keep(*own, first);
    }
    if (gradients && training.recompute != Recompute::full) {
        const Expr bytes = each * adapter_activations(graph, *options_.adapters, *gradients);
        if (bytes != Expr(0)) {
            kept_.push_back({"adapters", bytes, 1});
            kept_on_device_.push_back({"adapters", part_of(bytes, options_.sharding.context), 1});
        }
    }
    std::vector<Place> again;
    const auto add_again = [&](const Keeping& from, AdapterGradients::Behind behind) {
        for (const Place& place : from.again)
            if (!gradients || gradients->before(*place.layer) == behind) again.push_back(place);
    };
    add_again(keeping, AdapterGradients::some_adapter);
    if (before_any) add_again(*before_any, AdapterGradients::no_adapter);
    if (again.empty()) return;
    // One layer at a time is computed again: the largest kind decides.
    std::vector<Expr> whole(graph.layers.size()), on_device(graph.layers.size());
    for (const Place& place : again) {
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
