// Decoders like LLaMA whose norms have no weights: Dory, whose sub-blocks move points of a sphere as far as trained
// numbers say, and HRM-Text, of whose two stacks one runs inside the other (transformers, modeling_dory.py,
// modeling_hrm_text.py).
#include <algorithm>

#include "core/base/find.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {

// Dory: a number for each column of queries and keys, of the gate, of gate and up, of what is moved, and for each
// score.
namespace dory {

constexpr DecoderClasses classes = classes_of<"Dory">;
constexpr auto gate = std::to_array<Module>({{5, "g_proj", ModuleKind::linear, Part::attention_gate, {}}});
constexpr std::array modules = renamed(renamed(decoder_modules(classes, attention_modules(classes.attention), gate,
                                                               gated_modules(classes.feed_forward), norm_modules),
                                               "model", "backbone"),
                                       "embed_tokens", "embeddings");

constexpr std::string_view local = "sliding_attention", global = "full_attention", dense = "mlp";

// A file may list attention and feed-forward as layers of their own.
void read(ConfigReader& reader, Architecture& arch) {
    const nlohmann::json* types = said(reader.config(), "layer_types");
    const bool apart = types && types->is_array() && contains(*types, nlohmann::json(dense));
    const auto words = reader.layer_words({"layer_types"}, arch.layers, {local, global, dense});
    if (apart && words && !reader.error()) {
        for (std::size_t i = 0; i < words->size(); ++i)
            if (((*words)[i] == dense) != (i % 2 == 1) || words->size() % 2 == 1)
                return reader.reject("layer_types", "feed-forwards do not stand behind each attention",
                                     "list an attention and mlp in turn");
        arch.layers /= 2;
    }
    const std::int64_t each = apart ? 2 : 1, step = 4;
    LayerSet windowed = all_but_every(step);
    if (words && !reader.error())
        windowed = layers_where(
            arch.layers, [&](std::int64_t layer) { return (*words)[static_cast<std::size_t>(layer * each)] == local; });
    arch.layer.attention.window = AttentionWindow{.size = reader.number({"sliding_window"}, 1024), .layers = windowed};
    arch.layer.attention.output_gate = true;
    arch.layer.attention.gate_bias = false;
}

void write(nlohmann::ordered_json& config, const Architecture& arch) { write_window(config, arch, {.size = 1024}); }

std::vector<Extra> besides(const Architecture& arch) {
    const Expr queries = Expr(Symbol::heads) * Symbol::head_dim;
    return Besides(arch)
        .in_layers(Component::attention)
        .add("self_attn.sqk", {queries})
        .add("self_attn.s_gate", {queries})
        .add("lambda_1", {Symbol::dim})
        .in_layers(Component::feed_forward)
        .add("mlp.suv_gate", {Symbol::ffn_dim})
        .add("mlp.suv_up", {Symbol::ffn_dim})
        .add("lambda_2", {Symbol::dim})
        .in_model(Component::output)
        .add("lm_head.logit_scale", {Symbol::vocab})
        .take();
}

// How often the layers between the first and the last ones run, and where these numbers start.
constexpr std::string_view ignored =
    "n_input_layers n_output_layers n_recurrent_layers n_recurrent_loops ngpt_alpha_init recurrent_kv_cache_mode";
constexpr LlamaType type{
    .called = {"dory", "Dory", classes, modules},
    .usual = {.dim = 2560, .ffn_dim = 7168, .layers = 36, .heads = 16, .vocab = 131072, .context = 8192},
    .kv_heads = 4,
    .head_dim = 256,
    .epsilon_field = {},
    .mlp_bias_field = "mlp_bias",
    .norm = {.scale = false},
    .computing = {.refused = "layers that run more than once"},
    .ignored = ignored,
    .besides = besides,
    .own = {read, write}};

}  // namespace dory

constexpr Family dory_family = llama_like<dory::type>();

// HRM-Text: the layers shown are those of the stack that runs less often; the other's are as many and alike.
namespace hrm_text {

constexpr DecoderClasses classes = classes_of<"HrmText">;
constexpr auto modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, classes.causal_lm},
    {1, "model", ModuleKind::container, {}, classes.model},
    {2, "embed_tokens", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "H_module", ModuleKind::container, {}, "HrmTextStack"},
    {3, "layers", ModuleKind::container, {}, "ModuleList"},
    {4, "{i}", ModuleKind::layer, {}, classes.layer},
    {5, "attn", ModuleKind::container, {}, classes.attention},
    {6, "gqkv_proj", ModuleKind::linear, {Part::attention_gate, Part::query, Part::key, Part::value}, {}},
    {6, "o_proj", ModuleKind::linear, Part::attention_output, {}},
    {5, "mlp", ModuleKind::container, {}, classes.feed_forward},
    {6, "gate_up_proj", ModuleKind::linear, {Part::gate, Part::up}, {}},
    {6, "down_proj", ModuleKind::linear, Part::down, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
});

// What a file calls its layers is how many run, unless it says how many a stack has.
void read(ConfigReader& reader, Architecture& arch) {
    if (said(reader.config(), "num_layers_per_stack"))
        arch.layers = reader.number({"num_layers_per_stack"}, arch.layers);
    if (arch.layers > most_listed) reader.reject("num_layers_per_stack", too_many_layers().what, too_many_layers().fix);
    for (const auto& [field, biased] : {std::pair{"attention_bias", arch.layer.attention.qkv_bias},
                                        std::pair{"mlp_bias", arch.layer.feed_forward.bias}})
        if (biased) reader.reject(field, "biases are not known of this type", "set it to false");
    arch.layer.attention.kv_heads.reset();  // one for each head, whatever the file says
    arch.layer.attention.output_gate = true;
    arch.layer.attention.gate_bias = false;
}

std::vector<Extra> besides(const Architecture& arch) {
    const Expr dim = Symbol::dim, columns = Expr(Symbol::heads) * Symbol::head_dim;
    const Expr keys = Expr(Symbol::kv_heads) * Symbol::head_dim;
    Besides more(arch);
    more.in_model(Component::embedding).add("z_L_init", {dim});
    for (std::int64_t i = 0; i < std::min(arch.layers, most_listed); ++i) {
        const std::string layer = "L_module.layers." + std::to_string(i) + ".";
        more.in_model(Component::attention)
            .linear(layer + "attn.gqkv_proj", Expr(2) * columns + Expr(2) * keys, dim)
            .linear(layer + "attn.o_proj", dim, columns)
            .in_model(Component::feed_forward)
            .linear(layer + "mlp.gate_up_proj", Expr(2) * Symbol::ffn_dim, dim)
            .linear(layer + "mlp.down_proj", dim, Symbol::ffn_dim);
    }
    return more.take();
}

constexpr LlamaType type{.called = {"hrm_text", "HRM-Text", classes, modules},
                         .usual = {.dim = 1536, .ffn_dim = 4096, .layers = 16, .heads = 12, .vocab = 151808},
                         .head_dim = 128,
                         .mlp_bias_field = "mlp_bias",
                         .norm = {.scale = false},
                         .computing = {.refused = "a stack that runs inside another"},
                         .ignored = "H_cycles L_bp_cycles L_cycles embedding_scale num_layers_per_stack",
                         .besides = besides,
                         .own = {read, [](nlohmann::ordered_json& config, const Architecture& arch) {
                                     config["num_layers_per_stack"] = arch.layers;
                                 }}};

}  // namespace hrm_text

constexpr Family hrm_text_family = llama_like<hrm_text::type>();

}  // namespace headcount
