// What a spreadsheet computes a number of a run by, and which numbers it cannot.
#include "core/workbook/cell_formula.hpp"

#include <gtest/gtest.h>

#include "core/arch/fields.hpp"
#include "core/runtime/run.hpp"
#include "tests/support/presets.hpp"

namespace headcount {
namespace {

// A small one of that preset with weights of its own, which has read three tokens.
struct SmallRun {
    explicit SmallRun(std::string_view preset, std::initializer_list<std::pair<const char*, const char*>> fields = {}) {
        Architecture arch = testing_data::preset(preset);
        for (const auto& [key, value] : std::initializer_list<std::pair<const char*, const char*>>{
                 {"heads", "4"}, {"kv_heads", "2"}, {"dim", "32"}, {"layers", "2"}, {"vocab", "50"}, {"context", "24"}})
            if (Result<Architecture> next = with_field(arch, key, value)) arch = *std::move(next);
        for (const auto& [key, value] : fields) arch = *with_field(arch, key, value);
        run = std::make_unique<Run>(*Run::start(*random_model(arch, 1, {}), {.capacity = 8, .keep = Keep::all}));
        const std::array<std::int32_t, 3> ids{4, 7, 1};
        EXPECT_FALSE(run->append(ids));
    }

    const ModelGraph& graph() const { return run->model().graph; }
    // The formula of a cell, where each tensor has a sheet of its own: 'layer.attention.queries'.
    std::optional<std::string> formula(std::string_view id, std::int64_t row, std::int64_t column,
                                       std::int64_t copy = 0) const {
        const RunNumbers numbers = numbers_of(*run);
        const SheetPlaces places = [&](TensorIndex tensor, std::int64_t, std::int64_t of) {
            const Tensor& each = graph().tensors[tensor];
            const std::string number = graph().is(each.block, BlockKind::head) ? ":" + std::to_string(of) : "";
            // A head's own columns are read where they were made; what it gives has no other place.
            return each.view && graph().producer(tensor)->op != Op::mix
                       ? std::nullopt
                       : std::optional(SheetPlace{"'" + each.id + number + "'"});
        };
        const auto tensor = static_cast<TensorIndex>(graph().find(id) - graph().tensors.data());
        const Node& node = *graph().producer(tensor);
        return CellFormula(numbers, places, {tensor, 0, copy, row, column}, node).of(equation_of(graph(), node).right);
    }

    std::unique_ptr<Run> run;
};

TEST(CellFormula, OfAProductMultipliesARowByAColumn) {
    const SmallRun small("llama-2-7b");
    EXPECT_EQ(small.formula("layer.attention.queries", 2, 5),
              "(MMULT('layer.attention.norm'!A3:AF3,'layer.attention.query.weight'!F1:F32))");
}

TEST(CellFormula, OfScoresReadsTheHeadsColumnsAndScalesThem) {
    const SmallRun small("llama-2-7b");
    const std::optional<std::string> score = small.formula("layer.attention.head.scores", 2, 1, 3);
    ASSERT_TRUE(score);
    EXPECT_NE(score->find("SUMPRODUCT('layer.attention.queries_rotated'!Y3:AF3,'layer.attention.key_cache'!I2:P2)"),
              score->npos)
        << *score << ": head 3 of 8 columns, and the second of two key/value heads";
    EXPECT_EQ(small.formula("layer.attention.head.weights", 1, 2, 0), "0") << "it comes later";
}

TEST(CellFormula, ThereIsOneOfEveryNumberThatIsAddedUpAndMultiplied) {
    for (const char* const preset : {"llama-2-7b", "gpt2", "gemma-2-2b", "bert-base-uncased", "bloom-176b"}) {
        const SmallRun small(preset);
        for (const Node& node : small.graph().nodes) {
            const Tensor& made = small.graph().tensors[node.output];
            if (made.view || !small.run->activation(node.output)) continue;
            EXPECT_TRUE(small.formula(made.id, 0, 0)) << preset << ' ' << made.id;
        }
    }
}

TEST(CellFormula, OfWhatARouterChoosesThereIsNone) {
    const SmallRun small("mixtral-8x7b", {{"experts", "4"}, {"expert_dim", "16"}});
    EXPECT_FALSE(small.formula("layer.feed_forward.routing", 0, 0));
    EXPECT_TRUE(small.formula("layer.feed_forward.output", 0, 0)) << "of those that it chose";
}

SmallRun recurrent(const char* kind) {
    return SmallRun("llama-2-7b",
                    {{"state_dim", "1"}, {"recurrence", kind}, {"state_heads", "2"}, {"state_head_dim", "8"}});
}

TEST(CellFormula, OfColumnsThatFadeReadsTheRowBefore) {
    const SmallRun small = recurrent("gated_linear");
    const std::string mixer = "layer.linear_recurrence.";
    EXPECT_EQ(small.formula(mixer + "states", 2, 1),
              "('layer.linear_recurrence.decays'!B3*'layer.linear_recurrence.states'!B2+SQRT(1-"
              "'layer.linear_recurrence.decays'!B3^2)*'layer.linear_recurrence.written'!B3)");
    EXPECT_EQ(small.formula(mixer + "states", 0, 1), "'layer.linear_recurrence.written'!B1");
    const std::optional<std::string> gate = small.formula(mixer + "raw_steps", 2, 9);
    ASSERT_TRUE(gate);
    EXPECT_NE(gate->find("'layer.linear_recurrence.values_convolved'!I3:P3"), gate->npos) << *gate << ": its own block";
}

TEST(CellFormula, OfABlendReadsTheRowBefore) {
    const SmallRun small = recurrent("weighted_mean");
    const std::optional<std::string> later = small.formula("layer.weighted_mean.keys_blended", 2, 1),
                                     first = small.formula("layer.weighted_mean.keys_blended", 0, 1);
    ASSERT_TRUE(later && first);
    EXPECT_NE(later->find("'layer.weighted_mean.norm'!B2*(1-'layer.weighted_mean.key_blend.weight'!B1)"), later->npos)
        << *later;
    EXPECT_NE(first->find("+(0*(1-"), first->npos) << *first;
    EXPECT_FALSE(small.formula("layer.weighted_mean.means", 2, 1));
}

TEST(CellReference, CountsLettersAsSpreadsheetsDo) {
    EXPECT_EQ(cell_reference(0, 0), "A1");
    EXPECT_EQ(cell_reference(9, 25), "Z10");
    EXPECT_EQ(cell_reference(0, 26), "AA1");
    EXPECT_EQ(cell_reference(0, 701), "ZZ1");
    EXPECT_EQ(cell_reference(0, 702), "AAA1");
}

}  // namespace
}  // namespace headcount
