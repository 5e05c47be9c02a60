// Gemma 3n: Gemma 3's layers with numbers that each has of a token by itself, the last of which use the keys and values
// of earlier ones. Beside them run four copies of the stream (AltUp) and a narrow way past attention (LAuReL), whose
// tensors are counted alone (transformers, modeling_gemma3n.py).
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace gemma3n {

constexpr WindowFields window{.size = 512, .pattern = 5};

constexpr std::array<Module, 6> rest{{
    {4, "per_layer_input_gate", ModuleKind::linear, Part::layer_gate, {}},
    {4, "per_layer_projection", ModuleKind::linear, Part::layer_output, {}},
    {4, "post_per_layer_input_norm", ModuleKind::norm, Part::layer_output_norm, {}},
    {2, "embed_tokens_per_layer", ModuleKind::embedding, Part::layer_embedding, "Gemma3nTextScaledWordEmbedding"},
    {2, "per_layer_model_projection", ModuleKind::linear, Part::layer_projection, {}},
    {2, "per_layer_projection_norm", ModuleKind::norm, Part::layer_input_norm, {}},
}};
constexpr DecoderClasses classes{.causal_lm = "Gemma3nForCausalLM",
                                 .model = "Gemma3nTextModel",
                                 .layer = "Gemma3nTextDecoderLayer",
                                 .attention = "Gemma3nTextAttention",
                                 .feed_forward = "Gemma3nTextMLP",
                                 .rotary = "Gemma3nRotaryEmbedding",
                                 .rms_norm = "Gemma3nRMSNorm"};
constexpr std::array modules =
    decoder_modules(classes, attention_modules(classes.attention), gated_modules(classes.feed_forward, "GELUTanh()"),
                    sandwich_norm_modules, rest);

constexpr std::int64_t usual_layers = 35;

// One width for all layers, or a list of one for each, which must then be the same.
nlohmann::json with_one_width(nlohmann::json config) {
    const auto widths = config.find("intermediate_size");
    if (widths == config.end() || !widths->is_array() || widths->empty()) return config;
    const auto layers = config.find("num_hidden_layers");
    if ((layers == config.end() ? nlohmann::json(usual_layers) : *layers) != widths->size()) return config;
    const nlohmann::json first = widths->front();
    if (std::ranges::all_of(*widths, [&](const nlohmann::json& width) { return width == first; })) *widths = first;
    return config;
}

void read(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    read_window(reader, config, arch, window);
    Layer& layer = arch.layer;
    layer.embedding = LayerEmbedding{reader.number({"hidden_size_per_layer_input"}, 256),
                                     reader.number({"vocab_size_per_layer_input"}, 262144)};
    const std::int64_t own = arch.layers - reader.number({"num_kv_shared_layers"}, 15, 0);
    if (own < arch.layers && own > 0)
        layer.attention.borrowing = layers_where(arch.layers, [&](std::int64_t each) { return each >= own; });
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    write_window(config, arch, window);
    const std::optional<LayerEmbedding>& embedding = arch.layer.embedding;
    config["hidden_size_per_layer_input"] = embedding ? embedding->dim : 1;
    if (embedding) config["vocab_size_per_layer_input"] = embedding->vocab;
    config["num_kv_shared_layers"] = arch.layer.attention.borrowing.count(arch.layers);
}

std::vector<Extra> besides(const Architecture& arch) {
    Besides more(arch);
    const std::int64_t copies = more.number("altup_num_inputs", 4), rank = more.number("laurel_rank", 64);
    more.in_layers(Extra::Place::feed_forward);
    more.add("altup.correct_output_scale", {Symbol::dim});
    more.linear("altup.correction_coefs", copies, copies)
        .linear("altup.prediction_coefs", copies * copies, copies)
        .linear("altup.modality_router", copies, Symbol::dim)
        .norm("altup.router_norm", Symbol::dim)
        .linear("laurel.linear_left", rank, Symbol::dim)
        .linear("laurel.linear_right", Symbol::dim, rank)
        .norm("laurel.post_laurel_norm", Symbol::dim);
    constexpr std::int64_t most = 64;
    for (const char* const matrices : {"altup_projections.", "altup_unembed_projections."})
        for (std::int64_t i = 0; i + 1 < std::min(copies, most); ++i)
            more.in_model(Extra::Place::embedding).linear(matrices + std::to_string(i), Symbol::dim, Symbol::dim);
    return more.take();
}

constexpr std::array numbers = std::to_array<std::string_view>({"altup_num_inputs", "laurel_rank"});
constexpr std::array ignored =
    std::to_array<std::string_view>({"activation_sparsity_pattern", "altup_active_idx", "altup_coef_clip",
                                     "altup_correct_scale", "altup_num_inputs", "laurel_rank"});
constexpr LlamaType type{.type = "gemma3n_text",
                         .name = "Gemma 3n",
                         .classes = classes,
                         .modules = modules,
                         .dim = 2048,
                         .ffn_dim = 16384,
                         .layers = usual_layers,
                         .heads = 8,
                         .kv_heads = 2,
                         .head_dim = 256,
                         .vocab = 262400,
                         .context = 32768,
                         .tied = true,
                         .activation = "gelu_pytorch_tanh",
                         .activation_field = "hidden_activation",
                         .qk_norm = QkNorm::per_head,
                         .norm = {.placement = NormPlacement::both},
                         .computing = {.rope_base = 1000000,
                                       .windowed_apart = true,
                                       .windowed_base = 10000,
                                       .root_embedding_scale = true,
                                       .logit_cap = 30,
                                       .refused = "several copies of the stream"},
                         .padding = 0,
                         .numbers = numbers,
                         .ignored = ignored,
                         .besides = besides,
                         .read_rest = read,
                         .write_rest = write};

}  // namespace gemma3n

constexpr Family gemma3n_text_family = [] {
    Family family = llama_like<gemma3n_text_family, gemma3n::type>();
    family.read = [](const nlohmann::json& config) {
        return read_llama(gemma3n::with_one_width(config), gemma3n_text_family, gemma3n::type);
    };
    return family;
}();

}  // namespace headcount
