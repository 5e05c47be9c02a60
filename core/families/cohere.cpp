// Command R: attention and feed-forward side by side behind one norm, which has no bias; in Command R+ norms of queries
// and keys with weights for each head (transformers, modeling_cohere.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace cohere {

constexpr DecoderClasses classes = classes_of<"Cohere">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .dim = 8192,
                         .ffn_dim = 22528,
                         .layers = 40,
                         .heads = 64,
                         .vocab = 256000,
                         .context = 8192,
                         .tied = true,
                         .epsilon_field = "layer_norm_eps",
                         .qk_norm = QkNorm::each_head,
                         .qk_norm_field = "use_qk_norm",
                         .norm = {.kind = NormKind::layer, .epsilon = 1e-5},
                         .joining = Joining::parallel_shared};
constexpr std::array modules = llama_modules(classes);

constexpr ComputationType computing{.rope_base = 500000, .pairs = RopePairs::neighbours, .logit_scale = 0.0625};

constexpr Family family{
    "cohere",          "Command R",        "CohereLayerNorm()", "model",      modules, read_llama<cohere_family, type>,
    write_llama<type>, compute<computing>, /*verified=*/true,   /*padding=*/0};

}  // namespace cohere

const Family& cohere_family() {
    return cohere::family;
}

}  // namespace headcount
