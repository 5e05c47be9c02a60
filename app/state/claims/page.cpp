// Reads and checks claims when they are looked at, and chooses among them.
#include "app/state/claims/page.hpp"

#include <algorithm>

#include "app/state/overloaded.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/documents.hpp"

namespace headcount {
namespace {

void add_group(ClaimsPage& page, ClaimsGroup group) {
    auto shared = std::make_shared<const ClaimsGroup>(std::move(group));
    const auto found = std::ranges::find_if(page.groups, [&](const auto& each) { return each->key == shared->key; });
    if (found != page.groups.end())
        *found = std::move(shared);
    else
        page.groups.push_back(std::move(shared));
}

void read_shipped(ClaimsPage& page, std::span<const Preset> presets) {
    Result<std::vector<ClaimsFile>> files = shipped_claims();
    if (!files) {
        page.problem = sentence(files.error());
        return;
    }
    for (ClaimsFile& file : *files) {
        Result<ClaimsGroup> group = check_group(std::move(file), false, presets);
        if (group)
            add_group(page, std::move(*group));
        else
            page.problem = sentence(group.error());
    }
}

Result<ClaimsGroup> read_group(const std::string& path, std::span<const Preset> presets) {
    Result<ClaimsFile> file = read_claims(path);
    if (!file) return file.error();
    return check_group(std::move(*file), true, presets);
}

// Those that ship, and those that were open the last time. One of these that is gone, or wrong by now, is said once.
void read_groups(const ClaimsLook& look) {
    look.page.looked = true;
    read_shipped(look.page, look.presets);
    std::erase_if(look.files, [&](const std::string& path) {
        Result<ClaimsGroup> group = read_group(path, look.presets);
        if (group)
            add_group(look.page, std::move(*group));
        else
            look.notice = notice_of_program("Claims could not be opened again: " + sentence(group.error()));
        return !group;
    });
}

ClaimPlace first_of(const ClaimsGroup& group) {
    return {group.key, group.file.claims.front().id, wrong_step(group.checked.front())};
}

// The place that is lit: of the step, or of the claim.
std::string_view place_of(const FoundClaim& found, const ClaimPlace& place) {
    if (!place.step) return found.checked->at;
    const std::string& at = found.checked->steps[*place.step].at;
    return at.empty() ? found.checked->at : at;
}

void show_claim(const ClaimsLook& look, const FoundClaim& found) {
    const Result<CountedModelPtr> model = claim_model(*found.claim, look.presets);
    std::optional<Shown>& beside = look.page.model;
    if (!model || show_model(beside, (*model)->architecture, (*model)->input)) return beside.reset();
    light(*beside, place_of(found, look.place));
}

}  // namespace

Result<ClaimsGroup> check_group(ClaimsFile file, bool opened, std::span<const Preset> presets) {
    ClaimsGroup group{opened ? file.path.string() : file.id, opened, std::move(file), {}};
    for (const Claim& claim : group.file.claims) {
        Result<CheckedClaim> checked = check_claim(claim, presets);
        if (!checked) return within(group.file.path.string(), within(claim.id, checked.error()));
        group.checked.push_back(std::move(*checked));
    }
    return group;
}

Result<ClaimPlace> named_claim(std::string_view id, std::string_view where) {
    const Result<std::vector<ClaimsFile>> files = shipped_claims();
    if (!files) return files.error();
    std::vector<std::string_view> known;
    for (const ClaimsFile& file : *files)
        for (const Claim& claim : file.claims) {
            if (claim.id == id) return ClaimPlace{file.id, claim.id, {}};
            known.push_back(claim.id);
        }
    return Error{"there is no claim " + quote(id), std::string(where),
                 did_you_mean(id, known, "\"headcount claims\" lists them")};
}

FoundClaim find_claim(const ClaimsPage& page, const ClaimPlace& place) {
    for (const auto& group : page.groups) {
        if (group->key != place.file) continue;
        for (std::size_t i = 0; i < group->file.claims.size(); ++i)
            if (group->file.claims[i].id == place.claim)
                return {group.get(), &group->file.claims[i], &group->checked[i]};
    }
    return {};
}

std::optional<std::size_t> wrong_step(const CheckedClaim& checked) {
    const auto found = std::ranges::find_if(checked.steps, [](const CheckedStep& step) { return !step.right; });
    if (found == checked.steps.end()) return std::nullopt;
    return static_cast<std::size_t>(found - checked.steps.begin());
}

void look_at_claims(const ClaimsLook& look) {
    ClaimsPage& page = look.page;
    if (!page.looked) read_groups(look);
    ClaimPlace& place = look.place;
    if (!find_claim(page, place) && !page.groups.empty()) place = first_of(*page.groups.front());
    const FoundClaim found = find_claim(page, place);
    if (!found) return page.model.reset();
    if (place.step && *place.step >= found.checked->steps.size()) place.step.reset();
    if (page.shown == place) return;
    page.shown = place;
    show_claim(look, found);
}

std::string open_claims(const ClaimsLook& look, const std::string& path) {
    const std::string whole = absolute_path(path);
    Result<ClaimsGroup> group = read_group(whole, look.presets);
    if (!group) return "Could not be opened: " + sentence(group.error());
    if (!look.page.looked) read_groups(look);
    look.place = first_of(*group);
    add_group(look.page, std::move(*group));
    look.page.shown.reset();
    if (!contains(look.files, whole)) look.files.push_back(whole);
    return "";
}

void change_claims(const ClaimsLook& look, const ClaimsIntent& intent) {
    ClaimsPage& page = look.page;
    std::visit(Overloaded{
                   [&](const ChooseClaim& chosen) {
                       const FoundClaim found = find_claim(page, {chosen.file, chosen.claim, {}});
                       if (found) look.place = {chosen.file, chosen.claim, wrong_step(*found.checked)};
                   },
                   [&](const ChooseStep& chosen) {
                       look.place.step = chosen.step;
                       page.shown.reset();  // pressed once more, it is gone to once more
                   },
                   [&](const CloseClaims& closed) {
                       std::erase_if(page.groups,
                                     [&](const auto& group) { return group->opened && group->key == closed.file; });
                       std::erase(look.files, closed.file);
                   },
                   [](const OpenClaimModel&) {},
               },
               intent);
}

std::optional<Document> document_of_claim(const ClaimsLook& look) {
    const FoundClaim found = find_claim(look.page, look.place);
    if (!found) return std::nullopt;
    const Preset* const preset = find_preset(look.presets, found.claim->model.preset);
    const Result<CountedModelPtr> model = claim_model(*found.claim, look.presets);
    if (!preset || !model) return std::nullopt;
    Document document = document_of(*preset);
    document.architecture = (*model)->architecture;
    document.architecture.name = preset->architecture.name;
    document.input = found.claim->input;
    return document;
}

}  // namespace headcount
