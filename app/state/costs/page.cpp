// Works out memory and arithmetic for what the Costs view remembers, when somebody looks.
#include "app/state/costs/page.hpp"

#include "core/analysis/adapter_work.hpp"
#include "core/analysis/amount_text.hpp"
#include "core/analysis/links.hpp"
#include "core/analysis/rates.hpp"
#include "core/analysis/sweep.hpp"
#include "core/files/devices.hpp"
#include "core/files/stored_formats.hpp"
#include "core/runtime/pool.hpp"
#include "core/runtime/this_machine.hpp"

namespace headcount {
namespace {

std::optional<Error> work_out_pass(Costs& costs) {
    const CostsBasis& basis = costs.of;
    const PassOptions options = options_of(basis.place, &costs.device);
    Result<Pass> found = device_pass_of(basis.architecture, basis.input, basis.place.phase, options);
    if (!found) return found.error();
    costs.run = std::move(*found);
    std::vector<Expr> flops, bytes;
    for (const OperationWork& work : costs.run.work.operations) {
        if (work.flops.counted() > 0) flops.push_back(work.flops_formula);
        if (work.bytes > 0) bytes.push_back(work.bytes_formula);
    }
    costs.flops_formula = sum_of(flops);
    costs.bytes_formula = sum_of(bytes);
    std::optional<Multiplied> adapters;
    if (options.adapters) adapters = multiplied_adapters(costs.run.graph, costs.run.bindings, *options.adapters);
    costs.rule = operations_by_rule(costs.run, costs.held.parameters.multiplied(), basis.place.phase == Phase::training,
                                    adapters);
    return std::nullopt;
}

// A saved document may name a device that no longer ships.
const Device* device_of(const CostsPage& page, const CostsPlace& place) {
    for (const Device& device : page.devices)
        if (device.id == place.device) return &device;
    return nullptr;
}

// What those wait for who use the model, whichever pass is looked at.
void find_served(Costs& costs, const std::shared_ptr<const Reached>& reached) {
    const CostsBasis& basis = costs.of;
    const PassOptions options = options_of(basis.place, &costs.device);
    costs.served = served_of(basis.architecture, basis.input, options);
    costs.likely_served = likely_served_of(basis.architecture, basis.input, options, reached).value_or(Served{});
}

// Found by search, and seen in the Costs view alone: in Explore a drag does not wait for it.
void find_rooms(CostsPage& page) {
    Costs costs = *page.shown;
    find_served(costs, page.reached);
    const MemoryFormulas formulas(costs.of.architecture, costs.held.graph, costs.options);
    costs.rooms = formulas.rooms(page.devices, costs.held.bindings);
    page.shown = std::make_shared<const Costs>(std::move(costs));
}

void say_likely(CostsPage& page, Costs& costs, const PassOptions& options) {
    if (!costs.run.roof || !page.measured) return;  // which is said by itself
    const Phase phase = costs.of.place.phase;
    Result<Likely> likely = page.measured->likely(
        costs.run, phase, step_bound(costs.of.architecture, costs.of.input, options), costs.of.input, options);
    if (likely)
        costs.likely = *std::move(likely);
    else
        costs.unlikely = "How long it likely takes is not said: " + sentence(likely.error()) + ".";
}

void read_devices(CostsPage& page) {
    page.looked = true;
    page.measures = whole_memory().has_value();
    Result<KnownDevices> known = known_devices();
    if (!known) {
        page.wrong = known.error();
        return;
    }
    page.devices = std::move(known->devices);
    page.unread = std::move(known->unread);
}

void read_measured(CostsPage& page) {
    Result<std::vector<Measurement>> measured = all_measured();
    if (measured)
        page.reached = reached_by(page.measured = std::make_shared<Measured>(*std::move(measured)));
    else
        page.unmeasured = measured.error();
}

}  // namespace

Result<Costs> costs_of(const CostsBasis& basis, const std::vector<Device>& devices) {
    Costs costs;
    costs.of = basis;
    Result<Device> device = find_device(devices, basis.place.device);
    if (!device) return within("device", device.error());
    costs.device = std::move(*device);
    costs.options = options_of(basis.place, &costs.device).held(basis.input);
    if (std::optional<Error> wrong = wrong_options(costs.options, basis.architecture)) return *wrong;
    if (costs.options.adapters)
        if (std::optional<Error> wrong = wrong_adapters(expand(basis.architecture), *costs.options.adapters))
            return *wrong;
    Result<CountedModel> held = held_model(basis.architecture, basis.input);
    if (!held) return held.error();
    costs.held = std::move(*held);
    costs.weights_doubt = doubt_on_weights(basis.architecture, basis.input.precision);
    const MemoryFormulas formulas(basis.architecture, costs.held.graph, costs.options);
    Result<Memory> memory = formulas.at(costs.held.bindings);
    if (!memory) return memory.error();
    costs.memory = std::move(*memory);
    if (std::optional<Error> error = work_out_pass(costs)) return *error;
    return costs;
}

PassOptions options_of(const CostsPlace& place, const Device* device) {
    PassOptions options{.pairs = place.full ? Pairs::full : Pairs::causal, .phase = place.phase, .device = {}};
    if (device) options.device = *device;
    options.training = place.how;
    options.adapters = place.adapters;
    options.sharding = place.sharding;
    options.sharding.offload &= place.phase == Phase::training;
    options.serving = place.serving;
    options.scores = place.scores;
    options.price = hire_terms(place).price;
    if (const Result<double> link = parse_bandwidth(place.link, "link")) options.link = *link;
    return options;
}

HireTerms hire_terms(const CostsPlace& place) {
    HireTerms terms;
    if (const Result<double> price = parse_price(place.price, "price")) terms.price = *price;
    if (const Result<std::int64_t> tokens = parse_amount(place.train_tokens, "tokens", Unit::parameters))
        terms.train_tokens = *tokens;
    return terms;
}

Phase phase_for(const CostsPlace& place, const Architecture& arch) {
    const bool at_once = sees_all(arch);
    return at_once && place.phase == Phase::decode ? Phase::prefill : place.phase;
}

void look_at_devices(CostsPage& page, CostsPlace& place) {
    if (!page.looked) read_devices(page);
    if (!page.measured && !page.unmeasured) read_measured(page);
    if (page.devices.empty() || device_of(page, place)) return;
    if (Result<Device> made = parse_device(place.device)) {
        made->id = place.device;
        page.devices.push_back(*std::move(made));
    } else {
        place.device = page.devices.front().id;
    }
}

std::optional<Error> change_costs(CostsPage& page, CostsPlace& place, const CostsIntent& what) {
    if (const auto* set = std::get_if<SetCosts>(&what)) {
        place = set->place;
        return std::nullopt;
    }
    const Result<Device> machine = measure_machine(usual_threads());
    if (!machine) return machine.error();
    if (const auto kept = keep_device(*machine); !kept) return kept.error();
    place.device = machine->id;
    page = {};
    return std::nullopt;
}

PassOptions pass_options(const CostsPage& page, const CostsPlace& place, const Architecture& arch) {
    PassOptions options = options_of(place, device_of(page, place));
    options.phase = phase_for(place, arch);
    if (const std::optional<std::int64_t> group = group_of(options.sharding); !group || *group <= 0)
        options.sharding = {};
    return options;
}

void look_at_costs(CostsPage& page, CostsPlace& place, const Counted& model, bool with_rooms) {
    look_at_devices(page, place);
    if (page.devices.empty()) return;
    CostsBasis basis{model.architecture, model.input, place};
    basis.place.phase = phase_for(place, model.architecture);
    if (page.tried != basis) {
        Result<Costs> costs = costs_of(basis, page.devices);
        page.tried = std::move(basis);
        page.wrong.reset();
        if (costs) {
            const CostsPlace& of = costs->of.place;
            const PassOptions options = options_of(of, &costs->device);
            say_likely(page, *costs, options);
            costs->hire = hire_of(costs->run, of.phase, costs->of.input, options, hire_terms(of), costs->likely);
        }
        if (costs)
            page.shown = std::make_shared<const Costs>(std::move(*costs));
        else
            page.wrong = costs.error();
    }
    if (with_rooms && page.shown && page.shown->rooms.empty()) find_rooms(page);
}

}  // namespace headcount
