// What is wrong with somebody else's transformer: its activations beside those of a run of the same weights, the first
// that differs, and the mistake that makes them. A mistake is accused of only where a model that has it makes all of
// their numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/diagnose/links.hpp"
#include "core/runtime/model.hpp"
#include "core/runtime/pool.hpp"

namespace headcount {

struct ComparedTensor {
    std::string theirs, ours;
    std::string equals;  // of ours that it equals though it is called otherwise; else empty
    LinkedBy by = LinkedBy::name;
    double difference = 0;                   // in parts of our tensor's size
    double tolerance = 0;                    // up to which it is rounding
    TensorIndex tensor = 0;                  // ours
    std::optional<std::int64_t> layer = {};  // absent outside of layers
    bool agrees() const { return difference <= tolerance; }
};

// One mistake, or two at once.
struct Cause {
    std::vector<std::string> names, says;
    std::size_t agree = 0;   // so many of the compared; what the mistake leaves out is not among them
    double difference = 0;   // the largest that is left with it
    bool rounded = false;    // as large as computing in bfloat16 makes it, and no smaller
    bool by_chance = false;  // what is made of the first that differs is another each time, and says nothing
};

struct Diagnosis {
    std::vector<ComparedTensor> compared;  // in the order of the forward pass
    std::vector<std::string> unknown;      // their tensors that nothing of ours was found for
    std::optional<std::size_t> first;  // of `compared`: the first that differs; absent: all agree, by name or numbers
    Where where;                       // of that
    // Of ours one that agrees, made of all that differs: then theirs are something else than their names say, or it
    // cancels out. Empty where there is none.
    std::string agrees_behind;
    // The differences are of the size that computing in bfloat16 makes; and some of theirs was rounded to that, too.
    bool small = false, rounding = false;
    std::vector<Cause> causes;  // those that make their numbers, the likelier of the nearest first
    std::int64_t tried = 0;     // mistakes, one at a time
    std::int64_t pairs_tried = 0, pairs = 0;
};

struct DiagnoseOptions {
    int threads = 1;
    std::optional<std::int64_t> pairs = {};     // of mistakes are tried at most; absent: as many as a few seconds take
    std::span<const std::int32_t> source = {};  // what an encoder beside the decoder has read
    Watch watch = {};                           // stopped: the error `stopped_error()`
};

// How many tokens it takes at most: all in one pass.
inline constexpr std::int64_t most_diagnosed = 512;

// Of a model that reads text. Errors: more tokens than that or than the model
// takes, a token outside the vocabulary, a model that makes no finite numbers of them, none of their tensors in a shape
// of ours, with the shapes that were expected: that one alone is of their file, and its `where` is empty.
Result<Diagnosis> diagnose(const std::shared_ptr<const Model>& model, std::span<const std::int32_t> ids,
                           std::span<const TheirTensor> theirs, const DiagnoseOptions& options = {});

}  // namespace headcount
