// EXAONE 3 (LG AI Research 2024): LLaMA's layers under names like GPT-2's (transformers, configuration_exaone.py and
// its conversion of the names).
#include <utility>

#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace exaone {

constexpr DecoderClasses classes{.causal_lm = "ExaoneForCausalLM",
                                 .model = "ExaoneModel",
                                 .layer = "ExaoneBlock",
                                 .attention = "ExaoneSelfAttention",
                                 .feed_forward = "ExaoneGatedMLP",
                                 .rotary = "ExaoneRotaryEmbedding",
                                 .rms_norm = "ExaoneRMSNorm"};
constexpr auto modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, classes.causal_lm},
    {1, "transformer", ModuleKind::container, {}, classes.model},
    {2, "wte", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "h", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, classes.layer},
    {4, "ln_1", ModuleKind::norm, Part::attention_norm, {}},
    {4, "attn", ModuleKind::container, {}, "ExaoneAttention"},
    {5, "attention", ModuleKind::container, {}, classes.attention},
    {6, "k_proj", ModuleKind::linear, Part::key, {}},
    {6, "v_proj", ModuleKind::linear, Part::value, {}},
    {6, "q_proj", ModuleKind::linear, Part::query, {}},
    {6, "out_proj", ModuleKind::linear, Part::attention_output, {}},
    {4, "ln_2", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "mlp", ModuleKind::container, {}, classes.feed_forward},
    {5, "c_fc_0", ModuleKind::linear, Part::gate, {}},
    {5, "c_fc_1", ModuleKind::linear, Part::up, {}},
    {5, "c_proj", ModuleKind::linear, Part::down, {}},
    {5, "act", ModuleKind::activation, {}, {}},
    {2, "ln_f", ModuleKind::norm, Part::final_norm, {}},
    {2, "rotary", ModuleKind::rotary, {}, classes.rotary},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
});

constexpr LlamaType type{.called = {"exaone", "EXAONE 3", classes, modules},
                         .usual = {.ffn_dim = 14336, .vocab = 102400, .context = 4096},
                         .kv_heads = 8,
                         .mlp_bias_field = "mlp_bias",
                         .norm = {.epsilon = 1e-5},
                         .computing = {.rope_base = 500000},
                         .padding = 0};

// With the spellings of published files in LLaMA's words, where both are not there.
nlohmann::json in_usual_words(nlohmann::json config) {
    for (const auto& [published, usual] : {std::pair{"num_layers", "num_hidden_layers"},
                                           {"layer_norm_epsilon", "rms_norm_eps"},
                                           {"activation_function", "hidden_act"}}) {
        if (!config.contains(published)) continue;
        if (!config.contains(usual)) config[usual] = config[published];
        config.erase(published);
    }
    return config;
}

}  // namespace exaone

constexpr Family exaone_family = changed(llama_like<exaone::type>(), [](Family& family) {
    family.read = [](const nlohmann::json& config, const Family& of) {
        return read_llama(exaone::in_usual_words(config), of, exaone::type);
    };
});

}  // namespace headcount
