// What is learned: lines of tokens that are made from a seed, of which some are held out, and what of them nobody can
// know.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/tokenizer/tokenizer.hpp"

namespace headcount {

enum class TaskKind { copy, reverse, sort, add, modular, induction, brackets, masked, text };
inline constexpr std::array<std::string_view, 9> task_words{"copy",      "reverse",  "sort",   "add", "modular",
                                                            "induction", "brackets", "masked", "text"};
// What one learns there, in a few words: "the letters backwards".
std::string_view task_meaning(TaskKind kind);

struct TaskSettings {
    TaskKind kind = TaskKind::reverse;
    std::int64_t letters = 8;  // of copy, reverse, sort, induction, brackets; digits of add, sentences of masked
    std::int64_t modulus = 97;
    std::int64_t tokens = 64;  // that a window of a text has
    std::string text = {};     // one's own
    // Cuts the text into its own tokens in the place of characters. Each line is then a text by itself, with what the
    // tokenizer puts around one, and windows begin where a line does.
    std::shared_ptr<const Tokenizer> tokenizer = {};

    bool operator==(const TaskSettings&) const = default;
};

// A line as a model is to write it: the question, and from `answer` on what follows from it. `hidden` are the places
// that an encoder is to fill in: those of the answer; of masked words and of a text here and there.
struct TaskLine {
    std::vector<std::int32_t> ids;
    std::size_t answer = 0;
    std::vector<std::size_t> hidden = {};

    bool operator==(const TaskLine&) const = default;
};

// What `letters` counts: "letter", "digit", "sentence".
std::string_view letters_are(TaskKind kind);
// "Reverse, 8 letters"
std::string task_title(const TaskSettings& settings);

class Task {
  public:
    // Errors: letters out of range; a text that is not UTF-8, too short for a window of so many tokens, or that the
    // tokenizer cannot cut.
    static Result<Task> make(const TaskSettings& settings);

    const TaskSettings& settings() const { return settings_; }
    const std::vector<std::string>& tokens() const { return tokens_; }  // as they are written, by id
    std::int64_t vocab() const { return static_cast<std::int64_t>(tokens_.size()); }
    std::int64_t line_length() const { return line_length_; }  // tokens of every line
    // Stands where an encoder is to fill in, and is written as a blank: one more than the others.
    std::int32_t mask() const { return static_cast<std::int32_t>(tokens_.size()); }
    bool has_answers() const { return settings_.kind != TaskKind::text; }
    // Whether what is asked for stands among what is read, so that only an encoder can be asked.
    bool asks_within() const { return settings_.kind == TaskKind::masked; }

    // The line of this number: the same for the same seed. Lines are held out by a rule that looks at the question
    // alone, so that none of them is ever trained on; of a text the last tenth is.
    TaskLine line(std::uint64_t seed, std::uint64_t number, bool held_out) const;

    std::string text(const std::int32_t* ids, std::size_t count) const;

    // Nats a token that the best of all models loses, where all tokens of a line but the first are counted, or those
    // that are hidden where it asks within: what is drawn at random nobody can know. Nothing of a text. And how that is
    // worked out: "7 · ln 26 / 17".
    std::optional<double> floor() const { return floor_; }
    const std::string& floor_words() const { return floor_words_; }

  private:
    explicit Task(TaskSettings settings) : settings_(std::move(settings)) {}
    void lay_out();
    std::optional<Error> read_text();
    void cut_into_characters();
    std::optional<Error> cut_into_tokens();
    // Where windows of what is learned from, or of what is held out, may begin: one of so many places.
    std::int64_t windows(bool held_out) const;
    std::int64_t window(bool held_out, std::int64_t number) const;

    TaskSettings settings_;
    std::vector<std::string> tokens_;
    std::vector<std::int32_t> text_;    // of one's own, as ids
    std::vector<std::int64_t> begins_;  // of its lines, where a tokenizer cut them
    std::int64_t line_length_ = 0;
    std::optional<double> floor_;
    std::string floor_words_;
};

}  // namespace headcount
