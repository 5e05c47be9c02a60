// The families of models that Headcount knows, by the model_type of their config.json.
#pragma once

#include <span>
#include <string_view>

#include "core/arch/family.hpp"

namespace headcount {

// Those that are verified against published models.
std::span<const Family* const> families();

// One of them, or "unknown", as which saved documents know what is not verified; nothing for other types.
const Family* find_family(std::string_view type);

// Each by itself.
#define FAMILY(name) extern const Family name##_family;
#include "core/families/families.inc"
#undef FAMILY

}  // namespace headcount
