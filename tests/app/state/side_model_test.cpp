// The diagram beside a lesson is of another model, and nothing that is done there is an edit.
#include "app/state/side_model.hpp"

#include <gtest/gtest.h>

#include "tests/support/sessions.hpp"

namespace headcount {
namespace {

const Preset& preset(const Session& session, std::string_view id) {
    return *find_preset(session.presets, id);
}

Session open_beside_gpt2() {
    Session session = test::session_of("llama-2-7b");
    headcount::apply(session, Intents{ShowWorkspace{Workspace::claims}});  // a claim has its own; then another
    EXPECT_FALSE(show_beside(session, Workspace::claims, preset(session, "gpt2").architecture, Input{.tokens = 64}));
    return session;
}

TEST(SideModel, IsOnTheScreenInItsWorkspaceAlone) {
    Session session = open_beside_gpt2();
    EXPECT_EQ(on_screen(session).document.architecture.name, preset(session, "gpt2").architecture.name);
    session.view.workspace = Workspace::worksheet;
    EXPECT_EQ(&on_screen(session), &session);
    session.view.workspace = Workspace::explore;
    EXPECT_EQ(&on_screen(session), &session);
}

TEST(SideModel, TakesWhatIsPointedAtAndSelectedThere) {
    Session session = open_beside_gpt2();
    session.view.selection = TotalSubject{};
    headcount::apply(session, Intents{Select{TensorSubject{"positions.weight"}}, GoTo{{"layer.attention", 0, {}}}});
    EXPECT_EQ(subject_key(session.view.selection), "total");
    EXPECT_TRUE(session.view.asked_for.id.empty());
    EXPECT_EQ(on_screen(session).view.asked_for.id, "layer.attention");
}

TEST(SideModel, LightsATensorInTheBlockThatItIsIn) {
    Session session = open_beside_gpt2();
    light_beside(session, Workspace::claims, "layer.attention.output.weight");
    EXPECT_EQ(subject_key(on_screen(session).view.selection), "layer.attention.output.weight");
    EXPECT_EQ(on_screen(session).view.asked_for.id, "layer.attention");
    light_beside(session, Workspace::claims, "layer.feed_forward");
    EXPECT_TRUE(nothing(on_screen(session).view.selection));
    EXPECT_EQ(on_screen(session).view.asked_for.id, "layer.feed_forward");
    light_beside(session, Workspace::claims, "layer.no_such_thing");
    EXPECT_EQ(on_screen(session).view.asked_for.id, "layer.feed_forward");
}

TEST(SideModel, DecodesWithoutAnEditOfTheUsersDocument) {
    Session session = open_beside_gpt2();
    const Document before = session.document;
    const Document decoding_there = with_decoding(on_screen(session).document);
    headcount::apply(session, asked_beside({Replace{decoding_there}}));
    EXPECT_EQ(on_screen(session).document.input, decoding_there.input);
    EXPECT_EQ(session.document, before);
    EXPECT_FALSE(session.history.can_undo());
}

TEST(SideModel, RefusesAnImpossibleOneAndKeepsTheOneBefore) {
    Session session = open_beside_gpt2();
    Architecture broken = preset(session, "llama-2-7b").architecture;
    broken.layer.attention.heads = 0;
    EXPECT_TRUE(show_beside(session, Workspace::claims, broken, Input{}));
    EXPECT_EQ(on_screen(session).document.architecture.name, preset(session, "gpt2").architecture.name);
    show_nothing_beside(session, Workspace::claims);
    EXPECT_EQ(&on_screen(session), &session);
}

TEST(SideModel, FollowsTheThemeOfTheWindow) {
    Session session = open_beside_gpt2();
    headcount::apply(session, Intents{SetTheme{ThemeChoice::light}});
    EXPECT_EQ(on_screen(session).view.theme, ThemeChoice::light);
}

}  // namespace
}  // namespace headcount
