// Which sort of model it is, as people sort them: what it reads, and what it makes of that.
#pragma once

#include <array>
#include <string_view>

#include "core/arch/architecture.hpp"

namespace headcount {

enum class ModelKind {
    decoder,  // text, token by token
    encoder,  // text, all at once
    both,     // an encoder's text beside a decoder's
    state,    // text, and some of its layers keep a state in the place of keys and values
    image,    // an image, or sound as one
    sound,    // moments of sound
};
// In the same order: in saved documents and for tests.
inline constexpr std::array<std::string_view, 6> model_kind_keys{"decoder", "encoder", "both",
                                                                 "state",   "image",   "sound"};

ModelKind kind_of(const Architecture& arch);

}  // namespace headcount
