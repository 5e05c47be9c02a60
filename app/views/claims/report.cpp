// The claim in sight, as the report for tests has it.
#include <nlohmann/json.hpp>

#include "app/views/claims/space.hpp"

namespace headcount {
namespace {

using Json = nlohmann::ordered_json;

// Null outside of the Claims view.
Json claim_json(const Session& session) {
    const FoundClaim found = find_claim(session.claims, session.view.claim);
    if (session.view.workspace != claims_view || !found) return nullptr;
    const std::optional<std::size_t> step = session.view.claim.step;
    return {{"file", found.group->key},
            {"id", found.claim->id},
            {"verdict", verdict_key(found.checked->verdict)},
            {"recorded", verdict_key(found.claim->recorded)},
            {"computed", found.checked->computed.text},
            {"step", step ? Json(*step) : Json(nullptr)}};
}

}  // namespace

void report_claims(const Session& session, nlohmann::ordered_json& report) {
    report["claim"] = claim_json(session);
}

}  // namespace headcount
