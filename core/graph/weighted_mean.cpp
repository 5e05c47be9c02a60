// RWKV-4's mixer (Peng et al. 2023), in attention's place a mean of all values so far, whose weights grow with keys and
// fade with every token; and RWKV's feed-forward, which a gate lets through in all but RWKV-7. What either reads of a
// token is blended with the token before.
#include "core/graph/builder.hpp"

namespace headcount {

TensorIndex build_blend(GraphBuilder& builder, TensorIndex input, const BlendWords& words,
                        std::optional<TensorIndex> made) {
    const Shape rows = builder.shape(input), columns{rows[1]};
    // RWKV-4's shares are of this row, those of later ones of the row before.
    const bool before = builder.arch.layer.recurrence->kind != RecurrenceKind::weighted_mean;
    const TensorIndex share = builder.parameter(
        std::string(words.name) + ".weight",
        {words.name, words.part, words.label, words.symbol, columns,
         before ? "For each of {d} columns how much counts of the token before; of this one the rest of 1."
                : "For each of {d} columns how much counts of this token; of the one before the rest of 1.",
         Role::parameter});
    std::vector<TensorIndex> inputs{input};
    if (made) inputs.push_back(*made);
    return builder.node(
        Op::blend, std::move(inputs), {share},
        {words.output, words.part, words.label, words.output_symbol, rows,
         before ? "each column as much of the token before as its share says, and the rest of this one"
                : "each column as much of this token as its share says, and the rest of the token before"},
        BlendRule{before});
}

void keep_last_row(GraphBuilder& builder, TensorIndex input, Part part) {
    const Shape last{1, builder.shape(input)[1]};
    builder.node(Op::keep_window, {input}, {},
                 {"last", part, "Last row", "X_last", last, "the last token's row, with which the next one is blended",
                  Role::state},
                 Mask{Mask::Kind::window, 1});
}

TensorIndex build_weighted_mean(GraphBuilder& builder, TensorIndex input) {
    const Recurrence& recurrence = *builder.arch.layer.recurrence;
    const Shape rows{builder.rows, Symbol::state_head_dim}, columns{Symbol::state_head_dim},
        sums{3, Symbol::state_head_dim};
    const auto project = [&](const BlendWords& words, std::string_view name, Part part, std::string_view label,
                             std::string_view symbol, const LinearOutput& output) {
        return builder.linear(build_blend(builder, input, words),
                              {name, part, label, symbol, "b", Symbol::state_head_dim, recurrence.bias,
                               "Makes, of each token's {d} blended numbers, {d_s}."},
                              output);
    };
    const TensorIndex keys =
        project({"key_blend", Part::key_blend, "Blend for keys", "μ_k", "keys_blended", "X_k"}, "key", Part::state_key,
                "Key projection", "W_k", {"keys", "Keys", "K", "how much each column of a token counts in the mean"});
    const TensorIndex values =
        project({"value_blend", Part::value_blend, "Blend for values", "μ_v", "values_blended", "X_v"}, "value",
                Part::state_value, "Value projection", "W_v", {"values", "Values", "V", "what each token has to give"});
    const TensorIndex gates =
        project({"gate_blend", Part::gate_blend, "Blend for the gate", "μ_r", "gates_blended", "X_r"}, "gate",
                Part::state_gate, "Receptance", "W_r", {"gates", "Receptance", "R", "how much passes of the mean"});
    keep_last_row(builder, input, Part::state_key);
    const TensorIndex decay = builder.parameter(
        "decay.weight", {"decay", Part::decay_rate, "Decay rate", "w", columns,
                         "For each column the logarithm of how fast a token's weight fades.", Role::parameter});
    const TensorIndex bonus = builder.parameter(
        "first.weight", {"first", Part::first_weight, "Weight of the token itself", "u", columns,
                         "For each column what is added to the key of a token while it is the last.", Role::parameter});
    const TensorIndex means =
        builder.node(Op::weigh, {keys, values}, {decay, bonus},
                     {"means", Part::state_value, "Weighted mean", "M", rows,
                      "the mean of all values so far, each as much as its key says and the less the longer ago"});
    builder.node(Op::sum_up, {keys, values}, {},
                 {"state", Part::state_key, "State", "S", sums,
                  "the largest exponent in that mean after the last token, and both of its sums", Role::state});
    const TensorIndex gated =
        builder.node(Op::gate, {gates, means}, {},
                     {"gated", Part::state_gate, "Gated", "M_g", rows, "the mean, times the gate's sigmoid"},
                     GateRule{Activation::sigmoid, {}});
    return builder.linear(gated,
                          {"output", Part::state_output, "Output projection", "W_o", "b_o", Symbol::dim,
                           recurrence.output_bias, "Brings {d_s} numbers back to the {d} of the residual stream."},
                          {"output", "Recurrence output", "Y", "what goes back to the residual stream"});
}

TensorIndex build_let_through(GraphBuilder& builder, TensorIndex input, const FeedForwardOf& build) {
    const TensorIndex up =
        build_blend(builder, input, {"up_blend", Part::up_blend, "Blend for features", "μ_k", "up_blended", "X_k"});
    const bool gated = builder.arch.layer.recurrence->kind != RecurrenceKind::general_delta;
    std::optional<TensorIndex> pass;
    if (gated)
        pass = build_blend(builder, input,
                           {"pass_blend", Part::pass_blend, "Blend for the gate", "μ_r", "pass_blended", "X_r"});
    keep_last_row(builder, input, Part::up);
    const TensorIndex made = build(up);
    if (!pass) return made;
    const TensorIndex gates =
        builder.linear(*pass,
                       {"pass", Part::pass, "Receptance", "W_r", "b_r", Symbol::dim, false,
                        "Decides, for each token and column, how much passes of what the feed-forward makes."},
                       {"passes", "Receptance", "R", "how much passes of what the feed-forward makes"});
    return builder.node(
        Op::gate, {gates, made}, {},
        {"passed", Part::pass, "Let through", "F_r", builder.stream(), "what was made, times the gate's sigmoid"},
        GateRule{Activation::sigmoid, {}});
}

}  // namespace headcount
