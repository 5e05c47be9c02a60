// Works out memory and arithmetic for what the Costs view remembers, when somebody looks.
#include "app/state/costs_page.hpp"

#include <algorithm>

#include "app/state/session.hpp"
#include "core/analysis/rates.hpp"
#include "core/arch/validate.hpp"
#include "core/base/checked.hpp"
#include "core/files/devices.hpp"

namespace headcount {
namespace {

bool on_the_screen(const View& view) {
    if (view.workspace == Workspace::costs) return true;
    return view.workspace == Workspace::explore && !view.show.presenting &&
           (view.bottom_tab == BottomTab::memory || view.bottom_tab == BottomTab::compute);
}

BoundGraph bound(const Architecture& arch, const Input& input) {
    return {expand(arch, input.cached > 0 ? Cache::filled : Cache::empty), bindings(arch, input)};
}

MemoryOptions options_of(const CostsBasis& basis) {
    const CostsPlace& place = basis.place;
    MemoryOptions options;
    options.weights = basis.input.precision;
    options.cache = place.cache.value_or(default_cache(options.weights));
    options.scores = place.scores;
    if (place.training) options.training = place.how;
    options.sharding = place.sharding;
    return options;
}

// What the pass reads, and behind what: a decoding step makes the last of all tokens, a training step has no cache.
Input input_of(const CostsBasis& basis) {
    Input input = basis.input;
    if (basis.place.phase == CostsPhase::prefill) return input;
    input = all_at_once(input);
    if (basis.place.phase == CostsPhase::training) return input;
    input.cached = input.tokens - 1;
    input.tokens = 1;
    return input;
}

std::optional<Error> work_out_pass(Costs& costs, std::int64_t multiplied) {
    const CostsBasis& basis = costs.of;
    const Input input = input_of(basis);
    const bool training = basis.place.phase == CostsPhase::training;
    costs.run = bound(basis.architecture, input);
    costs.roof = roof_of(costs.device, costs.options.weights);
    const WorkOptions options{.weights = costs.options.weights, .cache = costs.options.cache, .trained = training};
    Result<FastestPass> found =
        fastest_pass(basis.architecture, costs.run.graph, costs.run.bindings, options, costs.roof);
    if (!found) return found.error();
    costs.pass = training ? training_work(found->pass) : std::move(found->pass);
    if (found->anew) costs.anew = training ? training_work(*found->anew) : std::move(*found->anew);
    std::vector<Expr> flops, bytes;
    for (const OperationWork& work : costs.pass.operations) {
        if (work.flops > 0) flops.push_back(work.flops_formula);
        if (work.bytes > 0) bytes.push_back(work.bytes_formula);
    }
    costs.flops_formula = sum_of(flops);
    costs.bytes_formula = sum_of(bytes);
    costs.pass_tokens = checked_multiply(input.tokens, input.batch).value_or(0);
    costs.rule =
        operations_by_rule(multiplied, static_cast<double>(input.tokens) * static_cast<double>(input.batch), training);
    return std::nullopt;
}

// A saved document may name a device that no longer ships.
void mend_device(CostsPage& page, CostsPlace& place) {
    const auto known = std::any_of(page.devices.begin(), page.devices.end(),
                                   [&](const Device& device) { return device.id == place.device; });
    if (!known && !page.devices.empty()) place.device = page.devices.front().id;
}

// Found by search, and seen in the Costs view alone: in Explore a drag does not wait for it.
void find_rooms(CostsPage& page) {
    Costs costs = *page.shown;
    const MemoryFormulas formulas(costs.of.architecture, costs.held.graph, costs.options);
    for (const Device& each : page.devices) costs.rooms.push_back(formulas.room(each, costs.held.bindings));
    page.shown = std::make_shared<const Costs>(std::move(costs));
}

void read_devices(CostsPage& page) {
    page.looked = true;
    Result<std::vector<Device>> devices = shipped_devices();
    if (devices)
        page.devices = std::move(*devices);
    else
        page.wrong = devices.error();
}

}  // namespace

Result<Costs> costs_of(const CostsBasis& basis, std::int64_t multiplied, const std::vector<Device>& devices) {
    Costs costs;
    costs.of = basis;
    costs.options = options_of(basis);
    Result<Device> device = find_device(devices, basis.place.device);
    if (!device) return within("device", device.error());
    costs.device = std::move(*device);
    if (std::optional<Error> wrong = wrong_options(costs.options, basis.architecture)) return *wrong;
    costs.held = bound(basis.architecture, all_at_once(basis.input));
    const MemoryFormulas formulas(basis.architecture, costs.held.graph, costs.options);
    Result<Memory> memory = formulas.at(costs.held.bindings);
    if (!memory) return memory.error();
    costs.memory = std::move(*memory);
    if (std::optional<Error> error = work_out_pass(costs, multiplied)) return *error;
    return costs;
}

void look_at_costs(Session& session) {
    if (!on_the_screen(session.view)) return;
    CostsPage& page = session.costs;
    if (!page.looked) read_devices(page);
    if (page.devices.empty()) return;
    mend_device(page, session.view.costs);
    const Counted& counted = session.derived.shown;
    CostsBasis basis{counted.architecture, counted.input, session.view.costs};
    if (page.tried != basis) {
        Result<Costs> costs = costs_of(basis, counted.parameters.active_multiplied, page.devices);
        page.tried = std::move(basis);
        page.wrong.reset();
        if (costs)
            page.shown = std::make_shared<const Costs>(std::move(*costs));
        else
            page.wrong = costs.error();
    }
    if (session.view.workspace == Workspace::costs && page.shown && page.shown->rooms.empty()) find_rooms(page);
}

void change_costs(Session& session, const CostsIntent& intent) {
    session.view.costs = intent.place;
}

}  // namespace headcount
