// Makes QR codes with libqrencode.
#include "core/link/qr.hpp"

#include <qrencode.h>

#include <memory>

namespace headcount {
namespace {

struct Free {
    void operator()(QRcode* code) const { QRcode_free(code); }
};
using Owned = std::unique_ptr<QRcode, Free>;

Owned encoded(std::string_view text, QRecLevel level) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
    return Owned(QRcode_encodeData(static_cast<int>(text.size()), bytes, 0, level));
}

}  // namespace

Result<QrCode> qr_code(std::string_view text) {
    constexpr std::size_t short_text = 300;  // above that its modules become small
    constexpr std::size_t most_bytes = 2953;
    if (text.empty() || text.size() > most_bytes)
        return Error{"no QR code holds " + std::to_string(text.size()) + " bytes", "", "give a shorter link"};
    const Owned made = encoded(text, text.size() <= short_text ? QR_ECLEVEL_M : QR_ECLEVEL_L);
    if (!made) return Error{"the QR code could not be made", "", "free some memory"};
    QrCode code{made->width, {}};
    const std::size_t modules = static_cast<std::size_t>(code.side) * static_cast<std::size_t>(code.side);
    for (std::size_t i = 0; i < modules; ++i) code.dark.push_back((made->data[i] & 1) != 0);
    return code;
}

std::string terminal_text(const QrCode& code) {
    constexpr std::string_view black_on_white = "\x1b[30;107m", usual = "\x1b[0m\n";
    constexpr std::string_view both = "\u2588", upper = "\u2580", lower = "\u2584";
    std::string text;
    for (int row = -quiet_zone; row < code.side + quiet_zone; row += 2) {
        text += black_on_white;
        for (int column = -quiet_zone; column < code.side + quiet_zone; ++column) {
            const bool above = code.at(row, column), below = code.at(row + 1, column);
            text += above && below ? both : above ? upper : below ? lower : " ";
        }
        text += usual;
    }
    return text;
}

}  // namespace headcount
