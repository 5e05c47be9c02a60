// A real number out of text, as std::from_chars reads it, also where the standard library does not yet (libc++ before
// 20).
#pragma once

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace headcount {

// What std::from_chars does, by std::strtod, which would also take blanks, a plus and hexadecimal digits.
inline std::from_chars_result read_real_by_strtod(const char* first, const char* last, double& value) {
    const std::string text(first, last);
    const std::size_t sign = text.starts_with('-') ? 1 : 0;
    const bool begins = text.size() > sign && std::string_view("0123456789.iInN").find(text[sign]) != text.npos;
    if (!begins) return {first, std::errc::invalid_argument};
    if (text.size() > sign + 1 && text[sign] == '0' && (text[sign + 1] == 'x' || text[sign + 1] == 'X')) {
        value = sign ? -0.0 : 0.0;
        return {first + sign + 1, std::errc{}};
    }
    char* end = nullptr;
    errno = 0;
    const double read = std::strtod(text.c_str(), &end);
    if (end == text.c_str()) return {first, std::errc::invalid_argument};
    const char* const after = first + (end - text.c_str());
    // Of a number that is small but there, std::strtod also says so.
    if (errno == ERANGE && (read == 0 || std::isinf(read))) return {after, std::errc::result_out_of_range};
    value = read;
    return {after, std::errc{}};
}

// The longest beginning that is a decimal number; no sign but a minus. Errors as std::from_chars: no number, or one
// that is too large or too small for a double, and then `value` stays.
inline std::from_chars_result read_real(const char* first, const char* last, double& value) {
#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 200000
    return read_real_by_strtod(first, last, value);
#else
    return std::from_chars(first, last, value);
#endif
}

// All of a text, with nothing around it but blanks; nothing where that is no number, or none that is finite.
inline std::optional<double> whole_real(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    double value = 0;
    const auto [end, wrong] = read_real(text.data(), text.data() + text.size(), value);
    const bool whole = wrong == std::errc{} && end == text.data() + text.size() && std::isfinite(value);
    return whole ? std::optional(value) : std::nullopt;
}

}  // namespace headcount
