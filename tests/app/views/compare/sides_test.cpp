// Claims about intents of a panel that edits the other model: edits become that side's, all else stays as it is.
#include <gtest/gtest.h>

#include "app/views/compare/panels.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

Architecture with_layers(std::int64_t layers) {
    Architecture architecture = test::session_of("llama-3-8b").document.architecture;
    architecture.layers = layers;
    return architecture;
}

Replace replacing(std::int64_t layers, bool settled, unsigned run) {
    Document document = test::session_of("llama-2-7b").document;
    document.architecture = with_layers(layers);
    return {.document = std::move(document), .edited = Field::layers, .settled = settled, .run = run};
}

TEST(CompareSides, AnEditBecomesTheOtherModelsWithAllThatItSays) {
    for (const bool settled : {true, false}) {
        const Intents asked = asked_of_other({replacing(16, settled, 7)});
        ASSERT_EQ(asked.size(), 1U);
        const auto* const at = std::get_if<AtCompare>(&asked[0]);
        ASSERT_TRUE(at);
        const auto* const other = std::get_if<ReplaceOther>(&at->what);
        ASSERT_TRUE(other);
        EXPECT_EQ(other->architecture, with_layers(16));
        EXPECT_EQ(other->edited, Field::layers);
        EXPECT_EQ(other->settled, settled);
        EXPECT_EQ(other->run, 7U);
    }
}

TEST(CompareSides, OtherIntentsPassAsTheyAreAndInTheirOrder) {
    const Intents asked = asked_of_other({Hover{Field::dim}, replacing(16, true, 0), Select{Component::norm},
                                          GoTo{{.id = "layer"}}, replacing(17, true, 0), Copy{"4096", "d"}, Undo{}});
    ASSERT_EQ(asked.size(), 7U);
    EXPECT_EQ(std::get<Hover>(asked[0]).subject, Subject(Field::dim));
    EXPECT_EQ(std::get<ReplaceOther>(std::get<AtCompare>(asked[1]).what).architecture.layers, 16);
    EXPECT_EQ(std::get<Select>(asked[2]).subject, Subject(Component::norm));
    EXPECT_EQ(std::get<GoTo>(asked[3]).place.id, "layer");
    EXPECT_EQ(std::get<ReplaceOther>(std::get<AtCompare>(asked[4]).what).architecture.layers, 17);
    EXPECT_EQ(std::get<Copy>(asked[5]).text, "4096");
    EXPECT_TRUE(std::holds_alternative<Undo>(asked[6])) << "there is one history for both sides";
}

TEST(CompareSides, OfNothingNothingIsAsked) { EXPECT_TRUE(asked_of_other({}).empty()); }

TEST(CompareSides, AppliedTheyLeaveTheUsersOwnModelAlone) {
    Session session = test::session_of("llama-2-7b");
    headcount::apply(session, Intents{ShowWorkspace{compare_view}, AtCompare{CompareWithPreset{"llama-3-8b"}}});
    const Architecture own = session.document.architecture;
    headcount::apply(session, asked_of_other({replacing(16, true, 0), Select{TensorSubject{"embedding.weight"}}}));
    EXPECT_EQ(session.document.architecture, own);
    ASSERT_TRUE(session.document.with);
    EXPECT_EQ(session.document.with->architecture.layers, 16);
    EXPECT_EQ(subject_key(session.look.selection), "embedding.weight");
}

}  // namespace
}  // namespace headcount
