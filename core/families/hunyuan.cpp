// Hunyuan, dense and with experts, and Hunyuan 3 (transformers, modeling_hunyuan_v1_dense.py,
// modeling_hunyuan_v1_moe.py, modeling_hy_v3.py).
#include <cmath>

#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {

// Hunyuan: queries and keys are turned first and rescaled then; a base of rotary positions that alpha raises. With
// experts, each as wide as the feed-forward, of which every token passes one more.
namespace hunyuan {

constexpr auto attention(std::string_view name) {
    return std::to_array<Module>({
        {4, "self_attn", ModuleKind::container, {}, name},
        {5, "q_proj", ModuleKind::linear, Part::query, {}},
        {5, "k_proj", ModuleKind::linear, Part::key, {}},
        {5, "v_proj", ModuleKind::linear, Part::value, {}},
        {5, "o_proj", ModuleKind::linear, Part::attention_output, {}},
        {5, "query_layernorm", ModuleKind::norm, Part::query_norm, {}},
        {5, "key_layernorm", ModuleKind::norm, Part::key_norm, {}},
    });
}

void read_computation(ComputationReader& reader, Computation& computation) {
    computation.normed_after_turn = true;
    if (computation.rope.scaling != RopeScaling::dynamic) return;
    for (const char* where : {"rope_parameters", "rope_scaling"}) {
        const nlohmann::json* inside = reader.object(where);
        const auto alpha = inside ? inside->find("alpha") : nlohmann::json::const_iterator();
        if (!inside || alpha == inside->end() || !alpha->is_number() || alpha->get<double>() <= 0) continue;
        const auto columns = static_cast<double>(bindings(reader.arch(), Input{})[Symbol::head_dim].value_or(4));
        if (columns > 2) computation.rope.base *= std::pow(alpha->get<double>(), columns / (columns - 2));
        computation.rope.scaling = RopeScaling::none;
        return;
    }
}

constexpr DecoderClasses dense_classes = classes_of<"HunYuanDenseV1">;
constexpr std::array dense_modules = decoder_modules(dense_classes, attention(dense_classes.attention),
                                                     gated_modules(dense_classes.feed_forward), norm_modules);
constexpr LlamaType dense{.called = {"hunyuan_v1_dense", "Hunyuan", dense_classes, dense_modules},
                          .usual = {.vocab = 290943},
                          .qk_norm = QkNorm::per_head,
                          .norm = {.epsilon = 1e-5},
                          .computing = {.rest = read_computation},
                          .padding = 0};

// HunYuanVL's text part.
constexpr DecoderClasses vision_classes =
    changed(classes_of<"HunYuanVL">, [](DecoderClasses& classes) { classes.model = "HunYuanVLTextModel"; });
constexpr std::array vision_modules = decoder_modules(vision_classes, attention(vision_classes.attention),
                                                      gated_modules(vision_classes.feed_forward), norm_modules);
constexpr LlamaType vision =
    changed(called(dense, "hunyuan_vl_text", "HunYuanVL, text", vision_classes, vision_modules),
            [](LlamaType& other) { other.tied = true; });

constexpr DecoderClasses moe_classes = classes_of<"HunYuanMoEV1">;
constexpr std::array moe_modules =
    decoder_modules(moe_classes, attention(moe_classes.attention), mixture_modules("mlp", "HunYuanMoEV1Moe"),
                    std::to_array<Module>({{5, "gate", ModuleKind::container, {}, "HunYuanMoEV1Gate"},
                                           {6, "wg", ModuleKind::linear, Part::router, {}}}),
                    expert_modules("HunYuanMoEV1Experts", moe_classes.feed_forward),
                    shared_expert_modules("shared_mlp", moe_classes.feed_forward, "act_fn"), norm_modules);
// What published files say to their own code; `use_cla` would change shapes there.
constexpr std::string_view moe_ignored =
    "attention_head_dim cla_share_factor class_num dense_list im_end_id im_newline_id im_start_id mask_init_id "
    "moe_layer_num_skipped norm_type pool_type text_end_id text_start_id use_mixed_mlp_moe use_qk_norm "
    "use_rotary_pos_emb";

// The same of each expert, which transformers does not read: what follows from the rest anyway is read with it.
void read_rest(ConfigReader& reader, Architecture& arch) {
    const Mixture& mixture = *arch.layer.mixture;
    if (reader.number_of_all({"moe_intermediate_size"}, mixture.expert_dim) != mixture.expert_dim)
        reader.carry("moe_intermediate_size");
    if (reader.number_of_all({"num_shared_expert"}, mixture.shared_experts) != mixture.shared_experts)
        reader.carry("num_shared_expert");
}

constexpr LlamaType moe =
    changed(called(dense, "hunyuan_v1_moe", "Hunyuan MoE", moe_classes, moe_modules), [](LlamaType& other) {
        other.mixture = MixtureType{.per_token_field = {"moe_topk", "num_experts_per_tok"},
                                    .per_token_by_layer = true,
                                    .width_field = {},
                                    .experts = 1,
                                    .experts_per_token = 1,
                                    .shared = 1};
        other.computing.routing = {.scores = RouterScores::softmax, .normalized = true};
        other.ignored = moe_ignored;
        other.own.read = read_rest;
    });

}  // namespace hunyuan

constexpr Family hunyuan_v1_dense_family = llama_like<hunyuan::dense>();
constexpr Family hunyuan_vl_text_family = llama_like<hunyuan::vision>();
constexpr Family hunyuan_v1_moe_family = llama_mixture<hunyuan::moe>();

// Hunyuan 3.
namespace hy_v3 {

constexpr DecoderClasses classes = classes_of<"HYV3">;
constexpr std::array modules = decoder_modules(
    classes, attention_modules(classes.attention), gated_modules(classes.feed_forward),
    mixture_modules("mlp", "HYV3MoE"), router_modules("router.gate", "HYV3TopKRouter"),
    expert_modules("HYV3Experts", classes.feed_forward),
    shared_expert_modules("shared_mlp", classes.feed_forward, "act_fn"),
    std::to_array<Module>({{5, "expert_bias", ModuleKind::buffer, Part::router_correction, {}}}), norm_modules);
constexpr Routing routing{.scores = RouterScores::sigmoid, .normalized = true, .scaling = 2.826};
constexpr LlamaType type{
    .called = {"hy_v3", "Hunyuan 3", classes, modules},
    .usual = {.ffn_dim = 13312, .layers = 80, .heads = 64, .vocab = 120832, .context = 131072},
    .kv_heads = 8,
    .head_dim = 128,
    .mlp_bias_field = "mlp_bias",
    .qk_norm = QkNorm::per_head,
    .norm = {.epsilon = 1e-5},
    .mixture = MixtureType{.shared_field = {"num_shared_experts"},
                           .has_types = true,
                           .experts = 192,
                           .experts_per_token = 8,
                           .width = 1536,
                           .shared = 1,
                           .dense_first = 1,
                           .correction_bias = true,
                           .expert_bias = false},
    .computing = {.rope_base = 11158840, .routing = routing, .routing_scale_field = "router_scaling_factor"}};

}  // namespace hy_v3

constexpr Family hy_v3_family = llama_like<hy_v3::type>();

}  // namespace headcount
