// The list of the views: a new one is a folder beside this file, and a line here.
#include "app/views/views.hpp"

#include "app/views/claims/space.hpp"
#include "app/views/compare/space.hpp"
#include "app/views/costs/space.hpp"
#include "app/views/explore/space.hpp"
#include "app/views/run/space.hpp"
#include "app/views/what_if/space.hpp"
#include "app/views/worksheet/space.hpp"

namespace headcount {

const Views& shipped_views() {
    static const Views views = views_of({
        explore_kind,
        compare_kind,
        costs_kind,
        what_if_kind,
        run_kind,
        worksheet_kind,
        claims_kind,
    });
    return views;
}

}  // namespace headcount
