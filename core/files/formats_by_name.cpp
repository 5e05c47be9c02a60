// Counts formats by kind; see the header.
#include "core/files/formats_by_name.hpp"

#include <algorithm>
#include <utility>

namespace headcount {
namespace {

using Counts = std::map<WeightKind, std::map<Precision, std::int64_t>>;

// Kinds of layers' matrices that there are none of are as all others, where these are alike.
void settle_absent(Formats& found, const Counts& counts) {
    std::optional<Precision> alike;
    bool differ = false;
    for (const WeightKind kind : layer_kinds) {
        if (!counts.contains(kind)) continue;
        const Precision own = std::as_const(found).of(kind);
        differ = differ || (alike && *alike != own);
        alike = own;
    }
    if (!alike) return;
    for (const WeightKind kind : layer_kinds)
        if (!counts.contains(kind)) found.of(kind) = differ || *alike == found.rest ? std::nullopt : alike;
}

}  // namespace

void FormatsByName::put(const std::string& tensor, WeightKind kind, std::int64_t layer, const Precision& stored) {
    named_.try_emplace(tensor, Named{kind, {}}).first->second.stored.insert_or_assign(layer, stored);
}

Formats FormatsByName::formats(Formats found) const {
    Counts counts;
    for (const auto& [name, named] : named_)
        for (const auto& [layer, stored] : named.stored) ++counts[named.kind][stored];
    for (const auto& [kind, all] : counts) {
        const Precision said = std::as_const(found).of(kind);
        const auto most = std::ranges::max_element(all, [&](const auto& a, const auto& b) {
            return std::pair(a.second, a.first == said) < std::pair(b.second, b.first == said);
        });
        found.of(kind) = std::nullopt;
        if (std::as_const(found).of(kind) != most->first) found.of(kind) = most->first;
    }
    settle_absent(found, counts);
    for (const auto& [name, named] : named_) {
        std::map<Precision, NamedFormat> runs;
        std::map<Precision, std::int64_t> layers;
        const Precision* before = nullptr;
        for (const auto& [layer, stored] : named.stored) {
            NamedFormat& own = runs.try_emplace(stored, NamedFormat{name, {}, stored}).first->second;
            if (before && *before == stored)
                own.layers.back().second = layer;
            else
                own.layers.emplace_back(layer, layer);
            ++layers[stored];
            before = &stored;
        }
        for (auto& [stored, own] : runs) {
            if (stored == std::as_const(found).of(named.kind)) continue;
            if (layers[stored] == std::ssize(named.stored)) own.layers.clear();
            found.named.push_back(own);
        }
    }
    return found;
}

}  // namespace headcount
