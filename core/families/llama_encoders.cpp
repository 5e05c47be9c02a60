// LLaMA as an encoder: EuroBERT (Boizard et al. 2025), Ultrabert, some of whose layers look around alone, ESM C (ESM
// Team 2024), which reads proteins and whose head is BERT's, and NeoMME, whose head is the way into it back
// (transformers, modeling_eurobert.py, modeling_ultrabert.py, modeling_esmc.py, modeling_neomme.py).
#include <cmath>

#include "core/base/checked.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace llama_encoders {

// EuroBERT: LLaMA that sees all tokens, and its head right on the last norm.
constexpr DecoderClasses euro_classes =
    changed(classes_of<"EuroBert">, [](DecoderClasses& classes) { classes.causal_lm = "EuroBertForMaskedLM"; });
constexpr LlamaType euro{
    .called = {"eurobert", "EuroBERT", euro_classes},
    .usual = {.dim = 768, .ffn_dim = 3072, .layers = 12, .heads = 12, .vocab = 128256, .context = 8192},
    .mlp_bias_field = "mlp_bias",
    .norm = {.epsilon = 1e-5},
    .padding = 128001,
    .own = {[](ConfigReader&, Architecture& arch) {
        arch.layer.attention.mask = AttentionMask::full;
        arch.head_bias = arch.layer.feed_forward.bias;
    }}};

// Ultrabert: before its head two matrices that lead into a narrower row and out of it.
constexpr DecoderClasses ultra_classes =
    changed(classes_of<"Ultrabert">, [](DecoderClasses& classes) { classes.causal_lm = "UltrabertForMaskedLM"; });
constexpr auto ultra_modules = changed(llama_modules(ultra_classes), [](auto& modules) {
    modules[1].name = "ultrabert";
    for (Module& module : modules)
        if (module.name == "lm_head") module.name = "cls";
});
constexpr LlamaType ultra{
    .called = {"ultrabert", "Ultrabert", ultra_classes, ultra_modules},
    .usual = {.context = 32768},
    .mlp_bias_field = "mlp_bias",
    .computing = {.refused = "matrices before the head"},
    .padding = 0,
    .numbers = "prediction_head_size",
    .ignored = "attention_windows layer_types prediction_head_size sliding_window",
    .besides = [](const Architecture& arch) -> std::vector<Extra> {
        if (!has_head(arch)) return {};
        Besides more(arch);
        const std::int64_t narrow = more.number("prediction_head_size", 768);
        return more.in_model(Component::output)
            .linear("head.linear1", narrow, Symbol::dim)
            .linear("head.linear2", Symbol::dim, narrow)
            .take();
    },
    .own = {[](ConfigReader&, Architecture& arch) { arch.layer.attention.mask = AttentionMask::full; }}};

// NeoMME: a narrow embedding whose matrix leads back to the head, norms without weights, gates on what heads found, and
// values and patches of images that are besides.
constexpr DecoderClasses neomme_classes = changed(classes_of<"NeoMME">, [](DecoderClasses& classes) {
    classes.causal_lm = "NeoMMEForMaskedLM";
    classes.layer = "NeoMMEEncoderLayer";
});
constexpr auto neomme_modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, "NeoMMEForMaskedLM"},
    {1, "model", ModuleKind::container, {}, "NeoMMEModel"},
    {2, "embed_tokens", ModuleKind::container, {}, "NeoMMEEmbeddings"},
    {3, "word_embeddings", ModuleKind::embedding, Part::token_embedding, {}},
    {3, "embedding_projection", ModuleKind::linear, Part::embedding_projection, {}},
    {2, "layers", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "NeoMMEEncoderLayer"},
    {4, "self_attn", ModuleKind::container, {}, "NeoMMEAttention"},
    {5, "q_proj", ModuleKind::linear, Part::query, {}},
    {5, "k_proj", ModuleKind::linear, Part::key, {}},
    {5, "v_proj", ModuleKind::linear, Part::value, {}},
    {5, "output_projection.gate_proj", ModuleKind::linear, Part::attention_gate, {}},
    {5, "output_projection.o_proj", ModuleKind::linear, Part::attention_output, {}},
    {4, "mlp", ModuleKind::container, {}, "NeoMMEMLP"},
    {5, "up_proj", ModuleKind::linear, Part::up, {}},
    {5, "down_proj", ModuleKind::linear, Part::down, {}},
    {1, "unembedding_projection", ModuleKind::conv1d, Part::output_projection, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
});
constexpr LlamaType neomme{
    .called = {"neomme", "NeoMME", neomme_classes, neomme_modules},
    .usual = {.dim = 1024, .ffn_dim = 3584, .layers = 17, .heads = 16, .vocab = 131072, .context = 16384},
    .kv_heads = 4,
    .head_dim = 64,
    .tied = true,
    .activation = "relu2",
    .epsilon_field = "norm_eps",
    .mlp_bias_field = "mlp_bias",
    .gated = false,
    .norm = {.scale = false},
    .computing = {.refused = "values of each token by themselves"},
    .padding = 0,
    .numbers = "patch_size",
    .ignored = "embedding_dim layer_types patch_size per_layer_config sliding_window",
    .besides =
        [](const Architecture& arch) {
            Besides more(arch);
            const std::int64_t side = std::min<std::int64_t>(more.number("patch_size", 32), 1 << 14);
            const Expr dim = Symbol::dim, patch = 3 * side * side;
            return more.in_model(Component::embedding)
                .norm("patch_embeddings.norm", patch, true)
                .linear("patch_embeddings.up_proj", Expr(2) * dim, patch)
                .linear("patch_embeddings.down_proj", dim, Expr(2) * dim, true)
                .table("value_embeddings", Symbol::vocab, Expr(Symbol::kv_heads) * Symbol::head_dim)
                .in_layers(Component::attention)
                .add("lambdas", {2})
                .add("self_attn.exclusive_self_attention.alpha", {Symbol::heads})
                .take();
        },
    .own = {[](ConfigReader& reader, Architecture& arch) {
                arch.layer.attention.mask = AttentionMask::full;
                arch.layer.attention.output_gate = true;
                arch.layer.attention.gate_bias = false;
                arch.layer.attention.qk_norm = QkNorm::plain;
                arch.embedding_dim = reader.number({"embedding_rank"}, 256);
            },
            [](nlohmann::ordered_json& config, const Architecture& arch) {
                config["embedding_rank"] = arch.embedding_dim.value_or(arch.dim);
            }}};

// ESM C: norms with means, one more of queries and keys over all heads, sub-blocks that count less the deeper it is.
constexpr DecoderClasses esmc_classes = changed(classes_of<"Esmc">, [](DecoderClasses& classes) {
    classes.causal_lm = "EsmcForMaskedLM";
    classes.layer = "EsmcLayer";
});
constexpr auto esmc_modules = changed(join(model_modules(esmc_classes), attention_modules(esmc_classes.attention),
                                           gated_modules(esmc_classes.feed_forward), norm_modules,
                                           std::to_array<Module>({
                                               {2, "norm", ModuleKind::norm, Part::final_norm, {}},
                                               {2, "rotary_emb", ModuleKind::rotary, {}, "EsmcRotaryEmbedding"},
                                               {1, "lm_head", ModuleKind::container, {}, "EsmcLMHead"},
                                               {2, "dense", ModuleKind::linear, Part::head_transform, {}},
                                               {2, "layer_norm", ModuleKind::norm, Part::head_norm, {}},
                                               {2, "decoder", ModuleKind::linear, Part::output_head, {}},
                                           })),
                                      [](auto& modules) { modules[1].name = "esmc"; });
constexpr LlamaType esmc{
    .called = {"esmc", "ESM C", esmc_classes, esmc_modules},
    .usual = {.dim = 2560, .ffn_dim = 6912, .layers = 80, .heads = 40, .vocab = 64},
    .kv_heads = 40,
    .head_dim = 64,
    .epsilon_field = {},
    .mlp_bias_field = "mlp_bias",
    .qk_norm = QkNorm::across,
    .norm = {.kind = NormKind::layer, .bias = true, .final_bias = false, .epsilon = 1e-5},
    .computing = {.head_activation = Activation::gelu,
                  .rest =
                      [](ComputationReader& reader, Computation& computation) {
                          computation.residual_scale = std::sqrt(36 / static_cast<double>(reader.arch().layers));
                      }},
    .padding = 1,
    .own = {[](ConfigReader& reader, Architecture& arch) {
        arch.layer.attention.mask = AttentionMask::full;
        arch.output = OutputKind::masked;
        arch.head_bias = true;
        arch.tied = false;  // whatever the file says
        const auto columns = checked_multiply(arch.layer.attention.heads, arch.layer.attention.head_dim.value_or(1));
        if (columns != arch.dim || kv_heads(arch) != arch.layer.attention.heads)
            reader.reject("head_dim", "norms of queries and keys as wide as the model need heads that are together",
                          "give heads as wide together as hidden_size, and num_key_value_heads as many");
    }}};

}  // namespace llama_encoders

constexpr Family eurobert_family = llama_like<llama_encoders::euro>();
constexpr Family ultrabert_family = llama_like<llama_encoders::ultra>();
constexpr Family neomme_family = llama_like<llama_encoders::neomme>();
constexpr Family esmc_family = llama_like<llama_encoders::esmc>();

}  // namespace headcount
