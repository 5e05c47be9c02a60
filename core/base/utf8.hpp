// Names that somebody else wrote: whether they are UTF-8 (RFC 3629), and how they stand in a sentence.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headcount {

// No overlong forms, no surrogates, nothing above U+10FFFF, no sequence cut off.
bool is_utf8(std::string_view text);

// At most so many bytes from its beginning, and no letter cut in two.
std::string_view whole_letters(std::string_view text, std::size_t most);

// The first letter of a text that is not empty, or the first byte of what is none.
struct Utf8Letter {
    std::string_view bytes;
    bool plain = false;  // it is UTF-8, and steers neither a terminal nor the direction of writing
};
Utf8Letter first_letter(std::string_view text);

// "U+4F60, U+597D": of a text's letters that are no Latin, Greek or Cyrillic ones, nor signs, in order.
std::string code_points(std::string_view text);

// How many bytes at the text's end begin a letter that goes on behind it.
std::size_t unfinished(std::string_view text);

// What somebody else wrote as a terminal may show it: "?" for what is not plain, for ends of lines and tabs too unless
// they are kept.
enum class Lines { ended, kept };
std::string printable(std::string_view text, Lines lines = Lines::ended);

// What somebody else wrote as it may stand in a sentence: at most 60 bytes of it, UTF-8 whatever it was, without
// anything that steers a terminal.
std::string shown(std::string_view text);
// The same in quotes: a name in 'single' ones, what a person wrote in "double" ones.
std::string in_quotes(std::string_view name);
std::string quote(std::string_view text);

}  // namespace headcount
