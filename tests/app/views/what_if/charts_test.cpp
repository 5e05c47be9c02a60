// Claims about the charts of the What-if view: a sweep, sensitivity and the shelf ask for what was pressed.
#include "app/state/what_if/page.hpp"
#include "app/views/what_if/panels.hpp"
#include "core/files/devices.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

using test::session_of;
using test::Stage;

// The panel with the view open and its answers there, as `apply` leaves them.
Stage stage_of(test::DrawPanel draw, WhatIfTab tab, std::string_view preset = "llama-2-7b") {
    Session session = session_of(preset);
    headcount::apply(session, Intents{ShowWorkspace{what_if_view}, AtWhatIf{ShowWhatIfTab{tab}}});
    return Stage(draw, std::move(session), ImVec2(1000, 800));
}

void obey(Stage& stage) {
    headcount::apply(stage.session, stage.intents);
    stage.intents.clear();
}

std::int64_t layers_of(const Session& session) { return session.document.architecture.layers; }

TEST(SweepPanel, APointOfTheLineBecomesTheDocumentInOneEdit) {
    Stage stage = stage_of(draw_what_if_panel, WhatIfTab::sweep);
    stage.press("sweep.chart.8");
    ASSERT_TRUE(stage.last<Replace>());
    EXPECT_TRUE(stage.last<Replace>()->settled);
    obey(stage);
    const Sweep& sweep = *stage.session.what_if.sweep->sweep;
    EXPECT_EQ(layers_of(stage.session), sweep.points[8].values.front());
    EXPECT_EQ(stage.session.derived.shown.parameters.total, sweep.points[8].parameters.total);
    headcount::apply(stage.session, Intents{Undo{}});
    EXPECT_EQ(layers_of(stage.session), 32);
}

TEST(SweepPanel, TheRangeStaysWhereAPointWasTaken) {
    Stage stage = stage_of(draw_what_if_panel, WhatIfTab::sweep);
    const std::vector<ValueRange> before = stage.session.what_if.sweep->ranges;
    stage.press("sweep.chart.0");
    obey(stage);
    EXPECT_EQ(stage.session.what_if.sweep->ranges, before);
}

TEST(SweepPanel, ACellOfTheMapIsTheModelOfItsColumnAndRow) {
    Stage stage = stage_of(draw_what_if_panel, WhatIfTab::sweep);
    const SweepPlace place{{{Field::layers, 10, 14, 2}, {Field::kv_heads, 8, 32, 8}}, Metric::cache_per_token};
    headcount::apply(stage.session, Intents{AtWhatIf{SetSweep{place}}});
    stage.press("sweep.chart.5");  // three columns: the third of the second row
    ASSERT_TRUE(stage.last<Replace>());
    obey(stage);
    EXPECT_EQ(layers_of(stage.session), 14);
    EXPECT_EQ(field_number(stage.session.document.architecture, Field::kv_heads), 16);
}

TEST(SweepPanel, HasAMapOfThePriceOfTokensOnceAnHourHasOne) {
    Stage stage = stage_of(draw_what_if_panel, WhatIfTab::sweep);
    const ValueRange batch{.field = Field::layers, .from = 1, .to = 4, .input = input_numbers[2]};
    const SweepPlace place{{{Field::layers, 16, 32, 16}, batch}, Metric::price};
    headcount::apply(stage.session, Intents{AtWhatIf{SetSweep{place}}});
    stage.frame();
    EXPECT_FALSE(stage.has("sweep.chart"));
    EXPECT_NE(stage.session.what_if.sweep->problem.find("hour"), std::string::npos);
    CostsPlace held = stage.session.view.costs;
    held.price = "$2.5";
    headcount::apply(stage.session, Intents{AtCosts{SetCosts{held}}});
    stage.frame();
    EXPECT_TRUE(stage.has("sweep.chart"));
    const Sweep& sweep = *stage.session.what_if.sweep->sweep;
    ASSERT_EQ(sweep.points.size(), 8U);
    for (const SweepPoint& point : sweep.points)
        EXPECT_NEAR(value_of(point, Metric::price).value_or(0),
                    2.5 / 3600 * *point.seconds / static_cast<double>(point.tokens) * 1e6, 1e-9);
}

TEST(SweepSettings, ThePriceOfAnHourIsTypedWhereItIsDrawn) {
    Stage stage = stage_of(draw_what_if_settings_panel, WhatIfTab::sweep);
    headcount::apply(stage.session, Intents{AtWhatIf{SetSweep{{{}, Metric::price}}}});
    stage.frame();
    EXPECT_TRUE(stage.has("what_if.price"));
    headcount::apply(stage.session, Intents{AtWhatIf{SetSweep{{{}, Metric::memory}}}});
    stage.frame();
    EXPECT_FALSE(stage.has("what_if.price"));
}

TEST(SweepPanel, OfThreeNumbersTheMapIsThatOfOneValueOfTheThird) {
    Stage stage = stage_of(draw_what_if_panel, WhatIfTab::sweep);
    SweepPlace place{{{Field::layers, 10, 14, 2}, {Field::kv_heads, 8, 32, 8}, {Field::vocab, 1000, 3000, 1000}},
                     Metric::total};
    place.third = 2;
    headcount::apply(stage.session, Intents{AtWhatIf{SetSweep{place}}});
    ASSERT_EQ(stage.session.what_if.sweep->sweep->points.size(), 27u) << "24 heads divide no 32";
    stage.press("sweep.chart.5");
    obey(stage);
    EXPECT_EQ(layers_of(stage.session), 14);
    EXPECT_EQ(field_number(stage.session.document.architecture, Field::kv_heads), 16);
    EXPECT_EQ(field_number(stage.session.document.architecture, Field::vocab), 3000);
    EXPECT_EQ(stage.session.view.what_if.sweep, place) << "and the map stays";
}

TEST(SweepPanel, TheMapHasLinesOfEqualValuesWithTheirLabelsApart) {
    Stage stage = stage_of(draw_what_if_panel, WhatIfTab::sweep);
    const SweepPlace place{{{Field::layers, 4, 64, 4}, {Field::kv_heads, 4, 32, 4}}, Metric::total};
    headcount::apply(stage.session, Intents{AtWhatIf{SetSweep{place}}});
    stage.frame();
    stage.frame();
    std::vector<NamedRect> labels;
    for (const NamedRect& each : stage.screen.recorder.all())
        if (each.name.starts_with("sweep.chart.line.")) labels.push_back(each);
    ASSERT_GE(labels.size(), 3u);
    for (const NamedRect& a : labels)
        for (const NamedRect& b : labels)
            EXPECT_TRUE(a.name == b.name || a.max.x <= b.min.x || b.max.x <= a.min.x || a.max.y <= b.min.y ||
                        b.max.y <= a.min.y)
                << a.name << " over " << b.name;
}

TEST(SweepPanel, OfTheInputAPointBecomesTheInput) {
    Stage stage = stage_of(draw_what_if_panel, WhatIfTab::sweep);
    const ValueRange batch = suggested_range(stage.session.document.input, input_numbers[2]);
    EXPECT_EQ(batch.key(), "batch");
    headcount::apply(stage.session, Intents{AtWhatIf{SetSweep{{{batch}, Metric::cache}}}});
    const std::vector<SweepPoint> points = stage.session.what_if.sweep->sweep->points;
    EXPECT_EQ(points[3].cache, 4 * points[0].cache);
    stage.press("sweep.chart.3");
    EXPECT_TRUE(stage.last<SetInput>());
    obey(stage);
    EXPECT_EQ(stage.session.document.input.batch, 4);
    EXPECT_EQ(layers_of(stage.session), 32);
}

TEST(SweepPanel, AnImpossibleCellIsNotTaken) {
    Stage stage = stage_of(draw_what_if_panel, WhatIfTab::sweep);
    const SweepPlace place{{{Field::layers, 10, 12, 1}, {Field::kv_heads, 7, 8, 1}}, Metric::total};
    headcount::apply(stage.session, Intents{AtWhatIf{SetSweep{place}}});
    stage.press("sweep.chart.1");  // 7 key/value heads do not divide 32
    EXPECT_FALSE(stage.last<Replace>());
    stage.press("sweep.chart.4");
    EXPECT_TRUE(stage.last<Replace>());
}

TEST(SweepPanel, ARangeThatRunsBackwardsIsSaidInASentence) {
    Stage stage = stage_of(draw_what_if_panel, WhatIfTab::sweep);
    headcount::apply(stage.session, Intents{AtWhatIf{SetSweep{{{{Field::layers, 40, 8, 4}}, Metric::total}}}});
    stage.frame();
    EXPECT_FALSE(stage.has("sweep.chart"));
    EXPECT_TRUE(stage.has("sweep.problem.error"));
}

TEST(SweepPanel, SaysHowManyModelsItHas) {
    Sweep sweep;
    sweep.points.resize(1);
    EXPECT_EQ(sweep_sentence(sweep), "1 model.");
    sweep.left_out = 1;
    EXPECT_EQ(sweep_sentence(sweep), "1 model. 1 more is not possible, and left out.");
    sweep.points.resize(12);
    sweep.left_out = 3;
    sweep.too_large = 2;
    EXPECT_EQ(sweep_sentence(sweep),
              "12 models. 3 more are not possible, and left out. 2 are too large to count in 64 bits.");
}

TEST(SweepPanel, WhatIsCountedHasWholeTicks) {
    for (const std::vector<double>& layers : {std::vector<double>{64}, {63, 64}, {8, 12, 16}})
        for (const Tick& tick : axis_ticks(sweep_axis(layers, "Layers"), 12))
            EXPECT_EQ(tick.label.find('.'), std::string::npos) << tick.label;
}

TEST(WhatIfSettings, ATypedEndChangesTheRange) {
    Stage stage = stage_of(draw_what_if_settings_panel, WhatIfTab::sweep);
    stage.press("sweep.two");
    const SetSweep* const set = [&]() -> const SetSweep* {
        const AtWhatIf* at = stage.last<AtWhatIf>();
        return at ? std::get_if<SetSweep>(&at->what) : nullptr;
    }();
    ASSERT_TRUE(set);
    ASSERT_EQ(set->sweep.ranges.size(), 2u);
    EXPECT_NE(set->sweep.ranges[0].field, set->sweep.ranges[1].field);
}

TEST(WhatIfSettings, UpToThreeNumbersAreVaried) {
    Stage stage = stage_of(draw_what_if_settings_panel, WhatIfTab::sweep);
    stage.press("sweep.two");
    obey(stage);
    stage.frame();
    stage.press("sweep.three");
    obey(stage);
    stage.frame();
    const std::vector<ValueRange>& ranges = stage.session.view.what_if.sweep.ranges;
    ASSERT_EQ(ranges.size(), 3u);
    EXPECT_FALSE(stage.has("sweep.three"));
    EXPECT_TRUE(stage.session.what_if.sweep->sweep) << stage.session.what_if.sweep->problem;
    stage.press("sweep.one");
    obey(stage);
    EXPECT_EQ(stage.session.view.what_if.sweep.ranges.size(), 2u);
}

TEST(SweepPanel, AFormatOrADeviceOfABarBecomesTheInputs) {
    Stage stage = stage_of(draw_what_if_panel, WhatIfTab::sweep);
    const auto pick = [&](const char* text, const char* bar) {
        const std::vector<Device> devices = stage.session.costs.devices;
        const Result<ValueRange> range =
            parse_varied(text, [&](std::string_view id) { return find_device(devices, id); });
        headcount::apply(stage.session, Intents{AtWhatIf{SetSweep{{{*range}, Metric::next_token}}}});
        stage.frame();
        stage.press(bar);
        obey(stage);
        EXPECT_EQ(stage.session.what_if.sweep->ranges, std::vector{*range}) << "what varies stays";
    };
    pick("dtype=bf16,int4", "sweep.chart.1");
    EXPECT_EQ(stage.session.document.input.precision, Formats(Precision::int4));
    pick("kv_dtype=bf16,int8", "sweep.chart.1");
    EXPECT_EQ(stage.session.document.input.cache, Precision::int8);
    pick("device=rtx-4090,h100", "sweep.chart.1");
    EXPECT_EQ(stage.session.view.costs.device, "h100");
    headcount::apply(stage.session, Intents{Undo{}});
    EXPECT_EQ(stage.session.document.input.cache, std::nullopt) << "a device is no edit of the model";
    EXPECT_EQ(stage.session.view.costs.device, "h100");
    pick("kv_dtype=bf16,int8", "sweep.chart.0");
    EXPECT_EQ(stage.session.document.input.cache, std::nullopt) << "it is that already";
}

TEST(SensitivityPanel, ABarMakesItsStep) {
    Stage stage = stage_of(draw_what_if_panel, WhatIfTab::sensitivity);
    stage.press("sensitivity.chart.layers");
    ASSERT_TRUE(stage.last<Replace>());
    obey(stage);
    EXPECT_EQ(layers_of(stage.session), 33);
}

TEST(SensitivityPanel, LeavesOutWhatMovesNothing) {
    Stage stage = stage_of(draw_what_if_panel, WhatIfTab::sensitivity, "mixtral-8x7b");
    stage.frame();
    EXPECT_TRUE(stage.has("sensitivity.chart.experts"));
    EXPECT_FALSE(stage.has("sensitivity.chart.experts_per_token")) << "a token passes more, the total stays";
    headcount::apply(stage.session, Intents{AtWhatIf{SetSensitivity{Metric::active}}});
    stage.frame();
    EXPECT_TRUE(stage.has("sensitivity.chart.experts_per_token"));
}

TEST(SensitivityPanel, IsThereForEveryPresetAndEveryMetric) {
    for (const char* preset : {"gpt2", "deepseek-v3", "mixtral-8x7b"}) {
        Stage stage = stage_of(draw_what_if_panel, WhatIfTab::sensitivity, preset);
        stage.session.view.costs.price = "2";
        for (const MetricInfo& metric : metrics) {
            headcount::apply(stage.session, Intents{AtWhatIf{SetSensitivity{metric.metric}}});
            stage.frame();
            EXPECT_TRUE(stage.has("sensitivity.chart")) << preset << " " << metric.key;
        }
    }
}

TEST(ShelfPanel, APointOpensItsPreset) {
    Stage stage = stage_of(draw_what_if_panel, WhatIfTab::shelf);
    stage.press("shelf.chart.kimi-k2");
    ASSERT_TRUE(stage.last<OpenPreset>());
    EXPECT_EQ(stage.last<OpenPreset>()->id, "kimi-k2");
}

TEST(ShelfPanel, EveryPresetHasAPointOnEveryAxisWhereItIsKnown) {
    Stage stage = stage_of(draw_what_if_panel, WhatIfTab::shelf);
    for (std::size_t i = 0; i < shelf_axis_keys.size(); ++i) {
        headcount::apply(stage.session,
                         Intents{AtWhatIf{SetShelf{{ShelfAxis::total, static_cast<ShelfAxis>(i), true, i % 2 == 0}}}});
        stage.frame();
        const bool of_cache = shelf_axis_keys[i] == "kv_cache_per_token";
        for (const Preset& preset : test::all_presets()) {
            const Architecture& arch = preset.architecture;
            const bool caches = attends(arch) && !sees_all(arch);
            const bool known = of_cache ? caches : i > 0 || preset.year;
            EXPECT_EQ(stage.has("shelf.chart." + preset.id), known) << preset.id << shelf_axis_keys[i];
        }
    }
}

TEST(ShelfPanel, ShowsOneKindOfModelsAlone) {
    Stage stage = stage_of(draw_what_if_panel, WhatIfTab::shelf);
    for (const ShelfForm form : {ShelfForm::chart, ShelfForm::tree}) {
        ShelfPlace place{.kind = ModelKind::image, .form = form};
        headcount::apply(stage.session, Intents{AtWhatIf{SetShelf{place}}});
        stage.frame();
        stage.frame();
        const std::string prefix = form == ShelfForm::tree ? "shelf.tree." : "shelf.chart.";
        for (const Preset& preset : test::all_presets()) {
            const bool shown = kind_of(preset.architecture) == ModelKind::image;
            EXPECT_EQ(stage.has(prefix + preset.id), shown) << preset.id;
        }
    }
}

TEST(ShelfPanel, TheFamilyTreeHasEveryModelOfAYearAndAPressOpensIt) {
    Stage stage = stage_of(draw_what_if_panel, WhatIfTab::shelf);
    headcount::apply(stage.session, Intents{AtWhatIf{SetShelf{{.form = ShelfForm::tree}}}});
    stage.frame();
    for (const Preset& preset : test::all_presets())
        EXPECT_EQ(stage.has("shelf.tree." + preset.id), preset.year.has_value()) << preset.id;
    stage.press("shelf.tree.kimi-k2");
    ASSERT_TRUE(stage.last<OpenPreset>());
    EXPECT_EQ(stage.last<OpenPreset>()->id, "kimi-k2");
    stage.press("shelf.tree.save");
    ASSERT_TRUE(stage.last<AskForFile>());
    EXPECT_EQ(stage.last<AskForFile>()->task, FileTask::chart_svg);
    EXPECT_NE(stage.last<AskForFile>()->chart.text.find(">Kimi K2<"), std::string::npos);
}

TEST(ShelfPanel, OnTheWholeFamilyTreeNamesStandWhereTheyHaveRoomAndTheModelsOwnDoes) {
    Stage stage = stage_of(draw_what_if_panel, WhatIfTab::shelf);
    headcount::apply(stage.session, Intents{AtWhatIf{SetShelf{{.form = ShelfForm::tree}}}});
    stage.frame();
    const std::string own = "shelf.name." + stage.session.document.preset;
    EXPECT_TRUE(stage.has(own));
    std::vector<NamedRect> names;
    for (const NamedRect& each : stage.screen.recorder.all())
        if (each.name.starts_with("shelf.name.")) names.push_back(each);
    EXPECT_GT(names.size(), 40U);
    for (const NamedRect& a : names)
        for (const NamedRect& b : names) {
            const bool apart = a.max.x <= b.min.x || b.max.x <= a.min.x || a.max.y <= b.min.y || b.max.y <= a.min.y;
            EXPECT_TRUE(apart || a.name == b.name) << a.name << " and " << b.name;
        }
}

TEST(ShelfPanel, ModelsAreRowsOfATableBelowTheModelAsItIs) {
    Stage stage = stage_of(draw_what_if_panel, WhatIfTab::shelf);
    const ShelfPlace place{.x = ShelfAxis::total, .kind = ModelKind::state, .form = ShelfForm::table};
    headcount::apply(stage.session, Intents{AtWhatIf{SetShelf{place}}});
    stage.frame();
    stage.frame();
    const auto top = [&](const std::string& id) { return stage.screen.recorder.find("shelf.table.row." + id)->min.y; };
    ASSERT_TRUE(stage.has("shelf.table.row.mamba-130m") && stage.has("shelf.table.row.mamba-2.8b"));
    EXPECT_LT(top("mamba-130m"), top("mamba-2.8b"));
    EXPECT_FALSE(stage.has("shelf.table.row.gpt2")) << "a decoder without a state";
    stage.press("shelf.table.row.mamba-2.8b");
    ASSERT_TRUE(stage.last<OpenPreset>());
    EXPECT_EQ(stage.last<OpenPreset>()->id, "mamba-2.8b");
    Document edited = stage.session.document;
    edited.architecture.layers = 40;
    headcount::apply(stage.session, Intents{Replace{edited, Field::layers}});
    stage.frame();
    ASSERT_TRUE(stage.has("shelf.table.row.document"));
    EXPECT_LT(top("document"), top("mamba-130m"));
}

TEST(ShelfPanel, AnEditedModelIsAPointOfItsOwn) {
    Stage stage = stage_of(draw_what_if_panel, WhatIfTab::shelf);
    stage.frame();
    EXPECT_FALSE(stage.has("shelf.chart.document"));
    Document edited = stage.session.document;
    edited.architecture.layers = 40;
    headcount::apply(stage.session, Intents{Replace{edited, Field::layers}});
    stage.frame();
    EXPECT_TRUE(stage.has("shelf.chart.document"));
}

}  // namespace
}  // namespace headcount
