// Claims about the pages of words in the Run view: what is pressed is looked at, or taken.
#include "app/state/run/vocabulary.hpp"

#include "app/state/run/tree.hpp"
#include "app/views/run/parts.hpp"
#include "app/views/run/word_places.hpp"
#include "tests/app/views/run/bench.hpp"

namespace headcount {
namespace {

struct PagesBench : test::Workbench {
    explicit PagesBench(RunShows shows, ImVec2 window = ImVec2(760, 460))
        : Workbench(test::draw_shown, "llama-2-7b", window) {
        session.view.run.source = RunSource::shipped;
        session.view.run.shows = shows;
        headcount::apply(session, Intents{ShowWorkspace{run_view}});
        settle();
    }
    void settle() {
        finish_run(session);
        frames(4);
        finish_run(session);
        frames(4);
    }
    const RunPage& page() const { return session.running; }
};

TEST(RunWordMap, AWordThatIsPressedKeepsItsNeighboursUntilTheGroundIs) {
    PagesBench bench(RunShows::map);
    ASSERT_TRUE(bench.has("run.map"));
    const std::int32_t id = bench.page().shown->tokens[3].id;
    const std::string name = "run.map.word." + std::to_string(id);
    ASSERT_TRUE(bench.has(name)) << "the prompt's words are lit";
    bench.press(name);
    bench.settle();
    EXPECT_EQ(bench.page().words.chosen, id);
    ASSERT_TRUE(bench.page().near);
    EXPECT_EQ(bench.page().near->id, id);
    EXPECT_TRUE(bench.has("run.map.strip"));
    bench.press("run.map.near.2");
    EXPECT_EQ(bench.page().words.chosen, bench.page().near->rows[2].row);
}

// " Lily" and "Lily" are two rows that are written alike, and the nearest of each other.
TEST(RunWordMap, WordsThatAreWrittenAlikeAreToldApart) {
    PagesBench bench(RunShows::map);
    RunPlace named = bench.session.view.run;
    named.prompt = "Once there was a girl named Lily.";
    bench.ask(AtRun{SetRun{std::move(named)}});
    bench.settle();
    const std::vector<RunToken> tokens = bench.page().shown->tokens;
    const auto lily = std::ranges::find(tokens, " Lily", &RunToken::text);
    ASSERT_NE(lily, tokens.end());
    bench.press("run.map.word." + std::to_string(lily->id));
    bench.settle();
    ASSERT_TRUE(bench.page().near);
    const RunSnapshot& run = *bench.page().shown;
    std::size_t alike = 0;
    for (std::size_t i = 0; i < bench.page().near->rows.size(); ++i) {
        const auto id = static_cast<std::int32_t>(bench.page().near->rows[i].row);
        const bool same = candidate_text(run, id) == candidate_text(run, lily->id);
        EXPECT_EQ(bench.has("run.map.near." + std::to_string(i) + ".apart"), same) << candidate_text(run, id);
        EXPECT_EQ(told_apart(run, id, lily->id), same ? "no space" : "");
        EXPECT_EQ(told_apart(run, lily->id, id), same ? "with a space" : "");
        alike += same ? 1 : 0;
    }
    EXPECT_EQ(alike, 1u);
}

TEST(RunWordMap, TheNameOfTheWordThatIsLookedAtIsWhole) {
    PagesBench bench(RunShows::map, ImVec2(560, 320));
    const std::vector<RunToken> tokens = bench.page().shown->tokens;
    for (const RunToken& token : tokens) {
        const std::string name = "run.map.word." + std::to_string(token.id);
        ASSERT_TRUE(bench.has(name));
        bench.press(name);
        bench.settle();
        const NamedRect map = *bench.screen.recorder.find("run.map"), *const lit =
                                                                          bench.screen.recorder.find("run.map.lit");
        ASSERT_TRUE(lit) << token.text;
        EXPECT_TRUE(lit->min.x >= map.min.x && lit->max.x <= map.max.x && lit->min.y >= map.min.y &&
                    lit->max.y <= map.max.y)
            << token.text;
    }
}

TEST(RunWordMap, ALitWordHasItsNameAndNoNameIsNearerToAnothersDot) {
    for (const ImVec2 box : {ImVec2(500, 320), ImVec2(900, 600)}) {
        PagesBench bench(RunShows::map);
        ASSERT_TRUE(bench.page().map && bench.page().map->map);
        const RunSnapshot& run = *bench.page().shown;
        const PlacedWords placed = place_words(bench.screen.ui(), run, *bench.page().map->map, box);
        std::size_t lit = 0, named = 0;
        const auto is_lit = [&](std::size_t word) {
            return std::ranges::find(run.tokens, placed.ids[word], &RunToken::id) != run.tokens.end();
        };
        for (std::size_t i = 0; i < placed.ids.size(); ++i) lit += is_lit(i) ? 1 : 0;
        for (const PlacedWords::Named& each : placed.named) {
            named += each.own ? 1 : 0;
            const float own = each.place.away(placed.at[each.word]);
            for (std::size_t i = 0; i < placed.ids.size(); ++i)
                EXPECT_TRUE(!is_lit(i) || i == each.word || each.place.away(placed.at[i]) >= own)
                    << candidate_text(run, placed.ids[each.word]) << ", " << candidate_text(run, placed.ids[i]);
        }
        EXPECT_EQ(named, lit) << box.x;
        EXPECT_GT(placed.named.size(), 2 * lit);
    }
}

TEST(RunSteps, AWordThatIsPressedIsTakenApart) {
    PagesBench bench(RunShows::tokens, ImVec2(760, 900));
    ASSERT_TRUE(bench.has("run.steps.word.0"));
    bench.press("run.steps.word.1");
    EXPECT_TRUE(bench.has("run.steps.token.0"));
    EXPECT_FALSE(bench.has("run.steps.wrong"));
}

TEST(RunTokens, SayWhatTheyStandForWhereTheyAreNoText) {
    PagesBench bench(RunShows::tokens);
    const RunSnapshot& run = *bench.page().shown;
    ASSERT_TRUE(run.tokenizer && run.tokenizer->unknown() && run.tokenizer->bos());
    EXPECT_NE(note_on(run, *run.tokenizer->unknown()).find("letters that have no token"), std::string::npos);
    EXPECT_EQ(note_on(run, *run.tokenizer->bos()), "Stands before every text.");
    EXPECT_EQ(note_on(run, run.tokenizer->ends().front()), "Ends a text.");
    EXPECT_EQ(note_on(run, run.tokens[1].id), "");
}

TEST(RunTreePage, ABranchThatIsPressedIsTheTextAndTheSizeIsChosen) {
    PagesBench bench(RunShows::tree);
    ASSERT_TRUE(bench.has("run.tree.3"));
    bench.press("run.tree.width.0");
    EXPECT_EQ(bench.session.view.run.tree.width, 3);
    bench.settle();
    bench.press("run.tree.0");
    const std::string taken = text_of_branch(*bench.page().shown, *bench.page().tree, 0);
    EXPECT_EQ(bench.session.view.run.prompt, taken);
    bench.settle();
    EXPECT_EQ(bench.page().tree->branches.front().depth, 1);
    EXPECT_EQ(bench.page().shown->tokens.size(), 10U) << "the word is read";
}

}  // namespace
}  // namespace headcount
