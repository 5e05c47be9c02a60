// The names that transformers gives a model's classes, put together from the one that they begin with.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace headcount {

// A text known when compiling, so that two can be joined.
template <std::size_t N>
struct FixedText {
    std::array<char, N> letters{};

    constexpr FixedText(const char (&text)[N]) { std::copy(text, text + N, letters.begin()); }
};

template <FixedText first, FixedText second>
inline constexpr auto joined_letters = [] {
    std::array<char, first.letters.size() + second.letters.size() - 2> all{};
    auto end = std::copy(first.letters.begin(), first.letters.end() - 1, all.begin());
    std::copy(second.letters.begin(), second.letters.end() - 1, end);
    return all;
}();

template <FixedText first, FixedText second>
inline constexpr std::string_view joined_name{joined_letters<first, second>.data(),
                                              joined_letters<first, second>.size()};

// Of a decoder like LLaMA.
struct DecoderClasses {
    std::string_view causal_lm, model, layer, attention, feed_forward, rotary, rms_norm;
};

// "Qwen2ForCausalLM", "Qwen2Model", ...
template <FixedText name>
inline constexpr DecoderClasses classes_of{
    .causal_lm = joined_name<name, "ForCausalLM">,
    .model = joined_name<name, "Model">,
    .layer = joined_name<name, "DecoderLayer">,
    .attention = joined_name<name, "Attention">,
    .feed_forward = joined_name<name, "MLP">,
    .rotary = joined_name<name, "RotaryEmbedding">,
    .rms_norm = joined_name<name, "RMSNorm">,
};

}  // namespace headcount
