// What the Run view would run: the model, what it takes, and why it cannot run where that is so. Made before anything
// is loaded.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/state/run/place.hpp"
#include "app/state/shown.hpp"
#include "core/checkpoints/checkpoint.hpp"
#include "core/runtime/plan.hpp"

namespace headcount {

// What decides all else.
struct RunBasis {
    RunSource source = RunSource::shipped;
    Architecture architecture;                     // that runs; as first made for the model that ships
    std::shared_ptr<const Checkpoint> checkpoint;  // null: random weights
    std::string file;                              // that the weights and the tokenizer come from
    bool edited = false;                           // the file's architecture is another

    bool operator==(const RunBasis&) const = default;
};

// A prompt that comes with a model, and what its run shows.
struct ExamplePrompt {
    std::string text, shows;

    bool operator==(const ExamplePrompt&) const = default;
};

struct RunModel {
    RunBasis asked;
    RunBasis of;         // the same, with what was read of the model that ships
    RunOptions options;  // how many tokens there is room for, and whether activations are kept
    MemoryNeed need;     // bytes
    std::int64_t parameters = 0;
    Expr flops;  // of a pass, by the graph
    // Of the first, with what an encoder beside the decoder makes of the source, where there is one.
    std::optional<Expr> first_flops;
    Expr cache_bytes;            // of the keys and values of T tokens, by the graph
    Expr state_bytes;            // of recurrences' states, as many however many tokens
    double decode_flops = 0;     // of one token by itself
    std::optional<Error> wrong;  // why it cannot run
    std::vector<ExamplePrompt> examples;
    std::optional<Error> no_examples;  // why those beside the weights could not be read

    // Small enough to run as soon as it is looked at, and anew with every letter of the prompt.
    bool light() const { return !wrong && decode_flops <= 5e7; }
    const Architecture& architecture() const { return of.architecture; }
};

inline constexpr std::uint64_t random_weights_seed = 1;

// The one that is asked for, where `own` is the user's own model.
RunBasis run_basis(RunSource source, const Shown& own);
// `given_back`: bytes that are held now and will be free before it is loaded.
RunModel run_model(RunBasis basis, std::int64_t given_back = 0);

// Operations of a pass of so many tokens behind so many, every query against every key; 0 where that is too large.
double run_flops(const RunModel& model, std::int64_t tokens, std::int64_t behind, std::int64_t source = 1);

}  // namespace headcount
