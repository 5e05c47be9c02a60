// Reads and checks claims when they are looked at, and chooses among them.
#include "app/state/claims/page.hpp"

#include <algorithm>
#include <filesystem>

#include "app/state/in_view.hpp"
#include "core/files/documents.hpp"

namespace headcount {
namespace {

void add_group(ClaimsPage& page, ClaimsGroup group) {
    auto shared = std::make_shared<const ClaimsGroup>(std::move(group));
    const auto found = std::find_if(page.groups.begin(), page.groups.end(),
                                    [&](const auto& each) { return each->key == shared->key; });
    if (found != page.groups.end())
        *found = std::move(shared);
    else
        page.groups.push_back(std::move(shared));
}

void read_shipped(Session& session) {
    ClaimsPage& page = session.claims;
    Result<std::vector<ClaimsFile>> files = shipped_claims();
    if (!files) {
        page.problem = sentence(files.error());
        return;
    }
    for (ClaimsFile& file : *files) {
        Result<ClaimsGroup> group = check_group(std::move(file), false, session.presets);
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

// Those that were open the last time. One that is gone, or wrong by now, is said once.
void read_opened(Session& session) {
    std::vector<std::string>& paths = session.view.claims_files;
    std::erase_if(paths, [&](const std::string& path) {
        Result<ClaimsGroup> group = read_group(path, session.presets);
        if (group)
            add_group(session.claims, std::move(*group));
        else
            session.view.notice = "Claims could not be opened again: " + sentence(group.error());
        return !group;
    });
}

void read_groups(Session& session) {
    session.claims.looked = true;
    read_shipped(session);
    read_opened(session);
}

void choose(Session& session, const ClaimsGroup& group, std::size_t index) {
    session.view.claim = {group.key, group.file.claims[index].id, wrong_step(group.checked[index])};
}

// The place that is lit: of the step, or of the claim.
std::string_view place_of(const FoundClaim& found, const ClaimPlace& place) {
    if (!place.step) return found.checked->at;
    const std::string& at = found.checked->steps[*place.step].at;
    return at.empty() ? found.checked->at : at;
}

void show_claim(Session& session, const FoundClaim& found) {
    const Result<CountedModelPtr> model = claim_model(*found.claim, session.presets);
    std::optional<Shown>& beside = session.claims.model;
    if (!model || show_model(beside, (*model)->architecture, (*model)->input)) return beside.reset();
    light(*beside, place_of(found, session.view.claim));
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
    const auto found =
        std::find_if(checked.steps.begin(), checked.steps.end(), [](const CheckedStep& step) { return !step.right; });
    if (found == checked.steps.end()) return std::nullopt;
    return static_cast<std::size_t>(found - checked.steps.begin());
}

void look_at_claims(Session& session) {
    ClaimsPage& page = session.claims;
    if (!page.looked) read_groups(session);
    ClaimPlace& place = session.view.claim;
    FoundClaim found = find_claim(page, place);
    if (!found && !page.groups.empty()) {
        choose(session, *page.groups.front(), 0);
        found = find_claim(page, place);
    }
    if (!found) return page.model.reset();
    if (place.step && *place.step >= found.checked->steps.size()) place.step.reset();
    if (page.shown == place) return;
    page.shown = place;
    show_claim(session, found);
}

std::string open_claims(Session& session, const std::string& path) {
    const std::string whole = absolute_path(path);
    Result<ClaimsGroup> group = read_group(whole, session.presets);
    if (!group) return "Could not be opened: " + sentence(group.error());
    if (!session.claims.looked) read_groups(session);
    choose(session, *group, 0);
    add_group(session.claims, std::move(*group));
    session.claims.shown.reset();
    std::vector<std::string>& paths = session.view.claims_files;
    if (std::find(paths.begin(), paths.end(), whole) == paths.end()) paths.push_back(whole);
    return "";
}

void change_claims(Session& session, const ClaimsIntent& intent) {
    ClaimsPage& page = session.claims;
    if (const auto* chosen = std::get_if<ChooseClaim>(&intent)) {
        const FoundClaim found = find_claim(page, {chosen->file, chosen->claim, {}});
        if (found) session.view.claim = {chosen->file, chosen->claim, wrong_step(*found.checked)};
    } else if (const auto* step = std::get_if<ChooseStep>(&intent)) {
        session.view.claim.step = step->step;
        page.shown.reset();  // pressed once more, it is gone to once more
    } else if (const auto* close = std::get_if<CloseClaims>(&intent)) {
        std::erase_if(page.groups, [&](const auto& group) { return group->opened && group->key == close->file; });
        std::erase(session.view.claims_files, close->file);
    }
}

std::optional<Document> document_of_claim(const Session& session) {
    const FoundClaim found = find_claim(session.claims, session.view.claim);
    if (!found) return std::nullopt;
    const Preset* const preset = find_preset(session.presets, found.claim->model.preset);
    const Result<CountedModelPtr> model = claim_model(*found.claim, session.presets);
    if (!preset || !model) return std::nullopt;
    Document document = document_of(*preset);
    document.architecture = (*model)->architecture;
    document.architecture.name = preset->architecture.name;
    document.input = found.claim->input;
    return document;
}

}  // namespace headcount
