// Waits for something to do, does it without the lock, and hands over what came of it.
#include "app/state/run/runner.hpp"

#include <array>
#include <new>
#include <utility>

namespace headcount {
namespace {

using namespace std::chrono_literals;

// How long a layer of a token stays before the next is shown; a token, where these are not shown.
std::chrono::milliseconds pace(RunSpeed speed) {
    constexpr std::array<std::chrono::milliseconds, run_speed_keys.size()> paces{600ms, 300ms, 75ms, 0ms};
    return paces[static_cast<std::size_t>(speed)];
}

// Whether the one order has another prompt to read than the other.
bool reads_anew(const RunOrder& one, const RunOrder& other) {
    return one.model != other.model || one.prompt != other.prompt || one.ids != other.ids || one.given != other.given;
}

}  // namespace

Runner::Runner(std::function<void()> wake)
    : wake_(std::move(wake)),
      work_([this] { publish(); }, stop_),
      thread_([this](const std::stop_token& stop) { serve(stop); }) {}

Runner::~Runner() {
    const std::lock_guard lock(mutex_);  // else a job that begins now would not see it
    stop_ = true;
    thread_.request_stop();
}

void Runner::order(RunOrder order) {
    const std::lock_guard lock(mutex_);
    if (order == order_) return;
    const bool other = order.model != order_.model;
    if (other) {
        begun_ = playing_ = false;
        steps_ = 0;
    }
    if (reads_anew(order, order_)) {
        rested_ = false;
        if (other) stop_ = true;
        stop_job();
        free_ = false;
    }
    if (order.speed != order_.speed) due_ = {};
    order_ = std::move(order);
    tell_thread();
}

// Before something is begun: what failed is tried again.
void Runner::begin() {
    begun_ = true;
    free_ = false;
    if (!latest_ || !latest_->error || latest_->of != order_.model) return;
    if (!latest_->values || latest_->prompt_is_wrong()) ++restarts_;
}

void Runner::play(bool playing) {
    const std::lock_guard lock(mutex_);
    playing_ = playing;
    rested_ = false;
    if (playing) begin();
    if (playing && latest_ && latest_->over && latest_->whole()) ++restarts_;
    steps_ = backs_ = 0;
    due_ = {};
    tell_thread();
}

void Runner::rest() {
    const std::lock_guard lock(mutex_);
    if (!playing_) return;
    playing_ = false;
    rested_ = true;
    tell_thread();
}

void Runner::step() {
    const std::lock_guard lock(mutex_);
    playing_ = rested_ = false;
    const bool reads = job_ == Job::read || restarts_ != restarts_done_;
    const bool ended = latest_ && latest_->over && latest_->whole() && !latest_->stale && !reads;
    begin();
    if (!ended) ++steps_;  // else it would be made behind the next prompt
    tell_thread();
}

void Runner::step_back() {
    const std::lock_guard lock(mutex_);
    playing_ = rested_ = false;
    begin();
    steps_ = 0;
    if (latest_ && latest_->generated > 0) ++backs_;
    tell_thread();
}

void Runner::restart() {
    const std::lock_guard lock(mutex_);
    playing_ = rested_ = false;
    begin();
    steps_ = backs_ = 0;
    ++restarts_;
    stop_job();
    tell_thread();
}

void Runner::free() {
    const std::lock_guard lock(mutex_);
    playing_ = rested_ = begun_ = false;
    steps_ = backs_ = 0;
    free_ = true;
    stop_ = true;
    tell_thread();
}

void Runner::stop_job() {
    if (busy() && job_ != Job::load) stop_ = true;
}

std::shared_ptr<const RunSnapshot> Runner::latest() const {
    const std::lock_guard lock(mutex_);
    return latest_;
}

bool Runner::playing() const {
    const std::lock_guard lock(mutex_);
    return playing_;
}

void Runner::wait_until_calm() const {
    std::unique_lock lock(mutex_);
    calm_.wait(lock, [&] { return !busy() && next_job() == Job::none; });
}

bool Runner::wait_for_other_numbers(const RunSnapshot& than, Clock::time_point until) const {
    std::unique_lock lock(mutex_);
    const auto others = [&] { return latest_ && latest_->values && !same_numbers(*latest_, than); };
    const auto rests = [&] {
        if (busy()) return false;  // what next_job() looks at is the worker's
        const Job job = next_job();
        return job == Job::none || (paced(job) && due_ > until);
    };
    calm_.wait_until(lock, until, [&] { return others() || rests(); });
    return others();
}

bool Runner::wants_to_begin() const {
    const RunModel* const model = order_.model.get();
    return model && !model->wrong && !free_ && (begun_ || model->light());
}

Runner::Job Runner::next_job() const {
    if (!wants_to_begin()) return work_.of() ? Job::forget : Job::none;
    const bool again = restarts_done_ != restarts_;
    if (work_.of() != order_.model) return Job::load;
    if (!work_.has_model()) return again ? Job::load : Job::none;
    const bool asked = playing_ || steps_ > 0 || backs_ > 0;
    if (!work_.has_read() || again || (work_.read_another(order_) && (order_.model->light() || asked)))
        return Job::read;
    if (backs_ > 0 && work_.may_go_back()) return Job::back;
    if (!(playing_ || steps_ > 0) || !work_.may_go_on()) return Job::none;
    return work_.now().whole() ? Job::token : Job::layer;
}

void Runner::serve(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        const Job job = next_job();
        if (job == Job::none) {
            calm_.notify_all();
            changed_.wait(lock, stop, [&] { return next_job() != Job::none; });
            continue;
        }
        if (paced(job) && Clock::now() < due_) {
            calm_.notify_all();
            const Clock::time_point until = due_;  // which may change while the lock is let go
            changed_.wait_until(lock, stop, until,
                                [&] { return Clock::now() >= due_ || next_job() != job || steps_ > 0; });
            continue;
        }
        job_ = job;
        stop_ = false;
        const RunOrder order = order_;
        restarts_done_ = restarts_;
        if (job == Job::back) --backs_;
        if ((job == Job::layer || job == Job::token) && steps_ > 0) --steps_;
        lock.unlock();
        try {
            if (!do_job(job, order)) give_up(order);
            publish();
        } catch (const std::bad_alloc&) {
            work_.run_out_of_memory();
            give_up(order);
            publish();
        }
        lock.lock();
        due_ = Clock::now() + pace(order_.speed);
        end();
        while (!orders_said()) {  // what was asked for while the news was told
            say_orders();
            lock.unlock();
            calm_.notify_all();
            if (wake_) wake_();
            lock.lock();
        }
        job_ = Job::none;
    }
    calm_.notify_all();
}

bool Runner::do_job(Job job, const RunOrder& order) {
    if (job == Job::load) return work_.load(order);
    if (job == Job::read) return work_.read(order);
    if (job == Job::token) return work_.make_token(order);
    if (job == Job::back) return work_.go_back(order);
    if (job == Job::forget) work_.give_back();
    if (job == Job::layer) work_.show_layer();
    return true;
}

// What was asked for after the order is not given up with it.
void Runner::give_up(const RunOrder& order) {
    const std::lock_guard lock(mutex_);
    if (!work_.now().error || reads_anew(order, order_) || restarts_ != restarts_done_) return;
    playing_ = false;
    steps_ = backs_ = 0;
}

// What takes long is done without the lock: the frame waits for it.
void Runner::publish() {
    auto made = std::make_shared<RunSnapshot>(work_.now());
    std::shared_ptr<const RunSnapshot> old;
    {
        const std::lock_guard lock(mutex_);
        end();
        put_orders(*made);
        old = std::exchange(latest_, std::move(made));
    }
    calm_.notify_all();
    if (wake_) wake_();
}

// A prompt that is another by now, or is asked for again, is read next, and gone on with.
void Runner::end() {
    if (!work_.may_go_back()) backs_ = 0;
    const bool current = work_.has_read() && !work_.read_another(order_) && restarts_ == restarts_done_;
    if (work_.now().phase != RunPhase::ready || !current || work_.may_go_on()) return;
    playing_ = false;
    steps_ = 0;
}

// What is asked for is said here where the thread has nothing to say by itself.
void Runner::tell_thread() {
    if (latest_ && !busy()) say_orders();
    changed_.notify_all();
}

void Runner::say_orders() {
    auto made = std::make_shared<RunSnapshot>(*latest_);
    put_orders(*made);
    latest_ = std::move(made);
}

bool Runner::orders_said() const {
    return !latest_ || (latest_->playing == playing_ && latest_->rested == rested_ && latest_->stale == stale());
}

bool Runner::stale() const { return work_.has_model() && work_.has_read() && work_.read_another(order_); }

void Runner::put_orders(RunSnapshot& snapshot) const {
    snapshot.playing = playing_;
    snapshot.rested = rested_;
    snapshot.stale = stale();
}

}  // namespace headcount
