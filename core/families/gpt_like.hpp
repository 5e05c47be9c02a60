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

// Reading of a family of which `read` reads all that its files say.
template <const Family& family, void (*read)(ConfigReader&, const nlohmann::json&, Architecture&)>
Result<Architecture> read_gpt_like(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch;
    arch.family = &family;
    read(reader, config, arch);
    return reader.finish(std::move(arch));
}

}  // namespace headcount
