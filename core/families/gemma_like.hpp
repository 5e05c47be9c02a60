// What the families called Gemma share.
#pragma once

#include "core/families/config_reader.hpp"

namespace headcount {

// Gemma's configurations can turn the model into an encoder, which is no decoder-only model.
inline void refuse_later_tokens(ConfigReader& reader) {
    constexpr std::string_view field = "use_bidirectional_attention";
    if (reader.flag({field}, false))
        reader.reject(field, "attention to later tokens is not part of a decoder-only model", "set it to false");
}

}  // namespace headcount
