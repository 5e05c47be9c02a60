// The same shape in another size: a model's proportions kept while its width, depth, heads and feed-forward grow.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/totals.hpp"
#include "core/arch/architecture.hpp"
#include "core/arch/fields.hpp"

namespace headcount {

// What is kept, and of which models it was read.
struct Proportions {
    double width_per_layer = 1;  // d / L
    double ffn_per_width = 1;    // d_ff / d; of experts expert_dim / d

    bool operator==(const Proportions&) const = default;
};

struct SizedModel {
    Architecture architecture;
    Totals parameters;
    Proportions proportions;  // of it, as it came out
};

// The fields in which another size may differ from the architecture.
std::vector<Field> sized_fields(const Architecture& arch);

// Of one architecture.
Proportions proportions_of(const Architecture& arch);

// Possible architectures near to `total` parameters, the nearest first, at most `most`. Head size, vocabulary, experts
// and the number of query heads a key/value head serves stay as they are, and widths stay multiples of what they are
// multiples of. Where the family has several sizes (`siblings`, which may hold `arch` itself), the proportions at a
// width are those of the sizes next to it, interpolated over the logarithm of the width; beyond them, and with none,
// those of the nearest. Errors say what is the nearest that is possible.
Result<std::vector<SizedModel>> same_shape(const Architecture& arch, std::span<const Architecture> siblings,
                                           std::int64_t total, std::size_t most = 4);

}  // namespace headcount
