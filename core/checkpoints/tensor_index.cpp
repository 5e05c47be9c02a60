// Tensors by what they are in every layer: the names' numbers are taken out.
#include "core/checkpoints/tensor_index.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace headcount {
namespace {

// What the layers are called, longest first; a text model inside a multimodal one has a prefix before that.
constexpr std::string_view layer_paths[] = {"model.decoder.layers.",
                                            "transformer.blocks.",
                                            "gpt_neox.layers.",
                                            "transformer.h.",
                                            "model.layers.",
                                            "layers.",
                                            "h."};
constexpr std::string_view prefixes[] = {"language_model.", "model.language_model.", "model.text_model."};
constexpr std::int64_t most = 99999;  // layers, and experts

std::optional<std::int64_t> number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size() || value < 0 || value > most) return std::nullopt;
    return value;
}

std::string without_prefix(std::string_view name) {
    for (const std::string_view prefix : prefixes)
        if (name.starts_with(prefix)) {
            name.remove_prefix(prefix.size());
            return name.starts_with("model.") || name.starts_with("lm_head") ? std::string(name)
                                                                             : "model." + std::string(name);
        }
    return std::string(name);
}

}  // namespace

void TensorIndex::add(std::string_view full_name, const Shape& shape) {
    std::string name = without_prefix(full_name);
    std::optional<std::int64_t> layer;
    for (const std::string_view path : layer_paths) {
        if (!name.starts_with(path)) continue;
        const std::size_t dot = name.find('.', path.size());
        if (dot == name.npos) break;
        layer = number(std::string_view(name).substr(path.size(), dot - path.size()));
        if (layer) name = "*" + name.substr(dot);
        break;
    }
    for (std::size_t dot = layer ? name.find('.') : name.npos; dot != name.npos; dot = name.find('.', dot + 1)) {
        const std::size_t end = name.find('.', dot + 1);
        if (end == name.npos) break;
        if (!number(std::string_view(name).substr(dot + 1, end - dot - 1))) continue;
        name.replace(dot + 1, end - dot - 1, "{e}");
        break;
    }
    if (const std::size_t head = name.find("{h}"); head != name.npos) name[head + 1] = 'e';
    Entry& entry = entries_.try_emplace(std::move(name), Entry{shape, {}}).first->second;
    if (!layer) return;
    entry.layers.insert(*layer);
    layers_ = std::max(layers_, *layer + 1);
}

const TensorIndex::Shape* TensorIndex::find(Names names) const {
    for (const std::string_view name : names)
        if (const auto found = entries_.find(name); found != entries_.end()) return &found->second.shape;
    return nullptr;
}

std::set<std::int64_t> TensorIndex::layers_with(Names names) const {
    std::set<std::int64_t> layers;
    for (const std::string_view name : names)
        if (const auto found = entries_.find(name); found != entries_.end())
            layers.insert(found->second.layers.begin(), found->second.layers.end());
    return layers;
}

}  // namespace headcount
