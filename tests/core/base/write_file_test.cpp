// What is written is there in full, or what was there before is.
#include "core/base/write_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vector>

#include "core/base/json_file.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

namespace fs = std::filesystem;
using testing_data::Scratch;

TEST(WriteFile, IsWrittenWholeOrNotAtAll) {
    Scratch scratch;
    fs::path path = scratch.folder() / "out.txt";
    ASSERT_TRUE(write_text(path, "first"));
    ASSERT_TRUE(write_text(path, "second"));
    EXPECT_EQ(*read_text(path), "second");
    EXPECT_EQ(std::distance(fs::directory_iterator(scratch.folder()), {}), 1) << "nothing is left beside it";
    Result<fs::path> failed = write_text(scratch.folder() / "no/such/folder.txt", "text");
    ASSERT_FALSE(failed);
    EXPECT_TRUE(failed.error().what.starts_with("cannot be written")) << failed.error().what;
    EXPECT_FALSE(write_text(scratch.folder(), "text")) << "a folder is not replaced by a file";
    const fs::path loop = scratch.folder() / "loop";
    fs::create_symlink("loop", loop);
    EXPECT_FALSE(write_text(loop, "text"));
}

TEST(WriteFile, OnlyAFileIsSaidToBeWritten) {
    Scratch scratch;
    const std::string file = scratch.file("out.txt", "text");
    EXPECT_EQ(wrote(file), "wrote " + file + "\n");
    for (const char* stream : {"/dev/stdout", "/dev/null"}) EXPECT_EQ(wrote(stream), "") << stream;
}

// Standard output is a file of this test for as long as it asks.
TEST(WriteFile, WhereStandardOutputGoesIsKnownByAnyName) {
    Scratch scratch;
    const std::string file = scratch.file("out.txt", ""), other = scratch.file("other.txt", "");
    fs::create_symlink(file, scratch.folder() / "link");
    const int before = ::dup(STDOUT_FILENO), descriptor = ::open(file.c_str(), O_WRONLY);
    ::dup2(descriptor, STDOUT_FILENO);
    const bool itself = is_standard_output("/dev/stdout"), named = is_standard_output(file),
               linked = is_standard_output(scratch.folder() / "link"), another = is_standard_output(other),
               nothing = is_standard_output(scratch.folder() / "new"), device = is_standard_output("/dev/null");
    ::dup2(before, STDOUT_FILENO);
    ::close(before);
    ::close(descriptor);
    EXPECT_TRUE(itself && named && linked);
    EXPECT_FALSE(another || nothing || device);
}

TEST(WriteFile, SomebodysFileOfTheNameWithPartStays) {
    Scratch scratch;
    const std::string mine = scratch.file("out.txt.part", "mine"), theirs = scratch.file("theirs", "theirs");
    ASSERT_TRUE(write_text(scratch.folder() / "out.txt", "text"));
    EXPECT_EQ(*read_text(mine), "mine");
    fs::remove(mine);
    fs::create_symlink(theirs, mine);
    ASSERT_TRUE(write_text(scratch.folder() / "out.txt", "text"));
    EXPECT_EQ(*read_text(theirs), "theirs");
    EXPECT_TRUE(fs::is_symlink(mine));
}

TEST(WriteFile, WithoutAnEndNothingHasHappened) {
    Scratch scratch;
    const std::string path = scratch.file("out.txt", "before");
    {
        Result<OutputFile> file = OutputFile::open(path);
        ASSERT_TRUE(file);
        file->write(std::string(3u << 20, 'x'));
        OutputFile moved = *std::move(file);
        moved.write("more");
    }
    EXPECT_EQ(*read_text(path), "before");
    EXPECT_EQ(std::distance(fs::directory_iterator(scratch.folder()), {}), 1);
}

TEST(WriteFile, ALinkStaysOneAndItsTargetIsWritten) {
    Scratch scratch;
    const fs::path target = scratch.file("far/target", "before"), link = scratch.folder() / "link";
    const fs::path dangling = scratch.folder() / "dangling";
    fs::create_symlink("far/target", link);
    fs::create_symlink("far/new", dangling);
    ASSERT_TRUE(write_text(link, "after"));
    ASSERT_TRUE(write_text(dangling, "new"));
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_EQ(*read_text(target), "after");
    EXPECT_TRUE(fs::is_symlink(dangling));
    EXPECT_EQ(*read_text(scratch.folder() / "far/new"), "new");
}

mode_t mode_of(const fs::path& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

TEST(WriteFile, TheModeOfAFileStaysAndANewOneFollowsTheUmask) {
    Scratch scratch;
    const mode_t former = ::umask(027);
    const fs::path path = scratch.folder() / "out.txt";
    ASSERT_TRUE(write_text(path, "new"));
    EXPECT_EQ(mode_of(path), 0640u);
    for (const mode_t mode : {0600u, 0664u, 0755u}) {
        ASSERT_EQ(::chmod(path.c_str(), mode), 0);
        ASSERT_TRUE(write_text(path, "again"));
        EXPECT_EQ(mode_of(path), mode);
    }
    ::umask(former);
}

TEST(WriteFile, WhatNobodyMayWriteIsRefused) {
    Scratch scratch;
    const std::string path = scratch.file("out.txt", "kept");
    ASSERT_EQ(::chmod(path.c_str(), 0444), 0);
    const Result<fs::path> written = write_text(path, "text");
    ASSERT_FALSE(written) << "not even as the system's administrator";
    EXPECT_EQ(sentence(written.error()), "cannot be written: Permission denied: " + path + ": choose another place");
    EXPECT_TRUE(cannot_write(path, {}));
    EXPECT_EQ(*read_text(path), "kept");
}

TEST(WriteFile, WhatIsNoStoredFileIsWrittenTo) {
    Scratch scratch;
    EXPECT_TRUE(write_text("/dev/null", "text"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    const std::string pipe = (scratch.folder() / "pipe").string();
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const Result<fs::path> unread = write_text(pipe, "text");
    ASSERT_FALSE(unread) << "which would wait for ever";
    EXPECT_EQ(unread.error().what, "cannot be written: nobody reads from this pipe");
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    ASSERT_GE(reader, 0);
    ASSERT_TRUE(write_text(pipe, "text"));
    char read[8] = {};
    EXPECT_EQ(::read(reader, read, sizeof(read)), 4);
    ::close(reader);
    EXPECT_TRUE(fs::is_fifo(pipe));
    if (!fs::exists("/dev/full")) return;
    const Result<fs::path> full = write_text("/dev/full", "text");
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().what, "cannot be written: No space left on device");
}

// "/dev/stdout" is a link to a name such as this one.
TEST(WriteFile, AnOpenFileByItsNumberIsWrittenToAndNotReplaced) {
    if (!fs::exists("/proc/self/fd")) GTEST_SKIP() << "no such names here";
    Scratch scratch;
    const std::string path = scratch.file("out.txt", "");
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND);
    ASSERT_GE(descriptor, 0);
    const fs::path link = scratch.folder() / "stdout";
    fs::create_symlink("/proc/self/fd/" + std::to_string(descriptor), link);
    EXPECT_TRUE(write_text(link, "one "));
    EXPECT_TRUE(write_text(link, "two"));
    ::close(descriptor);
    EXPECT_EQ(*read_text(path), "one two");
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_EQ(std::distance(fs::directory_iterator(scratch.folder()), {}), 2);
}

TEST(WriteFile, WhatWasReadIsNotWrittenOverByAnyName) {
    Scratch scratch;
    const fs::path input = scratch.file("model.json", "{}"), link = scratch.folder() / "link.json";
    const fs::path hard = scratch.folder() / "hard.json";
    fs::create_symlink("model.json", link);
    fs::create_hard_link(input, hard);
    const std::vector<fs::path> inputs{scratch.folder() / "none", input};
    for (const fs::path& each : {input, link, hard, scratch.folder() / "." / "model.json"}) {
        const std::optional<Error> error = cannot_write(each, inputs);
        ASSERT_TRUE(error) << each;
        EXPECT_EQ(error->what, "cannot be written: this is one of the files that are read for it");
    }
    EXPECT_FALSE(cannot_write(scratch.folder() / "other.json", inputs));
    EXPECT_TRUE(cannot_write(scratch.folder() / "none" / "other.json", inputs)) << "there is no such folder";
}

}  // namespace
}  // namespace headcount
