// The rows of what goes through the model: tokens, batch, cached tokens, precision.
#pragma once

#include "app/parts/field_rows.hpp"

namespace headcount {

void input_rows(FieldForm& form);

}  // namespace headcount
