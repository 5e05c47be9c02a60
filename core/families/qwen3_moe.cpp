// Qwen 3's mixtures: norms of queries and keys, many small experts (transformers, modeling_qwen3_moe.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/mixture_layout.hpp"
#include "core/families/qwen_mixture.hpp"

namespace headcount {
namespace qwen3_moe {

constexpr std::array modules =
    join(model_modules("Qwen3MoeForCausalLM", "Qwen3MoeModel", "Qwen3MoeDecoderLayer"),
         attention_modules("Qwen3MoeAttention"), gated_modules("Qwen3MoeMLP"),
         mixture_modules("mlp", "Qwen3MoeSparseMoeBlock"), expert_modules("Qwen3MoeExperts", "Qwen3MoeMLP"),
         router_modules("gate", "Qwen3MoeTopKRouter"), norm_modules, output_modules("Qwen3MoeRotaryEmbedding"));

constexpr LlamaType type{.class_name = "Qwen3MoeForCausalLM",
                         .dim = 2048,
                         .ffn_dim = 6144,
                         .layers = 24,
                         .kv_heads = 4,
                         .vocab = 151936,
                         .context = 32768,
                         .qk_norm = QkNorm::per_head};

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch = read_llama_like(reader, config, qwen3_moe_family(), type);
    read_qwen_window(reader, arch, {});
    arch.layer.mixture = read_qwen_mixture(reader, arch.layers, {128, 8, 768});
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_llama_like(arch, type);
    write_qwen_window(config, arch);
    write_qwen_mixture(config, arch);
    return config;
}

constexpr ComputationType computing{.routing = {.scores = RouterScores::softmax}, .normalizes = true};

constexpr Family family{"qwen3_moe", "Qwen 3 MoE", "Qwen3MoeRMSNorm", "model", modules,
                        read,        write,        compute<computing>};

}  // namespace qwen3_moe

const Family& qwen3_moe_family() {
    return qwen3_moe::family;
}

}  // namespace headcount
