// The groups of rarer fields that fold: attention, feed-forward, residual stream, embedding and output. What an
// architecture does not have is one switch in them.
#pragma once

#include "app/parts/field_rows.hpp"

namespace headcount {

void attention_group(FieldForm& form);
void feed_forward_group(FieldForm& form);
void residual_group(FieldForm& form);
void ends_group(FieldForm& form);

}  // namespace headcount
