// One table, four ways to write it; and what stands in the program's tables.
#include "core/report/tables.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "core/analysis/checkpoint_names.hpp"
#include "core/report/table.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/counted.hpp"

namespace headcount {
namespace {

using testing_data::CountedArchitecture;
using testing_data::preset;

const Table small{{{"name"}, figures("count")}, {{"h·d_h", std::int64_t{4096}}, {"d", std::int64_t{12}}}};

TEST(Csv, QuotesWhatMustBeQuotedAndWritesNumbersPlain) {
    EXPECT_EQ(csv(small), "name,count\r\nh·d_h,4096\r\nd,12\r\n");
    const Table changes{
        {{"name"}, figures("change")},
        {{"h", ChangeCell{std::int64_t{12'345}}}, {"d", ChangeCell{std::int64_t{-6}}}, {"s", ChangeCell{0.5}}}};
    EXPECT_EQ(csv(changes), "name,change\r\nh,12345\r\nd,-6\r\ns,0.5\r\n") << "numbers for programs";
    EXPECT_EQ(for_people(changes.rows[0][1]), "+12,345");
    EXPECT_EQ(for_people(changes.rows[2][1]), "+0.5");
    Table awkward{{{"a,b"}, {"c"}}, {{"say \"hi\"", "two\nlines"}, {" space ", ""}}};
    EXPECT_EQ(csv(awkward), "\"a,b\",c\r\n\"say \"\"hi\"\"\",\"two\nlines\"\r\n\" space \",\r\n");
}

TEST(Markdown, AlignsNumbersRightAndKeepsCellsTogether) {
    EXPECT_EQ(markdown(small), "| name | count |\n|---|---:|\n| h·d_h | 4,096 |\n| d | 12 |\n");
    Table awkward{{{"a|b"}}, {{"1\n2 <b> *x*"}}};
    EXPECT_EQ(markdown(awkward), "| a\\|b |\n|---|\n| 1 2 \\<b> \\*x\\* |\n");
}

TEST(TextTable, AlignsByWhatIsSeenAndNotByBytes) {
    std::ostringstream out;
    write_text(out, small);
    EXPECT_EQ(out.str(), "name   count\n-----  -----\nh·d_h  4,096\nd         12\n");
    EXPECT_EQ(display_width("h·d_h"), 5u);
    EXPECT_EQ(display_width("模型"), 4u);
    EXPECT_EQ(display_width("e\u0301"), 1u);
    EXPECT_EQ(display_width("\xff\xfe"), 2u);
    EXPECT_EQ(display_width(""), 0u);
}

TEST(TextTable, MarksFiguresThatAreAboutKnownAndNothingElse) {
    const Table table{{{"name"}, known("asked"), figures("count"), {"A", ColumnKind::of_a}, {"B", ColumnKind::of_b}},
                      {{"12", std::int64_t{8}, std::int64_t{4096}, ChangeCell{std::int64_t{3}}, "5 %"},
                       {"x", "2", "", "none", "≈ 7"}}};
    const Table first = marked(table, "≈ "), second = marked(table, "", "≈ ");
    EXPECT_EQ(first.rows[0], (std::vector<ReportCell>{"12", std::int64_t{8}, "≈ 4,096", "≈ +3", "5 %"}));
    EXPECT_EQ(first.rows[1], table.rows[1]) << "no figure, or marked as it is";
    EXPECT_EQ(second.rows[0],
              (std::vector<ReportCell>{"12", std::int64_t{8}, "≈ 4,096", ChangeCell{std::int64_t{3}}, "≈ 5 %"}));
    EXPECT_EQ(marked(table, ""), table);
}

TEST(TextTable, ANameCannotSteerTheTerminal) {
    std::ostringstream out;
    write_text(out, {{{"name"}}, {{"red\x1b[31m\n"}}});
    EXPECT_EQ(out.str().find('\x1b'), std::string::npos);
    EXPECT_EQ(out.str(), "name\n---------\nred?[31m?\n");
}

TEST(Tables, RowsAreAsLongAsTheirColumnsInEveryPreset) {
    for (const Preset& each : testing_data::all_presets()) {
        const CountedArchitecture counted(each.architecture);
        std::vector<ActivationRow> rows = *activations(counted.graph, counted.bindings, {});
        for (const Table& table :
             {parameters_table(counted.graph, counted.parameters), tensors_table(counted.graph, counted.parameters),
              activations_table(counted.graph, rows, counted.bindings), architecture_table(each.architecture)}) {
            EXPECT_FALSE(table.rows.empty());
            for (const std::vector<ReportCell>& row : table.rows) EXPECT_EQ(row.size(), table.columns.size());
        }
    }
}

TEST(Tables, AFieldThatNothingReadsIsNoRow) {
    const auto has = [](const char* id, std::string_view key) {
        const Table table = architecture_table(preset(id));
        return std::ranges::any_of(table.rows, [&](const auto& row) { return row[1] == ReportCell(std::string(key)); });
    };
    for (const char* key : {"heads", "kv_heads", "ffn_dim"}) {
        EXPECT_FALSE(has("mamba2-2.7b", key)) << key;
        EXPECT_TRUE(has("llama-2-7b", key)) << key;
    }
    for (const char* key : {"key_bias", "ffn_input_bias", "classes", "relative_buckets"})
        EXPECT_FALSE(has("qwen3-32b", key)) << key;
}

TEST(Tables, ActivationsSayOfWhichLayersTheyAreWhereLayersDiffer) {
    const CountedArchitecture counted(preset("gemma-2-2b"));
    const Table table =
        activations_table(counted.graph, *head_activations(counted.graph, counted.bindings, {}), counted.bindings);
    EXPECT_EQ(table.columns.back().name, "layers");
    EXPECT_EQ(table.rows.front().back(), ReportCell("sliding (13)"));
    EXPECT_EQ(table.rows.back().back(), ReportCell("full (13)"));
    const CountedArchitecture alike(preset("llama-2-7b"));
    const Table plain =
        activations_table(alike.graph, *head_activations(alike.graph, alike.bindings, {}), alike.bindings);
    EXPECT_NE(plain.columns.back().name, "layers") << "of layers that are all alike it says nothing";
}

TEST(Tables, APresetShowsTheLastPieceOfItsSource) {
    std::vector<PresetRow> rows;
    for (const char* source :
         {"Paper, arXiv:2310.06825; Hugging Face owner/name", "Paper, arXiv:2310.06825", "own", "a,",
          "Paper, arXiv:2405.21060; Hugging Face owner/name, in another form (d_model, n_layer)"})
        rows.push_back({"id", "Name", "Family", 2023, 7, source, ""});
    Table table = presets_table(rows);
    EXPECT_EQ(table.rows[0].back(), ReportCell("Hugging Face owner/name"));
    EXPECT_EQ(table.rows[1].back(), ReportCell("arXiv:2310.06825"));
    EXPECT_EQ(table.rows[2].back(), ReportCell("own"));
    EXPECT_EQ(table.rows[3].back(), ReportCell("a")) << "nothing follows";
    EXPECT_EQ(table.rows[4].back(), ReportCell("Hugging Face owner/name")) << "the rest is no address";
}

TEST(Tables, ComponentsEndWithTheTotal) {
    const CountedArchitecture counted(preset("llama-2-7b"));
    Table table = parameters_table(counted.graph, counted.parameters);
    ASSERT_EQ(table.rows.size(), 6u);
    EXPECT_EQ(table.rows[2],
              (std::vector<ReportCell>{"Feed-forward", std::int64_t{4328521728}, "64.2 %", "L·3·d·d_ff"}));
    EXPECT_EQ(table.rows.back()[1], ReportCell(std::int64_t{6738415616}));
    const CountedArchitecture tied(preset("gpt2"));
    EXPECT_EQ(parameters_table(tied.graph, tied.parameters).rows.size(), 5u) << "a tied head is no row of its own";
}

TEST(CheckpointNames, AreVisitedInTheOrderOfAStateDict) {
    const CountedArchitecture counted(testing_data::with(preset("llama-2-7b"), "layers", "12"));
    std::vector<std::string> names;
    for_each_tensor(counted.architecture, counted.graph, counted.parameters, {},
                    [&](const ParameterRow& row, auto place) {
                        names.push_back(name_at(counted.graph.stored[row.stored].name, place));
                        return true;
                    });
    ASSERT_EQ(names.size(), 3u + 12 * 9);
    EXPECT_EQ(static_cast<std::int64_t>(names.size()),
              tensor_count(counted.parameters, counted.architecture, counted.graph, {}));
    EXPECT_EQ(names[0], "model.embed_tokens.weight");
    EXPECT_EQ(names[1], "model.layers.0.self_attn.q_proj.weight");
    EXPECT_EQ(names[9], "model.layers.0.post_attention_layernorm.weight");
    EXPECT_EQ(names[10], "model.layers.1.self_attn.q_proj.weight");
    EXPECT_EQ(names[1 + 11 * 9], "model.layers.11.self_attn.q_proj.weight");
    EXPECT_EQ(names.back(), "lm_head.weight");
}

TEST(CheckpointNames, AWalkEndsWhenItIsToldTo) {
    const CountedArchitecture counted(testing_data::with(preset("llama-2-7b"), "layers", "10000000000"));
    int visited = 0;
    for_each_tensor(counted.architecture, counted.graph, counted.parameters, {},
                    [&](const ParameterRow&, auto) { return ++visited < 1000; });
    EXPECT_EQ(visited, 1000);
    EXPECT_EQ(tensor_count(counted.parameters, counted.architecture, counted.graph, {}), 90'000'000'003);
    EXPECT_EQ(tensor_count(counted.parameters, counted.architecture, counted.graph, 5), 9);
}

}  // namespace
}  // namespace headcount
