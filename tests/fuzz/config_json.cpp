// Fuzzes the reader of Hugging Face configurations: what it takes is expanded, asked what it computes, written, and
// read again.
#include "core/arch/computation.hpp"
#include "core/base/json_file.hpp"
#include "core/files/config.hpp"
#include "core/graph/graph.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace headcount;
    const Result<nlohmann::json> json = parse_json(fuzz::text_of(data, size), "FILE");
    if (!fuzz::read_or_refused(json)) return 0;
    const Result<Architecture> arch = read_config(*json, "FILE");
    if (!fuzz::read_or_refused(arch)) return 0;
    expand(*arch);
    fuzz::read_or_refused(computation_of(*arch));
    const Result<nlohmann::ordered_json> written = write_config(*arch);
    if (!fuzz::read_or_refused(written)) return 0;
    fuzz::demand(static_cast<bool>(read_config(*written, "FILE")), "what is written can be read");
    return 0;
}
