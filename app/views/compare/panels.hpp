// The panels of the Compare view, and both sides as they read them. Their windows leave 16 px around the heads and the
// split, and nothing around the diagrams and the tables.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "app/canvas/drawing.hpp"
#include "app/diagram/panels.hpp"
#include "app/state/compare/page.hpp"
#include "app/state/intent.hpp"
#include "app/state/shown.hpp"
#include "app/ui/ui.hpp"
#include "core/analysis/pass.hpp"

namespace headcount {

struct BothSides {
    const Shown& own;    // A, the user's own
    const Shown& other;  // B
    const ComparePage& page;
    ComparePlace place;
    PassOptions pass;     // as the Costs view counts
    bool hiding = false;  // numbers are hidden from a class

    const Counted& a() const { return own.derived.shown; }
    const Counted& b() const { return other.derived.shown; }
    const Shown& of(CompareSide side) const { return side == CompareSide::b ? other : own; }
    // Null where the numbers do not fit: the page says why.
    const Difference* difference() const { return page.difference.get(); }
};

// Nothing before somebody has looked.
std::optional<BothSides> both_sides(const Session& session);

// What a panel's texts follow from.
struct CompareBasis {
    Architecture a, b;
    Input input;
    PassOptions pass;
    ComparePlace place;
    std::array<std::string, 2> titles;
    bool dark = false;

    bool operator==(const CompareBasis&) const = default;
};
CompareBasis basis_of(const Ui& ui, const BothSides& both);

inline CompareSide other_than(CompareSide side) {
    return side == CompareSide::a ? CompareSide::b : CompareSide::a;
}

// "a" and "b": in names.
inline const char* side_key(CompareSide side) {
    return side == CompareSide::a ? "a" : "b";
}

// One side's name, exact total and fields, those that differ in full colour. A field opens its editor when it is
// pressed.
Intents draw_compare_head(const Ui& ui, const BothSides& both, CompareSide side);
Intents draw_compare_split(const Ui& ui, const BothSides& both);   // right: where the difference comes from
Intents draw_compare_tables(const Ui& ui, const BothSides& both);  // bottom: tensor by tensor, memory, arithmetic

// One side's model, in the window that is open for it; the other side's window is to be as large. Both are drawn at one
// scale and are looked at from the same place: whichever is moved, the other one follows. What differs is in full
// colour, with the other side's size as an outline, and what is pointed at or selected is lit on both.
Intents draw_compare_diagram(const Ui& ui, const std::array<DiagramOf, 2>& both, CompareSide side,
                             const ScenePainter& painter = {});

// Opens the small editor below a field's chip: the field's own row, and the other side's value to take over. It is in
// the window in which it is drawn, in every frame.
void open_compare_editor(const Ui& ui, CompareSide side, Field field, ImVec2 at);
Intents draw_compare_editor(const Ui& ui, const BothSides& both, CompareSide side);

// What a panel that edits B asks for, as edits of the other side of the user's own document.
Intents asked_of_other(Intents intents);

}  // namespace headcount
