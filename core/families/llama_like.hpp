// What LLaMA and the families built on it share: spellings in config.json and the layout of the module tree.
#pragma once

#include "core/families/class_names.hpp"
#include "core/families/config_reader.hpp"
#include "core/families/layout.hpp"
#include "core/families/windows.hpp"

namespace headcount {

// What sets a model_type apart from LLaMA: what an absent field means, how fields are spelled, and what is so in all
// models of the type. A spelling that is empty: there is no such field.
struct LlamaType {
    std::string_view class_name;  // "LlamaForCausalLM"

    std::int64_t dim = 4096;
    std::int64_t ffn_dim = 11008;
    std::int64_t layers = 32;
    std::int64_t heads = 32;
    std::optional<std::int64_t> kv_heads{};  // absent: one for each head
    std::optional<std::int64_t> head_dim{};  // absent: dim / heads
    bool null_head_dim = false;              // null means dim / heads, and not as elsewhere the default
    std::int64_t vocab = 32000;
    std::int64_t context = 2048;
    bool tied = false;
    std::string_view activation = "silu";
    bool qkv_bias = false;
    std::optional<double> rotary{};  // the part of each head that is turned; absent: all of it, and no field says less

    std::string_view head_dim_field = "head_dim";
    std::string_view activation_field = "hidden_act";
    std::string_view epsilon_field = "rms_norm_eps";
    std::string_view qkv_bias_field = "attention_bias";
    std::string_view mlp_bias_field{};

    bool qkv_bias_is_output_bias = true;  // the field speaks of the output projection too
    bool gated = true;
    QkNorm qk_norm = QkNorm::none;
    std::string_view qk_norm_field{};  // where there is one, it decides whether there are such norms
    Norm norm{};
    Joining joining = Joining::in_turn;
    std::optional<WindowFields> window{};  // absent: no field speaks of one
    std::string_view encoder_field{};      // would let tokens see later ones, which is refused
};

// The decoder with everything at LLaMA's places.
constexpr auto llama_modules(const DecoderClasses& classes) {
    return join(model_modules(classes.causal_lm, classes.model, classes.layer), attention_modules(classes.attention),
                gated_modules(classes.feed_forward), norm_modules, output_modules(classes.rotary));
}

// All but layers without positions, which is for the family to read.
Architecture read_llama_like(ConfigReader& reader, const nlohmann::json& config, const Family& family,
                             const LlamaType& type);
nlohmann::ordered_json write_llama_like(const Architecture& arch, const LlamaType& type);

// Whether the file's type is that of a vision-language model or of its text part: "qwen2_5_vl", "qwen3_vl_text".
bool is_vision_language(const nlohmann::json& config);
// The configuration with this base of rotary positions where it says none.
nlohmann::json with_rope_base(nlohmann::json config, double base);

// Reading and writing of a family that has nothing beside its type, which must not stand in an unnamed namespace:
// g++ 14 then gives the functions made for all such types one name, and the linker takes one for all.
template <const Family& (*family)(), const LlamaType& type>
Result<Architecture> read_llama(const nlohmann::json& config) {
    ConfigReader reader(config);
    return reader.finish(read_llama_like(reader, config, family(), type));
}
// Of a family whose vision-language models have a type of their own, "qwen2_vl": what a file of that leaves out is as
// in `vision_language`, and the base of its rotary positions.
template <const Family& (*family)(), const LlamaType& type, const LlamaType& vision_language, int rope_base>
Result<Architecture> read_llama(const nlohmann::json& config) {
    if (!is_vision_language(config)) return read_llama<family, type>(config);
    return read_llama<family, vision_language>(with_rope_base(config, rope_base));
}
template <const LlamaType& type>
nlohmann::ordered_json write_llama(const Architecture& arch) {
    return write_llama_like(arch, type);
}

}  // namespace headcount
