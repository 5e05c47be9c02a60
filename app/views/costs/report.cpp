// The figures, as the report for tests has them.
#include <nlohmann/json.hpp>

#include "app/views/costs/space.hpp"

namespace headcount {
namespace {

using Json = nlohmann::ordered_json;

// Null where nobody has looked.
Json costs_json(const Session& session) {
    const CostsPage& page = session.costs;
    if (!page.shown) return nullptr;
    const Costs& costs = *page.shown;
    const Memory& memory = costs.memory;
    return {{"device", costs.device.id},
            {"training", costs.of.place.training},
            {"phase", costs_phases[static_cast<std::size_t>(costs.of.place.phase)]},
            {"weights", memory.weights.bytes},
            {"kv_cache", memory.cache.bytes},
            {"kv_cache_per_token", memory.cache_per_token.bytes},
            {"activations", memory.activations.bytes},
            {"gradients", memory.gradients.bytes},
            {"optimizer", memory.optimizer.bytes},
            {"total", memory.total},
            {"on_device", memory.device.total},
            {"flops", costs.run.work.flops.counted()},
            {"flops_causal", costs.run.work.flops.causal},
            {"flops_full", costs.run.work.flops.full},
            {"bytes_moved", costs.run.work.bytes},
            {"wrong", page.wrong ? Json(sentence(*page.wrong)) : Json(nullptr)}};
}

}  // namespace

void report_costs(const Session& session, nlohmann::ordered_json& report) {
    report["costs"] = costs_json(session);
}

}  // namespace headcount
