// The claims that can be looked at, checked against the graph once, and the one that is chosen. No part of the
// document.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/state/claims/place.hpp"
#include "app/state/notice.hpp"
#include "app/state/shown.hpp"
#include "core/claims/check.hpp"

namespace headcount {

// One file, with what became of each of its claims.
struct ClaimsGroup {
    std::string key;      // the id of one that ships, the absolute path of one that was opened
    bool opened = false;  // by the user, who may close it again
    ClaimsFile file;
    std::vector<CheckedClaim> checked;  // as long as file.claims
};

// Checks every claim. Errors name the file, the claim and what is wrong with it.
Result<ClaimsGroup> check_group(ClaimsFile file, bool opened, std::span<const Preset> presets);

struct ClaimsPage {
    bool looked = false;  // the groups were read; nobody pays for them before somebody looks
    std::vector<std::shared_ptr<const ClaimsGroup>> groups;
    std::string problem;              // a sentence: why there are none
    std::optional<Shown> model;       // of the claim that is chosen, beside it
    std::optional<ClaimPlace> shown;  // what its diagram was sent to
};

// A claim of the page with what became of it; all null where there is none.
struct FoundClaim {
    const ClaimsGroup* group = nullptr;
    const Claim* claim = nullptr;
    const CheckedClaim* checked = nullptr;

    explicit operator bool() const { return claim != nullptr; }
};
FoundClaim find_claim(const ClaimsPage& page, const ClaimPlace& place);

// The first step that is wrong.
std::optional<std::size_t> wrong_step(const CheckedClaim& checked);

// The page with what the view remembers of it.
struct ClaimsLook {
    ClaimsPage& page;
    ClaimPlace& place;
    std::vector<std::string>& files;  // that were opened besides those that ship
    Notice& notice;                   // of the view
    std::span<const Preset> presets;
};

// In the Claims view: reads the claims when it is opened for the first time, and keeps the diagram beside
// the one that is chosen. Does nothing where everything is there already.
void look_at_claims(const ClaimsLook& look);

// The claim of this id among those that ship. Errors name `where`, and the nearest.
Result<ClaimPlace> named_claim(std::string_view id, std::string_view where);

// Adds a file as a further group, in place of what was read of it before, and chooses its first claim. Returns a
// sentence where it cannot be read: then nothing has changed.
std::string open_claims(const ClaimsLook& look, const std::string& path);

// Chooses and closes; the document is for the caller.
void change_claims(const ClaimsLook& look, const ClaimsIntent& intent);

// The model of the claim that is chosen as a document: its preset, with what the claim changes as edits.
std::optional<Document> document_of_claim(const ClaimsLook& look);

}  // namespace headcount
