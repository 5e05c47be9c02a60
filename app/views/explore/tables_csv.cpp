// The bottom tables as CSV, by way of core/report, so that the command line writes the same.
#include "app/views/explore/tables_csv.hpp"

#include "core/report/table.hpp"
#include "core/report/tables.hpp"

namespace headcount {

std::string table_as_csv(const Counted& counted, BottomTab tab) {
    switch (tab) {
        case BottomTab::activations:
            return csv(activations_table(counted.graph, counted.activations, counted.bindings));
        case BottomTab::head:
            return csv(activations_table(counted.graph, counted.head, counted.bindings));
        case BottomTab::tensors:
            return csv(tensors_table(counted.graph, counted.parameters));
        case BottomTab::memory:
        case BottomTab::compute:
        case BottomTab::weights:  // are no tables of what was counted alone: costs_as_csv, weights_as_csv
            break;
    }
    return "";
}

}  // namespace headcount
