// Claims: every shipped one beside known answers, every kind of verdict, and files that are wrong.
#include <gtest/gtest.h>

#include <map>

#include "core/claims/check.hpp"
#include "tests/support/class.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using testing_data::presets;
using testing_data::Scratch;

std::vector<ClaimsFile> shipped_claims() {
    const Result<std::vector<ClaimsFile>> files = load_claims(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "claims");
    EXPECT_TRUE(files) << sentence(files.error());
    return files ? *files : std::vector<ClaimsFile>{};
}

// A file of one claim about LLaMA 7B.
std::string one_claim(const std::string& rest) {
    return R"({"title": "t", "source": "s", "architecture": "llama-7b", "claims": [{"id": "x", "says": "y", )" + rest +
           "}]}";
}

Result<CheckedClaim> check(const std::string& text) {
    const Result<ClaimsFile> file = parse_claims(text, "a.json");
    if (!file) return file.error();
    return check_claim(file->claims.front(), presets());
}

std::string verdict_of(const std::string& rest) {
    const Result<CheckedClaim> checked = check(one_claim(rest + R"(, "verdict": "wrong", "why": "z")"));
    return checked ? std::string(verdict_key(checked->verdict)) : sentence(checked.error());
}

std::string error_of(const std::string& text) {
    const Result<CheckedClaim> checked = check(text);
    return checked ? "no error" : sentence(checked.error());
}

TEST(Claims, EveryShippedVerdictIsTheOneRecorded) {
    int claims = 0;
    for (const ClaimsFile& file : shipped_claims())
        for (const Claim& claim : file.claims) {
            const Result<CheckedClaim> checked = check_claim(claim, presets());
            ASSERT_TRUE(checked) << file.id << ", " << claim.id << ": " << sentence(checked.error());
            EXPECT_EQ(verdict_key(checked->verdict), verdict_key(claim.recorded)) << claim.id;
            ++claims;
        }
    EXPECT_GE(claims, 40);
}

// What claims of the source documents and of the first transformer's paper come to, known beforehand.
struct Known {
    const char *id, *computed, *verdict;
};
constexpr Known known[] = {
    {"205-b", "16,777,216", "wrong"},
    {"205-b-as-worked-out", "16,777,216", "wrong"},
    {"2-b-a-layer", "16,777,216", "wrong"},
    {"head-dim-squared", "524,288", "wrong"},
    {"column-a-timestep", "each row", "wrong"},
    {"encoder-only", "decoder-only", "wrong"},
    {"one-set-of-dense-layers", "32", "wrong"},
    {"ffn-width-11008", "11,008", "right"},
    {"weights-in-the-blocks", "6,476,267,520", "right but incomplete"},
    {"6.9-billion", "6,885,871,616", "rounded"},
    {"context-does-not-enter", "does not enter", "right"},
    {"every-dense-layer-is-square", "some", "wrong"},
    {"llama-2-layer", "202,383,360", "right"},
    {"llama-3-layer", "218,112,000", "right"},
    {"llama-2-layers", "6,476,267,520", "right"},
    {"llama-3-layers", "6,979,584,000", "right"},
    {"llama-2-embedding-and-head", "262,144,000", "right"},
    {"llama-3-embedding-and-head", "1,050,673,152", "right"},
    {"llama-2-total", "6,738,415,616", "right but incomplete"},
    {"llama-3-total", "8,030,261,248", "right but incomplete"},
    {"down-proj-outputs", "4,096", "wrong"},
    {"down-proj-stored", "4096 × 14336", "right"},
    {"inv-freq", "is not a parameter", "right"},
    {"6607.34-m", "6,607,343,616", "rounded"},
    {"65023.52-m", "65,023,516,672", "rounded"},
    {"131.07-m", "131,072,000", "rounded"},
    {"67.1-m", "67,108,864", "rounded"},
    {"135.27-m", "135,266,304", "rounded"},
    {"norms-8-m", "8,192", "wrong"},
    {"norms-8.19-m", "8,192", "wrong"},
    {"13-gb", "13,214,687,232 bytes (12.3 GiB)", "rounded"},
    {"13.21-gb", "13,214,687,232 bytes (12.3 GiB)", "rounded"},
    {"12.31-gib", "13,214,687,232 bytes (12.3 GiB)", "rounded"},
    {"405b-embedding", "655,360,000", "right"},
    {"405b-positions", "41,943,040", "right"},
    {"405b-query-key-value", "1,258,291,200", "right"},
    {"405b-output-projection", "419,430,400", "right"},
    {"405b-attention", "1,677,721,600", "right"},
    {"405b-feed-forward", "3,355,443,200", "right"},
    {"405b-layer", "5,033,246,720", "right but incomplete"},
    {"405b-layers", "402,659,737,600", "right but incomplete"},
    {"405b-total", "403,357,081,600", "right but incomplete"},
    {"405b-norms-negligible", "negligible", "right"},
    {"405b-about", "403,357,081,600", "rounded"},
    {"405b-against-the-real", "405,853,388,800", "wrong"},
    {"transformer-base-65-m", "63,606,784", "wrong"},
    {"transformer-big-213-m", "215,293,952", "wrong"},
};

TEST(Claims, ComeToWhatIsKnown) {
    std::map<std::string, CheckedClaim> checked;
    for (const ClaimsFile& file : shipped_claims())
        for (const Claim& claim : file.claims)
            if (const Result<CheckedClaim> one = check_claim(claim, presets())) checked.emplace(claim.id, *one);
    for (const auto& [id, computed, verdict] : known) {
        ASSERT_TRUE(checked.contains(id)) << id;
        EXPECT_EQ(checked.at(id).computed.text, computed) << id;
        EXPECT_EQ(verdict_key(checked.at(id).verdict), verdict) << id;
    }
}

TEST(Claims, AWrongClaimNamesTheStepWhereItGoesWrong) {
    std::map<std::string, CheckedClaim> checked;
    for (const ClaimsFile& file : shipped_claims())
        for (const Claim& claim : file.claims)
            if (const Result<CheckedClaim> one = check_claim(claim, presets())) checked.emplace(claim.id, *one);
    EXPECT_EQ(checked.at("205-b").at, "embedded");
    EXPECT_FALSE(checked.at("205-b").reaches) << "32·786·2048·4096 is not 205 B";
    EXPECT_EQ(checked.at("205-b").reached->text, "210,990,268,416");
    EXPECT_TRUE(checked.at("205-b-as-worked-out").reaches) << "its digits are those of 205,621,559,296, cut off";
    EXPECT_EQ(checked.at("205-b-as-worked-out").reached->text, "205,621,559,296");
    EXPECT_EQ(checked.at("2-b-a-layer").reached->text, "2,147,483,648");
    EXPECT_EQ(checked.at("head-dim-squared").claimed, "16,384");
    EXPECT_EQ(checked.at("every-dense-layer-is-square").at, "layer.feed_forward");
    EXPECT_EQ(checked.at("down-proj-outputs").at, "layer.feed_forward.output");
    EXPECT_EQ(checked.at("6.9-billion").reached->text, "6,885,605,376");
    EXPECT_EQ(checked.at("405b-total").without.front().value.text, "6,594,560");
    for (const auto& [id, claim] : checked) {
        const bool steps_right =
            std::all_of(claim.steps.begin(), claim.steps.end(), [](const CheckedStep& step) { return step.right; });
        EXPECT_EQ(steps_right, claim.verdict != Verdict::wrong || claim.steps.empty()) << id;
        EXPECT_EQ(claim.why.find('{'), std::string::npos) << id;
    }
}

TEST(Claims, TheVerdictFollowsFromTheNumbers) {
    const std::string total = R"("computed": "count of model")";
    EXPECT_EQ(verdict_of(R"("claimed": "6,738,415,616", )" + total), "right");
    EXPECT_EQ(verdict_of(R"("claimed": "6738.415616 M", )" + total), "right");
    EXPECT_EQ(verdict_of(R"("claimed": "6.74 billion", )" + total), "rounded");
    EXPECT_EQ(verdict_of(R"("claimed": "7 B", )" + total), "rounded");
    EXPECT_EQ(verdict_of(R"("claimed": "6.73 B", )" + total), "wrong") << "cut off, not rounded";
    EXPECT_EQ(verdict_of(R"("claimed": "6.8 B", )" + total), "wrong");
    EXPECT_EQ(verdict_of(R"("claimed": "roughly 6.8 B", )" + total), "rounded");
    EXPECT_EQ(verdict_of(R"("claimed": "roughly 8 B", )" + total), "wrong");
    EXPECT_EQ(verdict_of(R"("claimed": "6,738,415,617", )" + total), "wrong");
    const std::string without = total + R"(, "without": [{"what": "the head", "count": "count of output"}])";
    EXPECT_EQ(verdict_of(R"("claimed": "6,607,343,616", )" + without), "right but incomplete");
    EXPECT_EQ(verdict_of(R"("claimed": "6.61 B", )" + without), "right but incomplete");
    EXPECT_EQ(verdict_of(R"("claimed": "6.62 B", )" + without), "wrong");
    EXPECT_EQ(verdict_of(R"("claimed": "6,738,415,616", )" + without), "right");
}

TEST(Claims, ARightNumberReachedInAWrongWayIsWrong) {
    EXPECT_EQ(verdict_of(R"("claimed": "6,738,415,616", "reached": "7*d", "computed": "count of model")"), "wrong");
    EXPECT_EQ(verdict_of(R"("claimed": "131.07 M", "reached": "V*d", "computed": "count of output")"), "rounded");
    EXPECT_EQ(verdict_of(R"("reached": "V*d", "computed": "count of output")"), "right");
}

TEST(Claims, ShapesAreComparedSideBySide) {
    const std::string up = R"("computed": "shape of layer.feed_forward.up.weight")";
    EXPECT_EQ(verdict_of(R"("claimed": "4096 x 11008", )" + up), "right");
    EXPECT_EQ(verdict_of(R"("claimed": "d x d_ff", )" + up), "right");
    EXPECT_EQ(verdict_of(R"("claimed": "11008 x 4096", )" + up), "wrong");
    EXPECT_EQ(verdict_of(R"("claimed": "4096", )" + up),
              "a shape is computed and a number is claimed: claimed: give it as \"100 x 4096\"");
}

TEST(Claims, FactsFollowTheModel) {
    auto fact = [](const std::string& preset, const FactQuestion& question) {
        Claim claim;
        claim.model.preset = preset;
        const Result<CountedModelPtr> model = claim_model(claim, presets());
        const Result<Fact> found = answer_fact(question, **model, presets());
        return found ? found->words : sentence(found.error());
    };
    EXPECT_EQ(fact("gpt2", {"enters", "count of model", "C"}), "enters") << "learned positions";
    EXPECT_EQ(fact("llama-7b", {"enters", "count of model", "C"}), "does not enter");
    EXPECT_EQ(fact("llama-7b", {"enters", "elements of layer.attention.head.scores", "T"}), "enters");
    EXPECT_EQ(fact("llama-7b", {"timestep", "layer.attention.head.values", ""}), "each row");
    EXPECT_EQ(fact("llama-7b", {"timestep", "layer.attention.query.weight", ""}), "neither");
    EXPECT_EQ(fact("gpt2", {"parameter", "wpe", ""}), "is a parameter");
    EXPECT_EQ(fact("llama-7b", {"parameter", "wpe", ""}), "is not a parameter");
    EXPECT_EQ(fact("llama-7b", {"share", "count of norm", ""}), "negligible");
    EXPECT_EQ(fact("llama-7b", {"share", "count of embedding", ""}), "not negligible");
    EXPECT_EQ(fact("llama-7b", {"linear_shape", "layer.attention", "d x d"}), "every one");
    EXPECT_EQ(fact("llama-3-8b", {"linear_shape", "layer.attention", "d x d"}), "some");
    EXPECT_EQ(fact("gpt2", {"kind", "", ""}), "decoder-only");
    EXPECT_NE(fact("gpt2", {"timestep", "layer.attention.nothing", ""}).find("has no"), std::string::npos);
    EXPECT_NE(fact("gpt2", {"linear_shape", "nothing", "d x d"}).find("has no block"), std::string::npos);
    EXPECT_NE(fact("gpt2", {"enters", "count of model", "7"}).find("is not a symbol"), std::string::npos);
}

TEST(Claims, AFileThatIsWrongIsRefusedWithItsPlace) {
    const std::string rest = R"(, "verdict": "right", "why": "z")";
    const std::string total = R"("claimed": "7 B", "computed": "count of model")";
    struct Case {
        std::string text, part;
    };
    for (const auto& [text, part] : std::vector<Case>{
             {"", "there is nothing in it: a.json: copy the whole file again"},
             {"[]", "a JSON object was expected"},
             {"{}", "there is no \"title\": a.json"},
             {R"({"title": 3})", "this is not text: a.json, title"},
             {R"({"title": "t", "source": "s"})", "there is no list of at least one"},
             {R"({"title": "t", "source": "s", "claims": [3]})", "this is not an object: a.json, claims[0]"},
             {R"({"title": "t", "sauce": "s"})", "there is no \"sauce\" here: a.json, sauce: did you mean source"},
             {one_claim(total + R"(, "why": "z")"), "there is no \"verdict\": a.json, claims[0].verdict"},
             {one_claim(total + R"(, "why": "z", "verdict": "true")"), "there is no verdict \"true\""},
             {one_claim(R"("computed": "count of model")" + rest), "nothing is claimed: a.json, claims[0].claimed"},
             {one_claim(R"("claimed": "7 B")" + rest), "there is no \"computed\""},
             {one_claim(R"("claimed": "lots", "computed": "count of model")" + rest), "\"lots\" is not a number as"},
             {one_claim(R"("claimed": "7 X", "computed": "count of model")" + rest), "\"7 X\" is not a number as"},
             {one_claim(R"("claimed": "7 B", "computed": "count of moodel")" + rest), "has no \"moodel\""},
             {one_claim(R"("claimed": "7 B", "computed": "cont of model")" + rest), "claims[0].computed: did you mean"},
             {one_claim(R"("claimed": "7 B", "computed": "d*")" + rest), "a.json, claims[0].computed, character 3"},
             {one_claim(R"("claimed": "7 B", "reached": "d*x", "computed": "d")" + rest), "claims[0].reached"},
             {one_claim(R"("claimed": "7 B", "computed": "E")" + rest), "E has no value here"},
             {one_claim(R"("claimed": "7 GB", "computed": "count of model")" + rest), "bytes are claimed"},
             {one_claim(R"("claimed": "7 B", "computed": "bytes of model")" + rest), "bytes are computed"},
             {one_claim(R"("claimed": "d x d", "computed": "count of model")" + rest), "a shape is claimed"},
             {one_claim(R"("claimed": "yes", "computed": {"fact": "kind"})" + rest), "is not what this fact can be"},
             {one_claim(R"("claimed": "yes", "computed": {"fact": "kin"})" + rest), "did you mean kind"},
             {one_claim(R"("claimed": "enters", "computed": {"fact": "enters", "of": "d"})" + rest),
              "claims[0].computed.by: give a symbol in quotes"},
             {one_claim(R"("claimed": "encoder-only", "computed": {"fact": "kind", "of": "d"})" + rest),
              "has no \"of\""},
             {one_claim(total + rest + R"(, "architecture": "lama-7b")"), "did you mean llama-7b"},
             {one_claim(total + rest + R"(, "architecture": 3)"), "this is not an architecture"},
             {one_claim(total + rest + R"(, "architecture": {"preset": "llama-7b", "set": {"heads": 30}})"),
              "30 heads do not divide"},
             {one_claim(total + rest + R"(, "architecture": {"preset": "llama-7b", "set": {"hats": 3}})"),
              "unknown field \"hats\""},
             {one_claim(total + rest + R"(, "input": {"tokens": 0})"), "claims[0].input.tokens"},
             {one_claim(total + rest + R"(, "input": {"tokens": 1e300})"), "claims[0].input.tokens"},
             {one_claim(total + rest + R"(, "input": {"precision": "fp12"})"), "is no number format"},
             {one_claim(total + rest + R"(, "at": "layer.atention")"), "did you mean layer.attention"},
             {one_claim(total + rest + R"(, "without": [])"), "not a list of what is left out"},
             {one_claim(total + rest + R"(, "without": [{"what": "w", "count": "2*{count of model}"}])"),
              "cannot be left out"},
             {one_claim(total + rest + R"(, "steps": [{"what": "w"}])"), "there is no \"said\""},
             {one_claim(total + rest + R"(, "steps": [{"what": "w", "said": "9*"}])"), "steps[0].said"},
             {one_claim(total + rest + R"(, "steps": [{"what": "w", "said": "1", "graph": "rows of q"}])"),
              "steps[0].graph"},
             {one_claim(total + rest + R"(, "steps": [{"what": "w", "said": "1", "graph": 1}])"), "steps[0].graph"},
             {one_claim(total + R"(, "verdict": "right", "why": "{nothing of it}")"), "claims[0].why"},
             {one_claim(total + R"(, "verdict": "right", "why": "{open")"), "a brace is never closed"},
             {one_claim(R"("claimed": "7 B", "computed": "9000000000000000000*d")" + rest), "does not fit in 64 bits"},
             {one_claim(R"("claimed": "7 B", "computed": "d", "reached": "d/0")" + rest), "divides by"},
             {R"({"title": "t", "source": "s", "claims": [{"id": "x", "says": "y", )" + total + rest + "}]}",
              "there is no \"architecture\""},
         })
        EXPECT_NE(error_of(text).find(part), std::string::npos) << text << "\n" << error_of(text);
}

TEST(Claims, IdsAreTakenOnce) {
    const std::string claim =
        R"({"id": "x", "says": "y", "claimed": "7 B", "computed": "count of model", "verdict": "rounded", "why": "z"})";
    const std::string start = R"({"title": "t", "source": "s", "architecture": "llama-7b", "claims": [)";
    const Result<ClaimsFile> twice = parse_claims(start + claim + ", " + claim + "]}", "a.json");
    ASSERT_FALSE(twice);
    EXPECT_EQ(sentence(twice.error()), "the id \"x\" is also that of claims[0]: a.json, claims[1].id: change one");
    Scratch scratch;
    scratch.file("a.json", start + claim + "]}");
    ASSERT_TRUE(load_claims(scratch.folder()));
    scratch.file("b.json", start + claim + "]}");
    const Result<std::vector<ClaimsFile>> both = load_claims(scratch.folder());
    ASSERT_FALSE(both);
    EXPECT_NE(sentence(both.error()).find("the id \"x\" is also in a.json"), std::string::npos);
    EXPECT_FALSE(load_claims(scratch.folder() / "nothing"));
}

TEST(Claims, NoCutOffFileIsReadAsWhole) {
    const std::string whole = one_claim(
        R"("claimed": "7 B", "computed": "count of model", "verdict": "rounded", "why": "z", "steps":
           [{"what": "w", "said": "32", "graph": "h", "at": "layer.attention"}])");
    ASSERT_TRUE(parse_claims(whole, "a.json"));
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_FALSE(parse_claims(whole.substr(0, size), "a.json")) << size;
}

}  // namespace
}  // namespace headcount
