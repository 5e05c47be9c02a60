// XLM (Conneau & Lample 2019) and FlauBERT (Le et al. 2020): encoders whose scores for a hidden token are those of a
// language model, and whose files list each kind of sub-block by itself (transformers, modeling_xlm.py,
// modeling_flaubert.py).
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/plain_type.hpp"

namespace headcount {
namespace xlm {

// "attentions.0", "layer_norm1.0", "ffns.0", "layer_norm2.0". Norms have their names wherever they stand.
template <FixedText name>
constexpr auto modules_of = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, joined_name<name, "WithLMHeadModel">},
    {1, "transformer", ModuleKind::container, {}, joined_name<name, "Model">},
    {2, "position_embeddings", ModuleKind::embedding, Part::position_embedding, {}},
    {2, "embeddings", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "layer_norm_emb", ModuleKind::norm, Part::embedding_norm, {}},
    {2, "attentions", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "MultiHeadAttention"},
    {4, "q_lin", ModuleKind::linear, Part::query, {}},
    {4, "k_lin", ModuleKind::linear, Part::key, {}},
    {4, "v_lin", ModuleKind::linear, Part::value, {}},
    {4, "out_lin", ModuleKind::linear, Part::attention_output, {}},
    {2, "layer_norm1", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {Part::attention_output_norm, Part::attention_norm}, {}},
    {2, "ffns", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "TransformerFFN"},
    {4, "lin1", ModuleKind::linear, Part::up, {}},
    {4, "lin2", ModuleKind::linear, Part::down, {}},
    {4, "act", ModuleKind::activation, {}, {}},
    {2, "layer_norm2", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {Part::feed_forward_output_norm, Part::feed_forward_norm}, {}},
    {1, "pred_layer", ModuleKind::container, {}, joined_name<name, "PredLayer">},
    {2, "proj", ModuleKind::linear, Part::output_head, {}},
});

void read_class(ConfigReader& reader, Architecture& arch) {
    const std::string name = class_said(reader.config());
    const std::span<const Module> modules = arch.family->modules;
    if (name.empty() || name == modules[0].class_name) return;
    if (name == modules[1].class_name) {
        arch.output = OutputKind::none;
        return;
    }
    reader.refuse_class("puts something on the encoder that is not known here", modules[0].class_name);
}

void read_rest(ConfigReader& reader, Architecture& arch) {
    if (!reader.flag({"causal"}, false)) arch.layer.attention.mask = AttentionMask::full;
    if (!reader.flag({"gelu_activation"}, true)) arch.layer.feed_forward.activation = Activation::relu;
    read_class(reader, arch);
    arch.head_bias = arch.output == OutputKind::language;
    arch.tied = arch.tied && arch.head_bias;
    carry_number(reader, "n_langs", 1);
    carry_flag(reader, "use_lang_emb", true);
    if (reader.flag({"asm"}, false))
        reader.reject("asm", "scores by groups of words are not known here", "set it to false");
    if (!reader.flag({"is_encoder"}, true))
        reader.reject("is_encoder", "the decoder is not known here", "set it to true");
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    const bool bare = arch.output == OutputKind::none;
    if (bare) config["architectures"] = {arch.family->modules[1].class_name};
    config["gelu_activation"] = arch.layer.feed_forward.activation == Activation::gelu;
    config["causal"] = arch.layer.attention.mask == AttentionMask::causal;
    config["tie_word_embeddings"] = arch.tied || bare;
}

// Added to the rows of a text that is said to be in one of several languages.
std::vector<Extra> languages(const Architecture& arch) {
    ConfigReader reader(arch.carried.object());
    const std::int64_t languages = reader.number({"n_langs"}, 1);
    if (languages <= 1 || !reader.flag({"use_lang_emb"}, true)) return {};
    return {
        {.name = "lang_embeddings",
         .label = "Language embedding",
         .symbol = "E_lang",
         .meaning = "One row of {d} numbers for each language: read by nothing of a text that is said to be in none.",
         .weight = {languages, Symbol::dim}}};
}

// What a language is called, how its texts are cut, and how the model was trained and asked.
constexpr std::string_view ignored =
    "embed_init_std end_n_top id2lang lang2id lang_id mask_index unk_index n_langs sinusoidal_embeddings "
    "start_n_top use_lang_emb";

constexpr auto first_modules = modules_of<"XLM">;
constexpr auto french_modules = modules_of<"Flaubert">;

constexpr PlainType type{.called = {"xlm", "XLM", first_modules},
                         .words = {.dim = {"emb_dim", "hidden_size"},
                                   .layers = {"n_layers", "num_hidden_layers"},
                                   .heads = {"n_heads", "num_attention_heads"},
                                   .vocab = {"vocab_size", "n_words"},
                                   .width = {},
                                   .activation = {}},
                         .usual = {.dim = 2048, .layers = 12, .heads = 16, .vocab = 30145, .context = 512},
                         .activation = "gelu",
                         .norm = layer_norm(1e-12, NormPlacement::after_sum),
                         .embedding_norm = true,
                         .positions = Positions::learned,
                         .own = {read_rest, write_rest},
                         .rest = {.besides = languages, .padding = 2, .ignored = ignored}};
constexpr PlainType french = changed(type, [](PlainType& other) {
    other.called = {"flaubert", "FlauBERT", french_modules};
    other.own.read = [](ConfigReader& reader, Architecture& arch) {
        read_rest(reader, arch);
        if (reader.flag({"pre_norm"}, false)) arch.norm.placement = NormPlacement::before;
    };
    other.own.write = [](nlohmann::ordered_json& config, const Architecture& arch) {
        write_rest(config, arch);
        config["pre_norm"] = arch.norm.placement == NormPlacement::before;
    };
});

}  // namespace xlm

constexpr Family xlm_family = plain_family<xlm::type>();
constexpr Family flaubert_family = plain_family<xlm::french>();

}  // namespace headcount
