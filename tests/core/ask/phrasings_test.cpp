// Claims about questions as people type them: tests/golden/ask/phrasings.json has each with what it must give.
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/ask/words.hpp"
#include "core/tours/tour.hpp"
#include "tests/core/ask/asking.hpp"

namespace headcount {
namespace {

using namespace testing_data;

// Every action that people have words for.
std::vector<AskCommand> known_commands() {
    std::vector<AskCommand> all;
    for (const AskWord& each : ask_words())
        if (const auto* does = std::get_if<AskDoes>(&each.meaning))
            if (all.empty() || all.back().id != does->action) all.push_back({"", does->action, does->action});
    return all;
}

Asked asked_with_commands(std::string_view text, std::string_view at_hand) {
    static const std::vector<AskCommand> commands = known_commands();
    static AskMemory memory;
    const Preset& preset = *find_preset(presets(), at_hand);
    return ask(text, {.architecture = preset.architecture,
                      .input = {},
                      .preset = preset.id,
                      .presets = presets(),
                      .commands = commands,
                      .memory = &memory,
                      .devices = devices()});
}

std::string text_of(const AskAnswer& answer) {
    std::string all =
        answer.title + '\n' + answer.number + '\n' + answer.unit + '\n' + answer.numbers + '\n' + answer.result;
    for (const std::string& note : answer.notes) all += '\n' + note;
    return all;
}

// What was given instead; empty where it is as it must be.
std::string wrong(const nlohmann::json& phrasing) {
    const std::string at_hand = phrasing.value("of", "llama-2-7b");
    const Asked all = asked_with_commands(phrasing.at("ask").get<std::string>(), at_hand);
    const AskMatch* const first = all.matches.empty() ? nullptr : &all.matches.front();
    const std::string command = first && first->kind == AskMatch::Kind::command ? first->title : "no command";
    std::string instead = all.answer ? text_of(*all.answer) : "no answer: " + all.problem;
    for (const AskUnknown& each : all.unknown) instead += "\nnot understood: " + each.words;
    if (phrasing.contains("gives")) return all.answer ? instead : "";
    if (const std::string action = phrasing.value("does", ""); !action.empty())
        return command == action && !all.answer && all.unknown.empty() ? "" : command + '\n' + instead;
    if (!all.answer) return instead;
    if (const std::string term = phrasing.value("explains", ""); !term.empty()) {
        const auto found = std::find_if(ask_terms().begin(), ask_terms().end(),
                                        [&](const AskTerm& each) { return each.name == term; });
        if (found == ask_terms().end()) return "no such term";
        return all.answer->says == found->says ? "" : instead;
    }
    if (const std::string model = phrasing.value("opens", ""); !model.empty())
        return (all.answer->preset.empty() ? at_hand : all.answer->preset) == model ? "" : instead;
    return text_of(*all.answer).find(phrasing.at("says").get<std::string>()) != std::string::npos ? "" : instead;
}

TEST(AskPhrasings, AreUnderstoodAsPeopleTypeThem) {
    std::ifstream file(HEADCOUNT_TESTS_DIR "/golden/ask/phrasings.json");
    const nlohmann::json phrasings = nlohmann::json::parse(file);
    constexpr std::size_t least = 200;
    ASSERT_GE(phrasings.size(), least);
    std::size_t right = 0;
    std::string wrong_ones;
    for (const nlohmann::json& each : phrasings) {
        const std::string instead = wrong(each);
        if (instead.empty())
            ++right;
        else
            wrong_ones += "\n--- " + each.dump() + "\n" + instead;
    }
    EXPECT_EQ(right, phrasings.size()) << wrong_ones;
    RecordProperty("right", static_cast<int>(right));
    std::cout << right << " of " << phrasings.size() << " right; wrong are:" << wrong_ones << '\n';
}

TEST(AskTerms, HaveASentenceAFigureAndATourThatThereIs) {
    const std::vector<Tour> tours = *shipped_tours();
    for (const AskTerm& term : ask_terms()) {
        const std::string words = "what is " + [&] {
            for (const AskWord& each : ask_words())
                if (const auto* of = std::get_if<const AskTerm*>(&each.meaning); of && *of == &term) return each.words;
            return std::string();
        }();
        const AskAnswer explained = answer(words);
        EXPECT_EQ(explained.title, term.name) << words;
        EXPECT_TRUE(explained.says.ends_with(".")) << words;
        EXPECT_FALSE(explained.number.empty()) << words;
        EXPECT_FALSE(explained.light.empty() && explained.place.empty() && explained.preset.empty()) << words;
        EXPECT_TRUE(term.tour.empty() ||
                    std::any_of(tours.begin(), tours.end(), [&](const Tour& each) { return each.id == term.tour; }))
            << term.tour;
    }
}

TEST(AskTerms, SayWhoseFigureItIsWhereTheModelAtHandHasNone) {
    const AskAnswer mixture = answer("what is a router");
    EXPECT_EQ(mixture.preset, "mixtral-8x7b");
    EXPECT_TRUE(says(mixture.notes, "Llama 2 7B has no router.")) << mixture.notes.size();
    const AskAnswer named = answer("what is the router of llama 3 8b");
    EXPECT_TRUE(named.number.empty()) << "another model's number would stand there";
    EXPECT_TRUE(says(named.notes, "Llama 3 8B has no router."));
}

// As many key/value heads as heads is a number of key/value heads, and no grouping.
TEST(AskTerms, KnowWhichKindOfAttentionAModelHas) {
    struct Kind {
        std::string asks, llama_2, llama_3, falcon;  // whose figure it is where the model at hand has none
    };
    for (const Kind& kind :
         {Kind{"what is mha", "", "llama-2-7b", "llama-2-7b"}, Kind{"what is gqa", "llama-3-8b", "", "llama-3-8b"},
          Kind{"what is mqa", "falcon-7b", "falcon-7b", ""}})
        for (const auto& [at_hand, whose] :
             {std::pair("llama-2-7b", kind.llama_2), std::pair("llama-3-8b", kind.llama_3),
              std::pair("falcon-7b", kind.falcon)}) {
            const Asked asked = asked_with_commands(kind.asks, at_hand);
            ASSERT_TRUE(asked.answer) << kind.asks;
            EXPECT_EQ(asked.answer->preset, whose) << kind.asks << ", " << at_hand;
            EXPECT_FALSE(asked.answer->number.empty());
            EXPECT_EQ(asked.answer->notes.empty(), whose.empty());
        }
    const AskAnswer named = answer("what is mqa of llama 2 7b");
    EXPECT_TRUE(named.number.empty());
    EXPECT_TRUE(says(named.notes, "Llama 2 7B has no multi-query attention."));
}

TEST(AskWords, OfTheProgramMeanOneThing) {
    std::vector<std::string> seen;
    for (const AskWord& each : ask_words()) {
        EXPECT_EQ(std::count(seen.begin(), seen.end(), each.words), 0) << each.words;
        seen.push_back(each.words);
        EXPECT_EQ(joined(atoms_of(each.words)), each.words);
    }
}

}  // namespace
}  // namespace headcount
