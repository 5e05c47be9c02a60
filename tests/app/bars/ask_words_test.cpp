// What people call things in the ask bar, and the things themselves.
#include "app/bars/ask_bar_parts.hpp"
#include "app/views/views.hpp"
#include "core/ask/words.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

using test::Workbench;

Intents draw_asking(const Ui& ui, const Session& session) {
    return session.view.asking ? draw_ask_bar(ui, session, shipped_views().actions) : Intents{};
}

// The bar with a question in it, and Enter pressed.
struct Answered {
    explicit Answered(std::string_view question) : bench(draw_asking, "llama-2-7b", ImVec2(720, 700)) {
        bench.session.tours = *shipped_tours();
        headcount::apply(bench.session, Intents{Ask{true}});
        bench.frames(3);
        bench.screen.hands.text(question);
        bench.frames(3);
        bench.screen.hands.key(ImGuiKey_Enter, true);
        bench.frame();
        bench.screen.hands.key(ImGuiKey_Enter, false);
        bench.frames(3);
    }
    const View& view() const { return bench.session.view; }

    Workbench bench;
};

TEST(AskWords, OfTheProgramAreOfActionsAndLessonsThatThereAre) {
    Workbench bench(draw_asking, "llama-2-7b", ImVec2(720, 700));
    bench.session.tours = *shipped_tours();
    ask_bar::AskState bar;
    bar.lessons = ask_bar::lessons_of(bench.session);
    for (const AskWord& each : ask_words()) {
        const auto* const does = std::get_if<AskDoes>(&each.meaning);
        if (!does) continue;
        const bool lesson = std::any_of(bar.lessons.begin(), bar.lessons.end(),
                                        [&](const ask_bar::AskLesson& one) { return one.id == does->action; });
        const std::vector<Action>& actions = shipped_views().actions;
        EXPECT_TRUE(lesson || std::any_of(actions.begin(), actions.end(),
                                          [&](const Action& one) { return one.id == does->action && one.in_ask_bar; }))
            << each.words << ": " << does->action;
    }
}

TEST(AskWords, DoWhatPeopleMeanByThem) {
    EXPECT_EQ(Answered("light mode").view().theme, ThemeChoice::light);
    EXPECT_EQ(Answered("quiz").view().workspace, worksheet_view);
    EXPECT_EQ(Answered("205 billion").view().workspace, claims_view);
    EXPECT_EQ(Answered("tour of one attention head").view().show.tour, "3-one-attention-head");
}

TEST(AskWords, OfTheLectureLightTheirPlace) {
    const Answered softmax("what does softmax do");
    EXPECT_EQ(subject_key(softmax.bench.session.look.selection), "layer.attention.head.weights");
    EXPECT_FALSE(softmax.view().asking);
}

}  // namespace
}  // namespace headcount
