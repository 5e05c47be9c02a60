// The views that ship.
#pragma once

#include "app/parts/views.hpp"

namespace headcount {

const Views& shipped_views();

}  // namespace headcount
