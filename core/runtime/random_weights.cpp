// The numbers of the rule.
#include "core/runtime/random_weights.hpp"

#include <cmath>

namespace headcount {
namespace {

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;

std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

}  // namespace

std::uint64_t random_stream(std::uint64_t seed, std::string_view name) {
    std::uint64_t key = 0xcbf29ce484222325;
    for (const char each : name) key = (key ^ static_cast<unsigned char>(each)) * 0x100000001b3;
    return mix(key + seed * golden);
}

double random_share(std::uint64_t stream, std::uint64_t index) {
    return static_cast<double>(mix(stream + (index + 1) * golden) >> 40) * 0x1p-24;
}

Drawn drawn_from(const ModelGraph& graph, const StoredTensor& tensor, const Bindings& bindings, double norm_offset) {
    const Tensor& part = graph.tensors[tensor.parts.front()];
    if (part.id.ends_with(".bias") || part.part == Part::sinks || part.part == Part::router_correction) return {0, 0.5};
    if (part.component == Component::norm) return {1 - norm_offset, 0.5};
    if (part.part == Part::token_embedding || part.part == Part::position_embedding) return {0, 1};
    const Result<std::int64_t> inputs = evaluate(part.shape[0], bindings);
    const bool chooses = part.part == Part::query || part.part == Part::key || part.part == Part::router;
    const double width = inputs && *inputs > 0 ? static_cast<double>(*inputs) : 1;
    return {0, 1.7320508075688772 * (chooses ? 2 : 1) / std::sqrt(width)};
}

}  // namespace headcount
