// What the Run view remembers: which model runs, the prompt, how tokens are drawn, where the user looks; and what it
// asks for. Small, and none of it touches the document.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/runtime/changes.hpp"

namespace headcount {

// Which model runs: the one that ships; the document's architecture with random weights; the weights of its file.
enum class RunSource { shipped, random, file };
// In the same order: in saved documents and for tests.
inline constexpr std::array<std::string_view, 3> run_source_keys{"shipped", "random", "file"};

// How fast a run is shown: the slower ones layer by layer, the last one token after token as they come.
enum class RunSpeed { half, one, four, most };
inline constexpr std::array<std::string_view, 4> run_speed_keys{"0.5", "1", "4", "max"};

// What is shown below.
enum class RunTab { heads, norms, lens };
inline constexpr std::array<std::string_view, 3> run_tab_keys{"heads", "norms", "lens"};

// What is looked at: the words and one head's attention, where there are words; the diagram with the run's numbers in
// its cells; a map of the words that the model knows; what the tokenizer does with the prompt; how the text may go on.
enum class RunShows { words, diagram, map, tokens, tree };
inline constexpr std::array<std::string_view, 5> run_shows_keys{"words", "diagram", "map", "tokens", "tree"};

struct RunSampling {
    bool greedy = false;  // always the likeliest: what follows plays no part
    double temperature = 0.8;
    std::int64_t top_k = 40;  // 0: all
    double top_p = 0.95;      // 1: all
    double min_p = 0;         // 0: all
    std::uint64_t seed = 42;

    bool operator==(const RunSampling&) const = default;
};

// A number of a run: of a tensor of the graph, in a layer, in one of its copies (a head), for a token.
struct RunCell {
    std::string tensor;  // its id; a parameter or an activation
    std::int64_t layer = 0, copy = 0, row = 0, column = 0;

    bool operator==(const RunCell&) const = default;
};

// An experiment on the run. What is replaced comes from what another prompt makes there.
struct RunChange {
    Change change;
    bool on = true;

    bool operator==(const RunChange&) const = default;
};
inline constexpr std::size_t most_changes = 32;
inline constexpr double largest_change_number = 100;  // either way

// All of them: what undo steps through besides the document.
struct Experiments {
    std::vector<RunChange> changes;
    std::string other;         // the other prompt, as typed: text, or ids where the model has no tokenizer
    bool reads_other = false;  // the changed run reads that one

    bool operator==(const Experiments&) const = default;
};

inline constexpr std::string_view first_prompt = "Once upon a time there was a little";

// How the text may go on: so many ways, so many tokens ahead.
struct RunTreeSize {
    std::int64_t width = 5, depth = 3;

    bool operator==(const RunTreeSize&) const = default;
};

struct RunPlace {
    RunSource source = RunSource::shipped;
    std::string prompt{first_prompt};  // as typed
    std::string ids = "1, 2, 3";       // as typed, where the model has no tokenizer
    RunSampling sampling;
    RunSpeed speed = RunSpeed::one;
    RunTab tab = RunTab::heads;
    std::int64_t layer = 0, head = 0;      // that are looked at; panels keep them inside the model
    std::optional<std::int64_t> position;  // nothing: the last that there is
    RunShows shows = RunShows::words;
    RunTreeSize tree;
    bool opens = true;           // nobody has chosen a head: one that is found to be worth a look is shown
    bool at_source = false;      // heads that look at what an encoder made, and not at the text itself
    bool shared_scale = false;   // one colour scale for all matrices, and not one a matrix
    std::vector<RunCell> trail;  // of the pinned cell and where it was followed from; the last one is shown
    bool goes = false;           // the diagram is to go to the pinned cell, else to the head that is looked at
    bool beside = false;         // the changed run stands beside the one as it is
    Experiments experiments;
    std::string against;  // the file of somebody else's activations that the run is compared with; empty: none

    bool operator==(const RunPlace&) const = default;
};
inline constexpr std::size_t longest_prompt = 100'000;  // bytes that are kept

struct SetRun {
    RunPlace place;
    unsigned run = 0;  // edits of one number that follow each other are one undo entry; 0: an entry of its own
};
// Another model to run: what was looked at in the one before is let go.
inline SetRun from_source(RunPlace place, RunSource source) {
    place.source = source;
    place.position.reset();
    place.trail.clear();
    place.experiments = {};
    place.against.clear();
    place.opens = true;
    return {std::move(place)};
}
struct PlayRun {
    bool playing = true;
};
struct StepRun {};      // one stage of one token: embedded, a layer, the output head
struct StepBackRun {};  // the last of these stages is undone, down to the prompt
struct RestartRun {};   // back to the prompt
struct FreeRun {};      // stops what is under way and gives its memory back
struct RankRun {        // works out what each part matters, or stops that
    bool wanted = true;
};
struct TakeRun {};  // the worker has news: the shell says so

// A word of the vocabulary on the map, by its id: under the pointer, and chosen until another is.
struct WordsOnMap {
    std::optional<std::int32_t> pointed, chosen;

    bool operator==(const WordsOnMap&) const = default;
};
struct LookAtWords {
    WordsOnMap words;
};

}  // namespace headcount
