// Claims about cells of a run: whose they are, where the diagram has them, and that it has all of them.
#include "app/views/run/cells.hpp"

#include <cmath>

#include "app/canvas/arrange/picking.hpp"
#include "app/views/run/card.hpp"
#include "app/views/run/parts.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

// A run of a small model with the choices of this preset, over four tokens.
std::shared_ptr<const RunValues> values_of(std::string_view id, const char* window = nullptr) {
    Architecture arch = find_preset(test::all_presets(), id)->architecture;
    if (arch.layer.attention.kv_heads) arch.layer.attention.kv_heads = 2;
    if (arch.layer.mixture) arch.layer.mixture->expert_dim = 48;
    for (const auto& [field, value] : {std::pair{Field::heads, "4"},
                                       {Field::dim, "32"},
                                       {Field::layers, "2"},
                                       {Field::ffn_dim, "64"},
                                       {Field::vocab, "50"}})
        arch = *with_field(arch, field, value);
    if (window) arch = *with_field(arch, Field::window, window);
    const Result<std::shared_ptr<const Model>> model = random_model(arch, 1);
    EXPECT_TRUE(model) << sentence(model.error());
    Result<headcount::Run> run = headcount::Run::start(*model, {.capacity = 8, .keep = Keep::all});
    EXPECT_TRUE(run) << sentence(run.error());
    EXPECT_FALSE(run->append(std::vector<std::int32_t>{1, 2, 3, 4}));
    return std::make_shared<const RunValues>(*model, std::make_shared<const headcount::Run>(std::move(*run)));
}

// The index of a tensor of the run's graph.
TensorIndex index_in(const RunValues& values, std::string_view id) {
    const ModelGraph& graph = values.model().graph;
    return static_cast<TensorIndex>(graph.find(id) - graph.tensors.data());
}

TEST(RunCells, ACellOfJoinedHeadsIsItsOwnHeads) {
    const auto values = values_of("llama-3-8b");  // four heads of eight columns, of which two share keys and values
    const TensorIndex joined = index_in(*values, "layer.attention.joined"),
                      keys = index_in(*values, "layer.attention.keys");
    for (std::int64_t head = 0; head < 4; ++head) EXPECT_EQ(head_of(*values, {joined, 1, 0, 2, 8 * head + 5}, 0), head);
    EXPECT_EQ(head_of(*values, {keys, 1, 0, 2, 9}, 0), 2) << "the first that shares them";
    EXPECT_EQ(head_of(*values, {keys, 1, 0, 2, 9}, 3), 3) << "or the one that is looked at";
}

TEST(RunCells, AWindowHasTheRowsOfTheLastTokens) {
    const auto values = values_of("ministral-8b", "3");
    for (const char* id : {"layer.attention.key_cache", "layer.attention.value_cache"}) {
        const auto token = [&](std::int64_t row) { return token_of(*values, {index_in(*values, id), 1, 0, row, 0}); };
        EXPECT_EQ(token(-1), std::nullopt);
        EXPECT_EQ(token(0), 1) << "three of four tokens";
        EXPECT_EQ(token(2), 3);
        EXPECT_EQ(token(3), std::nullopt);
    }
}

TEST(RunCells, AnExpertsRowIsOfATokenThatIsSentThere) {
    const auto values = values_of("mixtral-8x7b");
    const ValuesShown shown{.layers = {{std::string(main_layer), 1}}, .first = {}, .last = {}};
    std::int64_t sent = 0;
    for (std::int64_t expert = 0; expert < 8; ++expert)
        for (std::int64_t row = 0; row < values->tokens(); ++row) {
            const Hit hit{
                .id = "layer.feed_forward.expert.hidden", .leaf = {0, expert}, .slab = nullptr, .cell = Cell{row, 5}};
            const std::optional<CellAt> cell = cell_of(*values, shown, hit);
            const Tensor* const tensor = values->model().graph.find(hit.id);
            EXPECT_EQ(cell.has_value(),
                      values->which({index_of(values->model().graph, *tensor), 1, expert, row, 0}).has_value());
            if (!cell) continue;
            ++sent;
            const std::optional<FramedCells> back = framed(*values, shown, {*cell, *cell}, FramedCells::Why::own);
            ASSERT_TRUE(back);
            EXPECT_EQ(back->copy, expert);
            EXPECT_EQ(back->least, *hit.cell);
        }
    EXPECT_EQ(sent, 2 * values->tokens()) << "each token to two of them";
}

TEST(RunCells, OfAnotherLayerNothingIsFramed) {
    const auto values = values_of("llama-2-7b");
    const ValuesShown shown{.layers = {{std::string(main_layer), 1}}, .first = {}, .last = {}};
    const TensorIndex queries = index_in(*values, "layer.attention.queries");
    const CellAt here{queries, 1, 0, 2, 5}, elsewhere{queries, 0, 0, 2, 5};
    EXPECT_TRUE(framed(*values, shown, {here, here}, FramedCells::Why::own));
    EXPECT_FALSE(framed(*values, shown, {elsewhere, elsewhere}, FramedCells::Why::own));
}

TEST(RunNext, TheSharesOfAStageAddUpToOneWhateverIsCut) {
    const std::vector<float> logits{3, 2.5F, 2, 1, 0, -1, -2};
    for (const Sampling& sampling : {Sampling{.top_k = 2}, Sampling{.top_k = 0, .top_p = 0.6}, Sampling{.top_k = 1}}) {
        const Result<Distribution> all = distribution(logits, sampling);
        ASSERT_TRUE(all);
        for (const NextStage stage : {NextStage::plain, NextStage::tempered, NextStage::kept}) {
            double sum = 0;
            for (const Candidate& each : all->candidates) sum += share_at(stage, each);
            EXPECT_NEAR(sum, 1, 1e-6);
        }
    }
}

TEST(RunCardPlace, ACardCoversNothingThatItSpeaksOf) {
    const std::vector<RunRect> lit{{{700, 100}, {760, 600}}, {{500, 560}, {900, 600}}};
    const ImVec2 at = place_card({.min = {0, 0}, .max = {1000, 620}, .lit = lit, .margin = 12}, {300, 300});
    EXPECT_LE(at.x + 300, 700);
    EXPECT_LE(at.y + 300, at.x + 300 <= 500 ? 620 : 560);
}

TEST(RunCardPlace, InALowPanelACardCoversARowRatherThanItsCell) {
    const std::vector<RunRect> lit{{{10, 220}, {330, 260}}, {{420, 0}, {460, 360}}, {{420, 180}, {460, 220}}};
    const RunRect cell{{430, 190}, {450, 210}};
    const ImVec2 at =
        place_card({.min = {0, 0}, .max = {680, 360}, .lit = lit, .cell = {&cell, 1}, .margin = 12}, {320, 340});
    EXPECT_TRUE(at.x + 320 <= cell.first.x || at.x >= cell.second.x) << at.x;
}

}  // namespace
}  // namespace headcount
