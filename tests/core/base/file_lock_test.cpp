// Claims about locks between processes.
#include <gtest/gtest.h>

#include "core/base/write_file.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using testing_data::Scratch;

TEST(FileLock, HasOneHolderAtATimeAndIsFreeAfterwards) {
    const Scratch scratch;
    const std::filesystem::path path = scratch.folder() / "a.lock";
    {
        const auto first = FileLock::attempt(path);
        ASSERT_TRUE(first && *first);
        const auto second = FileLock::attempt(path);
        ASSERT_TRUE(second);
        EXPECT_FALSE(*second);
    }
    const auto third = FileLock::attempt(path);
    EXPECT_TRUE(third && *third) << "what a crash leaves is a file that nobody holds";
}

TEST(FileLock, IsHeldByWhoeverItWasMovedTo) {
    const Scratch scratch;
    const std::filesystem::path path = scratch.folder() / "a.lock";
    auto first = FileLock::attempt(path);
    std::optional<FileLock> other = std::move(*first);
    EXPECT_FALSE(*FileLock::attempt(path));
    other.reset();
    EXPECT_TRUE(*FileLock::attempt(path));
}

TEST(FileLock, SaysWhereItCannotBeMade) {
    const Scratch scratch;
    const auto lock = FileLock::attempt(scratch.folder() / "none" / "a.lock");
    ASSERT_FALSE(lock);
    EXPECT_NE(lock.error().where.find("a.lock"), std::string::npos);
}

}  // namespace
}  // namespace headcount
