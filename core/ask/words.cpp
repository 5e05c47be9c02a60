// The words of the ask bar's grammar: a text cut into atoms, and numbers in it.
#include "core/ask/words.hpp"

#include <array>
#include <charconv>

#include "core/base/checked.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// Bytes of other scripts are letters, so that a word in them stays whole.
bool letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

// Signs of typesetting, and what they stand for in a question: "x" between numbers, otherwise nothing.
struct Sign {
    std::string_view sign;
    char meaning;
};
constexpr std::array signs{
    Sign{"×", 'x'}, Sign{"·", ' '},      Sign{"–", ' '},      Sign{"—", ' '}, Sign{"−", ' '},
    Sign{"‑", ' '}, Sign{"’", ' '},      Sign{"“", ' '},      Sign{"”", ' '}, Sign{"„", ' '},
    Sign{"…", ' '}, Sign{"\u00a0", ' '}, Sign{"\u202f", ' '},
};

const Sign* sign_at(std::string_view text, std::size_t at) {
    if (static_cast<unsigned char>(text[at]) < 0x80) return nullptr;  // none of them is ASCII: most of a text
    for (const Sign& each : signs)
        if (text.substr(at).starts_with(each.sign)) return &each;
    return nullptr;
}

// How long a minus is that a number begins with here: "with -3 layers" has one, "llama-2" and "2-3" have not.
std::size_t minus_at(std::string_view text, std::size_t at) {
    constexpr std::array<std::string_view, 3> minuses{"-", "−", "–"};
    for (const std::string_view minus : minuses) {
        const std::size_t end = at + minus.size();
        if (!text.substr(at).starts_with(minus) || end >= text.size() || !is_digit(text[end])) continue;
        if (at == 0 || std::string_view(" \t(=:").find(text[at - 1]) != std::string_view::npos) return minus.size();
    }
    return 0;
}

// "two": of more than one, which "one head" is not about.
constexpr std::array<std::string_view, 11> numbers_in_words{"two",   "three", "four", "five",   "six",   "seven",
                                                            "eight", "nine",  "ten",  "eleven", "twelve"};

// How far a number reaches: "16,777,216", "10 000", "3.1", "0414".
std::size_t number_end(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && is_digit(text[end])) ++end;
    auto three_digits = [&](std::size_t from) {
        std::size_t count = 0;
        while (from + count < text.size() && is_digit(text[from + count])) ++count;
        return count == 3;
    };
    if (end - at <= 3)
        while (end < text.size() && (text[end] == ',' || text.substr(end).starts_with(" 000")) && three_digits(end + 1))
            end += 4;
    if (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1])) {
        ++end;
        while (end < text.size() && is_digit(text[end])) ++end;
    }
    return end;
}

}  // namespace

std::vector<Atom> atoms_of(std::string_view text) {
    std::vector<Atom> atoms;
    auto add = [&](std::size_t begin, std::size_t end, bool number) {
        Atom atom{"", number, begin, end, !atoms.empty() && atoms.back().end == begin};
        for (char c : text.substr(begin, end - begin))
            if (!number || (c != ',' && c != ' ')) atom.text += lower(c);
        atoms.push_back(std::move(atom));
    };
    for (std::size_t at = 0; at < text.size();) {
        if (const std::size_t minus = minus_at(text, at); minus > 0) {
            const std::size_t end = number_end(text, at + minus);
            add(at, end, false);
            atoms.back().text = "-" + std::string(text.substr(at + minus, end - at - minus));
            at = end;
        } else if (const Sign* sign = sign_at(text, at)) {
            const std::size_t end = at + sign->sign.size();
            if (sign->meaning != ' ')
                atoms.push_back(
                    {std::string(1, sign->meaning), false, at, end, !atoms.empty() && atoms.back().end == at});
            at = end;
        } else if (is_digit(text[at])) {
            const std::size_t end = number_end(text, at);
            add(at, end, true);
            at = end;
        } else if (text[at] == '+' && at > 0 && letter(text[at - 1]) &&
                   (at + 1 == text.size() || text[at + 1] == ' ' || text[at + 1] == '-')) {
            add(at, at + 1, false);  // "command r+"
            atoms.back().text = "plus";
            ++at;
        } else if (letter(text[at])) {
            std::size_t end = at;
            while (end < text.size() && letter(text[end]) && !sign_at(text, end)) ++end;
            // "8xH100" are 8 of something, and not "xH".
            const bool times = lower(text[at]) == 'x' && at > 0 && is_digit(text[at - 1]) && end > at + 1 &&
                               end < text.size() && is_digit(text[end]);
            if (times) end = at + 1;
            add(at, end, false);
            const auto number = std::ranges::find(numbers_in_words, atoms.back().text);
            if (number != numbers_in_words.end()) {
                atoms.back().text = std::to_string(number - numbers_in_words.begin() + 2);
                atoms.back().number = true;
            }
            at = end;
        } else {
            ++at;
        }
    }
    return atoms;
}

std::string joined(std::span<const Atom> atoms) {
    std::string text;
    for (const Atom& atom : atoms) text += (text.empty() ? "" : " ") + atom.text;
    return text;
}

std::size_t spelled_at(std::span<const Atom> atoms, std::size_t at, std::string_view words) {
    std::size_t used = 0;
    while (!words.empty()) {
        const std::size_t space = std::min(words.find(' '), words.size());
        if (at + used >= atoms.size() || atoms[at + used].text != words.substr(0, space)) return 0;
        ++used;
        words.remove_prefix(std::min(space + 1, words.size()));
    }
    return used;
}

ReadNumber number_at(std::span<const Atom> atoms, std::size_t at) {
    if (at >= atoms.size() || !atoms[at].number) return {};
    const std::string& text = atoms[at].text;
    const std::size_t point = text.find('.');
    std::string digits = text;
    std::int64_t divisor = 1;
    if (point != std::string::npos) {
        digits.erase(point, 1);
        for (std::size_t i = point + 1; i < text.size(); ++i) {
            const std::optional<std::int64_t> next = checked_multiply(divisor, 10);
            if (!next) return {};
            divisor = *next;
        }
    }
    std::int64_t value = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc{}) return {};
    ReadNumber read{value, 1, false};
    // "1e5", "1.5e5"
    const bool powered = at + 2 < atoms.size() && atoms[at + 1].text == "e" && atoms[at + 1].glued &&
                         atoms[at + 2].number && atoms[at + 2].glued;
    if (powered) {
        const std::string& power = atoms[at + 2].text;
        int zeros = 0;
        constexpr int highest = 18;  // in 64 bits
        const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), zeros);
        if (error != std::errc{} || end != power.data() + power.size() || zeros > highest) return {};
        for (; zeros > 0; --zeros) {
            const std::optional<std::int64_t> product = checked_multiply(read.value, 10);
            if (!product) return {};
            read.value = *product;
        }
        read.atoms = 3;
    } else if (at + 1 < atoms.size() && (atoms[at + 1].text == "million" || atoms[at + 1].text == "thousand")) {
        const std::optional<std::int64_t> product =
            checked_multiply(value, atoms[at + 1].text == "million" ? 1'000'000 : 1'000);
        if (!product) return {};
        read = {*product, 2, false};
    } else if (at + 1 < atoms.size() && (atoms[at + 1].text == "k" || atoms[at + 1].text == "m") &&
               !(at + 2 < atoms.size() && atoms[at + 2].number && atoms[at + 2].glued)) {  // not "2 m4 max"
        const std::int64_t factor = atoms[at + 1].text == "k" ? 1024 : 1024 * 1024;
        const std::optional<std::int64_t> product = checked_multiply(value, factor);
        if (!product) return {};
        read = {*product, 2, true};
    }
    if (read.value % divisor != 0) return {};  // half a token
    read.value /= divisor;
    return read;
}

}  // namespace headcount
