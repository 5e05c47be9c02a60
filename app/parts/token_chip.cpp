// Writes tokens without the space that begins a word.
#include "app/parts/token_chip.hpp"

namespace headcount {

std::string chip_text(std::string_view piece) {
    constexpr std::string_view dot = "·";
    if (piece.find_first_not_of(' ') == std::string_view::npos) {
        std::string dots;
        for (std::size_t i = 0; i < piece.size(); ++i) dots += dot;
        return dots;
    }
    if (piece.starts_with(' ')) piece.remove_prefix(1);
    return std::string(piece);
}

std::string chip_text(const RunToken& token) {
    return chip_text(token.text);
}

}  // namespace headcount
