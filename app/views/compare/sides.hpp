// Both sides of a comparison as the panels read them.
#pragma once

#include <optional>
#include <string>

#include "app/state/session.hpp"

namespace headcount {

struct BothSides {
    const Session* session = nullptr;        // A, the user's own
    const Shown* other = nullptr;            // B
    const Difference* difference = nullptr;  // null where the numbers do not fit: the session says why

    const Counted& a() const { return session->derived.shown; }
    const Counted& b() const { return other->derived.shown; }
    PassOptions pass() const { return pass_options(session->costs, session->view.costs); }
    const Shown& of(CompareSide side) const {
        if (side == CompareSide::b) return *other;
        return *session;
    }
};

// What something was derived from that is kept from frame to frame; of nothing at first.
struct MadeOf {
    Architecture a, b;
    Input input;
    PassOptions pass;
    bool made = false;

    bool still(const BothSides& both) const {
        return made && input == both.a().input && pass == both.pass() && a == both.a().architecture &&
               b == both.b().architecture;
    }
};
inline MadeOf made_of(const BothSides& both) {
    return {both.a().architecture, both.b().architecture, both.a().input, both.pass(), true};
}

// Nothing before somebody has looked.
std::optional<BothSides> both_sides(const Session& session);

inline CompareSide other_than(CompareSide side) {
    return side == CompareSide::a ? CompareSide::b : CompareSide::a;
}

// "a" and "b": in names.
inline const char* side_key(CompareSide side) {
    return side == CompareSide::a ? "a" : "b";
}

// Why B is there at all, where nobody has chosen it; else nothing.
std::string why_compared(const Session& session);

// What a panel that edits B's session asks for, as edits of the other side of the user's own document.
Intents asked_of_other(Intents intents);

}  // namespace headcount
