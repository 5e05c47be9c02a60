// What a checkpoint says of its model, in words that no format owns, and the same as a Hugging Face config.json;
// and its tensors by what they are in every layer, for those who ask how large a model's parts are.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace headcount {

// "model.layers.3.mlp.experts.7.w1.weight" is filed under "*.mlp.experts.{e}.w1.weight", whatever the layers are
// called; what is in no layer under its own name. Of several layers the first one's shape counts.
class TensorShapes {
  public:
    using Shape = std::vector<std::int64_t>;
    using Names = std::initializer_list<std::string_view>;

    void add(std::string_view name, const Shape& shape);

    bool has(Names names) const { return find(names) != nullptr; }
    // The first of the names that is there; null where none is.
    const Shape* find(Names names) const;
    // Layers are counted from 0 to the highest that is there.
    std::int64_t layers() const { return layers_; }
    // The layers that have one of these.
    std::set<std::int64_t> layers_with(Names names) const;
    bool empty() const { return entries_.empty(); }

  private:
    struct Entry {
        Shape shape;
        std::set<std::int64_t> layers;
    };
    std::map<std::string, Entry, std::less<>> entries_;
    std::int64_t layers_ = 0;
};

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
    bool query_bias = false, output_bias = false, ffn_bias = false;
    bool query_norm = false;  // queries and keys are normed
    bool second_norm = true;  // the feed-forward has a norm of its own
    bool two_norms = false;   // Falcon's later decoder: one for each, side by side
    bool learned_positions = false;
    bool final_norm = true;  // asked of OPT alone
    bool sees_all = false;   // an encoder
    bool parallel = true;    // GPT-NeoX: attention and feed-forward side by side

    std::vector<std::string> guesses;  // what was not in the file, in a sentence each
};

// What the published names and shapes say; the type is taken from `facts`. Numbers that shapes do not tell (heads,
// mostly) are left as they are.
void add_tensor_facts(ModelFacts& facts, const TensorShapes& tensors);

// Some model_types always use the embedding as output head; where it is stored a second time all the same, it is taken
// for a copy, and that is said.
void assume_tying(ModelFacts& facts);

// Where neither a field nor a shape tells how wide an expert is, the type's usual width is taken, and that is said.
void say_assumed_experts(ModelFacts& facts);

// The config.json of that model_type, with "_headcount_guesses" where there are some. Errors name what is not known:
// the width, the number of layers, of heads, of words.
Result<nlohmann::json> config_json(const ModelFacts& facts);

}  // namespace headcount
