// Claims about Costs and What-if as a class sees them: a clicker goes from one thing to the next, each named and lit.
#include "app/parts/views.hpp"
#include "app/views/costs/rows.hpp"
#include "app/views/views.hpp"
#include "app/views/what_if/panels.hpp"
#include "tests/app/views/costs/bench.hpp"

namespace headcount {
namespace {

using test::Workbench;

// What a press of the clicker does; false: nothing.
bool click(Workbench& bench, int by = 1) {
    const ViewKind& view = view_on(shipped_views(), bench.session.view);
    const std::optional<Intent> intent = view.step(bench.session, by);
    if (intent) headcount::apply(bench.session, Intents{*intent});
    bench.frames(2);
    return intent.has_value();
}

void present(Workbench& bench, std::string_view view) {
    headcount::apply(bench.session, Intents{ShowWorkspace{std::string(view)}, Present{true}});
    bench.frames(3);
}

Intents draw_presented_memory(const Ui& ui, const Session& session) {
    return draw_costs_memory(ui, session, session.costs, session.view.costs, session.view.show);
}

TEST(PresentedCosts, AClickerOpensEachThingThatTakesMemory) {
    Workbench bench(draw_presented_memory, "llama-2-7b", ImVec2(700, 900));
    present(bench, costs_view);
    std::vector<std::string> opened;
    while (click(bench)) {
        const std::string key = bench.session.view.show.pointed;
        EXPECT_TRUE(bench.has("costs.formula." + key)) << key;
        opened.push_back(key);
    }
    ASSERT_GE(opened.size(), 6U);
    EXPECT_EQ(opened.front(), "weights");
    EXPECT_EQ(opened.back(), "total");
    EXPECT_FALSE(click(bench)) << "at the end it stays";
    EXPECT_TRUE(click(bench, -1));
    EXPECT_NE(bench.session.view.show.pointed, "total");
    EXPECT_FALSE(bench.has("costs.formula.total")) << "what was pointed out closes";
}

TEST(PresentedCosts, InTrainingNothingIsPassedOver) {
    Workbench bench(draw_presented_memory, "llama-2-7b", ImVec2(700, 900));
    CostsPlace place = bench.session.view.costs;
    place.phase = Phase::training;
    headcount::apply(bench.session, Intents{AtCosts{SetCosts{place}}});
    present(bench, costs_view);
    std::vector<std::string> opened;
    while (click(bench)) opened.push_back(bench.session.view.show.pointed);
    for (const char* key : {"weights", "activations", "gradients", "optimizer", "total"})
        EXPECT_NE(std::ranges::find(opened, key), opened.end()) << key;
}

TEST(PresentedWhatIf, AClickerGoesFromPointToPointOfASweep) {
    Workbench bench(draw_what_if_panel, "llama-2-7b", ImVec2(1000, 700));
    present(bench, what_if_view);
    EXPECT_FALSE(bench.has("what_if.pointed"));
    const std::vector<std::string> keys = sweep_keys(*bench.session.what_if.sweep);
    ASSERT_TRUE(click(bench));
    EXPECT_EQ(bench.session.view.show.pointed, "32") << "it begins where the model is";
    for (int by : {1, -1}) {
        while (click(bench, by)) EXPECT_TRUE(bench.has("what_if.pointed")) << bench.session.view.show.pointed;
        EXPECT_EQ(bench.session.view.show.pointed, by > 0 ? keys.back() : keys.front());
    }
    EXPECT_EQ(bench.session.document.architecture.layers, 32) << "nothing is changed by looking";
}

TEST(PresentedWhatIf, AndFromBarToBarOfASensitivity) {
    Workbench bench(draw_what_if_panel, "llama-2-7b", ImVec2(1000, 700));
    headcount::apply(bench.session, Intents{AtWhatIf{ShowWhatIfTab{WhatIfTab::sensitivity}}});
    present(bench, what_if_view);
    std::size_t bars = 0;
    while (click(bench)) {
        EXPECT_TRUE(bench.has("what_if.pointed")) << bench.session.view.show.pointed;
        ++bars;
    }
    EXPECT_EQ(bars, sensitivity_keys(*bench.session.what_if.sensitivity).size());
    headcount::apply(bench.session, Intents{AtWhatIf{ShowWhatIfTab{WhatIfTab::solve}}});
    EXPECT_FALSE(click(bench)) << "a search has nothing to step";
}

TEST(PresentedWhatIf, AndFromAModelOnTheShelfToItsSiblings) {
    Workbench bench(draw_what_if_panel, "llama-2-7b", ImVec2(1000, 700));
    headcount::apply(bench.session, Intents{AtWhatIf{ShowWhatIfTab{WhatIfTab::shelf}}});
    present(bench, what_if_view);
    std::vector<std::string> models;
    while (click(bench)) {
        EXPECT_TRUE(bench.has("what_if.pointed")) << bench.session.view.show.pointed;
        models.push_back(bench.session.view.show.pointed);
    }
    ASSERT_GE(models.size(), 3U);
    EXPECT_EQ(models.front(), "llama-2-7b");
    EXPECT_NE(std::ranges::find(models, "llama-2-70b"), models.end());
}

}  // namespace
}  // namespace headcount
