// What a reader says of a file that it refuses.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/base/result.hpp"

namespace headcount::testing_data {

// What is wrong and where. The last part, what to do, is left out; but it must be there.
template <class T>
std::string refusal(const Result<T>& read) {
    if (read) return "it was read";
    EXPECT_FALSE(read.error().fix.empty()) << sentence(read.error());
    return read.error().what + ": " + read.error().where;
}

}  // namespace headcount::testing_data
