// Writes safetensors files for tests: well-formed ones, and broken ones from whatever header is given.
#pragma once

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace headcount::testing_data {

// A file with this header and so many bytes of data.
inline std::string safetensors_file(std::string_view header, std::size_t data = 0) {
    const std::uint64_t length = header.size();
    std::string bytes(sizeof(length), '\0');
    std::memcpy(bytes.data(), &length, sizeof(length));
    return bytes + std::string(header) + std::string(data, '\0');
}

struct Bf16Tensor {
    std::string name;
    std::vector<std::int64_t> shape;
};

// A good file of these tensors, one after the other: its bytes without the data, and how many the whole has.
struct SafetensorsHead {
    std::string bytes;
    std::uint64_t whole = 0;
};

inline SafetensorsHead safetensors_head(const std::vector<Bf16Tensor>& tensors) {
    nlohmann::ordered_json header = {{"__metadata__", {{"format", "pt"}}}};
    std::int64_t at = 0;
    for (const Bf16Tensor& tensor : tensors) {
        std::int64_t bytes = 2;
        for (const std::int64_t length : tensor.shape) bytes *= length;
        header[tensor.name] = {{"dtype", "BF16"}, {"shape", tensor.shape}, {"data_offsets", {at, at + bytes}}};
        at += bytes;
    }
    SafetensorsHead head{safetensors_file(header.dump()), 0};
    head.whole = head.bytes.size() + static_cast<std::uint64_t>(at);
    return head;
}

}  // namespace headcount::testing_data
