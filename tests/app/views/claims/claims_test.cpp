// Claims about the Claims view's panels: what is listed, what a page says, what pressing asks for.
#include "core/claims/claims.hpp"

#include "app/views/claims/panels.hpp"
#include "tests/support/claims_file.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

using test::Workbench;
using testing_data::own_claims;
using testing_data::Scratch;

const ImVec2 list_size(300, 6000), page_size(600, 2000);

Intents draw_list(const Ui& ui, const Session& session) {
    return draw_claims_list(ui, session.claims, session.view.claim);
}
Intents draw_page(const Ui& ui, const Session& session) { return draw_claim(ui, session.claims, session.view.claim); }

void open_view(Workbench& bench) { bench.ask(ShowWorkspace{claims_view}); }

void choose(Workbench& bench, std::string_view file, std::string_view claim) {
    bench.ask(AtClaims{ChooseClaim{std::string(file), std::string(claim)}});
}

std::size_t rows_of(const Workbench& bench) {
    const auto all = bench.screen.recorder.all();
    return static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [](const NamedRect& rect) { return rect.name.starts_with("claims.row."); }));
}

std::size_t count_of(const Session& session, std::optional<Verdict> verdict) {
    std::size_t count = 0;
    for (const auto& group : session.claims.groups)
        for (const CheckedClaim& checked : group->checked) count += !verdict || checked.verdict == *verdict ? 1 : 0;
    return count;
}

TEST(ClaimsList, HasEveryClaimThatShips) {
    Workbench bench(draw_list, "llama-2-7b", list_size);
    open_view(bench);
    EXPECT_EQ(rows_of(bench), count_of(bench.session, std::nullopt));
    for (const auto& group : bench.session.claims.groups)
        for (const Claim& claim : group->file.claims) EXPECT_TRUE(bench.has("claims.row." + claim.id)) << claim.id;
}

TEST(ClaimsList, PressingAClaimChoosesIt) {
    Workbench bench(draw_list, "llama-2-7b", list_size);
    open_view(bench);
    bench.press("claims.row.encoder-only");
    EXPECT_EQ(bench.session.view.claim.claim, "encoder-only");
}

TEST(ClaimsList, ArrowKeysGoFromClaimToClaim) {
    Workbench bench(draw_list, "llama-2-7b", list_size);
    open_view(bench);
    bench.press("claims.row.205-b");
    for (const char* next : {"205-b-as-worked-out", "2-b-a-layer"}) {
        bench.screen.hands.key(ImGuiKey_DownArrow, true);
        bench.frame();
        bench.screen.hands.key(ImGuiKey_DownArrow, false);
        bench.frames(3);
        EXPECT_EQ(bench.session.view.claim.claim, next);
    }
}

TEST(ClaimsList, AVerdictsChipListsOnlyThoseAndAllOfThemWhenItIsPressedAgain) {
    Workbench bench(draw_list, "llama-2-7b", list_size);
    open_view(bench);
    const std::size_t all = rows_of(bench);
    bench.press("claims.only.wrong");
    EXPECT_EQ(rows_of(bench), count_of(bench.session, Verdict::wrong));
    EXPECT_LT(rows_of(bench), all);
    bench.press("claims.only.wrong");
    EXPECT_EQ(rows_of(bench), all);
    bench.press("claims.only.incomplete");
    EXPECT_EQ(rows_of(bench), count_of(bench.session, Verdict::incomplete));
}

TEST(ClaimsList, WordsNarrowItAndSayWhereNoneIsLeft) {
    Workbench bench(draw_list, "llama-2-7b", list_size);
    open_view(bench);
    bench.type("claims.search", "encoder-only");
    EXPECT_EQ(rows_of(bench), 1U);
    EXPECT_TRUE(bench.has("claims.row.encoder-only"));
    bench.type("claims.search", "zzz");
    EXPECT_EQ(rows_of(bench), 0U);
}

TEST(ClaimsList, AFileOfOnesOwnCanBeClosedAndThoseThatShipCannot) {
    const Scratch scratch;
    Workbench bench(draw_list, "llama-2-7b", list_size);
    open_view(bench);
    EXPECT_FALSE(bench.has("claims.close"));
    bench.ask(OpenFile{scratch.file("ours.json", own_claims())});
    ASSERT_TRUE(bench.has("claims.row.own-heads"));
    bench.press("claims.close");
    bench.frames(2);
    EXPECT_FALSE(bench.has("claims.row.own-heads"));
}

TEST(ClaimsList, TheClaimThatIsChosenIsInSightAlsoOfAFileThatHasJustCome) {
    const Scratch scratch;
    Workbench bench(draw_list, "llama-2-7b", ImVec2(300, 600));
    open_view(bench);
    EXPECT_TRUE(bench.has("claims.row.205-b"));
    bench.ask(OpenFile{scratch.file("ours.json", own_claims())});
    bench.frames(3);
    EXPECT_TRUE(bench.has("claims.row.own-width"));
    EXPECT_FALSE(bench.has("claims.row.205-b"));
    choose(bench, "205-billion", "205-b");
    EXPECT_TRUE(bench.has("claims.row.205-b"));
}

TEST(ClaimPage, PressingAStepLightsIt) {
    Workbench bench(draw_page, "llama-2-7b", page_size);
    open_view(bench);
    bench.press("claim.step.4");
    EXPECT_EQ(bench.session.view.claim.step, 4U);
}

TEST(ClaimPage, ArrowKeysGoFromStepToStep) {
    Workbench bench(draw_page, "llama-2-7b", page_size);
    open_view(bench);
    bench.press("claim.step.1");
    bench.screen.hands.key(ImGuiKey_DownArrow, true);
    bench.frame();
    bench.screen.hands.key(ImGuiKey_DownArrow, false);
    bench.frames(3);
    EXPECT_EQ(bench.session.view.claim.step, 2U);
}

TEST(ClaimPage, EveryShippedClaimHasItsNumbersSideBySideAndAllItsSteps) {
    Workbench bench(draw_page, "llama-2-7b", page_size);
    open_view(bench);
    for (const auto& group : bench.session.claims.groups)
        for (std::size_t i = 0; i < group->checked.size(); ++i) {
            SCOPED_TRACE(group->file.claims[i].id);
            choose(bench, group->key, group->file.claims[i].id);
            const NamedRect* const said = bench.screen.recorder.find("claim.said");
            const NamedRect* const computed = bench.screen.recorder.find("claim.computed");
            ASSERT_TRUE(said && computed);
            EXPECT_EQ(said->min.y, computed->min.y);
            EXPECT_LT(said->max.x, computed->min.x);
            EXPECT_FALSE(bench.has("claim.changed"));
            const std::size_t steps = group->checked[i].steps.size();
            for (std::size_t step = 0; step < steps; ++step)
                EXPECT_TRUE(bench.has("claim.step." + std::to_string(step)));
            EXPECT_FALSE(bench.has("claim.step." + std::to_string(steps)));
        }
}

TEST(ClaimPage, PutsTheNumbersBelowEachOtherWhereThereIsNoRoom) {
    Workbench bench(draw_page, "llama-2-7b", ImVec2(340, 2000));
    open_view(bench);
    const NamedRect* const said = bench.screen.recorder.find("claim.said");
    const NamedRect* const computed = bench.screen.recorder.find("claim.computed");
    ASSERT_TRUE(said && computed);
    EXPECT_LT(said->max.y, computed->min.y);
}

TEST(ClaimPage, LowersSymbolsAndLeavesNamesAlone) {
    EXPECT_EQ(with_symbols("W_o is h·d_h x d"), "W_o is h·d_h x d");
    EXPECT_EQ(with_symbols("lm_head and down_proj"), "lm\\_head and down\\_proj");
    EXPECT_EQ(with_symbols("_a __b c\\d"), "\\_a \\_\\_b c\\\\d");
    EXPECT_EQ(with_symbols(""), "");
}

TEST(ClaimPage, CopiesTheNumberThatIsPressed) {
    Workbench bench(draw_page, "llama-2-7b", page_size);
    open_view(bench);
    bench.press("claim.computed");
    ASSERT_EQ(bench.all<Copy>().size(), 1U);
    EXPECT_EQ(bench.all<Copy>().front().text, "16,777,216");
}

TEST(ClaimPage, SaysLoudlyThatAVerdictIsNoLongerTheOneRecorded) {
    const Scratch scratch;
    Workbench bench(draw_page, "llama-2-7b", page_size);
    open_view(bench);
    EXPECT_FALSE(bench.has("claim.changed"));
    const std::string path = scratch.file("ours.json", own_claims("rounded"));
    bench.ask(OpenFile{path});
    choose(bench, path, "own-heads");
    EXPECT_TRUE(bench.has("claim.changed"));
}

TEST(ClaimPage, OpensTheClaimsModelToBeExplored) {
    Workbench bench(draw_page, "gpt2", page_size);
    open_view(bench);
    bench.press("claim.open");
    EXPECT_EQ(bench.session.view.workspace, explore_view);
    EXPECT_EQ(bench.session.document.preset, "llama-7b");
    EXPECT_TRUE(bench.session.history.can_undo());
}

}  // namespace
}  // namespace headcount
