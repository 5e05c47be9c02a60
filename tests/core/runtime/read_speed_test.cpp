// The speed of reading memory, however it is shared out.
#include "core/runtime/read_speed.hpp"

#include <gtest/gtest.h>

namespace headcount {
namespace {

TEST(ReadSpeed, IsThereForAnyThreadsAndAnySize) {
    for (const int threads : {1, 3})
        for (const std::int64_t floats : {1, 2, 1 << 20}) {
            Pool pool(threads);
            const Result<FloatMemory> memory = FloatMemory::take(floats);
            ASSERT_TRUE(memory);
            const double speed = read_speed(pool, *memory);
            EXPECT_GT(speed, 0);
            EXPECT_LT(speed, 1e13) << "more than any processor reads";
        }
}

}  // namespace
}  // namespace headcount
