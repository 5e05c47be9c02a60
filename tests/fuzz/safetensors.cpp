// Fuzzes the reader of safetensors files, which takes the bytes of one file.
#include "core/checkpoints/safetensors.hpp"

#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace headcount;
    fuzz::check(read_safetensors(std::as_bytes(std::span(data, size)), "FILE"), size);
    return 0;
}
