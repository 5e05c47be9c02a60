// Undo and redo: a list of documents.
#include "app/state/history.hpp"

#include <cassert>

namespace headcount {
namespace {

constexpr std::size_t longest_history = 500;

}  // namespace

void History::commit(const Document& document, unsigned run) {
    if (!entries_.empty() && entries_[at_] == document) return;
    const bool joins = run != 0 && run == run_;  // then the newest entry is the last, and not the first
    run_ = run;
    if (joins) {
        --at_;
        if (entries_[at_] == document) run_ = 0;
    }
    if (!entries_.empty()) entries_.resize(at_ + 1, document);
    if (joins && run_ == 0) return;
    entries_.push_back(document);
    if (entries_.size() > longest_history) entries_.erase(entries_.begin());
    at_ = entries_.size() - 1;
}

const Document& History::undo() {
    assert(can_undo());
    run_ = 0;
    return entries_[--at_];
}

const Document& History::redo() {
    assert(can_redo());
    run_ = 0;
    return entries_[++at_];
}

}  // namespace headcount
