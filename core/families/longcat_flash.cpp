// LongCat-Flash (Meituan 2025): two half layers of latent attention and a dense feed-forward are one layer of its
// files; beside the first one's stand experts, some of which do nothing (transformers, modeling_longcat_flash.py).
#include "core/base/checked.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace longcat {

constexpr DecoderClasses classes = classes_of<"LongcatFlash">;

// A half's modules, told from the other's by the experts that stand beside the first.
constexpr auto half_modules(bool first, const std::array<std::string_view, 4>& names) {
    std::array<Module, 15> half{{
        {4, names[0], ModuleKind::norm, Part::attention_norm, {}},
        {4, names[1], ModuleKind::norm, Part::feed_forward_norm, {}},
        {4, names[2], ModuleKind::container, {}, "LongcatFlashMLA"},
        {5, "q_a_proj", ModuleKind::linear, Part::query_down, {}},
        {5, "q_a_layernorm", ModuleKind::norm, Part::query_down_norm, {}},
        {5, "q_b_proj", ModuleKind::linear, Part::query, {}},
        {5, "kv_a_proj_with_mqa", ModuleKind::linear, Part::latent_down, {}},
        {5, "kv_a_layernorm", ModuleKind::norm, Part::latent_norm, {}},
        {5, "kv_b_proj", ModuleKind::linear, Part::latent_up, {}},
        {5, "o_proj", ModuleKind::linear, Part::attention_output, {}},
        {4, names[3], ModuleKind::container, {}, classes.feed_forward},
        {5, "gate_proj", ModuleKind::linear, Part::gate, {}},
        {5, "up_proj", ModuleKind::linear, Part::up, {}},
        {5, "down_proj", ModuleKind::linear, Part::down, {}},
        {5, "act_fn", ModuleKind::activation, {}, {}},
    }};
    for (Module& module : half) (first ? module.with : module.without) = Part::router;
    return half;
}

constexpr std::array<Module, 3> router{{
    {5, "router", ModuleKind::container, {}, "LongcatFlashTopkRouter"},
    {6, "classifier", ModuleKind::linear, Part::router, {}},
    {6, "e_score_correction_bias", ModuleKind::buffer, Part::router_correction, {}},
}};
constexpr auto model = [] {
    auto own = model_modules(classes);
    own.back().name = "{i/2}";
    return own;
}();
constexpr std::array modules =
    join(model, mixture_modules("mlp", "LongcatFlashMoE"), expert_modules("LongcatFlashExperts", classes.feed_forward),
         router, half_modules(true, {"input_layernorm.0", "post_attention_layernorm.0", "self_attn.0", "mlps.0"}),
         half_modules(false, {"input_layernorm.1", "post_attention_layernorm.1", "self_attn.1", "mlps.1"}),
         output_modules(classes.rotary));

constexpr Latent sizes{.query_rank = 1536};

void read(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    const std::optional<std::int64_t> layers = checked_multiply(2, reader.number({"num_layers"}, 28));
    if (!layers) reader.reject("num_layers", "twice as many do not fit in 64 bits", "give fewer");
    arch.layers = layers.value_or(2);
    reader.optional_number({"num_hidden_layers"});  // which is twice that, where a file says it
    Attention& attention = arch.layer.attention;
    attention.kv_heads.reset();
    attention.latent = read_latent(reader, config, sizes);
    if (!attention.latent->query_rank)
        reader.reject("q_lora_rank", "queries of this type come through a bottleneck", "give its width");
    arch.layer.feed_forward.width = reader.number({"ffn_hidden_size", "intermediate_size"}, 12288);
    Mixture mixture;
    mixture.experts = reader.number({"n_routed_experts", "num_local_experts"}, 512);
    mixture.experts_per_token = reader.number({"moe_topk", "num_experts_per_tok"}, 12);
    mixture.expert_dim = reader.number({"expert_ffn_hidden_size", "moe_intermediate_size"}, 2048);
    mixture.idle_experts = reader.number({"zero_expert_num"}, 256, 0);
    mixture.router_bias = reader.flag({"router_bias"}, false);
    mixture.correction_bias = mixture.beside_dense = true;
    mixture.beside_norms = false;
    constexpr std::array first_of_two{true, false};
    mixture.layers = LayerSet::of(first_of_two);
    arch.layer.mixture = std::move(mixture);
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    config.erase("num_hidden_layers");
    config.erase("intermediate_size");
    config["num_layers"] = (arch.layers + 1) / 2;
    config["ffn_hidden_size"] = bindings(arch, Input{})[Symbol::ffn_dim].value_or(0);
    if (arch.layer.attention.latent) write_latent(config, *arch.layer.attention.latent);
    const Mixture mixture = arch.layer.mixture.value_or(Mixture{});
    config["n_routed_experts"] = mixture.experts;
    config["moe_topk"] = mixture.experts_per_token;
    config["expert_ffn_hidden_size"] = mixture.expert_dim;
    config["zero_expert_num"] = mixture.idle_experts;
    config["router_bias"] = mixture.router_bias;
}

void compute(ComputationReader& reader, Computation&) {
    reader.reject("model_type", "experts whose output is added half a layer later are not computed here",
                  "count it; DeepSeek V3 runs");
}

constexpr LlamaType type{.type = "longcat_flash",
                         .name = "LongCat-Flash",
                         .classes = classes,
                         .modules = modules,
                         .dim = 6144,
                         .layers = 56,
                         .heads = 64,
                         .vocab = 131072,
                         .context = 131072,
                         .head_dim_field = {},
                         .norm = {.epsilon = 1e-5},
                         .computing = {.rope_base = 10000000, .rest = compute},
                         .read_rest = read,
                         .write_rest = write};
constexpr std::array ignored = std::to_array<std::string_view>({"num_hidden_layers", "qk_head_dim"});

}  // namespace longcat

constexpr Family longcat_flash_family = [] {
    Family family = llama_like<longcat_flash_family, longcat::type>();
    family.ignored = longcat::ignored;
    return family;
}();

}  // namespace headcount
