// A regular expression or a plain text that is looked for in texts. PCRE2 stands behind it, here alone.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

struct Range {
    std::size_t begin = 0, end = 0;

    bool operator==(const Range&) const = default;
};

class Pattern {
  public:
    // Unicode's properties are known to \s, \w, \d and \b; a match never begins or ends within a letter. The error says
    // what of the expression is wrong.
    static Result<Pattern> expression(std::string_view expression, const std::string& where);
    // Just this text, which may not be empty.
    static Result<Pattern> text(std::string_view text, const std::string& where);

    // All matches from left to right that are not empty and do not overlap. Bytes that are not UTF-8 match no
    // expression, and what is around them is looked at by itself. Fails where an expression tries too many ways, or the
    // time is over.
    Result<std::vector<Range>> find(std::string_view in, const TimeLimit& limit) const;

  private:
    struct Code;

    std::string text_;  // where there is no expression
    std::shared_ptr<const Code> code_;
};

}  // namespace headcount
