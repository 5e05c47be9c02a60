// Asks the family what its models compute.
#include "core/arch/computation.hpp"

#include "core/arch/family.hpp"

namespace headcount {

Result<Computation> computation_of(const Architecture& arch) {
    return arch.family->computation(arch);
}

}  // namespace headcount
