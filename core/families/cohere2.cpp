// Command R7B and A: Command R with a window in three of four layers, and no positions in the others
// (transformers, modeling_cohere2.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace cohere2 {

constexpr DecoderClasses classes = classes_of<"Cohere2">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .dim = 8192,
                         .ffn_dim = 22528,
                         .layers = 40,
                         .heads = 64,
                         .vocab = 256000,
                         .context = 8192,
                         .tied = true,
                         .epsilon_field = "layer_norm_eps",
                         .norm = {.kind = NormKind::layer, .epsilon = 1e-5},
                         .joining = Joining::parallel_shared,
                         .window = WindowFields{.size = 4096, .pattern = 4, .has_pattern_field = true}};
constexpr std::array modules = llama_modules(classes);

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch = read_llama_like(reader, config, cohere2_family(), type);
    // Whatever has no window has no positions either.
    Attention& attention = arch.layer.attention;
    attention.rotated = attention.window ? attention.window->layers : LayerSet::none();
    return reader.finish(std::move(arch));
}

constexpr ComputationType computing{.pairs = RopePairs::neighbours, .logit_scale = 0.0625};

constexpr Family family{"cohere2", "Command A",       "Cohere2LayerNorm()", "model",           modules,
                        read,      write_llama<type>, compute<computing>,   /*verified=*/true, /*padding=*/0};

}  // namespace cohere2

const Family& cohere2_family() {
    return cohere2::family;
}

}  // namespace headcount
