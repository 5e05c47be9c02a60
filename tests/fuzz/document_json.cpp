// Fuzzes the reader of documents that Headcount saved: what it takes is saved and restored the same.
#include "app/state/storage.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace headcount;
    const Result<Saved> saved = saved_from_text(fuzz::text_of(data, size), "FILE");
    if (!fuzz::read_or_refused(saved)) return 0;
    const Result<Saved> again = saved_from_text(saved_text(*saved), "FILE");
    fuzz::demand(static_cast<bool>(again), "what is saved can be restored");
    fuzz::demand(again->document == saved->document, "what is restored is what was saved");
    return 0;
}
