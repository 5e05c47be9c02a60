// A picture's colours made few: the median cut (Heckbert 1982), among colours and not among pixels that are rounded
// first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace headcount {

using Colour = std::uint32_t;  // 0x00rrggbb

struct FewColours {
    std::vector<Colour> palette;           // at most as many as were asked for; empty where no colour was given
    std::map<Colour, std::uint8_t> index;  // of each colour, into the palette
};

// `most` is from 1 to 256. Where there are no more colours than that, each stays as it is; else each becomes the mean
// of those that it lies among. `pixels` may have a colour as often as it is there: more pixels weigh more.
FewColours few_colours(std::span<const Colour> pixels, std::size_t most);

}  // namespace headcount
