// The thread that finds what the frame shows of a run's numbers beyond the numbers: what may come next, and what each
// layer would have said. Whoever asks never waits for it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "app/state/run/next.hpp"

namespace headcount {

struct RunQuestion {
    std::shared_ptr<const RunSnapshot> of;  // with values
    RunSampling sampling;
    std::int64_t position = 0;  // in it
    RunTab tab = RunTab::heads;
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

    std::shared_ptr<const RunNext> next() const;  // null before the first
    std::shared_ptr<const RunLens> lens() const;  // null where no tab shows it

    void wait_until_calm() const;  // until the last question is answered

    // Whether what may come next is another than this; waits for it while that is being found, but no longer than until
    // then. What the layers would have said is not waited for.
    bool wait_for_another(const std::shared_ptr<const RunNext>& than,
                          std::chrono::steady_clock::time_point until) const;

  private:
    void serve(const std::stop_token& stop);
    void answer(const RunQuestion& question, unsigned age);
    template <class Found>
    void hand_over(std::shared_ptr<const Found> RunLooker::*place, Found found, unsigned age);

    std::function<void()> wake_;
    mutable std::mutex mutex_;
    mutable std::condition_variable_any changed_, calm_;
    std::optional<RunQuestion> asked_;  // last
    bool open_ = false, busy_ = false;  // it is not looked at yet; one is
    unsigned age_ = 0;                  // how often all was forgotten
    std::shared_ptr<const RunNext> next_;
    std::shared_ptr<const RunLens> lens_;
    std::jthread thread_;  // last: it uses all of the above
};

}  // namespace headcount
