// One run of a model over tokens: the graph's nodes with real numbers, keys and values kept between passes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/runtime/memory_need.hpp"
#include "core/runtime/model.hpp"

namespace headcount {

class Interpreter;  // core/runtime/interpreter.hpp

// Not for two threads at once. What it hands out points into the run, until its next change.
class Run {
  public:
    // Takes the memory that `memory_need` says. Fails where there is none, or where the capacity
    // is beyond the rows of a table of positions.
    static Result<Run> start(std::shared_ptr<const Model> model, const RunOptions& options);

    Run(Run&&) noexcept;
    Run& operator=(Run&&) noexcept;
    ~Run();

    const Model& model() const;
    const RunOptions& options() const;

    // Puts tokens behind those that are there: many of a prompt in one pass, or the one that was chosen. Every
    // activation's shape is checked against the graph's. Errors: a token outside the vocabulary, more tokens than the
    // capacity, stopped; the run is then as it was before.
    // Not where `turns_anew` says so.
    std::optional<Error> append(std::span<const std::int32_t> ids, const Watch& watch = {});

    // Whether with so many tokens more the earlier ones are turned by other angles, as texts beyond the first context
    // of longrope are: then all of them are to be read again, from the first on, by this run or by another.
    bool turns_anew(std::int64_t more) const;

    // Forgets all tokens but the first `tokens`, whose keys and values stay.
    void keep_first(std::int64_t tokens);

    std::span<const std::int32_t> ids() const;  // all tokens so far
    std::int64_t tokens() const { return static_cast<std::int64_t>(ids().size()); }

    // Of the last token, one number for each of the vocabulary; empty before the first.
    std::span<const float> logits() const;

    // A kept activation or a cache of all tokens so far: as if they had come in one pass, with the shape that the graph
    // then says. `layer` is 0 outside of layers; `copy` is the head, or which of a token's k experts (see `experts`).
    // Scores that no token may look at, of keys that came later or are out of the window, may be 0: no pass needs them.
    // Without data where it is not kept.
    MatrixView activation(TensorIndex tensor, std::int64_t layer = 0, std::int64_t copy = 0) const;

    // (tokens, k): the experts that each token of that layer was sent to, best first; empty where there are none.
    std::span<const std::int32_t> experts(std::int64_t layer) const;

    // The residual stream that enters layer 0 (`layer` = 0) and that leaves each layer (1 ... L): (tokens, dim).
    MatrixView hidden(std::int64_t layer) const;

    double seconds() const;  // the last append took

  private:
    explicit Run(std::unique_ptr<Interpreter> interpreter);

    std::unique_ptr<Interpreter> interpreter_;
};

}  // namespace headcount
