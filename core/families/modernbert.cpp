// ModernBERT (Warner et al. 2024): an encoder with rotary positions whose layers mostly see the tokens around alone;
// the first of them has no norm before its attention. And Ettin's decoder of the same layers (Weller et al. 2025;
// transformers, modeling_modernbert.py, modeling_modernbert_decoder.py).
#include "core/families/families.hpp"
#include "core/families/layer_lists.hpp"
#include "core/families/plain_type.hpp"

namespace headcount {
namespace modernbert {

constexpr auto modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, "ModernBertForMaskedLM"},
    {1, "model", ModuleKind::container, {}, "ModernBertModel"},
    {2, "embeddings", ModuleKind::container, {}, "ModernBertEmbeddings"},
    {3, "tok_embeddings", ModuleKind::embedding, Part::token_embedding, {}},
    {3, "norm", ModuleKind::norm, Part::embedding_norm, {}},
    {3, "drop", ModuleKind::stateless, {}, dropout_0},
    {2, "layers", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "ModernBertEncoderLayer"},
    {4, "attn_norm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "attn", ModuleKind::container, {}, "ModernBertAttention"},
    {5, "Wqkv", ModuleKind::linear, {Part::query, Part::key, Part::value}, {}},
    {5, "Wo", ModuleKind::linear, Part::attention_output, {}},
    {5, "out_drop", ModuleKind::stateless, {}, "Identity()"},
    {4, "mlp_norm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "mlp", ModuleKind::container, {}, "ModernBertMLP"},
    {5, "Wi", ModuleKind::linear, {Part::gate, Part::up}, {}},
    {5, "act", ModuleKind::activation, {}, {}},
    {5, "drop", ModuleKind::stateless, {}, dropout_0},
    {5, "Wo", ModuleKind::linear, Part::down, {}},
    {2, "final_norm", ModuleKind::norm, Part::final_norm, {}},
    {2, "rotary_emb", ModuleKind::rotary, {}, "ModernBertRotaryEmbedding"},
    {1, "head", ModuleKind::container, {}, "ModernBertPredictionHead", Part::head_transform},
    {2, "dense", ModuleKind::linear, Part::head_transform, {}},
    {2, "act", ModuleKind::stateless, {}, "GELUActivation()"},
    {2, "norm", ModuleKind::norm, Part::head_norm, {}},
    {1, "decoder", ModuleKind::linear, Part::output_head, {}},
});

// The decoder's: a matrix each for queries, keys and values, and other names on top.
constexpr auto decoder_modules = changed(std::array<Module, 28>{}, [](std::array<Module, 28>& own) {
    std::size_t at = 0;
    for (Module module : modules) {
        if (module.depth == 0) module.class_name = "ModernBertDecoderForCausalLM";
        if (module.name == "model") module.class_name = "ModernBertDecoderModel";
        if (module.name == "head") module.name = "lm_head";
        if (module.name != "Wqkv") {
            own[at++] = module;
            continue;
        }
        own[at++] = {5, "q_proj", ModuleKind::linear, Part::query, {}};
        own[at++] = {5, "k_proj", ModuleKind::linear, Part::key, {}};
        own[at++] = {5, "v_proj", ModuleKind::linear, Part::value, {}};
    }
});

bool is_decoder(const Architecture& arch) { return arch.family->modules.data() == decoder_modules.data(); }

// The others of each so many see only what is around.
constexpr std::int64_t usual_step = 3;

LayerSet windowed_layers(ConfigReader& reader, std::int64_t layers) {
    const std::int64_t step = read_step(reader, {"global_attn_every_n_layers"}, usual_step);
    if (const auto given = reader.layers_with({"layer_types"}, "sliding_attention", layers, "full_attention"))
        return *given;
    return layers_where(layers, [&](std::int64_t layer) { return layer % step != 0; });
}

OutputKind output_of(ConfigReader& reader, const Architecture& arch) {
    const std::string name = class_said(reader.config());
    const std::span<const Module> of = arch.family->modules;
    if (name.empty() || name == of[0].class_name) return OutputKind::masked;
    if (name == of[1].class_name) return OutputKind::none;
    reader.refuse_class(
        "puts something on the encoder that is not known here",
        std::string(of[0].class_name) + ", or " + std::string(of[1].class_name) + " for the layers alone");
    return OutputKind::masked;
}

void read_rest(ConfigReader& reader, Architecture& arch) {
    arch.norm.bias = reader.flag({"norm_bias"}, false);
    Attention& attention = arch.layer.attention;
    if (!is_decoder(arch)) attention.mask = AttentionMask::full;
    attention.qkv_bias = attention.output_bias = reader.flag({"attention_bias"}, false);
    const std::int64_t around = reader.number({"local_attention"}, 128, 2);
    reader.optional_number({"sliding_window"});  // half of that, where a file says it
    const LayerSet windowed = windowed_layers(reader, arch.layers);
    if (windowed.count(arch.layers) > 0)
        attention.window = AttentionWindow{.size = is_decoder(arch) ? around / 2 : around, .layers = windowed};
    arch.layer.feed_forward.bias = reader.flag({"mlp_bias"}, false);
    arch.output = output_of(reader, arch);
    const bool masked = arch.output == OutputKind::masked;
    arch.transform_bias = reader.flag({"classifier_bias"}, false);
    arch.head_bias = reader.flag({"decoder_bias"}, true) && masked;
    arch.tied = arch.tied && masked;
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    const bool masked = arch.output == OutputKind::masked;
    const std::optional<AttentionWindow>& window = arch.layer.attention.window;
    if (!masked) config["architectures"] = {arch.family->modules[1].class_name};
    config["norm_bias"] = arch.norm.bias;
    config["attention_bias"] = arch.layer.attention.qkv_bias;
    config["mlp_bias"] = arch.layer.feed_forward.bias;
    config["classifier_bias"] = arch.transform_bias;
    config["decoder_bias"] = arch.head_bias || !masked;
    config["local_attention"] = window ? window->size * (is_decoder(arch) ? 2 : 1) : 128;
    config["tie_word_embeddings"] = arch.tied || !masked;
    write_layer_types(config, window ? window->layers : LayerSet::none(), arch.layers);
}

constexpr ComputationType computing{.rope_base = 160000,
                                    .rope_base_field = "global_rope_theta",
                                    .windowed_apart = true,
                                    .windowed_base = 10000,
                                    .windowed_base_field = "local_rope_theta",
                                    .rest = [](ComputationReader& reader, Computation& computation) {
                                        computation.head_activation =
                                            reader.activation("classifier_activation", "gelu");
                                    }};

// What a run computes with is read for that.
constexpr std::string_view ignored =
    "classifier_activation deterministic_flash_attn global_rope_theta local_rope_theta position_embedding_type "
    "reference_compile repad_logits_with_grad sparse_pred_ignore_index sparse_prediction";

constexpr PlainType type{
    .called = {"modernbert", "ModernBERT", modules},
    .words = {.activation = "hidden_activation", .epsilon = "norm_eps"},
    .usual = {.dim = 768, .layers = 22, .heads = 12, .vocab = 50368, .context = 8192, .width = 1152},
    .activation = "gelu",
    .norm = {.kind = NormKind::layer, .first = false, .epsilon = 1e-5},
    .gated = true,
    .biases = false,
    .embedding_norm = true,
    .computing = computing,
    .own = {read_rest, write_rest},
    .rest = {.padding = 50283, .ignored = ignored}};
constexpr PlainType decoder = changed(type, [](PlainType& other) {
    other.called = {"modernbert-decoder", "ModernBERT decoder", decoder_modules};
});

}  // namespace modernbert

constexpr Family modernbert_family = plain_family<modernbert::type>();
constexpr Family modernbert_decoder_family = plain_family<modernbert::decoder>();

}  // namespace headcount
