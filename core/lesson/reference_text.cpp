// How answers are written: text with references in braces, and what a reference says.
#include "core/lesson/reference_text.hpp"

#include <algorithm>
#include <array>

#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr std::array<std::string_view, 8> quantities{"shape", "rows",     "columns", "count",
                                                     "all",   "elements", "copies",  "bytes"};

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

Result<Reference> parse_reference(std::string_view text) {
    text = trimmed(text);
    const std::size_t of = text.find(" of ");
    const std::string_view quantity = text.substr(0, std::min(of, text.size()));
    if (std::find(quantities.begin(), quantities.end(), quantity) == quantities.end()) {
        const std::string nearest = did_you_mean(quantity, quantities);
        return Error{quote(quantity) + " is nothing that can be asked of a model", "",
                     (nearest.empty() ? "" : nearest + " ") +
                         "write shape, rows, columns, count, all, elements, copies or bytes of something"};
    }
    if (of == std::string_view::npos)
        return Error{quote(text) + " does not say of what", "", "write it as " + std::string(quantity) + " of model"};
    Reference reference{quantity, trimmed(text.substr(of + 4)), {}, false};
    if (const std::size_t in = reference.subject.find(" in "); in != std::string_view::npos) {
        reference.preset = trimmed(reference.subject.substr(in + 4));
        reference.subject = trimmed(reference.subject.substr(0, in));
    }
    if (constexpr std::string_view suffix = " without norms"; reference.subject.ends_with(suffix)) {
        if (quantity != "count" && quantity != "all" && quantity != "bytes")
            return Error{quote(text) + " has no norms to leave out", "",
                         "write without norms behind count, all or bytes of something"};
        reference.subject = trimmed(reference.subject.substr(0, reference.subject.size() - suffix.size()));
        reference.without_norms = true;
    }
    if (reference.subject.empty() || reference.subject.find(' ') != std::string_view::npos)
        return Error{quote(reference.subject) + " is not one name", "", "give one id, such as layer.attention"};
    return reference;
}

Result<std::vector<Piece>> pieces_of(std::string_view text) {
    std::vector<Piece> pieces;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t open = text.find('{', at);
        if (open != at) pieces.push_back({text.substr(at, open - at), false, at});
        if (open == std::string_view::npos) break;
        const std::size_t close = text.find('}', open);
        if (close == std::string_view::npos)
            return Error{"a brace is never closed", "character " + std::to_string(open + 1), "add } behind it"};
        pieces.push_back({text.substr(open + 1, close - open - 1), true, open});
        at = close + 1;
    }
    for (const Piece& piece : pieces)
        if (!piece.reference && piece.text.find('}') != std::string_view::npos)
            return Error{"a brace is closed that was never opened",
                         "character " + std::to_string(piece.at + piece.text.find('}') + 1), "write { before it"};
    return pieces;
}

bool stands_alone(std::string_view answer) {
    return answer.find('{') == std::string_view::npos && answer.find(" of ") != std::string_view::npos;
}

}  // namespace headcount
