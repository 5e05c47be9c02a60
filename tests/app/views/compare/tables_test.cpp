// Claims about Compare's tables and about the bar that chooses its models.
#include "app/bars/panels.hpp"
#include "app/state/compare/numbers.hpp"
#include "core/analysis/memory.hpp"
#include "core/base/text.hpp"
#include "tests/app/views/compare/bench.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/small_model.hpp"
#include "tests/support/top_bar.hpp"

namespace headcount {
namespace {

using test::ask;
using test::both_of;
using test::compare;
using test::CompareBench;
using test::last_cell;
using test::narrow_bar;
using test::row_of;
using test::session_of;
using test::table_of;
using test::tables_panel;
using test::tables_size;
using test::wide_bar;

TEST(CompareTables, ListEveryTensorThatDiffersWithItsReasonAndTheSum) {
    Session session = session_of("llama-2-7b");
    compare(session);
    const CompareTable table = table_of(session, CompareTab::changed);
    ASSERT_EQ(table.rows.size(), 8U);
    EXPECT_EQ(table.remark, "162 of 291 tensors change, 129 stay the same · shapes as stored, [out, in]");
    const CompareRow* const key = row_of(table, "layer.attention.key.weight");
    ASSERT_NE(key, nullptr);
    const std::array<const char*, 10> cells{"model.layers.*.self_attn.k_proj.weight",
                                            "32",
                                            "[4096, 4096]",
                                            "",
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

TEST(CompareTables, NumbersOfTwoFilesAreATableAndColoursOfBothDiagrams) {
    const testing_data::Scratch scratch;
    Session session = session_of("gpt2");
    ask(session, OpenFile{write_filled_model(scratch, "a")});
    ask(session, ShowWorkspace{compare_view});
    ask(session, AtCompare{CompareWithFile{write_filled_model(scratch, "b", "model.layers.1.mlp.up_proj.weight")}});
    ask(session, AtCompare{ShowCompareTab{CompareTab::numbers}});
    session.comparison.finder->wait_until_calm();
    ask(session, AtCompare{TakeNumbers{}});
    const CompareTable table = table_of(session, CompareTab::numbers);
    ASSERT_EQ(table.failure, "");
    ASSERT_EQ(table.rows.size(), 22U);
    EXPECT_LE(table.columns.size(), static_cast<std::size_t>(most_columns));
    for (const CompareRow& row : table.rows) EXPECT_EQ(row.cells.size(), table.columns.size()) << row.name;
    const CompareRow* const up = row_of(table, "model.layers.1.mlp.up_proj.weight");
    ASSERT_NE(up, nullptr);
    const std::array<const char*, 7> cells{
        "model.layers.1.mlp.up_proj.weight", "BF16", "BF16", "", "50.0 %", "0.00°", "0.500000"};
    for (std::size_t i = 0; i < cells.size(); ++i) EXPECT_EQ(for_people(up->cells[i]), cells[i]);
    EXPECT_TRUE(row_of(table, "model.layers.0.mlp.up_proj.weight")->low);
    const auto heat = heat_of_numbers(both_of(session));
    EXPECT_EQ(heat.at("layer.feed_forward.up.weight"), 1);
    EXPECT_EQ(heat.at("layer.feed_forward.gate.weight"), 0);
    ask(session, AtCompare{ShowCompareTab{CompareTab::all}});
    EXPECT_TRUE(heat_of_numbers(both_of(session)).empty()) << "in its own colours as long as another table is open";
}

TEST(CompareTables, EveryRowHasACellForEveryColumn) {
    for (const char* b : {"llama-3-8b", "mixtral-8x7b", "deepseek-v3", "gpt2", "gemma-2-2b"}) {
        Session session = session_of("llama-2-7b");
        compare(session, b);
        for (std::size_t tab = 0; tab < compare_tab_keys.size(); ++tab) {
            if (static_cast<CompareTab>(tab) == CompareTab::numbers) continue;  // of files alone
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

TEST(CompareTables, MemoryCountsCachedTokensAsTheMemoryOfAllDoes) {
    Session session = session_of("llama-2-7b");
    Document document = session.document;
    document.input.tokens = 1;
    document.input.cached = 2047;
    ask(session, Replace{document});
    compare(session);
    const CompareTable table = table_of(session, CompareTab::memory);
    const CompareRow* const cache = row_of(table, "cache");
    ASSERT_NE(cache, nullptr);
    EXPECT_EQ(for_people(cache->cells[1]), "1.00 GiB") << "of 2,048 tokens, not of the new one";
    for (const auto& [column, side] :
         {std::pair(std::size_t{3}, &both_of(session).of(CompareSide::a)), {std::size_t{4}, &both_of(session).other}}) {
        const Architecture& arch = side->document.architecture;
        const Bindings all = bindings(arch, Input{.tokens = 2048});
        const Memory whole = *memory(arch, expand(arch), all, {});
        EXPECT_EQ(cache->cells[column], ReportCell(whole.cache.bytes)) << "as headcount memory --tokens 2048 says";
    }
}

TEST(CompareTables, HaveAnArrowBetweenShapesThatIsNotInTheirCsv) {
    CompareBench bench(tables_panel, tables_size);
    const CompareTable table = table_of(bench.session, CompareTab::changed);
    ASSERT_TRUE(table.sides);
    EXPECT_EQ(table.columns.size(), 10u);
    const std::string text = compare_csv(table, "");
    EXPECT_EQ(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find('\n')), ','), 7);
}

TEST(CompareTables, ARowIsSelectedAndTheTabIsAnother) {
    CompareBench bench(tables_panel, tables_size);
    bench.press("compare.table.row.layer.feed_forward.up.weight");
    EXPECT_EQ(subject_key(bench.session.look.selection), "layer.feed_forward.up.weight");
    bench.press("compare.tab.memory");
    bench.frames(3);
    EXPECT_TRUE(bench.has("compare.table.row.cache"));
    bench.press("compare.tab.compute");
    bench.frames(3);
    EXPECT_TRUE(bench.has("compare.table.row.layer.attention.queries"));
}

TEST(CompareTables, AreCopiedAsCsv) {
    CompareBench bench(tables_panel, tables_size);
    bench.press("compare.copy");
    ASSERT_EQ(bench.all<Copy>().size(), 1U);
    const std::string text = bench.all<Copy>().front().text;
    EXPECT_NE(text.find("lm_head.weight,1,"), std::string::npos) << text;
    EXPECT_NE(text.find("131072000,525336576"), std::string::npos) << text;
}

TEST(CompareTables, TwoThatAreAlikeSaySo) {
    CompareBench bench(tables_panel, tables_size);
    compare(bench.session, "llama-2-7b");
    bench.frames(3);
    EXPECT_TRUE(bench.has("compare.none"));
}

TEST(CompareBar, HasBothModelsASwapAndTheSignedDifference) {
    for (const ImVec2 window : {wide_bar, narrow_bar}) {
        CompareBench bench(test::draw_bar, window);
        for (const char* name :
             {"topbar.preset", "topbar.swap", "topbar.other", "topbar.file", "topbar.view", "topbar.total"})
            EXPECT_TRUE(std::any_of(bench.screen.recorder.all().begin(), bench.screen.recorder.all().end(),
                                    [&](const NamedRect& rect) { return rect.name.starts_with(name); }))
                << name;
        if (window.x == wide_bar.x) {  // a narrow one has no mark to copy by
            bench.press("topbar.copy");
            ASSERT_EQ(bench.all<Copy>().size(), 1U);
            EXPECT_EQ(bench.all<Copy>().front().text, "+1,291,845,632");
        }
        bench.press("topbar.swap");
        EXPECT_EQ(bench.session.document.preset, "llama-3-8b");
    }
}

TEST(CompareBar, TheOtherModelIsChosenByName) {
    CompareBench bench(test::draw_bar, wide_bar);
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
    CompareBench bench(test::draw_bar, wide_bar);
    bench.press("topbar.other");
    bench.frames(2);
    bench.screen.hands.text("a file");
    bench.frames(2);
    bench.press("topbar.other.file");
    ASSERT_EQ(bench.session.view.task, FileTask::open_other);
    testing_data::Scratch scratch;
    ask(bench.session, AtCompare{CompareWithFile{scratch.file("b.json", "{")}});
    EXPECT_NE(bench.session.view.notice.text.find("b.json"), std::string::npos) << bench.session.view.notice.text;
    EXPECT_EQ(bench.session.view.task, FileTask::open_other) << "another file can be chosen";
    const std::string file =
        scratch.file("b.json", R"({"model_type": "llama", "hidden_size": 512, "num_hidden_layers": 2,
        "num_attention_heads": 8, "intermediate_size": 1024, "vocab_size": 1000})");
    ask(bench.session, AtCompare{CompareWithFile{file}});
    ASSERT_TRUE(bench.session.document.with) << bench.session.view.notice.text;
    EXPECT_EQ(bench.session.document.with->architecture.dim, 512);
    EXPECT_FALSE(bench.session.view.task);
}

TEST(CompareBar, OtherViewsHaveOneModel) {
    CompareBench bench(test::draw_bar, wide_bar);
    ask(bench.session, ShowWorkspace{explore_view});
    bench.frames(3);
    EXPECT_FALSE(bench.has("topbar.other"));
    EXPECT_FALSE(bench.has("topbar.swap"));
}

}  // namespace
}  // namespace headcount
