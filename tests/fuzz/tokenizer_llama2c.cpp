// Fuzzes the reader of llama2.c's tokenizer.bin.
#include "tests/fuzz/tokenizer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace headcount;
    fuzz::check(Tokenizer::from_llama2c(std::as_bytes(std::span(data, size)), "FILE", 1 << 16), "abc");
    return 0;
}
