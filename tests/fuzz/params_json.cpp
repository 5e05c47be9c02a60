// Fuzzes the reader of Meta's params.json: what it takes is expanded.
#include "core/base/json_file.hpp"
#include "core/files/params.hpp"
#include "core/graph/graph.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace headcount;
    const Result<nlohmann::json> json = parse_json(fuzz::text_of(data, size), "FILE");
    if (!fuzz::read_or_refused(json)) return 0;
    const Result<Architecture> arch = read_params(*json, 32000, "FILE");
    if (fuzz::read_or_refused(arch)) expand(*arch);
    return 0;
}
