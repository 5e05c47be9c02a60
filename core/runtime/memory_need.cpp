// What a run takes, read off the same plan that it runs by.
#include "core/runtime/memory_need.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/runtime/plan.hpp"
#include "core/runtime/weights.hpp"

namespace headcount {

Result<MemoryNeed> memory_need(const Architecture& arch, const RunOptions& options) {
    const ModelGraph graph = expand(arch, Cache::filled);
    const Result<std::int64_t> weights = Weights::bytes_of(arch, graph);
    if (!weights) return weights.error();
    const Result<RunPlan> plan = make_plan(arch, graph, options);
    if (!plan) return plan.error();
    const auto bytes = [](std::int64_t floats) { return checked_multiply(floats, std::int64_t{sizeof(float)}); };
    const std::optional<std::int64_t> both = checked_add(plan->kept, plan->scratch);
    const std::optional<std::int64_t> activations = both ? bytes(*both) : std::nullopt, caches = bytes(plan->cache);
    const std::optional<std::int64_t> run = activations && caches ? checked_add(*activations, *caches) : std::nullopt;
    if (!run || !checked_add(*run, *weights))
        return Error{"what the run takes does not fit in 64 bits", "", "take fewer tokens"};
    return MemoryNeed{*weights, *caches, *activations};
}

std::optional<std::int64_t> available_memory() {
    // Linux counts what it would give up for others, which sysconf does not.
    std::ifstream file("/proc/meminfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("MemAvailable:")) return std::strtoll(line.c_str() + 13, nullptr, 10) * 1024;
#if defined(_SC_AVPHYS_PAGES)
    const long pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    if (pages > 0 && size > 0) return std::int64_t{pages} * size;
#endif
    return std::nullopt;
}

std::optional<Error> does_not_fit(std::int64_t bytes, std::string_view what) {
    const std::optional<std::int64_t> free = available_memory();
    if (!free || bytes <= *free) return std::nullopt;
    return Error{
        std::string(what) + " take " + bytes_text(bytes) + ", and " + bytes_text(*free) + " of memory are free", "",
        "take a smaller model, or fewer tokens"};
}

}  // namespace headcount
