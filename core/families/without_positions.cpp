// Families like LLaMA whose layers do not all know positions: Command R7B and A (with Command R, whose layers all do),
// EXAONE 4, SmolLM 3 (transformers, modeling_cohere.py, modeling_cohere2.py, modeling_exaone4.py, modeling_smollm3.py).
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {

// Command R: attention and feed-forward side by side behind one norm, which has no bias; in Command R+ norms of queries
// and keys with weights for each head.
constexpr std::string_view cohere_ignored =
    "order_of_interleaved_layers use_embedding_sharing use_gated_activation use_parallel_block use_parallel_embedding";
constexpr LlamaType cohere{
    .called = {"cohere", "Command R", classes_of<"Cohere">},
    .norm_class = "CohereLayerNorm()",
    .usual = {.dim = 8192, .ffn_dim = 22528, .layers = 40, .heads = 64, .vocab = 256000, .context = 8192},
    .tied = true,
    .epsilon_field = "layer_norm_eps",
    .qk_norm = QkNorm::each_head,
    .qk_norm_field = "use_qk_norm",
    .norm = {.kind = NormKind::layer, .epsilon = 1e-5},
    .joining = Joining::parallel_shared,
    .computing = {.rope_base = 500000, .pairs = RopePairs::neighbours, .logit_scale = 0.0625},
    .padding = 0,
    .ignored = cohere_ignored};
constexpr Family cohere_family = llama_like<cohere>();

// Command R7B and A: a window in three of four layers, and no positions in the others.
constexpr LlamaType cohere2 = changed(cohere, [](LlamaType& other) {
    other.called.type = "cohere2";
    other.called.name = "Command A";
    other.called.classes = classes_of<"Cohere2">;
    other.norm_class = "Cohere2LayerNorm()";
    other.qk_norm = QkNorm::none;
    other.qk_norm_field = {};
    other.window = WindowFields{.size = 4096, .pattern = 4, .has_pattern_field = true};
    other.computing.rope_base = 10000;
    other.own.read = [](ConfigReader&, Architecture& arch) {
        Attention& attention = arch.layer.attention;
        attention.rotated = attention.window ? attention.window->layers : LayerSet::none();
    };
});
constexpr Family cohere2_family = llama_like<cohere2>();

// EXAONE 4: norms behind the sub-blocks and of each head's queries and keys; a window in three of four layers. Extra
// layers with a window, those that see everything have no positions.
constexpr LlamaType exaone4{.called = {"exaone4", "EXAONE 4", classes_of<"Exaone4">},
                            .usual = {.ffn_dim = 16384, .vocab = 102400},
                            .kv_heads = 32,
                            .qkv_bias_field = {},
                            .qk_norm = QkNorm::per_head,
                            .norm = {.placement = NormPlacement::after, .epsilon = 1e-5},
                            .window = WindowFields{.size = 4096, .pattern = 4, .has_pattern_field = true},
                            .own = {[](ConfigReader&, Architecture& arch) {
                                Attention& attention = arch.layer.attention;
                                if (attention.window) attention.rotated = attention.window->layers;
                            }}};
constexpr Family exaone4_family = llama_like<exaone4>();

// SmolLM 3: no positions in every fourth layer.
namespace smollm3 {

constexpr WindowFields window{.has_switch = true};

void read_rest(ConfigReader& reader, Architecture& arch) {
    LayerSet& rotated = arch.layer.attention.rotated;
    if (auto given = reader.layers_flagged({"no_rope_layers"}, arch.layers))
        rotated = *given;
    else
        rotated = all_but_every(read_step(reader, {"no_rope_layer_interval"}, 4));
    const LayerSet all;
    read_window(reader, arch, window, without(all, rotated, arch.layers));
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    // Despite its name, 1 says that a layer has positions.
    if (arch.layers <= LayerSet::longest) config["no_rope_layers"] = flagged(arch.layer.attention.rotated, arch.layers);
    write_window(config, arch, window);
}

constexpr LlamaType type{.called = {"smollm3", "SmolLM 3", classes_of<"SmolLM3">},
                         .usual = {.dim = 2048, .layers = 36, .heads = 16, .vocab = 128256, .context = 32768},
                         .kv_heads = 4,
                         .tied = true,
                         .mlp_bias_field = "mlp_bias",
                         .computing = {.rope_base = 2000000},
                         .padding = 128004,
                         .own = {read_rest, write_rest}};

}  // namespace smollm3

constexpr Family smollm3_family = llama_like<smollm3::type>();

}  // namespace headcount
