// What BART and the encoders with decoders built like it share: spellings in config.json, and what stands in both
// stacks.
#pragma once

#include "core/families/bart_modules.hpp"

namespace headcount::bart {

// What an absent field means, as BART has it.
struct Sizes {
    std::int64_t vocab = 50265, dim = 1024, context = 1024, heads = 16, ffn_dim = 4096;
    std::int64_t encoder_layers = 12, decoder_layers = 12;
};

// Where the types differ: what an absent field means, and what is so in all models of one.
struct Type {
    TypeCalled called{};
    Sizes usual{};
    struct Fields {
        std::string_view dim = "d_model", encoder_layers = "encoder_layers", decoder_layers = "decoder_layers";
        std::string_view encoder_heads = "encoder_attention_heads", decoder_heads = "decoder_attention_heads";
        std::string_view context = "max_position_embeddings";
        std::string_view vocab = "vocab_size", encoder_vocab{};          // empty: both stacks have one
        std::string_view encoder_context{}, window{}, attention_bias{};  // empty: no field says it
    };
    Fields fields{};
    std::int64_t encoder_context = 16384;
    bool attention_bias = true;
    std::string_view activation = "gelu";
    bool scaled = false;  // embedded rows by the root of the width
    Positions positions = Positions::learned;
    std::int64_t position_offset = 2;
    bool offset_behind_padding = false;  // one more than the padding token, whatever the offset above
    NormPlacement placement = NormPlacement::after_sum;
    bool embedding_norm = true;
    bool head_bias = true;
    std::int64_t padding = 1;
    bool may_part_embeddings = false;  // share_encoder_decoder_embeddings
    bool shares_table = true;          // stored beside tables that the stacks have of their own
    bool sparse = false;               // experts in some layers: num_experts, ..._sparse_step
    bool alone_untied = false;         // without its encoder it has a head of its own, whatever the file says
    OwnFields own{};
    void (*compute_rest)(ComputationReader& reader, Computation& computation) = nullptr;
    std::vector<Extra> (*besides)(const Architecture& arch) = nullptr;
    std::string_view ignored{};
};

// As M2M-100 is, and what came from it.
inline constexpr Type like_m2m{.activation = "relu",
                               .scaled = true,
                               .positions = Positions::sinusoidal,
                               .offset_behind_padding = true,
                               .placement = NormPlacement::before,
                               .embedding_norm = false,
                               .head_bias = false};

Result<Architecture> read(const nlohmann::json& config, const Family& family, const Type& type);
nlohmann::ordered_json write(const Architecture& arch, const Type& type);
Computation computation(const Architecture& arch, const Type& type);
// The type's own, a table that no stack reads, and what a decoder keeps of attention to an encoder that it lacks.
std::vector<Extra> besides(const Architecture& arch, const Type& type);

// A decoder's attention to what an encoder makes, where there is none: stored, and read by nothing. `memory` is the
// width of what it would read.
std::vector<Extra> idle_attention(const Architecture& arch, const Expr& memory);

// What a run computes with is read for that; the rest is of training, or of code that had more forms than transformers.
inline constexpr std::string_view ignored =
    "add_bias_logits add_cross_attention add_final_layer_norm decoder_layerdrop encoder_layerdrop "
    "extra_pos_embeddings normalize_before normalize_embedding prompt_length prompt_mid_dim "
    "scale_embedding share_encoder_decoder_embeddings static_position_embeddings use_prompt";

template <const Type& type>
constexpr Family family_of() {
    return {.type = type.called.type,
            .name = type.called.name,
            .modules = type.called.modules,
            .read = [](const nlohmann::json& config, const Family& family) { return read(config, family, type); },
            .write = [](const Architecture& arch) { return write(arch, type); },
            .computation = [](const Architecture& arch) { return computation(arch, type); },
            .besides = [](const Architecture& arch) { return besides(arch, type); },
            .padding = type.padding,
            .ignored = type.ignored.empty() ? ignored : type.ignored};
}

}  // namespace headcount::bart
