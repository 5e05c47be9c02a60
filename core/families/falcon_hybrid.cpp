// Falcon-H1: attention and Mamba-2's mixer side by side in every layer, with multipliers on most projections
// (transformers, modeling_falcon_h1.py).
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/state_space.hpp"

namespace headcount {
namespace falcon_h1 {

constexpr DecoderClasses classes = classes_of<"FalconH1">;
constexpr StateSpaceFields fields{.width = "mamba_d_ssm", .own_output_bias = true, .usual_width = 1024};

constexpr std::array modules =
    join(model_modules(classes),
         std::to_array<Module>({
             {4, "feed_forward", ModuleKind::container, {}, "FalconH1MLP"},
             {5, "gate_proj", ModuleKind::linear, Part::gate, {}},
             {5, "up_proj", ModuleKind::linear, Part::up, {}},
             {5, "down_proj", ModuleKind::linear, Part::down, {}},
             {5, "act_fn", ModuleKind::activation, {}, {}},
         }),
         state_space_modules("mamba", "FalconH1Mixer", "FalconH1RMSNormGated()"), attention_modules(classes.attention),
         std::to_array<Module>({
             {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
             {4, "pre_ff_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
             {2, "final_layernorm", ModuleKind::norm, Part::final_norm, {}},
             {2, "rotary_emb", ModuleKind::rotary, {}, classes.rotary},
             {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
         }));

void read_rest(ConfigReader& reader, Architecture& arch) {
    Recurrence recurrence = read_state_space(reader, arch.dim, fields);
    recurrence.output_bias = reader.flag({"projectors_bias"}, false);
    recurrence.norm = reader.flag({"mamba_rms_norm"}, false);
    recurrence.beside_attention = true;
    arch.layer.recurrence = std::move(recurrence);
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    write_state_space(config, arch, fields);
    const std::optional<Recurrence>& recurrence = arch.layer.recurrence;
    config["projectors_bias"] = recurrence && recurrence->output_bias;
    config["mamba_rms_norm"] = recurrence && recurrence->norm;
}

// The numbers of a list, 1 where there is none; the first that is wrong is rejected.
std::vector<double> multipliers(ComputationReader& reader, std::string_view field, std::size_t count) {
    std::vector<double> all(count, 1);
    const nlohmann::json* list = said(reader.arch().carried.object(), field);
    if (!list) return all;
    const bool fits = list->is_array() && list->size() == count &&
                      std::ranges::all_of(*list, [](const nlohmann::json& each) { return each.is_number(); });
    if (!fits) {
        reader.reject(field, as_written(*list) + " are not " + std::to_string(count) + " numbers", "give one each");
        return all;
    }
    for (std::size_t i = 0; i < count; ++i) all[i] = (*list)[i].get<double>();
    return all;
}

// What multiplies a projection's input multiplies its output, which its bias, added between, would tell apart.
double on_input(ComputationReader& reader, std::string_view field, bool biased) {
    const double factor = reader.positive(field, 1);
    if (biased && factor != 1)
        reader.reject(field, "an input that is multiplied before a bias is added is not computed here",
                      "set it to 1, or leave out the bias");
    return factor;
}

void read_computation(ComputationReader& reader, Computation& computation) {
    read_step_limit(reader, computation);
    const Layer& layer = reader.arch().layer;
    computation.embedding_scale = reader.positive("embedding_multiplier", 1);
    computation.logit_scale = reader.positive("lm_head_multiplier", 1);
    computation.normed_before_gate = reader.flag("mamba_norm_before_gate", true);
    const double attention = on_input(reader, "attention_in_multiplier", layer.attention.qkv_bias);
    const double states = on_input(reader, "ssm_in_multiplier", layer.recurrence && layer.recurrence->bias);
    const std::vector<double> made = multipliers(reader, "ssm_multipliers", 5);  // z, x, B, C, dt
    const std::vector<double> passed = multipliers(reader, "mlp_multipliers", 2);
    const std::array scales{std::pair(Part::query, attention),
                            std::pair(Part::key, attention * reader.positive("key_multiplier", 1)),
                            std::pair(Part::value, attention),
                            std::pair(Part::attention_output, reader.positive("attention_out_multiplier", 1)),
                            std::pair(Part::state_gate, states * made[0]),
                            std::pair(Part::state_value, states * made[1]),
                            std::pair(Part::state_key, states * made[2]),
                            std::pair(Part::state_query, states * made[3]),
                            std::pair(Part::state_step, states * made[4]),
                            std::pair(Part::state_output, reader.positive("ssm_out_multiplier", 1)),
                            std::pair(Part::gate, passed[0]),
                            std::pair(Part::down, passed[1])};
    for (const auto& scale : scales)
        if (scale.second != 1) computation.projection_scales.push_back(scale);
}

constexpr LlamaType type{.called = {"falcon_h1", "Falcon-H1", classes, modules},
                         .usual = {.ffn_dim = 14336, .vocab = 128000, .context = 8192},
                         .kv_heads = 8,
                         .mlp_bias_field = "mlp_bias",
                         .norm = {.epsilon = 1e-5},
                         .computing = {.rest = read_computation},
                         .padding = 0,
                         .own = {read_rest, write_rest}};

// Numbers that change no shape, of which `read_computation` reads most.
constexpr std::string_view ignored =
    "attention_in_multiplier attention_out_multiplier key_multiplier lm_head_multiplier mamba_chunk_size mamba_expand "
    "mamba_norm_before_gate mamba_use_mlp mlp_expansion_factor mlp_multipliers num_logits_to_keep ssm_in_multiplier "
    "ssm_multipliers ssm_out_multiplier time_step_limit";

}  // namespace falcon_h1

constexpr Family falcon_h1_family =
    known_to_peft(changed(llama_like<falcon_h1::type>(), [](Family& made) { made.ignored = falcon_h1::ignored; }),
                  {.fused_states = true});

}  // namespace headcount
