// Fuzzes the reader of gguf files, which takes the bytes of one file.
#include "core/checkpoints/gguf.hpp"

#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace headcount;
    fuzz::check(read_gguf(std::as_bytes(std::span(data, size)), "FILE"), size);
    return 0;
}
