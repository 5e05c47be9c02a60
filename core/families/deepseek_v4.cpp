// DeepSeek V4: layers that read and write several copies of the stream, and keys that are compressed (transformers,
// modeling_deepseek_v4.py).
#include <algorithm>

#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {

namespace deepseek_v4 {

constexpr DecoderClasses classes = classes_of<"DeepseekV4">;
constexpr auto layer = std::to_array<Module>({
    {4, "ffn", ModuleKind::container, {}, "DeepseekV4SparseMoeBlock"},
    {5, "experts", ModuleKind::container, {}, "DeepseekV4Experts"},
    {6, "{e}", ModuleKind::expert, {}, classes.feed_forward},
    {7, "w2", ModuleKind::linear, Part::expert_down, {}},
    {7, "w1", ModuleKind::linear, Part::expert_gate, {}},
    {7, "w3", ModuleKind::linear, Part::expert_up, {}},
    {5, "gate", ModuleKind::linear, Part::router, "DeepseekV4TopKRouter"},
    {5, "gate.bias", ModuleKind::buffer, Part::router_correction, {}},
    {5, "shared_experts", ModuleKind::container, {}, classes.feed_forward},
    {6, "w2", ModuleKind::linear, Part::shared_down, {}},
    {6, "w1", ModuleKind::linear, Part::shared_gate, {}},
    {6, "w3", ModuleKind::linear, Part::shared_up, {}},
    {6, "act_fn", ModuleKind::activation, {}, {}},
    {4, "ffn_norm", ModuleKind::norm, Part::feed_forward_norm, {}},
});
constexpr auto ends = std::to_array<Module>({
    {2, "norm", ModuleKind::norm, Part::final_norm, {}},
    {1, "head", ModuleKind::linear, Part::output_head, {}},
});
constexpr std::array modules = join(model_modules(classes), layer, ends);

void read(ConfigReader& reader, Architecture& arch) {
    arch.layer.mixer_layers = LayerSet::none();
    arch.layer.attention.kv_heads.reset();
    Mixture mixture;
    mixture.experts = reader.number({"n_routed_experts", "num_local_experts"}, 256);
    mixture.experts_per_token = reader.number({"num_experts_per_tok"}, 6);
    mixture.expert_dim = reader.number({"moe_intermediate_size", "intermediate_size"}, 2048);
    mixture.shared_experts = 1;
    if (reader.number({"n_shared_experts"}, 1) != 1)
        reader.reject("one shared expert is what this type has, whatever this says", "set it to 1");
    mixture.correction_bias = true;
    mixture.expert_bias = false;
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
LayerSet layers_of_kind(const Architecture& arch, std::string_view word, std::int64_t ratio) {
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

std::int64_t rate_of(Besides& more, const Architecture& arch, std::string_view word, std::string_view older,
                     std::int64_t usual) {
    const nlohmann::json* rates = said(arch.carried.object(), "compress_rates");
    const std::int64_t otherwise = more.number(older, usual);
    if (!rates || !rates->is_object() || !rates->contains(word) || !(*rates)[word].is_number_integer())
        return otherwise;
    return std::clamp<std::int64_t>((*rates)[word].get<std::int64_t>(), 0, Besides::largest);
}

void add_compressor(Besides& more, const std::string& name, std::int64_t rate, const Expr& columns, const Expr& made) {
    more.linear(name + "wgate", made, Symbol::dim)
        .norm(name + "norm", columns)
        .linear(name + "wkv", made, Symbol::dim)
        .add(name + "ape", {rate, made});
}

// The first layers look a token's experts up in a table that is drawn once; a list may say others.
LayerSet tabled_layers(const Architecture& arch, std::int64_t first) {
    return layers_called(arch, "mlp_layer_types", "hash_moe").value_or(layers_where(arch.layers, [&](auto layer) {
        return layer < first;
    }));
}

std::vector<Extra> besides(const Architecture& arch) {
    Besides more(arch);
    if (!arch.layer.mixture) return {};
    const std::int64_t query_rank = more.number("q_lora_rank", 1024), groups = more.number("o_groups", 8);
    const std::int64_t rank = more.number("o_lora_rank", 1024), copies = more.number("hc_mult", 4);
    const Expr columns = Symbol::head_dim, heads = Expr(Symbol::heads) * columns, all = Expr(copies) * Symbol::dim;
    const std::int64_t mixed = (2 + copies) * copies;
    more.in_layers(Component::norm)
        .norm("attn_norm", Symbol::dim)
        .in_layers(Component::attention)
        .linear("attn.wq_a", query_rank, Symbol::dim)
        .norm("attn.q_norm", query_rank)
        .linear("attn.wq_b", heads, query_rank)
        .linear("attn.wkv", columns, Symbol::dim)
        .norm("attn.norm", columns)
        .linear("attn.wo_a", groups * rank, heads / std::max<std::int64_t>(1, groups))
        .linear("attn.wo_b", Symbol::dim, groups * rank)
        .add("attn.attn_sink", {Symbol::heads});
    for (const auto& [name, place] :
         {std::pair{"attn", Component::attention}, std::pair{"ffn", Component::feed_forward}})
        more.in_layers(place)
            .add("hc_" + std::string(name) + "_base", {mixed})
            .add("hc_" + std::string(name) + "_fn", {mixed, all})
            .add("hc_" + std::string(name) + "_scale", {3});
    more.in_layers(Component::attention, layers_of_kind(arch, "heavily_compressed_attention", 128));
    add_compressor(more, "attn.compressor.",
                   rate_of(more, arch, "heavily_compressed_attention", "compress_rate_hca", 128), columns, columns);
    const std::int64_t small = more.number("index_head_dim", 128), many = more.number("index_n_heads", 64);
    const std::int64_t rate = rate_of(more, arch, "compressed_sparse_attention", "compress_rate_csa", 4);
    more.in_layers(Component::feed_forward, tabled_layers(arch, more.number("num_hash_layers", 3)))
        .buffer("ffn.gate.tid2eid", {Symbol::vocab, Symbol::experts_per_token});
    more.in_layers(Component::attention, layers_of_kind(arch, "compressed_sparse_attention", 4));
    add_compressor(more, "attn.compressor.", rate, columns, Expr(2) * columns);
    add_compressor(more, "attn.indexer.compressor.", rate, small, 2 * small);
    return more.linear("attn.indexer.wq_b", many * small, query_rank)
        .linear("attn.indexer.weights_proj", many, Symbol::dim)
        .in_model(Component::output)
        .add("model.hc_head.hc_base", {copies})
        .add("model.hc_head.hc_fn", {copies, all})
        .add("model.hc_head.hc_scale", {1})
        .take();
}

void compute_rest(ComputationReader& reader, Computation& computation) {
    if (reader.arch().layer.feed_forward.activation == Activation::silu)
        computation.clamped_gate = ClampedGate{.alpha = 1, .limit = reader.positive("swiglu_limit", 10), .added = 0};
    computation.tabled = tabled_layers(reader.arch(), reader.number("num_hash_layers", 3));
    const std::string scores = reader.text("scoring_func", "sqrtsoftplus");
    if (scores == "sigmoid")
        computation.routing.scores = RouterScores::sigmoid;
    else if (scores != "sqrtsoftplus")
        reader.reject("scoring_func", "a function of the router's scores that is not computed here",
                      "use sqrtsoftplus");
}

constexpr std::string_view ignored =
    "attention_bias compress_rate_csa compress_rate_hca compress_rates compress_ratios "
    "compress_rope_theta expert_dtype hc_eps hc_mult hc_sinkhorn_iters index_head_dim index_n_heads "
    "index_topk layer_types mlp_layer_types num_hash_layers num_key_value_heads num_nextn_predict_layers "
    "o_groups o_lora_rank q_lora_rank qk_rope_head_dim";
constexpr std::array bare_rewritten =
    std::to_array<Rewritten>({{"embed_tokens", "embed"}, {"hc_head.hc_", "hc_head_"}});
constexpr LlamaType type{
    .called = {"deepseek_v4", "DeepSeek V4", classes, modules},
    .usual = {.layers = 43, .heads = 64, .vocab = 129280, .context = 1048576},
    .head_dim = 512,
    .qkv_bias_field = {},
    .mlp_bias_field = "mlp_bias",
    .computing = {.routing = {.scores = RouterScores::root_softplus, .normalized = true, .scaling = 1.5},
                  .routing_scale_field = "routed_scaling_factor",
                  .refused = "several copies of the stream",
                  .rest = compute_rest},
    .numbers =
        "compress_rate_csa compress_rate_hca hc_mult index_head_dim index_n_heads num_hash_layers o_groups o_lora_rank "
        "q_lora_rank",
    .ignored = ignored,
    .besides = besides,
    .own = {read, write},
    .bare_rewritten = bare_rewritten};

}  // namespace deepseek_v4

constexpr Family deepseek_v4_family = llama_like<deepseek_v4::type>();

}  // namespace headcount
