// What GPT-2 and its relatives share: choices that most of them make alike.
#pragma once

#include "core/base/checked.hpp"
#include "core/families/computing.hpp"
#include "core/families/layout.hpp"

namespace headcount {

// LayerNorm with weights and biases.
inline Norm layer_norm(double epsilon) {
    return {.kind = NormKind::layer, .bias = true, .epsilon = epsilon};
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

// What only some families have, as Family says.
struct FamilyRest {
    std::string_view norm_class{};
    std::vector<Extra> (*besides)(const Architecture& arch) = nullptr;
    std::optional<SharedLayer> (*shared)(const Architecture& arch) = nullptr;
    bool feeds_besides = false;
    std::optional<std::int64_t> padding{};
    std::span<const std::string_view> ignored{};
};

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

// LayerNorm, a feed-forward without a gate, biases everywhere: by which words such a type is read and written, and what
// it is where a word is absent.
struct PlainType {
    std::string_view type, name;  // "gpt2", "GPT-2"
    std::span<const Module> modules;
    FieldWords words{};
    struct Usual {
        std::int64_t dim, layers, heads, vocab, context;
        std::optional<std::int64_t> width = {};  // absent: four times dim
    } usual;
    std::string_view activation;
    double epsilon = 1e-5;
    bool tied = true;
    Positions positions = Positions::rope;
    ComputationType computing{};
    // What only this type has besides.
    void (*read_rest)(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) = nullptr;
    void (*write_rest)(nlohmann::ordered_json& config, const Architecture& arch) = nullptr;
    FamilyRest rest{};
};
Result<Architecture> read_plain(const nlohmann::json& config, const Family& family, const PlainType& type);
nlohmann::ordered_json write_plain(const Architecture& arch, const PlainType& type);

constexpr Family family_of(std::string_view type, std::string_view name, std::span<const Module> modules,
                           decltype(Family::read) read, decltype(Family::write) write,
                           decltype(Family::computation) computation, const FamilyRest& rest) {
    return {.type = type,
            .name = name,
            .norm_class = rest.norm_class,
            .modules = modules,
            .read = read,
            .write = write,
            .computation = computation,
            .besides = rest.besides,
            .shared = rest.shared,
            .feeds_besides = rest.feeds_besides,
            .padding = rest.padding,
            .ignored = rest.ignored};
}

// A family of which `read` reads all that its files say.
template <const Family& family, void (*read)(ConfigReader&, const nlohmann::json&, Architecture&),
          nlohmann::ordered_json (*write)(const Architecture&), const ComputationType& computing = llama_computation>
constexpr Family gpt_like(std::string_view type, std::string_view name, std::span<const Module> modules,
                          const FamilyRest& rest = {}) {
    const auto read_all = [](const nlohmann::json& config) {
        ConfigReader reader(config);
        Architecture arch;
        arch.family = &family;
        read(reader, config, arch);
        return reader.finish(std::move(arch));
    };
    return family_of(type, name, modules, read_all, write, compute<computing>, rest);
}

template <const Family& family, const PlainType& type>
constexpr Family plain_gpt() {
    return family_of(
        type.type, type.name, type.modules,
        [](const nlohmann::json& config) { return read_plain(config, family, type); },
        [](const Architecture& arch) { return write_plain(arch, type); },
        [](const Architecture& arch) { return compute(arch, type.computing); }, type.rest);
}

}  // namespace headcount
