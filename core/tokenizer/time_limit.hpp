// How long a tokenizer's steps may take: patterns of a file that means harm could hold a thread for hours.
#pragma once

#include <chrono>

#include "core/base/result.hpp"

namespace headcount {

class TimeLimit {
  public:
    explicit TimeLimit(std::chrono::milliseconds from_now) : end_(std::chrono::steady_clock::now() + from_now) {}

    // For one text: the longest that the program takes needs hundredths of that.
    static TimeLimit of_text() { return TimeLimit(std::chrono::seconds(2)); }
    // For what a file asks for before there is a text.
    static TimeLimit of_file() { return TimeLimit(std::chrono::seconds(10)); }

    bool passed() const { return std::chrono::steady_clock::now() >= end_; }

  private:
    std::chrono::steady_clock::time_point end_;
};

inline Error takes_too_long() {
    return {"the tokenizer takes too long over the text", "prompt", "give a shorter text, or use another tokenizer"};
}

}  // namespace headcount
