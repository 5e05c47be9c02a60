// Several copies of the residual stream side by side (AltUp, Baykal et al. 2023, as Gemma 3n has it): a layer computes
// the first alone. What the others come to is predicted before it, and corrected behind it by what the first has
// become; both by numbers that a small router makes of the token.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/graph/builder.hpp"

namespace headcount {
namespace {

Expr columns_of_copies(const Expr& copies) { return copies * Symbol::dim; }

TensorIndex put_beside(GraphBuilder& builder, const std::vector<TensorIndex>& parts, const TensorSpec& output) {
    return parts.size() == 1 ? parts.front() : builder.node(Op::beside, parts, {}, output);
}

// "U_2" of the third: what reads several tells them apart. Further ones are called alike.
std::string_view numbered(const std::array<std::string_view, 8>& symbols, std::int64_t copy) {
    return symbols[static_cast<std::size_t>(std::min<std::int64_t>(copy, 7))];
}
constexpr std::array<std::string_view, 8> made_copies{"U_0", "U_1", "U_2", "U_3", "U_4", "U_5", "U_6", "U_7"},
    corrected_copies{"B_0", "B_1", "B_2", "B_3", "B_4", "B_5", "B_6", "B_7"},
    leaving_copies{"X_0", "X_1", "X_2", "X_3", "X_4", "X_5", "X_6", "X_7"},
    returned_copies{"Y_0", "Y_1", "Y_2", "Y_3", "Y_4", "Y_5", "Y_6", "Y_7"},
    scaled_copies{"Y'_0", "Y'_1", "Y'_2", "Y'_3", "Y'_4", "Y'_5", "Y'_6", "Y'_7"};

TensorIndex take_copy(GraphBuilder& builder, TensorIndex copies, std::int64_t which, const TensorSpec& output) {
    return builder.node(Op::take_columns, {copies}, {}, output, ColumnRange{Expr(which) * Symbol::dim});
}

// The copies, (T, (n_x - 1)·d), each as large as the first: rescaled, and times its root mean square.
TensorIndex as_large_as(GraphBuilder& builder, TensorIndex first, TensorIndex others, Part part,
                        std::string_view before) {
    constexpr double least = 1e-5;  // of the mean of squares
    const Shape rows = builder.shape(others), numbers{builder.rows, 1};
    const std::string name(before), rescaled_name = name + "_rescaled";
    Norm norm;
    norm.scale = false;
    norm.epsilon = least;
    const TensorIndex rescaled = builder.norm(others, norm,
                                              {.name = rescaled_name,
                                               .part = part,
                                               .label = "Copies, rescaled",
                                               .symbol = "U_n",
                                               .width = Symbol::dim,
                                               .of_each_head = true,
                                               .epsilon_least = true});
    const TensorIndex magnitude = builder.node(
        Op::magnitude, {first}, {},
        {name + "_magnitude", part, "Magnitude", "m", numbers, "the root mean square of the first copy's row"});
    return builder.node(Op::mix_blocks, {rescaled, magnitude}, {},
                        {name + "_as_large", part, "Copies, as large as the first", "U_m", rows,
                         "each copy's columns with the first copy's root mean square"},
                        BlockRule{});
}

// What both routings of a layer are made with.
struct CopyRouter {
    TensorIndex norm, weight;
};

CopyRouter build_copy_router(GraphBuilder& builder) {
    const Shape columns{Symbol::dim}, matrix{Symbol::dim, Symbol::stream_copies};
    const Component around = std::exchange(builder.component, Component::norm);
    const TensorIndex norm = builder.parameter(
        "router_norm.weight", {"router_norm", Part::copy_router_norm, "Copy router's norm", "g", columns,
                               "how much each channel counts after rescaling", Role::parameter});
    builder.component = around;
    return {norm, builder.parameter("router.weight",
                                    {"router", Part::copy_router, "Copy router", "W_a", matrix,
                                     "Makes of each token's {d} numbers {n_x}, by which copies of the stream are "
                                     "predicted and corrected.",
                                     Role::parameter})};
}

// (T, n_x) of a row's numbers, between -1 and 1.
TensorIndex route_copies(GraphBuilder& builder, const CopyRouter& router, TensorIndex from) {
    const Shape rows = builder.shape(from), few{builder.rows, Symbol::stream_copies};
    const TensorIndex normed =
        builder.node(Op::norm, {from}, {router.norm},
                     {"normed", Part::copy_router_norm, "Copy router's input", "A_n", rows,
                      "each row rescaled to a root mean square of 1"},
                     NormRule{.epsilon = builder.arch.norm.epsilon, .offset = builder.computation.norm_offset});
    const TensorIndex raw = builder.node(
        Op::linear, {normed}, {router.weight},
        {"routed", Part::copy_router, "Copy router's sums", "R_a", few, "each token's {d} numbers made into {n_x}"},
        LinearRule{.scale = 1 / static_cast<double>(builder.arch.dim)});
    return builder.node(Op::activate, {raw}, {},
                        {"modes", Part::copy_router, "Copy router's modes", "M_a", few, "tanh of each"},
                        GateRule{Activation::tanh, {}});
}

// What the first of the corrected copies makes, of which the others get more.
TensorIndex make_of_first(GraphBuilder& builder, TensorIndex first, const OwnOf& own) {
    const Shape row = builder.stream(), columns{Symbol::dim};
    const TensorIndex numbers = builder.parameter(
        "scale.weight",
        {"scale", Part::copy_scale, "Copy scale", "λ", columns,
         "One number for each of {d} columns of the first copy, from which the others get more.", Role::parameter});
    return own(
        builder.node(Op::scale_columns, {first}, {numbers},
                     {"scaled", Part::copy_scale, "First copy, scaled", "B_s", row, "each column times its number"}));
}

// The copies as they leave the layer: `more` is added to all but the first.
TensorIndex give_to_others(GraphBuilder& builder, TensorIndex corrected, TensorIndex first, TensorIndex more) {
    const Shape row = builder.stream(), all = builder.shape(corrected);
    std::vector<TensorIndex> parts{first};
    for (std::int64_t copy = 1; copy < *builder.arch.layer.stream_copies; ++copy) {
        const std::string number = std::to_string(copy);
        const TensorIndex other =
            take_copy(builder, corrected, copy,
                      {"other_" + number, Part::copy_correction, "Corrected copy", numbered(corrected_copies, copy),
                       row, "this copy's {d} columns", Role::activation, true});
        parts.push_back(
            builder.node(Op::sum, {other, more}, {},
                         {"left_" + number, Part::copy_correction, "Copy that leaves", numbered(leaving_copies, copy),
                          row, "a corrected copy, and what it gets of the first"},
                         Scaling{}));
    }
    return builder.node(Op::beside, std::move(parts), {},
                        {"stream", Part::residual, "Output of the layer", "X^(i+1)", all,
                         "{n_x} copies of the stream, which the next layer reads"});
}

}  // namespace

TensorIndex build_copies(GraphBuilder& builder, TensorIndex stream) {
    const std::int64_t copies = *builder.arch.layer.stream_copies;
    if (copies == 1) return stream;
    builder.component = Component::embedding;
    const Shape others{builder.rows, columns_of_copies(Expr(Symbol::stream_copies) - 1)},
        all{builder.rows, columns_of_copies(Symbol::stream_copies)};
    std::vector<TensorIndex> made;
    for (std::int64_t copy = 1; copy < copies; ++copy)
        made.push_back(builder.linear(
            stream,
            {"copy_" + std::to_string(copy), Part::copy_projection, "Copy projection", "W_x", "b_x", Symbol::dim, false,
             "Makes of each token's {d} numbers those of another copy of the stream."},
            {"copied_" + std::to_string(copy), "Copy of the stream", numbered(made_copies, copy),
             "each token's {d} numbers made into another {d}"}));
    const TensorIndex together = put_beside(
        builder, made, {"copied", Part::copy_projection, "Copies", "U_x", others, "all copies but the first"});
    const TensorIndex scaled = as_large_as(builder, stream, together, Part::copy_projection, "copied");
    return builder.node(
        Op::beside, {stream, scaled}, {},
        {"copies", Part::copy_projection, "With copies", "X_c", all, "{n_x} copies of the stream side by side"});
}

TensorIndex join_copies(GraphBuilder& builder, TensorIndex stream) {
    const std::int64_t copies = *builder.arch.layer.stream_copies;
    if (copies == 1) return stream;
    builder.component = Component::output;
    const Shape row = builder.stream(), others{builder.rows, columns_of_copies(Expr(Symbol::stream_copies) - 1)};
    constexpr std::string_view own = "this copy's {d} columns";
    const TensorIndex first = take_copy(
        builder, stream, 0, {"first", Part::copy_output, "First copy", "A", row, own, Role::activation, true});
    std::vector<TensorIndex> made;
    for (std::int64_t copy = 1; copy < copies; ++copy) {
        const std::string number = std::to_string(copy);
        const TensorIndex from = take_copy(
            builder, stream, copy,
            {"last_" + number, Part::copy_output, "Copy of the stream", "X_j", row, own, Role::activation, true});
        made.push_back(
            builder.linear(from,
                           {"copy_output_" + number, Part::copy_output, "Copy's way back", "W_y", "b_y", Symbol::dim,
                            false, "Makes of a copy's {d} numbers what is added to the first copy's."},
                           {"returned_" + number, "Copy, brought back", numbered(returned_copies, copy),
                            "this copy's {d} numbers made into another {d}"}));
    }
    const TensorIndex together =
        put_beside(builder, made,
                   {"returned", Part::copy_output, "Copies, brought back", "Y_x", others, "all copies but the first"});
    const TensorIndex scaled = as_large_as(builder, first, together, Part::copy_output, "returned");
    std::vector<TensorIndex> terms{first};
    for (std::int64_t copy = 1; copy < copies; ++copy)
        terms.push_back(copies == 2 ? scaled
                                    : take_copy(builder, scaled, copy - 1,
                                                {"part_" + std::to_string(copy), Part::copy_output, "Copy",
                                                 numbered(scaled_copies, copy), row, own, Role::activation, true}));
    return builder.node(Op::sum, std::move(terms), {},
                        {"joined", Part::copy_output, "Mean of the copies", "X_m", row, "the mean of all {n_x} copies"},
                        Scaling{.whole = 1 / static_cast<double>(copies)});
}

TensorIndex build_layer_of_copies(GraphBuilder& builder, TensorIndex stream, const LayerOf& layer, const OwnOf& own) {
    const Expr count = Symbol::stream_copies;
    const Shape row = builder.stream(), all{builder.rows, columns_of_copies(count)};
    constexpr std::string_view first_columns = "the first copy's {d} columns";
    const auto first_of = [&](TensorIndex from, std::string_view name, std::string_view label,
                              std::string_view symbol) {
        return take_copy(builder, from, 0,
                         {name, Part::copy_router, label, symbol, row, first_columns, Role::activation, true});
    };

    builder.open(BlockKind::copies, "predict");
    builder.component = Component::feed_forward;
    const CopyRouter router = build_copy_router(builder);
    const TensorIndex entering = first_of(stream, "entering", "First copy", "A");
    const TensorIndex predicting = builder.linear(
        route_copies(builder, router, entering),
        {"prediction", Part::copy_prediction, "Prediction coefficients", "W_p", "b_p", count * count, false,
         "Says, of {n_x} numbers of a token, how much each copy of the stream is to get of each."},
        {"coefficients", "Predicting", "C", "how much each copy gets of each"});
    const TensorIndex mixed = builder.node(
        Op::mix_blocks, {stream, predicting}, {},
        {"output", Part::copy_prediction, "Predicted change", "D", all, "of each copy as much as the router says"},
        BlockRule{count, count});
    const TensorIndex predicted = builder.node(
        Op::sum, {stream, mixed}, {},
        {"stream", Part::copy_prediction, "Predicted copies", "P_x", all, "each copy, and what it is to get of all"},
        Scaling{});
    builder.close();
    const TensorIndex active = first_of(predicted, "active", "First predicted copy", "X");
    const TensorIndex made = layer(active);

    builder.open(BlockKind::copies, "correct");
    builder.component = Component::feed_forward;
    const TensorIndex news = builder.node(
        Op::sum, {made, active}, {},
        {"news", Part::copy_correction, "What was not predicted", "I", row, "what the layer made, less the prediction"},
        Scaling{.factor = -1});
    const TensorIndex correcting =
        builder.linear(route_copies(builder, router, made),
                       {"correction", Part::copy_correction, "Correction coefficients", "W_c", "b_c", count, false,
                        "Says, of {n_x} numbers of a token, how far each copy follows what was not predicted."},
                       {"coefficients", "Correcting", "C_c", "how far each copy follows"}, {.offset = 1});
    const TensorIndex correction = builder.node(
        Op::mix_blocks, {news, correcting}, {},
        {"correction", Part::copy_correction, "Correction", "K", all, "what was not predicted, as far as each follows"},
        BlockRule{1, count});
    const bool last = !own;
    const TensorIndex corrected =
        builder.node(Op::sum, {predicted, correction}, {},
                     {last ? "stream" : "corrected", last ? Part::residual : Part::copy_correction,
                      last ? "Output of the layer" : "Corrected copies", last ? "X^(i+1)" : "P_c", all,
                      "each copy's prediction, corrected"},
                     Scaling{});
    if (last) {
        builder.close();
        return corrected;
    }
    const TensorIndex first = first_of(corrected, "first", "First corrected copy", "B");
    const TensorIndex more = make_of_first(builder, first, own);
    builder.close();
    builder.component = Component::feed_forward;
    return give_to_others(builder, corrected, first, more);
}

}  // namespace headcount
