// The JSON at the front of a .safetensors file: what it says of each tensor, not yet whether the tensors fit the file.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/checkpoints/checkpoint.hpp"

namespace headcount {

struct SafetensorsHeader {
    // Their offsets count from the end of the header, and bytes is what their two offsets give, which is what shape and
    // type take.
    std::vector<CheckpointTensor> tensors;
    nlohmann::json metadata = nlohmann::json::object();
};

// Errors name `file` and a JSON pointer, or the byte, where the text begins at byte `first_byte`: a field that is
// missing, there twice or of another kind; an unknown type; a shape whose size does not fit 64 bits; two offsets that
// are not as far apart as shape and type say. Fields that the format does not have are passed over.
Result<SafetensorsHeader> read_safetensors_header(std::string_view text, const std::string& file,
                                                  std::uint64_t first_byte);

}  // namespace headcount
