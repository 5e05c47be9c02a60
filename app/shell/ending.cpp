// Waits for signals on a thread of its own, where what it does need not be safe in the middle of anything else.
#include "app/shell/ending.hpp"

#include <csignal>
#include <memory>
#include <optional>
#include <utility>

namespace headcount {
namespace {

constexpr int ends[] = {SIGTERM, SIGHUP, SIGINT};

// The first of those in the set; nothing where it is empty.
std::optional<int> first_of(const sigset_t& held) {
    for (const int end : ends)
        if (sigismember(&held, end) == 1) return end;
    return std::nullopt;
}

// Those that are held on this thread.
sigset_t held_ends() {
    sigset_t held, mask;
    sigemptyset(&held);
    pthread_sigmask(SIG_BLOCK, nullptr, &mask);
    for (const int end : ends)
        if (sigismember(&mask, end)) sigaddset(&held, end);
    return held;
}

}  // namespace

#ifdef __EMSCRIPTEN__
void hold_ends() {}  // nobody sends a page any
#else
void hold_ends() {
    sigset_t held;
    sigemptyset(&held);
    for (const int end : ends) {
        struct sigaction now {};
        if (sigaction(end, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) sigaddset(&held, end);
    }
    pthread_sigmask(SIG_BLOCK, &held, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}
#endif

EndWatch::EndWatch(std::function<void()> wake) : wake_(std::move(wake)) {
    const sigset_t held = held_ends();
    if (first_of(held)) thread_ = std::thread([this] { watch(); });
}

EndWatch::~EndWatch() {
    if (!thread_.joinable()) return;
    over_ = true;
    pthread_kill(thread_.native_handle(), first_of(held_ends()).value_or(SIGTERM));
    thread_.join();
}

void EndWatch::watch() {
    const sigset_t held = held_ends();
    for (int signal = 0; sigwait(&held, &signal) == 0 && !over_;) {
        if (asked_) {  // it does not end: as if nobody had held the signal
            pthread_sigmask(SIG_UNBLOCK, &held, nullptr);
            std::raise(signal);
        }
        asked_ = true;
        wake_();
    }
}

#ifdef __GLIBC__
LastAct::LastAct(std::function<void()> act) : planned_(new Planned{std::this_thread::get_id(), std::move(act)}) {
    const auto ending = [](int, void* planned) {
        const std::unique_ptr<Planned> last(static_cast<Planned*>(planned));
        if (last->act && last->thread == std::this_thread::get_id()) last->act();
    };
    if (on_exit(ending, planned_) != 0) delete std::exchange(planned_, nullptr);
}

LastAct::~LastAct() {
    if (planned_) planned_->act = nullptr;
}
#else
LastAct::LastAct(std::function<void()>) : planned_(nullptr) {}

LastAct::~LastAct() = default;
#endif

}  // namespace headcount
