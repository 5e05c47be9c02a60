// The feed-forward: two matrices (Vaswani et al. 2017) or three with a gate (Shazeer 2020), or a mixture of such
// experts (Shazeer et al. 2017; Fedus et al. 2022), to k of E of which a router sends each token. Shared experts, which
// every token passes, are DeepSeek's (Dai et al. 2024).
#include <algorithm>

#include "core/base/find.hpp"
#include "core/graph/builder.hpp"

namespace headcount {
namespace {

// In what the dense feed-forward, an expert and the shared experts differ: width, parts, and how they are spoken of.
struct FeedForwardWords {
    Expr width;
    Part gate, up, down;
    std::string_view gate_label, up_label, down_label, output_label;
    std::string_view gate_meaning, up_meaning, plain_up_meaning, down_meaning;
    std::string_view lifted, brought_back;
    std::string_view output_symbol = "F";
    bool may_have_biases = true;
    bool may_have_inner_norm = false;
};

// The two numbers that an xIELU learns: how steep it is above 0, and below.
std::vector<TensorIndex> build_trained(GraphBuilder& builder, Activation activation) {
    if (activation != Activation::xielu) return {};
    const Shape one{1};
    return {builder.parameter("above.weight",
                              {"above", Part::activation_above, "xIELU above 0", "a_p", one,
                               "One trained number: how steep the activation function is above 0.", Role::parameter}),
            builder.parameter("below.weight",
                              {"below", Part::activation_below, "xIELU below 0", "a_n", one,
                               "One trained number: how steep the activation function is below 0.", Role::parameter})};
}

// With what the layer has of its own beside the matrices of gate and up, which layers share.
void adapt(GraphBuilder& builder, TensorIndex input, std::vector<TensorIndex>& factors) {
    constexpr GraphBuilder::Narrow gate{
        "adapter_down", Part::gate_adapter_down, "gate_adapter", "gate_adapted", Part::gate_adapter, "G_s", "G_a"};
    constexpr GraphBuilder::Narrow up{
        "adapter_down", Part::gate_adapter_down, "up_adapter", "up_adapted", Part::up_adapter, "U_s", "U_a"};
    const TensorIndex narrowed = builder.narrow(input, up);
    for (TensorIndex& each : factors)
        each = builder.adapt(each, narrowed, factors.size() > 1 && &each == &factors.front() ? gate : up);
}

// The form of the stack that is being built.
DenseFeedForward form_of(const GraphBuilder& builder) {
    DenseFeedForward form = builder.arch.layer.feed_forward;
    const auto ungated = builder.arch.family->ungated_encoder;
    if (!ungated || builder.rows != Expr(Symbol::source)) return form;
    form.gated = false;
    form.activation = ungated(builder.arch);
    return form;
}

// down(activation(gate(x)) ⊙ up(x)), or down(activation(up(x))) without a gate: (T, d) to (T, width) and back.
TensorIndex build_matrices(GraphBuilder& builder, const FeedForwardWords& words, TensorIndex input,
                           std::optional<TensorIndex> weighed_by = {}, bool sparse = false) {
    const DenseFeedForward form = form_of(builder);
    const LinearRule rule{.weighed_by = weighed_by};
    const bool bias = form.bias && words.may_have_biases, input_bias = bias && form.input_bias;
    const Shape wide{builder.rows, words.width};
    const ActivationInfo& function = info(form.activation);
    std::vector<TensorIndex> factors;
    if (form.gated)
        factors.push_back(builder.linear(
            input,
            {"gate", words.gate, words.gate_label, "W_gate", "b_gate", words.width, input_bias, words.gate_meaning},
            {"gate", "Gate", "G", "decides how much of each feature passes"}, rule));
    if (sparse)
        factors.back() = builder.node(Op::threshold, factors, {},
                                      {"sparse_gate", words.gate, "Sparse gate", "G_s", wide,
                                       "by how much a feature's gate is above most of the row's; 0 where it is not"},
                                      ThresholdRule{deviations_above(builder.computation.gate_sparsity)});
    factors.push_back(builder.linear(input,
                                     {"up", words.up, words.up_label, "W_up", "b_up", words.width, input_bias,
                                      form.gated ? words.up_meaning : words.plain_up_meaning},
                                     {"up", words.up_label, "U", words.lifted}, rule));
    if (builder.sharing && builder.sharing->rank) adapt(builder, input, factors);
    TensorIndex hidden =
        builder.node(form.gated ? Op::gate : Op::activate, factors, build_trained(builder, form.activation),
                     {"hidden", words.up, "Hidden", "H", wide, form.gated ? function.gated_hidden : function.hidden},
                     GateRule{form.activation, form.gated ? builder.computation.clamped_gate : std::nullopt});
    if (builder.arch.norm.inner && words.may_have_inner_norm)
        hidden = builder.norm(hidden, builder.arch.norm,
                              {.name = "inner_norm",
                               .part = Part::feed_forward_inner_norm,
                               .label = "Inner FFN norm",
                               .symbol = "H_n",
                               .width = words.width});
    return builder.linear(
        hidden, {"down", words.down, words.down_label, "W_down", "b_down", Symbol::dim, bias, words.down_meaning},
        {"output", words.output_label, words.output_symbol, words.brought_back});
}

// Whether the family's checkpoints keep it outside of the parameters, as DeepSeek V3's do.
bool stores_buffer(const Architecture& arch) {
    return std::ranges::none_of(arch.family->modules, [](const Module& module) {
        return !is_buffer(module.kind) && contains(module.parts, Part::router_correction);
    });
}

// (T, k): for each token its experts' weights.
TensorIndex build_router(GraphBuilder& builder, const Mixture& mixture, TensorIndex input) {
    const Shape experts{Symbol::experts}, chosen{builder.rows, Symbol::experts_per_token};
    Routing rule = builder.computation.routing;
    rule.tabled = builder.computation.tabled.contains(builder.layer);
    TensorIndex logits =
        builder.linear(input,
                       {"router", Part::router, "Router", "W_r", "b_r", Symbol::experts, mixture.router_bias,
                        rule.tabled ? "Scores each token's {d} numbers against {E} experts, of which a table names {k}."
                                    : "Scores each token's {d} numbers against {E} experts; the best {k} are used."},
                       {"router_scores", "Router scores", "R", "how well each of {E} experts suits each token"},
                       {.scale = builder.computation.routing.score_factor});
    std::vector<TensorIndex> correction;
    if (mixture.correction_bias && !rule.tabled)
        correction.push_back(builder.parameter(
            "correction.weight", {"correction", Part::router_correction, "Load-balancing bias", "b_e", experts,
                                  "One number for each of {E} experts that the choice of experts adds to its score; "
                                  "set by how busy they are, trained by no gradient.",
                                  stores_buffer(builder.arch) ? Role::buffer : Role::parameter}));
    if (mixture.beside_dense)
        correction.push_back(builder.parameter(
            "expert_scale.weight",
            {"expert_scale", Part::router_scale, "Expert scale", "s_e", experts,
             "One trained number for each of {E} experts: how much it counts besides.", Role::parameter}));
    return builder.node(Op::route, {logits}, std::move(correction),
                        {"routing", Part::router, "Routing", "G_k", chosen,
                         rule.tabled ? "the {k} experts that a table has for each token, and how much each counts"
                                     : "the {k} experts that suit each token best, and how much each counts"},
                        rule);
}

TensorIndex build_expert(GraphBuilder& builder, const LayerKind& kind, TensorIndex input, TensorIndex routing) {
    FeedForwardWords words{
        .width = Symbol::expert_dim,
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
        .output_symbol = "F_e",
        .may_have_biases = builder.arch.layer.mixture->expert_bias};
    // An encoder with a width of its own has it in its experts too.
    if (kind.encoder && builder.arch.encoder->ffn_dim) {
        words.width = Symbol::encoder_ffn_dim;
        words.gate_meaning =
            "Decides, for each token sent here, how much of each of the expert's {f_enc} features passes.";
        words.up_meaning = words.plain_up_meaning =
            "Lifts each token sent here from {d} to the expert's {f_enc} numbers.";
        words.down_meaning = "Brings the expert's {f_enc} features back to the {d} numbers of the residual stream.";
        words.lifted = "each token's {d} numbers made into {f_enc}, in each of its {k} experts";
        words.brought_back = "{f_enc} features brought back to width {d}, by each of {k} experts";
    }
    return build_matrices(builder, words, input,
                          builder.computation.routing.on_input ? std::optional(routing) : std::nullopt);
}

TensorIndex build_shared(GraphBuilder& builder, const Mixture& mixture, TensorIndex input) {
    FeedForwardWords words{
        .width = Expr(Symbol::shared_experts) * Symbol::expert_dim,
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
        .output_symbol = "F_s"};
    if (mixture.shared_dim) {
        words.width = Expr(Symbol::shared_experts) * Symbol::shared_dim;
        words.gate_meaning = "Decides, for each token, how much of each of the {n_s·d_se} shared features passes.";
        words.up_meaning = words.plain_up_meaning =
            "Lifts every token from {d} to {n_s·d_se} numbers, whichever experts it is sent to.";
        words.down_meaning = "Brings the {n_s·d_se} shared features back to the {d} numbers of the residual stream.";
        words.lifted = "each token's {d} numbers made into {n_s·d_se}";
        words.brought_back = "{n_s·d_se} features brought back to width {d}";
    }
    return build_matrices(builder, words, input);
}

}  // namespace

TensorIndex build_feed_forward(GraphBuilder& builder, const LayerKind& kind, TensorIndex input) {
    FeedForwardWords words{
        .width = Symbol::ffn_dim,
        .gate = Part::gate,
        .up = Part::up,
        .down = Part::down,
        .gate_label = "Gate projection",
        .up_label = "Up projection",
        .down_label = "Down projection",
        .output_label = "FFN output",
        .gate_meaning = "Decides, for each token, how much of each of the {d_ff} features passes.",
        .up_meaning =
            "Lifts each token from {d} to {d_ff} numbers; the gate then decides which of them pass on to "
            "the down projection.",
        .plain_up_meaning =
            "Lifts each token from {d} to {d_ff} numbers; the activation function then decides which "
            "of them pass on.",
        .down_meaning = "Brings the {d_ff} features of each token back to the {d} numbers of the residual stream.",
        .lifted = "each token lifted from {d} to {d_ff}",
        .brought_back = "{d_ff} features brought back to width {d}",
        .may_have_inner_norm = true};
    if (kind.borrows && builder.arch.layer.feed_forward.doubled) {
        words.width = Expr(2) * Symbol::ffn_dim;
        words.gate_meaning = "Decides, for each token, how much of each of twice {d_ff} features passes.";
        words.up_meaning = words.plain_up_meaning = "Lifts each token from {d} to twice {d_ff} numbers.";
        words.down_meaning = "Brings twice {d_ff} features back to the {d} numbers of the residual stream.";
        words.lifted = "each token lifted from {d} to twice {d_ff}";
        words.brought_back = "twice {d_ff} features brought back to width {d}";
    }
    if (kind.encoder && builder.arch.encoder->ffn_dim) {
        words.width = Symbol::encoder_ffn_dim;
        words.gate_meaning = "Decides, for each token, how much of each of the {f_enc} features passes.";
        words.up_meaning = "Lifts each token from {d} to {f_enc} numbers; the gate then decides which of them pass on.";
        words.plain_up_meaning =
            "Lifts each token from {d} to {f_enc} numbers; the activation function then decides which of them pass on.";
        words.down_meaning =
            "Brings the {f_enc} features of each token back to the {d} numbers of the residual stream.";
        words.lifted = "each token lifted from {d} to {f_enc}";
        words.brought_back = "{f_enc} features brought back to width {d}";
    }
    const auto build = [&](TensorIndex from) { return build_matrices(builder, words, from, {}, kind.sparse); };
    const std::optional<Recurrence>& recurrence = builder.arch.layer.recurrence;
    const bool let_through = kind.recurrent && blends_tokens(recurrence->kind);
    return let_through ? build_let_through(builder, input, build) : build(input);
}

TensorIndex build_mixture(GraphBuilder& builder, const LayerKind& kind, TensorIndex input, TensorIndex routed) {
    const Mixture& mixture = *builder.arch.layer.mixture;
    std::vector<TensorIndex> parts;
    TensorIndex routing = build_router(builder, mixture, routed);
    builder.open(BlockKind::expert, "expert", Symbol::experts, Symbol::experts_per_token);
    parts.push_back(build_expert(builder, kind, input, routing));
    builder.close();
    parts.push_back(routing);
    if (mixture.shared_experts > 0) {
        builder.open(BlockKind::shared, "shared");
        parts.push_back(build_shared(builder, mixture, input));
        if (mixture.shared_gate)
            parts.push_back(
                builder.linear(input,
                               {"weight", Part::shared_weight, "Shared expert gate", "w_s", "b_s", 1, false,
                                "Decides, for each token, how much the shared experts count."},
                               {"weight", "Shared weight", "p_s", "how much the shared experts count for each token"}));
        builder.close();
    }
    return builder.node(
        Op::combine, std::move(parts), {},
        {"output", Part::expert_down, "FFN output", "F", builder.stream(),
         mixture.shared_experts > 0
             ? "the {k} experts' outputs added up, each as much as the router says, and the shared ones'"
             : "the {k} experts' outputs added up, each as much as the router says"},
        builder.computation.routing);
}

}  // namespace headcount
