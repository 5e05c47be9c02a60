// What LLaMA and the families built on it share: spellings in config.json and the layout of the module tree.
#pragma once

#include "core/families/computing.hpp"
#include "core/families/layer_lists.hpp"
#include "core/families/layout.hpp"
#include "core/families/mixture_type.hpp"

namespace headcount {

// What an absent field means, as LLaMA has it.
struct LlamaSizes {
    std::int64_t dim = 4096, ffn_dim = 11008, layers = 32, heads = 32, vocab = 32000, context = 2048;
};

// What sets a model_type apart from LLaMA: what an absent field means, how fields are spelled, and what is so in all
// models of the type. A spelling that is empty: there is no such field.
struct LlamaType {
    struct Called {
        std::string_view type, name;        // "llama", "LLaMA"
        DecoderClasses classes;             // classes_of<"Llama">
        std::span<const Module> modules{};  // empty: everything at LLaMA's places
    };
    Called called;
    std::string_view norm_class{};  // empty: as the classes have it

    LlamaSizes usual{};
    std::optional<std::int64_t> kv_heads{};  // absent: one for each head
    std::optional<std::int64_t> head_dim{};  // absent: dim / heads
    bool rounds_head_dim = false;            // dim / heads is rounded down
    bool null_head_dim = false;              // null means dim / heads, and not as elsewhere the default
    bool tied = false;
    std::string_view activation = "silu";
    bool qkv_bias = false;
    bool mlp_bias = false;
    std::optional<double> rotary{};  // the part of each head that is turned; absent: all of it, and no field says less

    std::string_view head_dim_field = "head_dim";
    std::string_view activation_field = "hidden_act";
    std::string_view epsilon_field = "rms_norm_eps";
    std::string_view qkv_bias_field = "attention_bias", qkv_bias_other{};  // another spelling
    std::string_view mlp_bias_field{}, mlp_bias_other{};

    bool qkv_bias_is_output_bias = true;   // the field speaks of the output projection too
    std::string_view output_bias_field{};  // where there is one, that speaks of it; absent: no
    bool gated = true;
    QkNorm qk_norm = QkNorm::none;
    std::string_view qk_norm_field{};  // where there is one, it decides whether there are such norms
    Norm norm{};
    Joining joining = Joining::in_turn;
    std::optional<WindowFields> window{};  // absent: no field speaks of one
    std::string_view later_field{};        // lets tokens see later ones
    std::string_view encoder_field{};      // would let tokens see later ones, which is refused

    std::optional<MixtureType> mixture{};

    ComputationType computing{};
    std::optional<std::int64_t> padding{};
    std::string_view numbers{};  // fields that besides are made of, each a number
    std::string_view ignored{};  // Family::ignored
    std::vector<Extra> (*besides)(const Architecture& arch) = nullptr;
    OwnFields own{};
    std::string_view (*differs)(const Architecture& arch) = nullptr;  // Family::differs
    std::span<const Rewritten> bare_rewritten{};                      // Family::bare_rewritten
    // Of vision-language models, whose files have a type of their own ("qwen2_5_vl", "qwen3_vl_text"): what such a file
    // leaves out, the base of its rotary positions among it.
    const LlamaType* vision_language = nullptr;
};

// The type under another name, with modules of its own.
constexpr LlamaType called(LlamaType other, std::string_view type, std::string_view name, const DecoderClasses& classes,
                           std::span<const Module> modules) {
    other.called = {type, name, classes, modules};
    return other;
}

// The decoder with everything at LLaMA's places.
constexpr auto llama_modules(const DecoderClasses& classes) {
    return decoder_modules(classes, attention_modules(classes.attention), gated_modules(classes.feed_forward),
                           norm_modules);
}

Result<Architecture> read_llama(const nlohmann::json& config, const Family& family, const LlamaType& type);
nlohmann::ordered_json write_llama(const Architecture& arch, const LlamaType& type);

// The modules of a type that has them all at LLaMA's places.
template <const LlamaType& type>
inline constexpr auto modules_like_llama = llama_modules(type.called.classes);

// The family that the type is of. Types must not stand in an unnamed namespace: g++ 14 then gives the functions made
// for all of them one name, and the linker takes one for all.
template <const LlamaType& type>
constexpr Family llama_like() {
    return {
        .type = type.called.type,
        .name = type.called.name,
        .norm_class = type.norm_class.empty() ? type.called.classes.rms_norm : type.norm_class,
        .modules = type.called.modules.empty() ? modules_like_llama<type> : type.called.modules,
        .read = [](const nlohmann::json& config, const Family& family) { return read_llama(config, family, type); },
        .write = [](const Architecture& arch) { return write_llama(arch, type); },
        .computation = [](const Architecture& arch) { return compute(arch, type.computing); },
        .besides = type.besides,
        .differs = type.differs,
        .padding = type.padding,
        .bare_rewritten = type.bare_rewritten,
        .ignored = type.ignored,
        .numbers = type.numbers,
    };
}

// The same of a mixture whose experts have names of their own.
template <const LlamaType& type>
constexpr Family llama_mixture() {
    return known_to_peft(llama_like<type>(), {.experts_by_name = true});
}

}  // namespace headcount
