// Of the presets those that differ in more than sizes, for pictures and panels that take long with each.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/parameters.hpp"
#include "core/graph/graph.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/presets.hpp"

namespace headcount::testing_data {

// What a model is made of, whatever its sizes are: its blocks and tensors, and which of them has which inputs.
inline std::string structure_of(const ModelGraph& graph) {
    std::string text;
    for (const Block& block : graph.blocks) text += block.id + ";";
    for (const Tensor& tensor : graph.tensors) text += tensor.id + (tensor.view ? "'," : ",");
    for (const Node& node : graph.nodes) {
        for (const TensorIndex input : node.inputs) text += std::to_string(input) + "+";
        text += ">" + std::to_string(node.output) + ",";
    }
    return text;
}

inline std::vector<Preset> find_telling_presets() {
    std::map<std::string, std::pair<std::int64_t, Preset>> largest;  // of each structure
    std::pair<std::int64_t, Preset> smallest{std::numeric_limits<std::int64_t>::max(), {}};
    for (const Preset& preset : all_presets()) {
        const ModelGraph graph = expand(preset.architecture);
        const std::int64_t total = count_parameters(graph, bindings(preset.architecture, {}))->total;
        if (total < smallest.first) smallest = {total, preset};
        const auto [at, first] = largest.try_emplace(structure_of(graph), total, preset);
        if (total > at->second.first) at->second = {total, preset};
    }
    std::vector<Preset> presets{smallest.second};
    std::size_t next = 0;
    for (const auto& [structure, of] : largest)
        if (next++ % stride == 0 && of.second.id != smallest.second.id) presets.push_back(of.second);
    return presets;
}

// Of the presets that have one structure the largest, and the smallest of all. The
// others differ from these in sizes alone, and sizes that no preset has are the random architectures' business. Under
// the sanitizers every eighth of them.
inline const std::vector<Preset>& telling_presets() {
    static const std::vector<Preset> telling = find_telling_presets();
    return telling;
}

}  // namespace headcount::testing_data
