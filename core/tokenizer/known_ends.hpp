// The names that models' makers gave to the token after which a text, or a turn of a talk, is over.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace headcount {

inline bool ends_a_text(std::string_view token) {
    constexpr std::array<std::string_view, 12> names{
        "</s>",    "<|endoftext|>", "<|end_of_text|>", "<|eot_id|>", "<|im_end|>", "<eos>",
        "<|end|>", "<end_of_turn>", "<|return|>",      "<|eom_id|>", "<|eot|>",    "<|END_OF_TURN_TOKEN|>"};
    return std::find(names.begin(), names.end(), token) != names.end();
}

}  // namespace headcount
