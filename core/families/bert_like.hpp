// What BERT and the encoders built on it share: spellings in config.json, what stands on the encoder, and the layout of
// the module tree.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/families/besides.hpp"
#include "core/families/plain_type.hpp"

namespace headcount {

// What an absent field means, as BERT has it.
struct BertSizes {
    std::int64_t dim = 768, layers = 12, heads = 12, ffn_dim = 3072, vocab = 30522, context = 512;
};

// What sets a model_type apart from BERT: what an absent field means, how fields are spelled, and what is so in all
// models of the type.
struct BertType {
    TypeCalled called;  // "roberta", "RoBERTa"

    BertSizes usual{};
    std::optional<std::int64_t> token_types = 2;  // absent: none, whatever the file says
    double epsilon = 1e-12;
    std::string_view activation = "gelu";

    struct Fields {
        std::string_view dim = "hidden_size", layers = "num_hidden_layers";
        std::string_view heads = "num_attention_heads";  // empty: there are none
        std::string_view ffn_dim = "intermediate_size";
        std::string_view activation = "hidden_act";   // empty: GELU, whatever a file says
        std::string_view epsilon = "layer_norm_eps";  // empty: no field says it
    };
    Fields fields{};
    // The embedding's own width; empty: no field says one.
    std::string_view embedding_dim_field{};
    std::int64_t embedding_dim = 128;  // 0: as wide as the rest
    bool always_widens = false;        // by a matrix, also where the two are as wide
    // Positions are counted from behind the padding token's row, and the context says how many rows there are
    // (RoBERTa).
    bool positions_behind_padding = false;

    std::int64_t position_offset = 0;  // rows before those, beside the context

    Positions positions = Positions::learned;
    bool may_rotate = false;  // position_embedding_type may be "rotary"
    NormPlacement placement = NormPlacement::after_sum;
    bool embedding_norm = true;
    bool biases = true;
    bool gated = false;
    bool pools = true;          // the bare model has a pooler
    bool always_pools = false;  // a masked one stores it too, read by nothing
    bool may_decode = false;    // files may say that it hides later tokens, and looks at what another model makes

    ComputationType computing{};
    std::int64_t padding = 0;
    std::string_view ignored{};
    OwnFields own{};
    std::vector<Extra> (*besides)(const Architecture& arch) = nullptr;
    std::optional<DistanceTable> (*distances)(const Architecture& arch) = nullptr;
    std::optional<FirstConvolution> (*convolution)(const Architecture& arch) = nullptr;
};

inline constexpr std::string_view bert_looks = "add_cross_attention";

Result<Architecture> read_bert(const nlohmann::json& config, const Family& family, const BertType& type);
nlohmann::ordered_json write_bert(const Architecture& arch, const BertType& type);
// A bias that head and embedding would share, stored also where they are two, and read by nothing.
Extra idle_head_bias();
Computation bert_computation(const Architecture& arch, const BertType& type);
// One sub-block of attention below `at`, with the norm behind the sum: "AT.self.query.weight",
// "AT.output.dense.weight".
void list_bert_attention(Besides& more, const std::string& at, const Expr& dim);
// The type's own, what heads and poolers leave unread, and attention to what another model makes.
std::vector<Extra> bert_besides(const Architecture& arch, const BertType& type);

// The family that the type is of. Types must not stand in an unnamed namespace, as LLaMA's must not.
template <const BertType& type>
constexpr Family bert_like() {
    return {
        .type = type.called.type,
        .name = type.called.name,
        .modules = type.called.modules,
        .read = [](const nlohmann::json& config, const Family& family) { return read_bert(config, family, type); },
        .write = [](const Architecture& arch) { return write_bert(arch, type); },
        .computation = [](const Architecture& arch) { return bert_computation(arch, type); },
        .besides = [](const Architecture& arch) { return bert_besides(arch, type); },
        .distances = type.distances,
        .convolution = type.convolution,
        .padding = type.padding,
        .ignored = type.ignored.empty() && type.may_decode ? bert_looks : type.ignored,
    };
}

// Everything is registered where transformers registers it: root (0), model (1), embeddings and encoder (2), layer (4),
// sub-block (5), its halves (6), matrix (7).

template <FixedText name>
constexpr auto bert_root_modules(std::string_view base) {
    return std::to_array<Module>({
        {0, "", ModuleKind::container, {}, joined_name<name, "ForMaskedLM">},
        {1, base, ModuleKind::container, {}, joined_name<name, "Model">},
    });
}

template <FixedText name>
constexpr auto bert_embedding_modules = std::to_array<Module>({
    {2, "embeddings", ModuleKind::container, {}, joined_name<name, "Embeddings">},
    {3, "word_embeddings", ModuleKind::embedding, Part::token_embedding, {}},
    {3, "position_embeddings", ModuleKind::embedding, Part::position_embedding, {}},
    {3, "token_type_embeddings", ModuleKind::embedding, Part::token_type_embedding, {}},
    {3, "LayerNorm", ModuleKind::norm, Part::embedding_norm, {}},
    {3, "dropout", ModuleKind::stateless, {}, dropout_10},
    {2, "embeddings_project", ModuleKind::linear, Part::embedding_projection, {}},
});

// The same in RoBERTa's order.
template <FixedText name>
constexpr auto positions_last_modules = std::to_array<Module>({
    {2, "embeddings", ModuleKind::container, {}, joined_name<name, "Embeddings">},
    {3, "word_embeddings", ModuleKind::embedding, Part::token_embedding, {}},
    {3, "token_type_embeddings", ModuleKind::embedding, Part::token_type_embedding, {}},
    {3, "LayerNorm", ModuleKind::norm, Part::embedding_norm, {}},
    {3, "dropout", ModuleKind::stateless, {}, dropout_10},
    {3, "position_embeddings", ModuleKind::embedding, Part::position_embedding, {}},
    {2, "embeddings_project", ModuleKind::linear, Part::embedding_projection, {}},
});

template <FixedText name>
constexpr auto bert_encoder_modules = std::to_array<Module>({
    {2, "encoder", ModuleKind::container, {}, joined_name<name, "Encoder">},
    {3, "layer", ModuleKind::container, {}, "ModuleList"},
    {4, "{i}", ModuleKind::layer, {}, joined_name<name, "Layer">},
});

template <FixedText name>
constexpr auto bert_self_modules = std::to_array<Module>({
    {6, "self", ModuleKind::container, {}, joined_name<name, "SelfAttention">},
    {7, "query", ModuleKind::linear, Part::query, {}},
    {7, "key", ModuleKind::linear, Part::key, {}},
    {7, "value", ModuleKind::linear, Part::value, {}},
    {7, "dropout", ModuleKind::stateless, {}, dropout_10},
});

template <FixedText name>
constexpr auto bert_intermediate_modules = std::to_array<Module>({
    {5, "intermediate", ModuleKind::container, {}, joined_name<name, "Intermediate">},
    {6, "dense", ModuleKind::linear, Part::up, {}},
    {6, "intermediate_act_fn", ModuleKind::activation, {}, {}},
});

template <FixedText name>
constexpr auto bert_feed_forward_modules =
    join(bert_intermediate_modules<name>, std::to_array<Module>({
                                              {5, "output", ModuleKind::container, {}, joined_name<name, "Output">},
                                              {6, "dense", ModuleKind::linear, Part::down, {}},
                                              {6, "LayerNorm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
                                              {6, "dropout", ModuleKind::stateless, {}, dropout_10},
                                          }));

template <FixedText name>
constexpr auto bert_self_output_modules = std::to_array<Module>({
    {6, "output", ModuleKind::container, {}, joined_name<name, "SelfOutput">},
    {7, "dense", ModuleKind::linear, Part::attention_output, {}},
    {7, "LayerNorm", ModuleKind::norm, Part::attention_output_norm, {}},
    {7, "dropout", ModuleKind::stateless, {}, dropout_10},
});

// With norms after each sum.
template <FixedText name>
constexpr auto bert_layer_modules =
    join(bert_encoder_modules<name>,
         std::to_array<Module>({
             {5, "attention", ModuleKind::container, {}, joined_name<name, "Attention">},
             // Of an edited one: no published model has norms before its sub-blocks here.
             {6, "norm", ModuleKind::norm, Part::attention_norm, {}},
         }),
         bert_self_modules<name>, bert_self_output_modules<name>, bert_feed_forward_modules<name>);

template <FixedText name>
constexpr auto bert_pooler_modules = std::to_array<Module>({
    {2, "pooler", ModuleKind::container, {}, joined_name<name, "Pooler">, Part::pooler},
    {3, "dense", ModuleKind::linear, Part::pooler, {}},
    {3, "activation", ModuleKind::stateless, {}, "Tanh()", Part::pooler},
});

// "cls.predictions": BERT's scores for a hidden token.
template <FixedText name>
constexpr auto bert_head_modules = std::to_array<Module>({
    {1, "cls", ModuleKind::container, {}, joined_name<name, "OnlyMLMHead">},
    {2, "predictions", ModuleKind::container, {}, joined_name<name, "LMPredictionHead">},
    // Tied, it is the head's; else it lies beside that, read by nothing.
    {3, "bias", ModuleKind::bare, Part::idle_head_bias, {}},
    {3, "bias", ModuleKind::bare, Part::output_head, {}, {}, Part::idle_head_bias},
    {3, "transform", ModuleKind::container, {}, joined_name<name, "PredictionHeadTransform">},
    {4, "dense", ModuleKind::linear, Part::head_transform, {}},
    {4, "transform_act_fn", ModuleKind::activation, {}, {}},
    {4, "LayerNorm", ModuleKind::norm, Part::head_norm, {}},
    {3, "decoder", ModuleKind::linear, Part::output_head, {}},
});

// "lm_head": RoBERTa's.
template <FixedText name>
constexpr auto roberta_head_modules = std::to_array<Module>({
    {1, "lm_head", ModuleKind::container, {}, joined_name<name, "LMHead">},
    {2, "bias", ModuleKind::bare, Part::idle_head_bias, {}},
    {2, "bias", ModuleKind::bare, Part::output_head, {}, {}, Part::idle_head_bias},
    {2, "dense", ModuleKind::linear, Part::head_transform, {}},
    {2, "layer_norm", ModuleKind::norm, Part::head_norm, {}},
    {2, "decoder", ModuleKind::linear, Part::output_head, {}},
});

}  // namespace headcount
