// Claims about the first page of the Run view: the words, one head's map, and the next word's bars.
#include <string>

#include "app/state/in_view.hpp"
#include "app/state/run/vocabulary.hpp"
#include "tests/app/views/run/bench.hpp"

namespace headcount {
namespace {

using test::set_run;
using test::Workbench;

// The panel in the middle, of the model that ships.
struct WordsBench : Workbench {
    explicit WordsBench(ImVec2 window = ImVec2(820, 560), test::DrawPanel draw = test::draw_shown)
        : Workbench(draw, "llama-2-7b", window) {
        session.view.run.source = RunSource::shipped;
        read(std::string(first_prompt));
    }
    void read(std::string prompt) {
        RunPlace place = session.view.run;
        place.prompt = std::move(prompt);
        headcount::apply(session, Intents{ShowWorkspace{run_view}, AtRun{SetRun{place}}});
        finish_run(session);
        frames(4);
    }
    const RunPlace& place() const { return session.view.run; }
};

TEST(RunWords, OpenAtAHeadThatIsFoundAndLeadToItsPlaceInTheDiagram) {
    WordsBench bench;
    EXPECT_TRUE(bench.has("run.attention"));
    EXPECT_FALSE(bench.place().opens);
    ASSERT_TRUE(bench.has("run.words.head.2")) << "what followed the same word";
    bench.press("run.words.head.2");
    const RunValues& values = *bench.session.running.shown->values;
    const MatrixView weights = values.attention(bench.place().layer, bench.place().head);
    EXPECT_GT(weights.at(7, 4), 0.5F) << "the second \"a\" looks at what followed the first";
    bench.press("run.words.open");
    bench.frames(60);
    EXPECT_EQ(bench.place().shows, RunShows::diagram);
    EXPECT_FALSE(bench.has("run.words.open"));
    EXPECT_EQ(model_in_view(bench.session).look.here.id, "layer.attention.head");
    EXPECT_EQ(model_in_view(bench.session).look.here.copy, bench.place().head);
}

TEST(RunWords, HeadsToLookAtStandAboveAMapThatLeavesNoRoomBesideIt) {
    WordsBench bench(ImVec2(516, 336));
    const NamedRect map = *bench.screen.recorder.find("run.attention");
    int chips = 0;
    for (int role = 0; role < 5; ++role) {
        const NamedRect* const chip = bench.screen.recorder.find("run.words.head." + std::to_string(role));
        if (!chip) continue;
        ++chips;
        EXPECT_LE(chip->max.y, map.min.y);
        EXPECT_LE(chip->max.x, 516);
    }
    EXPECT_GE(chips, 3);
    ASSERT_TRUE(bench.has("run.words.open"));
    EXPECT_LE(bench.screen.recorder.find("run.words.open")->max.x, 516);
    bench.press("run.words.head.2");
    EXPECT_GT(bench.session.running.shown->values->attention(bench.place().layer, bench.place().head).at(7, 4), 0.5F);
}

TEST(RunWords, TheMapWithAllThatStandsBesideItFitsASmallWindowWithoutScrolling) {
    // What a window of 1280 x 720 has for it; and at the scale of 150 %, of which so small a window takes less.
    for (const ImVec2 window : {ImVec2(702, 416), ImVec2(632, 371)}) {
        WordsBench bench(window);
        bench.read(std::string(first_prompt) + " boy named Paul.");
        const auto found = [&](const std::string& name) { return *bench.screen.recorder.find(name); };
        const NamedRect map = found("run.attention");
        int heads = 0;
        for (int role = 0; role < 5; ++role) {
            const std::string name = "run.words.head." + std::to_string(role);
            if (!bench.has(name)) continue;
            ++heads;
            EXPECT_GT(found(name).min.x, map.max.x) << "beside the map";
            EXPECT_LE(found(name).max.y, window.y) << role;
        }
        EXPECT_GE(heads, 3);
        EXPECT_LE(found("run.words.open").max.x, window.x);
        bench.point_at("run.attention");
        bench.screen.hands.wheel(-5);
        bench.frames(3);
        EXPECT_EQ(found("run.attention").min.y, map.min.y);
    }
}

TEST(RunWords, WhatNoHeadOfThisTextDoesIsOfferedAsAnExampleHasIt) {
    WordsBench bench(ImVec2(1200, 900));
    const RunHeads& found = *bench.session.running.heads;
    ASSERT_FALSE(found.elsewhere.empty());
    for (const HeadFound& each : found.elsewhere) {
        for (const HeadFound& own : found.heads) EXPECT_NE(own.role, each.role);
        const std::string name = "run.words.head." + std::to_string(static_cast<int>(each.role));
        ASSERT_TRUE(bench.has(name)) << name;
        bench.press(name);
        EXPECT_EQ(bench.place().layer, each.layer);
        EXPECT_EQ(bench.place().head, each.head);
        bench.frames(60);
    }
}

TEST(RunWords, TheDiagramGoesOnFromTheMapThatWasSeen) {
    const auto moving = [](const Ui& ui, const Session& session) {
        Ui moves = ui;
        moves.reduced_motion = false;
        return test::draw_shown(moves, session);
    };
    WordsBench bench(ImVec2(900, 700), moving);
    const NamedRect map = *bench.screen.recorder.find("run.attention");
    bench.press("run.words.open");
    const std::string weights = "canvas.layer.attention.head.weights";
    for (int frame = 0; frame < 4 && !bench.has(weights); ++frame) bench.frame();
    ASSERT_TRUE(bench.has(weights));
    const NamedRect first = *bench.screen.recorder.find(weights);
    EXPECT_NEAR(first.max.x - first.min.x, map.max.x - map.min.x, 0.35F * (map.max.x - map.min.x)) << "it stands there";
    EXPECT_NEAR((first.min.x + first.max.x) / 2, (map.min.x + map.max.x) / 2, 90);
    bench.frames(60);
    const NamedRect last = *bench.screen.recorder.find(weights);
    EXPECT_LT(last.max.x - last.min.x, 0.6F * (map.max.x - map.min.x)) << "and becomes one of the head's matrices";
}

TEST(RunWords, InALargeWindowTheMapGrowsAndItsWordsStandNextToIt) {
    const ImVec2 window(1757, 1080);
    WordsBench bench(window);
    const NamedRect map = *bench.screen.recorder.find("run.attention");
    EXPECT_GT(map.max.y - map.min.y, 0.6F * window.y) << "of nine words";
    EXPECT_LT(bench.screen.recorder.find("run.looks_at")->min.x, window.x - 400);
    bench.point_at("run.attention");
    bench.screen.hands.wheel(-5);
    bench.frames(3);
    EXPECT_EQ(bench.screen.recorder.find("run.attention")->min.y, map.min.y);
}

TEST(RunWords, AHeadThatWasChosenStaysWhateverIsRead) {
    WordsBench bench;
    set_run(bench.session, [](RunPlace& place) {
        place.layer = 1;
        place.head = 6;
    });
    bench.read("There was a dog. There was a cat.");
    EXPECT_EQ(bench.place().layer, 1);
    EXPECT_EQ(bench.place().head, 6);
}

TEST(RunWords, ALongTextIsSeenWholeUntilItsRowsAreTooThinAndThenScrolls) {
    WordsBench bench(ImVec2(1300, 320));
    const auto read = [&](int sentences) {
        std::string text;
        for (int i = 0; i < sentences; ++i) text += "Tom had a red ball. ";
        bench.read(text);
        return *bench.screen.recorder.find("run.attention");
    };
    EXPECT_LE(bench.screen.recorder.find("run.attention")->max.y, 320);
    EXPECT_LE(read(5).max.y, 320) << "with a word at every other row";
    const NamedRect map = read(15);
    const auto tokens = static_cast<float>(bench.session.running.shown->tokens.size());
    EXPECT_GE((map.max.y - map.min.y) / tokens, 10.9F) << "a row has room for its word";
}

TEST(RunWords, EveryWordOfALongTextStandsAtItsRow) {
    WordsBench bench(ImVec2(820, 700));
    bench.read(
        "Once upon a time there was a little girl named Lily. Lily had a ball. Lily found a black spoon. Tom had a "
        "dog. The dog was sad. Lily gave the ball to the dog. The dog was happy.");
    const std::int64_t tokens = bench.session.running.shown->values->tokens();
    ASSERT_GT(tokens, 40);
    int at_left = 0, at_right = 0;
    for (std::int64_t i = 0; i + 2 < tokens; ++i) {
        const bool left = bench.has("run.row." + std::to_string(i)),
                   right = bench.has("run.column." + std::to_string(i));
        EXPECT_TRUE(left || right) << i;
        at_left += left;
        at_right += right;
    }
    EXPECT_LT(at_left, tokens - 5) << "rows are too low for all of them";
    EXPECT_GT(at_right, 5);
}

TEST(RunWords, OfATextThatScrollsTheMenusStayAndTheRowThatIsLookedAtComesIntoSight) {
    WordsBench bench(ImVec2(700, 400));
    std::string text;
    for (int i = 0; i < 12; ++i) text += "Tom had a red ball. ";
    bench.read(text);
    bench.frames(3);
    const NamedRect map = *bench.screen.recorder.find("run.attention");
    EXPECT_LE(map.min.y, 0) << "it has scrolled";
    EXPECT_LE(map.max.y, 400) << "to its last row";
    for (const char* const name : {"run.way.layer", "run.way.head", "run.looks_at"}) {
        ASSERT_TRUE(bench.has(name)) << name;
        EXPECT_GE(bench.screen.recorder.find(name)->min.y, 0) << name;
        EXPECT_LE(bench.screen.recorder.find(name)->max.y, 400) << name;
    }
    set_run(bench.session, [](RunPlace& place) { place.position = 0; });
    bench.frames(4);
    EXPECT_GE(bench.screen.recorder.find("run.attention")->min.y, 0);
}

}  // namespace
}  // namespace headcount
