// Puts a graph together: blocks, tensors, nodes, and the two sub-blocks that everything uses, linear and norm.
#include "core/graph/builder.hpp"

namespace headcount {

GraphBuilder::GraphBuilder() {
    graph.tensors.reserve(64);
    graph.nodes.reserve(32);
    graph.blocks.reserve(8);
    graph.blocks.push_back({"model", "", 1, 1, std::nullopt});
}

void GraphBuilder::open(std::string_view name, const Expr& repeat) {
    open(name, repeat, repeat);
}

void GraphBuilder::open(std::string_view name, Expr repeat, Expr runs) {
    const std::string& outer = graph.blocks[current_].id;
    std::string id = outer.empty() ? std::string(name) : outer + "." + std::string(name);
    graph.blocks.push_back({std::string(name), std::move(id), std::move(repeat), std::move(runs), current_});
    current_ = static_cast<BlockIndex>(graph.blocks.size() - 1);
}

void GraphBuilder::close() {
    current_ = graph.blocks[current_].parent.value();
}

TensorIndex GraphBuilder::tensor(const TensorSpec& spec) {
    return parameter(std::string(spec.name), spec);
}

TensorIndex GraphBuilder::parameter(std::string name, const TensorSpec& spec) {
    const std::string& block = graph.blocks[current_].id;
    std::string id = block.empty() ? std::move(name) : block + "." + name;
    graph.tensors.push_back({std::move(id), spec.role, spec.part, spec.component, spec.label, spec.symbol, spec.shape,
                             spec.meaning, current_, spec.view});
    return static_cast<TensorIndex>(graph.tensors.size() - 1);
}

TensorIndex GraphBuilder::node(Op op, std::vector<TensorIndex> inputs, std::vector<TensorIndex> parameters,
                               const TensorSpec& output) {
    TensorIndex made = tensor(output);
    graph.nodes.push_back({op, current_, std::move(inputs), std::move(parameters), made});
    return made;
}

TensorIndex GraphBuilder::linear(TensorIndex input, const LinearSpec& spec, const TensorSpec& output) {
    std::string name(spec.name);
    std::vector<TensorIndex> parameters{parameter(name + ".weight", {name,
                                                                     spec.part,
                                                                     spec.component,
                                                                     spec.label,
                                                                     spec.symbol,
                                                                     {spec.inputs, spec.outputs},
                                                                     spec.meaning,
                                                                     Role::parameter})};
    if (spec.bias)
        parameters.push_back(parameter(name + ".bias", {name,
                                                        spec.part,
                                                        spec.component,
                                                        spec.label,
                                                        spec.bias_symbol,
                                                        {spec.outputs},
                                                        "a number added to each output",
                                                        Role::parameter}));
    return node(Op::linear, {input}, std::move(parameters), output);
}

TensorIndex GraphBuilder::norm(TensorIndex input, const Norm& norm, const NormSpec& spec) {
    std::vector<TensorIndex> parameters;
    std::string prefix(spec.name);
    auto add = [&](std::string_view suffix, std::string_view symbol, std::string_view meaning) {
        parameters.push_back(parameter(prefix + std::string(suffix),
                                       {spec.name, spec.part, Component::norm, spec.label, symbol,
                                        spec.weights.value_or(Shape{spec.width}), meaning, Role::parameter}));
    };
    if (norm.scale) add(".weight", "g", "how much each channel counts after rescaling");
    if (norm.bias) add(".bias", "b", "a number added to each channel after rescaling");
    const bool rms = norm.kind == NormKind::rms;
    std::string_view meaning =
        rms ? "each row rescaled to a root mean square of 1" : "each row shifted to mean 0 and rescaled to variance 1";
    if (spec.of_each_head)
        meaning = rms ? "each head's columns of each row rescaled to a root mean square of 1"
                      : "each head's columns of each row shifted to mean 0 and rescaled to variance 1";
    Shape shape = graph.tensors[input].shape;
    return node(Op::norm, {input}, std::move(parameters),
                {spec.output.empty() ? spec.name : spec.output, spec.part, Component::norm,
                 spec.output_label.empty() ? spec.label : spec.output_label, spec.symbol, std::move(shape), meaning});
}

}  // namespace headcount
