// A pile, and the thread that empties it.
#include "app/state/run/bin.hpp"

namespace headcount {

RunBin::RunBin()
    : pile_(std::make_shared<Pile>()), thread_([pile = pile_](const std::stop_token& stop) { empty(stop, *pile); }) {}

RunBin::~RunBin() {
    {
        const std::lock_guard lock(pile_->mutex);
        pile_->open = false;
    }
    thread_.request_stop();
    thread_.join();
}

void RunBin::put(Pile& pile, std::shared_ptr<const void> thing) {
    const std::lock_guard lock(pile.mutex);
    if (!pile.open) return;
    pile.things.push_back(std::move(thing));
    pile.filled.notify_all();
}

void RunBin::empty(const std::stop_token& stop, Pile& pile) {
    std::unique_lock lock(pile.mutex);
    while (pile.filled.wait(lock, stop, [&] { return !pile.things.empty(); })) {
        std::vector<std::shared_ptr<const void>> things = std::exchange(pile.things, {});
        pile.busy = true;
        lock.unlock();
        things.clear();
        lock.lock();
        pile.busy = false;
    }
}

bool RunBin::idle() const {
    const std::lock_guard lock(pile_->mutex);
    return pile_->things.empty() && !pile_->busy;
}

}  // namespace headcount
