// Fuzzes the reader of tokenizer.json; what follows the first zero byte is a text to be made into tokens.
#include "tests/fuzz/tokenizer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace headcount;
    const std::string_view all = fuzz::text_of(data, size);
    const std::size_t end = std::min(all.find('\0'), all.size());
    fuzz::check(Tokenizer::from_json(all.substr(0, end), "FILE"), all.substr(std::min(end + 1, all.size())));
    return 0;
}
