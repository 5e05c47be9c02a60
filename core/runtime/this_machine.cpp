// Reads what the system says of this machine, and measures the rest.
#include "core/runtime/this_machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "core/runtime/float_memory.hpp"
#include "core/runtime/kernels.hpp"
#include "core/runtime/multiply_speed.hpp"
#include "core/runtime/read_speed.hpp"

namespace headcount {
namespace {

// What stands behind the key and its colon, in files such as /proc/meminfo.
std::optional<std::string> said_in(const char* file, std::string_view key) {
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(key)) continue;
        const std::size_t value = line.find_first_not_of(" \t", line.find(':') + 1);
        if (value != std::string::npos) return line.substr(value);
    }
    return std::nullopt;
}

std::optional<std::int64_t> kibibytes_said(std::string_view key) {
    const std::optional<std::string> said = said_in("/proc/meminfo", key);
    return said ? std::optional(std::strtoll(said->c_str(), nullptr, 10) * 1024) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> whole_memory() { return kibibytes_said("MemTotal"); }

std::optional<std::int64_t> available_memory() {
    // Linux counts what it would give up for others, which sysconf does not.
    if (const std::optional<std::int64_t> available = kibibytes_said("MemAvailable")) return available;
#if defined(_SC_AVPHYS_PAGES)
    const long pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    if (pages > 0 && size > 0) return std::int64_t{pages} * size;
#endif
    return std::nullopt;
}

std::optional<double> best_read_speed(int threads) {
    Result<FloatMemory> memory = FloatMemory::take(std::int64_t{1} << 25, FloatMemory::Pages::large);
    if (!memory) return std::nullopt;
    std::fill_n(memory->data(), memory->size(), 1.0F);
    Pool pool(threads);
    double best = 0;
    for (int i = 0; i < 4; ++i) best = std::max(best, read_speed(pool, *memory));
    return best;
}

Result<Device> measure_machine(int threads) {
    const std::optional<std::int64_t> memory = whole_memory();
    if (!memory) return Error{"the system does not say how much memory there is", "", "describe it by hand: mem=16GB"};
    const std::optional<double> read = best_read_speed(threads);
    if (!read) return Error{"there is no memory left to measure with", "", "end other programs"};
    Pool pool(threads);
    const double multiplied = multiply_speed(pool);
    const std::string model = said_in("/proc/cpuinfo", "model name").value_or("");
    return Device{.id = std::string(this_machine),
                  .name = "This machine" + (model.empty() ? "" : ": " + model),
                  .memory = *memory,
                  .bandwidth = read,
                  .flops_16 = multiplied,
                  .flops_32 = multiplied,
                  .alone = true,
                  .source = "measured here, with " + std::to_string(threads) +
                            (threads == 1 ? " thread of " : " threads of ") + std::string(kernels::instruction_set()) +
                            ": products of float32, and reading memory"};
}

}  // namespace headcount
