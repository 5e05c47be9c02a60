// What quantizers store of a matrix, and of which matrices, as a configuration's "quantization_config" says it. The
// keys are those of transformers' quantizers, and of ModelOpt.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/arch/formats.hpp"

namespace headcount {

// How the modules are stored of which a file says something by name.
struct ModuleRule {
    enum class Says {
        components,  // "lm_head", "layers.*.mlp.gate": one after the other in the name, "*" for anything in one
        expression,  // of PCRE, which the name begins with
        linear,      // every linear layer
    };

    Says says = Says::components;
    std::string text;
    std::optional<Precision> stored;  // nothing: as what is not quantized

    bool operator==(const ModuleRule&) const = default;
};

struct Quantizing {
    Formats kinds;                  // where no rule holds
    std::vector<ModuleRule> rules;  // the first that fits a module's name holds
    bool every_linear = false;      // also of towers and connectors, where no rule leaves them alone
    bool scales_open = false;       // these are powers of two, which some write in a byte and others in four
    std::int64_t cache_scale = 0;   // bits beside the matrix of keys, and that of values, that scale what is cached
    std::string uncounted;  // what lies beside matrices and is not counted, within a sentence; empty where nothing does
    // Why it is only about known what weights take: "exl2 says its bits alone"; empty where all is known.
    std::string rough;
};

// `whole`: in what is stored what is not quantized. Nothing where the method is not known and says no bits.
std::optional<Quantizing> quantizing_in(const nlohmann::json& quantization_config, const Precision& whole);

// Whether it says something of how keys and values are cached.
bool says_cache(const nlohmann::json& quantization_config);
// In what keys and values are cached as the file says; nothing where it says nothing that is known.
std::optional<Precision> cache_in(const nlohmann::json& quantization_config);

// Of so many bits; nothing where no format has these.
std::optional<Precision> integers(std::int64_t bits, const Layout& layout);
// So many bits that each group of a row shares, or the row where that is one group.
Layout for_groups(std::int64_t group, std::int64_t bits);

// Rules of these names, all alike.
void add_rules(Quantizing& quantizing, const std::vector<std::string>& names, const std::optional<Precision>& stored);

// Those of which a file says of groups of modules how each is stored.
Quantizing compressed_tensors(const nlohmann::json& config, const Precision& whole);
Quantizing modelopt(const nlohmann::json& config, const Precision& whole);

}  // namespace headcount
