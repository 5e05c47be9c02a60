// A task's lines as a model reads them: the next token of each, what an encoder is to fill in, or from one stack to the
// other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/arch/architecture.hpp"
#include "core/train/pass.hpp"
#include "core/train/task.hpp"

namespace headcount {

struct AnsweredToken {
    std::size_t place = 0;  // in the line
    std::int32_t made = 0, expected = 0;

    bool right() const { return made == expected; }
};

struct LineForm {
    enum class Kind {
        next,    // every token but the first is to be said by those before it
        masked,  // what is hidden is to be said, by all that is not
        stacks,  // the encoder reads the question, the decoder says the answer
    } kind = Kind::next;
    std::int64_t tokens = 0, source = 0;  // of a line
    std::int64_t vocab = 0;
    std::int32_t start = 0;  // the decoder's first token

    // Whether an answer's token is read before the next is made.
    bool one_by_one() const { return kind != Kind::masked; }

    // So many lines; where fewer are given the others are the first, and not counted.
    LineBatch batch(const Task& task, std::span<const TaskLine> lines, std::int64_t sequences) const;

    // What the model makes of the answer of the line that was the pass's `index`-th, or of what was hidden.
    std::vector<AnsweredToken> answer(const MatrixView& logits, const TaskLine& line, std::size_t index) const;
};
LineForm line_form(const Architecture& arch, const Task& task);

// What nobody can know of lines that are read so, in nats a counted token, and how that is worked out; without words
// where all follows from the question. Nothing of a text.
struct LineFloor {
    double nats = 0;
    std::string words = {};
};
std::optional<LineFloor> floor_of(const LineForm& form, const Task& task);

}  // namespace headcount
