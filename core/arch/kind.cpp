// Sorts a model by its parts.
#include "core/arch/kind.hpp"

namespace headcount {

ModelKind kind_of(const Architecture& arch) {
    if (arch.patches) return ModelKind::image;
    if (arch.sound) return ModelKind::sound;
    if (arch.encoder) return ModelKind::both;
    if (recurs(arch)) return ModelKind::state;
    return sees_all(arch) ? ModelKind::encoder : ModelKind::decoder;
}

}  // namespace headcount
