// Asks the family what its models compute; and the rules that are not a number by themselves.
#include "core/arch/computation.hpp"

#include <algorithm>
#include <cmath>

#include "core/arch/family.hpp"

namespace headcount {

Result<Computation> computation_of(const Architecture& arch) {
    return arch.family->computation(arch);
}

double query_factor(const Computation& computation, bool rotated, std::int64_t token) {
    const std::optional<QueryTemperature>& temperature = computation.query_temperature;
    if (!temperature || rotated) return 1;
    return 1 + temperature->scale * std::log1p(std::floor(static_cast<double>(token + 1) / temperature->floor));
}

std::int64_t least_visible(const Architecture& arch, bool windowed, std::int64_t token) {
    if (!windowed) return 0;
    const AttentionWindow& window = *arch.layer.attention.window;
    return window.chunked ? token / window.size * window.size : std::max<std::int64_t>(0, token - window.size + 1);
}

}  // namespace headcount
