// A transformer's layer before the mixer of some layers, whose weights these share (Glorioso et al. 2024), with what
// each of them has of its own beside these (Hu et al. 2021).
#include "core/graph/builder.hpp"

namespace headcount {

TensorIndex add_shared(GraphBuilder& builder, const LayerBuild& layer, TensorIndex stream) {
    const SharedLayer& shared = *builder.shared;
    const Norm& norm = builder.arch.norm;
    const SharedUse use = *layer.kind.shared;
    const bool adapts = use.which < shared.adapted;
    const GraphBuilder::Sharing sharing{.set = use.set,
                                        .once = shared.sets < shared.layers.count(builder.arch.layers),
                                        .rank = adapts ? std::optional<Expr>(shared.adapter_rank) : std::nullopt,
                                        .attention = shared.attention_adapters};
    builder.sharing = sharing;
    builder.open(BlockKind::shared, "shared_attention");
    builder.component = Component::attention;
    const Expr wide = shared.width == 2 * builder.arch.dim ? Expr(2) * Symbol::dim : Expr(shared.width);
    const Shape both{builder.rows, wide};
    const TensorIndex joined = builder.node(
        Op::beside, {stream, *builder.embedded}, {},
        {"joined_input", Part::residual, "Beside the tokens", "X_0", both, "the stream beside the embedded tokens"});
    TensorIndex made =
        builder.norm(joined, norm, {.name = "norm", .part = Part::joined_norm, .label = "Norm of both", .width = wide});
    made = build_attention_of(builder, layer, made);
    builder.close();
    builder.open(BlockKind::shared, "shared_feed_forward");
    builder.component = Component::feed_forward;
    made = builder.norm(made, norm, {"norm", Part::feed_forward_norm, "FFN norm"});
    made = build_feed_forward(builder, {}, made);
    builder.sharing.reset();
    made = builder.linear(
        made,
        {"shared_output", Part::shared_layer_output, "Way to the mixer", "W_m", "b_m", Symbol::dim, false,
         "Makes of the {d} numbers that the shared layer has made what the mixer reads besides; each layer has its "
         "own."},
        {"shared_output", "For the mixer", "Y_m", "what the mixer reads besides the stream"});
    builder.close();
    return builder.node(Op::sum, {stream, made}, {},
                        {"mixer_input", Part::residual, "Input of the mixer", "X_m", builder.stream(),
                         "the stream, and what the shared layer has made"},
                        Scaling{});
}

}  // namespace headcount
