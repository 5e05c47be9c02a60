// A question taken apart: what is asked of what, in which model, with which input. Nothing is worked out yet.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ask/ask.hpp"
#include "core/ask/models.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

// What a question is about: a notion, or tensors that the graph calls so.
struct AskSubject {
    const Notion* notion = nullptr;
    bool weight = false;
    std::vector<TensorIndex> tensors;  // where there is no notion: the likeliest first

    bool operator==(const AskSubject&) const = default;
};

// Words that were not understood, and where they stand.
struct HeardUnknown {
    AskUnknown unknown;
    std::size_t begin, end;
    bool slip = false;  // the nearest is the same word but for a slip, and no model's name: nobody means another
};

struct Heard {
    std::vector<AskReading> readings;
    std::vector<HeardUnknown> unknown;
    std::vector<std::string> notes;  // what a reading leaves open: "8k is taken as 8,192"
    std::string problem;             // what of the unknown is known: "7b" is in the names of 21 models
    std::optional<AskQuantity> quantity;
    std::optional<AskWide> wide;
    std::optional<std::int64_t> budget;  // "24 GB", in bytes
    const Device* device = nullptr;      // whose memory is the budget where none is said
    bool training = false;
    Optimizer optimizer = Training{}.optimizer;  // in training
    const Preset* second = nullptr;              // to compare with
    bool behind_than = false;  // "bigger than llama 3 8b": the first that is named is what is compared with
    std::vector<AskScope> scopes;
    std::vector<AskSubject> subjects;
    std::vector<Symbol> symbols;
    std::vector<std::pair<Symbol, std::int64_t>> claims;  // "32 layers"
    Input input;
    bool tokens_given = false, batch_given = false, cached_given = false, precision_given = false;
    bool weights_said = false;  // no memory but that of weights is meant
    bool full_context = false;
    const Preset* preset = nullptr;            // the one that is named
    std::vector<const Preset*> other_presets;  // that are named as well, or could be meant
    std::optional<std::pair<std::int64_t, std::int64_t>> sides;
    std::vector<std::int64_t> numbers;  // that nothing is said of
    std::string layer = "layer";        // the block of the kind of layers that is asked about
    bool layer_named = false;           // one kind of several was named: no other is meant

    bool has(AskScope scope) const;
    bool compares() const { return wide == AskWide::compare || wide == AskWide::larger || wide == AskWide::smaller; }
};

// Reads the words with those that this graph has. Preset names are read whatever the graph.
Heard read_question(std::string_view text, const AskAbout& about, const ModelGraph& graph);

}  // namespace headcount
