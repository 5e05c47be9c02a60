// What every fuzz target promises of what a reader gives back. libFuzzer calls LLVMFuzzerTestOneInput of each target.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/checkpoints/checkpoint.hpp"
#include "core/checkpoints/infer.hpp"

namespace headcount::fuzz {

inline void demand(bool kept, const char* promise) {
    if (kept) return;
    std::fprintf(stderr, "a promise was broken: %s\n", promise);
    std::abort();
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

template <class T>
bool read_or_refused(const Result<T>& result) {
    if (!result) demand(!result.error().what.empty(), "an error says what is wrong");
    return static_cast<bool>(result);
}

// Of a file with so many bytes.
inline void check(const Result<Checkpoint>& checkpoint, std::size_t bytes) {
    if (!read_or_refused(checkpoint)) {
        demand(checkpoint.error().where.starts_with("FILE"), "an error names the file");
        return;
    }
    std::vector<std::string_view> names;
    for (const CheckpointTensor& tensor : checkpoint->tensors) {
        const auto length = static_cast<std::uint64_t>(tensor.bytes);
        // Where an empty one lies says nothing.
        demand(length == 0 || (tensor.bytes > 0 && length <= bytes && tensor.offset <= bytes - length),
               "tensors lie in the file");
        demand(tensor.elements >= 0 && tensor.type.elements > 0 &&
                   tensor.elements / tensor.type.elements * tensor.type.bytes == tensor.bytes,
               "a tensor's bytes are those of its elements");
        names.push_back(tensor.name);
    }
    std::sort(names.begin(), names.end());
    demand(std::adjacent_find(names.begin(), names.end()) == names.end(), "names are unique");
    demand(checkpoint->metadata.is_object(), "metadata are an object");
    demand(checkpoint->bytes == static_cast<std::int64_t>(bytes), "the file's size is known");
    read_or_refused(config_of_tensors(*checkpoint));
    if (checkpoint->format.starts_with("GGUF")) read_or_refused(config_of_gguf(*checkpoint));
}

}  // namespace headcount::fuzz
