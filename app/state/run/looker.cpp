// Answers the newest question, step by step: what comes next is wanted soonest, and what each part matters last.
#include "app/state/run/looker.hpp"

#include <new>
#include <utility>

namespace headcount {
namespace {

bool same(const RunQuestion& a, const RunQuestion& b) {
    return same_numbers(*a.of, *b.of) && a.sampling == b.sampling && a.position == b.position && a.tab == b.tab &&
           a.experiment == b.experiment && a.ranks == b.ranks && a.of->playing == b.of->playing;
}

bool answers(const RunNext& next, const RunQuestion& question) {
    return same_numbers(*next.of, *question.of) && next.sampling == question.sampling &&
           next.position == question.position;
}

bool answers(const RunLens& lens, const RunQuestion& question) {
    return lens.of == question.of->values && lens.position == question.position &&
           (lens.asked || question.tab != RunTab::lens);
}

bool answers(const RunTrial& trial, const RunQuestion& question) {
    return trial.of->values == question.of->values && trial.asked == *question.experiment;
}

bool answers(const RunRanked& ranked, const RunQuestion& question) {
    return ranked.of == question.of->values && ranked.position == question.position && (ranked.rank || ranked.wrong);
}

// Whether what is under way for the one is of no use for the other. That there are more tokens does not make it so.
bool gives_way(const RunQuestion& now, const RunQuestion& next) {
    return now.experiment != next.experiment || &now.of->values->model() != &next.of->values->model();
}

Error no_memory() {
    return {"there is not enough memory", "", "take a smaller model"};
}

RunNext find_next(const RunQuestion& question) {
    try {
        return run_next(question.of, question.sampling, question.position);
    } catch (const std::bad_alloc&) {
        return {.of = question.of, .sampling = question.sampling, .position = question.position, .wrong = no_memory()};
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
    {
        const std::lock_guard lock(mutex_);  // else a question that is taken now would not see it
        stop_ = true;
        thread_.request_stop();
    }
    thread_.join();
}

void RunLooker::ask(RunQuestion question) {
    const std::lock_guard lock(mutex_);
    if (asked_ && same(*asked_, question)) return;
    if (busy_ && asked_ && (ranking_ || gives_way(*asked_, question))) stop_ = true;
    asked_ = std::move(question);
    open_ = true;
    changed_.notify_all();
}

void RunLooker::forget() {
    // What they hold is given back without the lock.
    std::optional<RunQuestion> asked;
    std::shared_ptr<const RunNext> next;
    std::shared_ptr<const RunLens> lens;
    std::shared_ptr<const RunTrial> trial;
    std::shared_ptr<const RunRanked> ranked;
    const std::lock_guard lock(mutex_);
    asked.swap(asked_);
    next.swap(next_);
    lens.swap(lens_);
    trial.swap(trial_);
    ranked.swap(ranked_);
    open_ = asked.has_value();  // the thread lets go of what is its own
    stop_ = true;
    ++age_;
    changed_.notify_all();
}

std::shared_ptr<const RunNext> RunLooker::next() const {
    const std::lock_guard lock(mutex_);
    return next_;
}

std::shared_ptr<const RunLens> RunLooker::lens() const {
    const std::lock_guard lock(mutex_);
    return lens_;
}

std::shared_ptr<const RunTrial> RunLooker::trial() const {
    const std::lock_guard lock(mutex_);
    return trial_;
}

std::shared_ptr<const RunRanked> RunLooker::ranked() const {
    const std::lock_guard lock(mutex_);
    return ranked_;
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
        stop_ = false;
        lock.unlock();
        if (!question || !question->experiment) forget_trials();
        if (question) answer(*question, age);
        question.reset();
        lock.lock();
        busy_ = ranking_ = false;
    }
    calm_.notify_all();
}

void RunLooker::answer(const RunQuestion& question, unsigned age) {
    if (const auto before = next(); !before || !answers(*before, question))
        hand_over(&RunLooker::next_, find_next(question), age);
    if (question.experiment) experiment(question, age);
    if (question.tab != RunTab::heads)
        if (const auto before = lens(); !before || !answers(*before, question))
            hand_over(&RunLooker::lens_, find_lens(question), age);
    if (question.ranks && question.experiment && !question.of->playing) rank(question, age);
}

// What an experiment was made of takes as much memory as the run itself.
void RunLooker::forget_trials() {
    if (trials_) trials_->forget();
    std::shared_ptr<const RunTrial> trial;
    std::shared_ptr<const RunRanked> ranked;
    const std::lock_guard lock(mutex_);
    trial.swap(trial_);
    ranked.swap(ranked_);
}

void RunLooker::experiment(const RunQuestion& question, unsigned age) {
    if (const auto before = trial(); before && answers(*before, question)) return;
    if (!trials_) trials_.emplace();
    try {
        if (std::optional<RunTrial> found = trials_->find(question.of, *question.experiment, stop_))
            hand_over(&RunLooker::trial_, *std::move(found), age);
    } catch (const std::bad_alloc&) {
        trials_->forget();
        hand_over(&RunLooker::trial_,
                  RunTrial{.of = question.of,
                           .asked = *question.experiment,
                           .changed = question.of,
                           .effects = std::vector<RunEffect>(question.experiment->changes.size()),
                           .wrong = no_memory()},
                  age);
    }
}

void RunLooker::rank(const RunQuestion& question, unsigned age) {
    if (const auto before = ranked(); before && answers(*before, question)) return;
    {
        const std::lock_guard lock(mutex_);
        if (open_) return;
        ranking_ = true;
    }
    if (!trials_) trials_.emplace();
    const auto told = [&](double share) {
        hand_over(&RunLooker::ranked_,
                  RunRanked{.of = question.of->values, .position = question.position, .progress = share}, age);
    };
    try {
        if (std::optional<RunRanked> found = trials_->rank(question.of, question.position, {told, &stop_}))
            hand_over(&RunLooker::ranked_, *std::move(found), age);
    } catch (const std::bad_alloc&) {
        hand_over(&RunLooker::ranked_,
                  RunRanked{.of = question.of->values, .position = question.position, .wrong = no_memory()}, age);
    }
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
