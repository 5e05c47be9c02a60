// The thread that finds what the frame shows of a run's numbers beyond the numbers: what may come next, what each layer
// would have said, and what comes of experiments. Whoever asks never waits for it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "app/state/run/diagnosis.hpp"
#include "app/state/run/found.hpp"
#include "app/state/run/next.hpp"
#include "app/state/run/tree.hpp"
#include "app/state/run/trial.hpp"
#include "app/state/run/vocabulary.hpp"

namespace headcount {

struct RunQuestion {
    std::shared_ptr<const RunSnapshot> of;  // with values
    RunSampling sampling;
    std::int64_t position = 0;  // in it
    RunTab tab = RunTab::heads;
    std::optional<RunExperiment> experiment = {};
    bool ranks = false;  // what each part matters is wanted, too; with an experiment
    std::optional<RunShows> shows = {};
    std::optional<std::int32_t> word = {};  // whose nearest are wanted; with the map
    std::string text = {};                  // that the tokenizer is to take apart; with the tokens
    BranchRules tree = {};                  // with the tree
    TheirFile theirs = {};                  // that it is compared with
};

class RunLooker {
  public:
    // `wake` is called from the thread whenever there is an answer; it may be empty.
    explicit RunLooker(std::function<void()> wake);
    ~RunLooker();
    RunLooker(const RunLooker&) = delete;
    RunLooker& operator=(const RunLooker&) = delete;

    // Takes the place of what was asked before, where it is another question: nothing is found anew for the same
    // numbers.
    void ask(RunQuestion question);
    void forget();  // lets go of all numbers

    RunFound found() const;  // what is there of it, all of one moment; null is what was not asked for

    void wait_until_calm() const;  // until the last question is answered

    // Whether what may come next is another than this; waits for it while that is being found, but no longer than until
    // then. What the layers would have said is not waited for.
    bool wait_for_another(const std::shared_ptr<const RunNext>& than,
                          std::chrono::steady_clock::time_point until) const;

  private:
    void serve(const std::stop_token& stop);
    void answer(const RunQuestion& question, unsigned age);
    void forget_trials();
    void forget_diagnosis(const TheirFile& asked);
    void experiment(const RunQuestion& question, unsigned age);
    void rank(const RunQuestion& question, unsigned age);
    void diagnose(const RunQuestion& question, unsigned age);
    void look_at_words(const RunQuestion& question, unsigned age);
    void grow_tree(const RunQuestion& question, unsigned age);
    void draw_map(const RunQuestion& question, const RunTrained& trained, unsigned age);
    bool begin_long();  // what gives way to any question; false where one waits
    template <class Found>
    void hand_over(std::shared_ptr<const Found> RunFound::*place, Found found, unsigned age);

    std::function<void()> wake_;
    mutable std::mutex mutex_;
    mutable std::condition_variable_any changed_, calm_;
    std::optional<RunQuestion> asked_;  // last
    bool open_ = false, busy_ = false;  // it is not looked at yet; one is
    unsigned age_ = 0;                  // how often all was forgotten
    RunFound found_;
    bool long_ = false;              // what is under way gives way to any question
    std::atomic<bool> stop_{false};  // what is under way
    // The thread's alone.
    std::optional<RunTrials> trials_;
    struct Mapping {
        std::shared_ptr<const Model> of;
        PrincipalAxes axes;
    };
    std::optional<Mapping> mapping_;  // a map that is not done: it is gone on with
    std::optional<RunTrees> trees_;
    std::jthread thread_;  // last: it uses all of the above
};

}  // namespace headcount
