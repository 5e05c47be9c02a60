// The thread that trains a model and hands over what came of it. Whoever asks never waits for it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "app/state/train/work.hpp"

namespace headcount {

class TrainRunner {
  public:
    // `wake` is called from the thread whenever there is news; it may be empty.
    explicit TrainRunner(std::function<void()> wake);
    TrainRunner(const TrainRunner&) = delete;
    TrainRunner& operator=(const TrainRunner&) = delete;

    // What learns: anew where it is another, but for the learning rate, which is taken from the next step on. A light
    // one gets its first weights at once, another when it is asked to play or to step.
    void order(TrainOrder order, bool light);
    void look(const TrainLook& look);
    void pace(TrainSpeed speed);
    void play(bool playing, std::optional<std::int64_t> until = {});  // or till so many steps are made
    void rest();  // pauses, and says so until something is asked for
    void step();
    void restart();
    void save(TrainFiles files);  // the weights that are looked at; where it has not begun, nothing

    std::shared_ptr<const TrainSnapshot> latest() const;  // null before the first
    void wait_until_calm() const;                         // until nothing is under way, but for what plays

  private:
    using Clock = std::chrono::steady_clock;
    enum class Job { none, begin, save, step, look };

    void serve(const std::stop_token& stop);
    Job next_job() const;  // by the thread, and under the lock, as all below
    void ask();            // says that something was asked for
    bool anew() const;     // another model or task, or the same from the beginning
    bool plays() const;    // by the thread: it is to, and has not come as far as it is to
    void stop_where_ended();
    void publish(std::unique_lock<std::mutex>& lock);

    std::function<void()> wake_;
    mutable std::mutex mutex_;
    mutable std::condition_variable_any changed_, calm_;
    TrainOrder order_;
    TrainLook look_, looked_;
    TrainSpeed speed_ = TrainSpeed::most;
    bool ordered_ = false, light_ = false, wanted_ = false, playing_ = false, rested_ = false;
    bool said_playing_ = false, said_rested_ = false;
    std::optional<std::int64_t> until_;
    unsigned steps_ = 0, restarts_ = 0, restarts_done_ = 0;
    std::uint64_t asked_ = 0, calm_at_ = 0;  // how often was asked, and what of it has been done
    std::optional<TrainFiles> files_;        // to be saved
    unsigned saves_ = 0;
    Clock::time_point due_{}, published_{};
    bool stale_ = false;  // steps were made since the last news
    std::shared_ptr<const TrainSnapshot> latest_;
    TrainWork work_;
    std::jthread thread_;  // last: it uses all of the above
};

}  // namespace headcount
