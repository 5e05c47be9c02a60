// The panels of the Compare view, but for its two diagrams (diagram.hpp). Their windows leave 16 px
// around the heads and the split, and nothing around the tables.
#pragma once

#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// One side's name, exact total and fields, those that differ in full colour. A field opens its editor when it is
// pressed.
Intents draw_compare_head(const Ui& ui, const Session& session, CompareSide side);
Intents draw_compare_split(const Ui& ui, const Session& session);   // right: where the difference comes from
Intents draw_compare_tables(const Ui& ui, const Session& session);  // bottom: tensor by tensor, memory, arithmetic

}  // namespace headcount
