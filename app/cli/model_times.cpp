// What is said of how long a model's passes take, and at what price, where a device is named.
#include <algorithm>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/analysis/links.hpp"
#include "core/analysis/made_for.hpp"
#include "core/analysis/sweep.hpp"
#include "core/base/find.hpp"
#include "core/files/measured.hpp"
#include "core/report/costs_report.hpp"
#include "core/report/measured_report.hpp"

namespace headcount {

Failure no_speed(const OpenedDocument& opened, Phase phase) {
    const std::optional<Device>& device = opened.pass.device;
    if (!device || opened.pass.roof_for(opened.document.input, phase)) return std::nullopt;
    return Error{"how fast it is, is not published", device->id, "use another, such as rtx-4090"};
}

void note_speed(OpenedDocument& opened, Notes& said) {
    if (!no_speed(opened, Phase::prefill)) return;
    std::string note = unpublished_speed(*opened.pass.device) + ".";
    if (!contains(said, note)) said.push_back(note);
    opened.notes.push_back(std::move(note));
}

Result<LikelyPasses> likely_passes(const OpenedDocument& opened, const Passes& passes,
                                   const std::filesystem::path& more) {
    LikelyPasses likely;
    const Input& input = opened.document.input;
    if (!opened.pass.device) return likely;
    Result<std::vector<Measurement>> all = all_measured(more);
    if (!all) return all.error();
    const auto measured = std::make_shared<Measured>(*std::move(all));
    likely.reached = reached_by(measured);
    const BoundWith step = step_bound(opened.document.architecture, input, opened.pass);
    for (const Phase phase : {Phase::prefill, Phase::decode, Phase::training})
        if (const Result<Pass>& pass = passes.of(phase); pass && pass->roof) {
            Result<Likely> found = measured->likely(*pass, phase, step, input, opened.pass);
            if (found)
                likely.found.push_back(*std::move(found));
            else
                likely.unsaid.push_back(unlikely_words(phase, found.error()));
        }
    return likely;
}

Result<std::vector<Hire>> hires_of(const OpenedDocument& opened, const Passes& passes,
                                   const std::vector<Likely>& likely, const HireTerms& terms,
                                   const std::filesystem::path& more) {
    if (!opened.pass.device) return no_hours(terms);
    std::vector<Hire> hires;
    const Input& input = opened.document.input;
    const auto add = [&](const Pass& pass, Phase phase, const Input& asked, const std::optional<Likely>& how_likely) {
        if (std::optional<Hire> hire = hire_of(pass, phase, asked, opened.pass, terms, how_likely))
            hires.push_back(*hire);
    };
    for (const Phase phase : {Phase::prefill, Phase::decode, Phase::training}) {
        const Result<Pass>& shared = passes.of(phase);
        if (!shared && phase == Phase::training && terms.train_tokens) return shared.error();
        if (!shared) continue;
        const auto of_phase = std::ranges::find(likely, phase, &Likely::phase);
        add(*shared, phase, input, of_phase == likely.end() ? std::nullopt : std::optional(*of_phase));
        if (phase != Phase::decode || input.batch == 1) continue;
        Input alone = input;
        alone.batch = 1;
        const Result<Pass> pass = device_pass_of(opened.document.architecture, alone, phase, opened.pass);
        if (!pass) return pass.error();
        const BoundWith step = step_bound(opened.document.architecture, alone, opened.pass);
        Result<std::vector<Measurement>> all = all_measured(more);
        if (!all) return all.error();
        const Result<Likely> found = Measured(*std::move(all)).likely(*pass, phase, step, alone, opened.pass);
        add(*pass, phase, alone, found ? std::optional(*found) : std::nullopt);
    }
    return hires;
}

}  // namespace headcount
