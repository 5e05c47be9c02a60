// Safetensors files: what a good one says, and the sentence for each way in which one can be broken.
#include "core/checkpoints/safetensors.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/core/checkpoints/refusal.hpp"
#include "tests/core/checkpoints/safetensors_file.hpp"

namespace headcount {
namespace {

using namespace testing_data;

Result<Checkpoint> as_safetensors(const std::string& bytes) {
    return read_safetensors(std::as_bytes(std::span(bytes)), "bad.safetensors");
}

std::string refused_header(std::string_view header, std::size_t data = 0) {
    return refusal(as_safetensors(safetensors_file(header, data)));
}
// Of a tensor "a" with these fields.
std::string refused_tensor(const std::string& fields, std::size_t data = 0) {
    return refused_header(R"({"a":{)" + fields + "}}", data);
}

TEST(Safetensors, GivesEachTensorItsPlaceTypeAndShape) {
    const std::string header = R"({"__metadata__":{"format":"pt"},)"
                               R"("b":{"dtype":"F32","shape":[2,3],"data_offsets":[8,32]},)"
                               R"("a":{"dtype":"BF16","shape":[4],"data_offsets":[0,8]},)"
                               R"("scalar":{"dtype":"I64","shape":[],"data_offsets":[32,40]},)"
                               R"("empty":{"dtype":"U8","shape":[0,7],"data_offsets":[40,40]}}  )";
    const Result<Checkpoint> read_back = as_safetensors(safetensors_file(header, 40));
    ASSERT_TRUE(read_back) << sentence(read_back.error());
    const std::uint64_t data = 8 + header.size();
    EXPECT_EQ(read_back->tensors, (std::vector<CheckpointTensor>{{"b", {2, 3}, {"F32", 1, 4}, 6, 24, 0, data + 8},
                                                                 {"a", {4}, {"BF16", 1, 2}, 4, 8, 0, data},
                                                                 {"scalar", {}, {"I64", 1, 8}, 1, 8, 0, data + 32},
                                                                 {"empty", {0, 7}, {"U8", 1, 1}, 0, 0, 0, data + 40}}));
    EXPECT_EQ(read_back->format, "safetensors");
    EXPECT_EQ(read_back->files, std::vector<std::filesystem::path>{"bad.safetensors"});
    EXPECT_EQ(read_back->metadata, nlohmann::json({{"format", "pt"}}));
    EXPECT_EQ(read_back->bytes, static_cast<std::int64_t>(data + 40));
}

TEST(Safetensors, KnowsTypesSmallerThanAByte) {
    const std::string header = R"({"f4":{"dtype":"F4","shape":[3,2],"data_offsets":[0,3]},)"
                               R"("f6":{"dtype":"F6_E2M3","shape":[8],"data_offsets":[3,9]}})";
    const Result<Checkpoint> read_back = as_safetensors(safetensors_file(header, 9));
    ASSERT_TRUE(read_back) << sentence(read_back.error());
    EXPECT_EQ(read_back->tensors[0].bytes, 3);
    EXPECT_EQ(read_back->tensors[1].elements, 8);
    EXPECT_EQ(refused_tensor(R"("dtype":"F4","shape":[3],"data_offsets":[0,2])", 2),
              "3 elements of F4 fill no whole bytes: bad.safetensors, /a");
}

TEST(Safetensors, PassesOverFieldsThatTheFormatDoesNotHave) {
    EXPECT_TRUE(as_safetensors(safetensors_file(
        R"({"a":{"note":{"x":[1,[2],{"y":null}]},"dtype":"U8","n":-1.5,"shape":[2],"t":"x","data_offsets":[0,2]}})",
        2)));
    EXPECT_TRUE(as_safetensors(safetensors_file("{}")));
}

TEST(HostileSafetensors, TheHeadersLength) {
    EXPECT_EQ(refusal(as_safetensors("")),
              "the file ends within the header's length: 8 bytes were expected, 0 are there: bad.safetensors, byte 0");
    EXPECT_EQ(refusal(as_safetensors("\1\2\3")),
              "the file ends within the header's length: 8 bytes were expected, 3 are there: bad.safetensors, byte 0");
    EXPECT_EQ(refusal(as_safetensors(std::string("\x10\0\0\0\0\0\0\0{}", 10))),
              "the file ends within the header: 16 bytes were expected, 2 are there: bad.safetensors, byte 8");
    const std::string two_to_63("\0\0\0\0\0\0\0\x80{}", 10), most(8, '\xFF');
    EXPECT_EQ(refusal(as_safetensors(two_to_63)),
              "the header is said to have more than 9,223,372,036,854,775,807 bytes, at most 100,000,000 are "
              "allowed: bad.safetensors, byte 0");
    EXPECT_EQ(refusal(as_safetensors(most + "{}")),
              "the header is said to have more than 9,223,372,036,854,775,807 bytes, at most 100,000,000 are "
              "allowed: bad.safetensors, byte 0");
    EXPECT_EQ(refusal(as_safetensors(std::string("\x01\xE1\xF5\x05\0\0\0\0{}", 10))),
              "the header is said to have 100,000,001 bytes, at most 100,000,000 are allowed: bad.safetensors, byte 0");
    EXPECT_EQ(refusal(as_safetensors(std::string("\0\0\0\0\0\0\0\2{}", 10))),
              "the header is said to have 144,115,188,075,855,872 bytes, at most 100,000,000 are allowed; it looks "
              "big-endian: bad.safetensors, byte 0");
    EXPECT_EQ(refusal(as_safetensors(std::string(8, '\0'))),
              "the header does not begin with {: bad.safetensors, byte 8");
}

TEST(HostileSafetensors, OtherFormatsAreCalledByTheirNames) {
    EXPECT_EQ(refusal(as_safetensors("PK\3\4 and a long rest of a zip archive")),
              "this is a zip archive, as PyTorch's .bin and .pt files are: bad.safetensors, byte 0");
    EXPECT_EQ(refusal(as_safetensors("version https://git-lfs.github.com/spec/v1\noid sha256:0\n")),
              "this is a Git LFS pointer that stands for the file: bad.safetensors, byte 0");
    EXPECT_EQ(refusal(as_safetensors("<!DOCTYPE html><html></html>")), "this is a web page: bad.safetensors, byte 0");
    // 640 bytes of header begin with the two bytes of a pickle.
    std::string header = R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
    header.resize(640, ' ');
    EXPECT_TRUE(as_safetensors(safetensors_file(header, 1)));
}

TEST(HostileSafetensors, HeadersThatAreNotJson) {
    EXPECT_EQ(refused_header("{"), "this is not JSON: it ends in the middle: bad.safetensors, byte 9");
    EXPECT_EQ(refused_header(R"({"a" 7})"), "this is not JSON: ':' was expected: bad.safetensors, byte 13");
    EXPECT_EQ(refused_header("{} {}"), "this is not JSON: nothing more was expected: bad.safetensors, byte 11");
    EXPECT_EQ(refused_header("[]"), "the header does not begin with {: bad.safetensors, byte 8");
    EXPECT_EQ(refused_header("{\"a\xFF\":{}}"), "a text is not UTF-8: bad.safetensors, byte 11");
    EXPECT_EQ(refused_header("{\"\xC0\x80\":{}}"), "a text is not UTF-8: bad.safetensors, byte 10");
    EXPECT_EQ(refused_header("{\"\xED\xA0\x80\":{}}"), "a text is not UTF-8: bad.safetensors, byte 11");
    EXPECT_EQ(refused_header(std::string_view("{}\0\0", 4)), "a zero byte within JSON: bad.safetensors, byte 10");
}

TEST(HostileSafetensors, HeadersNestedTooDeep) {
    std::string arrays = R"({"a":{"x":)" + std::string(100'000, '[') + std::string(100'000, ']') + "}}", objects = "{";
    for (int i = 0; i < 100'000; ++i) objects += R"("a":{)";
    EXPECT_TRUE(refused_header(arrays).starts_with("nested more than 64 deep: bad.safetensors, /a/x/0/0/0"));
    // The metadata and a tensor's fields say sooner that they take no objects.
    EXPECT_EQ(refused_header(R"({"a":{"shape":)" + std::string(100'000, '[')),
              "a whole number was expected: bad.safetensors, /a/shape/0");
    EXPECT_TRUE(refused_header(objects).starts_with("nested more than 64 deep: bad.safetensors, /a/a/a"));
}

TEST(HostileSafetensors, MembersOfAnotherKind) {
    EXPECT_EQ(refused_header(R"({"a":7})"), "an object was expected, not '7': bad.safetensors, /a");
    EXPECT_EQ(refused_header(R"({"a":null})"), "an object was expected, not 'null': bad.safetensors, /a");
    EXPECT_EQ(refused_header(R"({"a":"b"})"), "a text, where an object was expected: bad.safetensors, /a");
    EXPECT_EQ(refused_header(R"({"a":[]})"), "an array, where an object was expected: bad.safetensors, /a");
    EXPECT_EQ(refused_header(R"({"__metadata__":{"a":1}})"),
              "metadata are texts only: bad.safetensors, /__metadata__/a");
    EXPECT_EQ(refused_header(R"({"__metadata__":{"a":{}}})"),
              "metadata are texts only: bad.safetensors, /__metadata__/a");
    EXPECT_EQ(refused_tensor(R"("dtype":16)"), "dtype is not a text: bad.safetensors, /a/dtype");
    EXPECT_EQ(refused_tensor(R"("dtype":["F32"])"), "dtype is not a text: bad.safetensors, /a/dtype");
    EXPECT_EQ(refused_tensor(R"("shape":{})"), "shape is not an array of whole numbers: bad.safetensors, /a/shape");
    EXPECT_EQ(refused_tensor(R"("shape":"4")"), "shape is not an array of whole numbers: bad.safetensors, /a/shape");
    EXPECT_EQ(refused_tensor(R"("data_offsets":3)"),
              "data_offsets is not an array of whole numbers: bad.safetensors, /a/data_offsets");
    EXPECT_EQ(refused_tensor(R"("shape":["4"])"),
              "a text, where a whole number was expected: bad.safetensors, /a/shape/0");
}

TEST(HostileSafetensors, NumbersThatAreNoLengths) {
    const auto shape = [](const std::string& numbers) { return refused_tensor(R"("shape":[)" + numbers + "]"); };
    EXPECT_EQ(shape("4,-4"), "'-4' is not a whole number from 0: bad.safetensors, /a/shape/1");
    EXPECT_EQ(shape("1.5"), "'1.5' is not a whole number from 0: bad.safetensors, /a/shape/0");
    EXPECT_EQ(shape("1e3"), "'1000.0' is not a whole number from 0: bad.safetensors, /a/shape/0");
    EXPECT_EQ(shape("true"), "'true' is not a whole number from 0: bad.safetensors, /a/shape/0");
    EXPECT_EQ(shape("9223372036854775808"), "'9223372036854775808' is more than 2^63 - 1: bad.safetensors, /a/shape/0");
    EXPECT_EQ(shape("18446744073709551616"),
              "'1.8446744073709552e+19' is not a whole number from 0: bad.safetensors, /a/shape/0");
    EXPECT_EQ(shape("1e999"), "a number is too large: bad.safetensors, byte 27");
    std::string many = "1";
    for (int i = 0; i < 64; ++i) many += ",1";
    EXPECT_EQ(shape(many), "more than 64 dimensions: bad.safetensors, /a/shape/64");
}

TEST(HostileSafetensors, FieldsThatAreMissingOrThereTwice) {
    EXPECT_EQ(refused_tensor(""), "dtype is missing: bad.safetensors, /a");
    EXPECT_EQ(refused_tensor(R"("dtype":"U8")"), "shape is missing: bad.safetensors, /a");
    EXPECT_EQ(refused_tensor(R"("dtype":"U8","shape":[1])"), "data_offsets is missing: bad.safetensors, /a");
    EXPECT_EQ(refused_tensor(R"("dtype":"U8","dtype":"U8")"), "dtype stands there twice: bad.safetensors, /a/dtype");
    EXPECT_EQ(refused_tensor(R"("shape":[1],"shape":[1])"), "shape stands there twice: bad.safetensors, /a/shape");
    EXPECT_EQ(refused_tensor(R"("dtype":"F5")"),
              "'F5' is not a type of numbers that is known: bad.safetensors, /a/dtype");
    EXPECT_EQ(refused_tensor(R"("data_offsets":[0])"),
              "data_offsets are 1 numbers, 2 were expected: bad.safetensors, /a/data_offsets");
    EXPECT_EQ(refused_tensor(R"("data_offsets":[0,1,2])"),
              "data_offsets are 3 numbers, 2 were expected: bad.safetensors, /a/data_offsets");
    EXPECT_EQ(refused_header(R"({"__metadata__":{},"__metadata__":{}})"),
              "__metadata__ stands there twice: bad.safetensors, /__metadata__");
    EXPECT_EQ(refused_header(R"({"__metadata__":{"k":"1","k":"2"}})"),
              "this key stands there twice: bad.safetensors, /__metadata__/k");
    const std::string tensor = R"({"dtype":"U8","shape":[1],"data_offsets":)";
    EXPECT_EQ(refused_header(
                  R"({"m/a~":)" + tensor + R"([0,1]},"b":)" + tensor + R"([1,2]},"m/a~":)" + tensor + "[2,3]}}", 3),
              "two tensors have this name: bad.safetensors, /m~1a~0");
}

TEST(HostileSafetensors, SizesThatDoNotAgree) {
    EXPECT_EQ(refused_tensor(R"("dtype":"F32","shape":[2,2],"data_offsets":[0,15])", 15),
              "shape [2, 2] of F32 takes 16 bytes, data_offsets give 15: bad.safetensors, /a");
    EXPECT_EQ(refused_tensor(R"("dtype":"F32","shape":[2],"data_offsets":[9,1])", 15),
              "data_offsets end at 1, before they begin, at 9: bad.safetensors, /a");
    EXPECT_EQ(refused_tensor(R"("dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0])"),
              "shape [4294967296, 4294967296] has more than 2^63 - 1 elements: bad.safetensors, /a");
    EXPECT_EQ(refused_tensor(R"("dtype":"F64","shape":[4294967296,2147483647],"data_offsets":[0,0])"),
              "shape [4294967296, 2147483647] of F64 takes more than 2^63 - 1 bytes, data_offsets give 0: "
              "bad.safetensors, /a");
    // Whatever stands beside a zero, there are no elements.
    EXPECT_TRUE(as_safetensors(safetensors_file(
        R"({"a":{"dtype":"F64","shape":[9223372036854775807,9223372036854775807,0],"data_offsets":[0,0]}})")));
}

TEST(HostileSafetensors, PlacesThatDoNotFillTheFile) {
    const auto refused_places = [](std::vector<std::pair<int, int>> places, std::size_t data) {
        nlohmann::ordered_json header = nlohmann::ordered_json::object();
        for (std::size_t i = 0; i < places.size(); ++i)
            header[std::string(1, static_cast<char>('a' + i))] = {
                {"dtype", "U8"},
                {"shape", {places[i].second - places[i].first}},
                {"data_offsets", {places[i].first, places[i].second}}};
        return refused_header(header.dump(), data);
    };
    EXPECT_EQ(refused_places({{0, 8}, {4, 12}}, 12),
              "it begins at byte 4 of the data, where 'a' has not ended, which it does at 8: bad.safetensors, /b");
    EXPECT_EQ(refused_places({{0, 8}, {0, 8}}, 8),
              "it begins at byte 0 of the data, where 'a' has not ended, which it does at 8: bad.safetensors, /b");
    EXPECT_EQ(refused_places({{0, 8}, {12, 16}}, 16),
              "bytes 8 to 12 of the data, before it, belong to no tensor: bad.safetensors, /b");
    EXPECT_EQ(refused_places({{4, 8}}, 8),
              "bytes 0 to 4 of the data, before it, belong to no tensor: bad.safetensors, /a");
    EXPECT_EQ(refused_places({{0, 8}, {8, 16}}, 15),
              "it ends at byte 16 of the data, of which the file has 15: bad.safetensors, /b");
    EXPECT_EQ(refused_places({{0, 8}}, 9),
              "the tensors fill 8 bytes of the data, of which the file has 9: bad.safetensors, byte 69");
    EXPECT_EQ(refused_header("{}", 4),
              "the tensors fill 0 bytes of the data, of which the file has 4: bad.safetensors, byte 10");
    EXPECT_EQ(refused_tensor(R"("dtype":"U8","shape":[1],"data_offsets":[9223372036854775806,9223372036854775807])", 1),
              "bytes 0 to 9,223,372,036,854,775,806 of the data, before it, belong to no tensor: bad.safetensors, /a");
}

TEST(HostileSafetensors, NamesThatWouldSteerATerminalAreShownWithoutThat) {
    EXPECT_EQ(refused_header("{\"\\u001b[2J\\n\":7}"), "an object was expected, not '7': bad.safetensors, /?[2J?");
    EXPECT_EQ(refused_header("{\"" + std::string(1000, 'x') + "\":7}"),
              "an object was expected, not '7': bad.safetensors, /" + std::string(60, 'x') + "...");
}

// Whatever a byte becomes, the reader gives a checkpoint or a sentence; the sanitizers watch it.
TEST(HostileSafetensors, AnyByteMayBeAnyOther) {
    const std::string good = safetensors_file(
        R"({"__metadata__":{"format":"pt"},"a":{"dtype":"BF16","shape":[2,3],"data_offsets":[0,12]}})", 12);
    ASSERT_TRUE(as_safetensors(good));
    std::mt19937 random(7);
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::string bad = good;
        bad[i] = static_cast<char>(random());
        const Result<Checkpoint> checkpoint = as_safetensors(bad);
        EXPECT_TRUE(checkpoint || !checkpoint.error().where.empty());
        EXPECT_FALSE(as_safetensors(good.substr(0, i)));
    }
}

}  // namespace
}  // namespace headcount
