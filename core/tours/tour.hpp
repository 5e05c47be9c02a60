// A tour: steps that show a model to a class, with a caption, a place to look at and a question each. First as its file
// says it, then worked out for one architecture.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/arch/architecture.hpp"
#include "core/arch/input.hpp"
#include "core/base/result.hpp"
#include "core/files/presets.hpp"
#include "core/lesson/experiment.hpp"
#include "core/runtime/head_roles.hpp"
#include "core/train/task.hpp"

namespace headcount {

// What a step can show of a run, what of a training where there is no room for all of it, and which views it can be
// in; Run and Train have places of their own.
inline constexpr std::array<std::string_view, 5> run_pages{"words", "diagram", "map", "tokens", "tree"};
inline constexpr std::array<std::string_view, 3> train_parts{"weights", "figures", "open"};
inline constexpr std::array<std::string_view, 6> toured_views{"explore", "compare",   "costs",
                                                              "what-if", "worksheet", "claims"};

// A place in the Run view, where the model that ships reads a prompt: its first one where none is given.
struct RunLook {
    std::int64_t layer = 0, head = 0;
    std::string tensor;                // its cell is pinned: an id of that model's graph; empty: no cell
    std::int64_t row = 0, column = 0;  // of the cell
    std::string prompt = {};
    std::optional<std::int64_t> token = {};     // that is looked at; nothing: the last
    std::optional<Experiment> experiment = {};  // that the class is to do, in two runs side by side; it is checked
    std::string shows = {};                     // of run_pages; empty: the diagram
    std::vector<std::string> off = {};          // places that are switched off, in a second run beside it
    std::optional<HeadRole> looks_at = {};      // the head that looks there most in the prompt, and by how much

    bool operator==(const RunLook&) const = default;
};

// A place in the Train view, where the small model that ships learns a task: so long, and longer as the class decides.
struct LearnLook {
    TaskSettings task;
    std::int64_t layer = 0, head = 0;
    std::string shows = {};                    // of train_parts, before all else; empty: the loss and the heads
    std::optional<std::int64_t> learned = {};  // steps that it has made by then; nothing: what the class has seen

    bool operator==(const LearnLook&) const = default;
};

// What a step changes, it changes for the steps behind it too.
struct TourStep {
    std::string title, caption;         // with {count of model} and the like (core/lesson/reference.hpp)
    std::optional<std::string> at;      // "", "layer", a block's or a tensor's id; absent: where the step before was
    std::int64_t copy = 0;              // of a block that is repeated: which head
    std::string select;                 // a tensor's id, "component.attention", "field.dim", "total", or nothing
    std::vector<std::string> light;     // tensors, blocks and components in the spotlight; none: what is selected
    std::vector<std::string> needs;     // tensors, blocks, fields without which the step is passed over
    std::vector<std::string> unless;    // ... and with one of which it is
    std::optional<std::string> preset;  // goes on with this model; "own": the one that the tour began with
    std::vector<std::pair<std::string, std::string>> set;  // fields, in order
    std::optional<Input> input;
    std::string ask, answer;         // of the class; the answer is shown at the next press
    std::optional<RunLook> run;      // in the Run view, for this step alone
    std::optional<LearnLook> train;  // in the Train view, likewise
    std::string view = {};           // another one, likewise; empty: Explore
    std::string with = {};           // the preset that Compare sets beside the model

    bool operator==(const TourStep&) const = default;
};

struct Tour {
    std::string id, title, about;
    std::optional<std::string> preset;  // the model that it begins with; absent: the one that is loaded
    std::optional<Input> input;         // absent: the one that is loaded
    std::vector<TourStep> steps;

    bool operator==(const Tour&) const = default;
};

// Reads a tour from text. Errors name the line and character, or the JSON path ("steps[2].caption").
Result<Tour> parse_tour(std::string_view text, std::string id, std::string_view where);

struct WorkedStep {
    std::size_t index;  // into Tour::steps
    std::string title, caption, ask, answer;
    std::string at;
    std::int64_t copy = 0;
    std::string select;
    std::vector<std::string> light;
    std::string preset;  // that the architecture is, or is made from; empty: the one that the tour began with
    Architecture architecture;
    Input input;
    std::optional<RunLook> run;
    std::optional<LearnLook> train;
    std::string view = {}, with = {};
};

struct WorkedTour {
    std::string id, title, about;
    std::vector<WorkedStep> steps;   // at least one
    std::vector<std::string> notes;  // which steps were left out, and why
};

// A tour that names no preset is about `own`. What a head looks at is measured, and said behind the step's answer, or
// its caption where it asks nothing. A step that makes no sense for its architecture (an id that the graph does not
// have, a field that it cannot be given) is left out with a note. `called`: what texts call `own` where that is not its
// name, such as "Llama 2 7B, edited". Errors: an unknown preset, no step left.
Result<WorkedTour> make_tour(const Tour& tour, std::span<const Preset> presets, const Architecture& own,
                             const Input& input = {}, std::string_view called = {});

// The words of a step for an architecture that is not quite its own, such as one that a class has changed meanwhile.
// Errors: words that make no sense for it, by the name of the text ("caption").
struct StepWords {
    std::string title, caption, ask, answer;

    bool operator==(const StepWords&) const = default;
};
Result<StepWords> words_for(const TourStep& step, const Architecture& arch, const Input& input,
                            std::span<const Preset> presets, std::string_view called = {});

// As a file has it, which `parse_tour` reads back: what is as it begins is not said.
nlohmann::ordered_json tour_json(const Tour& tour);

Result<Tour> read_tour(const std::filesystem::path& path);

// Behind the others, or in place of the one with its id.
void add_tour(std::vector<Tour>& tours, Tour tour);

// Every *.json of a folder, in the order of their names. What is wrong in one does not keep the others away.
struct FoundTours {
    std::vector<Tour> tours;
    std::vector<Error> failures;
};
FoundTours find_tours(const std::filesystem::path& directory);

Result<std::vector<Tour>> shipped_tours();

// What ships, and behind it a teacher's own, of $XDG_DATA_HOME/headcount/tours, else ~/.local/share/headcount/tours. A
// tour of the same file name takes the shipped one's place.
FoundTours all_tours();

}  // namespace headcount
