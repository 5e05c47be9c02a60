// Families like LLaMA with tensors of their own, which are counted and not computed: DiffLlama, Doge; and Moshi, whose
// embedding has a row that no score is for (transformers, modeling_diffllama.py, modeling_doge.py, modeling_moshi.py).
#include <cmath>

#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/own_tensors.hpp"

namespace headcount {

// DiffLlama (Ye et al. 2024): pairs of heads, the second subtracted from the first as much as trained vectors say.
namespace diffllama {

constexpr LlamaType type{.type = "diffllama",
                         .name = "DiffLlama",
                         .classes = classes_of<"DiffLlama">,
                         .dim = 2048,
                         .ffn_dim = 8192,
                         .layers = 16,
                         .norm = {.epsilon = 1e-5}};

std::vector<OwnTensor> own(const Architecture& arch) {
    OwnTensors tensors(arch);
    tensors.in(LayerSet());
    for (const char* const vector : {"lambda_q1", "lambda_k1", "lambda_q2", "lambda_k2"})
        tensors.add(std::string("self_attn.") + vector, {Symbol::head_dim});
    return tensors.take();
}

// How they are drawn before training.
constexpr std::array ignored = std::to_array<std::string_view>({"lambda_std_dev"});

}  // namespace diffllama

constexpr Family diffllama_family = [] {
    Family family = llama_like<diffllama_family, diffllama::type>();
    family.own = diffllama::own;
    family.ignored = diffllama::ignored;
    return family;
}();

// Doge: scores that a number made of each value moves, a trained weight for each column of the stream at each sum, and
// in some models rows of two tables beside the feed-forward, of which a router picks a few.
namespace doge {

constexpr LlamaType type{.type = "doge",
                         .name = "Doge",
                         .classes = classes_of<"Doge">,
                         .dim = 1024,
                         .ffn_dim = 2048,
                         .heads = 8,
                         .vocab = 32768,
                         .head_dim_field = {},
                         .mlp_bias_field = "mlp_bias",
                         .qk_norm = QkNorm::per_head};

std::vector<OwnTensor> own(const Architecture& arch) {
    using Place = OwnTensor::Place;
    const bool bias = arch.layer.attention.qkv_bias;
    OwnTensors tensors(arch);
    tensors.in(LayerSet())
        .add("input_residual", {Symbol::dim})
        .add("self_attn.A", {Symbol::kv_heads})
        .linear("self_attn.dt_proj", Symbol::kv_heads, Expr(Symbol::kv_heads) * Symbol::head_dim, bias)
        .in(LayerSet(), Place::feed_forward)
        .add("post_attention_residual", {Symbol::dim});
    if (!tensors.flag("is_moe", false)) return tensors.take();
    const std::int64_t rows = std::max<std::int64_t>(1, tensors.number("num_experts", 16384));
    const auto keys = static_cast<std::int64_t>(std::floor(std::sqrt(static_cast<double>(rows))));
    return tensors.linear("mlp.router_gate", 2 * keys, Symbol::dim)
        .linear("mlp.down_embed", rows, Symbol::dim)
        .linear("mlp.up_embed", rows, Symbol::dim)
        .take();
}

constexpr std::array ignored = std::to_array<std::string_view>(
    {"hidden_dropout", "is_moe", "keep_window_size", "num_experts", "num_experts_per_tok"});

}  // namespace doge

constexpr Family doge_family = [] {
    Family family = llama_like<doge_family, doge::type>();
    family.own = doge::own;
    family.ignored = doge::ignored;
    return family;
}();

// Moshi's text model (Défossez et al. 2024): gate and up in one matrix, one more row in the embedding.
namespace moshi {

constexpr DecoderClasses classes = classes_of<"Moshi">;
constexpr std::array<Module, 12> layer{{
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
}};
constexpr std::array<Module, 2> ends{{
    {2, "norm", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};
constexpr std::array modules = join(model_modules(classes), layer, ends);
constexpr WindowFields window{.size = 3000, .has_types = false};

void read(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    arch.extra_rows = 1;
    arch.tied = false;  // whatever the file says
    const std::int64_t both = reader.number({"ffn_dim"}, 22528, 2);
    if (both % 2 != 0) reader.reject("ffn_dim", "gate and up have as many columns", "give an even number");
    arch.layer.feed_forward.width = both / 2;
    const nlohmann::json* names = said(config, "architectures");
    if (names && names->is_array() && !names->empty() && names->front() != "MoshiForCausalLM")
        reader.reject("architectures", "what stands beside the text model is not known here", "give MoshiForCausalLM");
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    config["ffn_dim"] = 2 * bindings(arch, Input{})[Symbol::ffn_dim].value_or(0);
    config.erase("intermediate_size");
}

constexpr LlamaType type{.type = "moshi",
                         .name = "Moshi, text",
                         .classes = classes,
                         .modules = modules,
                         .context = 3000,
                         .qkv_bias_field = {},
                         .norm = {.epsilon = 1e-8},
                         .window = window,
                         .read_rest = read,
                         .write_rest = write};
constexpr std::array ignored = std::to_array<std::string_view>(
    {"audio_encoder_config", "audio_vocab_size", "depth_decoder_config", "num_codebooks", "tie_word_embeddings"});

}  // namespace moshi

constexpr Family moshi_family = [] {
    Family family = llama_like<moshi_family, moshi::type>();
    family.ignored = moshi::ignored;
    return family;
}();

}  // namespace headcount
