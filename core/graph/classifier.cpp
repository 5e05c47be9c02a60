// What tells classes apart: one row made of those that leave the layers, and a score for each class. And what some
// models store besides, which makes one row in another way.
#include <array>
#include <string>

#include "core/arch/class_form.hpp"
#include "core/graph/builder.hpp"

namespace headcount {
namespace {

constexpr std::array<std::string_view, 6> pooled_meanings{"the first row alone",
                                                          "the mean of the class tokens' rows",
                                                          "the mean of all rows",
                                                          "the mean of the patches' rows",
                                                          "the first row, and beside it the mean of the patches'",
                                                          "each row"};

TensorIndex pool(GraphBuilder& builder, TensorIndex stream) {
    const Architecture& arch = builder.arch;
    if (arch.pooled == PooledRows::each) return stream;
    const Expr width = builder.shape(stream)[1];
    const std::string_view meaning = pooled_meanings[static_cast<std::size_t>(arch.pooled)];
    const Shape row{1, arch.pooled == PooledRows::first_and_patch_mean ? Expr(2) * width : width};
    if (arch.pooled == PooledRows::first)
        return builder.node(Op::first_row, {stream}, {},
                            {"first", Part::output_head, "First row", "X_1", row, meaning, Role::activation, true});
    Expr before = arch.patches ? Expr(Symbol::class_tokens) : Expr(0);
    if (arch.patches && arch.patches->registers > 0) before = before + Symbol::registers;
    return builder.node(Op::pool, {stream}, {}, {"pooled", Part::output_head, "Pooled", "P", row, meaning},
                        PoolRule{arch.pooled, before});
}

// What a classifier of text mixes once more before its scores.
TensorIndex mix(GraphBuilder& builder, TensorIndex rows, const ClassForm& form) {
    const Architecture& arch = builder.arch;
    const Activation activation = form.activation.value_or(arch.layer.feed_forward.activation);
    const TensorIndex made = builder.linear(
        rows,
        {"classifier_projection", Part::classifier_projection, "Classifier projection", "W_y", "b_y",
         Symbol::classifier_dim, arch.transform_bias, "Makes {d_y} numbers of what the classifier reads."},
        {"narrowed", "Projected", "X_y", "made into {d_y} numbers"});
    const Shape shape = builder.shape(made);
    return builder.node(Op::activate, {made}, {},
                        {"classifier_hidden", Part::classifier_projection, "Classifier's hidden", "H_y", shape,
                         info(activation).hidden},
                        GateRule{activation, {}});
}

}  // namespace

void build_classifier(GraphBuilder& builder, TensorIndex stream) {
    const Architecture& arch = builder.arch;
    const ClassForm* const form = class_form(arch);
    if (arch.classifier_dim && !form)
        stream = builder.linear(
            stream,
            {"classifier_projection", Part::classifier_projection, "Classifier projection", "W_y", "b_y",
             Symbol::classifier_dim, true, "Makes {d_y} numbers of each row, of which the classifier reads the mean."},
            {"narrowed", "Projected rows", "X_y", "each row made into {d_y} numbers"});
    TensorIndex row = pool(builder, stream);
    if (arch.classifier_dim && form) row = mix(builder, row, *form);
    if (arch.pooled_norm)
        row = builder.norm(row, arch.norm,
                           {.name = "pooled_norm",
                            .part = Part::pooled_norm,
                            .label = "Pooled norm",
                            .symbol = "P_n",
                            .width = builder.shape(row)[1]});
    const bool each = arch.pooled == PooledRows::each;
    builder.linear(
        row,
        {"output_head", Part::output_head, "Classifier", "W_out", "b_out", Symbol::classes, arch.head_bias,
         each ? "Turns each row into a score for each of {n_y} classes."
              : "Turns one row into a score for each of {n_y} classes."},
        {"logits", "Logits", "Z",
         each ? "for each row, one score for each of {n_y} classes" : "one score for each of {n_y} classes"});
}

void build_pooling_head(GraphBuilder& builder) {
    const std::string_view idle = has_head(builder.arch)
                                      ? "stored with the layers; a classifier does not read it"
                                      : "makes one row of all, for the image; counted, and not computed here";
    const auto add = [&](std::string_view name, Part part, std::string_view label, std::string_view symbol,
                         const Shape& shape, bool bias) {
        const TensorIndex added = builder.idle(std::string(name) + (bias ? ".bias" : ".weight"),
                                               {name, part, label, symbol, shape, idle, Role::parameter});
        builder.graph.tensors[added].bias = bias;
    };
    const Expr dim = Symbol::dim, hidden = Symbol::ffn_dim;
    const auto matrix = [&](std::string_view name, Part part, std::string_view label, std::string_view symbol,
                            const Expr& inputs, const Expr& outputs) {
        add(name, part, label, symbol, Shape{inputs, outputs}, false);
        add(name, part, label, "b_pool", Shape{outputs}, true);
    };
    builder.component = Component::output;
    add("pooling_query", Part::pooling_query, "Pooling query", "x_probe", Shape{dim}, false);
    matrix("pooling_projection", Part::pooling_projection, "Pooling projection", "W_pool", dim, Expr(3) * dim);
    matrix("pooling_output", Part::pooling_output, "Pooling output", "W_po", dim, dim);
    matrix("pooling_up", Part::pooling_up, "Pooling up", "W_pu", dim, hidden);
    matrix("pooling_down", Part::pooling_down, "Pooling down", "W_pd", hidden, dim);
    builder.component = Component::norm;
    add("pooling_norm", Part::pooling_norm, "Pooling norm", "g", Shape{dim}, false);
    add("pooling_norm", Part::pooling_norm, "Pooling norm", "b", Shape{dim}, true);
}

}  // namespace headcount
