// The names that configurations give to activation functions.
#pragma once

#include <string_view>

#include "core/arch/architecture.hpp"
#include "core/families/config_reader.hpp"

namespace headcount {

// Reads hidden_act and its other spellings; a function that is not known is an error that names it.
Activation read_activation(ConfigReader& reader, ConfigReader::Names names, std::string_view otherwise);

// The name that transformers gives the function: "silu", "gelu", "gelu_new", "relu". Of several names that it has, the
// one that is `usual`.
std::string_view activation_name(Activation activation, std::string_view usual = {});

}  // namespace headcount
