// A mixture of experts (Shazeer et al. 2017; Fedus et al. 2022): a router sends each token to k of E feed-forwards.
// Shared experts, which every token passes, are DeepSeek's (Dai et al. 2024).
#include "core/graph/feed_forward.hpp"

namespace headcount {
namespace {

constexpr Component mixture_component = Component::feed_forward;

// (T, k): for each token its experts' weights.
TensorIndex build_router(GraphBuilder& builder, const Mixture& mixture, TensorIndex input) {
    TensorIndex logits = builder.linear(
        input,
        {"router", Part::router, mixture_component, "Router", "W_r", "b_r", Symbol::dim, Symbol::experts,
         mixture.router_bias, "Scores each token's {d} numbers against {E} experts; the best {k} are used."},
        {"router_scores",
         Part::router,
         mixture_component,
         "Router scores",
         "R",
         {Symbol::tokens, Symbol::experts},
         "how well each of {E} experts suits each token"});
    std::vector<TensorIndex> correction;
    if (mixture.correction_bias)
        correction.push_back(builder.parameter(
            "correction.weight", {"correction",
                                  Part::router_correction,
                                  mixture_component,
                                  "Load-balancing bias",
                                  "b_e",
                                  {Symbol::experts},
                                  "One number for each of {E} experts that the choice of experts adds to its score; "
                                  "set by how busy they are, trained by no gradient.",
                                  Role::buffer}));
    return builder.node(Op::route, {logits}, std::move(correction),
                        {"routing",
                         Part::router,
                         mixture_component,
                         "Routing",
                         "G_k",
                         {Symbol::tokens, Symbol::experts_per_token},
                         "the {k} experts that suit each token best, and how much each counts"});
}

TensorIndex build_expert(GraphBuilder& builder, const DenseFeedForward& form, TensorIndex input) {
    return build_matrices(
        builder, form,
        {.width = Symbol::expert_dim,
         .gate = Part::expert_gate,
         .up = Part::expert_up,
         .down = Part::expert_down,
         .gate_label = "Expert gate projection",
         .up_label = "Expert up projection",
         .down_label = "Expert down projection",
         .output_label = "Expert output",
         .gate_meaning = "Decides, for each token sent here, how much of each of the expert's {d_e} features passes.",
         .up_meaning = "Lifts each token sent here from {d} to the expert's {d_e} numbers.",
         .plain_up_meaning = "Lifts each token sent here from {d} to the expert's {d_e} numbers.",
         .down_meaning = "Brings the expert's {d_e} features back to the {d} numbers of the residual stream.",
         .lifted = "each token's {d} numbers made into {d_e}, in each of its {k} experts",
         .brought_back = "{d_e} features brought back to width {d}, by each of {k} experts",
         .output_symbol = "F_e"},
        input);
}

TensorIndex build_shared(GraphBuilder& builder, const DenseFeedForward& form, TensorIndex input) {
    return build_matrices(
        builder, form,
        {.width = Expr(Symbol::shared_experts) * Symbol::expert_dim,
         .gate = Part::shared_gate,
         .up = Part::shared_up,
         .down = Part::shared_down,
         .gate_label = "Shared gate projection",
         .up_label = "Shared up projection",
         .down_label = "Shared down projection",
         .output_label = "Shared output",
         .gate_meaning = "Decides, for each token, how much of each of the {n_s·d_e} shared features passes.",
         .up_meaning = "Lifts every token from {d} to {n_s·d_e} numbers, whichever experts it is sent to.",
         .plain_up_meaning = "Lifts every token from {d} to {n_s·d_e} numbers, whichever experts it is sent to.",
         .down_meaning = "Brings the {n_s·d_e} shared features back to the {d} numbers of the residual stream.",
         .lifted = "each token's {d} numbers made into {n_s·d_e}",
         .brought_back = "{n_s·d_e} features brought back to width {d}",
         .output_symbol = "F_s"},
        input);
}

}  // namespace

TensorIndex build_mixture(GraphBuilder& builder, const Architecture& arch, TensorIndex input) {
    const Mixture& mixture = *arch.layer.mixture;
    std::vector<TensorIndex> parts;
    TensorIndex routing = build_router(builder, mixture, input);
    builder.open("expert", Symbol::experts, Symbol::experts_per_token);
    parts.push_back(build_expert(builder, arch.layer.feed_forward, input));
    builder.close();
    parts.push_back(routing);
    if (mixture.shared_experts > 0) {
        builder.open("shared");
        parts.push_back(build_shared(builder, arch.layer.feed_forward, input));
        if (mixture.shared_gate)
            parts.push_back(
                builder.linear(input,
                               {"weight", Part::shared_weight, mixture_component, "Shared expert gate", "w_s", "b_s",
                                Symbol::dim, 1, false, "Decides, for each token, how much the shared experts count."},
                               {"weight",
                                Part::shared_weight,
                                mixture_component,
                                "Shared weight",
                                "g_s",
                                {Symbol::tokens, 1},
                                "how much the shared experts count for each token"}));
        builder.close();
    }
    return builder.node(
        Op::combine, std::move(parts), {},
        {"output",
         Part::expert_down,
         mixture_component,
         "FFN output",
         "F",
         {Symbol::tokens, Symbol::dim},
         mixture.shared_experts > 0
             ? "the {k} experts' outputs added up, each as much as the router says, and the shared ones'"
             : "the {k} experts' outputs added up, each as much as the router says"});
}

}  // namespace headcount
