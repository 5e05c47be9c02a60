// Claims about what the looker finds for the pages of words: the map, neighbours, steps of the tokenizer, the tree.
#include <gtest/gtest.h>

#include "app/state/run/tree.hpp"
#include "app/state/run/vocabulary.hpp"
#include "core/tokenizer/tokenizer.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/sessions.hpp"
#include "tests/support/small_run.hpp"

namespace headcount {
namespace {

class RunWordsTest : public testing::Test {
  protected:
    RunWordsTest() : session(test::session_of("llama-2-7b")) {
        session.view.run.source = RunSource::shipped;
        headcount::apply(session, Intents{ShowWorkspace{run_view}});
        finish_run(session);
    }
    void show(RunShows shows) {
        RunPlace place = session.view.run;
        place.shows = shows;
        headcount::apply(session, Intents{AtRun{SetRun{place}}});
        finish_run(session);
    }
    const RunPage& page() const { return session.running; }

    Session session;
};

TEST_F(RunWordsTest, TheMapIsOfTheRowsThatWereTrainedAndSaysHowMuchItShows) {
    EXPECT_FALSE(page().map) << "nobody asked";
    show(RunShows::map);
    ASSERT_TRUE(page().map && page().map->map && page().trained);
    EXPECT_FALSE(page().trained->rows) << "it has no token that no text can have, to measure by";
    const nlohmann::json facts = testing_data::read_json_file(testing_data::golden_folder() / "word_map.json");
    EXPECT_EQ(facts["references"], 0);
    EXPECT_EQ(std::ssize(page().map->map->rows), facts["trained"]);
    EXPECT_NEAR(page().map->map->shares[0], facts["shares"][0], 1e-5);
    EXPECT_NEAR(page().map->map->shares[1], facts["shares"][1], 1e-5);
    for (const auto& [id, rows] : facts["near"].items()) {
        headcount::apply(session, Intents{AtRun{LookAtWords{{.chosen = std::stoi(id)}}}});
        finish_run(session);
        ASSERT_TRUE(page().near);
        EXPECT_EQ(page().near->id, std::stoi(id));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            EXPECT_EQ(page().near->rows[i].row, rows[i][0]);
            EXPECT_NEAR(page().near->rows[i].cosine, rows[i][1], 1e-5);
        }
    }
    const auto before = page().map;
    test::make_tokens(session, 1);
    EXPECT_EQ(page().map, before) << "another token does not change what the model knows";
}

TEST_F(RunWordsTest, ThePointedWordGoesBeforeTheChosenAndThatBeforeTheTokenThatIsLookedAt) {
    show(RunShows::map);
    const auto looked = [&] { return *word_looked_at(page(), *page().shown, session.view.run); };
    EXPECT_EQ(looked(), page().shown->tokens.back().id);
    headcount::apply(session, Intents{AtRun{LookAtWords{{.chosen = 300}}}});
    EXPECT_EQ(looked(), 300);
    headcount::apply(session, Intents{AtRun{LookAtWords{{.pointed = 301, .chosen = 300}}}});
    EXPECT_EQ(looked(), 301);
}

TEST_F(RunWordsTest, TheTokenizerIsFollowedThroughWhatIsTyped) {
    RunPlace place = session.view.run;
    place.shows = RunShows::tokens;
    place.prompt = "Umbrella";
    headcount::apply(session, Intents{AtRun{SetRun{place}}});
    finish_run(session);
    ASSERT_TRUE(page().steps && page().steps->steps);
    EXPECT_EQ(page().steps->text, "Umbrella");
    const WordSteps& word = page().steps->steps->words.front();
    EXPECT_GT(word.ids.size(), 1U);
    EXPECT_EQ(word.merges.size(), 3U) << "re, ll, lla";
    ASSERT_TRUE(page().trained);
}

TEST_F(RunWordsTest, ALeafOfTheTreeIsTheTextThatIsRead) {
    show(RunShows::tree);
    ASSERT_TRUE(page().tree) << "found";
    ASSERT_FALSE(page().tree->wrong);
    const std::vector<Branch>& all = page().tree->branches;
    EXPECT_GT(all.size(), 5U);
    const std::size_t leaf = all.size() - 1;
    const std::string text = text_of_branch(*page().shown, *page().tree, leaf);
    EXPECT_TRUE(text.starts_with(std::string(first_prompt))) << text;
    const std::vector<std::int32_t> way = way_to(all, leaf);
    RunPlace place = session.view.run;
    place.prompt = text;
    place.tree = {3, 2};
    headcount::apply(session, Intents{AtRun{SetRun{place}}});
    finish_run(session);
    const auto ids = page().shown->values->ids();
    EXPECT_TRUE(std::ranges::equal(ids.last(way.size()), way)) << text;
    EXPECT_EQ(page().tree->rules.width, 3);
    EXPECT_LE(page().tree->branches.size(), 6U);
}

TEST_F(RunWordsTest, WhereThereIsNoTokenizerThereAreNoSuchPages) {
    test::show_small_run(session);
    finish_run(session);
    show(RunShows::tree);
    EXPECT_EQ(shows_of(page(), session.view.run), RunShows::diagram);
    for (const RunShows shows : {RunShows::words, RunShows::map, RunShows::tokens, RunShows::tree})
        EXPECT_FALSE(can_show(*page().shown, shows));
}

}  // namespace
}  // namespace headcount
