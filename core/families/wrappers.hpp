// Types of models that wrap a language model, to read pictures or sound besides: what their files leave open of it.
#pragma once

#include <string_view>

#include "core/arch/family.hpp"

namespace headcount {

// Null where the type is none of these.
const Wrapper* find_wrapper(std::string_view type);

// Which field of its files has the language model: "text_config", and "decoder" beside an "encoder".
std::string_view text_field(const Wrapper& wrapper);

// Whether what its files say of a part again ("text_config_dict") counts in its place.
bool says_parts_again(const Wrapper& wrapper);

}  // namespace headcount
