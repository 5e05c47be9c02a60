// What GPT-2 and its relatives share: choices that most of them make alike.
#pragma once

#include "core/families/computing.hpp"
#include "core/families/layout.hpp"

namespace headcount {

// LayerNorm with weights and biases.
Norm layer_norm(double epsilon);

// 4·dim; an error that names `field` where that does not fit.
std::int64_t four_times(ConfigReader& reader, std::string_view field, std::int64_t dim);

// Biases in all matrices of the layers, or in none.
void set_biases(Layer& layer, bool biases);
bool has_biases(const Layer& layer);

// A family of which `read` reads all that its files say.
template <const Family& family, void (*read)(ConfigReader&, const nlohmann::json&, Architecture&),
          nlohmann::ordered_json (*write)(const Architecture&), const ComputationType& computing = llama_computation>
constexpr Family gpt_like(std::string_view type, std::string_view name, std::span<const Module> modules) {
    const auto read_all = [](const nlohmann::json& config) {
        ConfigReader reader(config);
        Architecture arch;
        arch.family = &family;
        read(reader, config, arch);
        return reader.finish(std::move(arch));
    };
    return {.type = type,
            .name = name,
            .modules = modules,
            .read = read_all,
            .write = write,
            .computation = compute<computing>};
}

}  // namespace headcount
