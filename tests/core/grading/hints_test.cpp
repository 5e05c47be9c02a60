// What a student is told: how answers may be written, what a wrong one says and what it does not give away.
#include <algorithm>

#include "tests/support/class.hpp"

namespace headcount {
namespace {

using namespace testing_data;

TEST(Hints, AFactorOfTheFormulaThatIsForgottenIsNoCoincidence) {
    const Grade keys = graded(shipped("5-kv-cache"), "numbers", "134,217,728");
    EXPECT_EQ(keys.verdict, Outcome::wrong);
    EXPECT_EQ(mistake_key(keys.mistake), "no_factor") << keys.hint;
    EXPECT_NE(keys.hint.find("without the factor 2"), std::string::npos) << keys.hint;
}

TEST(Hints, NameMatricesAsPupilsDo) {
    const Grade two = graded(shipped("6-mixtures"), "expert", "117,440,512");
    EXPECT_EQ(two.verdict, Outcome::wrong);
    EXPECT_EQ(two.hint.find("layer."), std::string::npos) << two.hint;
    EXPECT_NE(two.hint.find("without one of these: Expert gate projection, Expert up projection"), std::string::npos)
        << two.hint;
}

TEST(Hints, ASmallNumberIsNotGivenAway) {
    for (const char* typed : {"8", "2"}) {
        const Grade grade = graded(shipped("5-kv-cache"), "shared", typed);
        EXPECT_EQ(grade.verdict, Outcome::wrong);
        for (const char* often : {"twice", "half", "times"})
            EXPECT_EQ(grade.hint.find(often), std::string::npos) << typed << ": " << grade.hint;
    }
}

TEST(Hints, TimesAndNumbersMayBeWords) {
    const Sheet cache = shipped("5-kv-cache");
    for (const auto& [id, typed] :
         {std::pair("shared", "four"), {"shared", "32/8"}, {"full-heads", "4 times"}, {"full-heads", "Four times"}})
        EXPECT_EQ(graded(cache, id, typed).verdict, Outcome::right) << typed << ": " << graded(cache, id, typed).hint;
    EXPECT_EQ(graded(cache, "full-heads", "just").verdict, Outcome::wrong) << "it is the beginning of one choice";
    EXPECT_EQ(graded(cache, "full-heads", "so").verdict, Outcome::unreadable);
    const Sheet sheet = shipped("2-why-7b");
    for (const char* typed : {"4096 times 4096", "4096 mal 4096"})
        EXPECT_EQ(graded(sheet, "w-o", typed).verdict, Outcome::right) << graded(sheet, "w-o", typed).hint;
    EXPECT_EQ(graded(sheet, "attention", "4 times 4096 times 4096").verdict, Outcome::right);
    const Grade words = graded(sheet, "w-o", "as many as there");
    EXPECT_EQ(words.hint.find("sides"), std::string::npos) << words.hint;
}

TEST(Questions, SayWhereEveryDigitIsAskedFor) {
    const Sheet sheet = shipped("5-kv-cache");
    const auto ask = [&](std::string_view id) {
        return std::ranges::find(sheet.questions, id, &SheetQuestion::id)->ask;
    };
    EXPECT_TRUE(ask("numbers").ends_with("Give every digit, or a product.")) << ask("numbers");
    EXPECT_EQ(ask("bytes").find("every digit"), std::string::npos) << "three are enough";
    EXPECT_EQ(ask("shared").find("every digit"), std::string::npos) << "nobody would round 4";
}

}  // namespace
}  // namespace headcount
