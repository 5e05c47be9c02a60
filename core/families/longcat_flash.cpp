// LongCat-Flash (Meituan 2025): a layer has latent attention and a dense feed-forward twice over, and beside the first
// experts, some of which do nothing. The second attention and the dense feed-forwards are known here by their tensors
// alone (transformers, modeling_longcat_flash.py).
#include "core/base/checked.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace longcat {

constexpr DecoderClasses classes = classes_of<"LongcatFlash">;
constexpr auto attention =
    changed(latent_attention_modules(classes.attention), [](auto& own) { own[0].name = "self_attn.0"; });
constexpr auto router = std::to_array<Module>({
    {4, "input_layernorm.0", ModuleKind::norm, Part::attention_norm, {}},
    {4, "post_attention_layernorm.0", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "mlp.router", ModuleKind::container, {}, "LongcatFlashTopkRouter"},
    {5, "classifier", ModuleKind::linear, {Part::router, Part::idle_router}, {}},
    {5, "e_score_correction_bias", ModuleKind::buffer, {Part::router_correction, Part::idle_correction}, {}},
});
constexpr std::array modules = decoder_modules(classes, attention, mixture_modules("mlp", "LongcatFlashMoE"),
                                               expert_modules("LongcatFlashExperts", classes.feed_forward), router);

constexpr Latent sizes{.query_rank = 1536};

void read(ConfigReader& reader, Architecture& arch) {
    arch.layers = reader.number({"num_layers"}, 28);
    Attention& attention = arch.layer.attention;
    attention.kv_heads.reset();
    attention.latent = read_latent(reader, sizes);
    if (!attention.latent->query_rank)
        reader.reject("q_lora_rank", "queries of this type come through a bottleneck", "give its width");
    const std::optional<std::int64_t> columns = checked_add(attention.latent->nope_dim, attention.latent->rope_dim);
    if (const auto given = reader.optional_number({"qk_head_dim"}); given && given != columns)
        reader.reject("qk_head_dim", "a head's queries are as wide as its keys",
                      "give the sum of qk_nope_head_dim and qk_rope_head_dim");
    arch.layer.feed_forward.width = reader.number({"ffn_hidden_size", "intermediate_size"}, 12288);
    Mixture mixture;
    mixture.experts = reader.number({"n_routed_experts", "num_local_experts"}, 512);
    mixture.experts_per_token = reader.number({"moe_topk", "num_experts_per_tok"}, 12);
    mixture.expert_dim = reader.number({"expert_ffn_hidden_size", "moe_intermediate_size"}, 2048);
    mixture.router_bias = reader.flag({"router_bias"}, false);
    mixture.correction_bias = true;
    arch.layer.mixture = std::move(mixture);
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    config.erase("num_hidden_layers");
    config.erase("intermediate_size");
    config["num_layers"] = arch.layers;
    config["ffn_hidden_size"] = bindings(arch, Input{})[Symbol::ffn_dim].value_or(0);
    if (arch.layer.attention.latent) write_latent(config, *arch.layer.attention.latent);
    if (!arch.layer.mixture) return;
    config["n_routed_experts"] = arch.layer.mixture->experts;
    config["moe_topk"] = arch.layer.mixture->experts_per_token;
    config["expert_ffn_hidden_size"] = arch.layer.mixture->expert_dim;
    config["router_bias"] = arch.layer.mixture->router_bias;
}

// Columns of the router for experts that do nothing, and what balances their load.
Extra idle_experts(std::int64_t count, Part part) {
    const bool correction = part == Part::idle_correction;
    return {.component = Component::feed_forward,
            .name = correction ? "idle_correction" : "idle_router",
            .label = correction ? "Correction of idle experts" : "Router to idle experts",
            .symbol = correction ? "b_0" : "W_0",
            .meaning = "of experts that the router may choose and that do nothing",
            .weight = correction ? std::vector<Expr>{count} : std::vector<Expr>{Symbol::dim, count},
            .in_layers = true,
            .buffer = correction,
            .part = part};
}

std::vector<Extra> besides(const Architecture& arch) {
    Besides more(arch);
    const bool bias = arch.layer.attention.qkv_bias;
    const Expr dim = Symbol::dim, heads = Symbol::heads, rope = Symbol::rope_dim, value = Symbol::value_dim;
    if (const std::optional<Latent>& latent = arch.layer.attention.latent; latent && latent->query_rank)
        more.in_layers(Component::attention)
            .linear("self_attn.1.q_a_proj", Symbol::query_rank, dim, bias)
            .norm("self_attn.1.q_a_layernorm", Symbol::query_rank)
            .linear("self_attn.1.q_b_proj", heads * (Expr(Symbol::nope_dim) + rope), Symbol::query_rank)
            .linear("self_attn.1.kv_a_proj_with_mqa", Expr(Symbol::kv_rank) + rope, dim, bias)
            .norm("self_attn.1.kv_a_layernorm", Symbol::kv_rank)
            .linear("self_attn.1.kv_b_proj", heads * (Expr(Symbol::nope_dim) + value), Symbol::kv_rank)
            .linear("self_attn.1.o_proj", dim, heads * value, bias);
    more.in_layers(Component::feed_forward);
    for (const char* const half : {"mlps.0.", "mlps.1."})
        more.linear(std::string(half) + "gate_proj", Symbol::ffn_dim, dim)
            .linear(std::string(half) + "up_proj", Symbol::ffn_dim, dim)
            .linear(std::string(half) + "down_proj", dim, Symbol::ffn_dim);
    std::vector<Extra> all =
        more.in_layers(Component::norm).norm("input_layernorm.1", dim).norm("post_attention_layernorm.1", dim).take();
    const std::int64_t idle = more.number("zero_expert_num", 256);
    if (!arch.layer.mixture || idle == 0) return all;
    all.push_back(idle_experts(idle, Part::idle_router));
    if (arch.layer.mixture->router_bias) all.back().bias = {idle};
    if (arch.layer.mixture->correction_bias) all.push_back(idle_experts(idle, Part::idle_correction));
    return all;
}

std::string_view differs(const Architecture& arch) {
    if (!arch.layer.mixture || Besides(arch).number("zero_expert_num", 256) == 0) return "";
    return "Not counted: gates of the experts that do nothing, which transformers allots and published files do not "
           "have.";
}

constexpr LlamaType type{.called = {"longcat_flash", "LongCat-Flash", classes, modules},
                         .usual = {.dim = 6144, .layers = 28, .heads = 64, .vocab = 131072, .context = 131072},
                         .head_dim_field = {},
                         .norm = {.epsilon = 1e-5},
                         .computing = {.rope_base = 10000000,
                                       .pairs = RopePairs::neighbours,
                                       .routing = {.scores = RouterScores::softmax, .scaling = 6},
                                       .routing_scale_field = "routed_scaling_factor",
                                       .yarn_scores = true,
                                       .refused = "layers with attention twice"},
                         .numbers = "zero_expert_num",
                         .ignored = "num_hidden_layers zero_expert_type",
                         .besides = besides,
                         .own = {read, write},
                         .differs = differs};

}  // namespace longcat

constexpr Family longcat_flash_family = llama_mixture<longcat::type>();

}  // namespace headcount
