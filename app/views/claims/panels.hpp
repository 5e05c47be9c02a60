// The panels of the Claims view: published statements, and the one that is chosen. Their windows leave 16 px and 24 px
// around.
#pragma once

#include "app/state/claims/page.hpp"
#include "app/state/claims/place.hpp"
#include "app/state/intent.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

Intents draw_claims_list(const Ui& ui, const ClaimsPage& page, const ClaimPlace& chosen);
Intents draw_claim(const Ui& ui, const ClaimsPage& page, const ClaimPlace& chosen);

}  // namespace headcount
