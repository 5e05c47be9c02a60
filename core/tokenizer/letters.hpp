// UTF-8 letter by letter, and the letters that byte-level vocabularies are written in.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace headcount {

// The letter at the beginning of a text that is not empty: its bytes' number and its code point; nothing of the latter,
// and one byte, where there is no UTF-8.
struct Letter {
    std::size_t length = 1;
    std::optional<char32_t> code;
};
Letter letter_at(std::string_view text);
// The same at the end.
Letter letter_before_end(std::string_view text);

// Unicode's White_Space.
bool is_space(char32_t code);
// How many bytes of white space a text begins with, or ends with.
std::size_t spaces_at_begin(std::string_view text);
std::size_t spaces_at_end(std::string_view text);

// Of at most U+10FFFF.
std::string utf8_of(char32_t code);

// GPT-2 writes every byte as a letter that can be seen: bytes that are printable Latin-1 as themselves, the others as
// U+0100 and on, in order (bytes_to_unicode of https://github.com/openai/gpt-2/blob/master/src/encoder.py).
std::string letters_of_bytes(std::string_view bytes);
// Nothing where a letter stands for no byte.
std::optional<std::string> bytes_of_letters(std::string_view letters);

// "<0x0A>" as vocabularies with byte fallback name a byte, and back.
std::string byte_token(unsigned char byte);
std::optional<unsigned char> byte_of_token(std::string_view token);

}  // namespace headcount
