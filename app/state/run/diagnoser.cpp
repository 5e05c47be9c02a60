// Reads what the other program has written, and hands over how far it is, then what was found.
#include "app/state/run/diagnoser.hpp"

#include <new>
#include <utility>

namespace headcount {

Diagnoser::Diagnoser(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this](const std::stop_token& stop) { serve(stop); }) {}

Diagnoser::~Diagnoser() {
    {
        const std::lock_guard lock(mutex_);  // else an order that is taken now would not see it
        stop_ = true;
        thread_.request_stop();
    }
    thread_.join();
}

void Diagnoser::ask(DiagnosisOrder order) {
    const std::lock_guard lock(mutex_);
    if (asked_ == order) return;
    found_ = std::make_shared<const RunDiagnosis>(RunDiagnosis{.of = order.model, .path = order.path});
    asked_ = std::move(order);
    open_ = stop_ = true;
    ++age_;
    changed_.notify_all();
}

void Diagnoser::forget() {
    std::optional<DiagnosisOrder> asked;  // what it holds is given back without the lock
    const std::lock_guard lock(mutex_);
    asked.swap(asked_);
    found_ = nullptr;
    open_ = false;
    stop_ = true;
    ++age_;
}

std::shared_ptr<const RunDiagnosis> Diagnoser::found() const {
    const std::lock_guard lock(mutex_);
    return found_;
}

void Diagnoser::wait_until_calm() const {
    std::unique_lock lock(mutex_);
    calm_.wait(lock, [&] { return !busy_ && !open_; });
}

void Diagnoser::serve(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        if (!open_) {
            calm_.notify_all();
            changed_.wait(lock, stop, [&] { return open_; });
            continue;
        }
        busy_ = std::exchange(open_, false);
        std::optional<DiagnosisOrder> order = asked_;
        const unsigned age = age_;
        stop_ = false;
        lock.unlock();
        if (order) work(*order, age);
        order.reset();
        lock.lock();
        busy_ = false;
    }
    calm_.notify_all();
}

void Diagnoser::work(const DiagnosisOrder& order, unsigned age) {
    RunDiagnosis now{.of = order.model, .path = order.path};
    const auto fail = [&](Error error) {
        now.wrong = std::move(error);
        hand_over(now, age);
    };
    try {
        const Result<std::vector<TheirTensor>> theirs = read_theirs(order.path);
        if (!theirs) return fail(theirs.error());
        Result<std::optional<std::vector<std::int32_t>>> ids = read_their_ids(order.path);
        if (!ids) return fail(ids.error());
        now.own_ids = ids->has_value();
        now.ids = ids->value_or(order.ids);
        const DiagnoseOptions options{.threads = order.threads,
                                      .watch = {[&](double share) {
                                                    now.progress = share;
                                                    hand_over(now, age);
                                                },
                                                &stop_}};
        Result<Diagnosis> found = diagnose(order.model, now.ids, *theirs, options);
        if (stop_) return;
        if (!found) return fail(found.error());
        now.found = *std::move(found);
        now.progress = 1;
        hand_over(now, age);
    } catch (const std::bad_alloc&) {
        fail({"there is not enough memory", "", "write fewer activations, of fewer tokens"});
    }
}

// But not where something else was asked for meanwhile.
void Diagnoser::hand_over(RunDiagnosis diagnosis, unsigned age) {
    auto made = std::make_shared<const RunDiagnosis>(std::move(diagnosis));
    {
        const std::lock_guard lock(mutex_);
        if (age != age_) return;
        found_ = std::move(made);
    }
    calm_.notify_all();
    if (wake_) wake_();
}

}  // namespace headcount
