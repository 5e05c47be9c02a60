// The dense feed-forward: two matrices (Vaswani et al. 2017) or three with a gate (Shazeer 2020).
#include "core/graph/feed_forward.hpp"

namespace headcount {

TensorIndex build_matrices(GraphBuilder& builder, const DenseFeedForward& form, const FeedForwardWords& words,
                           TensorIndex input) {
    constexpr Component component = Component::feed_forward;
    const Shape wide{Symbol::tokens, words.width};
    const ActivationInfo& function = info(form.activation);

    std::vector<TensorIndex> factors;
    if (form.gated)
        factors.push_back(builder.linear(
            input,
            {"gate", words.gate, component, words.gate_label, "W_gate", "b_gate", Symbol::dim, words.width, form.bias,
             words.gate_meaning},
            {"gate", words.gate, component, "Gate", "G", wide, "decides how much of each feature passes"}));
    factors.push_back(builder.linear(input,
                                     {"up", words.up, component, words.up_label, "W_up", "b_up", Symbol::dim,
                                      words.width, form.bias, form.gated ? words.up_meaning : words.plain_up_meaning},
                                     {"up", words.up, component, words.up_label, "U", wide, words.lifted}));
    TensorIndex hidden = builder.node(
        form.gated ? Op::gate : Op::activate, factors, {},
        {"hidden", words.up, component, "Hidden", "H", wide, form.gated ? function.gated_hidden : function.hidden});
    return builder.linear(hidden,
                          {"down", words.down, component, words.down_label, "W_down", "b_down", words.width,
                           Symbol::dim, form.bias, words.down_meaning},
                          {"output",
                           words.down,
                           component,
                           words.output_label,
                           words.output_symbol,
                           {Symbol::tokens, Symbol::dim},
                           words.brought_back});
}

TensorIndex build_feed_forward(GraphBuilder& builder, const Architecture& arch, TensorIndex input) {
    return build_matrices(
        builder, arch.layer.feed_forward,
        {.width = Symbol::ffn_dim,
         .gate = Part::gate,
         .up = Part::up,
         .down = Part::down,
         .gate_label = "Gate projection",
         .up_label = "Up projection",
         .down_label = "Down projection",
         .output_label = "FFN output",
         .gate_meaning = "Decides, for each token, how much of each of the {d_ff} features passes.",
         .up_meaning = "Lifts each token from {d} to {d_ff} numbers; the gate then decides which of them pass on to "
                       "the down projection.",
         .plain_up_meaning = "Lifts each token from {d} to {d_ff} numbers; the activation function then decides which "
                             "of them pass on.",
         .down_meaning = "Brings the {d_ff} features of each token back to the {d} numbers of the residual stream.",
         .lifted = "each token lifted from {d} to {d_ff}",
         .brought_back = "{d_ff} features brought back to width {d}"},
        input);
}

}  // namespace headcount
