// Mistral 7B: LLaMA's layout with grouped queries and no biases (transformers, modeling_mistral.py).
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace {

constexpr std::array modules = llama_modules({"MistralForCausalLM", "MistralModel", "MistralDecoderLayer",
                                              "MistralAttention", "MistralMLP", "MistralRotaryEmbedding"});

Result<Architecture> read(const nlohmann::json& config) {
    return read_llama_like(mistral_family(), config,
                           {.ffn_dim = 14336, .context = 131072, .kv_heads = 8, .may_have_biases = false});
}

nlohmann::ordered_json write(const Architecture& arch) {
    return write_llama_like(arch, "MistralForCausalLM");
}

constexpr Family family{"mistral", "Mistral", "MistralRMSNorm", "model", modules, read, write};

}  // namespace

const Family& mistral_family() {
    return family;
}

}  // namespace headcount
