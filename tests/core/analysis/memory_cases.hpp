// What the tests of memory share.
#pragma once

#include <gtest/gtest.h>

#include "core/analysis/memory.hpp"
#include "tests/golden/golden.hpp"

namespace headcount::test {

inline Memory memory_of(const Architecture& arch, const Input& input, const MemoryOptions& options = {}) {
    Result<Memory> found = memory(arch, expand(arch), bindings(arch, input), options);
    EXPECT_TRUE(found) << sentence(found.error());
    return found ? *found : Memory{};
}

inline MemoryOptions training(Optimizer optimizer, Recompute recompute = Recompute::none, bool dropout = false) {
    MemoryOptions options;
    options.training = Training{.optimizer = optimizer, .recompute = recompute, .dropout = dropout, .scores = true};
    return options;
}

}  // namespace headcount::test
