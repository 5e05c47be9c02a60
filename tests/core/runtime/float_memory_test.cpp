// Blocks of floats: zeros where a vector wants them, in large pages where those were asked for.
#include "core/runtime/float_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

namespace headcount {
namespace {

TEST(FloatMemory, IsZeroAndBeginsAtACacheLine) {
    for (const auto pages : {FloatMemory::Pages::usual, FloatMemory::Pages::large})
        for (const std::int64_t floats : {0, 1, 100, 4 << 20}) {
            const Result<FloatMemory> memory = FloatMemory::take(floats, pages);
            ASSERT_TRUE(memory);
            EXPECT_EQ(memory->size(), floats);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory->data()) % 64, 0U);
            EXPECT_TRUE(std::all_of(memory->data(), memory->data() + floats, [](float x) { return x == 0; }));
        }
}

TEST(FloatMemory, SaysHowMuchCannotBeHad) {
    const Result<FloatMemory> memory = FloatMemory::take(std::numeric_limits<std::int64_t>::max());
    ASSERT_FALSE(memory);
    EXPECT_EQ(memory.error().what, "9,223,372,036,854,775,807 floats of memory cannot be had");
}

// What Linux notes of the mapping that an address lies in: "rd wr mr mw me ac sd hg"; empty where it says nothing.
std::string flags_of(const void* address) {
    std::ifstream maps("/proc/self/smaps");
    bool here = false;
    for (std::string line; std::getline(maps, line);) {
        std::uintptr_t from = 0, to = 0;
        char dash = 0;
        if (std::istringstream range(line); range >> std::hex >> from >> dash >> to && dash == '-')
            here = from <= reinterpret_cast<std::uintptr_t>(address) && reinterpret_cast<std::uintptr_t>(address) < to;
        if (here && line.rfind("VmFlags:", 0) == 0) return line.substr(8);
    }
    return {};
}

TEST(FloatMemory, AsksForLargePagesWhereMuchIsRead) {
    constexpr std::int64_t floats = 16 << 20;
    const Result<FloatMemory> large = FloatMemory::take(floats, FloatMemory::Pages::large);
    const Result<FloatMemory> usual = FloatMemory::take(floats);
    ASSERT_TRUE(large && usual);
    const std::string flags = flags_of(large->data() + floats / 2);
    if (flags.empty() || !std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled")) GTEST_SKIP() << "no such pages";
    EXPECT_NE(flags.find(" hg"), std::string::npos) << flags;
    EXPECT_EQ(flags_of(usual->data() + floats / 2).find(" hg"), std::string::npos);
}

}  // namespace
}  // namespace headcount
