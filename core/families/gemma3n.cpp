// Gemma 3n: Gemma 3's layers with numbers that each has of a token by itself, the last of which use the keys and values
// of earlier ones. They compute the first of four copies of the stream (AltUp), with a narrow way past attention
// (LAuReL), and in the first layers the largest numbers of the feed-forward's gate alone count (transformers,
// modeling_gemma3n.py).
#include <optional>

#include "core/base/text.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace gemma3n {

constexpr WindowFields window{.size = 512, .pattern = 5};

constexpr auto rest = std::to_array<Module>({
    {4, "altup", ModuleKind::container, {}, "Gemma3nTextAltUp"},
    {5, "correct_output_scale", ModuleKind::bare, Part::copy_scale, {}},
    {5, "correction_coefs", ModuleKind::linear, Part::copy_correction, {}},
    {5, "prediction_coefs", ModuleKind::linear, Part::copy_prediction, {}},
    {5, "modality_router", ModuleKind::linear, Part::copy_router, {}},
    {5, "router_norm", ModuleKind::norm, Part::copy_router_norm, {}},
    {4, "laurel", ModuleKind::container, {}, "Gemma3nTextLaurelBlock"},
    {5, "linear_left", ModuleKind::linear, Part::laurel_down, {}},
    {5, "linear_right", ModuleKind::linear, Part::laurel_up, {}},
    {5, "post_laurel_norm", ModuleKind::norm, Part::laurel_norm, {}},
    {4, "per_layer_input_gate", ModuleKind::linear, Part::layer_gate, {}},
    {4, "per_layer_projection", ModuleKind::linear, Part::layer_output, {}},
    {4, "post_per_layer_input_norm", ModuleKind::norm, Part::layer_output_norm, {}},
    {2, "embed_tokens_per_layer", ModuleKind::embedding, Part::layer_embedding, "Gemma3nTextScaledWordEmbedding"},
    {2, "per_layer_model_projection", ModuleKind::linear, Part::layer_projection, {}},
    {2, "per_layer_projection_norm", ModuleKind::norm, Part::layer_input_norm, {}},
    {2, "altup_projections.{j}", ModuleKind::linear, Part::copy_projection, {}},
    {2, "altup_unembed_projections.{j}", ModuleKind::linear, Part::copy_output, {}},
});
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

constexpr std::string_view sparsity_field = "activation_sparsity_pattern";
constexpr double usual_sparsity = 0.95;

// How much of the gate each layer makes 0, by the file; nothing where it is silent, or says no such list.
std::optional<std::vector<double>> sparsity_said(const nlohmann::json& config) {
    const nlohmann::json* list = said(config, sparsity_field);
    if (!list || !list->is_array()) return std::nullopt;
    std::vector<double> shares;
    for (const nlohmann::json& each : *list) {
        if (!each.is_number()) return std::nullopt;
        shares.push_back(each.get<double>());
    }
    return shares;
}

// The one that layers have which have any.
double sparsity_of(const std::vector<double>& shares) {
    const auto some = std::ranges::find_if(shares, [](double share) { return share > 0; });
    return some == shares.end() ? usual_sparsity : *some;
}

void read_sparsity(ConfigReader& reader, Architecture& arch) {
    const nlohmann::json& config = reader.config();
    constexpr std::int64_t usual = 10;  // the first layers, where there are more
    const std::optional<std::vector<double>> shares = sparsity_said(config);
    if (!said(config, sparsity_field)) {
        if (arch.layers > usual)
            arch.layer.sparse_layers = layers_where(arch.layers, [](std::int64_t each) { return each < usual; });
        return;
    }
    if (!shares || std::ssize(*shares) != arch.layers)
        return reader.reject(sparsity_field, "it does not say a number for each of " + grouped(arch.layers) + " layers",
                             "list one for each");
    arch.layer.sparse_layers =
        layers_where(arch.layers, [&](std::int64_t each) { return (*shares)[static_cast<std::size_t>(each)] > 0; });
}

void read(ConfigReader& reader, Architecture& arch) {
    read_window(reader, arch, window);
    Layer& layer = arch.layer;
    layer.embedding = LayerEmbedding{reader.number({"hidden_size_per_layer_input"}, 256),
                                     reader.number({"vocab_size_per_layer_input"}, 262144)};
    layer.stream_copies = reader.number({"altup_num_inputs"}, 4);
    layer.laurel_rank = reader.number({"laurel_rank"}, 64);
    read_sparsity(reader, arch);
    read_borrowing(reader, arch, reader.number({"num_kv_shared_layers"}, 15, 0));
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    write_window(config, arch, window);
    const Layer& layer = arch.layer;
    config["hidden_size_per_layer_input"] = layer.embedding ? layer.embedding->dim : 1;
    if (layer.embedding) config["vocab_size_per_layer_input"] = layer.embedding->vocab;
    config["num_kv_shared_layers"] = layer.attention.borrowing.count(arch.layers);
    config["altup_num_inputs"] = layer.stream_copies.value_or(1);
    config["laurel_rank"] = layer.laurel_rank.value_or(1);
    const double share = sparsity_of(sparsity_said(arch.carried.object()).value_or(std::vector<double>{}));
    nlohmann::ordered_json shares = nlohmann::ordered_json::array();
    for (std::int64_t each = 0; each < std::min(arch.layers, LayerSet::longest); ++each)
        shares.push_back(layer.sparse_layers.contains(each) ? share : 0.0);
    config[sparsity_field] = std::move(shares);
}

void read_computation(ComputationReader& reader, Computation& computation) {
    computation.value_norm = true;
    computation.score_scale = 1;
    const auto shares = sparsity_said(reader.arch().carried.object()).value_or(std::vector<double>{});
    computation.gate_sparsity = sparsity_of(shares);
    const bool alike =
        std::ranges::all_of(shares, [&](double share) { return share <= 0 || share == computation.gate_sparsity; });
    if (!alike || computation.gate_sparsity >= 1)
        reader.reject(sparsity_field, "layers of which several shares become 0, or all, are not computed here",
                      "give all layers that have a share the same, below 1");
    if (reader.real("altup_active_idx", 0) != 0)
        reader.reject("altup_active_idx", "layers that compute another copy than the first are not computed here",
                      "set it to 0");
    if (!reader.flag("altup_correct_scale", true))
        reader.reject("altup_correct_scale", "a first copy that is not scaled is not computed here", "set it to true");
}

constexpr LlamaType type{
    .called = {"gemma3n_text", "Gemma 3n", classes, modules},
    .usual = {.dim = 2048, .ffn_dim = 16384, .layers = usual_layers, .heads = 8, .vocab = 262400, .context = 32768},
    .kv_heads = 2,
    .head_dim = 256,
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
                  .rest = read_computation},
    .padding = 0,
    .ignored = "activation_sparsity_pattern altup_active_idx altup_coef_clip altup_correct_scale",
    .own = {read, write}};

}  // namespace gemma3n

constexpr Family gemma3n_text_family = changed(llama_like<gemma3n::type>(), [](Family& family) {
    family.read = [](const nlohmann::json& config, const Family& of) {
        return read_llama(gemma3n::with_one_width(config), of, gemma3n::type);
    };
});

}  // namespace headcount
