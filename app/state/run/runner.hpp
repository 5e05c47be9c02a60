// The thread that runs a model: loads it, reads the prompt, makes tokens, and hands over what came out. Whoever asks
// never waits for it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "app/state/run/work.hpp"

namespace headcount {

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
    void rest();  // pauses, and says so until something is asked for
    void step();  // the next token as embedded, then one layer more, then what follows it
    // The other way: one layer less, and of what is but embedded the token before; down to the prompt.
    void step_back();
    void restart();  // back to the prompt
    void free();     // ends everything and gives the memory back

    std::shared_ptr<const RunSnapshot> latest() const;  // null before the first
    bool playing() const;

    // Until nothing is under way. A run that plays is never over before its context is.
    void wait_until_calm() const;

    // Whether the latest has other numbers than these; waits for them while something is under way, or due, but no
    // longer than until then.
    bool wait_for_other_numbers(const RunSnapshot& than, std::chrono::steady_clock::time_point until) const;

  private:
    using Clock = std::chrono::steady_clock;
    enum class Job { none, forget, load, read, layer, token, back };

    void serve(const std::stop_token& stop);

    // By the thread, without the lock.
    bool do_job(Job job, const RunOrder& order);
    void give_up(const RunOrder& order);
    void publish();

    // Under the lock.
    Job next_job() const;
    bool paced(Job job) const { return (job == Job::layer || job == Job::token) && steps_ == 0; }
    bool wants_to_begin() const;
    void begin();
    bool busy() const { return job_ != Job::none; }
    void stop_job();  // that is under way; loading a model goes on, whatever is read then
    void end();       // all that was asked for, where nothing follows
    void tell_thread();
    void say_orders();
    bool orders_said() const;
    bool stale() const;
    void put_orders(RunSnapshot& snapshot) const;

    std::function<void()> wake_;
    mutable std::mutex mutex_;
    mutable std::condition_variable_any changed_, calm_;
    RunOrder order_;
    bool playing_ = false, rested_ = false, begun_ = false, free_ = false;
    unsigned steps_ = 0;                         // that were asked for and not made yet
    unsigned backs_ = 0;                         // the same of steps back
    unsigned restarts_ = 0, restarts_done_ = 0;  // since the start
    Job job_ = Job::none;                        // that the thread is at; work_ is nobody else's meanwhile
    Clock::time_point due_{};                    // of the next step of a run that plays
    std::shared_ptr<const RunSnapshot> latest_;
    std::atomic<bool> stop_{false};
    RunWork work_;
    std::jthread thread_;  // last: it uses all of the above
};

}  // namespace headcount
