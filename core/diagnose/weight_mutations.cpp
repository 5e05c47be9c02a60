// Mistakes about weights: a matrix in the place of its transpose, one that is reshaped, a bias left out.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/base/find.hpp"
#include "core/diagnose/mutation.hpp"

namespace headcount {
namespace {

// By its name in a layer.
using WhichParameter = std::function<bool(const ModelGraph& graph, TensorIndex tensor)>;

// Changes each copy of these parameters; true where there is one. With the matrix as it is, and its cells.
template <class Which, class Change>
bool on_copies(Mutant& mutant, const Which& which, const Change& change) {
    if (!own_weights(mutant)) return false;
    bool changed = false;
    const ModelGraph& graph = mutant.model.graph;
    Weights& weights = mutant.model.weights;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const auto index = static_cast<TensorIndex>(i);
        if (graph.tensors[i].role != Role::parameter || !which(index)) continue;
        for (std::int64_t layer = 0; layer < layers_with(mutant.model, index); ++layer)
            for (std::int64_t copy = 0; copy < weights.copies(index); ++copy) {
                const MatrixView matrix = weights.view(index, layer, copy);
                if (!matrix) continue;
                change(matrix, weights.floats(index, layer, copy));
                changed = true;
            }
    }
    return changed;
}

bool transpose(Mutant& mutant, const WhichParameter& which) {
    bool changed = false;
    const auto turn = [&](const MatrixView& matrix, float* cells) {
        if (matrix.rows != matrix.columns) return;
        for (std::int64_t row = 0; row < matrix.rows; ++row)
            for (std::int64_t column = 0; column < row; ++column)
                std::swap(cells[matrix.offset(row, column)], cells[matrix.offset(column, row)]);
        changed = true;
    };
    return on_copies(
               mutant, [&](TensorIndex each) { return which(mutant.model.graph, each); }, turn) &&
           changed;
}

void add_transposed(const Model& model, Mutations& all) {
    std::set<std::string> square;
    each_node(model.graph, Op::linear, [&](const Node& node) {
        const TensorIndex matrix = node.parameters.front();
        const MatrixView view = first_copy(model, matrix);
        if (view && view.rows == view.columns && model.graph.layer_of(model.graph.tensors[matrix].block))
            square.insert(local_name(model.graph, matrix));
    });
    for (const std::string& name : square)
        all.push_back(
            {"transposed-" + name, name + " is used where its transpose belongs", "transposed", [name](Mutant& mutant) {
                 return transpose(mutant, [&](const ModelGraph& graph, TensorIndex tensor) {
                     return local_name(graph, tensor) == name;
                 });
             }});
    if (square.size() > 1)
        all.push_back({"transposed-all", "every square matrix is used where its transpose belongs", "transposed",
                       [square](Mutant& mutant) {
                           return transpose(mutant, [&](const ModelGraph& graph, TensorIndex tensor) {
                               return square.contains(local_name(graph, tensor));
                           });
                       }});
}

// Whether the family's files hold the part's matrix as (in, out), and not as (out, in).
bool is_stored_by_inputs(const Model& model, Part part) {
    return std::ranges::any_of(model.architecture.family->modules, [&](const Module& module) {
        return module.kind == ModuleKind::conv1d && contains(module.parts, part);
    });
}

// What is stored one row behind the other, read in rows as long as its columns are.
bool reshape(Mutant& mutant, const std::string& name) {
    const ModelGraph& graph = mutant.model.graph;
    bool by_inputs = false;
    const auto which = [&](TensorIndex each) {
        if (local_name(graph, each) != name) return false;
        by_inputs = is_stored_by_inputs(mutant.model, graph.tensors[each].part);
        return true;
    };
    return on_copies(mutant, which, [&](const MatrixView& matrix, float* cells) {
        const std::int64_t in = matrix.rows, out = matrix.columns;
        std::vector<float> stored(static_cast<std::size_t>(in * out));
        for (std::int64_t row = 0; row < in; ++row)
            for (std::int64_t column = 0; column < out; ++column)
                stored[static_cast<std::size_t>(by_inputs ? row * out + column : column * in + row)] =
                    matrix.at(row, column);
        for (std::int64_t row = 0; row < in; ++row)
            for (std::int64_t column = 0; column < out; ++column)
                cells[matrix.offset(row, column)] =
                    stored[static_cast<std::size_t>(by_inputs ? column * in + row : row * out + column)];
    });
}

void add_reshaped(const Model& model, Mutations& all) {
    std::set<std::string> oblong;
    each_node(model.graph, Op::linear, [&](const Node& node) {
        const TensorIndex matrix = node.parameters.front();
        const MatrixView view = first_copy(model, matrix);
        const bool square = view && view.rows == view.columns;
        if (view && !square && view.rows > 1 && view.columns > 1 &&
            model.graph.layer_of(model.graph.tensors[matrix].block))
            oblong.insert(local_name(model.graph, matrix));
    });
    for (const std::string& name : oblong)
        all.push_back({"reshaped-" + name, name + " is reshaped where it is to be transposed", "reshaped",
                       [name](Mutant& mutant) { return reshape(mutant, name); }});
}

bool double_biases(Mutant& mutant) {
    std::set<TensorIndex> biases;
    each_node(mutant.model.graph, Op::linear, [&](const Node& node) {
        if (node.parameters.size() > 1) biases.insert(node.parameters[1]);
    });
    const auto twice = [](const MatrixView& bias, float* cells) {
        for (std::int64_t row = 0; row < bias.rows; ++row)
            for (std::int64_t column = 0; column < bias.columns; ++column) cells[bias.offset(row, column)] *= 2;
    };
    return on_copies(
        mutant, [&](TensorIndex tensor) { return biases.contains(tensor); }, twice);
}

void add_biases(const Model& model, Mutations& all) {
    std::vector<std::string> names;
    const auto add = [&](std::string name, std::string says, std::function<bool(const std::string&)> which) {
        std::string about = "bias " + name;
        all.push_back({std::move(name), std::move(says), std::move(about), [which](Mutant& mutant) {
                           const ModelGraph& graph = mutant.model.graph;
                           return change_nodes(mutant.model.graph, Op::linear, [&](Node& node) {
                               if (node.parameters.size() < 2 || !which(local_name(graph, node.parameters[1])))
                                   return false;
                               node.parameters.resize(1);
                               return true;
                           });
                       }});
    };
    each_node(model.graph, Op::linear, [&](const Node& node) {
        if (node.parameters.size() < 2) return;
        const std::string name = local_name(model.graph, node.parameters[1]);
        if (!contains(names, name)) names.push_back(name);
    });
    for (const std::string& name : names)
        add("missing-" + name, name + " is not added", [name](const std::string& each) { return each == name; });
    // Of queries, keys and values, which one matrix often makes.
    const auto projects = [](const std::string& name) {
        return std::ranges::any_of(std::array{"attention.query.bias", "attention.key.bias", "attention.value.bias"},
                                   [&](const char* each) { return name == each; });
    };
    if (std::ranges::count_if(names, projects) > 1)
        add("missing-attention.qkv.bias", "the biases of queries, keys and values are not added", projects);
    if (names.size() > 1)
        add("biases-missing", "no bias of a linear layer is added", [](const std::string&) { return true; });
    if (!names.empty())
        all.push_back({"biases-twice",
                       "the biases of linear layers are added twice: by the layer, and once more by hand",
                       "bias biases-twice", double_biases});
}

}  // namespace

void add_weight_mutations(const Model& model, Mutations& all) {
    add_transposed(model, all);
    add_reshaped(model, all);
    add_biases(model, all);
}

}  // namespace headcount
