// LFM2 and LFM3: a short convolution between two gates in most layers, attention in the others, dense or with experts
// (transformers, modeling_lfm2.py, modeling_lfm2_moe.py, modeling_lfm3.py).
#include <cmath>

#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace lfm2 {

constexpr DecoderClasses dense_classes = classes_of<"Lfm2">, mixture_classes = classes_of<"Lfm2Moe">;

constexpr auto gated_modules(std::int8_t depth, const Part& gate, const Part& up, const Part& down) {
    return std::to_array<Module>({
        {depth, "w1", ModuleKind::linear, gate, {}},
        {depth, "w3", ModuleKind::linear, up, {}},
        {depth, "w2", ModuleKind::linear, down, {}},
    });
}

constexpr auto layer_modules(std::string_view attention, std::string_view convolution, std::string_view mlp) {
    return join(std::to_array<Module>({
                    {4, "self_attn", ModuleKind::container, {}, attention},
                    {5, "sinks", ModuleKind::bare, Part::sinks, {}},
                    {5, "q_proj", ModuleKind::linear, Part::query, {}},
                    {5, "k_proj", ModuleKind::linear, Part::key, {}},
                    {5, "v_proj", ModuleKind::linear, Part::value, {}},
                    {5, "out_proj", ModuleKind::linear, Part::attention_output, {}},
                    {5, "q_layernorm", ModuleKind::norm, Part::query_norm, {}},
                    {5, "k_layernorm", ModuleKind::norm, Part::key_norm, {}},
                    {4, "conv", ModuleKind::container, {}, convolution},
                    {5, "conv", ModuleKind::convolution, Part::convolved_value, {}},
                    {5, "in_proj", ModuleKind::linear, {Part::state_write, Part::state_gate, Part::state_value}, {}},
                    {5, "out_proj", ModuleKind::linear, Part::state_output, {}},
                    {4, "feed_forward", ModuleKind::container, {}, mlp},
                }),
                gated_modules(5, Part::gate, Part::up, Part::down));
}

constexpr auto norms = std::to_array<Module>({
    {4, "operator_norm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "ffn_norm", ModuleKind::norm, Part::feed_forward_norm, {}},
});

constexpr auto end_modules(std::string_view positions, std::string_view rotary) {
    return std::to_array<Module>({
        {2, positions, ModuleKind::rotary, {}, rotary},
        {2, "embedding_norm", ModuleKind::norm, Part::final_norm, {}},
        {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
    });
}

constexpr std::array dense_modules =
    join(model_modules(dense_classes), layer_modules(dense_classes.attention, "Lfm2ShortConv", "Lfm2MLP"), norms,
         end_modules("rotary_emb", dense_classes.rotary));

constexpr std::array mixture_of_experts_modules =
    join(model_modules(mixture_classes), layer_modules(mixture_classes.attention, "Lfm2MoeShortConv", "Lfm2MoeMLP"),
         mixture_modules("feed_forward", "Lfm2MoeSparseMoeBlock"),
         std::to_array<Module>({
             {5, "experts", ModuleKind::container, {}, "Lfm2MoeExperts"},
             {6, "{e}", ModuleKind::expert, {}, "Lfm2MoeMLP"},
         }),
         gated_modules(7, Part::expert_gate, Part::expert_up, Part::expert_down),
         router_modules("gate", "Lfm2MoeTopKRouter"),
         std::to_array<Module>({{5, "expert_bias", ModuleKind::buffer, Part::router_correction, {}}}), norms,
         end_modules("pos_emb", mixture_classes.rotary));

// Two thirds of what is said, times a number, rounded up to a multiple.
std::int64_t read_width(ConfigReader& reader, std::int64_t said_width) {
    const nlohmann::json& config = reader.config();
    const std::int64_t given = reader.number({"block_ff_dim"}, said_width);
    const bool adjusts = reader.flag({"block_auto_adjust_ff_dim"}, true);
    const std::int64_t multiple = reader.number({"block_multiple_of"}, 256);
    const double factor = reader.positive({"block_ffn_dim_multiplier"}).value_or(1);
    if (!adjusts) return given;
    const auto two_thirds = static_cast<std::int64_t>(static_cast<double>(given) * 2 / 3);
    if (config.contains("block_ffn_dim_multiplier") && !said(config, "block_ffn_dim_multiplier")) return two_thirds;
    const double width = std::floor(factor * static_cast<double>(two_thirds));
    constexpr double largest = 1e15;
    if (width < largest) return (static_cast<std::int64_t>(width) + multiple - 1) / multiple * multiple;
    reader.reject("block_ffn_dim_multiplier", "the feed-forward is too wide", "give a smaller number");
    return given;
}

// Without a list of words those that are not among the indices; without either all layers have attention.
LayerSet convolved_layers(ConfigReader& reader, std::int64_t layers) {
    const auto attention = reader.layers_listed({"full_attn_idxs"}, layers);
    return attention ? without({}, *attention, layers) : LayerSet::none();
}

void read_mixers(ConfigReader& reader, Architecture& arch) {
    const LayerSet rule = convolved_layers(reader, arch.layers);
    arch.tied = reader.flag({"tie_embedding", "tie_word_embeddings"}, true);
    const bool bias = reader.flag({"conv_bias"}, false);
    Recurrence recurrence{
        .state_dim = 1,
        .heads = 1,
        .groups = 1,
        .head_dim = 1,
        .conv_kernel = reader.number({"conv_L_cache"}, 3),
        .conv_bias = bias,
        .bias = bias,
        .output_bias = bias,
        .kind = RecurrenceKind::short_convolution,
        .layers = reader.layers_with({"layer_types"}, "conv", arch.layers, "full_attention").value_or(rule)};
    if (recurrence.layers.count(arch.layers) > 0) arch.layer.recurrence = std::move(recurrence);
}

void read_dense(ConfigReader& reader, Architecture& arch) {
    std::int64_t& width = std::get<std::int64_t>(arch.layer.feed_forward.width);
    width = read_width(reader, width);
    read_mixers(reader, arch);
}

// Its configuration has no layers of its own: transformers builds none where they are not named.
void read_mixture_of_experts(ConfigReader& reader, Architecture& arch) {
    const nlohmann::json& config = reader.config();
    if (!said(config, "layer_types") && !said(config, "full_attn_idxs"))
        reader.reject("layer_types", "the file does not say which layers have attention",
                      "name each layer conv or full_attention");
    arch.layer.mixture->correction_bias = reader.flag({"use_expert_bias"}, true);
    read_mixers(reader, arch);
}

void write_mixers(nlohmann::ordered_json& config, const Architecture& arch) {
    const std::optional<Recurrence>& recurrence = arch.layer.recurrence;
    config["layer_types"] =
        worded(recurrence ? recurrence->layers : LayerSet::none(), arch.layers, "conv", "full_attention");
    if (!recurrence) return;
    config["conv_L_cache"] = recurrence->conv_kernel;
    config["conv_bias"] = recurrence->conv_bias && recurrence->bias && recurrence->output_bias;
}

void write_dense(nlohmann::ordered_json& config, const Architecture& arch) {
    write_mixers(config, arch);
    config["block_auto_adjust_ff_dim"] = false;
}

void write_mixture_of_experts(nlohmann::ordered_json& config, const Architecture& arch) {
    write_mixers(config, arch);
    config["use_expert_bias"] = arch.layer.mixture && arch.layer.mixture->correction_bias;
}

constexpr LlamaType dense{.called = {"lfm2", "LFM2", dense_classes, dense_modules},
                          .usual = {.dim = 2560, .ffn_dim = 12288, .vocab = 65536, .context = 128000},
                          .kv_heads = 8,
                          .tied = true,
                          .activation_field = {},
                          .epsilon_field = "norm_eps",
                          .qkv_bias_field = {},
                          .qk_norm = QkNorm::per_head,
                          .norm = {.epsilon = 1e-5},
                          .computing = {.rope_base = 1000000},
                          .padding = 0,
                          .own = {read_dense, write_dense}};

constexpr LlamaType mixture =
    changed(called(dense, "lfm2_moe", "LFM2 MoE", mixture_classes, mixture_of_experts_modules), [](LlamaType& other) {
        other.usual.dim = 2048;
        other.usual.ffn_dim = 7168;
        other.mixture = MixtureType{.dense_first_field = {"num_dense_layers"},
                                    .experts = 32,
                                    .experts_per_token = 4,
                                    .width = 1792,
                                    .dense_first = 2};
        other.computing.routing = {.scores = RouterScores::sigmoid, .normalized = true};
        other.computing.normalizes = true;
        other.computing.routing_scale_field = "routed_scaling_factor";
        other.own = {read_mixture_of_experts, write_mixture_of_experts};
    });

// LFM3: windows in some layers with attention, a gate on what each head finds, norms on both sides.
namespace third {

constexpr DecoderClasses classes = classes_of<"Lfm3">;
constexpr auto layer = changed(layer_modules(classes.attention, "Lfm3ShortConv", "Lfm3MLP"), [](auto& own) {
    for (Module& module : own) {
        if (module.parts.begin() != module.parts.end() && *module.parts.begin() == Part::attention_output)
            module.name = "o_proj";
        if (module.name == "q_layernorm") module.name = "q_norm";
        if (module.name == "k_layernorm") module.name = "k_norm";
    }
});
constexpr auto rest = std::to_array<Module>({
    {4, "post_operator_norm", ModuleKind::norm, Part::attention_output_norm, {}},
    {4, "post_ffn_norm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
});
constexpr std::array modules =
    join(model_modules(classes), layer, norms, rest, end_modules("rotary_emb", classes.rotary));

void read(ConfigReader& reader, Architecture& arch) {
    Attention& attention = arch.layer.attention;
    constexpr std::int64_t cycle = 4;
    std::vector<std::string> words;
    if (const auto given =
            reader.layer_words({"layer_types"}, arch.layers, {"conv", "full_attention", "sliding_attention"}))
        words = *given;
    const auto word_of = [&](std::int64_t each) -> std::string_view {
        if (!words.empty()) return words[static_cast<std::size_t>(each)];
        return each % cycle == 2 ? "full_attention" : each % cycle == 0 && each > 0 ? "sliding_attention" : "conv";
    };
    const auto called = [&](std::string_view word) {
        return layers_where(arch.layers, [&](std::int64_t each) { return word_of(each) == word; });
    };
    const bool bias = reader.flag({"conv_bias"}, false);
    Recurrence convolution{.state_dim = 1,
                           .heads = 1,
                           .groups = 1,
                           .head_dim = 1,
                           .conv_kernel = reader.number({"conv_L_cache"}, 7, 2),
                           .conv_bias = bias,
                           .bias = bias,
                           .output_bias = bias,
                           .kind = RecurrenceKind::short_convolution,
                           .layers = called("conv")};
    if (convolution.layers.count(arch.layers) > 0) arch.layer.recurrence = std::move(convolution);
    const std::optional<std::int64_t> size = reader.optional_number({"sliding_window"});
    if (const LayerSet windowed = called("sliding_attention"); windowed.count(arch.layers) > 0)
        attention.window = AttentionWindow{.size = size.value_or(256), .layers = windowed};
    reader.flag({"use_attention_gate"}, true);
    reader.carry("use_attention_gate");
    arch.norm.placement = reader.flag({"use_sandwich_norm"}, true) ? NormPlacement::both : NormPlacement::before;
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    const std::optional<Recurrence>& recurrence = arch.layer.recurrence;
    const std::optional<AttentionWindow>& window = arch.layer.attention.window;
    nlohmann::ordered_json words =
        worded(recurrence ? recurrence->layers : LayerSet::none(), arch.layers, "conv", "full_attention");
    for (std::size_t each = 0; each < words.size(); ++each)
        if (words[each] != "conv" && window && window->layers.contains(static_cast<std::int64_t>(each)))
            words[each] = "sliding_attention";
    config["layer_types"] = std::move(words);
    config["use_sandwich_norm"] = arch.norm.placement == NormPlacement::both;
    if (window) config["sliding_window"] = window->size;
    if (!recurrence) return;
    config["conv_L_cache"] = recurrence->conv_kernel;
    config["conv_bias"] = recurrence->conv_bias && recurrence->bias && recurrence->output_bias;
}

// How much passes of what each head finds.
std::vector<Extra> besides(const Architecture& arch) {
    Besides besides(arch);
    if (!besides.flag("use_attention_gate", true)) return {};
    const std::optional<Recurrence>& recurrence = arch.layer.recurrence;
    const LayerSet convolved = recurrence ? recurrence->layers : LayerSet::none();
    return besides.in_layers(Component::attention, without({}, convolved, arch.layers))
        .linear("self_attn.gate_proj", Symbol::heads, Symbol::dim)
        .take();
}

constexpr LlamaType type{
    .called = {"lfm3", "LFM3", classes, modules},
    .usual = {.dim = 2048, .ffn_dim = 7680, .layers = 24, .heads = 16, .vocab = 128000, .context = 128000},
    .kv_heads = 4,
    .head_dim = 128,
    .tied = true,
    .activation_field = {},
    .epsilon_field = "norm_eps",
    .qk_norm = QkNorm::per_head,
    .norm = {.epsilon = 1e-5},
    .computing = {.refused = "rotary positions of this type"},
    .padding = 124893,
    .ignored = "use_attention_gate",
    .besides = besides,
    .own = {read, write}};

}  // namespace third

// What else the first files say, to their own code.
constexpr std::string_view ignored =
    "block_dim block_mlp_init_scale block_norm_eps block_out_init_scale block_use_swiglu block_use_xavier_init "
    "conv_dim conv_dim_out conv_use_xavier_init full_attn_idxs num_heads tie_word_embeddings use_pos_enc";

template <const LlamaType& type>
constexpr Family with_fields_read_past() {
    Family made = llama_like<type>();
    made.ignored = ignored;
    return made;
}

}  // namespace lfm2

constexpr Family lfm2_family = lfm2::with_fields_read_past<lfm2::dense>();
constexpr Family lfm2_moe_family = lfm2::with_fields_read_past<lfm2::mixture>();
constexpr Family lfm3_family = llama_like<lfm2::third::type>();

}  // namespace headcount
