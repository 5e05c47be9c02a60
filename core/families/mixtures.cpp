// Mixtures of experts as LLaMA's layout holds them, each expert's matrices by themselves: OLMoE, FlexOlmo, Mellum,
// GLM-4.5, Sarvam MoE, dots.1, Solar Open, EXAONE MoE (transformers, modeling_olmoe.py and so on).
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace {

// "mlp" with a router, each expert by itself, and what every token passes.
constexpr auto experts_of(const DecoderClasses& classes, std::string_view mixture, std::string_view router,
                          std::string_view experts) {
    return join(mixture_modules("mlp", mixture), router_modules("gate", router), correction_modules,
                expert_modules(experts, classes.feed_forward),
                shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"));
}

template <FixedText name>
constexpr auto modules_of(std::string_view mixture, std::string_view router) {
    constexpr DecoderClasses classes = classes_of<name>;
    return decoder_modules(classes, attention_modules(classes.attention), gated_modules(classes.feed_forward),
                           experts_of(classes, mixture, router, joined_name<name, "Experts">), norm_modules);
}

// As DeepSeek V3 chooses: sigmoids, with a bias that balances the load.
constexpr Routing by_sigmoid{.scores = RouterScores::sigmoid, .normalized = true, .group_by_best_two = true};
constexpr MixtureType balanced{.experts_field = {"n_routed_experts", "num_local_experts", "num_experts"},
                               .shared_field = {"n_shared_experts"},
                               .experts = 128,
                               .experts_per_token = 8,
                               .shared = 1,
                               .correction_bias = true};

}  // namespace

// OLMoE: norms of all queries and keys side by side.
namespace olmoe {

void read_computation(ComputationReader& reader, Computation&) {
    if (reader.cap("clip_qkv", 0))
        reader.reject("clip_qkv", "queries and keys that are clamped behind their norms are not computed here",
                      "leave it out");
}

constexpr std::array modules = modules_of<"Olmoe">("OlmoeSparseMoeBlock", "OlmoeTopKRouter");
constexpr LlamaType type{
    .called = {"olmoe", "OLMoE", classes_of<"Olmoe">, modules},
    .usual = {.dim = 2048, .ffn_dim = 2048, .layers = 16, .heads = 16, .vocab = 50304, .context = 4096},
    .head_dim_field = {},
    .qk_norm = QkNorm::across,
    .norm = {.epsilon = 1e-5},
    .mixture = MixtureType{.width_field = {}, .experts = 64, .experts_per_token = 8},
    .computing = {.routing = {.scores = RouterScores::softmax}, .normalizes = true, .rest = read_computation},
    .padding = 1};

// FlexOlmo: the same with norms behind the sub-blocks.
constexpr std::array flexible_modules = modules_of<"FlexOlmo">("FlexOlmoSparseMoeBlock", "FlexOlmoTopKRouter");
constexpr LlamaType flexible{
    .called = {"flex_olmo", "FlexOlmo", classes_of<"FlexOlmo">, flexible_modules},
    .usual = {.vocab = 100352, .context = 4096},
    .head_dim_field = {},
    .qk_norm = QkNorm::across,
    .norm = {.placement = NormPlacement::after},
    .mixture = MixtureType{.width_field = {}, .experts = 7, .experts_per_token = 5},
    .computing = {.rope_base = 500000, .routing = {.scores = RouterScores::softmax}, .normalizes = true},
    .padding = 100277};

}  // namespace olmoe

constexpr Family olmoe_family = llama_mixture<olmoe::type>();
constexpr Family flex_olmo_family = llama_mixture<olmoe::flexible>();

// Mellum: a base of rotary positions of their own for layers with a window.
namespace mellum {

constexpr std::array modules = modules_of<"Mellum">("MellumSparseMoeBlock", "MellumTopKRouter");
constexpr LlamaType type{.called = {"mellum", "Mellum", classes_of<"Mellum">, modules},
                         .usual = {.dim = 2304, .ffn_dim = 7168, .layers = 28, .vocab = 98304, .context = 131072},
                         .kv_heads = 4,
                         .head_dim = 128,
                         .qk_norm = QkNorm::per_head,
                         .window = WindowFields{.size = 1024},
                         .mixture = MixtureType{.experts_field = {"num_local_experts", "num_experts"},
                                                .has_types = true,
                                                .experts = 64,
                                                .experts_per_token = 8,
                                                .width = 896},
                         .computing = {.rope_base = 500000,
                                       .windowed_apart = true,
                                       .routing = {.scores = RouterScores::softmax, .normalized = true},
                                       .normalizes = true,
                                       .rest =
                                           [](ComputationReader& reader, Computation& computation) {
                                               if (!reader.says_rope() && computation.windowed_rope)
                                                   computation.windowed_rope->base = 10000;
                                           }},
                         // Without a list no layer has a window.
                         .own = {[](ConfigReader& reader, Architecture& arch) {
                             if (!said(reader.config(), "layer_types")) arch.layer.attention.window.reset();
                         }}};

}  // namespace mellum

constexpr Family mellum_family = llama_mixture<mellum::type>();

// GLM-4.5: part of each head turned, dense first layers. transformers rounds down where heads do not divide the width.
namespace glm4_moe {

constexpr std::array modules = modules_of<"Glm4Moe">("Glm4MoeMoE", "Glm4MoeTopkRouter");
constexpr MixtureType experts = changed(balanced, [](MixtureType& other) {
    other.dense_first_field = {"first_k_dense_replace"};
    other.dense_first = 1;
});

// Where half of a head's columns is an odd number, transformers turns one more.
void read_rest(ConfigReader&, Architecture& arch) {
    std::optional<std::int64_t>& turned = arch.layer.attention.rotary_dim;
    if (turned && *turned % 2 == 1) ++*turned;
}

void read_computation(ComputationReader& reader, Computation&) {
    const std::int64_t head_dim = bindings(reader.arch(), Input{})[Symbol::head_dim].value_or(0);
    if (reader.arch().layer.attention.rotary_dim == head_dim / 2 + 1)
        reader.reject("head_dim", "the turns of an odd number of columns are not computed here",
                      "give a head size that 4 divides");
}

constexpr LlamaType type{.called = {"glm4_moe", "GLM-4.5", classes_of<"Glm4Moe">, modules},
                         .usual = {.ffn_dim = 10944, .layers = 46, .heads = 96, .vocab = 151552, .context = 131072},
                         .kv_heads = 8,
                         .rounds_head_dim = true,
                         .rotary = 0.5,
                         .qkv_bias_is_output_bias = false,
                         .qk_norm = QkNorm::per_head,
                         .qk_norm_field = "use_qk_norm",
                         .norm = {.epsilon = 1e-5},
                         .mixture = experts,
                         .computing = {.routing = by_sigmoid,
                                       .normalizes = true,
                                       .grouped = true,
                                       .routing_scale_field = "routed_scaling_factor",
                                       .rest = read_computation},
                         .own = {read_rest}};

}  // namespace glm4_moe

constexpr Family glm4_moe_family = llama_mixture<glm4_moe::type>();

// Sarvam's smaller model: GLM-4.5's classes with sizes of its own, and Ling's names of modules.
namespace sarvam_moe {

constexpr DecoderClasses classes = classes_of<"Glm4Moe">;
constexpr auto attention = std::to_array<Module>({
    {4, "attention", ModuleKind::container, {}, classes.attention},
    {5, "query_key_value", ModuleKind::linear, {Part::query, Part::key, Part::value}, {}},
    {5, "dense", ModuleKind::linear, Part::attention_output, {}},
    {5, "query_layernorm", ModuleKind::norm, Part::query_norm, {}},
    {5, "key_layernorm", ModuleKind::norm, Part::key_norm, {}},
});
constexpr auto correction =
    std::to_array<Module>({{5, "gate.expert_bias", ModuleKind::buffer, Part::router_correction, {}}});
constexpr auto model = renamed(model_modules(classes), "embed_tokens", "word_embeddings");
constexpr std::array modules =
    join(model, attention, gated_modules(classes.feed_forward), mixture_modules("mlp", "Glm4MoeMoE"),
         expert_modules("Glm4MoeNaiveMoe", classes.feed_forward), router_modules("gate", "Glm4MoeTopkRouter"),
         correction, shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"), norm_modules,
         output_modules(classes.rotary));
constexpr LlamaType type = changed(glm4_moe::type, [](LlamaType& other) {
    other.called.type = "sarvam_moe";
    other.called.name = "Sarvam MoE";
    other.called.modules = modules;
    other.usual.ffn_dim = 8192;
    other.usual.layers = 19;
    other.usual.heads = 64;
    other.kv_heads = 4;
    other.head_dim = 64;
    other.usual.vocab = 262144;
    other.rotary = 1.0;
    other.qk_norm_field = {};
    other.norm.epsilon = 1e-6;
    other.mixture->shared_field = {"n_shared_experts", "num_shared_experts"};
    other.mixture->width = 1024;
    other.mixture->experts_per_token = 6;
    other.computing.rest = [](ComputationReader& reader, Computation&) { reader.reject_uncompared("a GLM-4.5"); };
    other.own.read = [](ConfigReader& reader, Architecture& arch) {
        if (!reader.flag({"use_qk_norm"}, true)) arch.layer.attention.qk_norm = QkNorm::none;
    };
    other.own.write = [](nlohmann::ordered_json& config, const Architecture& arch) {
        config["use_qk_norm"] = arch.layer.attention.qk_norm != QkNorm::none;
    };
});

}  // namespace sarvam_moe

constexpr Family sarvam_moe_family = llama_like<sarvam_moe::type>();

// GLM-4.5V's text part.
namespace glm4v_moe {

constexpr std::array modules = modules_of<"Glm4vMoeText">("Glm4vMoeTextMoE", "Glm4vMoeTextTopkRouter");

std::string_view differs(const Architecture& arch) {
    if (arch.whole || has_head(arch)) return "";
    return "Experts are named one by one, as in files of the whole model. Of the text part alone transformers writes "
           "those of a layer as two tensors.";
}

constexpr LlamaType type =
    changed(called(glm4_moe::type, "glm4v_moe_text", "GLM-4.5V, text", classes_of<"Glm4vMoeText">, modules),
            [](LlamaType& other) {
                other.usual.vocab = 151424;
                other.usual.context = 65536;
                other.qkv_bias = true;
                other.qk_norm = QkNorm::none;
                other.qk_norm_field = {};
                other.differs = differs;
            });

}  // namespace glm4v_moe

constexpr Family glm4v_moe_text_family = llama_mixture<glm4v_moe::type>();

// Solar Open: every layer a mixture.
namespace solar_open {

constexpr std::array modules = modules_of<"SolarOpen">("SolarOpenMoE", "SolarOpenTopkRouter");
constexpr MixtureType experts = changed(balanced, [](MixtureType& other) { other.width = 1280; });
constexpr LlamaType type{.called = {"solar_open", "Solar Open", classes_of<"SolarOpen">, modules},
                         .usual = {.layers = 48, .heads = 64, .vocab = 196608, .context = 131072},
                         .kv_heads = 8,
                         .head_dim = 128,
                         .rotary = 1.0,
                         .qkv_bias_is_output_bias = false,
                         .norm = {.epsilon = 1e-5},
                         .mixture = experts,
                         .computing = {.rope_base = 1000000,
                                       .routing = by_sigmoid,
                                       .normalizes = true,
                                       .grouped = true,
                                       .routing_scale_field = "routed_scaling_factor"}};

}  // namespace solar_open

constexpr Family solar_open_family = llama_mixture<solar_open::type>();

// dots.1: norms of each head's queries and keys. transformers has no default of the experts: these are dots.llm1's.
namespace dots1 {

constexpr std::array modules = modules_of<"Dots1">("Dots1MoE", "Dots1TopkRouter");
constexpr MixtureType experts = changed(balanced, [](MixtureType& other) {
    other.dense_first_field = {"first_k_dense_replace"};
    other.experts_per_token = 6;
    other.shared = 2;
});
constexpr Routing routing = changed(by_sigmoid, [](Routing& other) { other.normalized = false; });
constexpr LlamaType type{
    .called = {"dots1", "dots.1", classes_of<"Dots1">, modules},
    .usual = {.dim = 4608, .ffn_dim = 10944, .layers = 62, .vocab = 152064},
    .kv_heads = 32,
    .qk_norm = QkNorm::per_head,
    .window = WindowFields{.size = 4096, .behind = 62},
    .mixture = experts,
    .computing = {
        .routing = routing, .normalizes = true, .grouped = true, .routing_scale_field = "routed_scaling_factor"}};

}  // namespace dots1

constexpr Family dots1_family = llama_mixture<dots1::type>();

// EXAONE MoE: a window in three of four layers, beside which those that see everything have no positions.
namespace exaone_moe {

constexpr DecoderClasses classes = classes_of<"ExaoneMoe">;
constexpr std::array modules = decoder_modules(
    classes, attention_modules(classes.attention), gated_modules(classes.feed_forward),
    mixture_modules("mlp", "ExaoneMoeSparseMoEBlock"), expert_modules("ExaoneMoeExperts", classes.feed_forward),
    router_modules("gate", "ExaoneMoeTopkRouter"),
    std::to_array<Module>({{5, "e_score_correction_bias", ModuleKind::buffer, Part::router_correction, {}}}),
    shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"), norm_modules);
constexpr Routing routing = changed(by_sigmoid, [](Routing& other) { other.scaling = 2.5; });
constexpr LlamaType type{.called = {"exaone_moe", "EXAONE MoE", classes_of<"ExaoneMoe">, modules},
                         .usual = {.ffn_dim = 16384, .vocab = 102400},
                         .kv_heads = 32,
                         .qkv_bias_field = {},
                         .qk_norm = QkNorm::per_head,
                         .norm = {.epsilon = 1e-5},
                         .window = WindowFields{.size = 4096, .pattern = 4, .has_pattern_field = true},
                         .mixture = MixtureType{.shared_field = {"num_shared_experts"},
                                                .dense_first_field = {"first_k_dense_replace"},
                                                .has_types = true,
                                                .experts = 64,
                                                .experts_per_token = 8,
                                                .width = 1024,
                                                .shared = 1,
                                                .dense_first = 1,
                                                .correction_bias = true},
                         .computing = {.routing = routing,
                                       .normalizes = true,
                                       .grouped = true,
                                       .routing_scale_field = "routed_scaling_factor"},
                         .padding = 0,
                         .own = {[](ConfigReader&, Architecture& arch) {
                             Attention& attention = arch.layer.attention;
                             if (attention.window) attention.rotated = attention.window->layers;
                         }}};

}  // namespace exaone_moe

constexpr Family exaone_moe_family = llama_mixture<exaone_moe::type>();

}  // namespace headcount
