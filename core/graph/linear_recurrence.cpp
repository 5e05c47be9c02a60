// The gated linear recurrence of Griffin and RecurrentGemma (De et al. 2024): each column of what was convolved is
// remembered by itself, between a gate that lets it in, one that lets it fade, and one that lets it out.
#include "core/graph/builder.hpp"

namespace headcount {
namespace {

// Of the convolved columns, each block of which has a matrix of its own.
TensorIndex gate_of(GraphBuilder& builder, TensorIndex from, const LinearSpec& spec, const LinearOutput& output) {
    return builder.linear(from, spec, output, {.head = Expr(Symbol::state_head_dim)});
}

}  // namespace

TensorIndex build_linear_recurrence(GraphBuilder& builder, TensorIndex input) {
    const Recurrence& recurrence = *builder.arch.layer.recurrence;
    const Expr columns = Expr(Symbol::state_heads) * Symbol::state_head_dim;
    const Shape rows{builder.rows, columns}, each{columns}, last{1, columns};
    const auto project = [&](std::string_view name, Part part, std::string_view label, std::string_view symbol,
                             std::string_view output, std::string_view made, std::string_view meaning) {
        return builder.linear(input,
                              {name, part, label, symbol, "b", columns, recurrence.bias,
                               "Makes, of each token's {d} numbers, what is remembered, or what passes of it."},
                              {output, label, made, meaning});
    };
    const TensorIndex values = project("value", Part::state_value, "x projection", "W_x", "values", "x",
                                       "what each token has to be remembered");
    const TensorIndex gates = project("gate", Part::state_gate, "Gate projection", "W_y", "gates", "Y_p",
                                      "how much of each column passes in the end, before the activation function");
    const TensorIndex mixed = build_convolution(builder,
                                                {"value", Part::convolved_value, "Convolution", "values_convolved",
                                                 "x, convolved", "x_c", "values_tail", "x, last rows", "x_last"},
                                                values);
    const TensorIndex write =
        gate_of(builder, mixed,
                {"write", Part::state_write, "Input gate", "W_i", "b_i", columns, recurrence.bias,
                 "For each of {h_s} blocks of {d_s} columns a matrix that says how much of each is let in."},
                {"raw_writes", "Input gate", "i", "how much of each column is let in, unbounded"});
    const TensorIndex written = builder.node(
        Op::gate, {write, mixed}, {},
        {"written", Part::state_value, "Let in", "x_i", rows, "what was convolved, times the sigmoid of its gate"},
        GateRule{Activation::sigmoid, {}});
    const TensorIndex raw =
        gate_of(builder, mixed,
                {"step", Part::state_step, "Recurrence gate", "W_r", "b_r", columns, recurrence.bias,
                 "For each of {h_s} blocks of {d_s} columns a matrix that says how far each fades."},
                {"raw_steps", "Recurrence gate", "r_p", "how far each column fades, unbounded"});
    const TensorIndex steps = builder.node(
        Op::activate, {raw}, {},
        {"steps", Part::state_step, "Steps", "r", rows, "how far each column fades at each token, between 0 and 1"},
        GateRule{Activation::sigmoid, {}});
    const TensorIndex rate =
        builder.parameter("decay.weight", {"decay", Part::decay_rate, "Decay rate", "Λ", each,
                                           "For each column how fast it fades, before softplus.", Role::parameter});
    constexpr double sharpness = 8;  // c of the paper
    const TensorIndex decays =
        builder.node(Op::decay, {steps}, {rate},
                     {"decays", Part::decay_rate, "Decay", "α", rows, "how much of each column is left at each token"},
                     DecayRule{.of = DecayRule::Rate::softplus, .factor = sharpness});
    const TensorIndex states =
        builder.node(Op::fade, {decays, written}, {},
                     {"states", Part::state_value, "States", "H", rows, "what each column remembers after each token"});
    builder.node(Op::keep_window, {states}, {},
                 {"state", Part::state_value, "State", "H_last", last,
                  "what is remembered after the last token, which the next one reads", Role::state},
                 Mask{Mask::Kind::window, 1});
    const TensorIndex read =
        builder.node(Op::gate, {gates, states}, {},
                     {"gated", Part::state_gate, "Gated", "Y_g", rows,
                      "what is remembered, times the activation function of the gate, cell by cell"},
                     GateRule{builder.arch.layer.feed_forward.activation, {}});
    return builder.linear(
        read,
        {"output", Part::state_output, "Output projection", "W_o", "b_o", Symbol::dim, recurrence.output_bias,
         "Brings what is remembered back to the {d} numbers of the residual stream."},
        {"output", "Recurrence output", "Y", "what goes back to the residual stream"});
}

}  // namespace headcount
