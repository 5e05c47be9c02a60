// Whether a model that was concluded from weights, or from a configuration beside them, has the very tensors of these.
#pragma once

#include <string>

#include "core/arch/architecture.hpp"
#include "core/checkpoints/checkpoint.hpp"

namespace headcount {

// The first tensor that the weights have and the model has not, the other way round, or in another shape, in a clause:
// "blk.0.attn_k.bias is not counted"; empty where all are alike. More than can be compared (match_checkpoint) differ.
std::string first_difference(const Checkpoint& weights, const Architecture& arch);

// The first that contradicts the configuration beside such weights, as there; empty also where none of their tensors
// has a name that is known. Where not all that lies in them is counted, and that is said, what is left over contradicts
// nothing; nor does what quantizers put in a matrix's place, under names and in shapes of their own.
std::string first_contradiction(const Checkpoint& weights, const Architecture& arch, bool all_is_counted);

// Of a model that was opened from such weights: that clause among what is carried, for a note on it.
void keep_difference(const std::string& difference, Architecture& arch);

// A sentence with it; empty of a model that has none.
std::string note_on_weights(const Architecture& arch);

}  // namespace headcount
