// The .bin files of llama2.c: every tensor's place in all three versions, and files whose numbers explain nothing.
#include "core/checkpoints/llama2c.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <random>

#include "tests/core/checkpoints/gguf_file.hpp"
#include "tests/core/checkpoints/refusal.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using testing_data::little;
using testing_data::refusal;

// dim 8, hidden_dim 12, 2 layers, 4 heads of which 2 for keys and values, 10 words, 16 positions.
std::string dimensions(std::int32_t vocab, std::int32_t dim = 8, std::int32_t hidden = 12, std::int32_t layers = 2,
                       std::int32_t heads = 4, std::int32_t kv_heads = 2, std::int32_t positions = 16) {
    std::string bytes;
    for (const std::int32_t each : {dim, hidden, layers, heads, kv_heads, vocab, positions}) bytes += little(each);
    return bytes;
}
constexpr std::int64_t matrices = 2 * (8 * 8 + 4 * 8 + 4 * 8 + 8 * 8 + 3 * 12 * 8), norms = (2 * 2 + 1) * 8,
                       table = 10 * 8, rotary = 2 * 16 * 1;

std::string oldest(std::int32_t vocab, std::int64_t floats) {
    return dimensions(vocab) + std::string(static_cast<std::size_t>(4 * floats), '\0');
}
std::string marked(std::int32_t version, const std::string& rest, std::size_t data) {
    std::string bytes = little(0x616b3432U) + little(version) + dimensions(10) + rest;
    bytes.resize(256 + data);
    return bytes;
}

Result<Checkpoint> as_llama2c(const std::string& bytes) {
    return read_llama2c(std::as_bytes(std::span(bytes)), "bad.bin");
}

const CheckpointTensor& tensor(const Checkpoint& checkpoint, const std::string& name) {
    for (const CheckpointTensor& each : checkpoint.tensors)
        if (each.name == name) return each;
    throw std::runtime_error("there is no tensor " + name);
}

// The tensors follow each other; between them are `holes` bytes, and behind the header `begin`.
void expect_seamless(const Checkpoint& checkpoint, std::uint64_t begin, std::int64_t holes) {
    std::int64_t sum = 0;
    std::uint64_t last = 0;
    EXPECT_EQ(checkpoint.tensors.front().offset, begin);
    for (const CheckpointTensor& each : checkpoint.tensors) {
        EXPECT_GE(each.offset, last) << each.name;
        last = each.offset + static_cast<std::uint64_t>(each.bytes);
        sum += each.bytes;
    }
    EXPECT_LE(last, static_cast<std::uint64_t>(checkpoint.bytes));
    EXPECT_EQ(sum + holes + static_cast<std::int64_t>(begin), checkpoint.bytes);
}

TEST(Llama2c, TheOldestVersionHasTablesOfAnglesThatAreNoTensors) {
    const Result<Checkpoint> model = as_llama2c(oldest(10, table + norms + matrices + rotary));
    ASSERT_TRUE(model) << sentence(model.error());
    EXPECT_EQ(model->format, "llama2.c");
    EXPECT_EQ(model->tensors.size(), 1u + 2 * 9 + 1);
    expect_seamless(*model, 28, 4 * rotary);
    EXPECT_EQ(tensor(*model, "model.layers.1.self_attn.k_proj.weight"),
              (CheckpointTensor{"model.layers.1.self_attn.k_proj.weight",
                                {4, 8},
                                {"F32", 1, 4},
                                32,
                                128,
                                0,
                                28 + 4 * (table + 2 * 8 + 2 * 64 + 32)}));
    EXPECT_EQ(tensor(*model, "model.layers.0.mlp.down_proj.weight").shape, (std::vector<std::int64_t>{8, 12}));
    EXPECT_EQ(
        model->metadata,
        nlohmann::json(
            {{"dim", 8},
             {"hidden_dim", 12},
             {"n_layers", 2},
             {"n_heads", 4},
             {"n_kv_heads", 2},
             {"vocab_size", 10},
             {"seq_len", 16},
             {"version", 0},
             {"shared_classifier", true},
             {"freq_cis",
              {{"tables", 2}, {"shape", {16, 1}}, {"bytes", 128}, {"offset", 28 + 4 * (table + norms + matrices)}}}}));
}

TEST(Llama2c, ANegativeVocabularySaysThatTheOutputHasItsOwnWeights) {
    const std::string bytes = oldest(-10, table + norms + matrices + rotary + table);
    const Result<Checkpoint> model = as_llama2c(bytes);
    ASSERT_TRUE(model) << sentence(model.error());
    EXPECT_EQ(model->tensors.back().name, "lm_head.weight");
    EXPECT_EQ(model->tensors.back().offset + 4 * table, bytes.size());
    EXPECT_EQ(model->metadata["vocab_size"], 10);
    EXPECT_EQ(model->metadata["shared_classifier"], false);
}

TEST(Llama2c, VersionOneHasTheNormsFirst) {
    const Result<Checkpoint> model = as_llama2c(marked(1, std::string(1, '\1'), 4 * (table + norms + matrices)));
    ASSERT_TRUE(model) << sentence(model.error());
    expect_seamless(*model, 256, 0);
    EXPECT_EQ(tensor(*model, "model.embed_tokens.weight").offset, 256u + 4 * norms);
    EXPECT_FALSE(model->metadata.contains("freq_cis"));
    EXPECT_EQ(model->metadata["version"], 1);
    const Result<Checkpoint> own = as_llama2c(marked(1, std::string(1, '\0'), 4 * (table + norms + matrices + table)));
    ASSERT_TRUE(own) << sentence(own.error());
    EXPECT_EQ(own->tensors.back().name, "lm_head.weight");
}

TEST(Llama2c, VersionTwoKeepsMatricesInGroupsWithAScale) {
    const std::size_t groups = (table + matrices) / 4;
    const Result<Checkpoint> model =
        as_llama2c(marked(2, std::string(1, '\1') + little(4), 4 * norms + groups * (4 + 4)));
    ASSERT_TRUE(model) << sentence(model.error());
    expect_seamless(*model, 256, 0);
    EXPECT_EQ(model->metadata["group_size"], 4);
    EXPECT_EQ(tensor(*model, "model.norm.weight").type, (StorageType{"F32", 1, 4}));
    EXPECT_EQ(tensor(*model, "model.embed_tokens.weight"),
              (CheckpointTensor{"model.embed_tokens.weight", {10, 8}, {"Q8_0", 4, 8}, 80, 160, 0, 256 + 4 * norms}));
}

TEST(Llama2c, ReadsARealModel) {
    const std::filesystem::path path = std::filesystem::path(HEADCOUNT_TESTS_DIR) / "../../shared/data/stories260K.bin";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
    const Result<Checkpoint> model = read_checkpoint(path);
    ASSERT_TRUE(model) << sentence(model.error());
    std::int64_t parameters = 0;
    for (const CheckpointTensor& each : model->tensors) parameters += each.elements;
    EXPECT_EQ(parameters, 260'032);
    EXPECT_EQ(model->tensors.size(), 1u + 5 * 9 + 1);
    EXPECT_EQ(model->metadata["dim"], 64);
}

TEST(HostileLlama2c, FilesThatEndEarly) {
    EXPECT_EQ(refusal(as_llama2c("")), "the file ends within dim: 4 bytes were expected, 0 are there: bad.bin, byte 0");
    EXPECT_EQ(refusal(as_llama2c(dimensions(10).substr(0, 22))),
              "the file ends within vocab_size: 4 bytes were expected, 2 are there: bad.bin, byte 20");
    EXPECT_EQ(refusal(as_llama2c(marked(1, "\1", 0).substr(0, 100))),
              "the file ends within the header: 219 bytes were expected, 63 are there: bad.bin, byte 37");
    EXPECT_EQ(refusal(as_llama2c(oldest(10, table))),
              "the numbers in its header explain 4,476 bytes, the file has 348: bad.bin, byte 0");
    EXPECT_EQ(refusal(as_llama2c(marked(1, "\1", 12))),
              "the numbers in its header explain 4,576 bytes, the file has 268: bad.bin, byte 8");
}

TEST(HostileLlama2c, NumbersThatNoModelHas) {
    EXPECT_EQ(refusal(as_llama2c(dimensions(10, 0))),
              "dim is 0, from 1 to 2,147,483,647 was expected: bad.bin, byte 0");
    EXPECT_EQ(refusal(as_llama2c(dimensions(10, 8, -12))),
              "hidden_dim is -12, from 1 to 2,147,483,647 was expected: bad.bin, byte 4");
    EXPECT_EQ(refusal(as_llama2c(dimensions(10, 8, 12, 10'001))),
              "n_layers is 10001, from 1 to 10,000 was expected: bad.bin, byte 8");
    EXPECT_EQ(refusal(as_llama2c(dimensions(0))), "vocab_size is 0, at least 1 was expected: bad.bin, byte 20");
    EXPECT_EQ(refusal(as_llama2c(dimensions(10, 8, 12, 2, 4, 2, -1))),
              "seq_len is -1, from 1 to 2,147,483,647 was expected: bad.bin, byte 24");
    EXPECT_EQ(refusal(as_llama2c(dimensions(10, 8, 12, 2, 3))),
              "n_heads is 3, which does not divide dim, 8, into heads of an even width: bad.bin, byte 12");
    EXPECT_EQ(refusal(as_llama2c(dimensions(10, 8, 12, 2, 8))),
              "n_heads is 8, which does not divide dim, 8, into heads of an even width: bad.bin, byte 12");
    EXPECT_EQ(refusal(as_llama2c(dimensions(10, 8, 12, 2, 4, 3))),
              "n_heads is 4, no multiple of n_kv_heads, 3: bad.bin, byte 12");
    EXPECT_EQ(refusal(as_llama2c(marked(3, "\1", 12))), "version 3 is not known, 1 or 2 was expected: bad.bin, byte 4");
    EXPECT_EQ(refusal(as_llama2c(marked(1, "\2", 12))),
              "shared_classifier is 2, 0 or 1 was expected: bad.bin, byte 36");
    EXPECT_EQ(refusal(as_llama2c(marked(2, "\1", 12))),
              "group_size is 0, from 1 to 2,147,483,647 was expected: bad.bin, byte 37");
    EXPECT_EQ(refusal(as_llama2c(marked(2, "\1" + little(3), 12))),
              "group_size is 3, which does not divide dim, 8: bad.bin, byte 37");
}

TEST(HostileLlama2c, SizesThatDoNotFit64Bits) {
    EXPECT_EQ(refusal(as_llama2c(dimensions(INT_MIN, 1 << 30, INT_MAX, 10'000, 2, 2, INT_MAX))),
              "the numbers in its header explain more than 2^63 - 1 bytes, the file has 28: bad.bin, byte 0");
    EXPECT_EQ(refusal(as_llama2c(dimensions(1, INT_MAX - 1, 1, 1, 1, 1, INT_MAX))),
              "the numbers in its header explain more than 2^63 - 1 bytes, the file has 28: bad.bin, byte 0");
}

TEST(HostileLlama2c, AnyByteOfTheHeaderMayBeAnyOther) {
    std::mt19937 random(7);
    for (const std::string& good : {oldest(10, table + norms + matrices + rotary), marked(2, "\1" + little(4), 12)})
        for (std::size_t i = 0; i < 64; ++i)
            for (int k = 0; k < 16; ++k) {
                std::string bad = good;
                bad[i] = static_cast<char>(random());
                const Result<Checkpoint> checkpoint = as_llama2c(bad);
                EXPECT_TRUE(checkpoint || checkpoint.error().where.starts_with("bad.bin, byte "));
            }
}

}  // namespace
}  // namespace headcount
