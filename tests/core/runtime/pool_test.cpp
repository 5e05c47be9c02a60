// Claims about the pool: every part is done once, by a thread that it says it has, however many there are.
#include "core/runtime/pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <system_error>
#include <vector>

namespace headcount {
namespace {

// How often each part was done.
std::vector<int> done(Pool& pool, std::size_t parts) {
    std::vector<std::atomic<int>> times(parts);
    std::atomic<int> strangers = 0;
    pool.run(static_cast<std::int64_t>(parts), [&](std::int64_t part, int thread) {
        ++times[static_cast<std::size_t>(part)];
        strangers += thread < 0 || thread >= pool.threads();
    });
    EXPECT_EQ(strangers, 0);
    return {times.begin(), times.end()};
}

TEST(PoolOfThreads, DoesEachPartOnce) {
    Pool pool(3);
    EXPECT_EQ(pool.threads(), 3);
    for (const std::size_t parts : {0U, 1U, 2U, 3U, 1000U}) EXPECT_EQ(done(pool, parts), std::vector(parts, 1));
}

TEST(PoolOfThreads, DoesOneOperationAfterTheOther) {
    Pool pool(4);
    for (std::size_t round = 0; round < 2000; ++round) {
        const std::size_t parts = 2 + round % 7;
        ASSERT_EQ(done(pool, parts), std::vector(parts, 1)) << "in round " << round;
    }
}

TEST(PoolOfThreads, SplitsARangeAtItsSteps) {
    Pool pool(4);
    for (const std::int64_t size : {1, 16, 17, 64, 1000}) {
        std::vector<std::atomic<int>> times(static_cast<std::size_t>(size));
        std::atomic<int> crooked = 0;
        pool.split(size, 16, [&](std::int64_t begin, std::int64_t end) {
            crooked += begin % 16 != 0 || (end % 16 != 0 && end != size);
            for (std::int64_t i = begin; i < end; ++i) ++times[static_cast<std::size_t>(i)];
        });
        EXPECT_EQ(crooked, 0);
        EXPECT_THAT(std::vector<int>(times.begin(), times.end()), testing::Each(1)) << size;
    }
}

TEST(PoolOfThreads, IsSmallerWhereTheSystemHasNoMoreThreads) {
    int asked = 0;
    Pool pool(8, [&](std::function<void()> work) {
        if (++asked == 3) throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
        return std::thread(std::move(work));
    });
    EXPECT_EQ(pool.threads(), 3);
    EXPECT_EQ(done(pool, 100), std::vector(100, 1));
    Pool alone(8, [](const std::function<void()>&) -> std::thread { throw std::bad_alloc(); });
    EXPECT_EQ(alone.threads(), 1);
    EXPECT_EQ(done(alone, 100), std::vector(100, 1));
}

}  // namespace
}  // namespace headcount
