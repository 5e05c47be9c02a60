// The dense feed-forward: two matrices (Vaswani et al. 2017) or three with a gate (Shazeer 2020).
#include "core/graph/builder.hpp"

namespace headcount {
namespace {

constexpr Component component = Component::feed_forward;

}  // namespace

TensorIndex build_feed_forward(GraphBuilder& builder, const Architecture& arch, TensorIndex stream) {
    const DenseFeedForward& feed_forward = arch.layer.feed_forward;
    builder.open("feed_forward");
    bool before = arch.norm.placement == NormPlacement::before;
    TensorIndex input = before ? builder.norm(stream, arch.norm, "norm", Part::feed_forward_norm, "FFN norm") : stream;
    Shape wide{Symbol::tokens, Symbol::ffn_dim};

    const ActivationInfo& function = info(feed_forward.activation);

    std::vector<TensorIndex> factors;
    if (feed_forward.gated)
        factors.push_back(builder.linear(
            input,
            {"gate", Part::gate, component, "Gate projection", "W_gate", "b_gate", Symbol::dim, Symbol::ffn_dim,
             feed_forward.bias, "Decides, for each token, how much of each of the {d_ff} features passes."},
            {"gate", Part::gate, component, "Gate", "G", wide, "decides how much of each feature passes"}));
    factors.push_back(builder.linear(
        input,
        {"up", Part::up, component, "Up projection", "W_up", "b_up", Symbol::dim, Symbol::ffn_dim, feed_forward.bias,
         feed_forward.gated ? "Lifts each token from {d} to {d_ff} numbers; the gate then decides which of them pass "
                              "on to the down projection."
                            : "Lifts each token from {d} to {d_ff} numbers; the activation function then decides which "
                              "of them pass on."},
        {"up", Part::up, component, "Up projection", "U", wide, "each token lifted from {d} to {d_ff}"}));
    TensorIndex hidden = builder.node(feed_forward.gated ? Op::gate : Op::activate, factors, {},
                                      {"hidden", Part::up, component, "Hidden", "H", wide,
                                       feed_forward.gated ? function.gated_hidden : function.hidden});
    TensorIndex output = builder.linear(
        hidden,
        {"down", Part::down, component, "Down projection", "W_down", "b_down", Symbol::ffn_dim, Symbol::dim,
         feed_forward.bias, "Brings the {d_ff} features of each token back to the {d} numbers of the residual stream."},
        {"output",
         Part::down,
         component,
         "FFN output",
         "F",
         {Symbol::tokens, Symbol::dim},
         "{d_ff} features brought back to width {d}"});
    if (!before)
        output = builder.norm(output, arch.norm, "output_norm", Part::feed_forward_output_norm, "FFN output norm");
    TensorIndex sum = builder.node(Op::add, {stream, output}, {},
                                   {"stream",
                                    Part::residual,
                                    component,
                                    "Output of the layer",
                                    "X^(i+1)",
                                    {Symbol::tokens, Symbol::dim},
                                    "the residual stream that the next layer reads"});
    builder.close();
    return sum;
}

}  // namespace headcount
