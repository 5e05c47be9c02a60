// The ask bar, used by keys and pointer as in the program.
#include "app/bars/ask_bar_parts.hpp"
#include "app/bars/panels.hpp"
#include "core/tours/tour.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

using test::Workbench;

Intents draw_asking(const Ui& ui, const Session& session) {
    return session.view.asking ? draw_ask_bar(ui, session, common_actions()) : Intents{};
}

class Question {
  public:
    explicit Question(std::string_view text, std::string_view preset = "llama-2-7b")
        : bench(draw_asking, preset, ImVec2(720, 700)) {
        headcount::apply(bench.session, Intents{Ask{true}});
        bench.frames(3);
        bench.screen.hands.text(text);
        bench.frames(3);
    }
    void press(ImGuiKey key) {
        bench.screen.hands.key(key, true);
        bench.frame();
        bench.screen.hands.key(key, false);
        bench.frames(3);
    }
    std::string selected() const { return subject_key(bench.session.look.selection); }
    const View& view() const { return bench.session.view; }
    const Look& look() const { return bench.session.look; }

    Workbench bench;
};

TEST(AskBar, AnswersWhileOneTypesAndEnterLightsTheBox) {
    Question question("params of the up projection");
    EXPECT_TRUE(question.bench.has("ask.answer"));
    EXPECT_EQ(question.selected(), "") << "typing changes nothing";
    question.press(ImGuiKey_Enter);
    EXPECT_EQ(question.selected(), "layer.feed_forward.up.weight");
    EXPECT_EQ(question.look().asked_for.id, "layer.feed_forward.up.weight");
    EXPECT_FALSE(question.view().asking);
}

TEST(AskBar, OpensAFileOrAModelsFolderWhosePathIsTyped) {
    const std::string folder = HEADCOUNT_ASSETS_DIR "/models/micro";
    for (const std::string& path : {folder, folder + "/config.json"}) {
        Question question(path);
        EXPECT_FALSE(question.bench.has("ask.answer"));
        question.press(ImGuiKey_Enter);
        EXPECT_FALSE(question.view().asking);
        EXPECT_EQ(question.bench.session.document.file, path);
    }
    Question none(folder + "/nothing-of-this-name");
    EXPECT_TRUE(none.bench.has("ask.problem")) << "and no words of it are taken for a question";
    EXPECT_FALSE(none.bench.has("ask.unknown"));
    none.press(ImGuiKey_Enter);
    EXPECT_EQ(none.bench.session.document.file, "");
}

TEST(AskBar, OpensTheModelThatAnAnswerIsAbout) {
    Question question("queries, one head, 100 tokens, llama 7b");
    question.press(ImGuiKey_Enter);
    EXPECT_EQ(question.bench.session.document.preset, "llama-7b");
    EXPECT_EQ(question.selected(), "layer.attention.head.queries");
    EXPECT_FALSE(question.view().asking);
}

TEST(AskBar, LightsAWholePartAndADimension) {
    Question part("params of ffn");
    part.press(ImGuiKey_Enter);
    EXPECT_EQ(part.selected(), "component.feed_forward");
    EXPECT_EQ(part.look().asked_for.id, "layer.feed_forward");
    Question dimension("head size");
    dimension.press(ImGuiKey_Enter);
    EXPECT_EQ(dimension.selected(), "field.head_dim");
}

TEST(AskBar, EscapeClosesAndChangesNothing) {
    Question question("params of ffn in llama 3 8b");
    question.press(ImGuiKey_Escape);
    EXPECT_FALSE(question.view().asking);
    EXPECT_EQ(question.selected(), "");
    EXPECT_EQ(question.bench.session.document.preset, "llama-2-7b");
}

TEST(AskBar, ArrowsChooseAMatch) {
    Question question("4096x11008");
    question.press(ImGuiKey_DownArrow);
    question.press(ImGuiKey_DownArrow);
    question.press(ImGuiKey_Enter);
    EXPECT_EQ(question.selected(), "layer.feed_forward.up.weight") << "the gate is first";
}

TEST(AskBar, ARowIsTakenByAPress) {
    Question question("4096x11008");
    question.bench.press("ask.row.2");
    EXPECT_EQ(question.selected(), "layer.feed_forward.up.weight");
}

TEST(AskBar, MendsAQuestionAndAnswersIt) {
    Question question("params of atention");
    EXPECT_TRUE(question.bench.has("ask.unknown"));
    EXPECT_FALSE(question.bench.has("ask.answer")) << "what is left without the word is another question";
    question.press(ImGuiKey_Enter);
    EXPECT_TRUE(question.view().asking) << "the question is asked again";
    EXPECT_FALSE(question.bench.has("ask.unknown"));
    question.press(ImGuiKey_Enter);
    EXPECT_EQ(question.selected(), "component.attention");
}

TEST(AskBar, OffersNoOtherModelThanTheOneThatWasNamed) {
    Question question("context length of llama 3.7 8b");
    EXPECT_TRUE(question.bench.has("ask.unknown"));
    EXPECT_FALSE(question.bench.has("ask.answer"));
    EXPECT_FALSE(question.bench.has("ask.row.0")) << "Enter would ask about another";
}

TEST(AskBar, KnowsTheDevicesOfCosts) {
    Question question("does llama 3 70b fit on an h100");
    EXPECT_TRUE(question.bench.has("ask.answer"));
}

TEST(AskBar, StartsWithExamplesThatCanBeAsked) {
    Question question("");
    EXPECT_TRUE(question.bench.has("ask.row.0"));
    question.press(ImGuiKey_Enter);
    EXPECT_TRUE(question.bench.has("ask.answer"));
}

TEST(AskBar, FindsAPresetAndACommand) {
    Question preset("gemma 2 9b");
    preset.press(ImGuiKey_DownArrow);
    preset.press(ImGuiKey_Enter);
    EXPECT_EQ(preset.bench.session.document.preset, "gemma-2-9b");
    Question command("dark");
    command.press(ImGuiKey_Enter);
    EXPECT_EQ(command.view().theme, ThemeChoice::light);
    EXPECT_FALSE(command.view().asking);
}

TEST(AskBar, AsksAboutTheModelAsItIsEdited) {
    Question question("");
    Architecture arch = question.bench.arch();
    arch.layers = 16;
    Document document = question.bench.session.document;
    document.architecture = arch;
    headcount::apply(question.bench.session, Intents{Replace{document}});
    question.bench.screen.hands.text("layers");
    question.bench.frames(3);
    EXPECT_TRUE(question.bench.has("ask.answer"));
    const auto& bar = kept<ask_bar::AskState>(question.bench.screen.ui(), "ask");
    ASSERT_TRUE(bar.asked.answer);
    EXPECT_TRUE(bar.asked.answer->about.starts_with("Llama 2 7B, edited")) << bar.asked.answer->about;
    question.press(ImGuiKey_Enter);
    EXPECT_EQ(question.selected(), "field.layers");
    EXPECT_EQ(question.bench.arch().layers, 16) << "asking opens no other model";
}

TEST(AskBar, AComparisonOpensBothInCompare) {
    Question question("compare llama 2 70b with llama 3 70b");
    question.press(ImGuiKey_Enter);
    EXPECT_EQ(question.view().workspace, compare_view);
    EXPECT_EQ(question.bench.session.document.preset, "llama-2-70b");
    ASSERT_TRUE(question.bench.session.document.with);
    EXPECT_EQ(question.bench.session.document.with->preset, "llama-3-70b");
    EXPECT_FALSE(question.view().asking);
}

// The fault that a tour's T = 32 went into the comparison that was asked for while it was open.
TEST(AskBar, OfOtherModelsItIsAskedWithTheUsersInputAndNotWithATours) {
    for (const char* first : {"llama-2-70b", "gpt2"}) {
        Question question("compare llama 2 70b with llama 3 70b", first);
        Session& session = question.bench.session;
        const Input own = session.document.input;
        session.tours.push_back(*parse_tour(
            R"({"title": "Mine", "preset": "llama-2-7b", "input": {"tokens": 32}, "steps": [{"title": "One", "caption": "A step."}]})",
            "mine", ""));
        question.bench.ask(StartTour{"mine"});
        ASSERT_EQ(session.document.input.tokens, 32) << session.view.notice.text;
        question.bench.ask(Ask{true});
        ASSERT_TRUE(question.bench.has("ask.answer"));
        question.press(ImGuiKey_Enter);
        EXPECT_EQ(question.view().workspace, compare_view);
        EXPECT_EQ(session.document.preset, "llama-2-70b");
        ASSERT_TRUE(session.document.with);
        EXPECT_EQ(session.document.with->preset, "llama-3-70b");
        EXPECT_EQ(session.document.input.tokens, own.tokens);
    }
}

TEST(AskBar, WhatFitsOpensCostsAsItWasAsked) {
    Question question("does mixtral 8x7b in 4 bit with 32k tokens fit on an h100");
    question.press(ImGuiKey_Enter);
    const Session& session = question.bench.session;
    EXPECT_EQ(question.view().workspace, costs_view);
    EXPECT_EQ(session.document.preset, "mixtral-8x7b");
    EXPECT_EQ(session.document.input.tokens, 32'768);
    EXPECT_EQ(session.document.input.precision, Formats(Precision::int4));
    EXPECT_EQ(question.view().costs.device, "h100");
    EXPECT_EQ(question.view().costs.phase, Phase::prefill);
    Question training("train gpt2 with sgd at 512 tokens");
    training.press(ImGuiKey_Enter);
    EXPECT_EQ(training.view().costs.how.optimizer, Optimizer::sgd);
    EXPECT_EQ(training.view().costs.phase, Phase::training);
}

TEST(AskBar, SoManyDevicesOpenCostsWithAsMany) {
    Question question("how many h100 for llama 3.1 70b 32k tokens");
    question.press(ImGuiKey_Enter);
    EXPECT_EQ(question.view().workspace, costs_view);
    EXPECT_EQ(question.view().costs.device, "h100");
    EXPECT_EQ(question.view().costs.sharding, (Sharding{.devices = 2, .tensor = 2}));
}

TEST(AskBar, ListsATourOnce) {
    const std::array commands{AskCommand{"", "Undo", "undo"}, AskCommand{"", "Tour: What a token is", "tour.tokens"}};
    ask_bar::AskState bar;
    bar.asked.answer = AskAnswer{.tour = "tokens"};
    bar.rows = {
        {.kind = AskMatch::Kind::command, .id = "", .title = "Tour: What a token is", .detail = "", .command = 1}};
    ask_bar::add_tour(bar, commands);
    ASSERT_EQ(bar.rows.size(), 1U) << "it was found by its name, too";
    EXPECT_EQ(bar.rows.front().command, 1U);
}

}  // namespace
}  // namespace headcount
