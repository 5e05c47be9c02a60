// The families of models that Headcount knows, by the model_type of their config.json.
#include "core/families/families.hpp"

#include "core/families/unknown.hpp"

namespace headcount {

std::span<const Family* const> families() {
    // No std::array: clang deduces one of at most 256.
    static const Family* const all[]{
#define FAMILY(name) &name##_family,
#include "core/families/families.inc"
#undef FAMILY
    };
    return all;
}

const Family* find_family(std::string_view type) {
    for (const Family* family : families())
        if (family->type == type) return family;
    return type == unknown_family().type ? &unknown_family() : nullptr;
}

}  // namespace headcount
