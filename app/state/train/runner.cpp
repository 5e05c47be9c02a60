// Waits for something to do, does it without the lock, and hands over what came of it.
#include "app/state/train/runner.hpp"

#include <array>
#include <new>
#include <utility>

namespace headcount {
namespace {

using namespace std::chrono_literals;

// While it plays, news comes no more often: to look costs about as much as a few steps.
constexpr auto between_looks = 200ms;

std::chrono::milliseconds pace_of(TrainSpeed speed) {
    constexpr std::array<std::chrono::milliseconds, train_speed_keys.size()> paces{1000ms, 100ms, 0ms};
    return paces[static_cast<std::size_t>(speed)];
}

}  // namespace

TrainRunner::TrainRunner(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this](const std::stop_token& stop) { serve(stop); }) {}

// Under the lock, as all that asks is.
void TrainRunner::ask() {
    ++asked_;
    changed_.notify_all();
}

void TrainRunner::order(TrainOrder order, bool light) {
    const std::lock_guard lock(mutex_);
    if (ordered_ && order == order_) return;
    if (!ordered_ || !order.goes_on_as(order_)) {
        wanted_ = playing_ = rested_ = false;
        steps_ = 0;
        files_.reset();
        ++restarts_;
    }
    ordered_ = true;
    light_ = light;
    order_ = std::move(order);
    ask();
}

void TrainRunner::look(const TrainLook& look) {
    const std::lock_guard lock(mutex_);
    if (look_ == look) return;
    look_ = look;
    ask();
}

void TrainRunner::pace(TrainSpeed speed) {
    const std::lock_guard lock(mutex_);
    if (std::exchange(speed_, speed) == speed) return;
    due_ = {};
    ask();
}

void TrainRunner::play(bool playing, std::optional<std::int64_t> until) {
    const std::lock_guard lock(mutex_);
    if (playing_ == playing && until_ == until && !rested_ && steps_ == 0) return;
    playing_ = playing;
    until_ = until;
    rested_ = false;
    wanted_ |= playing;
    steps_ = 0;
    due_ = {};
    ask();
}

void TrainRunner::rest() {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(playing_, false)) return;
    rested_ = true;
    ask();
}

void TrainRunner::step() {
    const std::lock_guard lock(mutex_);
    playing_ = rested_ = false;
    wanted_ = true;
    ++steps_;
    ask();
}

void TrainRunner::restart() {
    const std::lock_guard lock(mutex_);
    playing_ = rested_ = false;
    wanted_ = true;
    steps_ = 0;
    files_.reset();
    ++restarts_;
    ask();
}

void TrainRunner::save(TrainFiles files) {
    const std::lock_guard lock(mutex_);
    if (!latest_ || !latest_->begun) return;
    files_ = std::move(files);
    ask();
}

std::shared_ptr<const TrainSnapshot> TrainRunner::latest() const {
    const std::lock_guard lock(mutex_);
    return latest_;
}

void TrainRunner::wait_until_calm() const {
    std::unique_lock lock(mutex_);
    calm_.wait(lock, [&] { return calm_at_ == asked_; });
}

bool TrainRunner::anew() const { return restarts_ != restarts_done_; }

bool TrainRunner::plays() const { return playing_ && (!until_ || work_.steps_done() < *until_); }

TrainRunner::Job TrainRunner::next_job() const {
    if (!ordered_) return Job::none;
    if (anew()) return Job::begin;
    if (!work_.begun() && !work_.ended() && (light_ || wanted_)) return Job::begin;
    if (!work_.begun()) return Job::none;
    if (files_) return Job::save;
    if (steps_ > 0 || plays()) return Job::step;
    const bool said = said_playing_ == plays() && said_rested_ == rested_;
    return look_ != looked_ || stale_ || !said ? Job::look : Job::none;
}

void TrainRunner::stop_where_ended() {
    if (!work_.ended() || anew()) return;
    playing_ = false;
    steps_ = 0;
}

void TrainRunner::serve(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        const Job job = next_job();
        if (job == Job::none || (job == Job::step && steps_ == 0 && !until_)) {
            calm_at_ = asked_;
            calm_.notify_all();
        }
        if (job == Job::none) {
            changed_.wait(lock, stop, [&] { return calm_at_ != asked_ || next_job() != Job::none; });
            continue;
        }
        if (job == Job::step && steps_ == 0 && Clock::now() < due_) {
            if (look_ != looked_) {
                publish(lock);
                continue;
            }
            const Clock::time_point until = due_;
            changed_.wait_until(lock, stop, until, [&] { return calm_at_ != asked_; });
            continue;
        }
        const TrainOrder order = job == Job::begin ? order_ : TrainOrder();
        std::optional<TrainFiles> files = job == Job::save ? std::exchange(files_, {}) : std::nullopt;
        const TrainLook look = look_;
        if (files) ++saves_;
        const unsigned saves = saves_;
        const double learning_rate = order_.settings.learning_rate;
        const bool begins = light_ || wanted_;
        restarts_done_ = restarts_;
        if (job == Job::step && steps_ > 0) --steps_;
        lock.unlock();
        try {
            if (job == Job::begin && !begins) work_.let_go();
            if (job == Job::begin && begins) work_.begin(order);
            if (files) work_.save(look, *std::move(files), saves);
            if (job == Job::step) work_.step(learning_rate);
        } catch (const std::bad_alloc&) {
            work_.run_out(job == Job::begin ? order : work_.of());
        }
        lock.lock();
        stop_where_ended();
        stale_ |= job == Job::step;
        due_ = Clock::now() + pace_of(speed_);
        const bool goes_on = job == Job::step && (steps_ > 0 || plays());
        const bool waits = goes_on && Clock::now() - published_ < between_looks;
        if (!waits) publish(lock);
    }
    calm_.notify_all();
}

// What takes long is done without the lock: the frame waits for it.
void TrainRunner::publish(std::unique_lock<std::mutex>& lock) {
    const TrainLook look = look_;
    const bool rests = steps_ == 0 && !plays();
    lock.unlock();
    std::shared_ptr<TrainSnapshot> made;
    try {
        made = std::make_shared<TrainSnapshot>(work_.shown(look, rests));
    } catch (const std::bad_alloc&) {
        work_.run_out(work_.of());
        made = std::make_shared<TrainSnapshot>(work_.now());
    }
    lock.lock();
    stop_where_ended();
    said_playing_ = made->playing = plays();
    said_rested_ = made->rested = rested_;
    looked_ = look;
    stale_ = false;
    published_ = Clock::now();
    std::shared_ptr<const TrainSnapshot> old = std::exchange(latest_, std::move(made));
    lock.unlock();
    old.reset();
    if (wake_) wake_();
    lock.lock();
}

}  // namespace headcount
