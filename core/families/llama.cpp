// LLaMA 1 to 3 and what shares its layout (TinyLlama, SmolLM2): transformers, modeling_llama.py.
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace {

constexpr std::array modules = llama_modules(
    {"LlamaForCausalLM", "LlamaModel", "LlamaDecoderLayer", "LlamaAttention", "LlamaMLP", "LlamaRotaryEmbedding"});

Result<Architecture> read(const nlohmann::json& config) {
    return read_llama_like(llama_family(), config, {});
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_llama_like(arch, "LlamaForCausalLM");
    // One word for all four matrices: where they differ, it cannot be said.
    config["attention_bias"] = arch.layer.attention.qkv_bias && arch.layer.attention.output_bias;
    config["mlp_bias"] = arch.layer.feed_forward.bias;
    return config;
}

constexpr Family family{"llama", "LLaMA", "LlamaRMSNorm", "model", modules, read, write};

}  // namespace

const Family& llama_family() {
    return family;
}

}  // namespace headcount
