// The fields of a link, walked as those of a saved document are.
#pragma once

#include "app/state/fields.hpp"
#include "app/state/link.hpp"

namespace headcount {

// Every key of a link but those of the models, once; its objects are still in one piece.
void saved_fields(Fields& saved, Linked& state);

}  // namespace headcount
