// QR codes (ISO/IEC 18004), made by libqrencode: of a link, for a telephone to read off a screen.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace headcount {

struct QrCode {
    int side = 0;            // modules, without the quiet zone
    std::vector<bool> dark;  // row by row: side * side

    // Outside of it all is light.
    bool at(int row, int column) const {
        return row >= 0 && column >= 0 && row < side && column < side &&
               dark[static_cast<std::size_t>(row) * static_cast<std::size_t>(side) + static_cast<std::size_t>(column)];
    }
};

inline constexpr int quiet_zone = 4;  // modules that are light around it

// The smallest that holds the text, with a seventh of it to be mended where that is short, else a fourteenth. Errors:
// the text is empty or too long for any.
Result<QrCode> qr_code(std::string_view text);

// For a terminal: two modules a letter, black on white whatever its colours are, with the quiet zone around.
std::string terminal_text(const QrCode& code);

}  // namespace headcount
