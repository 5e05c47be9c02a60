// Which activations take memory of their own in one pass.
#include "core/analysis/storage.hpp"

#include <algorithm>

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
            for (TensorIndex input : node.inputs) use(input, i);
            found_.of[node.output] = place(node, i);
            use(node.output, i);
        }
        return std::move(found_);
    }

  private:
    void use(TensorIndex tensor, std::size_t node) {
        for (std::size_t index : found_.of[tensor]) found_.all[index].last = node;
    }

    std::vector<std::size_t> place(const Node& node, std::size_t at) {
        const Tensor& tensor = graph_.tensors[node.output];
        const bool cached = tensor.role == Role::cache;
        if (cached && purpose_ == Purpose::inference) return {};
        const bool shown = tensor.view || cached || node.op == Op::join_heads;
        if (!shown || node.op == Op::mix) return {make(node, at)};
        std::vector<std::size_t> of;
        for (TensorIndex input : node.inputs)
            for (std::size_t index : found_.of[input])
                if (std::find(of.begin(), of.end(), index) == of.end()) of.push_back(index);
        return of;
    }

    std::size_t make(const Node& node, std::size_t at) {
        const Tensor& tensor = graph_.tensors[node.output];
        Storage storage{node.output,
                        Expr(Symbol::batch) * graph_.runs_in_layer(tensor.block) * element_count(tensor.shape)};
        storage.first = storage.last = at;
        storage.of_scores = node.op == Op::scores || node.op == Op::masked_softmax;
        storage.whole = tensor.shape == Shape{Symbol::tokens, Symbol::dim};
        found_.all.push_back(std::move(storage));
        return found_.all.size() - 1;
    }

    const ModelGraph& graph_;
    Purpose purpose_;
    Storages found_;
};

}  // namespace

Storages storages(const ModelGraph& graph, Purpose purpose) {
    return Placing(graph, purpose).run();
}

}  // namespace headcount
