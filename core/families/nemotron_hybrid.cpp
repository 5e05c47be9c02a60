// Nemotron-H: each layer is one sub-block, Mamba-2's mixer, attention, a feed-forward or experts (transformers,
// modeling_nemotron_h.py).
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/state_space.hpp"

namespace headcount {
namespace nemotron_h {

constexpr DecoderClasses classes{.causal_lm = "NemotronHForCausalLM",
                                 .model = "NemotronHModel",
                                 .layer = "NemotronHBlock",
                                 .attention = "NemotronHAttention",
                                 .feed_forward = "NemotronHMLP",
                                 .rotary = {},
                                 .rms_norm = "NemotronHRMSNorm"};

constexpr StateSpaceFields fields{.heads = "mamba_num_heads",
                                  .head_dim = "mamba_head_dim",
                                  .groups = "n_groups",
                                  .state = "ssm_state_size",
                                  .kernel = "conv_kernel",
                                  .conv_bias = "use_conv_bias",
                                  .bias = "use_bias",
                                  .expand = {},
                                  .usual_groups = 8,
                                  .usual_state = 128,
                                  .usual_head_dim = 64};

constexpr MixtureType experts{.experts_field = {"n_routed_experts", "num_local_experts"},
                              .shared_width_field = {"moe_shared_expert_intermediate_size"},
                              .width = 7688,
                              .shared = 7688,
                              .correction_bias = true,
                              .expert_bias = false};

// Whatever the sub-block, its norm and its module are called the same.
constexpr std::array modules =
    join(std::to_array<Module>({
             {0, "", ModuleKind::container, {}, classes.causal_lm},
             {1, "backbone", ModuleKind::container, {}, classes.model},
             {2, "embeddings", ModuleKind::embedding, Part::token_embedding, {}},
             {2, "layers", ModuleKind::container, {}, "ModuleList"},
             {3, "{i}", ModuleKind::layer, {}, classes.layer},
             {4, "norm", ModuleKind::norm, Part::attention_norm, {}},
             {4, "norm", ModuleKind::norm, Part::feed_forward_norm, {}, {}, Part::attention_norm},
         }),
         state_space_modules("mixer", "NemotronHMamba2Mixer", "NemotronHRMSNormGated()"),
         std::to_array<Module>({
             {4, "mixer", ModuleKind::container, {}, classes.attention},
             {5, "q_proj", ModuleKind::linear, Part::query, {}},
             {5, "k_proj", ModuleKind::linear, Part::key, {}},
             {5, "v_proj", ModuleKind::linear, Part::value, {}},
             {5, "o_proj", ModuleKind::linear, Part::attention_output, {}},
             {4, "mixer", ModuleKind::container, {}, classes.feed_forward},
             {5, "up_proj", ModuleKind::linear, Part::up, {}},
             {5, "down_proj", ModuleKind::linear, Part::down, {}},
             {5, "act_fn", ModuleKind::activation, {}, {}},
         }),
         mixture_modules("mixer", "NemotronHMoE"), expert_modules("NemotronHExperts", classes.feed_forward),
         router_modules("gate", "NemotronHTopkRouter"), correction_modules,
         shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"),
         std::to_array<Module>({
             {2, "norm_f", ModuleKind::norm, Part::final_norm, {}},
             {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
         }));

enum class Kind { state, attention, dense, experts };

// One letter a layer in older files, one word in newer ones.
std::optional<Kind> kind_of(std::string_view word) {
    if (word == "M" || word == "linear_attention" || word == "mamba") return Kind::state;
    if (word == "*" || word == "full_attention" || word == "attention") return Kind::attention;
    if (word == "-" || word == "mlp") return Kind::dense;
    if (word == "E" || word == "moe") return Kind::experts;
    return std::nullopt;
}

std::vector<Kind> usual_kinds() { return {Kind::state, Kind::experts, Kind::attention, Kind::dense}; }

// Of as many layers as there are words: no other field counts them.
std::vector<Kind> read_kinds(ConfigReader& reader) {
    std::vector<std::string> words;
    const std::string letters = reader.text({"hybrid_override_pattern"}, "");
    std::string_view field = "hybrid_override_pattern";
    for (const std::string_view name : {"layers_block_type", "layer_types"}) {
        const nlohmann::json* list = said(reader.config(), name);
        if (!list) continue;
        field = name;
        if (list->empty()) reader.reject(name, "no layer is named", "give a word for each layer");
        for (const nlohmann::json& word : *list) words.push_back(word.is_string() ? word.get<std::string>() : "");
        reader.layer_words({name}, static_cast<std::int64_t>(words.size()),
                           {"linear_attention", "mamba", "full_attention", "attention", "mlp", "moe"});
        break;
    }
    if (words.empty())
        for (const char letter : letters) words.emplace_back(1, letter);
    if (words.empty()) return usual_kinds();
    std::vector<Kind> kinds;
    for (const std::string& word : words) {
        const std::optional<Kind> kind = kind_of(word);
        if (!kind) {
            reader.reject(field, "\"" + word + "\" is no kind of layer", "use M, *, - and E");
            return usual_kinds();
        }
        kinds.push_back(*kind);
    }
    if (static_cast<std::int64_t>(kinds.size()) <= LayerSet::longest) return kinds;
    reader.reject(field, "that many layers cannot be told apart", "give at most " + std::to_string(LayerSet::longest));
    return usual_kinds();
}

void read_rest(ConfigReader& reader, Architecture& arch) {
    const std::vector<Kind> kinds = read_kinds(reader);
    arch.layers = static_cast<std::int64_t>(kinds.size());
    const auto of = [&](auto... any) {
        return layers_where(arch.layers, [&](std::int64_t layer) {
            const Kind kind = kinds[static_cast<std::size_t>(layer)];
            return ((kind == any) || ...);
        });
    };
    arch.positions = Positions::none;
    arch.tied = false;  // whatever the file says: transformers ties none
    Layer& layer = arch.layer;
    layer.mixer_layers = of(Kind::state, Kind::attention);
    layer.feed_forward_layers = of(Kind::dense, Kind::experts);
    Recurrence recurrence = read_state_space(reader, arch.dim, fields);
    recurrence.layers = of(Kind::state);
    if (recurrence.layers.count(arch.layers) > 0) layer.recurrence = std::move(recurrence);
    read_mixture(reader, arch, experts);
    layer.mixture->layers = of(Kind::experts);
    if (layer.mixture->layers.count(arch.layers) == 0) layer.mixture.reset();
    if (layer.mixture && reader.optional_number({"moe_latent_size"}))
        reader.reject("moe_latent_size", "experts that read a narrower row than the stream are not known here",
                      "leave it out");
}

nlohmann::ordered_json written_kinds(const Architecture& arch) {
    nlohmann::ordered_json kinds = nlohmann::ordered_json::array();
    for (std::int64_t layer = 0; layer < std::min(arch.layers, LayerSet::longest); ++layer) {
        const Layer& all = arch.layer;
        const bool mixes = all.mixer_layers.contains(layer),
                   recurrent = all.recurrence && all.recurrence->layers.contains(layer);
        const bool mixture = all.mixture && all.mixture->layers.contains(layer);
        kinds.push_back(mixes ? (recurrent ? "linear_attention" : "full_attention") : mixture ? "moe" : "mlp");
    }
    return kinds;
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    config.erase("num_hidden_layers");
    config["layers_block_type"] = written_kinds(arch);
    write_state_space(config, arch, fields);
    if (arch.layer.mixture) write_mixture(config, arch, experts);
}

// Of the steps' limits only the least counts, by another name; and the convolutions have a function of their own.
void read_computation(ComputationReader& reader, Computation& computation) {
    computation.step.least = reader.positive("time_step_min", 0.001);
    const std::string name = reader.text("mamba_hidden_act", "silu");
    for (const Activation each : {Activation::silu, Activation::gelu, Activation::relu, Activation::gelu_tanh})
        if (name == activation_name(each, name)) computation.recurrence_activation = each;
    if (!computation.recurrence_activation)
        reader.reject("mamba_hidden_act", "\"" + name + "\" is not known here", "use silu, gelu or relu");
}

constexpr LlamaType type{
    .called = {"nemotron_h", "Nemotron-H", classes, modules},
    .usual = {.ffn_dim = 21504, .vocab = 131072, .context = 4096},
    .kv_heads = 8,
    .head_dim = 128,
    .activation = "relu2",
    .activation_field = "mlp_hidden_act",
    .epsilon_field = "layer_norm_epsilon",
    .qkv_bias_field = {},
    .mlp_bias_field = "mlp_bias",
    .gated = false,
    .norm = {.epsilon = 1e-5},
    .computing = {.routing = {.scores = RouterScores::sigmoid, .normalized = true, .group_by_best_two = true},
                  .normalizes = true,
                  .grouped = true,
                  .routing_scale_field = "routed_scaling_factor",
                  .rest = read_computation},
    .padding = 0,
    .own = {read_rest, write_rest}};

constexpr std::string_view ignored =
    "attention_bias attention_head_dim chunk_size expand mamba_proj_bias mamba_ssm_cache_dtype "
    "moe_shared_expert_overlap mtp_layers_block_type mtp_hybrid_override_pattern n_shared_experts num_hidden_layers "
    "num_logits_to_keep num_nextn_predict_layers rescale_prenorm_residual residual_in_fp32 time_step_floor "
    "time_step_limit time_step_max time_step_min time_step_rank use_mamba_kernels mamba_hidden_act";

}  // namespace nemotron_h

constexpr std::array<std::string_view, 4> nemotron_h_adapted{"q_proj", "k_proj", "v_proj", "o_proj"};
constexpr Family nemotron_h_family =
    known_to_peft(changed(llama_like<nemotron_h::type>(), [](Family& made) { made.ignored = nemotron_h::ignored; }),
                  {.fused_states = true, .modules = nemotron_h_adapted});

}  // namespace headcount
