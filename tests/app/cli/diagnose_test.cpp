// headcount diagnose: what it says of numbers that another program made, and of files that are none such.
#include <gtest/gtest.h>

#include "tests/app/cli/session.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::has;
using testing_data::Ran;
using testing_data::run;
using testing_data::Scratch;

const std::string golden = std::string(HEADCOUNT_TESTS_DIR) + "/golden/diagnose/";
const std::string ids = "3,17,41,8,29,60,5";

Ran diagnose(const std::string& model, const std::string& against, std::vector<std::string> more = {},
             const std::string& prompt = ids) {
    std::vector<std::string> words{"diagnose", golden + model, "--against", against, "--prompt-ids", prompt};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
}

// A file of float32 tensors.
std::string write_tensors(const Scratch& scratch, const std::string& name,
                          const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& tensors, float value) {
    json header = json::object();
    std::size_t bytes = 0;
    for (const auto& [each, shape] : tensors) {
        std::size_t size = sizeof(float);
        for (const std::int64_t side : shape) size *= static_cast<std::size_t>(side);
        header[each] = {{"dtype", "F32"}, {"shape", shape}, {"data_offsets", {bytes, bytes + size}}};
        bytes += size;
    }
    const std::string text = header.dump();
    const std::uint64_t length = text.size();
    std::string file(reinterpret_cast<const char*>(&length), sizeof(length));
    file += text;
    for (std::size_t i = 0; i < bytes; i += sizeof(float))
        file.append(reinterpret_cast<const char*>(&value), sizeof(value));
    return scratch.file(name, file);
}

TEST(Diagnose, SaysWhatDiffersFirstAndWhatMakesIt) {
    const Ran ran = diagnose("llama-1", golden + "llama-rope-neighbours-seen.safetensors");
    EXPECT_EQ(ran.status(), 0) << ran.err;
    EXPECT_TRUE(has(ran.out,
                    "1 of 3 compared tensors agree\n"
                    "first that differs: layer.0.attention.queries_rotated, theirs "
                    "\"layers.0.self_attn.q_rot\", by 68 % of its size\n"
                    "  tokens 1-6 differ, of 7\n"
                    "  all 4 heads differ\n"
                    "  all 32 columns differ\n"
                    "cause: RoPE turns neighbouring columns (2i and 2i + 1), where the model turns halves"))
        << ran.out;
    EXPECT_TRUE(has(ran.out, "rope-neighbours: with it all 3 agree")) << ran.out;
    const json found = diagnose("llama-1", golden + "llama-rope-neighbours-seen.safetensors", {"--json"}).json();
    EXPECT_FALSE(found["equal"]);
    EXPECT_EQ(found["causes"][0]["names"], json({"rope-neighbours"}));
    EXPECT_EQ(found["first"]["ours"], "layer.0.attention.queries_rotated");
    EXPECT_EQ(found["first"]["tokens"].size(), 7u);
    EXPECT_EQ(found["first"]["tokens"][0], 0);
    EXPECT_EQ(found["compared"][0]["by"], "words");
    EXPECT_TRUE(found["compared"][0]["agrees"]);
}

TEST(Diagnose, SaysOfEqualNumbersThatTheyAre) {
    const Ran ran = diagnose("gemma-2", golden + "gemma-right-2.safetensors");
    EXPECT_TRUE(has(ran.out, "4 of 4 compared tensors agree\nequal: the largest difference is ")) << ran.out;
    EXPECT_TRUE(diagnose("gemma-2", golden + "gemma-right-2.safetensors", {"--json"}).json()["equal"]);
    // The weights of another model are not these.
    const Ran other = diagnose("gemma-1", golden + "gemma-right-2.safetensors");
    EXPECT_TRUE(has(other.out, "cause: not known. None of ")) << other.out;
    const Ran rounded = diagnose("llama-1", golden + "llama-bf16.safetensors");
    EXPECT_TRUE(has(rounded.out, "rounding: ")) << rounded.out;
}

TEST(Diagnose, TakesTheIdsFromTheFileWhereItHasThem) {
    const Scratch scratch;
    const std::string file = (scratch.folder() / "own.safetensors").string();
    ASSERT_EQ(run({"run", golden + "llama-1", "--prompt-ids", ids, "--tokens", "0", "--dump", file}).status(), 0);
    const Ran ran = run({"diagnose", golden + "llama-1", "--against", file});
    EXPECT_TRUE(has(ran.out, "equal: ")) << ran.out << ran.err;
    const Ran twice = run({"diagnose", golden + "llama-1", "--against", file, "--prompt", "a", "--prompt-ids", ids});
    EXPECT_TRUE(has(twice.err, "a prompt is given twice")) << twice.err;
}

TEST(Diagnose, ReadsWhatARunOfItsOwnHasDumped) {
    const Scratch scratch;
    const std::string file = (scratch.folder() / "own.safetensors").string();
    for (const char* model : {"gpt2-1", "mixtral-1"}) {
        ASSERT_EQ(run({"run", golden + model, "--prompt-ids", ids, "--tokens", "0", "--dump", file}).status(), 0);
        const json found = diagnose(model, file, {"--json"}).json();
        EXPECT_TRUE(found["equal"]) << found.dump(1);
        for (const json& each : found["compared"]) EXPECT_EQ(each["by"], "name") << each;
    }
}

TEST(Diagnose, RefusesWhatCannotBeCompared) {
    const Scratch scratch;
    const auto refused = [&](const Ran& ran, const std::string& why) {
        EXPECT_EQ(ran.status(), 1) << ran.out;
        EXPECT_TRUE(has(ran.err, why)) << ran.err;
    };
    const std::string right = golden + "llama-right-1.safetensors";
    refused(diagnose("llama-1", right, {}, "1,2,3"), "logits has 7 rows, one for each of as many tokens: " + right);
    refused(diagnose("llama-1", right, {}, "1,2,61"), "is no token");
    std::string many = "1";
    for (int i = 0; i < 512; ++i) many += ",1";
    refused(diagnose("llama-1", right, {}, many),
            "513 tokens are more than the 512 that are compared at once: tokens:");
    refused(diagnose("llama-1", write_tensors(scratch, "wide", {{"logits", {1, 7, 99}}}, 1)),
            "logits has 99 columns, and the vocabulary 61");
    refused(diagnose("llama-1", write_tensors(scratch, "odd", {{"x", {5}}}, 1)), "write one of logits (7, 61)");
    refused(diagnose("llama-1", write_tensors(scratch, "nan", {{"logits", {7, 61}}}, NAN)),
            "holds a number that is none (NaN), the first in its row 0");
    refused(diagnose("llama-1", scratch.file("text", "no tensors")), "--against");
    refused(diagnose("llama-1", "nowhere.safetensors"), "nowhere.safetensors");
    refused(run({"diagnose", "llama-2-7b", "--against", right, "--prompt-ids", ids}), "there are no weights");
    EXPECT_TRUE(has(run({"diagnose", golden + "llama-1", "--against", right}).err, "there is no prompt"));
    EXPECT_TRUE(has(run({"diagnose", golden + "llama-1", "--prompt-ids", ids}).err, "--against"));
}

}  // namespace
}  // namespace headcount
