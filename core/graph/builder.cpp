// Puts a graph together: blocks, tensors, nodes, and the two sub-blocks that everything uses, linear and norm.
#include "core/graph/builder.hpp"

#include <utility>

namespace headcount {

GraphBuilder::GraphBuilder(const Architecture& made_of, const Computation& computes)
    : arch(made_of),
      computation(computes),
      besides(made_of.family->besides ? made_of.family->besides(made_of) : std::vector<Extra>()),
      shared(made_of.family->shared ? made_of.family->shared(made_of) : std::nullopt),
      distances(made_of.family->distances ? made_of.family->distances(made_of) : std::nullopt),
      convolution(made_of.family->convolution ? made_of.family->convolution(made_of) : std::nullopt),
      gated_distances(made_of.family->gated_distances ? std::optional(made_of.family->gated_distances(made_of))
                                                      : std::nullopt) {
    graph.peft = arch.family->peft;
    graph.blocks.push_back({BlockKind::model, "model", "", 1, 1, std::nullopt});
}

namespace {

// What is made of keys and values is as good as they are, where a later token comes that reads them.
bool is_kept(const GraphBuilder& builder, const TensorSpec& spec) {
    if (spec.role != Role::activation) return is_kept(spec.role);
    const bool read = spec.part == Part::key || spec.part == Part::value || spec.part == Part::key_norm ||
                      spec.part == Part::value_norm || spec.part == Part::latent_norm;
    return read && !sees_all(builder.arch) && builder.rows == Expr(Symbol::tokens);
}

// Of the layer that the block is in; nothing outside of layers.
std::string_view layer_id(const ModelGraph& graph, BlockIndex block) {
    std::optional<BlockIndex> at = block;
    while (at && !graph.is(*at, BlockKind::layer)) at = graph.blocks[*at].parent;
    return at ? std::string_view(graph.blocks[*at].id) : std::string_view();
}

}  // namespace

void GraphBuilder::open(BlockKind kind, std::string_view name, Expr repeat, Expr runs) {
    const std::string& outer = graph.blocks[current_].id;
    std::string id = outer.empty() ? std::string(name) : outer + "." + std::string(name);
    graph.blocks.push_back({kind, std::string(name), std::move(id), std::move(repeat), std::move(runs), current_});
    current_ = static_cast<BlockIndex>(graph.blocks.size() - 1);
}

void GraphBuilder::close() { current_ = graph.blocks[current_].parent.value(); }

TensorIndex GraphBuilder::parameter(std::string name, const TensorSpec& spec) {
    const std::string& block = graph.blocks[current_].id;
    std::string id = block.empty() ? std::move(name) : block + "." + name;
    const bool some = sharing && sharing->once && spec.role == Role::parameter;
    TensorIndex* shared = nullptr;
    if (some) {
        const auto [found, is_new] = shared_.try_emplace(
            std::to_string(sharing->set) + id.substr(layer_id(graph, current_).size()), TensorIndex{0});
        if (!is_new) return found->second;
        shared = &found->second;
    }
    // What layers of the text share is there once.
    const bool all = graph.tied_layers && spec.role == Role::parameter && !is_sense(component);
    graph.tensors.push_back({std::move(id), spec.role, spec.part, component, spec.label, spec.symbol, spec.shape,
                             spec.meaning, some || all ? BlockIndex{0} : current_, spec.view, false,
                             is_kept(*this, spec)});
    if (some || (all && current_ != 0)) graph.tensors.back().shared_in = current_;
    const auto index = static_cast<TensorIndex>(graph.tensors.size() - 1);
    if (shared) *shared = index;
    return index;
}

TensorIndex GraphBuilder::narrow(TensorIndex input, const Narrow& way) {
    const bool once = std::exchange(sharing->once, false);
    const TensorIndex made =
        linear(input,
               {way.down, way.down_part, "Adapter, narrowing", "A_lora", "b", *sharing->rank, false,
                "Makes few numbers of what a matrix reads that layers share; each layer has its own."},
               {way.down, "Adapter, narrow", "Z_a", "few numbers, of which the layer's own part is made"});
    sharing->once = once;
    return made;
}

TensorIndex GraphBuilder::adapt(TensorIndex made, TensorIndex narrowed, const Narrow& way) {
    const bool once = std::exchange(sharing->once, false);
    const Shape wide = shape(made);
    const TensorIndex own =
        linear(narrowed,
               {way.up, way.up_part, "Adapter, widening", "B_lora", "b", wide[1], false,
                "Makes of those few numbers what the layer adds to what a matrix makes that layers share."},
               {way.up, "Adapter output", way.own, "what the layer adds to what the shared matrix makes"});
    sharing->once = once;
    const std::string_view symbol = std::exchange(graph.tensors[made].symbol, way.shared);
    return node(
        Op::sum, {made, own}, {},
        {way.sum, way.up_part, "Adapted", symbol, wide, "what the shared matrix makes, and what the layer adds"},
        Scaling{});
}

TensorIndex GraphBuilder::idle(std::string name, const TensorSpec& spec) {
    const TensorIndex index = parameter(std::move(name), spec);
    graph.tensors[index].idle = true;
    return index;
}

TensorIndex GraphBuilder::node(Op op, std::vector<TensorIndex> inputs, std::vector<TensorIndex> parameters,
                               const TensorSpec& output, Attributes attributes) {
    TensorIndex made = tensor(output);
    graph.nodes.push_back({op, current_, std::move(inputs), std::move(parameters), made, std::move(attributes)});
    return made;
}

TensorIndex GraphBuilder::linear(TensorIndex input, const LinearSpec& spec, const LinearOutput& output,
                                 LinearRule rule) {
    const Shape in = shape(input), weights{in[1], rule.head.value_or(spec.outputs)}, out{in[0], spec.outputs};
    std::vector<TensorIndex> parameters{
        parameter(std::string(spec.name) + ".weight",
                  {spec.name, spec.part, spec.label, spec.symbol, weights, spec.meaning, Role::parameter})};
    if (const std::optional<TensorIndex> added = bias(spec)) parameters.push_back(*added);
    for (const auto& [part, scale] : computation.projection_scales)
        if (part == spec.part) rule.scale *= scale;
    return node(Op::linear, {input}, std::move(parameters),
                {output.name, spec.part, output.label, output.symbol, out, output.meaning}, std::move(rule));
}

std::optional<TensorIndex> GraphBuilder::bias(const LinearSpec& spec) {
    if (!spec.bias) return std::nullopt;
    const Shape outputs{spec.outputs};
    const TensorIndex added =
        parameter(std::string(spec.name) + ".bias", {spec.name, spec.part, spec.label, spec.bias_symbol, outputs,
                                                     "a number added to each output", Role::parameter});
    graph.tensors[added].bias = true;
    return added;
}

TensorIndex GraphBuilder::norm(TensorIndex input, const Norm& norm, const NormSpec& spec) {
    const Component around = std::exchange(component, Component::norm);
    std::vector<TensorIndex> parameters;
    auto add = [&](const char* suffix, std::string_view symbol, std::string_view meaning) {
        const Shape weights = spec.weights.value_or(Shape{spec.width});
        parameters.push_back(parameter(std::string(spec.name) + suffix,
                                       {spec.name, spec.part, spec.label, symbol, weights, meaning, Role::parameter}));
    };
    if (norm.scale) add(".weight", "g", "how much each channel counts after rescaling");
    if (norm.bias) {
        add(".bias", "b", "a number added to each channel after rescaling");
        graph.tensors[parameters.back()].bias = true;
    }
    const bool rms = norm.kind == NormKind::rms;
    std::string_view meaning =
        rms ? "each row rescaled to a root mean square of 1" : "each row shifted to mean 0 and rescaled to variance 1";
    if (norm.kind == NormKind::l2)
        meaning = "each head's columns of each row rescaled to length 1";
    else if (spec.width == Expr(Symbol::layer_embedding_dim))
        meaning = "each layer's columns of each row rescaled to a root mean square of 1";
    else if (uses({spec.width}, Symbol::state_groups))
        meaning = "each group's columns of each row rescaled to a root mean square of 1";
    else if (spec.of_each_head && spec.width == Expr(Symbol::dim))
        meaning = "each copy's columns of each row rescaled to a root mean square of 1";
    else if (spec.of_each_head)
        meaning = rms ? "each head's columns of each row rescaled to a root mean square of 1"
                      : "each head's columns of each row shifted to mean 0 and rescaled to variance 1";
    if (spec.over == NormRule::Over::column)
        meaning = "each column shifted to mean 0 over all rows and rescaled to variance 1";
    if (spec.over == NormRule::Over::all) meaning = "all numbers together shifted to mean 0 and rescaled to variance 1";
    const Shape made_shape = shape(input);
    const TensorIndex made =
        node(Op::norm, {input}, std::move(parameters),
             {spec.output.empty() ? spec.name : spec.output, spec.part,
              spec.output_label.empty() ? spec.label : spec.output_label, spec.symbol, made_shape, meaning},
             NormRule{.kind = norm.kind,
                      .epsilon = norm.epsilon,
                      .offset = spec.own_offset.value_or(computation.norm_offset),
                      .group = spec.of_each_head ? std::optional(spec.width) : std::nullopt,
                      .over = spec.over,
                      .times = spec.times,
                      .epsilon_least = spec.epsilon_least});
    component = around;
    return made;
}

bool is_linear(const ModelGraph& graph, const Module& module, const Tensor& tensor) {
    if (tensor.bias || (module.kind != ModuleKind::linear && module.kind != ModuleKind::conv1d)) return false;
    if (graph.within(tensor.block, BlockKind::expert)) return graph.peft.experts_apart;
    return tensor.part != Part::router || module.class_name.empty() || graph.peft.linear_router;
}

}  // namespace headcount
