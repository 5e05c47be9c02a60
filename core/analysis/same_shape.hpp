// The same shape in another size: a model's proportions kept while its width, depth, heads and feed-forward grow.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/parameters.hpp"
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

// Of how many sizes same_shape() follows the proportions: those of `siblings` that are made of the same parts where the
// architecture has the proportions of one of them; else 1, its own alone, as of one that was edited.
std::size_t sizes_followed(const Architecture& arch, std::span<const Architecture> siblings);

// Possible architectures near to `total` parameters, the nearest first, of those as near the closest in proportions; at
// most `most`. Head size, vocabulary and experts stay as they are, and so does the number of key/value heads where all
// sizes that are followed have as many, else how many query heads each serves; widths are whole heads, and the layers
// are those that bring the total nearest. Where several sizes are followed, the proportions at a total are those of the
// sizes next to it, interpolated over the logarithm of the total; beyond them those of the nearest. They are kept
// within a seventh, further off only where nothing is within 3 % of the total. Errors say what is the nearest that is
// possible.
Result<std::vector<SizedModel>> same_shape(const Architecture& arch, std::span<const Architecture> siblings,
                                           std::int64_t total, std::size_t most = 4);

}  // namespace headcount
