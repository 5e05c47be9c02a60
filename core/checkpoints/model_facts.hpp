// What a checkpoint says of its model, in words that no format owns, and the same as a Hugging Face config.json.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/checkpoints/tensor_index.hpp"

namespace headcount {

using Number = std::optional<std::int64_t>;

// A number that is known already stays.
inline void fill_in(Number& fact, const Number& found) {
    if (!fact) fact = found;
}

struct ModelFacts {
    std::string type;  // Hugging Face's model_type

    Number layers, width, vocab, context;
    Number embedding_width;                       // only where it is not the width
    Number heads, kv_heads, head_dim, value_dim;  // value_dim: only where it is not head_dim
    Number query_rank, latent_rank, rope_dim;
    Number window;
    Number ffn_dim, expert_dim, shared_dim;  // shared_dim: of all shared experts together
    Number experts, experts_used, shared_experts, expert_groups, expert_groups_used;
    std::set<std::int64_t> dense_layers;  // of a mixture: the layers that are none
    std::optional<double> epsilon, theta, routed_scale;
    std::optional<bool> normalized_routing;

    bool tied = false, head_bias = false;
    bool query_bias = false, ffn_bias = false;
    bool query_norm = false;  // queries and keys are normed
    bool second_norm = true;  // the feed-forward has a norm of its own
    bool two_norms = false;   // Falcon's later decoder: one for each, side by side
    bool learned_positions = false;
    bool final_norm = true;  // asked of OPT alone
    bool parallel = true;    // GPT-NeoX: attention and feed-forward side by side

    std::vector<std::string> guesses;  // what was not in the file, in a sentence each
};

// What the published names and shapes say; the type is taken from `facts`. Numbers that shapes do not tell (heads,
// mostly) are left as they are.
void add_tensor_facts(ModelFacts& facts, const TensorIndex& tensors);

// Some model_types always use the embedding as output head; where it is stored a second time all the same, it is taken
// for a copy, and that is said.
void assume_tying(ModelFacts& facts);

// Where neither a field nor a shape tells how wide an expert is, the type's usual width is taken, and that is said.
void say_assumed_experts(ModelFacts& facts);

// The config.json of that model_type, with "_headcount_guesses" where there are some. Errors name what is not known:
// the width, the number of layers, of heads, of words.
Result<nlohmann::json> config_json(const ModelFacts& facts);

}  // namespace headcount
