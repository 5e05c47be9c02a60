// Numbers as files store them, by hand.
#include "core/runtime/stored_numbers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <vector>

#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

std::vector<float> read(StorageType type, const std::vector<std::uint8_t>& bytes, std::int64_t elements,
                        std::int64_t first = 0) {
    CheckpointTensor tensor{.name = "w", .shape = {elements}, .type = type, .elements = elements};
    tensor.bytes = static_cast<std::int64_t>(bytes.size());
    std::vector<float> out(static_cast<std::size_t>(elements - first));
    FileBytes file(std::as_bytes(std::span(bytes)));
    const std::optional<Error> error = read_numbers(file, tensor, first, out);
    EXPECT_FALSE(error) << sentence(*error);
    return out;
}

using testing::ElementsAre;

TEST(StoredNumbers, OfSixteenBitsAndThirtyTwo) {
    EXPECT_THAT(read({"F32", 1, 4}, {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}, 2), ElementsAre(1, -2));
    EXPECT_THAT(read({"BF16", 1, 2}, {0x80, 0x3f, 0x40, 0xc0}, 2), ElementsAre(1, -3));
    // One, minus two, the largest, the smallest, minus zero.
    EXPECT_THAT(read({"F16", 1, 2}, {0x00, 0x3c, 0x00, 0xc0, 0xff, 0x7b, 0x01, 0x00, 0x00, 0x80}, 5),
                ElementsAre(1, -2, 65504, 0x1p-24f, 0));
    EXPECT_TRUE(std::isnan(read({"F16", 1, 2}, {0x01, 0x7e}, 1)[0]));
    EXPECT_TRUE(std::isinf(read({"F16", 1, 2}, {0x00, 0x7c}, 1)[0]));
    EXPECT_THAT(read({"BF16", 1, 2}, {0x80, 0x3f, 0x40, 0xc0}, 2, 1), ElementsAre(-3));
}

TEST(StoredNumbers, OfBlocks) {
    std::vector<std::uint8_t> q8{0x00, 0x38};  // a half, then 32 whole numbers
    for (int i = 0; i < 32; ++i) q8.push_back(static_cast<std::uint8_t>(i - 16));
    const std::vector<float> eight = read({"Q8_0", 32, 34}, q8, 32);
    EXPECT_EQ(eight[0], -8);
    EXPECT_EQ(eight[31], 7.5f);
    std::vector<std::uint8_t> q4{0x00, 0x40};  // two; low halves first, then high ones, each less 8
    for (int i = 0; i < 16; ++i) q4.push_back(static_cast<std::uint8_t>(i | (15 - i) << 4));
    const std::vector<float> four = read({"Q4_0", 32, 18}, q4, 32);
    EXPECT_EQ(four[0], -16);
    EXPECT_EQ(four[15], 14);
    EXPECT_EQ(four[16], 14);
    EXPECT_EQ(four[31], -16);
    // llama2.c's: four numbers, then their scale.
    EXPECT_THAT(read({"Q8_0", 4, 8}, {1, 2, 0xff, 4, 0, 0, 0, 0x40}, 4), ElementsAre(2, 4, -2, 8));
}

TEST(StoredNumbers, OtherTypesAndCutFilesAreSentences) {
    CheckpointTensor tensor{.name = "w", .shape = {32}, .type = {"I64", 1, 8}, .elements = 32, .bytes = 256};
    std::vector<float> out(32);
    const std::vector<std::byte> bytes(256);
    FileBytes file{std::span(bytes)};
    EXPECT_EQ(sentence(*read_numbers(file, tensor, 0, out)),
              "numbers of type I64 cannot be computed with: w: store the weights as F32, BF16 or F16, or quantize them "
              "as GGUF, GPTQ, AWQ, compressed-tensors or bitsandbytes do");
    tensor.type = {"F32", 1, 4};
    tensor.bytes = 1024, tensor.elements = 256;
    out.resize(256);
    EXPECT_EQ(sentence(*read_numbers(file, tensor, 0, out)),
              "the file ends before the tensor does: w: fetch the file again");
}

TEST(StoredNumbers, OfAFileThatIsCutOffMeanwhileAreASentence) {
    const testing_data::Scratch scratch;
    const std::string path = scratch.file("weights", std::string(1u << 20, '\0'));
    Result<FileBytes> file = FileBytes::open(path);
    ASSERT_TRUE(file);
    const CheckpointTensor tensor{.name = "w",
                                  .shape = {200'000},
                                  .type = {"F32", 1, 4},
                                  .elements = 200'000,
                                  .bytes = 800'000,
                                  .offset = 100'000};
    std::vector<float> out(100'000);
    EXPECT_FALSE(read_numbers(*file, tensor, 0, out));
    std::filesystem::resize_file(path, 500'000);
    const std::optional<Error> error = read_numbers(*file, tensor, 100'000, out);
    ASSERT_TRUE(error);
    EXPECT_EQ(sentence(*error), "the file ends before what it should hold: w: fetch the file again");
}

}  // namespace
}  // namespace headcount
