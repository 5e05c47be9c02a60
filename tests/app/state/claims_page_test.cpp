// Looking at published claims: what is read when, what stands beside them, and files of one's own.
#include <gtest/gtest.h>

#include "app/state/claims/page.hpp"
#include "app/state/in_view.hpp"
#include "app/state/storage.hpp"
#include "tests/support/claims_file.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/sessions.hpp"

namespace headcount {
namespace {

using test::ask;
using test::session_of;
using testing_data::own_claims;
using testing_data::Scratch;

Session at_claims() {
    Session session = session_of("llama-2-7b");
    ask(session, ShowWorkspace{claims_view});
    return session;
}

void choose(Session& session, std::string_view file, std::string_view claim) {
    ask(session, AtClaims{ChooseClaim{std::string(file), std::string(claim)}});
}

TEST(ClaimsPage, ReadsNothingBeforeSomebodyLooks) {
    Session session = session_of("llama-2-7b");
    ask(session, Select{TotalSubject{}});
    EXPECT_TRUE(session.claims.groups.empty());
    ask(session, ShowWorkspace{claims_view});
    EXPECT_FALSE(session.claims.groups.empty());
    EXPECT_TRUE(session.claims.problem.empty()) << session.claims.problem;
}

TEST(ClaimsPage, ReadsAndChecksOnceAndNotAgain) {
    Session session = at_claims();
    const auto groups = session.claims.groups;
    ask(session, ShowWorkspace{explore_view});
    ask(session, ShowWorkspace{claims_view});
    EXPECT_EQ(session.claims.groups, groups) << "the same values, not others that are equal";
}

TEST(ClaimsPage, BeginsWithTheFirstClaimAndItsFirstWrongStep) {
    const Session session = at_claims();
    EXPECT_EQ(session.view.claim, (ClaimPlace{"205-billion", "205-b", 1}));
    const FoundClaim found = find_claim(session.claims, session.view.claim);
    ASSERT_TRUE(found);
    EXPECT_EQ(found.checked->verdict, Verdict::wrong);
    EXPECT_EQ(found.checked->steps[1].what, "embedding size");
}

TEST(ClaimsPage, ShowsTheClaimsModelBesideAndTheDocumentStays) {
    Session session = at_claims();
    const Document before = session.document;
    choose(session, "205-billion", "2-b-a-layer");
    EXPECT_EQ(model_in_view(session).document.architecture.name, "LLaMA 7B");
    EXPECT_EQ(model_in_view(session).document.input.tokens, 2048);
    EXPECT_EQ(subject_key(model_in_view(session).look.selection), "layer.attention.head.output");
    EXPECT_EQ(model_in_view(session).look.asked_for.id, "layer.attention.head");
    EXPECT_EQ(session.document, before);
}

TEST(ClaimsPage, LightsThePlaceOfAStepEachTimeThatItIsPressed) {
    Session session = at_claims();
    choose(session, "205-billion", "2-b-a-layer");
    ask(session, AtClaims{ChooseStep{2}});
    EXPECT_EQ(session.view.claim.step, 2U);
    EXPECT_EQ(subject_key(model_in_view(session).look.selection), "layer.attention.output");
    const int askings = model_in_view(session).look.askings;
    ask(session, AtClaims{ChooseStep{2}});
    EXPECT_EQ(model_in_view(session).look.askings, askings + 1);
    ask(session, AtClaims{ChooseStep{99}});
    EXPECT_FALSE(session.view.claim.step) << "there is no such step";
}

TEST(ClaimsPage, EveryShippedClaimHasAModelBesideAndThePlaceThatItNames) {
    Session session = at_claims();
    std::size_t claims = 0;
    for (const auto& group : session.claims.groups)
        for (const Claim& claim : group->file.claims) {
            SCOPED_TRACE(claim.id);
            choose(session, group->key, claim.id);
            const std::optional<Shown>& side = session.claims.model;
            ASSERT_TRUE(side);
            const CheckedClaim& checked = *find_claim(session.claims, session.view.claim).checked;
            EXPECT_EQ(side->document.architecture.name, checked.model);
            EXPECT_EQ(claim.recorded, checked.verdict);
            if (side->derived.shown.graph.find(checked.at)) {
                EXPECT_EQ(subject_key(side->look.selection), checked.at);
            }
            ++claims;
        }
    EXPECT_GT(claims, 40U);
}

TEST(ClaimsPage, OpensAFileOfOnesOwnAsAFurtherGroupAndClosesItAgain) {
    const Scratch scratch;
    const std::string path = scratch.file("ours.json", own_claims());
    Session session = session_of("llama-2-7b");
    const Document before = session.document;
    ask(session, OpenFile{path});
    EXPECT_EQ(session.view.notice.text, "");
    EXPECT_EQ(session.view.workspace, claims_view);
    EXPECT_EQ(session.view.claim, (ClaimPlace{path, "own-width", {}}));
    EXPECT_EQ(session.view.recent.front(), path);
    EXPECT_EQ(session.document, before);
    ASSERT_TRUE(session.claims.groups.back()->opened);
    choose(session, path, "own-heads");
    EXPECT_EQ(session.view.claim.step, 1U);
    EXPECT_EQ(model_in_view(session).look.asked_for.id, "layer.attention.head");
    const std::size_t groups = session.claims.groups.size();
    ask(session, OpenFile{path});
    EXPECT_EQ(session.claims.groups.size(), groups) << "read again in its own place";
    ask(session, AtClaims{CloseClaims{path}});
    EXPECT_EQ(session.claims.groups.size(), groups - 1);
    EXPECT_EQ(session.view.claim.file, "205-billion");
    EXPECT_TRUE(session.view.claims_files.empty());
}

TEST(ClaimsPage, RefusesADamagedFileWithASentenceAndKeepsWhatIsThere) {
    const Scratch scratch;
    std::string broken = own_claims();
    broken.replace(broken.find("\"computed\": \"d\""), 15, "\"computed\": \"nonsense\"");
    for (const auto& [name, text, says] :
         {std::tuple{"broken.json", broken, "nonsense"},
          {"preset.json", std::string(own_claims()).replace(own_claims().find("gpt2"), 4, "gpt9"), "gpt9"},
          {"cut.json", own_claims().substr(0, 200), "cut.json"}}) {
        SCOPED_TRACE(name);
        Session session = session_of("llama-2-7b");
        ask(session, OpenFile{scratch.file(name, text)});
        EXPECT_NE(session.view.notice.text.find(says), std::string::npos) << session.view.notice.text;
        EXPECT_EQ(session.view.workspace, explore_view);
        EXPECT_TRUE(session.view.claims_files.empty());
        EXPECT_TRUE(session.view.recent.empty());
    }
}

TEST(ClaimsPage, MakesTheClaimsModelTheDocumentAndUndoBringsTheOldOneBack) {
    Session session = at_claims();
    const Document before = session.document;
    choose(session, "205-billion-answers", "6.9-billion");
    ask(session, AtClaims{OpenClaimModel{}});
    EXPECT_EQ(session.view.workspace, explore_view);
    EXPECT_EQ(session.document.preset, "llama-7b");
    EXPECT_EQ(session.derived.shown.parameters.total, 6'885'871'616);
    EXPECT_EQ(session.derived.changed, std::vector{Field::vocab}) << "what the claim changes is an edit";
    EXPECT_EQ(title_of(session.document), "LLaMA 7B, edited");
    ask(session, Undo{});
    EXPECT_EQ(session.document, before);
}

TEST(ClaimsPage, SelectsInExploreWhatTheClaimIsAbout) {
    Session session = at_claims();
    choose(session, "205-billion", "head-dim-squared");
    const std::string lit = subject_key(model_in_view(session).look.selection);
    ask(session, AtClaims{OpenClaimModel{}});
    EXPECT_EQ(subject_key(session.look.selection), lit);
    EXPECT_EQ(session.look.asked_for.id, "layer.attention");
}

TEST(ClaimsPage, IsAsItWasLeftAfterARestart) {
    const Scratch scratch;
    Session session = session_of("llama-2-7b");
    const std::string path = scratch.file("ours.json", own_claims());
    ask(session, OpenFile{path});
    choose(session, path, "own-heads");
    const Result<Saved> saved = saved_from_text(saved_text({session.document, session.view}), "document.json");
    ASSERT_TRUE(saved) << sentence(saved.error());
    Session again = session_of("llama-2-7b");
    again.view = saved->view;
    look_at_claims(claims_look(again));
    EXPECT_EQ(again.view.claim, (ClaimPlace{path, "own-heads", 1}));
    EXPECT_EQ(again.claims.groups.back()->key, path);
    EXPECT_EQ(model_in_view(again).document.architecture.name, "GPT-2 small");
}

TEST(ClaimsPage, SaysOfAFileThatIsGoneAndGoesOnWithTheFirstClaim) {
    Session session = session_of("llama-2-7b");
    session.view.claims_files = {"/nowhere/ours.json"};
    session.view.claim = {"/nowhere/ours.json", "own-heads", 1};
    session.view.workspace = claims_view;
    look_at_claims(claims_look(session));
    EXPECT_NE(session.view.notice.text.find("/nowhere/ours.json"), std::string::npos);
    EXPECT_TRUE(session.view.claims_files.empty());
    EXPECT_EQ(session.view.claim.claim, "205-b");
}

}  // namespace
}  // namespace headcount
