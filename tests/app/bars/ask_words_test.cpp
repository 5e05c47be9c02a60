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
Workbench asked(std::string_view question) {
    Workbench bench(draw_asking, "llama-2-7b", ImVec2(720, 700));
    bench.session.tours = *shipped_tours();
    headcount::apply(bench.session, Intents{Ask{true}});
    bench.frames(3);
    bench.screen.hands.text(std::string(question));
    bench.frames(3);
    bench.screen.hands.key(ImGuiKey_Enter, true);
    bench.frame();
    bench.screen.hands.key(ImGuiKey_Enter, false);
    bench.frames(3);
    return bench;
}

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
    const Workbench dark = asked("light mode");
    EXPECT_EQ(dark.session.view.theme, ThemeChoice::light);
    EXPECT_EQ(asked("quiz").session.view.workspace, worksheet_view);
    EXPECT_EQ(asked("205 billion").session.view.workspace, claims_view);
    const Workbench tour = asked("tour of one attention head");
    ASSERT_TRUE(tour.session.run.has_value());
    EXPECT_EQ(tour.session.view.show.tour, "3-one-attention-head");
}

TEST(AskWords, OfTheLectureLightTheirPlace) {
    const Workbench softmax = asked("what does softmax do");
    EXPECT_EQ(subject_key(softmax.session.look.selection), "layer.attention.head.weights");
    EXPECT_FALSE(softmax.session.view.asking);
}

}  // namespace
}  // namespace headcount
