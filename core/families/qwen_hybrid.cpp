// Qwen3-Next and Qwen3.5: three layers of four have a state that the gated delta rule writes, the others attention with
// a gate of its own; and Lara Mini (transformers, modeling_qwen3_next.py, modeling_qwen3_5.py,
// modeling_qwen3_5_moe.py, modeling_lara_mini.py).
#include <memory>

#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/qwen_mixture.hpp"

namespace headcount {
namespace qwen_hybrid {

template <FixedText name>
constexpr auto state_modules = std::to_array<Module>({
    {4, "linear_attn", ModuleKind::container, {}, joined_name<name, "GatedDeltaNet">},
    {5, "dt_bias", ModuleKind::bare, Part::step_bias, {}},
    {5, "A_log", ModuleKind::bare, Part::decay_rate, {}},
    {5, "conv1d", ModuleKind::convolution, {Part::convolved_query, Part::convolved_key, Part::convolved_value}, {}},
});

template <FixedText name>
constexpr auto state_output_modules = std::to_array<Module>({
    {5, "norm", ModuleKind::norm, Part::state_norm, joined_name<name, "RMSNormGated()">},
    {5, "out_proj", ModuleKind::linear, Part::state_output, {}},
});

// Qwen3-Next's: what a state is made of lies group by group.
constexpr std::array<Module, 2> joined_projections{{
    fused({5,
           "in_proj_qkvz",
           ModuleKind::linear,
           {Part::state_query, Part::state_key, Part::state_value, Part::state_gate},
           {}},
          Fusing::by_group),
    fused({5, "in_proj_ba", ModuleKind::linear, {Part::state_write, Part::state_step}, {}}, Fusing::by_group),
}};

// Qwen3.5's.
constexpr auto projections_apart = std::to_array<Module>({
    {5, "in_proj_qkv", ModuleKind::linear, {Part::state_query, Part::state_key, Part::state_value}, {}},
    {5, "in_proj_z", ModuleKind::linear, Part::state_gate, {}},
    {5, "in_proj_b", ModuleKind::linear, Part::state_write, {}},
    {5, "in_proj_a", ModuleKind::linear, Part::state_step, {}},
});

// Queries and gate lie head by head.
template <FixedText name>
constexpr auto gated_attention_modules = std::to_array<Module>({
    {4, "self_attn", ModuleKind::container, {}, joined_name<name, "Attention">},
    {5, "sinks", ModuleKind::bare, Part::sinks, {}},
    fused({5, "q_proj", ModuleKind::linear, {Part::query, Part::attention_gate}, {}}, Fusing::by_group),
    {5, "k_proj", ModuleKind::linear, Part::key, {}},
    {5, "v_proj", ModuleKind::linear, Part::value, {}},
    {5, "o_proj", ModuleKind::linear, Part::attention_output, {}},
    {5, "q_norm", ModuleKind::norm, Part::query_norm, {}},
    {5, "k_norm", ModuleKind::norm, Part::key_norm, {}},
});

template <FixedText name>
constexpr auto next_mixers = join(state_modules<name>, joined_projections, state_output_modules<name>,
                                  gated_attention_modules<name>);
template <FixedText name>
constexpr auto mixers = join(state_modules<name>, state_output_modules<name>, projections_apart,
                             gated_attention_modules<name>);

template <FixedText name>
constexpr auto mixture = join(mixture_modules("mlp", joined_name<name, "SparseMoeBlock">),
                              router_modules("gate", joined_name<name, "TopKRouter">),
                              expert_modules(joined_name<name, "Experts">, joined_name<name, "MLP">),
                              shared_expert_modules("shared_expert", joined_name<name, "MLP">, "act_fn"),
                              shared_gate_modules);

template <FixedText name, std::size_t... N>
constexpr auto modules_with(const std::array<Module, N>&... parts) {
    DecoderClasses classes = classes_of<name>;
    return decoder_modules(classes, parts..., norm_modules);
}

// The layers that have a state: those that the list names so, else all but the last of each so many.
LayerSet state_layers(ConfigReader& reader, std::int64_t layers) {
    const std::int64_t step = read_step(reader, {"full_attention_interval"}, 4);
    const auto given = reader.layers_with({"layer_types"}, "linear_attention", layers, "full_attention");
    return given ? *given : all_but_every(step);
}

Recurrence read_recurrence(ConfigReader& reader, const Recurrence& otherwise, LayerSet layers) {
    return {.state_dim = reader.number({"linear_key_head_dim"}, 128),
            .heads = reader.number({"linear_num_value_heads"}, otherwise.heads),
            .groups = reader.number({"linear_num_key_heads"}, otherwise.groups),
            .head_dim = reader.number({"linear_value_head_dim"}, 128),
            .conv_kernel = reader.number({"linear_conv_kernel_dim"}, 4),
            .conv_bias = false,
            .bias = false,
            .kind = RecurrenceKind::gated_delta,
            .layers = std::move(layers)};
}

void write_recurrence(nlohmann::ordered_json& config, const std::optional<Recurrence>& recurrence) {
    if (!recurrence) return;
    config["linear_key_head_dim"] = recurrence->state_dim;
    config["linear_num_value_heads"] = recurrence->heads;
    config["linear_num_key_heads"] = recurrence->groups;
    config["linear_value_head_dim"] = recurrence->head_dim;
    config["linear_conv_kernel_dim"] = recurrence->conv_kernel;
}

void read_mixers(ConfigReader& reader, Architecture& arch) {
    arch.layer.attention.output_gate = true;
    Recurrence recurrence = read_recurrence(reader, {.heads = 32, .groups = 16}, state_layers(reader, arch.layers));
    if (recurrence.layers.count(arch.layers) > 0) arch.layer.recurrence = std::move(recurrence);
}

void read_next(ConfigReader& reader, Architecture& arch) {
    read_mixers(reader, arch);
    constexpr std::int64_t least = 0;  // then every layer is dense
    Mixture mixture = read_qwen_mixture(reader, arch.layers, {512, 10, 512}, least);
    read_qwen_shared_experts(reader, mixture, 512);
    if (mixture.experts > 0) arch.layer.mixture = std::move(mixture);
}

void write_state_layers(nlohmann::ordered_json& config, const LayerSet& layers, std::int64_t count) {
    if (layers.same_in(all_but_every(layers.cycle()), count))
        config["full_attention_interval"] = layers.cycle();
    else
        config["layer_types"] = worded(layers, count, "linear_attention", "full_attention");
}

void write_mixers(nlohmann::ordered_json& config, const Architecture& arch) {
    const std::optional<Recurrence>& recurrence = arch.layer.recurrence;
    write_state_layers(config, recurrence ? recurrence->layers : LayerSet::none(), arch.layers);
    write_recurrence(config, recurrence);
}

void write_next(nlohmann::ordered_json& config, const Architecture& arch) {
    write_mixers(config, arch);
    if (!arch.layer.mixture) config["num_experts"] = 0;
    write_qwen_mixture(config, arch);
    write_qwen_shared_experts(config, arch);
}

constexpr std::array next_modules =
    modules_with<"Qwen3Next">(next_mixers<"Qwen3Next">, gated_modules("Qwen3NextMLP"), mixture<"Qwen3Next">);
constexpr LlamaType next{
    .called = {"qwen3_next", "Qwen3-Next", classes_of<"Qwen3Next">, next_modules},
    .usual = {.dim = 2048, .ffn_dim = 5632, .layers = 48, .heads = 16, .vocab = 151936, .context = 32768},
    .kv_heads = 2,
    .head_dim = 256,
    .rotary = 0.25,
    .qk_norm = QkNorm::per_head,
    .computing = {.norm_offset = 1,
                  .routing = {.scores = RouterScores::softmax, .normalized = true},
                  .normalizes = true},
    .own = {read_next, write_next}};

// Qwen3.5: the same with the projections apart, a dense one and a mixture in every layer. What its files say of the
// layers that predict further tokens, transformers reads past.
constexpr auto classes_5 = [](DecoderClasses classes, std::string_view model, std::string_view rotary) {
    classes.model = model;
    classes.rotary = rotary;
    return classes;
};
constexpr DecoderClasses dense_classes =
    classes_5(classes_of<"Qwen3_5">, "Qwen3_5TextModel", "Qwen3_5TextRotaryEmbedding");
constexpr DecoderClasses mixture_classes =
    classes_5(classes_of<"Qwen3_5Moe">, "Qwen3_5MoeTextModel", "Qwen3_5MoeTextRotaryEmbedding");

constexpr std::array dense_modules =
    decoder_modules(dense_classes, mixers<"Qwen3_5">, gated_modules("Qwen3_5MLP"), norm_modules);
constexpr std::array mixture_of_experts_modules =
    decoder_modules(mixture_classes, mixers<"Qwen3_5Moe">, mixture<"Qwen3_5Moe">, norm_modules);

constexpr LlamaType dense =
    changed(called(next, "qwen3_5_text", "Qwen 3.5", dense_classes, dense_modules), [](LlamaType& other) {
        other.usual.dim = 4096;
        other.usual.ffn_dim = 12288;
        other.usual.layers = 32;
        other.kv_heads = 4;
        other.usual.vocab = 248320;
        other.own = {read_mixers, write_mixers};
    });

constexpr LlamaType mixture_of_experts =
    changed(called(next, "qwen3_5_moe_text", "Qwen 3.5 MoE", mixture_classes, mixture_of_experts_modules),
            [](LlamaType& other) {
                other.usual.layers = 40;
                other.usual.vocab = 248320;
                other.mixture = MixtureType{.shared_width_field = {"shared_expert_intermediate_size"},
                                            .experts = 256,
                                            .experts_per_token = 8,
                                            .width = 512,
                                            .shared = 512,
                                            .shared_gate = true};
                other.computing.normalizes = false;  // they always are
                other.own = {read_mixers, write_mixers};
            });

// Lara Mini: all that a state is made of in one matrix, attention without a gate, and a window in two of five layers.
constexpr DecoderClasses lara_classes = classes_of<"LaraMini">;
constexpr auto lara_projections = std::to_array<Module>({
    {5,
     "in_proj",
     ModuleKind::linear,
     {Part::state_query, Part::state_key, Part::state_value, Part::state_gate, Part::state_write, Part::state_step},
     {}},
    {5, "out_norm", ModuleKind::norm, Part::state_norm, "LaraMiniRMSNormGated()"},
    {5, "out_proj", ModuleKind::linear, Part::state_output, {}},
});
constexpr std::array lara_modules =
    decoder_modules(lara_classes, state_modules<"LaraMini">, lara_projections,
                    attention_modules(lara_classes.attention), mixture_modules("mlp", "LaraMiniSparseMoeBlock"),
                    router_modules("gate", "LaraMiniTopKRouter"), linear_expert_modules("LaraMiniExperts"),
                    shared_expert_modules("shared_expert", "LaraMiniMLP", "act_fn"), norm_modules);

constexpr std::string_view with_state = "linear_attention", with_window = "sliding_attention", plain = "full_attention";

void read_lara(ConfigReader& reader, Architecture& arch) {
    const auto given = reader.layer_words({"layer_types"}, arch.layers, {with_state, with_window, plain});
    const auto layers_of = [&](std::string_view kind, std::string_view rule) {
        const Result<LayerSet> flagged = LayerSet::parse(rule, "layer_types");
        if (!given) return flagged ? *flagged : LayerSet();
        return layers_where(arch.layers,
                            [&](std::int64_t layer) { return (*given)[static_cast<std::size_t>(layer)] == kind; });
    };
    Recurrence recurrence = read_recurrence(reader, {.heads = 16, .groups = 8}, layers_of(with_state, "10100"));
    if (recurrence.layers.count(arch.layers) > 0) arch.layer.recurrence = std::move(recurrence);
    arch.layer.attention.window =
        AttentionWindow{.size = reader.number({"sliding_window"}, 512), .layers = layers_of(with_window, "01001")};
}

void write_lara(nlohmann::ordered_json& config, const Architecture& arch) {
    write_recurrence(config, arch.layer.recurrence);
    const auto& window = arch.layer.attention.window;
    if (window) config["sliding_window"] = window->size;
    if (arch.layers > LayerSet::longest) return;
    for (std::int64_t layer = 0; layer < arch.layers; ++layer) {
        const bool state = arch.layer.recurrence && arch.layer.recurrence->layers.contains(layer);
        config["layer_types"].push_back(state                                      ? with_state
                                        : window && window->layers.contains(layer) ? with_window
                                                                                   : plain);
    }
}

constexpr LlamaType lara =
    changed(called(mixture_of_experts, "lara_mini", "Lara Mini", lara_classes, lara_modules), [](LlamaType& other) {
        other.usual.dim = 1024;
        other.usual.layers = 34;
        other.kv_heads = 4;
        other.head_dim = 128;
        other.usual.vocab = 151936;
        other.usual.context = 131072;
        other.tied = true;
        std::construct_at(&other.rotary);  // none; clang 14 takes no assignment of that for a constant
        other.mixture->experts = 128;
        other.mixture->experts_per_token = 4;
        other.mixture->shared_gate = false;
        other.computing = {
            .rest = [](ComputationReader& reader, Computation&) { reader.reject_uncompared("a Qwen3.5"); }};
        other.own = {read_lara, write_lara};
    });

template <const LlamaType& type>
constexpr Family with_fields_read_past() {
    Family made = llama_like<type>();
    made.ignored = "attn_output_gate mamba_ssm_dtype mtp_num_hidden_layers mtp_use_dedicated_embeddings";
    return made;
}

}  // namespace qwen_hybrid

constexpr Family qwen3_next_family = llama_mixture<qwen_hybrid::next>();
constexpr Family lara_mini_family = llama_like<qwen_hybrid::lara>();
constexpr Family qwen3_5_text_family = qwen_hybrid::with_fields_read_past<qwen_hybrid::dense>();
constexpr Family qwen3_5_moe_text_family = qwen_hybrid::with_fields_read_past<qwen_hybrid::mixture_of_experts>();

}  // namespace headcount
