// Claims about the pages of a run: every matrix is on one, each line says what is done, and nothing overlaps.
#include "app/views/run/figures.hpp"

#include <cmath>
#include <set>

#include "app/diagram/run_heat.hpp"
#include "app/views/run/card.hpp"
#include "app/views/run/heat_map.hpp"
#include "app/views/run/parts.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

RunRoom room_of(float width) {
    return {
        .width = width,
        .scale = 1,
        .card = {300, 250},
        .text = [](const std::string& text) { return 7 * static_cast<float>(text.size()); },
        .caption = [](const RunFigure& figure,
                      std::string_view beside) { return 7 * static_cast<float>(figure.name.size() + beside.size()); }};
}

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

// "X norm, · g = X_n" of the line that makes this tensor.
std::string said_of(const RunValues& values, const RunSight& sight, std::string_view made) {
    for (const RunLine& line : run_lines(values, sight, {})) {
        if (line.figures.empty() || values.model().graph.tensors[line.figures.back().tensor].id != made) continue;
        std::string text;
        for (const RunFigure& figure : line.figures)
            text += (text.empty() ? "" : " ") + figure.before + (figure.before.empty() ? "" : " ") + figure.name +
                    figure.note;
        return text;
    }
    return "";
}

// The index of a tensor of the run's graph.
TensorIndex index_in(const RunValues& values, std::string_view id) {
    const ModelGraph& graph = values.model().graph;
    return static_cast<TensorIndex>(graph.find(id) - graph.tensors.data());
}

TEST(RunFigures, ACellOfJoinedHeadsIsSeenAtItsOwnHead) {
    const auto values = values_of("llama-3-8b");  // four heads of eight columns, of which two share keys and values
    const TensorIndex joined = index_in(*values, "layer.attention.joined"),
                      keys = index_in(*values, "layer.attention.keys");
    for (std::int64_t head = 0; head < 4; ++head)
        EXPECT_EQ(sight_of(*values, {joined, 1, 0, 2, 8 * head + 5}, {}).head, head);
    EXPECT_EQ(sight_of(*values, {keys, 1, 0, 2, 9}, {}).head, 2) << "the first that shares them";
    EXPECT_EQ(sight_of(*values, {keys, 1, 0, 2, 9}, {.head = 3}).head, 3) << "or the one that is looked at";
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

TEST(RunFigures, ALineSaysWhatIsDoneToItsNumbers) {
    const RunSight attention{.layer = 1}, feed_forward{.part = RunPart::feed_forward, .layer = 1};
    const auto llama = values_of("llama-2-7b"), gpt = values_of("gpt2"), mixtral = values_of("mixtral-8x7b");
    EXPECT_EQ(said_of(*llama, feed_forward, "layer.feed_forward.hidden"), "SiLU( G ) ⊙ U = H");
    EXPECT_EQ(said_of(*llama, attention, "layer.attention.norm"), "X^(1) norm, · g = X_n");
    EXPECT_EQ(said_of(*llama, feed_forward, "layer.feed_forward.stream"), "X' + F = X^(2)");
    EXPECT_EQ(said_of(*llama, attention, "layer.attention.head.output"), "Q_i K_i^T S, / √8 softmax A V_i O_i");
    EXPECT_EQ(said_of(*gpt, attention, "layer.attention.norm"), "X^(1) norm, · g + b = X_n");
    const std::string activated = said_of(*gpt, feed_forward, "layer.feed_forward.hidden");
    EXPECT_TRUE(activated.starts_with("U GELU")) << activated;
    EXPECT_EQ(said_of(*mixtral, feed_forward, "layer.feed_forward.output"), "Σ G_k · F_e = F");
}

TEST(RunFigures, AHeadFillsTheWidthAndNamesKeepApart) {
    const auto values = values_of("llama-2-7b");
    for (const float width : {600.0F, 900.0F, 1400.0F})
        for (const RunPart part : {RunPart::ends, RunPart::mixer, RunPart::feed_forward}) {
            const RunRoom room = room_of(width);
            const RunPages pages = place_lines(run_lines(*values, {.part = part, .layer = 1}, {}), room);
            std::vector<std::pair<ImVec2, float>> names;
            for (const RunLine& line : pages.lines)
                for (const RunFigure& figure : line.figures) {
                    if (line.head) {
                        EXPECT_GE(figure.cell, width < 700 ? 4 : 8) << figure.name;
                    }
                    names.emplace_back(figure.label, figure.label.x + room.caption(figure, figure.sides + figure.note));
                }
            for (const auto& [at, end] : names)
                for (const auto& [other, other_end] : names) {
                    const bool apart = end <= other.x || other_end <= at.x || std::abs(at.y - other.y) >= 16;
                    EXPECT_TRUE(&at == &other || apart) << at.x << " to " << end << " and " << other.x;
                }
        }
}

TEST(RunFigures, ANormIsOneRowHoweverNarrowThePage) {
    const auto values = values_of("llama-2-7b");
    RunRoom room = room_of(200);
    room.caption = [](const RunFigure&, std::string_view) { return 5.0F; };
    const RunPages pages = place_lines(run_lines(*values, {.layer = 1}, {}), room);
    const std::vector<RunFigure>& norm = pages.lines.front().figures;
    ASSERT_EQ(norm.size(), 3U);
    EXPECT_LT(norm[0].max.x, norm[2].min.x);
    EXPECT_EQ(norm[0].label.y, norm[2].label.y);
}

TEST(RunFigures, APageMovesNoMoreThanItMust) {
    const auto values = values_of("llama-2-7b");
    const RunPages pages = place_lines(run_lines(*values, {.layer = 1}, {}), room_of(900));
    const RunLine& first = pages.lines.front();
    const RunFigure& norm = first.figures.back();
    const CellAt cell{norm.tensor, 1, 0, 2, 5};
    EXPECT_EQ(shift_into_sight(pages, {.cell = cell}, 0, 400), 0) << "it is in sight";
    EXPECT_EQ(shift_into_sight(pages, {.cell = cell}, 100, 500), first.top - 100) << "no farther than its row";
    const float tiny = shift_into_sight(pages, {.cell = cell, .margin = 2}, 500, 510);
    const auto [min, max] = norm.area_of(2, 5, 2, 5);
    EXPECT_LE(500 + tiny, min.y) << "where no row fits, the cell";
    EXPECT_GE(510 + tiny, max.y);
    const float head = shift_into_sight(pages, {.head = true}, 0, 300);
    EXPECT_GT(head, 0);
    EXPECT_EQ(shift_into_sight(pages, {.head = true}, head, head + 300), 0);
}

TEST(RunFigures, WeightsAreCopiedOnceForAPage) {
    const auto values = values_of("llama-2-7b");
    RunSnapshot run;
    run.values = values;
    run.layers_shown = values->layers() + 1;
    const std::vector<RunLine> lines = run_lines(*values, {.layer = 1}, {});
    RunHeat heat;
    copy_values(heat, run, lines, false);
    const std::vector<float> first = heat.drawing.values;
    run.layers_shown = 0;  // the newest token's are not made yet
    copy_values(heat, run, lines, true);
    EXPECT_EQ(heat.weights_copied, 1);
    EXPECT_EQ(heat.drawing.values.size(), first.size());
    EXPECT_NE(heat.drawing.values, first) << "activations are new";
    copy_values(heat, run, run_lines(*values, {.layer = 0}, {}), false);
    EXPECT_EQ(heat.weights_copied, 2) << "another layer's weights";
}

// The second layer, which the newest token's step has not come to.
struct LayerToCome {
    RunSnapshot run;
    std::vector<RunLine> lines;
    RunHeat heat;
};
LayerToCome at_a_layer_to_come(const std::shared_ptr<const RunValues>& values) {
    LayerToCome at;
    at.run.values = values;
    at.run.layers_shown = 1;
    at.lines = run_lines(*values, {.layer = 1}, {});
    copy_values(at.heat, at.run, at.lines, false);
    return at;
}

TEST(RunFigures, ARowThatIsNotThereYetHasNoPartInItsScale) {
    const auto values = values_of("llama-2-7b");
    const auto [run, lines, heat] = at_a_layer_to_come(values);
    const ModelGraph& graph = values->model().graph;
    std::size_t index = 0, checked = 0;
    for (const RunLine& line : lines)
        for (const RunFigure& figure : line.figures) {
            const float limit = heat.limits[index++];
            if (graph.tensors[figure.tensor].id != "layer.attention.queries") continue;
            EXPECT_TRUE(not_there(run, figure.tensor, figure.layer));
            EXPECT_FALSE(not_there(run, figure.tensor, 0));
            MatrixView there = figure.view;
            --there.rows;
            EXPECT_EQ(limit, heat_limit(there));
            ++checked;
        }
    EXPECT_GT(checked, 0U);
}

TEST(RunFigures, AWindowHasTheRowsOfTheLastTokens) {
    const auto values = values_of("ministral-8b", "3");
    const auto [run, lines, heat] = at_a_layer_to_come(values);
    std::size_t index = 0, checked = 0;
    for (const RunLine& line : lines)
        for (const RunFigure& figure : line.figures) {
            const std::size_t at = index++;
            if (!values->model().graph.tensors[figure.tensor].id.ends_with("_cache")) continue;
            ++checked;
            ASSERT_EQ(figure.view.rows, 3) << "of four tokens";
            const auto token = [&](std::int64_t row) { return token_of(*values, {figure.tensor, 1, 0, row, 0}); };
            EXPECT_EQ(token(-1), std::nullopt);
            EXPECT_EQ(token(0), 1);
            EXPECT_EQ(token(2), 3);
            EXPECT_EQ(token(3), std::nullopt);
            for (std::int64_t row = 0; row < 3; ++row) {
                const std::int64_t cell = figure.transposed ? row : row * figure.across();
                const float shown = heat.drawing.values[heat.starts[at] + static_cast<std::size_t>(cell)];
                EXPECT_EQ(shown == 0, row == 2) << "the newest token's is not there";
            }
        }
    EXPECT_EQ(checked, 2U);
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

TEST(RunFigures, EveryTensorWithNumbersIsOnAPageAndNoneOverlap) {
    for (const char* id : {"llama-2-7b", "gpt2", "mixtral-8x7b"}) {
        SCOPED_TRACE(id);
        const std::shared_ptr<const RunValues> made = values_of(id);
        const RunValues& values = *made;
        const Model* const model = &values.model();
        std::set<TensorIndex> shown;
        for (std::int64_t layer = 0; layer < values.layers(); ++layer)
            for (const RunPart part : {RunPart::ends, RunPart::mixer, RunPart::feed_forward}) {
                const RunPages pages = place_lines(run_lines(values, {.part = part, .layer = layer}, {}), room_of(900));
                std::vector<const RunFigure*> all;
                for (const RunLine& line : pages.lines)
                    for (const RunFigure& figure : line.figures) all.push_back(&figure);
                for (const RunFigure* figure : all) {
                    shown.insert(figure->tensor);
                    EXPECT_GE(figure->min.x, 0);
                    EXPECT_LE(figure->max.x, 901);
                    EXPECT_LE(figure->max.y, pages.height);
                    for (const RunFigure* other : all) {
                        const bool apart = figure->max.x <= other->min.x || other->max.x <= figure->min.x ||
                                           figure->max.y <= other->min.y || other->max.y <= figure->min.y;
                        EXPECT_TRUE(figure == other || apart) << model->graph.tensors[figure->tensor].id << " and "
                                                              << model->graph.tensors[other->tensor].id;
                    }
                }
            }
        const ModelGraph& graph = model->graph;
        for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
            if (graph.tensors[i].role == Role::input) continue;
            EXPECT_TRUE(shown.count(static_cast<TensorIndex>(i))) << graph.tensors[i].id;
        }
    }
}

// A page of a norm's line of this height and a product below it, of a weight 200 and an output `made` pixels high.
RunPages page_with(float norm, float made) {
    RunPages pages;
    const auto figure = [](TensorIndex tensor, float top, float high) {
        RunFigure each;
        each.tensor = tensor;
        each.view.rows = each.rows = 100;
        each.view.columns = each.columns = 10;
        each.min = {0, top};
        each.max = {100, top + high};
        return each;
    };
    RunLine first, second;
    first.figures = {figure(0, 0, norm)};
    first.bottom = norm;
    second.top = norm + 20;
    second.figures = {figure(1, second.top, 200), figure(2, second.top + 210, made)};
    second.bottom = second.figures.back().max.y;
    pages.lines = {first, second};
    pages.height = second.bottom;
    return pages;
}

TEST(RunFigures, TheNewestRowsStayInSightWhileThePageGrows) {
    const float room = 360;
    float from = 0;
    for (float tokens = 10; tokens < 150; ++tokens) {
        const RunPages before = page_with(tokens, 1.5F * tokens), now = page_with(tokens + 1, 1.5F * (tokens + 1));
        from = std::floor(sight_kept(before, now, {from, from + room, room, false, {}, 48}));
        EXPECT_LE(now.height, from + room + 1) << tokens;
        EXPECT_LE(from, std::max(0.0F, now.height - room) + 1) << "no farther than it must";
    }
    const RunPages grown = page_with(150, 225), fresh = page_with(10, 15);
    EXPECT_LE(sight_kept(grown, fresh, {from, from + room, room, false, {}, 48}), 0) << "all of it again";
}

TEST(RunFigures, WhatIsFarFromTheNewestRowsStaysWhereItIs) {
    const RunPages before = page_with(10, 400), now = page_with(30, 430);
    EXPECT_EQ(sight_kept(before, now, {60, 160, 100, false, {}, 20}), 80) << "the weight is 20 pixels lower";
}

TEST(RunFigures, ACellThatIsPinnedAtTheEdgeStaysUnderThePointer) {
    const RunPages page = page_with(100, 150), longer = page_with(101, 151);
    const CellAt cell{2, 0, 0, 60, 3};
    const auto [min, max] = page.lines[1].figures[1].area_of(60, 3, 60, 3);
    for (const float from : {min.y - 4, max.y - 296}) {
        EXPECT_FLOAT_EQ(sight_kept(page, page, {from, from + 300, 300, false, cell, 48}), from);
        const auto [after, end] = longer.lines[1].figures[1].area_of(60, 3, 60, 3);
        EXPECT_NEAR(after.y - sight_kept(page, longer, {from, from + 300, 300, false, cell, 48}), min.y - from, 1);
    }
}

TEST(RunFigures, APinnedCellStaysInSightAtAnySize) {
    const RunPages small = page_with(100, 150);
    RunPages large = page_with(150, 225);
    for (RunLine& line : large.lines) {  // all is twice as large, and elsewhere
        line.top = 2 * line.top + 300;
        line.bottom = 2 * line.bottom + 300;
        for (RunFigure& figure : line.figures) {
            figure.min.y = 2 * figure.min.y + 300;
            figure.max.y = 2 * figure.max.y + 300;
        }
    }
    const CellAt cell{2, 0, 0, 60, 3};
    const auto [min, max] = large.lines[1].figures[1].area_of(60, 3, 60, 3);
    for (const float from : {0.0F, 120.0F, 240.0F}) {
        const float to = sight_kept(small, large, {from, from + 300, 280, true, cell, 48});
        EXPECT_GE(min.y, to) << from;
        EXPECT_LE(max.y, to + 280) << from;
    }
}

}  // namespace
}  // namespace headcount
