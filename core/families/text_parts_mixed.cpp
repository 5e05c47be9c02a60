// Text parts of models that see besides, with experts: DeepSeek-OCR 2 and Unlimited-OCR, ERNIE 4.5 VL, Step 3.7
// (transformers, modeling_deepseek_ocr2.py, modeling_unlimited_ocr.py, modeling_ernie4_5_vl_moe.py,
// modeling_step3p7.py). All but Step name each layer's experts as transformers has them, in two tensors.
#include <algorithm>

#include "core/base/find.hpp"
#include "core/families/besides.hpp"
#include "core/families/deepseek.hpp"

namespace headcount {

// DeepSeek-OCR 2: DeepSeek V2's experts with LLaMA's attention, whose heads are always the width's share.
namespace deepseek_ocr {

template <FixedText name>
constexpr auto modules_of() {
    constexpr DecoderClasses classes = classes_of<name>;
    return decoder_modules(classes, attention_modules(classes.attention), gated_modules(classes.feed_forward),
                           mixture_modules("mlp", joined_name<name, "Moe">),
                           linear_expert_modules(joined_name<name, "Experts">), router_modules("gate", "Linear"),
                           shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"), norm_modules);
}

constexpr std::string_view ignored = "head_dim layer_types sliding_window";
constexpr std::array second_modules = modules_of<"DeepseekOcr2Text">();
constexpr LlamaType second{
    .called = {"deepseek_ocr2_text", "DeepSeek-OCR 2, text", classes_of<"DeepseekOcr2Text">, second_modules},
    .usual = {.vocab = 102400},
    .rounds_head_dim = true,
    .head_dim_field = {},
    .mlp_bias_field = "mlp_bias",
    .mixture = changed(deepseek::v2_experts, [](MixtureType& other) { other.has_types = true; }),
    .computing = {.rest = [](ComputationReader& reader, Computation&) { reader.reject_uncompared("a DeepSeek V2"); }},
    .ignored = ignored};

// Unlimited-OCR: other sizes, and a window that all see who see no picture.
constexpr std::array unlimited_modules = modules_of<"UnlimitedOcrText">();
constexpr LlamaType unlimited = changed(
    called(second, "unlimited_ocr_text", "Unlimited-OCR, text", classes_of<"UnlimitedOcrText">, unlimited_modules),
    [](LlamaType& other) {
        other.usual = {.dim = 1280, .ffn_dim = 6848, .layers = 12, .heads = 10, .vocab = 129280, .context = 32768};
        other.kv_heads = 10;
        other.mixture->width = 896;
        other.mixture->dense_first = 1;
        other.computing.refused = "windows that leave pictures and prompts in sight";
    });

}  // namespace deepseek_ocr

constexpr Family deepseek_ocr2_text_family = llama_like<deepseek_ocr::second>();
constexpr Family unlimited_ocr_text_family = llama_like<deepseek_ocr::unlimited>();

// ERNIE 4.5 VL: a mixture for words and one for pictures, of as many experts each, whose widths are a list of two; all
// pass the shared ones, which are as wide as those for words.
namespace ernie4_5_vl {

constexpr DecoderClasses classes = changed(classes_of<"Ernie4_5_VLMoeText">, [](DecoderClasses& own) {
    own.layer = "Ernie4_5_VLMoeDecoderLayer";
    own.feed_forward = "Ernie4_5_VLMoeMLP";
    own.rms_norm = "Ernie4_5_VLMoeRMSNorm";
});
constexpr auto words =
    std::to_array<Module>({{5, "text_moe", ModuleKind::container, {}, "Ernie4_5_VLMoeSparseMoeBlock"}});
constexpr auto correction = std::to_array<Module>(
    {{6, "gate.moe_statics.e_score_correction_bias", ModuleKind::bare_row, Part::router_correction, {}}});
constexpr std::array modules =
    decoder_modules(classes, attention_modules(classes.attention), gated_modules(classes.feed_forward),
                    mixture_modules("mlp", "Ernie4_5_VLMoeMoeBlock"), words,
                    lowered(router_modules("gate", "Ernie4_5_VLMoeMoeTopKRouter")), correction,
                    lowered(linear_expert_modules("Ernie4_5_VLMoeMoeExperts")),
                    shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"), norm_modules);
constexpr std::string_view widths = "moe_intermediate_size";
constexpr std::int64_t usual_widths[] = {1536, 512};

std::int64_t picture_width(const Architecture& arch) {
    const auto list = carried_list(arch, widths);
    return list && list->size() > 1 ? (*list)[1] : usual_widths[1];
}

void read(ConfigReader& reader, Architecture& arch) {
    const nlohmann::json& config = reader.config();
    const auto list = carry_list(reader, widths);
    if (list && list->size() < 2)
        return reader.reject(widths, "is no width for words and one for pictures", "give a list of two");
    arch.layer.mixture->expert_dim = list ? list->front() : usual_widths[0];
    if (const auto types = said(config, "moe_layer_start_index"); types && !said(config, "mlp_layer_types"))
        if (*types != 1)
            reader.reject("moe_layer_start_index", "this type knows its mixtures by mlp_layer_types alone",
                          "give a word for each layer there, dense or sparse");
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    config["intermediate_size"] = bindings(arch, Input{})[Symbol::ffn_dim].value_or(0);
    if (arch.layer.mixture) config[std::string(widths)] = {arch.layer.mixture->expert_dim, picture_width(arch)};
}

std::vector<Extra> besides(const Architecture& arch) {
    const LayerSet mixed = arch.layer.mixture ? arch.layer.mixture->layers : LayerSet::none();
    if (mixed.count(arch.layers) == 0) return {};
    const Expr experts = Symbol::experts, width = picture_width(arch);
    return Besides(arch)
        .in_layers(Component::feed_forward, mixed)
        .linear("mlp.vision_moe.gate", experts, Symbol::dim)
        .add("mlp.vision_moe.gate.moe_statics.e_score_correction_bias", {1, experts})
        .add("mlp.vision_moe.experts.gate_up_proj", {experts, Expr(2) * width, Symbol::dim})
        .add("mlp.vision_moe.experts.down_proj", {experts, Symbol::dim, width})
        .take();
}

constexpr std::string_view ignored = "moe_intermediate_size";
constexpr LlamaType type{
    .called = {"ernie4_5_vl_moe_text", "ERNIE 4.5 VL, text", classes, modules},
    .usual = {.dim = 2560, .ffn_dim = 12288, .layers = 28, .heads = 20, .vocab = 103424, .context = 131072},
    .kv_heads = 4,
    .tied = true,
    .qkv_bias_field = "use_bias",
    .mlp_bias_field = "use_bias",
    .norm = {.epsilon = 1e-5},
    .mixture = MixtureType{.experts_field = {"moe_num_experts", "num_experts"},
                           .per_token_field = {"moe_k", "num_experts_per_tok"},
                           .width_field = {},
                           .shared_field = {"moe_num_shared_experts"},
                           .has_types = true,
                           .experts = 64,
                           .experts_per_token = 6,
                           .shared = 2,
                           .dense_first = 1,
                           .correction_bias = true,
                           .may_share_none = true,
                           .expert_bias = false},
    .computing = {.refused = "a mixture for pictures beside that for words"},
    .padding = 0,
    .ignored = ignored,
    .besides = besides,
    .own = {read, write}};

}  // namespace ernie4_5_vl

constexpr Family ernie4_5_vl_moe_text_family = llama_like<ernie4_5_vl::type>();

// Step 3.5 and 3.7: a gate for each head; layers with a window may have more heads, of which their tensors alone tell.
namespace step3 {

constexpr DecoderClasses classes = classes_of<"Step3p7">;
constexpr auto experts = std::to_array<Module>({
    {5, "router_bias", ModuleKind::buffer, Part::router_correction, {}},
    {5, "gate_proj.weight", ModuleKind::stacked_out, Part::expert_gate, {}},
    {5, "up_proj.weight", ModuleKind::stacked_out, Part::expert_up, {}},
    {5, "down_proj.weight", ModuleKind::stacked_out, Part::expert_down, {}},
    {5, "act_fn", ModuleKind::activation, {}, {}},
});
constexpr auto shared = std::to_array<Module>({
    {4, "share_expert", ModuleKind::container, {}, classes.feed_forward},
    {5, "gate_proj", ModuleKind::linear, Part::shared_gate, {}},
    {5, "up_proj", ModuleKind::linear, Part::shared_up, {}},
    {5, "down_proj", ModuleKind::linear, Part::shared_down, {}},
});
constexpr std::array modules =
    decoder_modules(classes, gated_modules(classes.feed_forward), mixture_modules("moe", "Step3p7SparseMoeBlock"),
                    router_modules("gate", "Step3p7TopKRouter"), experts, shared, norm_modules);
constexpr std::string_view own_heads = "num_sliding_attention_heads", older_heads = "attention_other_setting",
                           by_layer = "per_layer_config", older_list = "moe_layers_enum";

// Heads of layers with a window, from the object of older files where the field is absent.
std::int64_t windowed_heads(const Architecture& arch) {
    const nlohmann::json& file = arch.carried.object();
    const nlohmann::json older = object_said(file, older_heads);
    const nlohmann::json* heads = said(file, own_heads);
    if (!heads) heads = said(older, "num_attention_heads");
    const std::optional<std::int64_t> number = heads ? whole_number(*heads) : std::nullopt;
    return std::min(number.value_or(arch.layer.attention.heads), Besides::largest);
}

// transformers writes the same once more for each layer.
bool says_the_same(const nlohmann::json& layers, std::int64_t heads) {
    return layers.is_object() && std::ranges::all_of(layers, [&](const nlohmann::json& layer) {
               return layer.is_object() && layer.size() == 1 && layer.contains("num_attention_heads") &&
                      layer["num_attention_heads"] == heads;
           });
}

// "3,4,5": the layers that have experts.
void read_older_list(ConfigReader& reader, const nlohmann::json& list, Architecture& arch) {
    const nlohmann::json layers =
        list.is_string() ? nlohmann::json::parse("[" + list.get<std::string>() + "]", nullptr, false) : list;
    const auto is_index = [](const nlohmann::json& layer) { return layer.is_number_unsigned(); };
    if (!layers.is_array() || !std::ranges::all_of(layers, is_index))
        return reader.reject(older_list, as_written(list) + " is no list of layers", "give their numbers, as \"3,4\"");
    arch.layer.mixture->layers =
        layers_where(arch.layers, [&](std::int64_t layer) { return contains(layers, nlohmann::json(layer)); });
}

void read(ConfigReader& reader, Architecture& arch) {
    const nlohmann::json& config = reader.config();
    arch.layer.mixer_layers = LayerSet::none();
    const nlohmann::json other = object_said(config, older_heads);
    ConfigReader older(other);
    const std::int64_t before = older.number({"num_attention_heads"}, arch.layer.attention.heads);
    if (older.error()) reader.reject(older_heads, "its num_attention_heads is no number of heads", "give one");
    const std::int64_t heads = carry_number(reader, own_heads, before);
    if (const nlohmann::json* layers = said(config, by_layer); layers && !says_the_same(*layers, heads))
        reader.reject(by_layer, "layers that differ in more than the heads of those with a window are not known here",
                      "leave it out, and give num_sliding_attention_heads");
    if (!config.contains("num_key_value_heads"))
        arch.layer.attention.kv_heads = reader.number({"num_attention_groups"}, 8);
    if (const nlohmann::json* list = said(config, older_list); list && !said(config, "mlp_layer_types"))
        read_older_list(reader, *list, arch);
}

std::vector<Extra> besides(const Architecture& arch) {
    Besides more(arch);
    const bool bias = arch.layer.attention.qkv_bias;
    const Expr size = Symbol::head_dim, keys = Expr(Symbol::kv_heads) * size, dim = Symbol::dim;
    more.in_layers(Component::norm)
        .norm("input_layernorm", dim)
        .norm("self_attn.q_norm", size)
        .norm("self_attn.k_norm", size)
        .in_layers(Component::attention)
        .linear("self_attn.k_proj", keys, dim, bias)
        .linear("self_attn.v_proj", keys, dim, bias);
    const LayerSet windowed = layers_called(arch, "layer_types", "sliding_attention").value_or(LayerSet::none());
    for (const bool window : {false, true}) {
        const LayerSet layers = window ? windowed : without({}, windowed, arch.layers);
        if (layers.count(arch.layers) == 0) continue;
        const Expr heads = window ? Expr(windowed_heads(arch)) : Expr(Symbol::heads);
        more.in_layers(Component::attention, layers)
            .linear("self_attn.q_proj", heads * size, dim, bias)
            .linear("self_attn.o_proj", dim, heads * size, bias)
            .linear("self_attn.g_proj", heads, dim);
    }
    return more.take();
}

constexpr std::string_view ignored =
    "attention_other_setting layer_types moe_layers_enum moe_router_scaling_factor "
    "num_sliding_attention_heads per_layer_config sliding_window swiglu_limits swiglu_limits_shared";
constexpr LlamaType type{
    .called = {"step3p5", "Step 3.5, text", classes, modules},
    .usual = {.ffn_dim = 11264, .layers = 45, .heads = 64, .vocab = 128815, .context = 128000},
    .head_dim = 128,
    .mlp_bias_field = "mlp_bias",
    .norm = {.epsilon = 1e-5},
    .mixture = MixtureType{.experts_field = {"n_routed_experts", "num_local_experts", "moe_num_experts"},
                           .per_token_field = {"num_experts_per_tok", "moe_top_k"},
                           .shared_width_field = {"share_expert_dim", "share_expert_dims"},
                           .has_types = true,
                           .experts = 288,
                           .experts_per_token = 8,
                           .width = 1280,
                           .shared = 1280,
                           .dense_first = 3,
                           .correction_bias = true,
                           .expert_bias = false},
    .computing = {.refused = "gates for each head"},
    .padding = 1,
    .ignored = ignored,
    .besides = besides,
    .own = {read}};

}  // namespace step3

constexpr Family step3p5_family = llama_like<step3::type>();

}  // namespace headcount
