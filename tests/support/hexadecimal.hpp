// Bytes and numbers as golden files have them: hexadecimal, numbers as the bits of big-endian float32.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headcount::testing_data {

inline std::vector<std::byte> bytes_of_hexadecimal(const std::string& text) {
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
        bytes.push_back(static_cast<std::byte>(std::stoi(text.substr(i, 2), nullptr, 16)));
    return bytes;
}

// Where numbers first have other bits than a file says: "number 7 of 64 is 0.5, not -0.5"; empty where they never do.
inline std::string other_than(std::span<const float> numbers, const std::string& text) {
    if (text.size() != numbers.size() * 8)
        return std::to_string(numbers.size()) + " numbers, not " + std::to_string(text.size() / 8);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto bits = static_cast<std::uint32_t>(std::stoul(text.substr(i * 8, 8), nullptr, 16));
        if (bits != std::bit_cast<std::uint32_t>(numbers[i]))
            return "number " + std::to_string(i) + " of " + std::to_string(numbers.size()) + " is " +
                   std::to_string(numbers[i]) + ", not " + std::to_string(std::bit_cast<float>(bits));
    }
    return "";
}

}  // namespace headcount::testing_data
