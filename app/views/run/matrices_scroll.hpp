// How far the page of matrices is scrolled: to what is asked for, and so that what one looks at stays in sight.
#pragma once

#include "app/ui/ui.hpp"
#include "app/views/run/matrices_page.hpp"

namespace headcount {

inline constexpr float above_page = 8, below_page = 24;  // design pixels

// Of a page that is made anew as `now`: from where on it has to be seen. Where the window scrolls.
void keep_sight(const Ui& ui, RunMatricesKept& kept, const PageMade& now, const RunPages& pages);

// Scrolls there, `room` pixels being in sight. Returns how far, for this frame has been laid out as it was before.
float follow_sight(const Ui& ui, RunMatricesKept& kept, float room);

// Scrolls to the cell or the head that is asked for, of a page that begins at `top`; what is in sight of the screen.
void bring_into_sight(const Ui& ui, RunMatricesKept& kept, float top, ImVec2 from_to);

}  // namespace headcount
