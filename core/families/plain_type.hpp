// A plain type of models: said by the words that nearly all files have, by what those mean where they are silent, and
// by what it alone has besides.
#pragma once

#include "core/base/checked.hpp"
#include "core/families/computing.hpp"
#include "core/families/layout.hpp"

namespace headcount {

// LayerNorm with weights and biases, with one behind the layers where the others stand before the sub-blocks.
constexpr Norm layer_norm(double epsilon, NormPlacement placement = NormPlacement::before) {
    return {.kind = NormKind::layer,
            .placement = placement,
            .bias = true,
            .final = placement == NormPlacement::before,
            .epsilon = epsilon};
}

// 4·dim; an error that names `field` where that does not fit.
inline std::int64_t four_times(ConfigReader& reader, std::string_view field, std::int64_t dim) {
    std::optional<std::int64_t> width = checked_multiply(4, dim);
    if (!width) reader.reject(field, "four times the width does not fit in 64 bits", "give a smaller width");
    return width.value_or(1);
}

// Biases in all matrices of the layers, or in none.
inline void set_biases(Layer& layer, bool biases) {
    layer.attention.qkv_bias = layer.attention.output_bias = layer.feed_forward.bias = biases;
}

inline bool has_biases(const Layer& layer) {
    return layer.attention.qkv_bias && layer.attention.output_bias && layer.feed_forward.bias;
}

// What a model without attention and feed-forward has no word for: as it would be if some layers had them.
inline void set_absent_parts(Layer& layer, std::int64_t dim, std::int64_t head_dim) {
    layer.attention.head_dim = head_dim;
    layer.attention.heads = dim % head_dim == 0 ? dim / head_dim : 1;
    layer.feed_forward_layers = LayerSet::none();
}

// A field as the files of a type call it.
struct FieldWord {
    std::string_view name, also{};    // `also` counts where `name` is absent
    std::string_view written = name;  // which of both is written
};

// What the files of a type call what nearly all of them say; empty where they have no word for it.
struct FieldWords {
    FieldWord dim{"hidden_size"}, layers{"num_hidden_layers"}, heads{"num_attention_heads"},
        context{"max_position_embeddings"}, vocab{"vocab_size"};
    std::string_view width = "intermediate_size", activation = "hidden_act", epsilon = "layer_norm_eps",
                     tied = "tie_word_embeddings";
};
inline constexpr FieldWords gpt_words{.dim = {"n_embd", "hidden_size"},
                                      .layers = {"n_layer", "num_hidden_layers"},
                                      .heads = {"n_head", "num_attention_heads"},
                                      .context = {"n_positions", "max_position_embeddings"},
                                      .width = "n_inner",
                                      .activation = "activation_function",
                                      .epsilon = "layer_norm_epsilon"};
// Of Mamba's types. They have no word of their own for a context, since a state has no limit: the first models were
// trained on 2048 tokens.
inline constexpr FieldWords state_words{.heads = {}, .width = {}, .epsilon = "layer_norm_epsilon"};

struct TypeCalled {
    std::string_view type, name;  // "gpt2", "GPT-2"
    std::span<const Module> modules{};
};

// By which words a type is read and written, and what it is where a word is absent.
struct PlainType {
    TypeCalled called;
    FieldWords words{};
    struct Usual {
        std::int64_t dim, layers, heads = 1, vocab, context;
        std::optional<std::int64_t> width = {};  // absent: four times dim
    } usual;
    std::string_view activation;
    Norm norm = layer_norm(1e-5);
    bool tied = true;
    bool gated = false;
    bool biases = true;  // in all matrices of the layers
    bool embedding_norm = false, head_bias = false;
    Positions positions = Positions::rope;
    ComputationType computing{};
    OwnFields own{};
    Family rest{};  // what only some families have: all that is not set below
};
Result<Architecture> read_plain(const nlohmann::json& config, const Family& family, const PlainType& type);
nlohmann::ordered_json write_plain(const Architecture& arch, const PlainType& type);

template <const PlainType& type>
constexpr Family plain_family() {
    Family made = type.rest;
    made.type = type.called.type;
    made.name = type.called.name;
    made.modules = type.called.modules;
    made.read = [](const nlohmann::json& config, const Family& family) { return read_plain(config, family, type); };
    made.write = [](const Architecture& arch) { return write_plain(arch, type); };
    made.computation = [](const Architecture& arch) { return compute(arch, type.computing); };
    return made;
}

}  // namespace headcount
