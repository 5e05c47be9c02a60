// The diagram beside a lesson is of another model, and nothing that is done there is an edit.
#include <gtest/gtest.h>

#include "app/state/in_view.hpp"
#include "tests/support/sessions.hpp"

namespace headcount {
namespace {

const Preset& preset(const Session& session, std::string_view id) { return *find_preset(session.presets, id); }

Session open_beside_gpt2() {
    Session session = test::session_of("llama-2-7b");
    headcount::apply(session, Intents{ShowWorkspace{claims_view}});  // a claim has its own; then another
    EXPECT_FALSE(show_model(session.claims.model, preset(session, "gpt2").architecture, Input{.tokens = 64}));
    return session;
}

TEST(ModelInView, IsInItsViewAlone) {
    Session session = open_beside_gpt2();
    EXPECT_EQ(model_in_view(session).document.architecture.name, preset(session, "gpt2").architecture.name);
    session.view.workspace = worksheet_view;
    EXPECT_EQ(&model_in_view(session), &session);
    session.view.workspace = explore_view;
    EXPECT_EQ(&model_in_view(session), &session);
}

TEST(ModelInView, TakesWhatIsPointedAtAndSelectedThere) {
    Session session = open_beside_gpt2();
    session.look.selection = TotalSubject{};
    headcount::apply(session, Intents{Select{TensorSubject{"positions.weight"}}, GoTo{{"layer.attention", 0, {}}}});
    EXPECT_EQ(subject_key(session.look.selection), "total");
    EXPECT_TRUE(session.look.asked_for.id.empty());
    EXPECT_EQ(model_in_view(session).look.asked_for.id, "layer.attention");
}

TEST(ModelInView, LightsATensorInTheBlockThatItIsIn) {
    Session session = open_beside_gpt2();
    light(*session.claims.model, "layer.attention.output.weight");
    EXPECT_EQ(subject_key(model_in_view(session).look.selection), "layer.attention.output.weight");
    EXPECT_EQ(model_in_view(session).look.asked_for.id, "layer.attention");
    light(*session.claims.model, "layer.feed_forward");
    EXPECT_TRUE(nothing(model_in_view(session).look.selection));
    EXPECT_EQ(model_in_view(session).look.asked_for.id, "layer.feed_forward");
    light(*session.claims.model, "layer.no_such_thing");
    EXPECT_EQ(model_in_view(session).look.asked_for.id, "layer.feed_forward");
}

TEST(ModelInView, DecodesWithoutAnEditOfTheUsersDocument) {
    Session session = open_beside_gpt2();
    const Document before = session.document;
    const Input decoding_there = with_decoding(model_in_view(session).document.input);
    headcount::apply(session, Intents{SetInput{decoding_there}});
    EXPECT_EQ(model_in_view(session).document.input, decoding_there);
    EXPECT_EQ(session.document, before);
    EXPECT_FALSE(session.history.can_undo());
}

TEST(ModelInView, RefusesAnImpossibleOneAndKeepsTheOneBefore) {
    Session session = open_beside_gpt2();
    Architecture broken = preset(session, "llama-2-7b").architecture;
    broken.layer.attention.heads = 0;
    EXPECT_TRUE(show_model(session.claims.model, broken, Input{}));
    EXPECT_EQ(model_in_view(session).document.architecture.name, preset(session, "gpt2").architecture.name);
    session.claims.model.reset();
    EXPECT_EQ(&model_in_view(session), &session);
}

TEST(ModelInView, OfTheUsersOwnAnotherInputIsAnEdit) {
    Session session = test::session_of("llama-2-7b");
    headcount::apply(session, Intents{SetInput{with_decoding(session.document.input)}});
    EXPECT_TRUE(decoding(session.document.input));
    EXPECT_TRUE(session.history.can_undo());
}

}  // namespace
}  // namespace headcount
