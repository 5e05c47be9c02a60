// Fuzzes the reader of llama2c files, which takes the bytes of one file.
#include "core/checkpoints/llama2c.hpp"

#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace headcount;
    fuzz::check(read_llama2c(std::as_bytes(std::span(data, size)), "FILE"), size);
    return 0;
}
