// Claims about guessing in the whole view: a key hides the number under the pointer, a press on the blank shows it.
#include "app/parts/hidden.hpp"

#include <algorithm>
#include <string>

#include "app/parts/words.hpp"
#include "app/state/in_view.hpp"
#include "core/base/text.hpp"
#include "tests/app/shell/written.hpp"

namespace headcount {
namespace {

using test::ExploreStage;
using test::written;

std::size_t blanks_of(const ExploreStage& stage, std::string_view key) {
    const std::string name = "hidden." + std::string(key);
    const auto all = stage.screen.recorder.all();
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [&](const NamedRect& rect) { return rect.name == name; }));
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

void open_sheet(ExploreStage& stage, const std::string& sheet) {
    headcount::apply(stage.session, Intents{ShowWorkspace{worksheet_view}, AtDesk{OpenSheet{sheet, {}}}});
    stage.frames(3);
}

TEST(HiddenNumbers, TheKeyHidesTheTotalEverywhereAndAPressShowsIt) {
    ExploreStage stage;
    stage.frames(3);
    stage.type("h");
    EXPECT_EQ(stage.session.view.hidden, std::vector<Subject>{TotalSubject{}});
    stage.frame();
    EXPECT_GE(blanks_of(stage, "total"), 4u);  // top bar twice, donut, inspector
    stage.click("hidden.total");
    EXPECT_TRUE(stage.session.view.hidden.empty());
    stage.frame();
    EXPECT_EQ(blanks_of(stage, "total"), 0u);
}

TEST(HiddenNumbers, WhatThePointerIsOnComesFirst) {
    ExploreStage stage;
    stage.frames(3);
    stage.screen.hands.point(stage.screen.middle_of("breakdown.legend.attention"));
    stage.frames(2);
    stage.type("h");
    EXPECT_EQ(stage.session.view.hidden, std::vector<Subject>{Component::attention});
    stage.type("h");
    EXPECT_TRUE(stage.session.view.hidden.empty());
}

TEST(HiddenNumbers, WithShiftAllComeBack) {
    ExploreStage stage;
    stage.frames(3);
    const std::array two{Intent(Hide{TotalSubject{}}), Intent(Hide{Component::norm})};
    headcount::apply(stage.session, two);
    stage.frame();
    stage.screen.hands.shift(true);
    stage.type("H");
    stage.screen.hands.shift(false);
    EXPECT_TRUE(stage.session.view.hidden.empty());
}

TEST(HiddenNumbers, APanelThatWasDrawnBeforeIsCoveredToo) {
    ExploreStage stage;
    PanelCache cache;
    stage.cache = &cache;
    stage.frames(8);  // long enough for panels to be kept
    stage.type("h");
    stage.frame();
    EXPECT_GE(blanks_of(stage, "total"), 4u);
}

TEST(HiddenNumbers, BesideALessonTheDocumentsOwnNumberIsCoveredToo) {
    for (const std::string_view workspace : {explore_view, worksheet_view, claims_view}) {
        SCOPED_TRACE(workspace);
        ExploreStage stage("llama-3-8b");
        headcount::apply(stage.session, Intents{ShowWorkspace{workspace}, Hide{Component::norm}});
        stage.frames(3);
        // A lesson's bar has the total of the lesson's model instead.
        EXPECT_EQ(has(written(stage), "8,030,261,248"), shows_own_model(stage.session.view));
        headcount::apply(stage.session, Intents{Hide{TotalSubject{}}});
        const std::string text = written(stage);
        EXPECT_FALSE(has(text, "8,030,261,248"));
        EXPECT_FALSE(has(text, "8.03 B"));
    }
}

TEST(HiddenNumbers, AreCoveredAndPressedWhileASheetAsksForOthers) {
    ExploreStage stage("llama-3-8b");
    open_sheet(stage, "2-why-7b");
    headcount::apply(stage.session, Intents{Hide{TotalSubject{}}});
    EXPECT_FALSE(has(written(stage), "8,030,261,248"));
    EXPECT_GE(blanks_of(stage, "total"), 1U);
    stage.click("hidden.total");
    EXPECT_TRUE(stage.session.view.hidden.empty());
}

TEST(HiddenNumbers, WhatASheetAsksForIsNotShownByAPress) {
    ExploreStage stage("llama-2-7b");
    open_sheet(stage, "2-why-7b");
    ASSERT_GE(blanks_of(stage, "worksheet"), 1U) << "the sheet asks for this total";
    stage.click("hidden.worksheet");
    EXPECT_TRUE(stage.session.view.hidden.empty());
    headcount::apply(stage.session, Intents{ShowWorkspace{explore_view}});
    stage.frames(2);
    EXPECT_EQ(blanks_of(stage, "worksheet"), 0U);
}

TEST(HiddenNumbers, NeitherTheNoticeNorTheAskBarTellsWhatASheetAsksFor) {
    ExploreStage stage("llama-2-7b");
    open_sheet(stage, "2-why-7b");
    headcount::apply(stage.session, Intents{Hide{Component::norm}});
    stage.session.view.notice = {"Copied 6,738,415,616"};
    const std::string copied = written(stage);
    EXPECT_TRUE(has(copied, "Copied ?"));
    EXPECT_FALSE(has(copied, "6,738,415,616"));
    headcount::apply(stage.session, Intents{Tell{}, Ask{true}});
    stage.frames(3);
    stage.type("how many parameters");
    stage.frames(3);
    ASSERT_TRUE(stage.screen.recorder.find("ask.answer"));
    EXPECT_FALSE(has(written(stage), "6,738,415,616"));
    headcount::apply(stage.session, Intents{AtDesk{ShowKey{true}}});
    EXPECT_TRUE(has(written(stage), "6,738,415,616"));
}

TEST(HiddenNumbers, TheNoticeSaysWhichFileItIsAbout) {
    ExploreStage stage("llama-2-7b");
    open_sheet(stage, "2-why-7b");
    headcount::apply(stage.session, Intents{Hide{Component::norm}});
    headcount::apply(stage.session, Intents{OpenFile{"/nowhere-4096/course 7/model.json"}});
    EXPECT_TRUE(has(written(stage), "/nowhere-4096/course 7/model.json"));
}

TEST(HiddenNumbers, TheNoticeSaysHowLargeAnInterfaceMayBe) {
    ExploreStage stage("llama-2-7b");
    open_sheet(stage, "2-why-7b");
    headcount::apply(stage.session, Intents{Hide{Component::norm}});
    stage.most = 1.5F;
    headcount::apply(stage.session, Intents{SetScale{most_scale, stage.most}});
    EXPECT_TRUE(has(written(stage), "room for an interface of 150 %"));
}

TEST(HiddenNumbers, HoweverTheAskBarIsAskedItDoesNotTellAnAnswer) {
    struct Asking {
        const char *sheet, *question, *answer;
    };
    for (const Asking& asking :
         {Asking{"1-one-head", "queries, one head, 100 tokens, llama 2 7b", "100 × 128"},
          Asking{"1-one-head", "head size", "128"}, Asking{"2-why-7b", "llama 13b parameters", "13,015,864,320"},
          Asking{"2-why-7b", "ffn width", "11,008"},
          Asking{"3-from-7b-to-8b", "compare llama 2 7b with llama 3 8b", "1,291,845,632"},
          Asking{"3-from-7b-to-8b", "params of up projection", "58,720,256"},
          Asking{"5-kv-cache", "kv cache", "536,870,912"}}) {
        SCOPED_TRACE(asking.question);
        ExploreStage stage("llama-3-8b");
        open_sheet(stage, asking.sheet);
        stage.session.view.hidden = {Field::norm_epsilon};  // so that there is a veil when all is found, too
        headcount::apply(stage.session, Intents{Ask{true}});
        stage.frames(3);
        stage.type(asking.question);
        stage.frames(3);
        ASSERT_TRUE(stage.screen.recorder.find("ask.answer"));
        EXPECT_FALSE(has(written(stage), asking.answer));
        headcount::apply(stage.session, Intents{AtDesk{ShowKey{true}}});
        EXPECT_TRUE(has(written(stage), asking.answer)) << written(stage);
    }
}

TEST(HiddenNumbers, WhatAStudentTypedStaysReadable) {
    ExploreStage stage("llama-2-7b");
    open_sheet(stage, "1-one-head");
    headcount::apply(stage.session, Intents{AtDesk{GiveAnswer{"head.queries", shape_text("100", "4096")}},
                                            AtDesk{CheckFields{{"head.queries.rows", "head.queries.columns"}}}});
    stage.frames(3);
    // That is what the input's blank asks for.
    EXPECT_TRUE(has(written(stage), "100 × 4096"));
}

TEST(HiddenNumbers, WhatIsHiddenStaysSoWhereTheModelChanges) {
    ExploreStage stage;
    stage.frames(2);
    EXPECT_TRUE(frame_veil(stage.screen.ui()).keys.empty()) << "nothing is hidden";
    headcount::apply(stage.session, Intents{Hide{TotalSubject{}}});
    stage.frames(4);
    stage.edit_width(5120);
    stage.frames(4);
    EXPECT_FALSE(has(written(stage), grouped(stage.session.derived.shown.parameters.total)));
}

TEST(HiddenNumbers, AnswersAreOnlyLookedForInTheWorksheet) {
    ExploreStage stage;
    const Veil& veil = frame_veil(stage.screen.ui());
    open_sheet(stage, "2-why-7b");
    EXPECT_FALSE(veil.told_by.empty());
    headcount::apply(stage.session, Intents{ShowWorkspace{explore_view}});
    stage.frames(3);
    EXPECT_TRUE(veil.told_by.empty());
}

TEST(HiddenNumbers, NothingOfAFrameIsLeftInItsVeil) {
    ExploreStage stage;
    headcount::apply(stage.session, Intents{Hide{TotalSubject{}}});
    stage.frames(2);
    const Veil& veil = frame_veil(stage.screen.ui());
    EXPECT_FALSE(veil.blanks.empty());
    EXPECT_FALSE(veil.drawn) << "it speaks of an object that is gone";
}

TEST(HiddenNumbers, WordsBesideTheTotalAndWhatVariesStayReadable) {
    ExploreStage stage;
    headcount::apply(stage.session, Intents{Hide{TotalSubject{}}, ShowWorkspace{costs_view}});
    stage.frames(3);
    EXPECT_TRUE(has(written(stage), "By the rule 2·N a token"));
    headcount::apply(stage.session, Intents{ShowWorkspace{what_if_view}});
    stage.frames(3);
    const std::string sweep = written(stage);
    EXPECT_TRUE(has(sweep, "Llama 2 7B: T = 100 tokens")) << sweep;
    EXPECT_FALSE(has(sweep, "6,738,415,616"));
}

// Each view with each of its tables and charts.
std::vector<Intents> every_sight() {
    std::vector<Intents> all;
    const auto add = [&](std::string_view view, Intent asked) {
        all.push_back({ShowWorkspace{view}, std::move(asked)});
    };
    for (const BottomTab tab :
         {BottomTab::activations, BottomTab::head, BottomTab::tensors, BottomTab::memory, BottomTab::compute})
        add(explore_view, ShowTab{tab});
    for (const BreakdownChart chart : {BreakdownChart::donut, BreakdownChart::treemap, BreakdownChart::bars})
        add(explore_view, ShowBreakdown{chart});
    for (const CompareTab tab :
         {CompareTab::changed, CompareTab::all, CompareTab::activations, CompareTab::memory, CompareTab::compute})
        add(compare_view, AtCompare{ShowCompareTab{tab}});
    for (const CompareSplit split : {CompareSplit::component, CompareSplit::kind, CompareSplit::field})
        add(compare_view, AtCompare{SplitBy{split}});
    for (const WhatIfTab tab : {WhatIfTab::sweep, WhatIfTab::sensitivity, WhatIfTab::solve, WhatIfTab::shelf})
        add(what_if_view, AtWhatIf{ShowWhatIfTab{tab}});
    add(costs_view, ShowHidden{});
    add(claims_view, ShowHidden{});
    add(explore_view, Present{true});
    return all;
}

// A number as it is written alone and as memory.
std::vector<std::string> texts_of(std::int64_t count, Precision precision) {
    std::vector<std::string> texts{grouped(count), short_count(count)};
    if (const auto bytes = bytes_of(count, precision)) {
        texts.push_back(grouped(*bytes));
        texts.push_back(bytes_text(*bytes));
    }
    return texts;
}

// Hides the subject in every view, with nothing selected and with it, and looks for the texts there. What happens to be
// written alike and is another thing's is named in `others`.
void expect_nowhere(const std::string& preset, const Subject& subject, const std::vector<std::string>& texts,
                    const std::vector<std::string>& others = {}) {
    ExploreStage stage(preset);
    std::size_t seen = 0;
    for (const Intents& sight : every_sight())
        for (const Subject& selection : {Subject{}, subject}) {
            headcount::apply(stage.session, sight);
            stage.session.look.selection = selection;
            stage.session.view.hidden.clear();
            stage.frames(2);
            stage.session.view.hidden = {Field::norm_epsilon};  // so that there is a veil
            const std::string shown = written(stage);
            stage.session.view.hidden = {subject};
            stage.frames(2);
            std::string hidden = written(stage);
            for (const std::string& other : others)
                for (std::size_t at = hidden.find(other); at != hidden.npos; at = hidden.find(other))
                    hidden.erase(at, other.size());
            for (const std::string& text : texts) {
                seen += has(shown, text);
                if (!has(hidden, text)) continue;
                const std::size_t at = hidden.find(text), from = at > 60 ? at - 60 : 0;
                ADD_FAILURE() << preset << ", " << subject_key(subject) << " in " << stage.session.view.workspace
                              << ": " << text << " in " << hidden.substr(from, 140);
            }
            headcount::apply(stage.session, Intents{Present{false}});
        }
    EXPECT_GT(seen, 0U) << "never seen, so that hiding it shows nothing";
}

TEST(HiddenNumbers, NoViewTellsOne) {
    for (const std::string preset : {"llama-2-7b", "gpt2", "mixtral-8x7b"}) {
        const Session session = test::session_of(preset);
        const Counted& model = session.derived.shown;
        const Precision precision = model.input.precision.rest;
        expect_nowhere(preset, TotalSubject{}, texts_of(model.parameters.total, precision));
        expect_nowhere(preset, Component::attention, texts_of(model.parameters.of(Component::attention), precision),
                       {"no → yes+28,348,416"});
        const Tensor& weight = *model.graph.find("layer.attention.output.weight");
        std::vector<std::string> texts = texts_of(elements_of(weight.shape, model.bindings), precision);
        texts.push_back(shape_in_numbers(weight.shape, model.bindings));
        expect_nowhere(preset, TensorSubject{weight.id}, texts, {"→ Learned+16,777,216"});
        const Tensor& queries = *model.graph.find("layer.attention.head.queries");
        expect_nowhere(preset, TensorSubject{queries.id}, {shape_in_numbers(queries.shape, model.bindings)});
        if (!model.architecture.layer.mixture)
            expect_nowhere(preset, Field::ffn_dim, {std::to_string(*model.bindings[Symbol::ffn_dim])},
                           {"[1024, 3072]", "[2304]→[3072]"});
    }
}

}  // namespace
}  // namespace headcount
