// Where sub- and superscripts end.
#include "core/base/scripts.hpp"

namespace headcount {
namespace {

bool digit(char c) {
    return c >= '0' && c <= '9';
}
bool letter_or_digit(char c) {
    return digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

std::size_t script_end(std::string_view text, std::size_t start, Script script) {
    std::size_t end = start;
    if (script == Script::lowered) {
        while (end < text.size() && letter_or_digit(text[end])) ++end;
        return end;
    }
    if (start < text.size() && text[start] == '(') {
        const std::size_t close = text.find(')', start);
        return close == std::string_view::npos ? start : close + 1;
    }
    while (end < text.size() && digit(text[end])) ++end;
    if (end == start && end < text.size() && letter_or_digit(text[end])) ++end;
    return end;
}

}  // namespace headcount
