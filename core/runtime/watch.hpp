// How whoever waits for long work sees it go on, and ends it.
#pragma once

#include <atomic>
#include <functional>

#include "core/base/result.hpp"

namespace headcount {

struct Watch {
    std::function<void(double)> progress = {};  // the share that is done, 0 to 1; from the thread that works
    const std::atomic<bool>* stop = nullptr;    // true: the work ends early, with the error `stopped()`

    void at(double share) const {
        if (progress) progress(share);
    }
    bool stopped() const { return stop && stop->load(std::memory_order_relaxed); }
};

// What work that was ended from outside returns.
inline Error stopped_error() {
    return {"stopped", "", ""};
}

}  // namespace headcount
