// Undo and redo: a list of documents, each with the experiments on what runs.
#pragma once

#include <cstddef>
#include <vector>

#include "app/state/run/place.hpp"
#include "core/files/document.hpp"

namespace headcount {

struct Edited {
    Document document;
    Experiments experiments;

    bool operator==(const Edited&) const = default;
};

// Earlier and later values of both. Unbounded edits keep the last 500.
class History {
  public:
    // Nothing if it equals the newest entry. Takes the newest one's place where that is of the same run (not 0), and
    // leaves none where the run has come back to where it began.
    void commit(const Edited& edited, unsigned run = 0);
    // What is no edit: where the entry in effect is `before` it becomes `after`, and all that was undone can be redone.
    void amend(const Edited& before, const Edited& after);
    bool can_undo() const { return at_ > 0; }
    bool can_redo() const { return at_ + 1 < entries_.size(); }
    const Edited& undo();
    const Edited& redo();

  private:
    std::vector<Edited> entries_;
    std::size_t at_ = 0;
    unsigned run_ = 0;  // of the newest entry
};

}  // namespace headcount
