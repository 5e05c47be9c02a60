// Reads and writes the text of a link.
#include "core/link/link_text.hpp"

#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr std::string_view hex_digits = "0123456789ABCDEF";

bool stays(char letter) {
    return is_letter_or_digit(letter) || std::string_view("-_.~:,/@=*").find(letter) != std::string_view::npos;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        if (letter == ' ')
            out += '+';
        else if (stays(letter))
            out += letter;
        else
            out.append("%").append(1, hex_digits[byte / 16]).append(1, hex_digits[byte % 16]);
    }
    return out;
}

int hex_digit(char letter) {
    const std::size_t place = hex_digits.find(letter >= 'a' && letter <= 'f' ? static_cast<char>(letter - 32) : letter);
    return place == std::string_view::npos ? -1 : static_cast<int>(place);
}

Result<std::string> unescaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i] == '+' ? ' ' : text[i];
            continue;
        }
        const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
        const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
        if (high < 0 || low < 0)
            return Error{quote(text.substr(i, 3)) + " stands for no letter", "link",
                         "a % is written as %25: copy the link again, with its end"};
        out += static_cast<char>(high * 16 + low);
        i += 2;
    }
    if (!is_utf8(out)) return Error{quote(text) + " is not UTF-8", "link", "copy the link again"};
    return out;
}

std::size_t start_of(std::string_view text) {
    const std::size_t hash = text.find("#v=");
    return hash == std::string_view::npos ? 0 : hash + 1;
}

}  // namespace

bool is_link(std::string_view text) {
    return text.find("#v=") != std::string_view::npos ||
           (text.starts_with("v=") && text.find('&') != std::string_view::npos);
}

Result<LinkEntries> parse_link(std::string_view text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    text.remove_prefix(start_of(text));
    if (text.size() >= longest_link)
        return Error{"a link has at most " + grouped(longest_link) + " characters, and this one " +
                         grouped(static_cast<std::int64_t>(text.size() + 1)),
                     "link", "make it anew, with a shorter prompt"};
    LinkEntries entries;
    while (!text.empty()) {
        const std::string_view piece = text.substr(0, text.find('&'));
        text.remove_prefix(std::min(piece.size() + 1, text.size()));
        if (piece.empty()) continue;
        const std::size_t equals = piece.find('=');
        if (equals == std::string_view::npos)
            return Error{quote(piece) + " says nothing", "link", "write it as key=value, such as kv_heads=8"};
        Result<std::string> key = unescaped(piece.substr(0, equals)), value = unescaped(piece.substr(equals + 1));
        if (!key) return key.error();
        if (!value) return value.error();
        if (*key != "v" || *value != link_version) entries.push_back({*std::move(key), *std::move(value)});
    }
    return entries;
}

std::string link_text(const LinkEntries& entries) {
    std::string text = "#v=" + std::string(link_version);
    for (const LinkEntry& entry : entries) text += "&" + escaped(entry.key) + "=" + escaped(entry.value);
    return text;
}

}  // namespace headcount
