// What a TrueType or OpenType file says about its own measures. Reads three tables, trusts no offset.
#pragma once

#include <span>

namespace headcount {

struct FontFacts {
    float line_height = 0;  // from ascent to descent, in ems; 0: the file is not readable
    float advance = 0;      // of every character of a fixed-width face, in ems; 0: they differ
};

FontFacts font_facts(std::span<const unsigned char> file);

}  // namespace headcount
