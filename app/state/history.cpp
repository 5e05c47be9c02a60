// Undo and redo: a list of documents, each with the experiments on what runs.
#include "app/state/history.hpp"

#include <cassert>

namespace headcount {
namespace {

constexpr std::size_t longest_history = 500;

}  // namespace

void History::commit(const Edited& edited, unsigned run) {
    if (!entries_.empty() && entries_[at_] == edited) return;
    const bool joins = run != 0 && run == run_;  // then the newest entry is the last, and not the first
    run_ = run;
    if (joins) {
        --at_;
        if (entries_[at_] == edited) run_ = 0;
    }
    if (!entries_.empty()) entries_.resize(at_ + 1, edited);
    if (joins && run_ == 0) return;
    entries_.push_back(edited);
    if (entries_.size() > longest_history) entries_.erase(entries_.begin());
    at_ = entries_.size() - 1;
}

void History::amend(const Edited& before, const Edited& after) {
    if (!entries_.empty() && entries_[at_] == before) entries_[at_] = after;
}

const Edited& History::undo() {
    assert(can_undo());
    run_ = 0;
    return entries_[--at_];
}

const Edited& History::redo() {
    assert(can_redo());
    run_ = 0;
    return entries_[++at_];
}

}  // namespace headcount
