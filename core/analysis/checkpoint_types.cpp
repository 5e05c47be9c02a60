// Counts the types of every kind of tensor.
#include "core/analysis/checkpoint_types.hpp"

#include <map>
#include <string>
#include <string_view>

namespace headcount {
namespace {

// "layers.3.experts.7.up" and "layers.0.experts.1.up" are of one kind: each number is "*".
std::string kind_of(std::string_view name) {
    std::string kind;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool digit = name[i] >= '0' && name[i] <= '9';
        const bool begins = kind.empty() || kind.back() == '.';
        if (digit && begins)
            kind += '*';
        else if (!digit || kind.back() != '*')
            kind += name[i];
    }
    return kind;
}

using Types = std::map<std::string_view, std::size_t>;  // how many tensors there are of each

// The type of more than half of them; empty where there is none.
std::string_view most_common(const Types& types) {
    std::size_t all = 0;
    for (const auto& [type, count] : types) all += count;
    for (const auto& [type, count] : types)
        if (2 * count > all) return type;
    return {};
}

// Numbers of a byte or less are quantized: what is not, such as an embedding, is beside them on purpose.
bool is_quantized(const StorageType& type) {
    return type.bytes < 2 * type.elements;
}

}  // namespace

std::set<std::size_t> of_odd_type(std::span<const PublishedTensor> tensors) {
    std::map<std::string, Types> kinds;
    Types matrices;
    for (const PublishedTensor& tensor : tensors) {
        ++kinds[kind_of(tensor.name)][tensor.type.name];
        if (tensor.shape.size() > 1 && !is_quantized(tensor.type)) ++matrices[tensor.type.name];
    }
    std::set<std::size_t> odd;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const Types& kind = kinds[kind_of(tensors[i].name)];
        const bool alone = kind.size() == 1 && kind.begin()->second == 1;
        if (alone && (tensors[i].shape.size() < 2 || is_quantized(tensors[i].type))) continue;
        const std::string_view usual = most_common(alone ? matrices : kind);
        if (!usual.empty() && usual != tensors[i].type.name) odd.insert(i);
    }
    return odd;
}

}  // namespace headcount
