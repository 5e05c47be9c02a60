// GLM-5.3's text part (Z.ai 2026): Kimi's delta attention in three of four layers and latent attention whose small
// heads choose pools of keys in the others, layers that read and write several copies of the stream; all of these are
// counted by their tensors alone (transformers, modeling_glm5_next.py).
#include <algorithm>

#include "core/families/besides.hpp"
#include "core/families/deepseek.hpp"

namespace headcount {
namespace glm5_next {

constexpr DecoderClasses classes = classes_of<"Glm5NextText">;
constexpr std::array modules = decoder_modules(
    classes, gated_modules(classes.feed_forward), mixture_modules("mlp", "Glm5NextTextMoE"),
    expert_modules("Glm5NextTextExperts", classes.feed_forward), router_modules("gate", "Glm5NextTextTopkRouter"),
    correction_modules, shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"), norm_modules);
constexpr std::string_view older = "linear_attn_config", kinds = "layer_types", indexing = "indexer_types";

void read(ConfigReader& reader, Architecture& arch) {
    const nlohmann::json& config = reader.config();
    arch.layer.mixer_layers = LayerSet::none();
    arch.layer.attention.kv_heads.reset();
    if (said(config, older))
        reader.reject(older, "the older form of these fields is not known here",
                      "give linear_head_dim, linear_num_heads and linear_conv_kernel_dim");
    for (const char* const schedule : {"index_topk_pattern", "index_topk_freq"})
        if (const nlohmann::json* word = said(config, schedule); word && *word != 1 && !said(config, indexing))
            reader.reject(schedule, "a schedule of which layers choose keys is not known here",
                          "give indexer_types, a word for each layer: full or shared");
    reader.number({"head_dim"}, 0, 0);  // of positions, which it has none of
    if (reader.number({"qk_rope_head_dim"}, 0, 0) != 0)
        reader.reject("qk_rope_head_dim", "layers of this type have no positions", "set it to 0");
}

void write(nlohmann::ordered_json& config, const Architecture&) { config["qk_rope_head_dim"] = 0; }

void add_delta_attention(Besides& more) {
    const std::int64_t heads = more.number("linear_num_heads", 64), columns = more.number("linear_head_dim", 128);
    const std::int64_t kernel = more.number("linear_conv_kernel_dim", 4);
    const Expr all = Expr(heads) * columns, dim = Symbol::dim;
    for (const char* const made : {"q", "k", "v"}) {
        const std::string name = std::string("self_attn.") + made;
        more.linear(name + "_proj", all, dim).add(name + "_conv1d.weight", {all, 1, kernel});
    }
    for (const char* const gate : {"f", "g"}) {
        const std::string name = std::string("self_attn.") + gate;
        more.linear(name + "_a_proj", columns, dim).linear(name + "_b_proj", all, columns);
    }
    more.linear("self_attn.b_proj", heads, dim)
        .add("self_attn.A_log", {heads})
        .add("self_attn.dt_bias", {all})
        .norm("self_attn.o_norm", columns)
        .linear("self_attn.o_proj", dim, all);
}

void add_latent_attention(Besides& more, bool bias) {
    const std::int64_t query_rank = more.number("q_lora_rank", 1536), rank = more.number("kv_lora_rank", 512);
    const std::int64_t nope = more.number("qk_nope_head_dim", 256), value = more.number("v_head_dim", 256);
    const Expr heads = Symbol::heads, dim = Symbol::dim;
    more.linear("self_attn.q_a_proj", query_rank, dim, bias)
        .norm("self_attn.q_a_layernorm", query_rank)
        .linear("self_attn.q_b_proj", heads * nope, query_rank)
        .linear("self_attn.kv_a_proj_with_mqa", rank, dim, bias)
        .norm("self_attn.kv_a_layernorm", rank)
        .linear("self_attn.kv_b_proj", heads * (nope + value), rank)
        .linear("self_attn.o_proj", dim, heads * value, bias);
}

void add_indexer(Besides& more) {
    const std::int64_t heads = more.number("index_n_heads", 32), columns = more.number("index_head_dim", 128);
    more.linear("self_attn.indexer.wq_b", heads * columns, more.number("q_lora_rank", 1536))
        .linear("self_attn.indexer.wk", columns, Symbol::dim)
        .norm("self_attn.indexer.k_norm", columns, true)
        .linear("self_attn.indexer.weights_proj", heads, Symbol::dim)
        .add("self_attn.indexer.index_kpool_compress_ape", {more.number("index_kpool", 16), columns})
        .add("self_attn.indexer.index_kpool_compress_gate", {columns, Symbol::dim});
}

std::vector<Extra> besides(const Architecture& arch) {
    Besides more(arch);
    const std::int64_t copies = more.number("hc_mult", 4), mixed = (2 + copies) * copies;
    more.in_layers(Component::norm).norm("input_layernorm", Symbol::dim);
    for (const auto& [name, place] :
         {std::pair{"attn", Component::attention}, std::pair{"ffn", Component::feed_forward}})
        more.in_layers(place)
            .add("hc_" + std::string(name) + "_base", {mixed})
            .add("hc_" + std::string(name) + "_fn", {mixed, Expr(copies) * Symbol::dim})
            .add("hc_" + std::string(name) + "_scale", {3});
    const LayerSet rule = layers_where(arch.layers, [](std::int64_t layer) { return layer % 4 != 3; });
    const LayerSet delta = layers_called(arch, kinds, "linear_attention").value_or(rule);
    const LayerSet latent = without({}, delta, arch.layers);
    if (delta.count(arch.layers) > 0) add_delta_attention(more.in_layers(Component::attention, delta));
    if (latent.count(arch.layers) == 0) return more.take();
    add_latent_attention(more.in_layers(Component::attention, latent), arch.layer.attention.qkv_bias);
    const LayerSet full = layers_called(arch, indexing, "full").value_or(LayerSet{});
    const LayerSet choosing = without(latent, without({}, full, arch.layers), arch.layers);
    if (choosing.count(arch.layers) > 0) add_indexer(more.in_layers(Component::attention, choosing));
    return more.take();
}

constexpr ComputationType computing =
    changed(deepseek::refused_like_v3("several copies of the stream"), [](ComputationType& own) {
        own.routing.groups = own.routing.groups_used = 1;
        own.rest = [](ComputationReader& reader, Computation& computation) {
            if (reader.arch().layer.feed_forward.activation == Activation::silu)
                computation.clamped_gate =
                    ClampedGate{.alpha = 1, .limit = reader.positive("swiglu_limit", 10), .added = 0};
        };
    });
constexpr std::string_view numbers =
    "hc_mult index_head_dim index_kpool index_n_heads kv_lora_rank linear_conv_kernel_dim linear_head_dim "
    "linear_num_heads q_lora_rank qk_nope_head_dim v_head_dim";
constexpr std::string_view ignored =
    "hc_eps hc_mult hc_sinkhorn_iters head_dim index_head_dim index_kpool index_kpool_always_select_tail "
    "index_n_heads index_topk indexer_types kv_lora_rank layer_types linear_conv_kernel_dim "
    "linear_head_dim linear_lower_bound linear_num_heads num_key_value_heads q_lora_rank "
    "qk_nope_head_dim v_head_dim";
constexpr LlamaType type{.called = {"glm5_next_text", "GLM-5.3, text", classes, modules},
                         .usual = {.ffn_dim = 12288, .layers = 45, .heads = 64, .vocab = 154880, .context = 1048576},
                         .head_dim = 256,
                         .head_dim_field = {},
                         .norm = {.epsilon = 1e-5},
                         .mixture = changed(deepseek::v3_experts,
                                            [](MixtureType& other) {
                                                other.has_types = true;
                                                other.dense_first_field = {};
                                                other.experts = 288;
                                            }),
                         .computing = computing,
                         .padding = 154820,
                         .numbers = numbers,
                         .ignored = ignored,
                         .besides = besides,
                         .own = {read, write}};

}  // namespace glm5_next

constexpr Family glm5_next_text_family = llama_like<glm5_next::type>();

}  // namespace headcount
