// Which of somebody else's tensors stands for which of ours: by the names of `run --dump`, by words in their names, and
// by numbers that agree.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnose/places.hpp"

namespace headcount {

enum class LinkedBy {
    name,
    words,
    shape,    // nothing else of ours has it
    values,   // they agree, or those of another of its series do
    nearest,  // nothing says what it is: of all that have its shape
};
std::string_view key(LinkedBy by);  // "name"

struct Ours {
    std::size_t place = 0;
    Lie lie = Lie::plain;
};

struct Link {
    std::size_t theirs = 0;
    std::vector<Ours> ours;          // the first is what it is called; another may be what its numbers are
    std::vector<Ours> perhaps = {};  // what it may be as well: all of its layer, or of the model, that have its shape
    LinkedBy by = LinkedBy::name;
};

// What one matrix makes of queries, keys and values side by side, (T, q + k + v), by its name ("c_attn", "qkv"): as
// three, in the order in which their queries are nearest. All others as they are.
std::vector<TheirTensor> with_fused_apart(std::span<const TheirTensor> theirs, std::span<const Site> places,
                                          std::span<const std::vector<float>> numbers);

// In the order of the forward pass. `numbers` are ours, one for each place; what has one of the names `besides` is none
// of these.
std::vector<Link> linked(std::span<const TheirTensor> theirs, std::span<const Site> places,
                         std::span<const std::vector<float>> numbers, const std::set<std::string>& besides);

}  // namespace headcount
