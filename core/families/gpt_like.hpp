// What GPT-2 and its relatives share: choices that most of them make alike.
#pragma once

#include "core/base/checked.hpp"
#include "core/families/computing.hpp"
#include "core/families/layout.hpp"

namespace headcount {

// LayerNorm with weights and biases.
inline Norm layer_norm(double epsilon) {
    return {.kind = NormKind::layer, .bias = true, .epsilon = epsilon};
}

// 4·dim; an error that names `field` where that does not fit.
inline std::int64_t four_times(ConfigReader& reader, std::string_view field, std::int64_t dim) {
    std::optional<std::int64_t> width = checked_multiply(4, dim);
    if (!width) reader.reject(field, "four times the width does not fit in 64 bits", "give a smaller width");
    return width.value_or(1);
}

// Biases in all matrices of the layers, or in none.
inline void set_biases(Layer& layer, bool biases) {
    layer.attention.qkv_bias = layer.attention.output_bias = layer.feed_forward.bias = biases;
}

inline bool has_biases(const Layer& layer) {
    return layer.attention.qkv_bias && layer.attention.output_bias && layer.feed_forward.bias;
}

// What only some families have, as Family says.
struct FamilyRest {
    std::string_view norm_class{};
    std::vector<Extra> (*besides)(const Architecture& arch) = nullptr;
    bool feeds_besides = false;
    std::optional<std::int64_t> padding{};
    std::span<const std::string_view> ignored{};
};

// A family of which `read` reads all that its files say.
template <const Family& family, void (*read)(ConfigReader&, const nlohmann::json&, Architecture&),
          nlohmann::ordered_json (*write)(const Architecture&), const ComputationType& computing = llama_computation>
constexpr Family gpt_like(std::string_view type, std::string_view name, std::span<const Module> modules,
                          const FamilyRest& rest = {}) {
    const auto read_all = [](const nlohmann::json& config) {
        ConfigReader reader(config);
        Architecture arch;
        arch.family = &family;
        read(reader, config, arch);
        return reader.finish(std::move(arch));
    };
    return {.type = type,
            .name = name,
            .norm_class = rest.norm_class,
            .modules = modules,
            .read = read_all,
            .write = write,
            .computation = compute<computing>,
            .besides = rest.besides,
            .feeds_besides = rest.feeds_besides,
            .padding = rest.padding,
            .ignored = rest.ignored};
}

}  // namespace headcount
