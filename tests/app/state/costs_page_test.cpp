// Claims about what the Costs view works out: published figures, which options are possible, and when nothing is done.
#include <gtest/gtest.h>

#include "app/state/costs/page.hpp"
#include "app/state/storage.hpp"
#include "app/state/what_if/page.hpp"
#include "tests/support/sessions.hpp"

namespace headcount {
namespace {

using test::ask;
using test::session_of;

Session at_costs(std::string_view preset, Input input = {}) {
    Session session = session_of(preset);
    session.document.input = input;
    session.derived = derive(session.document, nullptr);
    ask(session, ShowWorkspace{costs_view});
    return session;
}

template <class Change>
void change(Session& session, Change how) {
    CostsPlace place = session.view.costs;
    how(place);
    ask(session, AtCosts{SetCosts{place}});
}

const Costs& costs(const Session& session) { return *session.costs.shown; }

CostsPlace unusual() {
    CostsPlace place;
    place.device = "a100";
    place.how = {Optimizer::muon, Recompute::selective, true};
    place.scores = true;
    place.sharding = {16, 4, 2, 3};
    place.phase = Phase::decode;
    place.full = true;
    return place;
}

TEST(CostsPage, WorksNothingOutBeforeSomebodyLooks) {
    Session session = session_of("llama-2-7b");
    ask(session, Select{TotalSubject{}});
    EXPECT_TRUE(session.costs.devices.empty());
    EXPECT_FALSE(session.costs.shown);
    ask(session, ShowTab{BottomTab::memory});
    ASSERT_TRUE(session.costs.shown);
    EXPECT_TRUE(costs(session).rooms.empty()) << "what fits is searched for where it is seen";
    ask(session, ShowWorkspace{costs_view});
    EXPECT_EQ(session.costs.devices.size(), costs(session).rooms.size());
}

TEST(CostsPage, SaysWhatUsersWaitForAndWhyNothingIsLikely) {
    Session session = at_costs("llama-2-7b", {.tokens = 512, .batch = 4});
    change(session, [](CostsPlace& place) { place.phase = Phase::decode; });
    ASSERT_TRUE(costs(session).served);
    EXPECT_EQ(costs(session).served->next_token, costs(session).run.seconds) << "it is that pass";
    EXPECT_DOUBLE_EQ(*value_of(*costs(session).served, Metric::rate_for_all),
                     4 * *value_of(*costs(session).served, Metric::rate_for_one));
    EXPECT_TRUE(costs(session).likely);
    EXPECT_EQ(costs(session).likely_served.next_token, costs(session).likely->seconds());
    EXPECT_EQ(costs(session).unlikely, "");
    change(session, [](CostsPlace& place) { place.sharding.devices = place.sharding.pipeline = 4; });
    EXPECT_FALSE(costs(session).likely);
    EXPECT_EQ(costs(session).unlikely,
              "How long it likely takes is not said: no decode over the stages of a pipeline, which take turns with a "
              "token, was measured.");
    EXPECT_FALSE(costs(session).likely_served.first_token);
    EXPECT_FALSE(costs(session).likely_served.next_token);
    // What-if says the same in place of a chart.
    const PassOptions pass = pass_options(session.costs, session.view.costs, session.document.architecture);
    EXPECT_EQ(no_figure(Metric::likely_seconds, pass, session.document.input) + ".", costs(session).unlikely);
    EXPECT_EQ(no_figure(Metric::seconds, pass, session.document.input), "");
}

TEST(CostsPage, WhatIsSentTakesTimeWhereItIsSaidHowFast) {
    Session session = at_costs("llama-2-7b", {.tokens = 512, .batch = 4});
    change(session, [](CostsPlace& place) { place.sharding.devices = place.sharding.tensor = 4; });
    ASSERT_EQ(costs(session).run.links.size(), 1U);
    EXPECT_FALSE(costs(session).run.sending);
    change(session, [](CostsPlace& place) { place.link = "1GB/s"; });
    const double sent = static_cast<double>(costs(session).run.links[0].sent.bytes) / 1e9;
    EXPECT_DOUBLE_EQ(costs(session).run.seconds.value_or(0), sent) << "longer than at the roof";
    EXPECT_DOUBLE_EQ(costs(session).served->first_token.value_or(0), sent);
    EXPECT_GE(costs(session).likely_served.first_token.value_or(0), sent);
    EXPECT_DOUBLE_EQ(costs(session).likely->seconds(), costs(session).likely_served.first_token.value_or(0));
    change(session, [](CostsPlace& place) { place.link = "fast"; });
    EXPECT_FALSE(costs(session).run.sending);
}

TEST(CostsPage, WorksOutAgainOnlyWhatChanged) {
    Session session = at_costs("llama-2-7b");
    const auto before = session.costs.shown;
    ask(session, Select{TotalSubject{}});
    EXPECT_EQ(session.costs.shown, before) << "the same value, not another that is equal";
    change(session, [](CostsPlace& place) { place.device = "h100"; });
    EXPECT_NE(session.costs.shown, before);
    EXPECT_EQ(costs(session).device.id, "h100");
}

TEST(CostsPage, SaysWhichEditWasUndoneThatItDoesNotShow) {
    Session session = session_of("llama-2-7b");
    Document document = session.document;
    document.architecture.layer.feed_forward.width = 14336;
    ask(session, Replace{.document = document});
    ask(session, ShowWorkspace{costs_view});
    ask(session, Undo{});
    EXPECT_TRUE(session.view.notice.text.find("14336 → 11008") != std::string::npos) << session.view.notice.text;
    ask(session, ShowWorkspace{explore_view});
    ask(session, Redo{});
    EXPECT_EQ(session.view.notice.text, "") << "Explore shows it";
}

TEST(CostsPage, HasThePublishedSizesOfTheCache) {
    EXPECT_EQ(costs(at_costs("llama-3-8b")).memory.cache_per_token.bytes, 128 * 1024);
    EXPECT_EQ(costs(at_costs("deepseek-v3")).memory.cache_per_token.bytes, 70272);
    const Session llama = at_costs("llama-2-7b", {.tokens = 2048});
    EXPECT_EQ(costs(llama).memory.cache_per_token.bytes, 512 * 1024);
    EXPECT_EQ(costs(llama).memory.cache.bytes, std::int64_t{1} << 30);
}

TEST(CostsPage, FollowsTheWeightsFormatUntilTheCacheHasOneOfItsOwn) {
    Session session = at_costs("llama-2-7b", {.tokens = 100, .precision = Precision::fp32});
    EXPECT_EQ(costs(session).memory.cache_per_token.bytes, 1024 * 1024);
    Input input = session.document.input;
    input.cache = Precision::int8;
    ask(session, SetInput{input});
    EXPECT_EQ(costs(session).memory.cache_per_token.bytes, 256 * 1024);
}

TEST(CostsPage, CountsCachedTokensAsReadInTheSamePass) {
    const Session behind = at_costs("llama-2-7b", {.tokens = 1, .cached = 2047});
    EXPECT_EQ(costs(behind).memory.cache.bytes, std::int64_t{1} << 30);
}

TEST(CostsPage, DecodesTheLastTokenBehindAllOthers) {
    Session session = at_costs("llama-2-7b", {.tokens = 2048});
    change(session, [](CostsPlace& place) { place.phase = Phase::decode; });
    EXPECT_EQ(costs(session).run.tokens, 1);
    EXPECT_EQ(costs(session).run.work.flops.counted(), 14287896576) << "as `headcount compute` says";
    EXPECT_EQ(costs(session).run.bindings[Symbol::cached], 2047);
}

TEST(CostsPage, TrainsWithThreeTimesTheArithmeticOfReading) {
    Session session = at_costs("gpt2", {.tokens = 64});
    const std::int64_t forwards = costs(session).run.work.flops.counted();
    change(session, [](CostsPlace& place) { place.phase = Phase::training; });
    EXPECT_EQ(costs(session).run.work.flops.counted(), 3 * forwards);
    EXPECT_EQ(*evaluate(costs(session).flops_formula, costs(session).run.bindings), 3 * forwards);
}

TEST(CostsPage, SaysWhatIsImpossibleAndKeepsTheLastGoodFigures) {
    Session session = at_costs("llama-2-7b");
    const auto before = session.costs.shown;
    change(session, [](CostsPlace& place) { place.sharding = {6, 4, 1, 0}; });
    ASSERT_TRUE(session.costs.wrong);
    EXPECT_EQ(session.costs.wrong->where, "devices");
    EXPECT_EQ(session.costs.wrong->fix, "give 8 devices, or other groups");
    EXPECT_EQ(session.costs.shown, before);
    change(session, [](CostsPlace& place) { place.sharding.devices = 8; });
    EXPECT_FALSE(session.costs.wrong);
    EXPECT_EQ(costs(session).options.sharding, (Sharding{8, 4, 1, 0}));
}

TEST(CostsPage, SaysForHowManyTokensTheFiguresFit) {
    Session session = at_costs("llama-2-7b");
    const auto before = session.costs.shown;
    Document document = session.document;
    document.input.tokens = std::int64_t{1} << 45;
    ask(session, Replace{document, std::nullopt, true});
    ASSERT_TRUE(session.costs.wrong || !session.derived.errors.empty());
    EXPECT_EQ(session.costs.shown, before);
}

TEST(CostsPage, TakesAnotherDeviceWhereASavedOneIsGone) {
    Session session = session_of("llama-2-7b");
    session.view.costs.device = "abacus";
    ask(session, ShowWorkspace{costs_view});
    ASSERT_TRUE(session.costs.shown);
    EXPECT_EQ(session.view.costs.device, session.costs.devices.front().id);
}

TEST(CostsPage, IsRestoredAsItWas) {
    Saved saved{session_of("llama-2-7b").document, View{.costs = unusual()}};
    const Result<Saved> back = saved_from_text(saved_text(saved), "document.json");
    ASSERT_TRUE(back) << sentence(back.error());
    EXPECT_EQ(back->view.costs, unusual());
    saved.view.costs = {};
    EXPECT_EQ(saved_from_text(saved_text(saved), "document.json")->view.costs, CostsPlace{});
}

TEST(CostsPage, TakesTheCachesFormatFromWhereItWasSavedOnce) {
    Saved saved{session_of("llama-2-7b").document, View{}};
    nlohmann::json json = nlohmann::json::parse(saved_text(saved));
    json["view"]["costs"]["cache"] = "int8";
    EXPECT_EQ(saved_from_text(json.dump(), "document.json")->document.input.cache, Precision::int8);
    json["input"]["cache"] = "fp8";
    EXPECT_EQ(saved_from_text(json.dump(), "document.json")->document.input.cache, Precision::fp8);
}

TEST(CostsPage, IsRestoredFromWordsThatNobodyKnowsAsItIsAtFirst) {
    Saved saved{session_of("llama-2-7b").document, View{.costs = unusual()}};
    std::string text = saved_text(saved);
    for (const std::string_view word : {"\"muon\"", "\"selective\"", "\"decode\""})
        text.replace(text.find(word), word.size(), "\"abacus\"");
    const Result<Saved> back = saved_from_text(text, "document.json");
    ASSERT_TRUE(back) << sentence(back.error());
    EXPECT_EQ(back->view.costs.how.optimizer, Optimizer::adam);
    EXPECT_EQ(back->view.costs.phase, Phase::prefill);
    EXPECT_EQ(back->view.costs.sharding, unusual().sharding);
}

}  // namespace
}  // namespace headcount
