// What LLaMA and the families built on it share: spellings in config.json and the layout of the module tree.
#pragma once

#include "core/families/config_reader.hpp"
#include "core/families/layout.hpp"

namespace headcount {

// The defaults of a model_type, where it differs from LLaMA's.
struct LlamaDefaults {
    std::int64_t ffn_dim = 11008;
    std::int64_t context = 2048;
    std::optional<std::int64_t> kv_heads;  // absent: one for each head
    bool may_have_biases = true;           // reads attention_bias and mlp_bias
};

// What transformers calls the modules of such a model; their paths are the same in all.
struct LlamaClasses {
    std::string_view causal_lm, model, layer, attention, feed_forward, rotary;
};

constexpr auto llama_modules(const LlamaClasses& classes) {
    return join(model_modules(classes.causal_lm, classes.model, classes.layer), attention_modules(classes.attention),
                gated_modules(classes.feed_forward), norm_modules, output_modules(classes.rotary));
}

Result<Architecture> read_llama_like(const Family& family, const nlohmann::json& config, const LlamaDefaults& defaults);
nlohmann::ordered_json write_llama_like(const Architecture& arch, std::string_view class_name);

}  // namespace headcount
