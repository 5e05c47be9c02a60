// Claims about questions that change a model by words that are no number.
#include "core/arch/fields.hpp"
#include "tests/core/ask/asking.hpp"

namespace headcount {
namespace {

using namespace testing_data;

TEST(AskChoices, EveryChoiceInTheListOfFieldsIsUnderstoodBesideItsField) {
    for (const FieldInfo& field : fields())
        for (const std::string_view choice : field.choices) {
            const Asked all = asked("with " + std::string(choice) + " " + std::string(field.key));
            SCOPED_TRACE(std::string(field.key) + "=" + std::string(choice));
            EXPECT_TRUE(all.unknown.empty());
            const std::string set = "--set " + std::string(field.key) + "=" + std::string(choice);
            // What does not fit the model is said; what it has already changes nothing.
            EXPECT_TRUE(!all.answer || says(all.answer->notes, set) || says(all.answer->notes, "nothing changes"));
            EXPECT_TRUE(all.answer || !all.problem.empty());
        }
}

TEST(AskChoices, AreSetInPlaceOfWhatTheModelHas) {
    for (const char* text : {"gelu instead of silu", "replace silu with gelu", "switch from silu to gelu", "use gelu"})
        EXPECT_TRUE(says(answer(text).notes, "To have it so: --set activation=gelu")) << text;
    EXPECT_TRUE(says(answer("use silu").notes, "nothing changes"));
}

TEST(AskChoices, ChangeNothingWhereAWordIsAskedFor) {
    for (const char* text : {"what is relu", "how does alibi work", "which models use rope", "relu"}) {
        const Asked all = asked(text);
        EXPECT_FALSE(all.answer && says(all.answer->notes, "--set")) << text;
    }
}

TEST(AskChoices, TakePartsAway) {
    const AskAnswer gate = answer("without the ffn gate");
    // The gate of each of 32 layers has 4096 · 11008 numbers.
    EXPECT_EQ(gate.count, 6'738'415'616 - std::int64_t{32} * 4096 * 11008);
    EXPECT_TRUE(says(gate.notes, "--set gated=false"));
}

}  // namespace
}  // namespace headcount
