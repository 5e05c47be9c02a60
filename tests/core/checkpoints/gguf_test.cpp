// GGUF files that are well-formed: what is in them is read, and nothing more is taken than the header.
#include "core/checkpoints/gguf.hpp"

#include <gtest/gtest.h>

#include "tests/core/checkpoints/gguf_file.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using namespace testing_data;

Checkpoint read(const std::string& bytes) {
    Result<Checkpoint> checkpoint = read_gguf(as_bytes_of(bytes), "test.gguf");
    EXPECT_TRUE(checkpoint) << sentence(checkpoint.error());
    return checkpoint ? *checkpoint : Checkpoint{};
}

TEST(Gguf, ReadsVersionsTwoAndThree) {
    const GgufFile file = GgufFile().text("general.architecture", "llama").tensor("token_embd.weight", {8, 4});
    EXPECT_EQ(read(file.bytes(2)).format, "GGUF v2");
    const Checkpoint three = read(file.bytes(3));
    EXPECT_EQ(three.format, "GGUF v3");
    EXPECT_EQ(three.metadata["general.architecture"], "llama");
    EXPECT_EQ(three.files, (std::vector<std::filesystem::path>{"test.gguf"}));
    EXPECT_EQ(three.bytes, static_cast<std::int64_t>(file.bytes().size()));
}

TEST(Gguf, SaysShapesOutermostFirst) {
    const std::string bytes = GgufFile().tensor("a", {8, 4}).tensor("b", {2, 3, 5}).tensor("s", {}).bytes();
    const Checkpoint checkpoint = read(bytes);
    ASSERT_EQ(checkpoint.tensors.size(), 3U);
    EXPECT_EQ(checkpoint.tensors[0].shape, (std::vector<std::int64_t>{4, 8}));
    EXPECT_EQ(checkpoint.tensors[0].elements, 32);
    EXPECT_EQ(checkpoint.tensors[0].bytes, 128);
    EXPECT_EQ(checkpoint.tensors[1].shape, (std::vector<std::int64_t>{5, 3, 2}));
    EXPECT_EQ(checkpoint.tensors[1].offset, checkpoint.tensors[0].offset + 128);
    EXPECT_EQ(checkpoint.tensors[2].shape, (std::vector<std::int64_t>{}));
    EXPECT_EQ(checkpoint.tensors[2].elements, 1);
    EXPECT_EQ(checkpoint.tensors[2].offset + 32, bytes.size());
}

TEST(Gguf, ReadsEveryKindOfValue) {
    const Checkpoint checkpoint = read(GgufFile()
                                           .key("u8", 0, little<std::uint8_t>(200))
                                           .key("i8", 1, little<std::int8_t>(-3))
                                           .key("u16", 2, little<std::uint16_t>(60000))
                                           .key("i16", 3, little<std::int16_t>(-300))
                                           .number("u32", 4000000000)
                                           .key("i32", 5, little<std::int32_t>(-70000))
                                           .real("f32", 0.5F)
                                           .boolean("yes", true)
                                           .text("text", "Grüße")
                                           .numbers("array", {1, 2, 3})
                                           .texts("tags", {"a", "", "b"})
                                           .key("u64", 10, little<std::uint64_t>(std::uint64_t{1} << 63))
                                           .key("i64", 11, little<std::int64_t>(-5))
                                           .key("f64", 12, little(0.25))
                                           .bytes());
    EXPECT_EQ(checkpoint.metadata, nlohmann::json::parse(R"({"u8": 200, "i8": -3, "u16": 60000, "i16": -300,
        "u32": 4000000000, "i32": -70000, "f32": 0.5, "yes": true, "text": "Grüße", "array": [1, 2, 3],
        "tags": ["a", "", "b"], "u64": 9223372036854775808, "i64": -5, "f64": 0.25})"));
}

TEST(Gguf, LeavesLongArraysOut) {
    const std::vector<std::string> tokens(5000, "token");
    const Checkpoint checkpoint = read(GgufFile()
                                           .texts("tokenizer.ggml.tokens", tokens)
                                           .numbers("tokenizer.ggml.token_type", std::vector<std::uint32_t>(5000, 1))
                                           .text("template", std::string(100000, 'x'))
                                           .number("after", 7)
                                           .bytes());
    EXPECT_EQ(checkpoint.metadata, nlohmann::json::parse(R"({"tokenizer.ggml.tokens": {"array": "string",
        "length": 5000}, "tokenizer.ggml.token_type": {"array": "uint32", "length": 5000},
        "template": {"text": "long", "length": 100000}, "after": 7})"));
}

TEST(Gguf, KeepsManyArraysToABudget) {
    std::string thousand = little<std::uint32_t>(0) + little<std::uint64_t>(1000);
    thousand.resize(thousand.size() + 1000);
    GgufFile file;
    for (int i = 0; i < 100; ++i) file.key("k" + std::to_string(i), 9, thousand);
    std::size_t copied = 0;
    for (const auto& value : read(file.bytes()).metadata) copied += value.is_array();
    EXPECT_EQ(copied, 16U);
}

TEST(Gguf, TextThatIsNotUtf8DoesNotMakeAFileUseless) {
    const Checkpoint checkpoint = read(GgufFile().text("general.name", "Gr\xFC\xDF").bytes());
    EXPECT_EQ(checkpoint.metadata["general.name"], nlohmann::json::parse(R"({"text": "not UTF-8", "length": 4})"));
}

TEST(Gguf, AlignsTheDataAsTheFileSays) {
    GgufFile file = GgufFile().number("general.alignment", 64).entry("a", {1}, 0, 0).entry("b", {1}, 0, 64);
    const std::size_t data = (file.header().size() + 63) / 64 * 64;
    const Checkpoint checkpoint = read(file.header() + std::string(data + 68 - file.header().size(), '\0'));
    ASSERT_EQ(checkpoint.tensors.size(), 2U);
    EXPECT_EQ(checkpoint.tensors[0].offset, data);
    EXPECT_EQ(checkpoint.tensors[1].offset, data + 64);
}

TEST(Gguf, TensorsMayComeInAnyOrderAndWithGaps) {
    GgufFile file = GgufFile().entry("late", {4}, 0, 96).entry("early", {4}, 0, 0).entry("empty", {0}, 0, 0);
    std::string bytes = file.header();
    bytes.resize((bytes.size() + 31) / 32 * 32 + 112);
    EXPECT_EQ(read(bytes).tensors.size(), 3U);
}

TEST(Gguf, AFileMayHaveNoTensorsAndNoData) {
    EXPECT_TRUE(read(GgufFile().number("imatrix.chunk_size", 512).header()).tensors.empty());
}

// ggml-common.h: bytes of a block.
TEST(GgufTypes, BlocksHaveTheirPublishedSizes) {
    struct Expected {
        std::uint32_t number;
        StorageType type;
    };
    const std::vector<Expected> expected{
        {0, {"F32", 1, 4}},         {1, {"F16", 1, 2}},         {2, {"Q4_0", 32, 18}},      {3, {"Q4_1", 32, 20}},
        {6, {"Q5_0", 32, 22}},      {7, {"Q5_1", 32, 24}},      {8, {"Q8_0", 32, 34}},      {9, {"Q8_1", 32, 36}},
        {10, {"Q2_K", 256, 84}},    {11, {"Q3_K", 256, 110}},   {12, {"Q4_K", 256, 144}},   {13, {"Q5_K", 256, 176}},
        {14, {"Q6_K", 256, 210}},   {15, {"Q8_K", 256, 292}},   {16, {"IQ2_XXS", 256, 66}}, {17, {"IQ2_XS", 256, 74}},
        {18, {"IQ3_XXS", 256, 98}}, {19, {"IQ1_S", 256, 50}},   {20, {"IQ4_NL", 32, 18}},   {21, {"IQ3_S", 256, 110}},
        {22, {"IQ2_S", 256, 82}},   {23, {"IQ4_XS", 256, 136}}, {24, {"I8", 1, 1}},         {25, {"I16", 1, 2}},
        {26, {"I32", 1, 4}},        {27, {"I64", 1, 8}},        {28, {"F64", 1, 8}},        {29, {"IQ1_M", 256, 56}},
        {30, {"BF16", 1, 2}},       {34, {"TQ1_0", 256, 54}},   {35, {"TQ2_0", 256, 66}},   {39, {"MXFP4", 32, 17}},
        {40, {"NVFP4", 64, 36}},    {41, {"Q1_0", 128, 18}},    {42, {"Q2_0", 64, 18}}};
    for (const Expected& each : expected) {
        const Result<StorageType> type = ggml_type(each.number);
        ASSERT_TRUE(type) << each.number;
        EXPECT_EQ(*type, each.type) << each.number;
    }
}

TEST(GgufTypes, RemovedTypesAreRefusedByName) {
    for (const auto& [number, name] : std::vector<std::pair<std::uint32_t, std::string>>{{4, "Q4_2"},
                                                                                         {5, "Q4_3"},
                                                                                         {31, "Q4_0_4_4"},
                                                                                         {32, "Q4_0_4_8"},
                                                                                         {33, "Q4_0_8_8"},
                                                                                         {36, "IQ4_NL_4_4"},
                                                                                         {37, "IQ4_NL_4_8"},
                                                                                         {38, "IQ4_NL_8_8"}}) {
        const Result<StorageType> type = ggml_type(number);
        ASSERT_FALSE(type);
        EXPECT_EQ(type.error().what, "tensor type " + std::to_string(number) + " (" + name + ") was removed from GGUF");
    }
    EXPECT_EQ(ggml_type(43).error().what, "tensor type 43 is unknown, types 0 to 42 are known");
}

TEST(Gguf, CountsTheBytesOfQuantizedTensors) {
    const Checkpoint checkpoint =
        read(GgufFile().tensor("a", {512, 3}, 12, 256, 144).tensor("b", {64}, 39, 32, 17).bytes());
    EXPECT_EQ(checkpoint.tensors[0].bytes, 6 * 144);
    EXPECT_EQ(checkpoint.tensors[0].type.name, "Q4_K");
    EXPECT_EQ(checkpoint.tensors[1].bytes, 34);
}

class SplitGguf : public ::testing::Test {
  protected:
    static GgufFile part(std::uint16_t number, std::uint16_t count = 3, std::int32_t tensors = 4) {
        return GgufFile()
            .key("split.no", 2, little(number))
            .key("split.count", 2, little(count))
            .key("split.tensors.count", 5, little(tensors));
    }
    std::string write(int number, const GgufFile& file) const {
        return scratch_.file("m-0000" + std::to_string(number) + "-of-00003.gguf", file.bytes());
    }
    void write_all() const {
        write(1, part(0).text("general.architecture", "llama").tensor("a", {2}));
        write(2, part(1).tensor("b", {2}).tensor("c", {2}));
        write(3, part(2).tensor("d", {2}));
    }
    Result<Checkpoint> open(int number) const {
        return read_gguf(scratch_.folder() / ("m-0000" + std::to_string(number) + "-of-00003.gguf"));
    }

    Scratch scratch_;
};

TEST_F(SplitGguf, IsReadWholeWhicheverPartIsOpened) {
    write_all();
    for (int number : {1, 2, 3}) {
        const Result<Checkpoint> whole = open(number);
        ASSERT_TRUE(whole) << sentence(whole.error());
        EXPECT_EQ(whole->files.size(), 3U);
        EXPECT_EQ(whole->metadata["general.architecture"], "llama");
        ASSERT_EQ(whole->tensors.size(), 4U);
        EXPECT_EQ(whole->tensors[3].name, "d");
        EXPECT_EQ(whole->tensors[3].file, 2U);
        std::int64_t bytes = 0;
        for (const auto& file : whole->files) bytes += static_cast<std::int64_t>(std::filesystem::file_size(file));
        EXPECT_EQ(whole->bytes, bytes);
    }
}

TEST_F(SplitGguf, NamesTheMissingPart) {
    write_all();
    std::filesystem::remove(scratch_.folder() / "m-00002-of-00003.gguf");
    const Result<Checkpoint> whole = open(1);
    ASSERT_FALSE(whole);
    EXPECT_EQ(whole.error().what, "part 2 of 3 is missing");
    EXPECT_EQ(whole.error().where, (scratch_.folder() / "m-00002-of-00003.gguf").string());
}

TEST_F(SplitGguf, RefusesAPartOfAnotherSplit) {
    write_all();
    write(2, part(1, 4).tensor("b", {2}));
    EXPECT_EQ(open(1).error().what, "part 2 of 3 was expected, the file says that it is part 2 of 4");
    write(2, part(2).tensor("b", {2}));
    EXPECT_EQ(open(1).error().what, "part 2 of 3 was expected, the file says that it is part 3 of 3");
}

TEST_F(SplitGguf, RefusesTensorsThatAreMissingOrThereTwice) {
    write_all();
    write(3, part(2));
    EXPECT_EQ(open(1).error().what, "split.tensors.count is 4, the parts have 3");
    write(3, part(2).tensor("b", {2}));
    EXPECT_EQ(open(1).error().what, "the tensor 'b' is in m-00002-of-00003.gguf too");
}

TEST_F(SplitGguf, RefusesAPartUnderAnotherName) {
    const std::string path = scratch_.file("model.gguf", part(1).bytes());
    EXPECT_EQ(read_gguf(std::filesystem::path(path)).error().what,
              "this is part 2 of 3, a name that ends in '-00002-of-00003.gguf' was expected");
}

TEST_F(SplitGguf, RefusesNumbersThatAreNone) {
    write(1, GgufFile().text("split.count", "three"));
    EXPECT_EQ(open(1).error().what, "split.count is '\"three\"', a number from 0 to 65,535 was expected");
    write(1, GgufFile().key("split.no", 5, little<std::int32_t>(-1)));
    EXPECT_EQ(open(1).error().what, "split.no is '-1', a number from 0 to 65,535 was expected");
    write(1, part(3, 3));
    EXPECT_EQ(open(1).error().what, "split.no is 3, a number below split.count, 3, was expected");
}

}  // namespace
}  // namespace headcount
