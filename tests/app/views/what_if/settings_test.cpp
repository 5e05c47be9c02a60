// Claims about what the What-if view is told to vary: what is typed is taken, and what cannot be is said.
#include "app/state/what_if/page.hpp"
#include "app/views/what_if/panels.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

struct SettingsBench : test::Workbench {
    SettingsBench() : Workbench(draw_what_if_settings_panel, "llama-2-7b", ImVec2(300, 900)) {
        headcount::apply(session, Intents{ShowWorkspace{what_if_view}, AtWhatIf{SetSweep{layers_from(8)}}});
        frames(2);
    }
    static SweepPlace layers_from(std::int64_t from) { return {{{Field::layers, from, 40, 4}}, Metric::total}; }
    const FoundSweep& found() const { return *session.what_if.sweep; }
};

TEST(WhatIfSettings, AWrongEndIsMarkedAtOnceAndTheLastGoodRangeStays) {
    SettingsBench bench;
    const std::size_t before = bench.found().sweep->points.size();
    bench.type("sweep.range0.from.field", "60");
    EXPECT_TRUE(bench.has("sweep.range0.from.error")) << "it would run backwards";
    EXPECT_EQ(bench.found().ranges.front().from, 8);
    ASSERT_TRUE(bench.found().sweep);
    EXPECT_EQ(bench.found().sweep->points.size(), before) << "the chart stays";
    bench.type("sweep.range0.to.field", "64");
    EXPECT_FALSE(bench.has("sweep.range0.from.error"));
    EXPECT_EQ(bench.found().ranges.front().from, 60) << "what was typed is taken as soon as it is possible";
    EXPECT_EQ(bench.found().ranges.front().to, 64);
    bench.type("sweep.range0.step.field", "0");
    EXPECT_TRUE(bench.has("sweep.range0.step.error"));
    EXPECT_EQ(bench.found().ranges.front().step, 4);
}

TEST(WhatIfSettings, FormatsAndDevicesVaryTooAndTheirValuesAreTyped) {
    SettingsBench bench;
    const PassOptions pass = bench.found().of.pass;
    const auto vary = [&](Choices::Of of) {
        headcount::apply(bench.session, Intents{AtWhatIf{SetSweep{{{suggested_range(of, bench.session.document.input,
                                                                                    pass, bench.session.costs.devices)},
                                                                   Metric::next_token}}}});
        bench.frames(2);
    };
    vary(Choices::Of::device);
    ASSERT_TRUE(bench.found().sweep) << bench.found().problem;
    EXPECT_EQ(bench.found().sweep->points.size(), 6U) << "its own, and those behind it in the list";
    EXPECT_EQ(bench.found().ranges.front().choices->devices.front(), *pass.device);
    bench.type("sweep.range0.values.field", "h100,abacus");
    EXPECT_TRUE(bench.has("sweep.range0.values.error"));
    EXPECT_EQ(bench.found().sweep->points.size(), 6U) << "the chart stays";
    bench.type("sweep.range0.values.field", "h100,rtx-4090");
    EXPECT_FALSE(bench.has("sweep.range0.values.error"));
    EXPECT_EQ(bench.found().sweep->points.size(), 2U);
    vary(Choices::Of::weights);
    EXPECT_EQ(bench.found().ranges.front().choices->formats.front(), Formats(Precision::bf16)) << "its own first";
    EXPECT_EQ(range_text(bench.found().ranges.front()), "bf16,fp8,int8,int4");
}

}  // namespace
}  // namespace headcount
