// What a model has learned about the words that it knows, found off the drawing thread: a map of its embedding, which
// words lie near each other, which rows no text has trained; and heads that are worth a look in a text.
#pragma once

#include <memory>
#include <optional>

#include "app/state/run/snapshot.hpp"
#include "core/runtime/head_roles.hpp"
#include "core/runtime/row_map.hpp"
#include "core/runtime/token_rows.hpp"
#include "core/tokenizer/text_steps.hpp"

namespace headcount {

// None of these keeps a model or a run: its memory may be given back.

// Of a text until another is read.
struct RunHeads {
    std::weak_ptr<const RunValues> of;
    std::int64_t tokens = 0;
    std::vector<HeadFound> heads;
    // Of what no head of this text does, as found in the examples that come with the model: of a light one.
    std::vector<HeadFound> elsewhere = {};
};
// Of the tokens that are through all layers, which are so many.
RunHeads heads_worth_a_look(const RunSnapshot& run);
std::int64_t tokens_through(const RunSnapshot& run);

// Where one looks at that head.
RunPlace at_head(RunPlace place, const HeadFound& head);

struct RunTrained {
    std::weak_ptr<const Model> of;
    std::optional<TrainedRows> rows;  // nothing: the tokenizer has too few tokens that no text can have
};

struct RunWordMap {
    std::weak_ptr<const Model> of;
    std::int64_t tokens = 0;    // of the vocabulary
    int passes = 0;             // over the embedding, so far
    std::optional<RowMap> map;  // of the rows that were trained, by their ids; nothing: not yet
};

struct RunNear {
    std::weak_ptr<const Model> of;
    std::int32_t id = 0;
    std::vector<NearRow> rows;
};
inline constexpr std::size_t near_words = 12;

// What the tokenizer does with a text.
struct RunSteps {
    std::weak_ptr<const Tokenizer> by;
    std::string text;
    Result<TextSteps> steps;
};

// So many rows of the embedding stand for tokens; 0 where the model looks none up, or there is no tokenizer.
std::int64_t words_of(const RunSnapshot& run);

// Tokens that no text has: bytes that are never in UTF-8, and rows that the table is padded with.
std::vector<std::int32_t> ids_of_no_text(const RunSnapshot& run);

// Those that a training has moved, all where that cannot be told.
std::vector<std::int64_t> trained_words(const RunSnapshot& run, const RunTrained& trained);

}  // namespace headcount
