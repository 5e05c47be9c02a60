// GGUF files that somebody broke, by accident or not: each gets one sentence with the byte and what was expected there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "core/checkpoints/gguf.hpp"
#include "tests/core/checkpoints/gguf_file.hpp"

namespace headcount {
namespace {

using namespace testing_data;
using ::testing::HasSubstr;

constexpr std::uint64_t huge = std::uint64_t{1} << 60;

void expect_refused(const std::string& bytes, std::uint64_t byte, const std::string& what) {
    const Result<Checkpoint> checkpoint = read_gguf(as_bytes_of(bytes), "bad.gguf");
    ASSERT_FALSE(checkpoint) << what;
    EXPECT_THAT(checkpoint.error().what, HasSubstr(what));
    EXPECT_EQ(checkpoint.error().where, "bad.gguf, byte " + std::to_string(byte)) << what;
    EXPECT_FALSE(checkpoint.error().fix.empty()) << what;
}

std::string head(std::uint64_t tensors, std::uint64_t keys) {
    return "GGUF" + little(3U) + little(tensors) + little(keys);
}

TEST(HostileGguf, WrongMagic) {
    expect_refused("", 0, "the file ends within the four bytes 'GGUF': 4 bytes were expected, 0 are there");
    expect_refused("PK\3\4 something else", 0, "this is not a GGUF file");
    expect_refused("tjgg" + std::string(40, '\0'), 0, "this is a GGML file from before GGUF");
    expect_refused("FUGG" + std::string(40, '\0'), 0, "this GGUF file is big-endian");
}

TEST(HostileGguf, WrongVersion) {
    expect_refused("GGUF" + little(1U) + std::string(40, '\0'), 4, "GGUF version 1 is not read, 2 or 3 was expected");
    expect_refused("GGUF" + little(0U) + std::string(40, '\0'), 4, "GGUF version 0 is not read");
    expect_refused("GGUF" + little(4U) + std::string(40, '\0'), 4, "GGUF version 4 is not read");
    expect_refused("GGUF" + little(0x03000000U) + std::string(40, '\0'), 4, "this GGUF file is big-endian");
}

TEST(HostileGguf, CountsThatTheFileCannotHold) {
    expect_refused(head(huge, 0), 8,
                   "1,152,921,504,606,846,976 tensors are announced, of at least 25 bytes each, and 0 bytes");
    expect_refused(head(0, huge), 16, "1,152,921,504,606,846,976 keys are announced");
    expect_refused(head(~std::uint64_t{0}, 0), 8, "more than 9,223,372,036,854,775,807 tensors are announced");
    expect_refused(head(0, 70000) + std::string(70000 * 13, '\0'), 16, "at most 65,536 keys are read");
    expect_refused(GgufFile().key("a", 9, little(8U) + little(huge)).bytes(), 24 + 9 + 4 + 4,
                   "values of an array are announced");
    expect_refused(GgufFile().key("a", 9, little(4U) + little(huge)).bytes(), 41, "of at least 4 bytes each");
}

TEST(HostileGguf, TextsLongerThanTheFile) {
    expect_refused(head(0, 1) + little(huge) + std::string(100, 'k'), 32, "the file ends within a key");
    expect_refused(
        head(0, 1) + gguf_text("name") + little(8U) + little(~std::uint64_t{0}), 48,
        "the file ends within a value: more than 9,223,372,036,854,775,807 bytes were expected, 0 are there");
    const std::string tokens =
        GgufFile()
            .key("t", 9,
                 little(8U) + little<std::uint64_t>(2000) + gguf_text("a") + little(huge) + std::string(20000, 'x'))
            .header();
    expect_refused(tokens, 24 + 9 + 4 + 12 + 9 + 8, "the file ends within a value");
    expect_refused(head(1, 0) + little(huge) + std::string(100, 't'), 32, "the file ends within a tensor's name");
}

TEST(HostileGguf, ValuesThatAreNone) {
    expect_refused(GgufFile().key("a", 13, little(1U)).bytes(), 33,
                   "the value of 'a' has type 13, types 0 to 12 are known");
    expect_refused(GgufFile().key("a", 7, "\2").bytes(), 37, "the truth value of 'a' is 2, 0 or 1 was expected");
    expect_refused(
        GgufFile().key("a", 9, little(9U) + little<std::uint64_t>(1) + little(4U) + little<std::uint64_t>(0)).bytes(),
        37, "'a' is an array of arrays, numbers or texts were expected");
    expect_refused(GgufFile().key("a", 9, little(99U) + little<std::uint64_t>(1) + std::string(32, '\0')).bytes(), 37,
                   "has type 99");
}

TEST(HostileGguf, KeysThatAreNone) {
    expect_refused(GgufFile().number("a", 1).number("a", 2).bytes(), 41, "the key 'a' is there twice");
    expect_refused(GgufFile().number("", 1).number("b", 1).bytes(), 24, "a key is empty");
    expect_refused(GgufFile().number("\xC0\x80", 1).bytes(), 24, "a key is not UTF-8");
}

TEST(HostileGguf, AlignmentsThatAreNone) {
    for (const std::uint32_t alignment : {0U, 3U, 48U})
        expect_refused(GgufFile().number("general.alignment", alignment).bytes(), 24,
                       "general.alignment is '" + std::to_string(alignment) + "', a power of two");
    expect_refused(GgufFile().text("general.alignment", "32").bytes(), 24, "a power of two");
    expect_refused(GgufFile().key("general.alignment", 10, little(huge)).bytes(), 24, "a power of two");
}

TEST(HostileGguf, TensorsThatAreNone) {
    const auto entry = [](const std::vector<std::uint64_t>& dimensions, std::uint32_t type = 0,
                          std::uint64_t offset = 0) {
        return GgufFile().entry("t", dimensions, type, offset).bytes() + std::string(64, '\0');
    };
    expect_refused(entry({1, 1, 1, 1, 1}), 33, "'t' has 5 dimensions, at most 4 were expected");
    expect_refused(entry({huge, huge}), 45, "'t' has more elements than 64 bits can count");
    expect_refused(entry({~std::uint64_t{0}}), 37, "'t' has more elements than 64 bits can count");
    expect_refused(entry({std::uint64_t{1} << 62}), 45, "'t' has more bytes than 64 bits can count");
    expect_refused(entry({33}, 2), 45, "rows of 't' have 33 elements, a multiple of Q4_0's block of 32 was expected");
    expect_refused(entry({}, 12), 37, "rows of 't' have 1 elements, a multiple of Q4_K's block of 256");
    expect_refused(entry({32}, 4), 45, "'t': tensor type 4 (Q4_2) was removed from GGUF");
    expect_refused(entry({32}, 77), 45, "'t': tensor type 77 is unknown");
    expect_refused(GgufFile().tensor("t", {1}).tensor("t", {1}).bytes(), 57, "the tensor 't' is there twice");
    expect_refused(GgufFile().tensor("", {1}).tensor("u", {1}).bytes(), 24, "a tensor's name is empty");
    expect_refused(GgufFile().tensor("\xED\xA0\x80", {1}).bytes(), 24, "a tensor's name is not UTF-8");
}

TEST(HostileGguf, DataThatAreNotWhereTheyShouldBe) {
    const auto two = [](std::uint64_t second, std::uint64_t elements = 1) {
        std::string bytes = GgufFile().entry("a", {10}, 0, 0).entry("b", {elements}, 0, second).header();
        bytes.resize((bytes.size() + 31) / 32 * 32 + 128);
        return bytes;
    };
    EXPECT_TRUE(read_gguf(as_bytes_of(two(64, 16)), "good.gguf"));
    expect_refused(two(66), 82, "the offset of 'b', 66, is no multiple of the alignment, 32");
    expect_refused(two(32), 82, "the data of 'b' overlap those of 'a'");
    expect_refused(two(0), 82, "the data of 'b' overlap those of 'a'");
    expect_refused(two(64, 17), 82,
                   "the data of 'b' run past the end of the file: 68 bytes at 64 after byte 96 of 224");
    expect_refused(two(huge), 82, "the data of 'b' run past the end of the file");
    expect_refused(two(~std::uint64_t{31}), 82, "the data of 'b' run past the end of the file");
    expect_refused(GgufFile().entry("a", {4}, 0, 0).header(), 49, "the data of 'a' run past the end of the file");
}

std::string ordinary() {
    return GgufFile()
        .text("general.architecture", "llama")
        .numbers("llama.feed_forward_length", {8, 16})
        .texts("tokenizer.ggml.tokens", {"a", "bc", ""})
        .boolean("tokenizer.ggml.add_bos_token", true)
        .tensor("token_embd.weight", {8, 4})
        .tensor("output_norm.weight", {8})
        .bytes();
}

TEST(HostileGguf, TruncatedAnywhere) {
    const std::string bytes = ordinary();
    ASSERT_TRUE(read_gguf(as_bytes_of(bytes), "good.gguf"));
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        // A copy of its own, so that the sanitizer sees a read past its end.
        const std::string part(bytes, 0, length);
        const Result<Checkpoint> checkpoint = read_gguf(as_bytes_of(part), "bad.gguf");
        ASSERT_FALSE(checkpoint) << length;
        EXPECT_THAT(checkpoint.error().where, HasSubstr("bad.gguf, byte ")) << length;
    }
}

TEST(HostileGguf, AnyByteMayBeAnything) {
    std::mt19937 random(5);
    for (int i = 0; i < 20000; ++i) {
        std::string bytes = ordinary();
        for (int changes = 1 + i % 4; changes > 0; --changes)
            bytes[random() % bytes.size()] = static_cast<char>(random());
        const Result<Checkpoint> checkpoint = read_gguf(as_bytes_of(bytes), "bad.gguf");
        EXPECT_TRUE(checkpoint || !checkpoint.error().what.empty());
    }
}

}  // namespace
}  // namespace headcount
