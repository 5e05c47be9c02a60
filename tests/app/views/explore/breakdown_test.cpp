// Claims about the breakdown: every parameter has its slice, and slices and legend select what they stand for.
#include "app/parts/breakdown_charts.hpp"
#include "app/views/explore/panels.hpp"
#include "tests/support/stage.hpp"

namespace headcount {
namespace {

using test::all_presets;
using test::edited;
using test::session_of;
using test::Stage;

TEST(Breakdown, EveryParameterOfEveryPresetHasASlice) {
    Stage stage(draw_breakdown_panel, session_of(all_presets().front().id));
    for (const Preset& preset : all_presets()) {
        SCOPED_TRACE(preset.id);
        stage.session = session_of(preset.id);
        stage.frame();
        for (const Tensor& tensor : stage.session.derived.shown.graph.tensors)
            EXPECT_EQ(stage.has("breakdown.slice." + tensor.id), tensor.role == Role::parameter) << tensor.id;
    }
}

TEST(Breakdown, PressingASliceSelectsItsTensor) {
    Stage stage(draw_breakdown_panel, session_of("llama-2-7b"));
    // Norms are thinner than a pixel in this model: they are selected in the legend.
    for (const Tensor& tensor : stage.session.derived.shown.graph.tensors) {
        if (tensor.role != Role::parameter || tensor.component == Component::norm) continue;
        stage.press("breakdown.slice." + tensor.id);
        EXPECT_EQ(stage.selected(), tensor.id);
        EXPECT_EQ(stage.hovered(), tensor.id);
    }
}

TEST(Breakdown, PressingAComponentSelectsItInRingAndLegend) {
    Stage stage(draw_breakdown_panel, session_of("llama-2-7b"));
    for (const Component component : components) {
        if (!is_listed(component, 0)) continue;
        const std::string key(component_key(component));
        stage.press("breakdown.slice." + key);
        EXPECT_EQ(stage.selected(), "component." + key);
        stage.press("breakdown.legend." + key);
        EXPECT_EQ(stage.selected(), "component." + key);
        EXPECT_EQ(stage.hovered(), "component." + key);
    }
}

TEST(Breakdown, ATiedHeadHasNoSliceButKeepsItsPlaceInTheLegend) {
    Stage stage(draw_breakdown_panel, session_of("gpt2"));
    stage.frame();
    EXPECT_FALSE(stage.has("breakdown.slice.output"));
    EXPECT_TRUE(stage.has("breakdown.legend.output"));
}

TEST(Breakdown, ARecurrenceIsListedWhereThereIsOne) {
    Stage stage(draw_breakdown_panel, session_of("llama-2-7b"));
    stage.frame();
    EXPECT_FALSE(stage.has("breakdown.legend.recurrence"));
    stage.session = edited("llama-2-7b", {{"state_dim", "128"}, {"recurrence_layers", "1110"}});
    stage.press("breakdown.legend.recurrence");
    EXPECT_EQ(stage.selected(), "component.recurrence");
    for (const Tensor& tensor : stage.session.derived.shown.graph.tensors)
        EXPECT_EQ(stage.has("breakdown.slice." + tensor.id), tensor.role == Role::parameter) << tensor.id;
}

TEST(Breakdown, WhatAModelDoesNotHaveIsNotListed) {
    Stage stage(draw_breakdown_panel, session_of("mamba2-130m"));
    stage.frame();
    for (const char* key : {"attention", "feed_forward"})
        EXPECT_FALSE(stage.has(std::string("breakdown.legend.") + key)) << key;
    for (const char* key : {"recurrence", "embedding", "output", "norm"})
        EXPECT_TRUE(stage.has(std::string("breakdown.legend.") + key)) << key;
}

TEST(Breakdown, TheSwitchAsksForAnotherChart) {
    Stage stage(draw_breakdown_panel, session_of("llama-2-7b"));
    for (const std::string_view key : {"treemap", "bars", "donut"}) {
        stage.press("breakdown.as." + std::string(key));
        ASSERT_TRUE(stage.last<ShowBreakdown>()) << key;
        headcount::apply(stage.session, stage.intents);
        EXPECT_EQ(breakdown_chart_keys[static_cast<std::size_t>(stage.session.view.breakdown)], key);
    }
}

TEST(Breakdown, EveryMatrixHasATileThatSelectsIt) {
    Stage stage(draw_breakdown_panel, session_of("llama-2-7b"));
    stage.session.view.breakdown = BreakdownChart::treemap;
    for (const Tensor& tensor : stage.session.derived.shown.graph.tensors) {
        if (tensor.role != Role::parameter || tensor.component == Component::norm) continue;
        stage.press("breakdown.treemap." + tensor.id);
        EXPECT_EQ(stage.selected(), tensor.id);
        EXPECT_EQ(stage.hovered(), tensor.id);
    }
}

TEST(Breakdown, EveryComponentHasABarThatSelectsIt) {
    Stage stage(draw_breakdown_panel, session_of("llama-2-7b"));
    stage.session.view.breakdown = BreakdownChart::bars;
    for (const Component component : components) {
        if (!is_listed(component, 0)) continue;
        const std::string key(component_key(component));
        stage.press("breakdown.bars." + key);
        EXPECT_EQ(stage.selected(), "component." + key);
        EXPECT_EQ(stage.hovered(), "component." + key);
    }
}

TEST(Breakdown, ToAClassItNamesNoComponentForWhatHasNoParameters) {
    const Session session = session_of("llama-2-7b");
    const ModelGraph& graph = session.derived.shown.graph;
    EXPECT_EQ(focused_part(graph, TensorSubject{"embedding.weight"}), Component::embedding);
    EXPECT_EQ(focused_part(graph, Component::attention), Component::attention);
    for (const char* id : {"tokens", "embedded", "layer.attention.queries", "layer.feed_forward.stream", "logits"})
        EXPECT_EQ(focused_part(graph, TensorSubject{id}), std::nullopt) << id;
}

}  // namespace
}  // namespace headcount
