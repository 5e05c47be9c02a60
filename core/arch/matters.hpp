// Which fields change anything of a model: heads of attention do not where no layer has attention.
#pragma once

#include "core/arch/fields.hpp"

namespace headcount {

bool matters(const Architecture& arch, Field field);

}  // namespace headcount
