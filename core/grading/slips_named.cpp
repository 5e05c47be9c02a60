// What else in a model a number or a shape is.
#include <optional>

#include "core/base/checked.hpp"
#include "core/grading/slips.hpp"

namespace headcount {

std::string number_named(const CountedModel& model, std::int64_t number, bool parameters) {
    const Parameters& counts = model.parameters;
    const ModelGraph& graph = model.graph;
    const std::string name = model.architecture.name;
    if (number == counts.total) return "all parameters of " + name;
    if (number == counts.active) return "the active parameters of " + name;
    if (number == counts.in_layers) return "the parameters of all layers";
    if (number == counts.per_layer) return "the parameters of one layer";
    for (Component component : components)
        if (number == counts.of(component) && number > 0)
            return "the parameters of this part: " + std::string(component_name(component));
    for (const Block& block : graph.blocks) {
        const auto outer = static_cast<BlockIndex>(&block - graph.blocks.data());
        std::optional<std::int64_t> sum = 0;
        for (const Tensor& tensor : graph.tensors) {
            if (tensor.role != Role::parameter || !graph.inside(tensor.block, outer) || !sum) continue;
            const Result<std::int64_t> count =
                evaluate(copies_within(graph, tensor.block, outer) * element_count(tensor.shape), model.bindings);
            sum = count ? checked_add(*sum, *count) : std::nullopt;
        }
        if (sum == number && number > 0) return "the parameters of one " + block.id;
    }
    for (const Tensor& tensor : graph.tensors) {
        const bool parameter = tensor.role == Role::parameter;
        const Result<std::int64_t> one = element_count(tensor.shape, model.bindings);
        const Result<std::int64_t> all =
            evaluate(graph.copies(tensor.block) * element_count(tensor.shape), model.bindings);
        const std::string what = "\"" + std::string(tensor.label) + "\" (" + shape_in_symbols(tensor.shape) + ")";
        const std::string kind = parameter || !parameters ? "" : ", an activation";
        if (one && *one == number) return "the numbers in " + what + kind;
        if (all && *all == number) return "the numbers in " + what + " of all layers" + kind;
    }
    return "";
}

std::string shape_named(const CountedModel& model, std::int64_t rows, std::int64_t columns, std::string_view except) {
    const Tensor* asked = model.graph.find(except);
    const bool parameter = asked && asked->role == Role::parameter;
    std::string found;
    for (const Tensor& tensor : model.graph.tensors) {
        if (tensor.shape.rank() != 2 || tensor.id == except) continue;
        const Result<std::int64_t> r = evaluate(tensor.shape[0], model.bindings),
                                   c = evaluate(tensor.shape[1], model.bindings);
        if (!r || !c || *r != rows || *c != columns) continue;
        const bool stored = tensor.role == Role::parameter;
        std::string what =
            "the shape of \"" + std::string(tensor.label) + "\" (" + shape_in_symbols(tensor.shape) + ")";
        if (asked && stored != parameter)
            what += stored ? ", a matrix of parameters; an activation is asked about"
                           : ", an activation; parameters are asked about";
        // What is of the same kind as the thing that was asked about comes first.
        if (found.empty()) found = what;
        if (!asked || stored == parameter) return what;
    }
    return found;
}

}  // namespace headcount
