// What stands before the layers where they read no text: an image cut into patches (Dosovitskiy et al. 2020), or sound
// through convolutions over time (Baevski et al. 2020; Radford et al. 2022).
#include <string>

#include "core/graph/builder.hpp"

namespace headcount {
namespace {

// One row of trained numbers, as wide as the stream.
TensorIndex trained_row(GraphBuilder& builder, std::string_view name, Part part, std::string_view label,
                        std::string_view symbol, std::string_view meaning) {
    const Shape shape{Symbol::dim};
    return builder.parameter(std::string(name) + ".weight",
                             {name, part, label, symbol, shape, meaning, Role::parameter});
}

TensorIndex add_class_tokens(GraphBuilder& builder, TensorIndex patches) {
    const std::int64_t tokens = builder.arch.patches->class_tokens;
    if (tokens == 0) return patches;
    std::vector<TensorIndex> parameters{
        trained_row(builder, "class_token", Part::class_token, "Class token", "x_cls",
                    "A trained row before those of the patches, which gathers what the image shows.")};
    if (tokens > 1)
        parameters.push_back(trained_row(builder, "distillation_token", Part::distillation_token, "Distillation token",
                                         "x_dist", "A trained row behind the first, for what a teacher said."));
    const bool all = builder.arch.patches->registers == 0;
    const Shape rows{all ? builder.rows : patch_count(builder.arch) + Symbol::class_tokens, Symbol::dim};
    return builder.node(
        Op::insert_rows, {patches}, std::move(parameters),
        {"with_class", Part::class_token, "With class token", "X_c", rows, "the class token's row before the patches'"},
        InsertionRule{});
}

}  // namespace

TensorIndex build_patches(GraphBuilder& builder) {
    const Architecture& arch = builder.arch;
    const Shape pixels{patch_count(arch), Expr(Symbol::channels) * Symbol::patch * Symbol::patch};
    const TensorIndex patches =
        builder.tensor({"tokens", Part::patch_embedding, "Patches", "X_p", pixels,
                        "the image, cut into patches of {P_x} × {P_x} pixels of {c} numbers", Role::input});
    const TensorIndex stream = builder.linear(
        patches,
        {"embedding", Part::patch_embedding, "Patch embedding", "E", "b_E", Symbol::dim, arch.patches->bias,
         "Makes {d} numbers of the pixels of each patch: of {P_x} × {P_x} of them, {c} each."},
        {"embedded", "Embedded patches", "X_e", "each patch's pixels made into {d} numbers"});
    return add_class_tokens(builder, stream);
}

TensorIndex add_registers(GraphBuilder& builder, TensorIndex stream) {
    if (builder.arch.patches->registers == 0) return stream;
    const Shape table{Symbol::registers, Symbol::dim};
    const TensorIndex registers = builder.parameter(
        "registers.weight",
        {"registers", Part::register_tokens, "Registers", "X_reg", table,
         "Trained rows behind the class token's, where layers keep what belongs to no patch.", Role::parameter});
    const Shape rows = builder.stream();
    return builder.node(
        Op::insert_rows, {stream}, {registers},
        {"with_registers", Part::register_tokens, "With registers", "X_r", rows, "registers among the other rows"},
        InsertionRule{Symbol::class_tokens});
}

namespace {

// Of `before`'s rows, those around each side by side, times a matrix; a norm; an activation function. The first one's
// matrix is what embeds.
TensorIndex convolve(GraphBuilder& builder, std::size_t index, TensorIndex before) {
    const Sound& sound = *builder.arch.sound;
    const Convolution& rule = sound.convolutions[index];
    const std::string number = "_" + std::to_string(index);
    const std::string own = index == 0 ? "embedding" : "convolution" + number, around = "around" + number,
                      made_name = "convolved" + number, norm_name = "convolution_norm" + number, out = "heard" + number;
    // The last one's columns are the stream's, or those that a matrix widens.
    const Symbol width = builder.arch.embedding_dim ? Symbol::embedding_dim : Symbol::dim;
    const bool last = index + 1 == sound.convolutions.size();
    const Expr own_columns = !rule.of_dim        ? Expr(rule.columns)
                             : rule.columns == 1 ? Expr(Symbol::dim)
                                                 : Expr(rule.columns) * Symbol::dim;
    const Expr columns = last ? Expr(width) : own_columns;
    const Expr rows = moments_of(sound, builder.rows, index + 1);
    const Shape seen{rows, builder.shape(before)[1] * rule.kernel}, heard{rows, columns};
    const bool first = index == 0, whole = first && sound.norms == ConvolutionNorms::first_whole;
    const auto normed = [&](TensorIndex of, NormRule::Over over) {
        const Norm norm{.kind = NormKind::layer, .bias = true, .epsilon = 1e-5};
        return builder.norm(of, norm,
                            {.name = norm_name,
                             .part = Part::convolution_norm,
                             .label = "Convolution norm",
                             .symbol = "C_n",
                             .width = columns,
                             .over = over});
    };
    const TensorIndex unfolded =
        builder.node(Op::unfold, {before}, {},
                     {around, Part::convolution, "Rows around", "X_w", seen,
                      "the rows around each, side by side: what a filter sees", Role::activation, true},
                     UnfoldRule{rule.kernel, rule.stride, sound.padded ? rule.kernel / 2 : 0});
    TensorIndex made =
        builder.linear(unfolded,
                       {own, Part::convolution, "Convolution", "W_conv", "b_conv", columns, sound.bias && !whole,
                        "Filters over the rows around each: as many numbers of them as there are filters."},
                       {made_name, "Convolved", "C_v", "what the filters make of the rows around each"});
    if (sound.norms == ConvolutionNorms::each) made = normed(made, NormRule::Over::row);
    if (first && sound.norms == ConvolutionNorms::first) made = normed(made, NormRule::Over::column);
    const Activation activation = whole ? Activation::tanh : Activation::gelu;
    made =
        builder.node(Op::activate, {made}, {}, {out, Part::convolution, "Heard", "X_v", heard, info(activation).hidden},
                     GateRule{activation, {}});
    return whole ? normed(made, NormRule::Over::all) : made;
}

}  // namespace

TensorIndex build_sound(GraphBuilder& builder) {
    const Sound& sound = *builder.arch.sound;
    const bool bare = sound.convolutions.empty();
    const Shape moments{moments_of(sound, builder.rows), bare ? Symbol::dim : Symbol::channels};
    TensorIndex stream = builder.tensor(
        {"tokens", Part::convolution, "Sound", "X_s", moments,
         bare ? "rows of {d} numbers that are made of the sound" : "the sound, {c} numbers of each moment",
         Role::input});
    for (std::size_t i = 0; i < sound.convolutions.size(); ++i) stream = convolve(builder, i, stream);
    return stream;
}

TensorIndex build_position_convolutions(GraphBuilder& builder, TensorIndex stream) {
    const Sound& sound = *builder.arch.sound;
    if (sound.position_kernel == 0) return stream;
    const Shape rows = builder.stream();
    const Shape filters{Expr(sound.position_kernel) * (Expr(Symbol::dim) / sound.position_groups), Symbol::dim};
    const Shape kernel{sound.position_kernel}, columns{Symbol::dim};
    const bool one = sound.position_layers == 1;
    TensorIndex around = stream;
    for (std::int64_t i = 0; i < sound.position_layers; ++i) {
        const std::string name = "position_convolution" + (one ? "" : "_" + std::to_string(i));
        std::vector<TensorIndex> parameters{builder.parameter(
            name + ".weight",
            {name, Part::position_convolution, "Position filters", "W_pos", filters,
             "Filters over the rows around each, in groups of columns: where a row stands.", Role::parameter})};
        parameters.push_back(builder.parameter(
            name + ".bias", {name, one ? Part::position_bias : Part::position_convolution, "Position filters", "b_pos",
                             columns, "a number added to each output", Role::parameter}));
        builder.graph.tensors[parameters.back()].bias = !one;  // where it is no part by itself
        if (one)
            builder.idle(name + ".strength", {name, Part::position_strength, "Filter strength", "g_pos", kernel,
                                              "How strong the filters are at each of their places.", Role::parameter});
        const std::string found = name + "_output";
        around = builder.node(
            Op::convolve, {around}, std::move(parameters),
            {found, Part::position_convolution, "Around", "X_around", rows, "what the filters find around each row"},
            UnfoldRule{sound.position_kernel, 1, sound.position_kernel / 2});
    }
    stream = builder.node(Op::sum, {stream, around}, {},
                          {"positioned", Part::position_convolution, "With positions", "X_pos", rows,
                           "each row plus what is found around it"},
                          Scaling{});
    // With norms behind sums there is one before the first layer; else it is the last norm.
    if (builder.arch.norm.placement != NormPlacement::after_sum) return stream;
    return builder.norm(stream, builder.arch.norm,
                        {.name = "entry_norm", .part = Part::entry_norm, .label = "Entry norm"});
}

void build_mask_row(GraphBuilder& builder) {
    const TensorIndex row =
        trained_row(builder, "mask_row", Part::mask_row, "Mask row", "x_mask",
                    "A trained row in the place of what is hidden in training; stored, and not read.");
    builder.graph.tensors[row].idle = true;
}

}  // namespace headcount
