// Gives memory back on a thread of its own: tens of gigabytes take seconds, and whoever lets go of a model last may be
// the frame.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace headcount {

class RunBin {
  public:
    RunBin();
    ~RunBin();  // gives back what is left
    RunBin(const RunBin&) = delete;
    RunBin& operator=(const RunBin&) = delete;

    bool idle() const;  // all that was let go of is given back

    // The same thing, but destroyed by the thread, wherever its last owner lets go of it; or there, when the bin is no
    // more.
    template <class T>
    std::shared_ptr<T> collected(std::shared_ptr<T> thing) const {
        T* const raw = thing.get();
        return {raw, [owned = std::move(thing), pile = pile_](T*) mutable { put(*pile, std::move(owned)); }};
    }

  private:
    struct Pile {
        mutable std::mutex mutex;
        std::condition_variable_any filled;
        std::vector<std::shared_ptr<const void>> things;
        bool open = true, busy = false;
    };
    static void put(Pile& pile, std::shared_ptr<const void> thing);
    static void empty(const std::stop_token& stop, Pile& pile);

    std::shared_ptr<Pile> pile_;  // with everything that was handed out
    std::jthread thread_;
};

}  // namespace headcount
