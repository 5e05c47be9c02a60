// What compare says of two models and of more, on the command line.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/app/cli/session.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::has;
using testing_data::Ran;
using testing_data::run;

TEST(Compare, TakesAdaptersAsMemoryDoes) {
    const std::vector<std::string> how{"--tokens", "64", "--adapter", "lora", "--targets", "all", "--json"};
    const auto answer = [&](std::vector<std::string> words) {
        words.insert(words.end(), how.begin(), how.end());
        const Ran ran = run(words);
        EXPECT_EQ(ran.status(), 0) << ran.err;
        return ran.json();
    };
    const json both = answer({"compare", "llama-2-7b", "llama-3-8b"});
    const auto memory = std::ranges::find(both["figures"], "memory", [](const json& each) { return each["figure"]; });
    ASSERT_NE(memory, both["figures"].end());
    EXPECT_EQ((*memory)["a"], answer({"memory", "llama-2-7b"})["total"]);
    EXPECT_EQ((*memory)["b"], answer({"memory", "llama-3-8b"})["total"]);
    const Ran rank = run({"compare", "gpt2", "llama-3-8b", "--rank", "8"});
    EXPECT_TRUE(has(rank.err, "there is no adapter: --rank: add --adapter lora")) << rank.err;
    const Ran layers = run({"sensitivity", "gpt2", "--adapter", "lora", "--targets", "query"});
    EXPECT_TRUE(has(layers.err, "no linear layer is called \"query\": --targets")) << layers.err;
    const Ran solved = run({"solve", "llama-2-7b", "--vary", "layers", "--memory", "24GiB", "--tokens", "64",
                            "--adapter", "lora", "--json"});
    EXPECT_EQ(solved.status(), 0) << solved.err;
    EXPECT_EQ(solved.json()["input"]["phase"], "train");
}

TEST(Compare, SaysWhereTheDifferenceComesFrom) {
    Ran text = run({"compare", "llama-2-7b", "llama-3-8b"});
    EXPECT_EQ(text.status(), 0) << text.err;
    for (const char* part : {"+1,291,845,632", "+394,264,576", "-805,306,368", "+1,308,622,848", "+788,529,152",
                             "model.layers.{i}.self_attn.k_proj.weight"})
        EXPECT_TRUE(has(text.out, part)) << part << "\n" << text.out;
}

TEST(Compare, IsOneJsonDocumentThatSums) {
    const json found = run({"compare", "llama-2-7b", "llama-3-8b", "--json"}).json();
    EXPECT_EQ(found["a"]["total"], 6738415616);
    EXPECT_EQ(found["b"]["total"], 8030261248);
    EXPECT_EQ(found["difference"]["total"], 1291845632);
    EXPECT_EQ(found["difference"]["by_component"]["attention"], -805306368);
    EXPECT_EQ(found["only_a"], json::array());
    EXPECT_TRUE(std::any_of(found["changed"].begin(), found["changed"].end(), [](const json& row) {
        return row["name"] == "lm_head.weight" && row["a"] == json({32000, 4096}) && row["b"] == json({128256, 4096});
    }));
    std::int64_t fields = found["interaction"];
    for (const json& row : found["fields"]) fields += row["own"].get<std::int64_t>();
    EXPECT_EQ(fields, 1291845632);
}

TEST(Compare, SaysInWhichOrderFieldsChangeAndWhatIsInteraction) {
    const json states = run({"compare", "mamba2-2.7b", "pythia-2.8b", "--json"}).json();
    for (const json& row : states["fields"])
        if (row["field"] == "heads" || row["field"] == "ffn_dim") {
            EXPECT_EQ(row["a"], "none") << "Mamba-2 has neither attention nor a feed-forward";
        }
    const Ran text = run({"compare", "gpt2", "llama-2-7b"});
    for (const char* part : {"dim + heads", "with dim", "interaction", "in this order"})
        EXPECT_TRUE(has(text.out, part)) << part << "\n" << text.out;
    EXPECT_FALSE(has(text.out, "not possible alone")) << text.out;
    const json found = run({"compare", "gpt2", "llama-2-7b", "--json"}).json();
    std::int64_t adds = 0, own = found["interaction"];
    for (const json& row : found["fields"]) {
        if (!row["adds"].is_null()) adds += row["adds"].get<std::int64_t>();
        if (!row["own"].is_null()) own += row["own"].get<std::int64_t>();
    }
    EXPECT_EQ(adds, 6'613'975'808);
    EXPECT_EQ(own, 6'613'975'808);
    EXPECT_EQ(found["fields"][0]["with"], json({"heads"}));
}

TEST(Compare, GivesAChoiceAsSetTakesIt) {
    const std::vector<std::string> asked{"compare", "llama-2-7b", "llama-2-7b", "--set", "norm_placement=after_sum"};
    std::vector<std::string> as_json = asked;
    as_json.push_back("--json");
    const json row = run(as_json).json()["fields"][0];
    EXPECT_EQ(row["field"], "norm_placement");
    EXPECT_EQ(row["a"], "before");
    EXPECT_EQ(row["b"], "after_sum");
    EXPECT_TRUE(has(run(asked).out, "after_sum"));
}

TEST(Compare, SetChangesTheSecondModel) {
    const json found = run({"compare", "llama-2-7b", "llama-2-7b", "--set", "layers=33", "--json"}).json();
    EXPECT_EQ(found["difference"]["total"], 202383360);
    EXPECT_EQ(found["repeated"].size(), 9u);
    EXPECT_TRUE(has(run({"compare", "gpt2", "gpt2"}).out, "They do not differ."));
}

TEST(Compare, ThreeAndMoreAreRowsOfATable) {
    const std::vector<std::string> models{"bert-base-uncased", "t5-small", "llama-2-7b", "qwen3-next-80b-a3b"};
    std::vector<std::string> words{"compare"};
    words.insert(words.end(), models.begin(), models.end());
    const Ran text = run(words);
    EXPECT_EQ(text.status(), 0) << text.err;
    for (const char* part : {"109,514,298", "60,506,624", "6,738,415,616", "Recurrence", "kv_cache"})
        EXPECT_TRUE(has(text.out, part)) << part << "\n" << text.out;
    words.emplace_back("--json");
    const json found = run(words).json();
    ASSERT_EQ(found["models"].size(), models.size());
    for (std::size_t i = 0; i < models.size(); ++i) {
        const json alone = run({"count", models[i], "--json"}).json(), &row = found["models"][i];
        EXPECT_EQ(row["total"], alone["parameters"]["total"]) << models[i];
        EXPECT_EQ(row["figures"]["total"], row["total"]) << models[i];
        std::int64_t sum = 0;
        for (const json& part : row["by_component"]) sum += part.get<std::int64_t>();
        EXPECT_EQ(sum, row["total"]) << models[i];
    }
    const Ran kinds = run({"compare", "bert-base-uncased", "gpt2", "t5-base"});
    EXPECT_TRUE(has(kinds.out, "bf16; T5 base with T = 100 tokens, S = ")) << kinds.out;
    const Ran unknown = run({"compare", "gpt2", "gpt2", "llama-9"});
    EXPECT_EQ(unknown.status(), 1);
    EXPECT_TRUE(has(unknown.err, "of this name: C, llama-9")) << unknown.err;
    std::vector<std::string> many(28, "gpt2");
    many.front() = "compare";
    EXPECT_TRUE(has(run(many).err, "at most 26"));
}

TEST(Compare, NeedsTwoModels) {
    EXPECT_EQ(run({"compare", "llama-2-7b"}).status(), 2);
    Ran unknown = run({"compare", "llama-2-7b", "llama-9"});
    EXPECT_EQ(unknown.status(), 1);
    EXPECT_TRUE(has(unknown.err, "no preset and no file of this name: B, llama-9")) << unknown.err;
    EXPECT_TRUE(has(run({"compare", "llama-9", "llama-2-7b"}).err, "of this name: A, llama-9"));
}

}  // namespace
}  // namespace headcount
