// Experiments on a run: what its changes make of the same tokens, what each does alone, how the texts go on, and what
// every part of the model matters.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/state/run/snapshot.hpp"
#include "app/state/run/work.hpp"
#include "core/runtime/part_ranking.hpp"

namespace headcount {

struct RunExperiment : Experiments {
    RunSampling sampling;       // of how the texts go on
    std::int64_t position = 0;  // of the token behind which the scores are compared

    bool operator==(const RunExperiment&) const = default;
};

// What a change does by itself to the log probability of the token that is likeliest without it.
struct RunEffect {
    std::optional<double> alone;  // natural, with less without; nothing where the model has no scores
    std::optional<Error> wrong;   // why this run cannot be changed so
};

// A token of the vocabulary in both runs.
struct TwinShare {
    std::int32_t id = 0;
    double before = 0, after = 0;  // softmax of the logits
};

struct RunTrial {
    std::shared_ptr<const RunSnapshot> of;  // as it is, all of its layers shown
    RunExperiment asked;
    // Of the same tokens, or of the other prompt's and as many behind it; `of` itself where nothing is changed. Not
    // null.
    std::shared_ptr<const RunSnapshot> changed;
    std::vector<RunEffect> effects;    // by change
    std::optional<Error> wrong;        // why what is on could not be run: `changed` is `of` then
    std::optional<Error> other_wrong;  // of the other prompt
    std::int64_t other_tokens = 0;     // that it has; 0 where none is needed

    std::vector<TwinShare> twins;       // the whole vocabulary, by the larger share; empty: no scores
    std::int64_t changed_position = 0;  // of the token in `changed`: as far from its end
    std::int32_t token = 0;             // the likeliest as it is
    double before = 0, after = 0;       // its log probability
    std::optional<std::int32_t> pick;   // what the changed run draws behind its last token, where that is looked at
    double divergence = 0;              // Kullback-Leibler, of the changed run from the one as it is, in nats
    // How far the stream has moved as a share of its length, by layer (0: as embedded) and token. Empty where it is
    // not kept, or the changed run has other tokens.
    std::vector<std::vector<double>> moved, source_moved;
    std::string text, changed_text;  // how each goes on behind the prompt; empty without a tokenizer
};

// What each part matters for what follows the position, as the run is.
struct RunRanked {
    std::shared_ptr<const RunValues> of;
    std::int64_t position = 0;
    double progress = 0;
    std::optional<Rank> rank;    // once it is there
    std::optional<Error> wrong;  // why there is none
    double seconds = 0;          // that it took
    std::int64_t runs = 0;       // that it took
};

// So many tokens the texts go on by at least, where the model is light: others as far as the run has come.
inline constexpr std::int64_t least_continuation = 8;

// Not for two threads at once: keeps the runs that the next question may go on with.
class RunTrials {
  public:
    // Nothing where it was stopped.
    std::optional<RunTrial> find(const std::shared_ptr<const RunSnapshot>& of, const RunExperiment& asked,
                                 const std::atomic<bool>& stop);
    // The same.
    std::optional<RunRanked> rank(const std::shared_ptr<const RunSnapshot>& of, std::int64_t position,
                                  const Watch& watch);
    void forget();  // gives all memory back

  private:
    // A run with some changes, and the tokens that it has read.
    struct Line {
        std::shared_ptr<Run> run;
        std::vector<RunChange> changes;
        RunSampling sampling;
        bool over = false;
    };

    void turn_to(const std::shared_ptr<const RunSnapshot>& of, const std::atomic<bool>* stop);
    Result<std::shared_ptr<Run>> start(Keep keep, const std::vector<RunChange>& changes = {}) const;
    std::optional<Error> read_other(const std::string& text);
    std::optional<Error> read_as_it_is(const std::vector<RunChange>& changes);
    std::shared_ptr<const RunSnapshot> other_snapshot(const std::shared_ptr<Run>& run) const;
    bool is_of_weight(const Change& change) const;
    Result<std::vector<NodeChange>> resolved(const std::vector<RunChange>& changes) const;
    std::optional<Error> read(Run& run, std::span<const std::int32_t> ids) const;
    std::optional<Error> bring(Line& line, const std::vector<RunChange>& changes, std::span<const std::int32_t> ids);
    std::optional<Error> find_effects(RunTrial& trial);
    std::optional<Error> find_changed(RunTrial& trial, const std::vector<RunChange>& on);
    std::int64_t continuation() const;
    std::optional<Error> go_on(Line& line, const std::vector<RunChange>& on, const RunTrial& trial,
                               std::span<const std::int32_t> prompt);
    std::optional<Error> find_texts(RunTrial& trial, const std::vector<RunChange>& on);

    RunBin bin_;  // first: it outlives what is collected in it
    // Of what is asked now.
    std::shared_ptr<const RunSnapshot> of_;
    std::vector<std::int32_t> ids_;  // all tokens
    const std::atomic<bool>* stop_ = nullptr;

    std::shared_ptr<const Model> model_;
    std::vector<std::int32_t> prompt_, source_;
    Line same_, own_, plain_;  // of the same tokens, changed; as the changed one goes on; as the run itself does
    std::shared_ptr<Run> alone_, other_, as_it_is_;  // the last: where a mean is asked for, of the prompt
    std::string other_text_;
    std::int64_t other_tokens_ = 0;
    struct Known {
        Change change;
        RunEffect effect;
    };
    std::vector<Known> known_;  // effects behind `known_ids_`
    std::vector<std::int32_t> known_ids_;
    std::int64_t known_position_ = -1;
};

}  // namespace headcount
