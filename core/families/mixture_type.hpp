// How a model_type's configurations speak of experts.
#pragma once

#include "core/families/layer_lists.hpp"

namespace headcount {

// Spellings and what an absent field means. A spelling that is empty: there is no such field.
struct MixtureType {
    struct Spellings {
        std::string_view own, other{}, third{};  // the first is written
    };
    Spellings experts_field{"num_experts", "num_local_experts"};
    Spellings per_token_field{"num_experts_per_tok"};
    bool per_token_by_layer = false;                 // may be a list of a number for each layer
    Spellings width_field{"moe_intermediate_size"};  // empty: experts are as wide as intermediate_size says
    Spellings shared_field{};                        // how many experts every token passes
    Spellings shared_width_field{};                  // or how wide they are together
    Spellings dense_first_field{};                   // so many layers at the bottom are dense
    bool has_types = false;                          // mlp_layer_types: which layers are "sparse", which "dense"

    std::int64_t experts = 8, experts_per_token = 2, width = 1408, shared = 0, dense_first = 0;
    bool shared_gate = false;
    bool correction_bias = false;
    bool may_share_none = false;  // 0 leaves the shared ones out; else transformers stores tensors without rows
    bool expert_bias = true;      // else the dense feed-forward and the shared experts alone may have biases
};

// What the dense feed-forward of `arch` is must have been read before.
void read_mixture(ConfigReader& reader, Architecture& arch, const MixtureType& type);
void write_mixture(nlohmann::ordered_json& config, const Architecture& arch, const MixtureType& type);

// The experts that every token passes from how wide they are together: as many as that makes of the others' width,
// else one of a width of its own; none where that is 0.
void set_shared_width(Mixture& mixture, std::int64_t width);
// How wide they are together; 0 where that does not fit.
std::int64_t shared_width(const Mixture& mixture);

}  // namespace headcount
