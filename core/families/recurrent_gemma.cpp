// RecurrentGemma (Botev et al. 2024): two layers of three have a gated linear recurrence, the third has attention in a
// window (transformers, modeling_recurrent_gemma.py).
#include <algorithm>
#include <cmath>

#include "core/base/text.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace recurrent_gemma {

constexpr DecoderClasses classes = classes_of<"RecurrentGemma">;
constexpr auto layer = std::to_array<Module>({
    {4, "temporal_pre_norm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "temporal_block", ModuleKind::container, {}, "RecurrentGemmaRecurrentBlock"},
    {5, "linear_y", ModuleKind::linear, Part::state_gate, {}},
    {5, "linear_x", ModuleKind::linear, Part::state_value, {}},
    {5, "linear_out", ModuleKind::linear, Part::state_output, {}},
    {5, "conv_1d", ModuleKind::convolution, Part::convolved_value, {}},
    {5, "rg_lru", ModuleKind::container, {}, "RecurrentGemmaRglru"},
    {6, "recurrent_param", ModuleKind::bare, Part::decay_rate, {}},
    {6, "input_gate", ModuleKind::by_head, Part::state_write, {}},
    {6, "recurrent_gate", ModuleKind::by_head, Part::state_step, {}},
    {4, "temporal_block", ModuleKind::container, {}, classes.attention},
    {5, "q_proj", ModuleKind::linear, Part::query, {}},
    {5, "k_proj", ModuleKind::linear, Part::key, {}},
    {5, "v_proj", ModuleKind::linear, Part::value, {}},
    {5, "o_proj", ModuleKind::linear, Part::attention_output, {}},
    {4, "channel_pre_norm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "mlp_block", ModuleKind::container, {}, "RecurrentGemmaMlp"},
    {5, "gate_proj", ModuleKind::linear, Part::gate, {}},
    {5, "up_proj", ModuleKind::linear, Part::up, {}},
    {5, "down_proj", ModuleKind::linear, Part::down, {}},
});
constexpr auto ends = std::to_array<Module>({
    {2, "final_norm", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
});
constexpr std::array modules = join(model_modules(classes), layer, ends);

// One word for each layer of a cycle; the others have a recurrence.
LayerSet attention_layers(ConfigReader& reader, std::int64_t layers) {
    constexpr std::array usual{false, false, true};
    const nlohmann::json* words = said(reader.config(), "block_types");
    if (!words) return LayerSet::of(usual);
    const bool known =
        words->is_array() && !words->empty() && std::ranges::all_of(*words, [](const nlohmann::json& word) {
            return word == "recurrent" || word == "attention";
        });
    if (!known) {
        reader.reject("block_types", "is no list of recurrent and attention",
                      "give one word for each layer of a cycle");
        return LayerSet::of(usual);
    }
    return layers_where(std::min(layers, LayerSet::longest), [&](std::int64_t each) {
        return (*words)[static_cast<std::size_t>(each) % words->size()] == "attention";
    });
}

// As wide as the stream where the file does not say how wide, in as many blocks as attention has heads.
Recurrence read_recurrence(ConfigReader& reader, const Architecture& arch, const LayerSet& attention) {
    const std::int64_t width = reader.optional_number({"lru_width"}).value_or(arch.dim);
    const std::int64_t heads = arch.layer.attention.heads;
    if (width % heads != 0)
        reader.reject("lru_width", grouped(heads) + " blocks do not divide " + grouped(width) + " columns evenly",
                      "give a multiple of num_attention_heads");
    return {.state_dim = 1,
            .heads = heads,
            .groups = 1,
            .head_dim = std::max<std::int64_t>(1, width / heads),
            .conv_kernel = reader.number({"conv1d_width"}, 4),
            .conv_bias = true,
            .bias = true,
            .output_bias = true,
            .norm = false,
            .kind = RecurrenceKind::gated_linear,
            .layers = without({}, attention, arch.layers)};
}

void read(ConfigReader& reader, Architecture& arch) {
    Layer& all = arch.layer;
    const LayerSet attention = attention_layers(reader, arch.layers);
    all.recurrence = read_recurrence(reader, arch, attention);
    const std::int64_t both = reader.number({"intermediate_size"}, 7680, 2);
    all.feed_forward.width = std::max<std::int64_t>(1, both / 2);
    all.feed_forward.bias = true;
    all.attention.output_bias = true;
    if (!all.attention.head_dim) all.attention.head_dim = std::max<std::int64_t>(1, arch.dim / all.attention.heads);
    all.attention.window =
        AttentionWindow{.size = reader.number({"attention_window_size", "sliding_window"}, 2048), .layers = attention};
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    const std::optional<Recurrence>& recurrence = arch.layer.recurrence;
    config["intermediate_size"] = 2 * bindings(arch, Input{})[Symbol::ffn_dim].value_or(0);
    config["attention_bias"] = arch.layer.attention.qkv_bias;
    config["block_types"] =
        worded(recurrence ? recurrence->layers : LayerSet::none(), arch.layers, "recurrent", "attention");
    config["attention_window_size"] = arch.layer.attention.window ? arch.layer.attention.window->size : 2048;
    if (!recurrence) return;
    config["lru_width"] = recurrence->heads * recurrence->head_dim;
    config["conv1d_width"] = recurrence->conv_kernel;
}

// The root of the width as bfloat16 has it.
void compute(ComputationReader& reader, Computation& computation) {
    computation.embedding_scale =
        static_cast<double>(as_bfloat16(static_cast<float>(std::sqrt(static_cast<double>(reader.arch().dim)))));
    computation.logit_soft_cap = reader.cap("logits_soft_cap", 30);
}

// Those of how numbers are drawn before training, and the words that are read above.
constexpr std::string_view ignored =
    "block_types final_w_init_variance_scale layers_block_type logits_soft_cap w_init_variance_scale";
constexpr LlamaType type{
    .called = {"recurrent_gemma", "RecurrentGemma", classes, modules},
    .usual = {.dim = 2560, .ffn_dim = 7680, .layers = 26, .heads = 10, .vocab = 256000, .context = 8192},
    .tied = true,
    .activation = "gelu_pytorch_tanh",
    .rotary = 0.5,
    .activation_field = "hidden_activation",
    .qkv_bias_is_output_bias = false,
    .computing = {.norm_offset = 1, .rest = compute},
    .padding = 0,
    .ignored = ignored,
    .own = {read, write}};

}  // namespace recurrent_gemma

constexpr Family recurrent_gemma_family = llama_like<recurrent_gemma::type>();

}  // namespace headcount
