// Types whose mixers or streams are known here by their tensors alone: DeepSeek V4 and Hunyuan V4, whose layers read
// and write several copies of the stream, and A.X K2, whose norms have gates (transformers, modeling_deepseek_v4.py,
// modeling_hy_v4.py, modeling_axk2.py).
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/own_tensors.hpp"

namespace headcount {
namespace {

using Place = OwnTensor::Place;

// The heads of what chooses keys, as DeepSeek names them.
void add_indexer(OwnTensors& tensors, std::int64_t heads, std::int64_t columns, const Expr& query_rank) {
    tensors.linear("self_attn.indexer.wq_b", heads * columns, query_rank)
        .linear("self_attn.indexer.wk", columns, Symbol::dim)
        .norm("self_attn.indexer.k_norm", columns, true)
        .linear("self_attn.indexer.weights_proj", heads, Symbol::dim);
}

constexpr MixtureType routed{.experts_field = {"n_routed_experts", "num_local_experts"},
                             .shared_field = {"n_shared_experts"},
                             .has_types = true,
                             .experts = 256,
                             .experts_per_token = 8,
                             .width = 768,
                             .shared = 1,
                             .dense_first = 1,
                             .correction_bias = true,
                             .expert_bias = false};

}  // namespace

namespace axk2 {

constexpr DecoderClasses classes = classes_of<"AXK2">;
constexpr std::array<Module, 4> norms{{
    {4, "input_layernorm.norm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "post_attention_layernorm.norm", ModuleKind::norm, Part::feed_forward_norm, {}, Part::router},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}, {}, Part::router},
    {4, "self_attn", ModuleKind::container, {}, classes.attention},
}};
constexpr std::array modules =
    decoder_modules(classes, norms, gated_modules(classes.feed_forward), mixture_modules("mlp", "AXK2MoE"),
                    expert_modules("AXK2Experts", classes.feed_forward), router_modules("gate", "AXK2TopkRouter"),
                    correction_modules, shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"));

void read(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    arch.layer.own_mixers = LayerSet();
    arch.layer.attention.kv_heads.reset();
    Mixture& mixture = *arch.layer.mixture;
    const std::int64_t first = reader.number({"first_k_dense_replace"}, 1, 0);
    const std::int64_t step = read_step(reader, {"moe_layer_freq"}, 1);
    if (!said(config, "mlp_layer_types"))
        mixture.layers =
            step == 1
                ? LayerSet::all_but_first(std::min(first, LayerSet::longest))
                : layers_where(arch.layers, [&](std::int64_t layer) { return layer >= first && layer % step == 0; });
}

std::vector<OwnTensor> own(const Architecture& arch) {
    OwnTensors tensors(arch);
    const std::int64_t query_rank = tensors.number("q_lora_rank", 384), rank = tensors.number("kv_lora_rank", 128);
    const std::int64_t turned = tensors.number("qk_rope_head_dim", 32), plain = tensors.number("qk_nope_head_dim", 64);
    const std::int64_t value = tensors.number("v_head_dim", 64), narrow = tensors.number("gated_norm_rank", 16);
    const bool bias = arch.layer.attention.qkv_bias;
    const Expr heads = Symbol::heads;
    tensors.in(LayerSet())
        .linear("self_attn.q_a_proj", query_rank, Symbol::dim, bias)
        .norm("self_attn.q_a_layernorm", query_rank)
        .linear("self_attn.q_b_proj", heads * (plain + turned + value), 2 * query_rank)
        .linear("self_attn.kv_a_proj_with_mqa", rank + turned, Symbol::dim, bias)
        .norm("self_attn.kv_a_layernorm", rank)
        .linear("self_attn.kv_b_proj", heads * (plain + value), rank)
        .linear("self_attn.o_proj", Symbol::dim, heads * value, bias);
    add_indexer(tensors, tensors.number("index_n_heads", 16), tensors.number("index_head_dim", 128), query_rank);
    tensors.linear("input_layernorm.W_down", narrow, Symbol::dim).linear("input_layernorm.W_up", Symbol::dim, narrow);
    if (!arch.layer.mixture) return tensors.take();
    return tensors.in(arch.layer.mixture->layers, Place::feed_forward)
        .linear("post_attention_layernorm.W_down", narrow, Symbol::dim)
        .linear("post_attention_layernorm.W_up", Symbol::dim, narrow)
        .take();
}

constexpr LlamaType type{.type = "axk2",
                         .name = "A.X K2",
                         .classes = classes,
                         .modules = modules,
                         .dim = 2048,
                         .ffn_dim = 5120,
                         .layers = 48,
                         .vocab = 163840,
                         .context = 131072,
                         .head_dim_field = {},
                         .mixture =
                             [] {
                                 MixtureType other = routed;
                                 other.experts = 128;
                                 other.width = 512;
                                 return other;
                             }(),
                         .read_rest = read};
constexpr std::array ignored = std::to_array<std::string_view>(
    {"first_k_dense_replace", "gated_norm_rank", "index_head_dim", "index_n_heads", "index_topk", "kv_lora_rank",
     "layer_types", "moe_layer_freq", "q_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim"});

}  // namespace axk2

constexpr Family axk2_family = [] {
    Family family = llama_like<axk2_family, axk2::type>();
    family.own = axk2::own;
    family.ignored = axk2::ignored;
    return family;
}();

namespace hy_v4 {

constexpr DecoderClasses classes = classes_of<"HYV4">;
constexpr std::array<Module, 17> attention{{
    {4, "self_attn", ModuleKind::container, {}, classes.attention},
    {5, "learnable_sink_param", ModuleKind::bare, Part::sinks, {}},
    {5, "linear_gate", ModuleKind::linear, Part::attention_gate, {}},
    {5, "q_a_proj", ModuleKind::linear, Part::query_down, {}},
    {5, "q_a_layernorm", ModuleKind::norm, Part::query_down_norm, {}},
    {5, "q_b_proj", ModuleKind::linear, Part::query, {}},
    {5, "kv_a_proj_with_mqa", ModuleKind::linear, Part::latent_down, {}},
    {5, "kv_a_layernorm", ModuleKind::norm, Part::latent_norm, {}},
    {5, "kv_b_proj", ModuleKind::linear, Part::latent_up, {}},
    {5, "o_proj", ModuleKind::linear, Part::attention_output, {}},
    {5, "indexer", ModuleKind::container, {}, "HYV4Indexer"},
    {6, "wq_b", ModuleKind::linear, Part::index_query, {}},
    {6, "wk", ModuleKind::linear, Part::index_key, {}},
    {6, "k_norm", ModuleKind::norm, Part::index_norm, "LayerNorm"},
    {6, "weights_proj", ModuleKind::linear, Part::index_weight, {}},
    {4, "mlp", ModuleKind::container, {}, classes.feed_forward},
    {5, "linear_gate", ModuleKind::linear, Part::gate, {}},
}};
constexpr std::array<Module, 3> dense_rest{{
    {5, "up_proj", ModuleKind::linear, Part::up, {}},
    {5, "down_proj", ModuleKind::linear, Part::down, {}},
    {5, "act_fn", ModuleKind::activation, {}, {}},
}};
constexpr auto shared = [] {
    auto own = shared_expert_modules("shared_experts", classes.feed_forward, "act_fn");
    own[1].name = "linear_gate";
    return own;
}();
constexpr std::array modules = decoder_modules(
    classes, attention, dense_rest, mixture_modules("mlp", "HYV4MoE"), linear_expert_modules("HYV4Experts"),
    router_modules("gate", "HYV4TopkRouter"), correction_modules, shared, norm_modules);
constexpr Latent sizes{.query_rank = 1536, .nope_dim = 192, .value_dim = 256};

void read(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    Attention& attention = arch.layer.attention;
    attention.kv_heads.reset();
    attention.latent = read_latent(reader, config, sizes);
    if (!attention.latent->query_rank)
        reader.reject("q_lora_rank", "queries of this type come through a bottleneck", "give its width");
    attention.sinks = attention.output_gate = true;
    constexpr std::int64_t step = 4;
    attention.indexer = Indexer{.heads = reader.number({"index_n_heads"}, 16),
                                .head_dim = reader.number({"index_head_dim"}, 128),
                                .chosen = reader.number({"index_topk"}, 2048),
                                .layers = reader.layers_with({"indexer_types"}, "full", arch.layers, "shared")
                                              .value_or(layers_where(arch.layers, [](std::int64_t layer) {
                                                  return layer == 0 || (layer - 1) % step == 0;
                                              }))};
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    const Attention& attention = arch.layer.attention;
    if (attention.latent) write_latent(config, *attention.latent);
    if (!attention.indexer) return;
    config["index_n_heads"] = attention.indexer->heads;
    config["index_head_dim"] = attention.indexer->head_dim;
    config["index_topk"] = attention.indexer->chosen;
    if (arch.layers <= LayerSet::longest)
        config["indexer_types"] = worded(attention.indexer->layers, arch.layers, "full", "shared");
}

std::vector<OwnTensor> own(const Architecture& arch) {
    OwnTensors tensors(arch);
    const std::int64_t copies = tensors.number("hc_mult", 4);
    const Expr all = Expr(copies) * Symbol::dim;
    for (const auto& [name, place] :
         {std::pair{"hc_pre.hc_attn_layer.", Place::mixer}, std::pair{"hc_pre.hc_mlp_layer.", Place::feed_forward}})
        tensors.in(LayerSet(), place)
            .add(std::string(name) + "hc_base", {2 * copies})
            .add(std::string(name) + "hc_fn", {2 * copies, all})
            .add(std::string(name) + "hc_scale", {2});
    return tensors.of_model(Place::output)
        .add("model.hc_pre.hc_head.hc_head_base", {copies})
        .add("model.hc_pre.hc_head.hc_head_fn", {copies, all})
        .add("model.hc_pre.hc_head.hc_head_scale", {1})
        .take();
}

constexpr LlamaType type{.type = "hy_v4",
                         .name = "Hunyuan V4",
                         .classes = classes,
                         .modules = modules,
                         .dim = 2816,
                         .ffn_dim = 6912,
                         .layers = 34,
                         .vocab = 120832,
                         .context = 262144,
                         .head_dim_field = {},
                         .norm = {.epsilon = 1e-5},
                         .mixture = routed,
                         .padding = 120002,
                         .read_rest = read,
                         .write_rest = write};
constexpr std::array ignored = std::to_array<std::string_view>(
    {"hc_eps", "hc_magnitude", "hc_mult", "layer_types", "learnable_sink_init", "swiglu_limit"});

}  // namespace hy_v4

constexpr Family hy_v4_family = [] {
    Family family = llama_like<hy_v4_family, hy_v4::type>();
    family.own = hy_v4::own;
    family.ignored = hy_v4::ignored;
    return family;
}();

namespace deepseek_v4 {

constexpr DecoderClasses classes = classes_of<"DeepseekV4">;
constexpr std::array<Module, 14> layer{{
    {4, "attn_norm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "ffn", ModuleKind::container, {}, "DeepseekV4SparseMoeBlock"},
    {5, "experts", ModuleKind::container, {}, "DeepseekV4Experts"},
    {6, "{e}", ModuleKind::expert, {}, classes.feed_forward},
    {7, "w2", ModuleKind::linear, Part::expert_down, {}},
    {7, "w1", ModuleKind::linear, Part::expert_gate, {}},
    {7, "w3", ModuleKind::linear, Part::expert_up, {}},
    {5, "gate", ModuleKind::linear, Part::router, "DeepseekV4TopKRouter"},
    {5, "shared_experts", ModuleKind::container, {}, classes.feed_forward},
    {6, "w2", ModuleKind::linear, Part::shared_down, {}},
    {6, "w1", ModuleKind::linear, Part::shared_gate, {}},
    {6, "w3", ModuleKind::linear, Part::shared_up, {}},
    {6, "act_fn", ModuleKind::activation, {}, {}},
    {4, "ffn_norm", ModuleKind::norm, Part::feed_forward_norm, {}},
}};
constexpr std::array<Module, 2> ends{{
    {2, "norm", ModuleKind::norm, Part::final_norm, {}},
    {1, "head", ModuleKind::linear, Part::output_head, {}},
}};
constexpr std::array modules = join(model_modules(classes), layer, ends);

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    arch.layer.own_mixers = LayerSet();
    arch.layer.attention.kv_heads.reset();
    Mixture mixture;
    mixture.experts = reader.number({"n_routed_experts", "num_local_experts"}, 256);
    mixture.experts_per_token = reader.number({"num_experts_per_tok"}, 6);
    mixture.expert_dim = reader.number({"moe_intermediate_size", "intermediate_size"}, 2048);
    mixture.shared_experts = reader.number({"n_shared_experts"}, 1, 0);
    arch.layer.mixture = std::move(mixture);
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    config.erase("intermediate_size");
    const Mixture mixture = arch.layer.mixture.value_or(Mixture{});
    config["n_routed_experts"] = mixture.experts;
    config["num_experts_per_tok"] = mixture.experts_per_token;
    config["moe_intermediate_size"] = mixture.expert_dim;
    config["n_shared_experts"] = mixture.shared_experts;
}

// The layers whose attention is of that kind: from a list of words, or of how much they compress, or by the rule.
LayerSet layers_called(const Architecture& arch, std::string_view word, std::int64_t ratio) {
    const nlohmann::json& file = arch.carried.object();
    const nlohmann::json *words = said(file, "layer_types"), *ratios = said(file, "compress_ratios");
    const bool sparse = word == "compressed_sparse_attention";
    return layers_where(arch.layers, [&](std::int64_t each) {
        const auto at = static_cast<std::size_t>(each);
        if (words && words->is_array()) return at < words->size() && (*words)[at] == word;
        if (ratios && ratios->is_array()) return at < ratios->size() && (*ratios)[at] == ratio;
        return (each >= 2 && each % 2 == 1) == sparse;
    });
}

std::int64_t rate_of(const OwnTensors& tensors, const Architecture& arch, std::string_view word, std::string_view older,
                     std::int64_t usual) {
    const nlohmann::json* rates = said(arch.carried.object(), "compress_rates");
    const std::int64_t otherwise = tensors.number(older, usual);
    if (!rates || !rates->is_object() || !rates->contains(word) || !(*rates)[word].is_number_integer())
        return otherwise;
    return (*rates)[word].get<std::int64_t>();
}

void add_compressor(OwnTensors& tensors, const std::string& name, std::int64_t rate, const Expr& columns,
                    const Expr& made) {
    tensors.linear(name + "wgate", made, Symbol::dim)
        .norm(name + "norm", columns)
        .linear(name + "wkv", made, Symbol::dim)
        .add(name + "ape", {rate, made});
}

std::vector<OwnTensor> own(const Architecture& arch) {
    OwnTensors tensors(arch);
    const std::int64_t query_rank = tensors.number("q_lora_rank", 1024), groups = tensors.number("o_groups", 8);
    const std::int64_t rank = tensors.number("o_lora_rank", 1024), copies = tensors.number("hc_mult", 4);
    const Expr columns = Symbol::head_dim, heads = Expr(Symbol::heads) * columns, all = Expr(copies) * Symbol::dim;
    const std::int64_t mixed = (2 + copies) * copies;
    tensors.in(LayerSet())
        .linear("attn.wq_a", query_rank, Symbol::dim)
        .norm("attn.q_norm", query_rank)
        .linear("attn.wq_b", heads, query_rank)
        .linear("attn.wkv", columns, Symbol::dim)
        .norm("attn.norm", columns)
        .linear("attn.wo_a", groups * rank, heads / std::max<std::int64_t>(1, groups))
        .linear("attn.wo_b", Symbol::dim, groups * rank)
        .add("attn.attn_sink", {Symbol::heads});
    for (const auto& [name, place] : {std::pair{"attn", Place::mixer}, std::pair{"ffn", Place::feed_forward}})
        tensors.in(LayerSet(), place)
            .add("hc_" + std::string(name) + "_base", {mixed})
            .add("hc_" + std::string(name) + "_fn", {mixed, all})
            .add("hc_" + std::string(name) + "_scale", {3});
    tensors.in(layers_called(arch, "heavily_compressed_attention", 128));
    add_compressor(tensors, "attn.compressor.",
                   rate_of(tensors, arch, "heavily_compressed_attention", "compress_rate_hca", 128), columns, columns);
    const std::int64_t small = tensors.number("index_head_dim", 128), many = tensors.number("index_n_heads", 64);
    const std::int64_t rate = rate_of(tensors, arch, "compressed_sparse_attention", "compress_rate_csa", 4);
    // The first layers pick experts by a table that is drawn once, the others by a correction of their scores.
    const std::int64_t hashed = tensors.number("num_hash_layers", 3);
    tensors.in(layers_where(arch.layers, [&](std::int64_t each) { return each < hashed; }), Place::feed_forward)
        .buffer("ffn.gate.tid2eid", {Symbol::vocab, Symbol::experts_per_token});
    tensors.in(layers_where(arch.layers, [&](std::int64_t each) { return each >= hashed; }), Place::feed_forward)
        .buffer("ffn.gate.bias", {Symbol::experts});
    tensors.in(layers_called(arch, "compressed_sparse_attention", 4));
    add_compressor(tensors, "attn.compressor.", rate, columns, Expr(2) * columns);
    add_compressor(tensors, "attn.indexer.compressor.", rate, small, 2 * small);
    return tensors.linear("attn.indexer.wq_b", many * small, query_rank)
        .linear("attn.indexer.weights_proj", many, Symbol::dim)
        .of_model(Place::output)
        .add("model.hc_head.hc_base", {copies})
        .add("model.hc_head.hc_fn", {copies, all})
        .add("model.hc_head.hc_scale", {1})
        .take();
}

constexpr LlamaType type{.type = "deepseek_v4",
                         .name = "DeepSeek V4",
                         .classes = classes,
                         .modules = modules,
                         .layers = 43,
                         .heads = 64,
                         .head_dim = 512,
                         .vocab = 129280,
                         .context = 1048576,
                         .qkv_bias_field = {},
                         .read_rest = read,
                         .write_rest = write};
constexpr std::array ignored = std::to_array<std::string_view>({"attention_bias",
                                                                "compress_rate_csa",
                                                                "compress_rate_hca",
                                                                "compress_rates",
                                                                "compress_ratios",
                                                                "compress_rope_theta",
                                                                "expert_dtype",
                                                                "hc_eps",
                                                                "hc_mult",
                                                                "hc_sinkhorn_iters",
                                                                "index_head_dim",
                                                                "index_n_heads",
                                                                "index_topk",
                                                                "layer_types",
                                                                "mlp_bias",
                                                                "mlp_layer_types",
                                                                "num_hash_layers",
                                                                "num_key_value_heads",
                                                                "num_nextn_predict_layers",
                                                                "o_groups",
                                                                "o_lora_rank",
                                                                "q_lora_rank",
                                                                "qk_rope_head_dim",
                                                                "swiglu_limit"});

}  // namespace deepseek_v4

constexpr Family deepseek_v4_family = [] {
    Family family = llama_like<deepseek_v4_family, deepseek_v4::type>();
    family.own = deepseek_v4::own;
    family.ignored = deepseek_v4::ignored;
    return family;
}();

}  // namespace headcount
