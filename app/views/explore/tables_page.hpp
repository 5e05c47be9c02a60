// The rows of the bottom tables as a list draws them: what each of three tabs shows in which columns.
#pragma once

#include <variant>
#include <vector>

#include "app/ui/table.hpp"
#include "app/views/explore/panels.hpp"

namespace headcount {

// One of the three: its columns, its rows, and what each row stands for.
class CountedTable {
  public:
    CountedTable(const Ui& ui, const Shown& model, BottomTab tab);

    std::vector<TableColumn> columns() const;
    int rows() const { return static_cast<int>(rows_.size()); }
    void fill(int index, TableRow& row) const;
    Subject subject(int index) const;
    // The first row that the selection marks; below 0 where none is.
    int selected() const;

  private:
    // A row below the tensors: a sum of them, or the heading of what is stored besides.
    struct Sum {
        std::string_view name, label;
        std::int64_t count = 0;
        ImU32 ink = 0, count_ink = 0;
        bool total = false;
    };
    using Row = std::variant<const ActivationRow*, const StoredTensor*, Sum>;

    const ModelGraph& graph() const { return model_.derived.shown.graph; }
    bool kinds() const { return graph().layers.size() > 1; }
    bool shows(const Row& row, const Subject& subject) const;
    bool lit(const Row& row, const Subject& subject) const;
    void set_cells(TableRow& row, std::span<const TableCell> cells, std::optional<BlockIndex> block) const;
    void fill(const ActivationRow& activation, TableRow& row) const;
    void fill(const StoredTensor& stored, TableRow& row) const;
    void fill(const Sum& sum, TableRow& row) const;

    const Ui& ui_;
    const Shown& model_;
    BottomTab tab_;
    std::vector<Row> rows_;
};

}  // namespace headcount
