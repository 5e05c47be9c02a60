// Which reader a file is given to, whatever it is called, and what is said of files that are no checkpoints.
#include "core/checkpoints/checkpoint.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/checkpoints/file_bytes.hpp"
#include "tests/core/checkpoints/gguf_file.hpp"
#include "tests/core/checkpoints/safetensors_file.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using namespace testing_data;

std::string small_safetensors(std::size_t header_bytes) {
    std::string header = R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
    header.resize(header_bytes, ' ');
    return safetensors_file(header, 1);
}

// The format, or what is wrong.
std::string outcome(const std::string& path) {
    const Result<Checkpoint> checkpoint = read_checkpoint(path);
    if (checkpoint) return checkpoint->format;
    EXPECT_FALSE(checkpoint.error().fix.empty()) << sentence(checkpoint.error());
    EXPECT_TRUE(checkpoint.error().where.find(path) != std::string::npos) << sentence(checkpoint.error());
    return checkpoint.error().what;
}

TEST(Checkpoint, IsKnownByItsFirstBytesNotByItsName) {
    Scratch scratch;
    EXPECT_EQ(outcome(scratch.file("a.bin", small_safetensors(60))), "safetensors");
    // 123 is "{", 640 and 1,152 begin as pickles do.
    for (const std::size_t length : {123, 640, 1152})
        EXPECT_EQ(outcome(scratch.file("b", small_safetensors(length))), "safetensors");
    EXPECT_EQ(outcome(scratch.file("c.safetensors", GgufFile().tensor("a", {1}).bytes())), "GGUF v3");
    scratch.file("shard", small_safetensors(60));
    EXPECT_EQ(outcome(scratch.file("d.txt", " \n{\"weight_map\": {\"a\": \"shard\"}}")), "safetensors");
}

TEST(Checkpoint, FilesWhoseBeginningSaysNothingAreJudgedByTheirNames) {
    Scratch scratch;
    const std::string nothing = "nothing of the kind, at some length";
    EXPECT_TRUE(outcome(scratch.file("a.safetensors", nothing)).starts_with("the header is said to have"));
    EXPECT_EQ(outcome(scratch.file("a.gguf", nothing)), "this is not a GGUF file: its first bytes are not 'GGUF'");
    EXPECT_EQ(outcome(scratch.file("a.json", nothing)), "this is not JSON: a value was expected");
    EXPECT_TRUE(outcome(scratch.file("a.bin", nothing)).starts_with("n_layers is"));
    EXPECT_EQ(outcome(scratch.file("a.txt", nothing)), "this is no checkpoint that is known");
    EXPECT_EQ(outcome(scratch.file("a.pt", "PK\3\4" + nothing)),
              "this is a zip archive, as PyTorch's .bin and .pt files are");
    EXPECT_EQ(outcome(scratch.file("empty.gguf", "")), "there is nothing in it");
}

TEST(Checkpoint, WhatIsNoFileIsRefusedWithoutWaiting) {
    Scratch scratch;
    EXPECT_EQ(outcome((scratch.folder() / "gone").string()), "cannot be read: No such file or directory");
    EXPECT_EQ(outcome(scratch.folder().string()), "this is a directory");
    const std::string pipe = (scratch.folder() / "pipe").string();
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(outcome(pipe), "this is not a regular file");
    EXPECT_EQ(outcome("/dev/zero"), "this is not a regular file");
}

TEST(Checkpoint, OfAHugeFileOnlyTheHeaderIsTouched) {
    Scratch scratch;
    const SafetensorsHead head = safetensors_head({{"huge", {1 << 20, 1 << 16}}});  // 128 GiB, a hole
    const std::string path = scratch.file("huge.safetensors", head.bytes);
    std::filesystem::resize_file(path, head.whole);
    const Result<Checkpoint> checkpoint = read_checkpoint(path);
    ASSERT_TRUE(checkpoint) << sentence(checkpoint.error());
    EXPECT_EQ(checkpoint->tensors[0].elements, std::int64_t{1} << 36);
    std::filesystem::resize_file(path, head.whole - 1);
    EXPECT_EQ(outcome(path), "it ends at byte 137,438,953,472 of the data, of which the file has 137,438,953,471");
}

TEST(FileBytes, AreThereForWhomTheyAreMovedTo) {
    Scratch scratch;
    Result<FileBytes> file = FileBytes::open(scratch.file("a", "abc"));
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->at(0, 1));
    FileBytes moved = *std::move(file);
    EXPECT_EQ(moved.size(), 3u);
    EXPECT_EQ((*moved.at(1, 2))[1], std::byte{'c'});
    EXPECT_FALSE(moved.at(2, 2));
    EXPECT_FALSE(moved.at(~std::uint64_t{0}, 2));
    Result<FileBytes> empty = FileBytes::open(scratch.file("b", ""));
    ASSERT_TRUE(empty);
    EXPECT_TRUE(empty->at(0, 0)->empty());
    EXPECT_FALSE(empty->at(0, 1));
}

TEST(FileBytes, OfAFileThatIsCutOffMeanwhileAreAnError) {
    Scratch scratch;
    const std::string path = scratch.file("a", std::string(1u << 20, 'a'));
    Result<FileBytes> file = FileBytes::open(path);
    ASSERT_TRUE(file && file->at(0, 10));
    std::filesystem::resize_file(path, 100);
    EXPECT_TRUE(file->at(10, 10)) << "this was fetched before";
    const auto gone = file->at(500'000, 10);
    ASSERT_FALSE(gone);
    EXPECT_EQ(gone.error().where, path);
}

}  // namespace
}  // namespace headcount
