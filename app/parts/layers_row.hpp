// The row that says which layers have something: as text, as cells to press, and as words for usual patterns.
#pragma once

#include "app/parts/field_rows.hpp"

namespace headcount {

// Records the field's row as text_row does, its cells as cell.0, cell.1, ..., and its words as pattern.0, ...
void layers_row(FieldForm& form, Field field);

}  // namespace headcount
