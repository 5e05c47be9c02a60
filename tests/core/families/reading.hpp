// Configurations read and written as tests want it: what must succeed and does not ends the test.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "core/analysis/parameters.hpp"
#include "core/files/config.hpp"
#include "core/graph/graph.hpp"
#include "tests/golden/golden.hpp"

namespace headcount::reading {

inline Architecture read(const nlohmann::json& config) {
    Result<Architecture> arch = read_config(config, "config.json");
    if (!arch) throw std::runtime_error(sentence(arch.error()));
    return *arch;
}

// How many parameters the file's model has.
inline std::int64_t total(const nlohmann::json& config) {
    const Architecture arch = read(config);
    return count_parameters(expand(arch), bindings(arch, {}))->total;
}

// A file of that model_type with these fields and no others.
inline nlohmann::json type(const char* name, nlohmann::json fields = nlohmann::json::object()) {
    fields["model_type"] = name;
    return fields;
}

// Why the file is refused; empty where it is not.
inline std::string refusal(const nlohmann::json& config) {
    Result<Architecture> arch = read_config(config, "config.json");
    return arch ? "" : sentence(arch.error());
}

inline nlohmann::json exported(const Architecture& arch) {
    Result<nlohmann::ordered_json> written = write_config(arch);
    if (!written) throw std::runtime_error(sentence(written.error()));
    return nlohmann::json(*written);
}

// Why the architecture cannot be exported; empty where it can.
inline std::string lost(const Architecture& arch) {
    Result<nlohmann::ordered_json> written = write_config(arch);
    return written ? "" : written.error().what;
}

// That the architecture with that edit cannot be exported, and that the reason names the field.
inline testing::AssertionResult cannot_say(const Architecture& arch, const char* field, const char* text) {
    const std::string said = lost(testing_data::with(arch, field, text));
    if (said.find(field) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << arch.family->type << ' ' << field << ": " << said;
}

}  // namespace headcount::reading
