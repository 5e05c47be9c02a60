// A few threads that share out the parts of one operation and sleep in between; and how whoever waits for long work
// sees it go on, and ends it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/result.hpp"

namespace headcount {

// As many threads as this machine runs at once, up to 8: more of them wait for each other.
int usual_threads();

// The thread that calls is one of them. Work is called with (part, thread), each part once, in no order. A helper that
// the system does not let run holds nobody up: what it has not taken, another takes.
class Pool {
  public:
    using Start = std::function<std::thread(std::function<void()> work)>;

    // At least 1, itself included. Where the system refuses one, it is fewer.
    explicit Pool(
        int threads, const Start& start = [](std::function<void()> work) { return std::thread(std::move(work)); });
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    ~Pool();

    int threads() const { return static_cast<int>(helpers_.size()) + 1; }

    template <class Work>
    void run(std::int64_t parts, const Work& work) {
        if (parts <= 1 || helpers_.empty()) {
            for (std::int64_t part = 0; part < parts; ++part) work(part, 0);
            return;
        }
        share(
            parts,
            [](const void* given, std::int64_t part, int thread) { (*static_cast<const Work*>(given))(part, thread); },
            &work);
    }

    // Pieces of a range of `size`, each a multiple of `step` but for the last: work(begin, end).
    template <class Work>
    void split(std::int64_t size, std::int64_t step, const Work& work) {
        const std::int64_t steps = (size + step - 1) / step, parts = steps < threads() ? steps : threads();
        run(parts, [&](std::int64_t part, int) {
            const std::int64_t begin = steps * part / parts * step, end = steps * (part + 1) / parts * step;
            work(begin, end < size ? end : size);
        });
    }

  private:
    using Call = void (*)(const void* work, std::int64_t part, int thread);

    void share(std::int64_t parts, Call call, const void* work);
    void help(int thread);
    bool take_part(int thread);

    std::vector<std::thread> helpers_;
    // Of the operation under way. Who has taken a part may read them: the operation does not end without it.
    Call call_ = nullptr;
    const void* work_ = nullptr;
    // Each on a cache line of its own: threads look at them all the time.
    alignas(64) std::atomic<std::uint64_t> left_{0};   // parts that nobody has taken, below which operation it is
    alignas(64) std::atomic<std::uint32_t> round_{0};  // counts the operations; the helpers wait for the next
    alignas(64) std::atomic<std::int64_t> done_{0};    // parts of this operation
    std::atomic<bool> ends_{false};
};

// How whoever waits for long work sees it go on, and ends it.
struct Watch {
    std::function<void(double)> progress = {};  // the share that is done, 0 to 1; from the thread that works
    const std::atomic<bool>* stop = nullptr;    // true: the work ends early, with the error `stopped()`

    void at(double share) const {
        if (progress) progress(share);
    }
    bool stopped() const { return stop && stop->load(std::memory_order_relaxed); }
};

// What work that was ended from outside returns.
inline Error stopped_error() { return {"stopped", "", ""}; }

}  // namespace headcount
