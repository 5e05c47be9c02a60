// Which published claim is looked at, and what the Claims view asks for. Small, and none of it touches the document
// but the last.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>

namespace headcount {

struct ClaimPlace {
    std::string file;                 // of ClaimsGroup::key; empty: the first claim that there is
    std::string claim;                // its id
    std::optional<std::size_t> step;  // that is lit; absent: the place of the claim itself

    bool operator==(const ClaimPlace&) const = default;
};

struct ChooseClaim {
    std::string file, claim;
};
struct ChooseStep {
    std::size_t step = 0;
};
struct CloseClaims {  // a file that was opened
    std::string file;
};
struct OpenClaimModel {};  // as the document, to be explored

using ClaimsIntent = std::variant<ChooseClaim, ChooseStep, CloseClaims, OpenClaimModel>;

}  // namespace headcount
