// Names of other programs' tensors, as words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headcount {

// "model.layers.0.self_attn.q_proj" as words: what stands behind the layer's number, and that number.
struct Named {
    std::string words;  // " self attn q proj "
    std::optional<std::int64_t> layer = {};
    std::optional<bool> encoder = {};  // whether it says that it is of one, or of a decoder
};

Named named(const std::string& name);

// Whether it has one of these words, "|" between them, each perhaps several behind each other.
bool says(const Named& name, std::string_view words);
// Words that only say that there are layers: with a layer's number that is what leaves the layer.
bool says_nothing(const Named& name);
// Attention to what the encoder has made.
bool says_across(const Named& name);

}  // namespace headcount
