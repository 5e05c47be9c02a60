// The table of all operations.
#include "core/graph/ops.hpp"

#include <array>

#include "core/graph/op_formulas.hpp"

namespace headcount {
namespace {

// What an operation is to arithmetic, traffic and training, and in words: as OpInfo has it.
struct Work {
    bool multiplies = false;
    Moves moves = Moves::all;
    KeptForTraining kept = KeptForTraining::nothing;
    std::string_view words = {};
    bool of_pairs = false;
};
constexpr OpInfo op(Op op, std::string_view key, std::string_view name, decltype(OpInfo::formula) formula,
                    const Work& work = {}) {
    return {.op = op,
            .key = key,
            .name = name,
            .multiplies = work.multiplies,
            .moves = work.moves,
            .kept = work.kept,
            .of_pairs = work.of_pairs,
            .words = work.words,
            .formula = formula};
}

constexpr std::array op_table{
    op(Op::embed, "embed", "Rows by token", formulas::embed,
       {.moves = Moves::rows, .words = "the row of the token in the embedding"}),
    op(Op::add_positions, "add_positions", "Positions added", formulas::add_positions,
       {.moves = Moves::rows, .words = "the token's number plus its position's"}),
    op(Op::add_types, "add_types", "Token types added", formulas::add_types,
       {.moves = Moves::rows, .words = "the token's number plus its type's"}),
    op(Op::norm, "norm", "Norm", formulas::norm, {.kept = KeptForTraining::first_input}),
    op(Op::linear, "linear", "Linear", formulas::linear, {.multiplies = true, .kept = KeptForTraining::first_input}),
    op(Op::rotate, "rotate", "Rotary positions", formulas::rotate),
    op(Op::append_cache, "append_cache", "Behind the cache", formulas::append_cache, {.moves = Moves::cache}),
    op(Op::keep_window, "keep_window", "The window's last rows", formulas::keep_window, {.moves = Moves::cache}),
    op(Op::take_columns, "take_columns", "Some columns", formulas::take_columns, {.moves = Moves::nothing}),
    op(Op::take_head, "take_head", "One head's columns", formulas::take_head, {.moves = Moves::nothing}),
    op(Op::scores, "scores", "Scores", formulas::scores,
       {.multiplies = true, .moves = Moves::on_chip, .kept = KeptForTraining::inputs, .of_pairs = true}),
    op(Op::index_scores, "index_scores", "Index scores", formulas::index_scores,
       {.multiplies = true, .moves = Moves::on_chip, .of_pairs = true}),
    op(Op::choose, "choose", "The best keys", formulas::choose, {.moves = Moves::on_chip, .of_pairs = true}),
    op(Op::gate_distances, "gate_distances", "Gate of distances", formulas::gate_distances,
       {.kept = KeptForTraining::inputs}),
    op(Op::masked_softmax, "masked_softmax", "Softmax under a mask", formulas::masked_softmax,
       {.moves = Moves::on_chip, .kept = KeptForTraining::output, .of_pairs = true}),
    op(Op::mix, "mix", "Values mixed", formulas::mix, {.multiplies = true, .kept = KeptForTraining::inputs}),
    op(Op::pair_heads, "pair_heads", "Heads in pairs", formulas::pair_heads),
    op(Op::join_heads, "join_heads", "Heads side by side", formulas::join_heads, {.moves = Moves::nothing}),
    op(Op::subtract, "subtract", "Difference", formulas::subtract, {.kept = KeptForTraining::inputs}),
    op(Op::activate, "activate", "Activation function", formulas::activate, {.kept = KeptForTraining::inputs}),
    op(Op::gate, "gate", "Gate", formulas::gate,
       {.kept = KeptForTraining::inputs, .words = "the gate times what passes it"}),
    op(Op::route, "route", "Router's choice", formulas::route, {.kept = KeptForTraining::inputs}),
    op(Op::combine, "combine", "Experts added up", formulas::combine, {.kept = KeptForTraining::inputs}),
    op(Op::add, "add", "Onto the stream", formulas::add, {.words = "the residual stream, and what is added to it"}),
    op(Op::first_row, "first_row", "The first token's row", formulas::first_row, {.moves = Moves::nothing}),
    op(Op::pool, "pool", "Rows made into one", formulas::pool),
    op(Op::insert_rows, "insert_rows", "Trained rows among others", formulas::insert_rows),
    op(Op::unfold, "unfold", "Rows around", formulas::unfold, {.moves = Moves::nothing}),
    op(Op::scale_columns, "scale_columns", "Columns scaled", formulas::scale_columns,
       {.kept = KeptForTraining::inputs, .words = "the number times its column's"}),
    op(Op::convolve, "convolve", "Convolution", formulas::convolve,
       {.multiplies = true, .kept = KeptForTraining::inputs}),
    op(Op::step, "step", "Steps", formulas::step, {.kept = KeptForTraining::inputs}),
    op(Op::decay, "decay", "Decay", formulas::decay, {.kept = KeptForTraining::inputs}),
    op(Op::fade, "fade", "Columns that fade", formulas::fade, {.kept = KeptForTraining::all}),
    op(Op::blend, "blend", "Blended with the row before", formulas::blend,
       {.kept = KeptForTraining::inputs,
        .words = "some of this row and the rest of the row before, as the column's share says"}),
    op(Op::weigh, "weigh", "Mean of all rows so far", formulas::weigh, {.kept = KeptForTraining::all}),
    op(Op::sum_up, "sum_up", "Sums of that mean", formulas::sum_up, {.moves = Moves::state}),
    op(Op::update_state, "update_state", "State written", formulas::update_state,
       {.multiplies = true, .moves = Moves::state, .kept = KeptForTraining::inputs}),
    op(Op::read_state, "read_state", "State read", formulas::read_state,
       {.multiplies = true, .kept = KeptForTraining::inputs}),
    op(Op::bonus, "bonus", "The token itself", formulas::bonus,
       {.kept = KeptForTraining::inputs,
        .words = "the head's value, as much as the token's query and key agree by trained weights"}),
    op(Op::sum, "sum", "Added up", formulas::add, {.words = "one number and the other"}),
    op(Op::beside, "beside", "Columns side by side", formulas::beside),
    op(Op::mix_blocks, "mix_blocks", "Blocks mixed", formulas::mix_blocks,
       {.multiplies = true, .kept = KeptForTraining::inputs, .words = "the number times its row's"}),
    op(Op::magnitude, "magnitude", "Magnitude", formulas::magnitude, {.kept = KeptForTraining::first_input}),
    op(Op::threshold, "threshold", "Above a threshold", formulas::threshold, {.kept = KeptForTraining::first_input}),
    op(Op::table, "table", "Rows of a table", formulas::table, {.words = "the table's number"}),
};
static_assert(in_order(op_table, &OpInfo::op), "info() looks operations up by their place in the table");

}  // namespace

Equation equation_of(const ModelGraph& graph, const Node& node) {
    return {node.output, info(node.op).formula(graph, node), sentences_of(graph, node)};
}

const Mask* mask_over(const ModelGraph& graph, const Node& node) {
    if (!info(node.op).of_pairs) return nullptr;
    if (const Mask* const own = std::get_if<Mask>(&node.attributes)) return own;
    const Node* const softens = graph.first(Op::masked_softmax, node.block);
    return softens ? &softens->rule<Mask>() : nullptr;
}

const OpInfo& info(Op op) { return op_table[static_cast<std::size_t>(op)]; }

}  // namespace headcount
