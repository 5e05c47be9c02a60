// The rows of the bottom tables as a list draws them: what each of three tabs shows in which columns.
#pragma once

#include <span>
#include <vector>

#include "app/ui/table.hpp"
#include "app/views/explore/panels.hpp"

namespace headcount {

// What one frame of the panel works with.
struct Tables {
    const Ui& ui;
    const Session& session;
    Intents intents;

    const Counted& shown() const { return session.derived.shown; }
    const ModelGraph& graph() const { return session.derived.shown.graph; }
    bool kinds() const { return graph().layers.size() > 1; }
};

// One of the three: its columns, its rows, and what each row stands for.
class TablePage {
  public:
    TablePage(const Tables& to, BottomTab tab) : to_(to), tab_(tab) {}

    std::span<const TableColumn> columns() const;
    int rows() const;
    void fill(int index, TableRow& row) const;
    Subject subject(int index) const;
    // The first row that the selection marks; below 0 where none is.
    int selected() const;

  private:
    const std::vector<ActivationRow>& activations() const {
        return tab_ == BottomTab::head ? to_.shown().head : to_.shown().activations;
    }
    const Tables& to_;
    BottomTab tab_;
};

}  // namespace headcount
