// The list of the views: a new one is a folder beside this file, with its kind in its space.cpp, and a line here.
#include "app/views/views.hpp"

namespace headcount {

extern const ViewKind explore_kind, compare_kind, costs_kind, what_if_kind, run_kind, train_kind, worksheet_kind,
    claims_kind;

const Views& shipped_views() {
    static const Views views = views_of({
        explore_kind,
        compare_kind,
        costs_kind,
        what_if_kind,
        run_kind,
        train_kind,
        worksheet_kind,
        claims_kind,
    });
    return views;
}

}  // namespace headcount
