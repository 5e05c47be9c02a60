// The threads of a pool: each waits a moment awake for the next operation, then asleep.
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <new>
#include <system_error>

namespace headcount {
namespace {

// Operations of a small model follow each other within microseconds; to sleep and wake would take longer than they do.
// Some tens of microseconds: a rest takes as long as fifty looks where a processor has one.
#if defined(__x86_64__) || defined(__i386__)
constexpr int looks_awake = 1000;
inline void rest() { __builtin_ia32_pause(); }
#else
constexpr int looks_awake = 50'000;
inline void rest() {}
#endif

}  // namespace

int usual_threads() {
    constexpr int most = 8;
    return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, most);
}

Pool::Pool(int threads, const Start& start) {
    helpers_.reserve(static_cast<std::size_t>(threads - 1));
    try {
        for (int thread = 1; thread < threads; ++thread) helpers_.push_back(start([this, thread] { help(thread); }));
    } catch (const std::system_error&) {  // no more threads, or
    } catch (const std::bad_alloc&) {     // no memory for one: those that are there are enough
    }
}

Pool::~Pool() {
    ends_ = true;
    ++round_;
    round_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
}

// Takes one part that nobody has taken, and does it; false where there is none.
bool Pool::take_part(int thread) {
    constexpr std::uint64_t parts = 0xffffffff;
    std::uint64_t left = left_.load(std::memory_order_acquire);
    do {
        if ((left & parts) == 0) return false;
    } while (!left_.compare_exchange_weak(left, left - 1, std::memory_order_acq_rel));
    call_(work_, static_cast<std::int64_t>(left & parts) - 1, thread);
    done_.fetch_add(1, std::memory_order_release);
    return true;
}

void Pool::share(std::int64_t parts, Call call, const void* work) {
    call_ = call;
    work_ = work;
    done_.store(0, std::memory_order_relaxed);
    const std::uint64_t round = round_.load(std::memory_order_relaxed) + std::uint64_t{1};
    left_.store(round << 32 | static_cast<std::uint64_t>(parts), std::memory_order_release);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    while (take_part(0)) {
    }
    for (int look = 0; done_.load(std::memory_order_acquire) != parts; ++look) {
        rest();
        if (look > looks_awake) std::this_thread::yield();  // there are fewer cores than threads
    }
}

void Pool::help(int thread) {
    std::uint32_t seen = 0;
    for (;;) {
        for (int look = 0; round_.load(std::memory_order_acquire) == seen; ++look) {
            rest();
            if (look > looks_awake) round_.wait(seen);
        }
        seen = round_.load(std::memory_order_acquire);
        if (ends_) return;
        while (take_part(thread)) {
        }
    }
}

}  // namespace headcount
