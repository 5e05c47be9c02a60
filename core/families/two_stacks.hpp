// Files in which an encoder and a decoder have a configuration each, "encoder" and "decoder".
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "core/arch/family.hpp"
#include "core/families/config_reader.hpp"

namespace headcount {

// What is wrong with the file around the stacks.
std::optional<Error> wrong_around_stacks(const nlohmann::json& config);

// The configuration with the fields that are carried, but for those that it says itself.
nlohmann::ordered_json with_carried(nlohmann::ordered_json config, const Architecture& arch);

// The file of both.
nlohmann::ordered_json write_stacks(const Architecture& arch, const nlohmann::ordered_json& encoder,
                                    const nlohmann::ordered_json& decoder);

}  // namespace headcount
