// Claims about Compare's panels: what a side's head shows and edits, what the waterfall says.
#include "app/views/compare/panels.hpp"
#include "core/base/text.hpp"
#include "tests/app/views/compare/bench.hpp"

namespace headcount {
namespace {

using test::ask;
using test::both_of;
using test::compare;
using test::CompareBench;
using test::head_a;
using test::head_b;
using test::head_size;
using test::session_of;
using test::split_panel;
using test::split_size;
using test::Workbench;

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

TEST(CompareHead, WhatHasNoRoomIsInAListThatOpensItsEditor) {
    CompareBench bench(head_a, ImVec2(500, 84));
    compare(bench.session, "gpt2");
    bench.frames(3);
    EXPECT_FALSE(bench.has("compare.a.field.activation"));
    ASSERT_TRUE(bench.has("compare.a.more"));
    bench.press("compare.a.more");
    bench.frames(3);
    ASSERT_TRUE(bench.has("compare.a.more.activation"));
    bench.press("compare.a.more.activation");
    bench.frames(3);
    ASSERT_TRUE(bench.has("compare.editor"));
    bench.press("compare.a.take");
    EXPECT_EQ(field_text(bench.arch(), Field::activation), "gelu_tanh");
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
            EXPECT_NEAR(sum, static_cast<double>(both.difference()->total), 1) << a << " " << b;
        }
    }
}

Intents split_and_head(const Ui& ui, const Session& session) {
    Intents all = split_panel(ui, session);
    const Intents of_head = head_a(ui, session);
    all.insert(all.end(), of_head.begin(), of_head.end());
    return all;
}

TEST(CompareSplit, AFieldsStepOpensItsEditor) {
    CompareBench bench(split_and_head, ImVec2(600, 900));
    bench.press("compare.split.field");
    bench.frames(3);
    EXPECT_TRUE(bench.has("compare.order"));
    bench.press("compare.waterfall.kv_heads");
    bench.frames(3);
    ASSERT_TRUE(bench.has("compare.editor"));
    bench.press("compare.a.take");
    EXPECT_EQ(field_number(bench.arch(), Field::kv_heads), 8);
}

TEST(CompareSplit, IsSwitchedByTheSegments) {
    CompareBench bench(split_panel, split_size);
    EXPECT_TRUE(bench.has("compare.waterfall.feed_forward"));
    bench.press("compare.split.field");
    bench.frames(3);
    EXPECT_EQ(bench.session.view.compare.split, CompareSplit::field);
    EXPECT_TRUE(bench.has("compare.waterfall.vocab"));
    bench.press("compare.waterfall.vocab");
    EXPECT_EQ(subject_key(bench.session.look.selection), "field.vocab");
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
    Workbench bench(split_panel, "llama-2-7b", split_size);
    ask(bench.session, ShowWorkspace{compare_view});
    bench.frames(3);
    EXPECT_TRUE(bench.has("compare.why"));
    compare(bench.session);
    bench.frames(3);
    EXPECT_FALSE(bench.has("compare.why")) << "somebody has chosen it";
}

TEST(CompareSplit, AnImpossibleOtherModelIsMendedWhereItIsSaid) {
    CompareBench bench(split_panel, ImVec2(600, 900));
    const Architecture wrong = *with_field(bench.session.document.with->architecture, Field::heads, "7");
    ask(bench.session, AtCompare{ReplaceOther{wrong, Field::heads}});
    bench.frames(3);
    ASSERT_TRUE(bench.has("compare.b.problem.error"));
    EXPECT_FALSE(bench.has("compare.a.problem.error"));
}

TEST(CompareFigures, AreWrittenWithFourDigitsOrAsTheChange) {
    using Texts = std::array<std::string, 2>;
    CompareFigure figure;
    figure.bytes = {13'476'831'232, 16'060'522'496};
    EXPECT_EQ(figure_texts(figure), (Texts{"12.55 GiB", "14.96 GiB"}));
    figure.bytes = {512 * 1024, 128 * 1024};
    EXPECT_EQ(figure_texts(figure), (Texts{"512 KiB", "128 KiB"}));
    figure.bytes = {13'476'831'232, 13'476'839'424};
    EXPECT_EQ(figure_texts(figure), (Texts{"12.55 GiB", "+8.00 KiB"})) << "a small edit is seen, too";
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

TEST(CompareFigures, SayOfWhichLengthsTheLongestCachesAre) {
    Session session = session_of("llama-2-7b");
    compare(session);
    EXPECT_EQ(compare_figures(both_of(session))[2].label, "Full cache, 4,096 / 8,192");
    EXPECT_EQ(compare_figures(both_of(session))[2].remark, "A with its 4,096 tokens of context, B with its 8,192.");
    headcount::apply(session, Intents{OpenPreset{"bert-base-uncased"}, AtCompare{CompareWithPreset{"t5-base"}}});
    const CompareFigure crossed = compare_figures(both_of(session))[2];
    EXPECT_EQ(crossed.label, "Full cache, S = 100") << "what the encoder reads is in it";
    EXPECT_NE(crossed.remark.find("100 source tokens"), std::string::npos) << crossed.remark;
    headcount::apply(session, Intents{OpenPreset{"llama-2-7b"}, AtCompare{CompareWithPreset{"llama-2-13b"}}});
    EXPECT_EQ(compare_figures(both_of(session))[2].label, "KV cache, full context");
}

TEST(CompareFigures, SayWhatFewerHeadsMeanOnlyWhereThatIsAllThatMakesTheCache) {
    Session session = session_of("llama-2-7b");
    compare(session);
    EXPECT_EQ(compare_sentence(both_of(session)),
              "8 KV heads instead of 32: each serves 4 query heads, so the cache of a token is 4× smaller.");
    const Architecture borrowing = *with_field(session.document.with->architecture, Field::borrowing_layers, "0001");
    headcount::apply(session, Intents{AtCompare{ReplaceOther{borrowing, Field::borrowing_layers}}});
    EXPECT_EQ(compare_sentence(both_of(session)).find("KV head"), std::string::npos)
        << "and so does in how many layers there is one: " << compare_sentence(both_of(session));
    compare(session, "llama-3-70b");
    EXPECT_EQ(compare_sentence(both_of(session)).find("KV head"), std::string::npos) << "the layers differ too";
    compare(session, "llama-2-7b");
    EXPECT_EQ(compare_sentence(both_of(session)), "The two do not differ.");
}

TEST(CompareFigures, NameAllComponentsThatChangeTheMost) {
    Session session = session_of("llama-2-70b");
    compare(session, "llama-3-70b");
    EXPECT_EQ(compare_sentence(both_of(session)),
              "Embedding and output head change the most, by +789 M each, of +1.58 B altogether.");
}

}  // namespace
}  // namespace headcount
