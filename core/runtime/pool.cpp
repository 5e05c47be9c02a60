// The threads of a pool: each waits a moment awake for the next operation, then asleep.
#include "core/runtime/pool.hpp"

namespace headcount {
namespace {

// Operations of a small model follow each other within microseconds; to sleep and wake would take longer than they do.
constexpr int looks_awake = 4000;

inline void rest() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

}  // namespace

Pool::Pool(int threads) {
    for (int thread = 1; thread < threads; ++thread) helpers_.emplace_back([this, thread] { help(thread); });
}

Pool::~Pool() {
    ends_ = true;
    ++round_;
    round_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
}

void Pool::take_parts(int thread) {
    for (std::int64_t part = next_.fetch_add(1); part < parts_; part = next_.fetch_add(1)) call_(work_, part, thread);
}

void Pool::share(std::int64_t parts, Call call, const void* work) {
    call_ = call;
    work_ = work;
    parts_ = parts;
    next_.store(0, std::memory_order_relaxed);
    busy_.store(static_cast<int>(helpers_.size()), std::memory_order_relaxed);
    round_.fetch_add(1);
    round_.notify_all();
    take_parts(0);
    for (int look = 0; busy_.load(std::memory_order_acquire) != 0; ++look) {
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
        ++seen;
        if (ends_) return;
        take_parts(thread);
        busy_.fetch_sub(1, std::memory_order_release);
    }
}

}  // namespace headcount
