// gpt-oss: attention sinks, windows in every other layer, biases everywhere, experts stacked into one tensor each
// (transformers, modeling_gpt_oss.py).
#include "core/families/families.hpp"
#include "core/families/layer_lists.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/mixture_layout.hpp"
#include "core/families/windows.hpp"

namespace headcount {
namespace {

constexpr std::array modules =
    join(model_modules("GptOssForCausalLM", "GptOssModel", "GptOssDecoderLayer"), attention_modules("GptOssAttention"),
         mixture_modules("mlp", "GptOssMLP"), router_modules("router", "GptOssTopKRouter"),
         stacked_expert_modules("GptOssExperts"), norm_modules, output_modules("GptOssRotaryEmbedding"));

constexpr LlamaType type{.class_name = "GptOssForCausalLM",
                         .dim = 2880,
                         .ffn_dim = 2880,
                         .layers = 36,
                         .heads = 64,
                         .kv_heads = 8,
                         .head_dim = 64,
                         .vocab = 201088,
                         .context = 131072,
                         .qkv_bias = true,
                         .norm = {.epsilon = 1e-5}};
constexpr WindowFields window{.size = 128};

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch = read_llama_like(reader, config, gpt_oss_family(), type);
    arch.layer.attention.sinks = true;
    // Unless it is said otherwise, the first layer slides, the second sees all, and so on.
    read_window(reader, config, arch, window, [] { return all_but_every(2); });

    arch.layer.feed_forward.bias = true;
    Mixture mixture;
    mixture.experts = reader.number({"num_local_experts", "num_experts"}, 128);
    mixture.experts_per_token = reader.number({"num_experts_per_tok", "experts_per_token"}, 4);
    mixture.expert_dim = std::get<std::int64_t>(arch.layer.feed_forward.width);
    mixture.router_bias = true;
    arch.layer.mixture = mixture;
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_llama_like(arch, type);
    write_window(config, arch, window);
    if (!arch.layer.mixture) return config;
    config["intermediate_size"] = arch.layer.mixture->expert_dim;
    config["num_local_experts"] = arch.layer.mixture->experts;
    config["num_experts_per_tok"] = arch.layer.mixture->experts_per_token;
    return config;
}

constexpr Family family{"gpt_oss", "gpt-oss", "GptOssRMSNorm", "model", modules, read, write};

}  // namespace

const Family& gpt_oss_family() {
    return family;
}

}  // namespace headcount
