// What the Run view shows: the worker that runs the model, and what it has handed over. No part of the document.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "app/state/run/found.hpp"
#include "app/state/run/place.hpp"
#include "app/state/run/watch.hpp"
#include "app/state/shown.hpp"
#include "core/files/presets.hpp"

namespace headcount {

class Runner;        // app/state/run/runner.hpp
struct RunSnapshot;  // app/state/run/snapshot.hpp
struct RunModel;     // app/state/run/model.hpp
class RunLooker;     // app/state/run/looker.hpp
struct Session;

// With what the looker has found: the numbers of `next` are those of `shown`.
struct RunPage : RunFound {
    // The model that runs, where that is not the user's own; and wherever it is drawn, for it has read what the run
    // has.
    std::optional<Shown> drawn;
    std::shared_ptr<Runner> runner;            // null before somebody looks
    std::shared_ptr<RunLooker> looker;         // null as long
    std::function<void()> wake;                // both call it when they have news, from their threads; may be null
    std::shared_ptr<const RunModel> model;     // what would run, what it costs, or why it cannot; null before a look
    std::shared_ptr<const RunSnapshot> told;   // the runner's latest that was taken; null before its first
    std::shared_ptr<const RunSnapshot> shown;  // the latest for which it is known what may come next
    std::optional<RunWatch> watch;             // the computation is watched in the diagram
    std::optional<bool> ranks;            // whether a ranking is wanted; nothing was said: where the model is light
    WordsOnMap words;                     // that are looked at on the map
    std::size_t opened_theirs = 0;        // how often a file of somebody else's activations was
    std::vector<std::int32_t> their_ids;  // that the last of these says it was made with; empty where it says none
    std::optional<Input> lent;            // whose tokens the user's own model has been given
};

// What of a run is on the screen: a pinned number is in the diagram, and so is all of a run that has no words. Nothing
// where nothing has run, or two runs stand side by side.
std::optional<RunShows> shows_of(const RunPage& page, const RunPlace& place);
// Whether this run has what is shown so.
bool can_show(const RunSnapshot& run, RunShows shows);

// Whether the model has given its answer: while the computation is watched, once the last operation is done.
bool has_answered(const RunPage& page);

// On the map of words: under the pointer, or chosen there, or the token that is looked at.
std::optional<std::int32_t> word_looked_at(const RunPage& page, const RunSnapshot& run, const RunPlace& place);

// Whether something came in that is not taken over. It is with TakeRun, which the shell asks for between two frames,
// and nowhere else: a frame's report is of what that frame drew.
bool has_news(const RunPage& page);

// Whether what each part matters is worked out, or will be, of its own accord.
bool wants_rank(const RunPage& page);

// A turn of the window waits no longer than that for what was asked in it: less than a picture takes to draw where it
// is drawn slowly, and than a person sees.
inline constexpr std::chrono::milliseconds longest_wait_for_run{4};

// Whether something comes in until then that is not taken over (see has_news): at once where nothing is under way, and
// where the last pass took so long that the next will not be there in time.
bool news_comes(const RunPage& page, std::chrono::steady_clock::time_point until);

// In the Run view: what runs follows the view's place and the document. Does nothing where it does already.
void look_at_run(Session& session);
// Where the weights of this model as it is are: in its file, or with the preset; nothing: nowhere.
std::optional<RunSource> own_weights(const Shown& model, std::span<const Preset> presets);
// Whether the user's own model is the one that would run, which is then chosen, as its weights are, and small enough to
// run unasked: then its numbers stand in Explore's diagram.
bool runs_unasked(Session& session);
// As long as nobody has said how many tokens the user's own model reads, it reads those of its run, so that what is
// drawn of it is what has values; and the same input without them, for another model.
void lend_tokens(Session& session);
bool has_lent(const RunPage& page, const Input& input);  // whether this one is the run's
Input without_lent(const RunPage& page, Input input);
// Out of it nothing is computed.
void rest_run(Session& session);

// Somebody else's activations are compared with the model that runs, or where that is not theirs with the document's,
// and the view is turned to. Returns why there is none that they could be of; else empty.
std::string run_against(Session& session, std::string path);

// Where what was just opened has weights, these are what runs.
void run_opened_weights(Session& session);
// Another model was chosen, which has none.
void leave_opened_weights(Session& session);

// What Play and Step mean: of the run, or of the computation while that is watched. `by` is 1 or -1.
RunIntent play_intent(const RunPage& page);
RunIntent step_intent(const RunPage& page, int by);

void change_run(RunPage& page, RunPlace& place, const RunIntent& intent);

// Waits until the worker has nothing left to do but what it was told to show slowly, and takes its news: for pictures
// and tests.
void finish_run(Session& session);

}  // namespace headcount
