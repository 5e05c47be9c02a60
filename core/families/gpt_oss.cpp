// gpt-oss: attention sinks, windows in every other layer, biases everywhere, experts stacked into one tensor each
// (transformers, modeling_gpt_oss.py).
#include <cmath>

#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/local_experts.hpp"
#include "core/families/mixture_layout.hpp"

namespace headcount {
namespace gpt_oss {

constexpr std::array modules =
    join(model_modules("GptOssForCausalLM", "GptOssModel", "GptOssDecoderLayer"), attention_modules("GptOssAttention"),
         mixture_modules("mlp", "GptOssMLP"), router_modules("router", "GptOssTopKRouter"),
         stacked_expert_modules("GptOssExperts", Fusing::alternating), norm_modules,
         output_modules("GptOssRotaryEmbedding"));

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
                         .norm = {.epsilon = 1e-5},
                         .window = WindowFields{.size = 128, .pattern = 2}};

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch = read_llama_like(reader, config, gpt_oss_family(), type);
    arch.layer.attention.sinks = true;
    arch.layer.feed_forward.bias = true;
    arch.layer.mixture = read_local_experts(reader, arch, {128, 4}, {"num_experts_per_tok", "experts_per_token"});
    arch.layer.mixture->router_bias = true;
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_llama_like(arch, type);
    write_local_experts(config, arch);
    return config;
}

// A file that says nothing of the scaling means the published models'.
Result<Computation> computation(const Architecture& arch) {
    ComputationReader reader(arch);
    Computation computation = reader.read({.rope_base = 150000});
    const bool says = reader.object("rope_scaling") || reader.object("rope_parameters");
    if (!says && arch.positions == Positions::rope) {
        Rope& rope = computation.rope;
        rope.scaling = RopeScaling::yarn;
        rope.factor = 32;
        rope.original_context = 4096;
        rope.truncate = false;
        rope.attention_factor = 0.1 * std::log(rope.factor) + 1;
    }
    if (arch.layer.mixture)
        computation.clamped_gate =
            ClampedGate{reader.positive("swiglu_alpha", 1.702), reader.positive("swiglu_limit", 7)};
    return reader.finish(std::move(computation));
}

constexpr Family family{"gpt_oss", "gpt-oss", "GptOssRMSNorm", "model", modules, read, write, computation};

}  // namespace gpt_oss

const Family& gpt_oss_family() {
    return gpt_oss::family;
}

}  // namespace headcount
