// Families like LLaMA with parameters of their own: DiffLlama; Doge, whose are counted and not computed; Moshi, whose
// embedding has a row that no score is for; and Llama 3.2 Vision's text (transformers, modeling_diffllama.py,
// modeling_doge.py, modeling_moshi.py, modeling_mllama.py).
#include <algorithm>
#include <cmath>

#include "core/base/find.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {

// DiffLlama (Ye et al. 2024): pairs of heads, the second subtracted from the first as much as trained vectors say.
namespace diffllama {

constexpr auto pairs = std::to_array<Module>({
    {5, "lambda_q1", ModuleKind::bare, Part::paired_query_1, {}},
    {5, "lambda_k1", ModuleKind::bare, Part::paired_key_1, {}},
    {5, "lambda_q2", ModuleKind::bare, Part::paired_query_2, {}},
    {5, "lambda_k2", ModuleKind::bare, Part::paired_key_2, {}},
    {5, "groupnorm", ModuleKind::norm, Part::paired_norm, "RMSNorm"},
});
constexpr DecoderClasses classes = classes_of<"DiffLlama">;
constexpr std::array modules = decoder_modules(classes, join(attention_modules(classes.attention), pairs),
                                               gated_modules(classes.feed_forward), norm_modules);

void read(ConfigReader& reader, Architecture& arch) {
    arch.layer.attention.differential = true;
    if (kv_heads(arch) % 2 != 0)
        reader.reject("num_key_value_heads", "heads in pairs have their values in two halves", "give an even number");
}

// How they are drawn before training.
constexpr std::string_view ignored = "lambda_std_dev";
constexpr LlamaType type{.called = {"diffllama", "DiffLlama", classes, modules},
                         .usual = {.dim = 2048, .ffn_dim = 8192, .layers = 16},
                         .norm = {.epsilon = 1e-5},
                         .ignored = ignored,
                         .own = {read}};

}  // namespace diffllama

constexpr Family diffllama_family = llama_like<diffllama::type>();

// Doge: scores that a number made of each value moves, a trained weight for each column of the stream at each sum, and
// in some models rows of two tables beside the feed-forward, of which a router picks a few.
namespace doge {

std::vector<Extra> besides(const Architecture& arch) {
    const bool bias = arch.layer.attention.qkv_bias;
    Besides more(arch);
    more.in_layers(Component::attention)
        .add("input_residual", {Symbol::dim})
        .add("self_attn.A", {Symbol::kv_heads})
        .linear("self_attn.dt_proj", Symbol::kv_heads, Expr(Symbol::kv_heads) * Symbol::head_dim, bias)
        .in_layers(Component::feed_forward)
        .add("post_attention_residual", {Symbol::dim});
    if (!more.flag("is_moe", false)) return more.take();
    const std::int64_t rows = std::max<std::int64_t>(1, more.number("num_experts", 16384));
    const auto keys = static_cast<std::int64_t>(std::floor(std::sqrt(static_cast<double>(rows))));
    return more.linear("mlp.router_gate", 2 * keys, Symbol::dim)
        .table("mlp.down_embed", rows, Symbol::dim)
        .table("mlp.up_embed", rows, Symbol::dim)
        .take();
}

void read(ConfigReader& reader, Architecture&) {
    reader.flag({"is_moe"}, false);
    reader.carry("is_moe");
}

constexpr LlamaType type{.called = {"doge", "Doge", classes_of<"Doge">},
                         .usual = {.dim = 1024, .ffn_dim = 2048, .heads = 8, .vocab = 32768},
                         .head_dim_field = {},
                         .mlp_bias_field = "mlp_bias",
                         .qk_norm = QkNorm::per_head,
                         .computing = {.refused = "scores that values move"},
                         .numbers = "num_experts",
                         .ignored = "is_moe keep_window_size num_experts_per_tok",
                         .besides = besides,
                         .own = {read}};

}  // namespace doge

constexpr Family doge_family = llama_like<doge::type>();

// Moshi's text model (Défossez et al. 2024): gate and up in one matrix, one more row in the embedding.
namespace moshi {

constexpr DecoderClasses classes = classes_of<"Moshi">;
constexpr auto layer = std::to_array<Module>({
    {4, "self_attn", ModuleKind::container, {}, classes.attention},
    {5, "q_proj.linear", ModuleKind::linear, Part::query, {}},
    {5, "k_proj.linear", ModuleKind::linear, Part::key, {}},
    {5, "v_proj.linear", ModuleKind::linear, Part::value, {}},
    {5, "o_proj.linear", ModuleKind::linear, Part::attention_output, {}},
    {5, "rotary_emb", ModuleKind::rotary, {}, classes.rotary},
    {4, "mlp", ModuleKind::container, {}, "MoshiGatingMLP"},
    {5, "activation_fn", ModuleKind::activation, {}, {}},
    {5, "fc1", ModuleKind::linear, {Part::gate, Part::up}, {}},
    {5, "fc2", ModuleKind::linear, Part::down, {}},
    {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
});
constexpr auto ends = std::to_array<Module>({
    {2, "norm", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
});
constexpr std::array modules = join(with_unscored_rows(model_modules(classes)), layer, ends);

std::vector<Extra> besides(const Architecture& arch) { return {unscored_rows(arch, 1)}; }

void read(ConfigReader& reader, Architecture& arch) {
    arch.tied = false;  // whatever the file says
    const std::int64_t both = reader.number({"ffn_dim"}, 22528, 2);
    if (both % 2 != 0) reader.reject("ffn_dim", "gate and up have as many columns", "give an even number");
    arch.layer.feed_forward.width = std::max<std::int64_t>(1, both / 2);
    reader.only_class("MoshiForCausalLM");
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    config["ffn_dim"] = 2 * bindings(arch, Input{})[Symbol::ffn_dim].value_or(0);
    config.erase("intermediate_size");
}

// Its code drops keys behind the window, and lets the tokens of one pass see all of the others before them.
void compute(ComputationReader& reader, Computation&) {
    if (reader.number("sliding_window", 3000) < reader.arch().context)
        reader.reject("sliding_window", "a window shorter than the context is not computed here",
                      "give at least max_position_embeddings, or count it");
}

constexpr LlamaType type{
    .called = {"moshi", "Moshi, text", classes, modules},
    .usual = {.context = 3000},
    .qkv_bias_field = {},
    .norm = {.epsilon = 1e-8},
    .computing = {.rest = compute},
    .ignored = "audio_encoder_config audio_vocab_size depth_decoder_config num_codebooks tie_word_embeddings",
    .besides = besides,
    .own = {read, write}};

}  // namespace moshi

constexpr Family moshi_family = llama_like<moshi::type>();

// Llama 3.2 Vision's text model: some layers look at a picture in the place of the text, as far as a gate lets them,
// and eight rows of the embedding have no score.
namespace mllama {

constexpr DecoderClasses classes = changed(classes_of<"MllamaText">, [](DecoderClasses& own) {
    own.causal_lm = "MllamaForCausalLM";
    own.layer = "MllamaSelfAttentionDecoderLayer";
    own.attention = "MllamaTextSelfAttention";
    own.rotary = "MllamaRotaryEmbedding";
});
constexpr std::array modules = join(with_unscored_rows(model_modules(classes)), attention_modules(classes.attention),
                                    gated_modules(classes.feed_forward), norm_modules, output_modules(classes.rotary));
constexpr std::string_view looking = "cross_attention_layers";
constexpr std::int64_t rows_without_scores = 8;

// A list may name layers that the model does not have.
void read(ConfigReader& reader, Architecture& arch) {
    const auto given = carry_list(reader, looking, 0);
    const std::vector<std::int64_t> list = given.value_or(std::vector<std::int64_t>{3, 8, 13, 18, 23, 28, 33, 38});
    arch.tied = false;  // whatever the file says
    arch.layer.mixer_layers = layers_where(arch.layers, [&](std::int64_t layer) { return !contains(list, layer); });
}

std::vector<Extra> besides(const Architecture& arch) {
    const Expr queries = Expr(Symbol::heads) * Symbol::head_dim, keys = Expr(Symbol::kv_heads) * Symbol::head_dim;
    const LayerSet look = without({}, arch.layer.mixer_layers, arch.layers);
    Besides more(arch);
    more.in_layers(Component::norm, look)
        .norm("input_layernorm", Symbol::dim)
        .norm("cross_attn.q_norm", Symbol::head_dim)
        .norm("cross_attn.k_norm", Symbol::head_dim)
        .in_layers(Component::attention, look)
        .linear("cross_attn.q_proj", queries, Symbol::dim)
        .linear("cross_attn.k_proj", keys, Symbol::dim)
        .linear("cross_attn.v_proj", keys, Symbol::dim)
        .linear("cross_attn.o_proj", Symbol::dim, queries)
        .add("cross_attn_attn_gate", {1})
        .in_layers(Component::feed_forward, look)
        .add("cross_attn_mlp_gate", {1});
    std::vector<Extra> all = more.take();
    all.push_back(unscored_rows(arch, rows_without_scores));
    return all;
}

constexpr LlamaType type{.called = {"mllama_text_model", "Llama 3.2 Vision, text", classes, modules},
                         .usual = {.ffn_dim = 14336, .layers = 40, .vocab = 128256, .context = 131072},
                         .kv_heads = 8,
                         .head_dim_field = {},
                         .qkv_bias_field = {},
                         .norm = {.epsilon = 1e-5},
                         .computing = {.refused = "layers that look at a picture"},
                         .padding = 128004,
                         .ignored = "cross_attention_layers",
                         .besides = besides,
                         .own = {read, [](nlohmann::ordered_json& config, const Architecture& arch) {
                                     if (arch.layers <= LayerSet::longest)
                                         config[std::string(looking)] =
                                             listed(without({}, arch.layer.mixer_layers, arch.layers), arch.layers);
                                 }}};

}  // namespace mllama

constexpr Family mllama_text_model_family = llama_like<mllama::type>();

}  // namespace headcount
