// What all open windows share: answers, and the lists of files. Each of them may change it, so it is merged, never
// overwritten.
#pragma once

#include <string>
#include <vector>

#include "app/state/view.hpp"
#include "app/state/worksheet/desk.hpp"

namespace headcount {

struct Shared {
    std::vector<std::string> recent, claims_files, tour_files;  // of View
    DeskState desk;

    bool operator==(const Shared&) const = default;
};

Shared shared_of(const View& view, const DeskState& desk);

struct MergedShared {
    Shared shared;
    bool clash = false;  // the same was typed differently in both: what others typed is not in it
};

// What was changed on either side since `base`, which is what we had when we merged last. Where both changed the same,
// it is ours; but nothing that one of them typed goes because the other emptied it.
MergedShared merged(const Shared& base, const Shared& ours, const Shared& theirs);

}  // namespace headcount
