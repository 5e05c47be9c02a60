// What is written is there in full, or what was there before is.
#include "core/base/write_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/base/json_file.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using testing_data::Scratch;

TEST(WriteFile, IsWrittenWholeOrNotAtAll) {
    Scratch scratch;
    std::filesystem::path path = scratch.folder() / "out.txt";
    ASSERT_TRUE(write_text(path, "first"));
    ASSERT_TRUE(write_text(path, "second"));
    EXPECT_EQ(*read_text(path), "second");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch.folder()), {}), 1)
        << "nothing is left beside it";
    Result<std::filesystem::path> failed = write_text(scratch.folder() / "no/such/folder.txt", "text");
    ASSERT_FALSE(failed);
    EXPECT_TRUE(failed.error().what.starts_with("cannot be written")) << failed.error().what;
    EXPECT_FALSE(write_text(scratch.folder(), "text")) << "a folder is not replaced by a file";
    std::string pipe = (scratch.folder() / "pipe").string();
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_FALSE(write_text(pipe, "text")) << "nor is a pipe or a device";
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

}  // namespace
}  // namespace headcount
