// A convolution over the last few tokens: of recurrences that project with it first, and as a mixer by itself, between
// two gates (LFM2, Liquid AI 2025).
#include "core/graph/builder.hpp"

namespace headcount {

TensorIndex build_convolution(GraphBuilder& builder, const ConvolutionWords& words, TensorIndex from) {
    const Recurrence& recurrence = *builder.arch.layer.recurrence;
    const std::string own = std::string(words.name) + "_convolution";
    const Tensor& raw = builder.graph.tensors[from];
    const Part made_by = raw.part;
    const Shape rows = raw.shape, filter{Symbol::conv_kernel, rows[1]}, offsets{rows[1]},
                last{Expr(Symbol::conv_kernel) - 1, rows[1]};
    std::vector<TensorIndex> parameters{
        builder.parameter(own + ".weight",
                          {words.name, words.part, words.filter_label, "w", filter,
                           "For each column what it counts of this token and of the {K - 1} before.", Role::parameter})};
    if (recurrence.conv_bias) {
        parameters.push_back(builder.parameter(own + ".bias", {words.name, words.part, words.filter_label, "b", offsets,
                                                               "a number added to each column", Role::parameter}));
        builder.graph.tensors[parameters.back()].bias = true;
    }
    const TensorIndex mixed =
        builder.node(Op::convolve, {from}, std::move(parameters),
                     {words.convolved, words.part, words.convolved_label, words.convolved_symbol, rows,
                      "each column over the last {K} tokens"});
    builder.node(Op::keep_window, {from}, {},
                 {words.tail, made_by, words.tail_label, words.tail_symbol, last,
                  "the last {K - 1} tokens' numbers, which the convolution of the next reads", Role::state},
                 Mask{Mask::Kind::window, recurrence.conv_kernel - 1});
    return mixed;
}

TensorIndex build_short_convolution(GraphBuilder& builder, TensorIndex input) {
    const Recurrence& recurrence = *builder.arch.layer.recurrence;
    const Shape rows = builder.stream();
    const auto project = [&](std::string_view name, Part part, std::string_view label, std::string_view symbol,
                             std::string_view output, std::string_view made, std::string_view meaning) {
        return builder.linear(input,
                              {name, part, label, symbol, "b", Symbol::dim, recurrence.bias,
                               "Makes, of each token's {d} numbers, what is convolved, or what passes of it."},
                              {output, label, made, meaning});
    };
    const auto multiply = [&](TensorIndex gate, TensorIndex what, const TensorSpec& output) {
        return builder.node(Op::gate, {gate, what}, {}, output, GateRule{Activation::linear, {}});
    };
    const TensorIndex write = project("write", Part::state_write, "Write gate projection", "W_B", "writes", "B",
                                      "how much of each column is written, for each token");
    const TensorIndex gate = project("gate", Part::state_gate, "Read gate projection", "W_C", "gates", "C",
                                     "how much of each column is read, for each token");
    const TensorIndex values = project("value", Part::state_value, "x projection", "W_x", "values", "x",
                                       "what each token has to write");
    const TensorIndex written =
        multiply(write, values, {"written", Part::state_value, "Written", "x_B", rows, "what each token writes"});
    const TensorIndex mixed = build_convolution(builder,
                                                {"value", Part::convolved_value, "Convolution", "convolved",
                                                 "Convolved", "x_c", "values_tail", "Last rows", "x_last"},
                                                written);
    const TensorIndex read =
        multiply(gate, mixed, {"gated", Part::state_gate, "Gated", "Y_g", rows, "what each token reads"});
    return builder.linear(read,
                          {"output", Part::state_output, "Output projection", "W_o", "b_o", Symbol::dim,
                           recurrence.output_bias, "Mixes the {d} columns of what was read."},
                          {"output", "Recurrence output", "Y", "what goes back to the residual stream"});
}

}  // namespace headcount
