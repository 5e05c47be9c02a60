// Fuzzes the reader of claims: what it takes is checked against the graph, and the verdict is explained.
#include "core/claims/check.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace headcount;
    static const std::vector<Preset> presets = *shipped_presets();
    const Result<ClaimsFile> file = parse_claims(fuzz::text_of(data, size), "FILE");
    if (!fuzz::read_or_refused(file)) return 0;
    for (const Claim& claim : file->claims) {
        const Result<CheckedClaim> checked = check_claim(claim, presets);
        if (!fuzz::read_or_refused(checked)) continue;
        fuzz::demand(checked->steps.size() == claim.steps.size(), "every step is checked");
        fuzz::demand(!checked->claimed.empty() && !checked->computed.text.empty(), "both sides can be shown");
    }
    return 0;
}
