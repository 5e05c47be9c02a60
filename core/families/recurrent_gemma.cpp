// RecurrentGemma (Botev et al. 2024): two layers of three have a linear recurrence with gates, which is counted and not
// computed; the third has attention in a window (transformers, modeling_recurrent_gemma.py).
#include <algorithm>

#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace recurrent_gemma {

constexpr DecoderClasses classes = classes_of<"RecurrentGemma">;
constexpr std::array<Module, 11> layer{{
    {4, "temporal_pre_norm", ModuleKind::norm, Part::attention_norm, {}},
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
}};
constexpr std::array<Module, 2> ends{{
    {2, "final_norm", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};
constexpr std::array modules = join(model_modules(classes), layer, ends);

// One word for each layer of a cycle; the others have a recurrence.
LayerSet attention_layers(ConfigReader& reader, const nlohmann::json& config, std::int64_t layers) {
    constexpr std::array usual{false, false, true};
    const nlohmann::json* words = said(config, "block_types");
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

void read(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    Layer& all = arch.layer;
    all.mixer_layers = attention_layers(reader, config, arch.layers);
    const std::int64_t both = reader.number({"intermediate_size"}, 7680, 2);
    all.feed_forward.width = std::max<std::int64_t>(1, both / 2);
    all.feed_forward.bias = true;
    all.attention.output_bias = true;
    if (!all.attention.head_dim) all.attention.head_dim = std::max<std::int64_t>(1, arch.dim / all.attention.heads);
    all.attention.window = AttentionWindow{.size = reader.number({"attention_window_size", "sliding_window"}, 2048),
                                           .layers = all.mixer_layers};
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    config["intermediate_size"] = 2 * bindings(arch, Input{})[Symbol::ffn_dim].value_or(0);
    config["attention_bias"] = arch.layer.attention.qkv_bias;
    config["block_types"] = worded(arch.layer.mixer_layers, arch.layers, "attention", "recurrent");
    config["attention_window_size"] = arch.layer.attention.window ? arch.layer.attention.window->size : 2048;
}

std::vector<Extra> besides(const Architecture& arch) {
    Besides besides(arch);
    const std::int64_t given = besides.number("lru_width", arch.dim), heads = arch.layer.attention.heads;
    const Expr width = given == arch.dim ? Expr(Symbol::dim) : Expr(given), block = given / heads;
    const std::int64_t kernel = besides.number("conv1d_width", 4);
    besides.in_layers(Extra::Place::attention, without({}, arch.layer.mixer_layers, arch.layers))
        .norm("temporal_pre_norm", Symbol::dim)
        .linear("temporal_block.linear_y", width, Symbol::dim, true)
        .linear("temporal_block.linear_x", width, Symbol::dim, true)
        .linear("temporal_block.linear_out", Symbol::dim, width, true)
        .add("temporal_block.conv_1d.weight", {width, 1, kernel})
        .add("temporal_block.conv_1d.bias", {width})
        .add("temporal_block.rg_lru.recurrent_param", {width});
    for (const char* const gate : {"input_gate", "recurrent_gate"})
        besides.add(std::string("temporal_block.rg_lru.") + gate + "_weight", {Symbol::heads, block, block})
            .add(std::string("temporal_block.rg_lru.") + gate + "_bias", {Symbol::heads, block});
    return besides.take();
}

constexpr std::array numbers = std::to_array<std::string_view>({"conv1d_width", "lru_width"});
// Of those, and of how numbers are drawn before training.
constexpr std::array ignored =
    std::to_array<std::string_view>({"block_types", "conv1d_width", "final_w_init_variance_scale", "layers_block_type",
                                     "logits_soft_cap", "lru_width", "w_init_variance_scale"});
constexpr LlamaType type{.type = "recurrent_gemma",
                         .name = "RecurrentGemma",
                         .classes = classes,
                         .modules = modules,
                         .dim = 2560,
                         .ffn_dim = 7680,
                         .layers = 26,
                         .heads = 10,
                         .vocab = 256000,
                         .context = 8192,
                         .tied = true,
                         .activation = "gelu_pytorch_tanh",
                         .rotary = 0.5,
                         .activation_field = "hidden_activation",
                         .qkv_bias_is_output_bias = false,
                         .computing = {.refused = "this type's linear recurrences"},
                         .padding = 0,
                         .numbers = numbers,
                         .ignored = ignored,
                         .besides = besides,
                         .read_rest = read,
                         .write_rest = write};

}  // namespace recurrent_gemma

constexpr Family recurrent_gemma_family = llama_like<recurrent_gemma_family, recurrent_gemma::type>();

}  // namespace headcount
