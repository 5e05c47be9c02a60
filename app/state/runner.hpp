// The thread that runs a model: loads it, reads the prompt, makes tokens, and hands over what came out. Whoever asks
// never waits for it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/state/run_snapshot.hpp"

namespace headcount {

// What is to run.
struct RunOrder {
    std::shared_ptr<const RunModel> model;  // null, or one that is wrong: nothing
    std::string prompt, ids;                // which of the two counts, the tokenizer decides
    RunSampling sampling;                   // of the next tokens
    RunSpeed speed = RunSpeed::one;

    bool operator==(const RunOrder&) const = default;
};

class Runner {
  public:
    // `wake` is called from the thread whenever there is news; it may be empty.
    explicit Runner(std::function<void()> wake);
    ~Runner();  // stops what is under way
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    // A light model is loaded, and its prompt read, at once; another one when it is asked to play or to step. What is
    // under way ends where it is no longer wanted.
    void order(RunOrder order);
    void play(bool playing);
    void step();     // shows one layer more, or makes the next token
    void restart();  // back to the prompt
    void free();     // ends everything and gives the memory back

    std::shared_ptr<const RunSnapshot> latest() const;  // null before the first
    bool playing() const;

    // Until nothing is under way. A run that plays is never over before its context is.
    void wait_until_calm() const;

  private:
    using Clock = std::chrono::steady_clock;
    enum class Job { none, free, load, read, layer, token };
    struct Doing;  // what only the thread touches

    void work(const std::stop_token& stop);

    // Under the lock.
    Job next_job() const;
    bool wants_to_begin() const;
    bool may_go_on() const;
    bool other_prompt() const;
    void begin();
    void refresh();

    // By the thread, without it.
    void do_job(Job job, const RunOrder& order);
    void load(const RunOrder& order);
    void read(const RunOrder& order);
    void make_token(const RunOrder& order);
    void take_values(const RunOrder& order);
    Result<std::vector<std::int32_t>> tokens_of(const RunOrder& order) const;
    RunToken token_of(std::int32_t id, bool generated) const;
    void fail(Error error);
    void publish();
    void publish_progress(double share);
    Watch watch();

    std::function<void()> wake_;
    mutable std::mutex mutex_;
    mutable std::condition_variable_any changed_, calm_;
    RunOrder order_;
    bool playing_ = false, begun_ = false, free_ = false;
    unsigned steps_ = 0;     // that were asked for and not made yet
    unsigned restarts_ = 0;  // since the start
    bool busy_ = false;
    Clock::time_point due_{};  // of the next step of a run that plays
    std::shared_ptr<const RunSnapshot> latest_;
    std::atomic<bool> stop_{false};
    std::unique_ptr<Doing> doing_;
    std::jthread thread_;  // last: it uses all of the above
};

}  // namespace headcount
