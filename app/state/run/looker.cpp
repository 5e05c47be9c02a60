// Answers the newest question, in two steps: what comes next is wanted sooner than what each layer would have said.
#include "app/state/run/looker.hpp"

#include <new>
#include <utility>

namespace headcount {
namespace {

bool same(const RunQuestion& a, const RunQuestion& b) {
    return same_numbers(*a.of, *b.of) && a.sampling == b.sampling && a.position == b.position && a.tab == b.tab;
}

bool answers(const RunNext& next, const RunQuestion& question) {
    return same_numbers(*next.of, *question.of) && next.sampling == question.sampling &&
           next.position == question.position;
}

bool answers(const RunLens& lens, const RunQuestion& question) {
    return lens.of == question.of->values && lens.position == question.position &&
           (lens.asked || question.tab != RunTab::lens);
}

RunNext find_next(const RunQuestion& question) {
    try {
        return run_next(question.of, question.sampling, question.position);
    } catch (const std::bad_alloc&) {
        return {.of = question.of,
                .sampling = question.sampling,
                .position = question.position,
                .wrong = Error{"there is not enough memory", "", "take a smaller model"}};
    }
}

RunLens find_lens(const RunQuestion& question) {
    try {
        return run_lens(*question.of, question.position, question.tab == RunTab::lens);
    } catch (const std::bad_alloc&) {
        return {.of = question.of->values, .position = question.position, .asked = true};
    }
}

}  // namespace

RunLooker::RunLooker(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this](const std::stop_token& stop) { serve(stop); }) {}

RunLooker::~RunLooker() {
    thread_.request_stop();
    thread_.join();
}

void RunLooker::ask(RunQuestion question) {
    const std::lock_guard lock(mutex_);
    if (asked_ && same(*asked_, question)) return;
    asked_ = std::move(question);
    open_ = true;
    changed_.notify_all();
}

void RunLooker::forget() {
    // What they hold is given back without the lock.
    std::optional<RunQuestion> asked;
    std::shared_ptr<const RunNext> next;
    std::shared_ptr<const RunLens> lens;
    const std::lock_guard lock(mutex_);
    asked.swap(asked_);
    next.swap(next_);
    lens.swap(lens_);
    open_ = false;
    ++age_;
}

std::shared_ptr<const RunNext> RunLooker::next() const {
    const std::lock_guard lock(mutex_);
    return next_;
}

std::shared_ptr<const RunLens> RunLooker::lens() const {
    const std::lock_guard lock(mutex_);
    return lens_;
}

void RunLooker::wait_until_calm() const {
    std::unique_lock lock(mutex_);
    calm_.wait(lock, [&] { return !busy_ && !open_; });
}

bool RunLooker::wait_for_another(const std::shared_ptr<const RunNext>& than,
                                 std::chrono::steady_clock::time_point until) const {
    std::unique_lock lock(mutex_);
    const auto comes = [&] { return (busy_ || open_) && asked_ && !(next_ && answers(*next_, *asked_)); };
    calm_.wait_until(lock, until, [&] { return next_ != than || !comes(); });
    return next_ && next_ != than;
}

void RunLooker::serve(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        if (!open_) {
            calm_.notify_all();
            changed_.wait(lock, stop, [&] { return open_; });
            continue;
        }
        busy_ = std::exchange(open_, false);
        std::optional<RunQuestion> question = asked_;
        const unsigned age = age_;
        lock.unlock();
        answer(*question, age);
        question.reset();
        lock.lock();
        busy_ = false;
    }
    calm_.notify_all();
}

void RunLooker::answer(const RunQuestion& question, unsigned age) {
    if (const auto before = next(); !before || !answers(*before, question))
        hand_over(&RunLooker::next_, find_next(question), age);
    if (question.tab == RunTab::heads) return;
    if (const auto before = lens(); !before || !answers(*before, question))
        hand_over(&RunLooker::lens_, find_lens(question), age);
}

// But not where all was forgotten meanwhile.
template <class Found>
void RunLooker::hand_over(std::shared_ptr<const Found> RunLooker::*place, Found found, unsigned age) {
    auto made = std::make_shared<const Found>(std::move(found));
    {
        const std::lock_guard lock(mutex_);
        if (age == age_) (this->*place).swap(made);
    }
    calm_.notify_all();
    if (wake_) wake_();
}

}  // namespace headcount
