// Looks a model's tensors up in a file's; see the header.
#include "core/files/formats_of_tensors.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include "core/analysis/checkpoint_names.hpp"
#include "core/analysis/stored_weights.hpp"
#include "core/arch/layers.hpp"
#include "core/checkpoints/gguf_published.hpp"
#include "core/checkpoints/quantized_names.hpp"
#include "core/files/formats_by_name.hpp"

namespace headcount {
namespace {

using P = Precision;

// By what all forms of a name share; without a format where its type says none.
using Held = std::unordered_map<std::string, std::optional<Precision>>;

std::optional<Held> held_in(const Checkpoint& weights) {
    Held held;
    const auto put = [&](const std::string& name, std::string_view type) {
        held.emplace(plain_name(name_at(name, {{}, 0})), format_of(type));
    };
    if (!is_gguf(weights)) {
        for (const CheckpointTensor& tensor : weights.tensors) {
            if (restores_numbers(tensor.name) || packed_matrix(tensor.name)) return std::nullopt;
            put(tensor.name, tensor.type.name);
        }
        return held;
    }
    for (const PublishedTensor& tensor : published_tensors(weights).tensors) {
        const auto same = [&](std::size_t each) { return weights.tensors[each].type == tensor.type; };
        if (!std::ranges::all_of(tensor.from, same)) return std::nullopt;
        put(tensor.name, tensor.type.name);
    }
    return held;
}

}  // namespace

std::optional<Precision> format_of(std::string_view type) {
    constexpr std::array<std::pair<std::string_view, P>, 6> plain{{{"F32", P::fp32},
                                                                   {"F16", P::fp16},
                                                                   {"BF16", P::bf16},
                                                                   {"F8_E4M3", P::fp8},
                                                                   {"F8_E5M2", P::fp8_e5m2},
                                                                   {"I8", P::int8}}};
    const auto found = std::ranges::find(plain, type, [](const auto& each) { return each.first; });
    if (found != plain.end()) return found->second;
    const Result<P> block = parse_precision(type, "");
    return block ? std::optional(*block) : std::nullopt;
}

std::optional<Formats> formats_of_tensors(const Checkpoint& weights, const Architecture& arch,
                                          const ModelGraph& graph) {
    const std::optional<Held> held = held_in(weights);
    if (!held) return std::nullopt;
    const bool quantized = is_gguf(weights) || arch.carried.find("quantization_config");
    FormatsByName by_name;
    std::map<P, std::int64_t> matrices;
    for (const StoredTensor& stored : graph.stored) {
        const WeightKind kind = weight_kind(graph, stored.parts.front());
        const std::vector<std::int64_t> layers =
            stored.layer ? layers_of(arch, graph.layers[*stored.layer].group) : std::vector<std::int64_t>{0};
        for (const std::int64_t layer : layers) {
            const std::string name = name_at(stored.name, {layer, 0});
            auto found = held->find(plain_name(name));
            for (const std::string& piece : piece_names(stored, name))
                if (found == held->end()) found = held->find(plain_name(piece));
            // What is quantized may lie under names of its own, or its recipe be known; else it is missing, and as
            // others of its kind.
            if (found == held->end() && !quantized) continue;
            if (found == held->end() || !found->second) return std::nullopt;
            by_name.put(stored.name, kind, layer, *found->second);
            if (kind != WeightKind::norm) ++matrices[*found->second];
        }
    }
    const auto most = std::ranges::max_element(matrices, {}, [](const auto& each) { return each.second; });
    if (most == matrices.end()) return std::nullopt;
    return by_name.formats(Formats(most->first));
}

bool store_alike(const Architecture& arch, const ModelGraph& graph, const Formats& a, const Formats& b) {
    const StoredWeights one(arch, graph, a), other(arch, graph, b);
    // Of what a recipe cuts, as its files have it.
    const auto formats = [](std::vector<FormatRun> runs) {
        for (FormatRun& run : runs) run.cut.reset();
        return merged(runs).size() == 1 ? std::vector{FormatRun{runs.front().precision, 0}} : runs;
    };
    return std::ranges::all_of(graph.stored, [&](const StoredTensor& stored) {
        const std::int64_t layers = stored.layer ? graph.layers[*stored.layer].group.count : 1;
        return std::ranges::all_of(stored.parts, [&](TensorIndex part) {
            return formats(one.runs(graph, part, layers)) == formats(other.runs(graph, part, layers));
        });
    });
}

}  // namespace headcount
