// What the document is compared with, and what makes the two differ. Worked out while the Compare view is open, and
// only when either side is another than before.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/state/compare/place.hpp"
#include "app/state/shown.hpp"
#include "core/analysis/difference.hpp"

namespace headcount {

struct Session;

struct ComparePage {
    // B: what was counted of it, or of the last B that was possible, and what is wrong with it. Nothing before somebody
    // has looked.
    std::optional<Shown> other;
    std::shared_ptr<const Difference> difference;  // null: nobody has looked, or `failure` says why there is none
    std::string failure;
    Architecture a, b;  // that it is of
};

// Why B is what it is.
enum class ComparedBecause { chosen, edited, alike };

struct ComparedWith {
    Compared model;
    ComparedBecause because;
};

// B: what was chosen; else what an edited document came from; else a model of the same family, about as large.
ComparedWith compared_with(const Session& session);

// An edit of A where the Compare view is open: the B that is shown stays, also where nobody has chosen it.
Document beside_what_is_shown(const Session& session, Document edited);

// In the Compare view: keeps B and the difference as the document is. Does nothing where they are.
void look_at_both(Session& session);

// Everything but looking: changes the document, or how it is looked at.
void change_compare(Session& session, const CompareIntent& intent);

}  // namespace headcount
