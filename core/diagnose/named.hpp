// Names of other programs' tensors, as words.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnose/places.hpp"

namespace headcount {

// "model.layers.0.self_attn.q_proj" as words: what stands behind the layer's number, and that number.
struct Named {
    std::string words;                        // " self attn q proj "
    std::string before = " ";                 // what stands before the number: " model layers "
    std::optional<std::int64_t> number = {};  // as it stands there
    std::optional<std::int64_t> layer = {};   // from 0; absent where a number counts from 1 and is 0
    std::optional<bool> encoder = {};         // whether it says that it is of one, or of a decoder
};

Named named(const std::string& name);

// Names that differ in their number alone.
bool in_one_series(const Named& a, const Named& b);

// Of names beside each other. Where a series reaches past the last layer (x_0 to x_4 of four layers) its numbers count
// from 1, and 0 is what enters the first.
std::vector<Named> named_together(std::span<const TheirTensor> theirs, std::span<const Site> places);

// Whether it has one of these words, "|" between them, each perhaps several behind each other.
bool says(const Named& name, std::string_view words);
// Words that only say that there are layers: with a layer's number that is what leaves the layer.
bool says_nothing(const Named& name);
// Attention to what the encoder has made.
bool says_across(const Named& name);

}  // namespace headcount
