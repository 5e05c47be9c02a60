// Claims about Compare's panels: what a side's head shows and edits, what the waterfall and the tables say.
#include "app/panels/compare.hpp"

#include <algorithm>

#include "app/panels/compare_figures.hpp"
#include "app/panels/compare_rows.hpp"
#include "app/panels/compare_steps.hpp"
#include "core/base/text.hpp"
#include "tests/app/panels/workbench.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using test::all_presets;
using test::session_of;
using test::Workbench;

const ImVec2 head_size(500, 84), split_size(600, 560), tables_size(1600, 340), wide_bar(1600, 48), narrow_bar(1280, 48);

Intents head_a(const Ui& ui, const Session& session) {
    return draw_compare_head(ui, session, CompareSide::a);
}
Intents head_b(const Ui& ui, const Session& session) {
    return draw_compare_head(ui, session, CompareSide::b);
}

void ask(Session& session, const Intent& intent) {
    headcount::apply(session, Intents{intent});
}

void compare(Session& session, std::string_view b = "llama-3-8b") {
    ask(session, ShowWorkspace{Workspace::compare});
    ask(session, AtCompare{CompareWithPreset{std::string(b)}});
}

// Llama 2 7B beside Llama 3 8B.
class CompareBench : public Workbench {
  public:
    CompareBench(test::DrawPanel draw, ImVec2 window) : Workbench(draw, "llama-2-7b", window) {
        compare(session);
        frames(3);
    }
};

BothSides both_of(const Session& session) {
    return *both_sides(session);
}

CompareTable table_of(const Session& session, CompareTab tab) {
    return compare_table(dark_theme(), both_of(session), tab);
}

const CompareRow* row_of(const CompareTable& table, std::string_view name) {
    const auto found =
        std::find_if(table.rows.begin(), table.rows.end(), [&](const CompareRow& row) { return row.name == name; });
    return found == table.rows.end() ? nullptr : &*found;
}

std::string last_cell(const CompareTable& table, std::string_view name) {
    const CompareRow* const row = row_of(table, name);
    return row ? for_people(row->cells.back()) : "no such row";
}

TEST(CompareHead, HasAChipForEachFieldAndOpensItsEditor) {
    CompareBench bench(head_a, head_size);
    for (const char* field : {"dim", "layers", "heads", "kv_heads", "ffn_dim", "vocab", "context"})
        EXPECT_TRUE(bench.has(std::string("compare.a.field.") + field)) << field;
    EXPECT_FALSE(bench.has("compare.editor"));
    bench.press("compare.a.field.kv_heads");
    bench.frames(3);
    ASSERT_TRUE(bench.has("compare.editor"));
    EXPECT_TRUE(bench.has("architecture.kv_heads.field"));
    bench.press("compare.a.take");
    EXPECT_EQ(field_number(bench.arch(), Field::kv_heads), 8);
}

TEST(CompareHead, EditsTheOtherModelAndNotTheDocument) {
    CompareBench bench(head_b, head_size);
    const Architecture before = bench.arch();
    bench.press("compare.b.field.layers");
    bench.frames(3);
    bench.type("architecture.layers.field", "16");
    EXPECT_EQ(bench.arch(), before);
    ASSERT_TRUE(bench.session.document.with);
    EXPECT_EQ(bench.session.document.with->architecture.layers, 16);
    bench.press("compare.b.give");
    EXPECT_EQ(bench.arch().layers, 16);
}

TEST(CompareHead, ThoseThatDifferAreTheLastToGiveWay) {
    CompareBench bench(head_a, ImVec2(330, 84));
    for (const char* field : {"kv_heads", "ffn_dim", "vocab"})
        EXPECT_TRUE(bench.has(std::string("compare.a.field.") + field)) << field;
    EXPECT_FALSE(bench.has("compare.a.field.dim")) << "there is no room for all";
}

TEST(CompareSplit, StepsSumToTheDifferenceHoweverItIsSplit) {
    for (const auto& [a, b] : {std::pair("llama-2-7b", "llama-3-8b"),
                               {"llama-2-7b", "mixtral-8x7b"},
                               {"gpt2", "deepseek-v3"},
                               {"deepseek-v3", "gpt2"}}) {
        Session session = session_of(a);
        compare(session, b);
        const BothSides both = both_of(session);
        for (const CompareSplit split : {CompareSplit::component, CompareSplit::kind, CompareSplit::field}) {
            double sum = 0;
            for (const CompareStep& step : compare_steps(dark_theme(), both, split)) sum += step.step.change;
            EXPECT_NEAR(sum, static_cast<double>(both.difference->total), 1) << a << " " << b;
        }
    }
}

TEST(CompareSplit, IsSwitchedByTheSegments) {
    CompareBench bench(draw_compare_split, split_size);
    EXPECT_TRUE(bench.has("compare.waterfall.feed_forward"));
    bench.press("compare.split.field");
    bench.frames(3);
    EXPECT_EQ(bench.session.view.compare.split, CompareSplit::field);
    EXPECT_TRUE(bench.has("compare.waterfall.vocab"));
    bench.press("compare.waterfall.vocab");
    EXPECT_EQ(subject_key(bench.session.view.selection), "field.vocab");
}

TEST(CompareSplit, SaysInSymbolsWhereItComesFrom) {
    Session session = session_of("llama-2-7b");
    compare(session);
    const auto steps = compare_steps(dark_theme(), both_of(session), CompareSplit::component);
    ASSERT_EQ(steps.size(), 5U);
    EXPECT_EQ(steps[2].step.text, "-805,306,368");
    EXPECT_EQ(steps[2].step.formula, "2·L·d·d_h·Δh_kv");
    EXPECT_EQ(steps[3].step.text, "+1,308,622,848");
    EXPECT_EQ(steps[3].step.second, "3·32·4096·3328");
    EXPECT_EQ(steps[4].step.formula, "no change");
}

TEST(CompareSplit, SaysWhyTheOtherModelIsThere) {
    Workbench bench(draw_compare_split, "llama-2-7b", split_size);
    ask(bench.session, ShowWorkspace{Workspace::compare});
    bench.frames(3);
    EXPECT_TRUE(bench.has("compare.why"));
    compare(bench.session);
    bench.frames(3);
    EXPECT_FALSE(bench.has("compare.why")) << "somebody has chosen it";
}

TEST(CompareSplit, AnImpossibleOtherModelIsMendedWhereItIsSaid) {
    CompareBench bench(draw_compare_split, ImVec2(600, 900));
    const Architecture wrong = *with_field(bench.session.document.with->architecture, Field::heads, "7");
    ask(bench.session, AtCompare{ReplaceOther{wrong, Field::heads}});
    bench.frames(3);
    ASSERT_TRUE(bench.has("compare.b.problem.error"));
    EXPECT_FALSE(bench.has("compare.a.problem.error"));
}

TEST(CompareFigures, AreTheKnownCachesAndSizes) {
    Session session = session_of("llama-2-7b");
    compare(session);
    const auto figures = compare_figures(both_of(session));
    EXPECT_EQ(figures[0].bytes[0], 2 * 6'738'415'616);
    EXPECT_EQ(figures[1].bytes[0], 512 * 1024) << "published";
    EXPECT_EQ(figures[1].bytes[1], 128 * 1024) << "published";
    EXPECT_EQ(figures[2].bytes[0], std::int64_t{2} << 30);
    EXPECT_EQ(figures[2].bytes[1], std::int64_t{1} << 30);
}

TEST(CompareFigures, SayWhatFewerHeadsMeanOnlyWhereThatIsAllThatMakesTheCache) {
    Session session = session_of("llama-2-7b");
    compare(session);
    EXPECT_EQ(compare_sentence(both_of(session)),
              "8 KV heads instead of 32: each serves 4 query heads, so the cache of a token is 4× smaller.");
    compare(session, "llama-3-70b");
    EXPECT_EQ(compare_sentence(both_of(session)).find("KV head"), std::string::npos) << "the layers differ too";
    compare(session, "llama-2-7b");
    EXPECT_EQ(compare_sentence(both_of(session)), "The two do not differ.");
}

TEST(CompareTables, ListEveryTensorThatDiffersWithItsReasonAndTheSum) {
    Session session = session_of("llama-2-7b");
    compare(session);
    const CompareTable table = table_of(session, CompareTab::changed);
    ASSERT_EQ(table.rows.size(), 8U);
    EXPECT_EQ(table.remark, "162 of 291 tensors change, 129 stay the same · shapes as stored, [out, in]");
    const CompareRow* const key = row_of(table, "layer.attention.key.weight");
    ASSERT_NE(key, nullptr);
    const std::array<const char*, 9> cells{"model.layers.*.self_attn.k_proj.weight",
                                           "32",
                                           "[4096, 4096]",
                                           "[1024, 4096]",
                                           "h_kv",
                                           "16,777,216",
                                           "4,194,304",
                                           "",
                                           "-402,653,184"};
    for (std::size_t i = 0; i < cells.size(); ++i) EXPECT_EQ(for_people(key->cells[i]), cells[i]);
    EXPECT_EQ(last_cell(table, "sum"), "+1,291,845,632");
}

TEST(CompareTables, ChangesSumToTheDifferenceInEveryTab) {
    Session session = session_of("llama-2-7b");
    compare(session, "mixtral-8x7b");
    for (const CompareTab tab : {CompareTab::changed, CompareTab::all, CompareTab::compute}) {
        const CompareTable table = table_of(session, tab);
        std::int64_t sum = 0;
        for (const CompareRow& row : table.rows)
            if (!row.strong) sum += row.change;
        EXPECT_EQ(signed_grouped(sum), last_cell(table, "sum"));
    }
}

TEST(CompareTables, EveryRowHasACellForEveryColumn) {
    for (const char* b : {"llama-3-8b", "mixtral-8x7b", "deepseek-v3", "gpt2", "gemma-2-2b"}) {
        Session session = session_of("llama-2-7b");
        compare(session, b);
        for (std::size_t tab = 0; tab < compare_tab_keys.size(); ++tab) {
            const CompareTable table = table_of(session, static_cast<CompareTab>(tab));
            EXPECT_TRUE(table.failure.empty()) << b << ": " << table.failure;
            EXPECT_LE(table.columns.size(), static_cast<std::size_t>(most_columns));
            EXPECT_FALSE(table.rows.empty());
            for (const CompareRow& row : table.rows) EXPECT_EQ(row.cells.size(), table.columns.size()) << row.name;
        }
    }
}

TEST(CompareTables, MemoryHasWhatIsPublished) {
    Session session = session_of("llama-2-7b");
    compare(session);
    const CompareTable table = table_of(session, CompareTab::memory);
    const CompareRow* const cache = row_of(table, "cache.per_token");
    ASSERT_NE(cache, nullptr);
    EXPECT_EQ(for_people(cache->cells[1]), "512 KiB");
    EXPECT_EQ(for_people(cache->cells[2]), "128 KiB");
}

TEST(CompareTables, ARowIsSelectedAndTheTabIsAnother) {
    CompareBench bench(draw_compare_tables, tables_size);
    bench.press("compare.table.row.layer.feed_forward.up.weight");
    EXPECT_EQ(subject_key(bench.session.view.selection), "layer.feed_forward.up.weight");
    bench.press("compare.tab.memory");
    bench.frames(3);
    EXPECT_TRUE(bench.has("compare.table.row.cache"));
    bench.press("compare.tab.compute");
    bench.frames(3);
    EXPECT_TRUE(bench.has("compare.table.row.layer.attention.queries"));
}

TEST(CompareTables, AreCopiedAsCsv) {
    CompareBench bench(draw_compare_tables, tables_size);
    bench.press("compare.copy");
    ASSERT_EQ(bench.all<Copy>().size(), 1U);
    const std::string text = bench.all<Copy>().front().text;
    EXPECT_NE(text.find("lm_head.weight,1,"), std::string::npos) << text;
    EXPECT_NE(text.find("131072000,525336576"), std::string::npos) << text;
}

TEST(CompareTables, TwoThatAreAlikeSaySo) {
    CompareBench bench(draw_compare_tables, tables_size);
    compare(bench.session, "llama-2-7b");
    bench.frames(3);
    EXPECT_TRUE(bench.has("compare.none"));
}

TEST(CompareBar, HasBothModelsASwapAndTheSignedDifference) {
    for (const ImVec2 window : {wide_bar, narrow_bar}) {
        CompareBench bench(draw_top_bar, window);
        for (const char* name :
             {"topbar.preset", "topbar.swap", "topbar.other", "topbar.file", "topbar.view", "topbar.total"})
            EXPECT_TRUE(std::any_of(bench.screen.recorder.all().begin(), bench.screen.recorder.all().end(),
                                    [&](const NamedRect& rect) { return rect.name.starts_with(name); }))
                << name;
        bench.press("topbar.copy");
        ASSERT_EQ(bench.all<Copy>().size(), 1U);
        EXPECT_EQ(bench.all<Copy>().front().text, "+1,291,845,632");
        bench.press("topbar.swap");
        EXPECT_EQ(bench.session.document.preset, "llama-3-8b");
    }
}

TEST(CompareBar, TheOtherModelIsChosenByName) {
    CompareBench bench(draw_top_bar, wide_bar);
    bench.press("topbar.other");
    bench.frames(2);
    bench.screen.hands.text("mistral-7b");
    bench.frames(2);
    const auto all = bench.screen.recorder.all();
    const auto item = std::find_if(all.begin(), all.end(),
                                   [](const NamedRect& rect) { return rect.name.starts_with("topbar.other.item."); });
    ASSERT_NE(item, all.end());
    const std::string name = item->name;
    bench.press(name);
    EXPECT_EQ(bench.session.document.with->preset, name.substr(std::string("topbar.other.item.").size()));
    EXPECT_EQ(bench.session.document.preset, "llama-2-7b");
}

TEST(CompareBar, AFileIsChosenByTheDialogOrGivesASentence) {
    CompareBench bench(draw_top_bar, wide_bar);
    bench.press("topbar.other");
    bench.frames(2);
    bench.screen.hands.text("a file");
    bench.frames(2);
    bench.press("topbar.other.file");
    ASSERT_EQ(bench.session.view.task, FileTask::open_other);
    testing_data::Scratch scratch;
    ask(bench.session, AtCompare{CompareWithFile{scratch.file("b.json", "{")}});
    EXPECT_NE(bench.session.view.notice.find("b.json"), std::string::npos) << bench.session.view.notice;
    EXPECT_EQ(bench.session.view.task, FileTask::open_other) << "another file can be chosen";
    const std::string file =
        scratch.file("b.json", R"({"model_type": "llama", "hidden_size": 512, "num_hidden_layers": 2,
        "num_attention_heads": 8, "intermediate_size": 1024, "vocab_size": 1000})");
    ask(bench.session, AtCompare{CompareWithFile{file}});
    ASSERT_TRUE(bench.session.document.with) << bench.session.view.notice;
    EXPECT_EQ(bench.session.document.with->architecture.dim, 512);
    EXPECT_FALSE(bench.session.view.task);
}

TEST(CompareBar, OtherViewsHaveOneModel) {
    CompareBench bench(draw_top_bar, wide_bar);
    ask(bench.session, ShowWorkspace{Workspace::explore});
    bench.frames(3);
    EXPECT_FALSE(bench.has("topbar.other"));
    EXPECT_FALSE(bench.has("topbar.swap"));
}

}  // namespace
}  // namespace headcount
