// The parts of a text that says formats: "experts=mxfp4,rest=bf16".
#pragma once

#include <string_view>
#include <vector>

#include "core/arch/formats.hpp"

namespace headcount {

// (experts, mxfp4), (rest, bf16), in the text's order. What is no such pair has an empty format.
struct FormatPart {
    std::string_view of, format;
};
std::vector<FormatPart> format_parts(std::string_view text);

// The kinds that one of these words says: of "experts" that, of "layers" all of layers; none of a tensor's name and of
// the rest.
std::vector<WeightKind> kinds_called(std::string_view word);

}  // namespace headcount
