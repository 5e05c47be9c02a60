// Cuts the colours into boxes until there are enough of them.
#include "app/gl/few_colours.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace headcount {
namespace {

struct ColourCount {
    Colour colour = 0;
    std::int64_t pixels = 0;
};

std::int64_t channel(Colour colour, int which) { return static_cast<std::int64_t>((colour >> (8 * which)) & 0xFFU); }

// A stretch of the colours.
struct ColourBox {
    std::span<ColourCount> colours;
    int widest = 0;          // channel
    std::int64_t worth = 0;  // how much is gained by cutting it; 0: it is one colour

    explicit ColourBox(std::span<ColourCount> of) : colours(of) {
        std::int64_t pixels = 0, width = 0;
        for (const ColourCount& each : colours) pixels += each.pixels;
        for (int which = 0; which < 3; ++which) {
            const auto [least, most] = std::ranges::minmax_element(
                colours, {}, [which](const ColourCount& each) { return channel(each.colour, which); });
            const std::int64_t across = channel(most->colour, which) - channel(least->colour, which);
            if (across <= width) continue;
            width = across;
            widest = which;
        }
        // A wide box of few pixels is seen, too: letters are few, and their edges of many colours.
        worth = width * width * std::min<std::int64_t>(pixels, 1 << 12);
    }

    // In the middle of its pixels, and at least one colour on either side.
    std::pair<ColourBox, ColourBox> cut() const {
        std::ranges::sort(colours, {}, [this](const ColourCount& each) { return channel(each.colour, widest); });
        std::int64_t all = 0, before = 0;
        for (const ColourCount& each : colours) all += each.pixels;
        std::size_t at = 0;
        while (at + 1 < colours.size() && before + colours[at].pixels <= all / 2) before += colours[at++].pixels;
        at = std::clamp<std::size_t>(at, 1, colours.size() - 1);
        return {ColourBox(colours.first(at)), ColourBox(colours.subspan(at))};
    }

    Colour mean() const {
        std::array<std::int64_t, 3> sums{};
        std::int64_t pixels = 0;
        for (const ColourCount& each : colours) {
            pixels += each.pixels;
            for (int which = 0; which < 3; ++which)
                sums[static_cast<std::size_t>(which)] += each.pixels * channel(each.colour, which);
        }
        Colour colour = 0;
        for (int which = 0; which < 3; ++which)
            colour |= static_cast<Colour>((sums[static_cast<std::size_t>(which)] + pixels / 2) / pixels) << (8 * which);
        return colour;
    }
};

std::vector<ColourCount> counted(std::span<const Colour> pixels) {
    std::vector<Colour> sorted(pixels.begin(), pixels.end());
    std::sort(sorted.begin(), sorted.end());  // of ranges::sort g++ 14 says that it frees what is no heap
    std::vector<ColourCount> all;
    for (const Colour each : sorted) {
        if (all.empty() || all.back().colour != each) all.push_back({each, 0});
        ++all.back().pixels;
    }
    return all;
}

}  // namespace

FewColours few_colours(std::span<const Colour> pixels, std::size_t most) {
    FewColours few;
    std::vector<ColourCount> all = counted(pixels);
    if (all.empty()) return few;
    std::vector<ColourBox> boxes{ColourBox(all)};
    while (boxes.size() < most) {
        const auto widest = std::ranges::max_element(boxes, {}, &ColourBox::worth);
        if (widest->worth == 0) break;
        auto [left, right] = widest->cut();
        *widest = left;
        boxes.push_back(right);
    }
    for (const ColourBox& box : boxes) {
        for (const ColourCount& each : box.colours)
            few.index[each.colour] = static_cast<std::uint8_t>(few.palette.size());
        few.palette.push_back(box.mean());
    }
    return few;
}

}  // namespace headcount
