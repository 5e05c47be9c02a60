// GGUF's names of tensors taken apart, and put together as the published ones.
#include <algorithm>

#include "core/checkpoints/gguf_tables.hpp"

namespace headcount {
namespace {

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// "blk.3.attn_q.weight" in its parts. Before experts were stacked, each was a tensor: "blk.3.ffn_gate.7.weight".
struct GgufName {
    std::string_view stack;   // "enc." of the encoder beside a decoder, "dec." of that; mostly empty
    std::string_view layer;   // "3"; empty outside the layers
    std::string_view tensor;  // "attn_q"
    std::string_view expert;  // "7"; mostly empty
    std::string_view suffix;  // ".weight", ".bias"
};

GgufName parts_of(std::string_view name) {
    GgufName parts;
    constexpr std::string_view block = "blk.";
    for (const std::string_view stack : {"enc.", "dec."})
        if (name.starts_with(stack) && name.substr(stack.size()).starts_with(block)) {
            parts.stack = name.substr(0, stack.size());
            name.remove_prefix(stack.size());
        }
    if (name.starts_with(block)) {
        const std::size_t dot = name.find('.', block.size());
        parts.layer = name.substr(block.size(), dot == name.npos ? dot : dot - block.size());
        if (dot == name.npos || !is_number(parts.layer)) return {};
        name.remove_prefix(dot + 1);
    }
    for (const std::string_view suffix : {".weight", ".bias"})
        if (name.ends_with(suffix)) {
            parts.suffix = name.substr(name.size() - suffix.size());
            name.remove_suffix(suffix.size());
        }
    const std::size_t dot = name.rfind('.');
    if (dot != name.npos && is_number(name.substr(dot + 1))) {
        parts.expert = name.substr(dot + 1);
        name = name.substr(0, dot);
    }
    parts.tensor = name;
    return parts;
}

}  // namespace

PublishedName find_published_name(std::string_view table, std::string_view gguf_name) {
    const GgufName parts = parts_of(gguf_name);
    const GgufNaming& names = gguf_naming(table);
    const std::string key =
        std::string(parts.stack) + std::string(parts.tensor) + (parts.expert.empty() ? "" : "_exps");
    const GgufEntry* const entry = find_entry(names, key);
    if (!entry) return {};
    std::string name(entry->published);
    Fit fit = entry->fit == Fit::conv1d && names.linear ? Fit::same : entry->fit;
    if (!parts.expert.empty()) {
        const std::size_t place = name.find("{e}");
        if (place == name.npos) return {};
        name.replace(place, 3, parts.expert);
        fit = Fit::same;
    }
    const std::string_view layers = parts.stack == "enc." ? names.source_layers : names.layers;
    if (!parts.layer.empty()) name = std::string(layers) + std::string(parts.layer) + "." + name;
    if (fit >= Fit::bare && fit <= Fit::lettered) return {name, fit};
    if (fit == Fit::stacked) return {name + (parts.suffix == ".bias" ? "_bias" : ""), fit};
    // Falcon-H1's norms are converted without.
    return {name + (parts.suffix.empty() ? ".weight" : std::string(parts.suffix)), fit};
}

std::string gguf_table(const Checkpoint& gguf) {
    struct Form {
        std::string_view architecture, tensor;
        bool there;  // whether such a tensor tells it, or that there is none
        std::string_view table;
    };
    constexpr Form forms[] = {{"falcon", ".attn_norm_2.weight", true, "falcon-two-norms"},
                              {"t5", ".ffn_gate.weight", true, "t5-gated"},
                              {"t5encoder", ".ffn_gate.weight", true, "t5encoder-gated"},
                              {"bert", "token_types.weight", false, "distilbert"}};
    const auto said = gguf.metadata.find("general.architecture");
    if (said == gguf.metadata.end() || !said->is_string()) return "";
    const std::string architecture = *said;
    for (const Form& form : forms) {
        if (form.architecture != architecture) continue;
        const bool there = std::ranges::any_of(
            gguf.tensors, [&](const CheckpointTensor& tensor) { return tensor.name.ends_with(form.tensor); });
        if (there == form.there) return std::string(form.table);
    }
    return architecture;
}

bool added_by_gguf(std::string_view gguf_name) {
    const GgufName parts = parts_of(gguf_name);
    const std::string_view tensor = parts.tensor;
    constexpr std::string_view of_first_values = "time_mix_v";  // and a number: how much of the first layer's count
    if (parts.layer == "0" && tensor.starts_with(of_first_values) && is_number(tensor.substr(of_first_values.size())))
        return true;
    return tensor == "dense_2" || tensor == "dense_3" || tensor == "rope_freqs" || tensor == "attn_rot_embd" ||
           tensor.starts_with("rope_factors_");
}

}  // namespace headcount
