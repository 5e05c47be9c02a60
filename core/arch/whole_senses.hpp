// What a whole file holds beside its text part, where that hangs on the text's own width too.
#pragma once

#include "core/arch/family.hpp"

namespace headcount {

// Of an architecture with a `whole`. Between an encoder and a decoder of other widths there is a matrix, so that what
// the file says of the encoder is read with the decoder's width as it now is. Errors: as Wrapper::senses.
Result<Senses> senses_of(const Architecture& arch);

}  // namespace headcount
