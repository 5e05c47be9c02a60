// Granite 4 and Bamba: Mamba-2's mixer in most layers, attention in the others, a feed-forward in all of them
// (transformers, modeling_granitemoehybrid.py, modeling_bamba.py).
#include "core/families/families.hpp"
#include "core/families/granite.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/state_space.hpp"

namespace headcount {

// Keeps the mixer where some layers have it.
static void set_state_layers(ConfigReader& reader, Architecture& arch, LayerSet layers) {
    Recurrence recurrence = read_state_space(reader, arch.dim, {});
    recurrence.layers = std::move(layers);
    if (recurrence.layers.count(arch.layers) > 0) arch.layer.recurrence = std::move(recurrence);
}

static LayerSet state_layers(const Architecture& arch) {
    return arch.layer.recurrence ? arch.layer.recurrence->layers : LayerSet::none();
}

namespace granite_hybrid {

constexpr DecoderClasses classes = classes_of<"GraniteMoeHybrid">;
constexpr MixtureType experts{.experts_field = {"num_local_experts"},
                              .width_field = {},
                              .shared_width_field = {"shared_intermediate_size"},
                              .shared = 1024};
constexpr std::array modules =
    decoder_modules(classes, norm_modules, mixture_modules("block_sparse_moe", "GraniteMoeHybridMoE"),
                    granite_expert_modules("GraniteMoeHybridTopKRouter"), granite_shared_modules("GraniteMoeHybridMLP"),
                    state_space_modules("mamba", "GraniteMoeHybridMambaLayer", "GraniteMoeHybridRMSNormGated()"),
                    attention_modules(classes.attention));

// Without experts the feed-forward that every token passes is all that there is.
void read_feed_forward(ConfigReader& reader, Architecture& arch) {
    constexpr std::int64_t least = 0;
    if (reader.number({"num_local_experts"}, experts.experts, least) > 0) return read_mixture(reader, arch, experts);
    reader.optional_number({"num_experts_per_tok"}, least);  // says nothing then
    arch.layer.feed_forward.width = reader.number({"shared_intermediate_size"}, experts.shared);
}

void read_rest(ConfigReader& reader, Architecture& arch) {
    const std::string positions = reader.text({"position_embedding_type"}, "nope");
    if (positions != "rope") arch.positions = Positions::none;
    if (positions != "rope" && positions != "nope")
        reader.reject("position_embedding_type", "\"" + positions + "\" is not known here", "use rope, or nope");
    read_feed_forward(reader, arch);
    set_state_layers(reader, arch, read_state_layers(reader, arch.layers).value_or(LayerSet()));
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    config["position_embedding_type"] =
        arch.positions == Positions::rope ? nlohmann::ordered_json("rope") : nlohmann::ordered_json();
    if (arch.layer.mixture) {
        write_mixture(config, arch, experts);
    } else {
        config["num_local_experts"] = 0;
        config["shared_intermediate_size"] = config["intermediate_size"];
    }
    config["layer_types"] = worded(state_layers(arch), arch.layers, "linear_attention", "full_attention");
    write_state_space(config, arch, {});
}

constexpr LlamaType type{.called = {"granitemoehybrid", "Granite 4", classes, modules},
                         .computing = {.granite = true, .rest = read_step_limit},
                         .own = {read_rest, write_rest}};

}  // namespace granite_hybrid

namespace bamba {

constexpr DecoderClasses classes = classes_of<"Bamba">;
constexpr std::array modules =
    join(model_modules(classes),
         std::to_array<Module>({
             {4, "feed_forward", ModuleKind::container, {}, "BambaMLP"},
             {5, "gate_proj", ModuleKind::linear, Part::gate, {}},
             {5, "up_proj", ModuleKind::linear, Part::up, {}},
             {5, "down_proj", ModuleKind::linear, Part::down, {}},
             {5, "act_fn", ModuleKind::activation, {}, {}},
             {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
             {4, "pre_ff_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
         }),
         state_space_modules("mamba", "BambaMixer", "BambaRMSNormGated()"), attention_modules(classes.attention),
         std::to_array<Module>({
             {2, "final_layernorm", ModuleKind::norm, Part::final_norm, {}},
             {2, "rotary_emb", ModuleKind::rotary, {}, classes.rotary},
             {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
         }));

void read_rest(ConfigReader& reader, Architecture& arch) {
    const LayerSet attention = reader.layers_listed({"attn_layer_indices"}, arch.layers).value_or(LayerSet::none());
    set_state_layers(reader, arch, without({}, attention, arch.layers));
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    config["attn_layer_indices"] = listed(without({}, state_layers(arch), arch.layers), arch.layers);
    write_state_space(config, arch, {});
}

constexpr LlamaType type{.called = {"bamba", "Bamba", classes, modules},
                         .usual = {.ffn_dim = 14336, .vocab = 128000, .context = 262144},
                         .kv_heads = 8,
                         .rotary = 0.5,
                         .mlp_bias_field = "mlp_bias",
                         .norm = {.epsilon = 1e-5},
                         .computing = {.rest = read_step_limit},
                         .padding = 0,
                         .own = {read_rest, write_rest}};

}  // namespace bamba

template <const LlamaType& type>
constexpr Family with_states() {
    Family made = llama_like<type>();
    made.ignored = state_space_ignored;
    return made;
}

constexpr Family granitemoehybrid_family = with_states<granite_hybrid::type>();
constexpr Family bamba_family = with_states<bamba::type>();

}  // namespace headcount
