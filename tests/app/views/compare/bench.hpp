// What tests of Compare's panels share.
#pragma once

#include <algorithm>

#include "app/views/compare/panels.hpp"
#include "tests/support/workbench.hpp"

namespace headcount::test {

inline const ImVec2 head_size(500, 84), split_size(600, 560), tables_size(1600, 340), wide_bar(1600, 48),
    narrow_bar(1280, 48);

inline Intents head(const Ui& ui, const Session& session, CompareSide side) {
    const std::optional<BothSides> both = both_sides(session);
    return both ? draw_compare_head(ui, *both, side) : Intents{};
}
inline Intents head_a(const Ui& ui, const Session& session) { return head(ui, session, CompareSide::a); }
inline Intents head_b(const Ui& ui, const Session& session) { return head(ui, session, CompareSide::b); }
inline Intents split_panel(const Ui& ui, const Session& session) {
    const std::optional<BothSides> both = both_sides(session);
    return both ? draw_compare_split(ui, *both) : Intents{};
}
inline Intents tables_panel(const Ui& ui, const Session& session) {
    const std::optional<BothSides> both = both_sides(session);
    return both ? draw_compare_tables(ui, *both) : Intents{};
}

inline void compare(Session& session, std::string_view b = "llama-3-8b") {
    ask(session, ShowWorkspace{compare_view});
    ask(session, AtCompare{CompareWithPreset{std::string(b)}});
}

// Llama 2 7B beside Llama 3 8B.
class CompareBench : public Workbench {
  public:
    CompareBench(DrawPanel draw, ImVec2 window) : Workbench(draw, "llama-2-7b", window) {
        compare(session);
        frames(3);
    }
};

inline BothSides both_of(const Session& session) { return *both_sides(session); }

inline CompareTable table_of(const Session& session, CompareTab tab) {
    return compare_table(dark_theme(), both_of(session), tab);
}

inline const CompareRow* row_of(const CompareTable& table, std::string_view name) {
    const auto found =
        std::find_if(table.rows.begin(), table.rows.end(), [&](const CompareRow& row) { return row.name == name; });
    return found == table.rows.end() ? nullptr : &*found;
}

inline std::string last_cell(const CompareTable& table, std::string_view name) {
    const CompareRow* const row = row_of(table, name);
    return row ? for_people(row->cells.back()) : "no such row";
}

}  // namespace headcount::test
