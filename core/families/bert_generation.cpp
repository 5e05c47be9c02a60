// BERT for generation (Rothe et al. 2020): BERT's layers with a plain head. Where its file does not say that it is a
// decoder, every token looks at all others (transformers, modeling_bert_generation.py).
#include "core/families/bert_like.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace bert_generation {

constexpr auto modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, "BertGenerationDecoder"},
    {1, "bert", ModuleKind::container, {}, "BertGenerationEncoder"},
    {2, "embeddings", ModuleKind::container, {}, "BertGenerationEmbeddings"},
    {3, "word_embeddings", ModuleKind::embedding, Part::token_embedding, {}},
    {3, "position_embeddings", ModuleKind::embedding, Part::position_embedding, {}},
    {3, "LayerNorm", ModuleKind::norm, Part::embedding_norm, {}},
    {3, "dropout", ModuleKind::stateless, {}, dropout_10},
    {2, "encoder", ModuleKind::container, {}, "BertEncoder"},
    {3, "layer", ModuleKind::container, {}, "ModuleList"},
    {4, "{i}", ModuleKind::layer, {}, "BertGenerationLayer"},
    {5, "attention", ModuleKind::container, {}, "BertGenerationAttention"},
    {6, "self", ModuleKind::container, {}, "BertGenerationSelfAttention"},
    {7, "query", ModuleKind::linear, Part::query, {}},
    {7, "key", ModuleKind::linear, Part::key, {}},
    {7, "value", ModuleKind::linear, Part::value, {}},
    {6, "output", ModuleKind::container, {}, "BertGenerationSelfOutput"},
    {7, "dense", ModuleKind::linear, Part::attention_output, {}},
    {7, "LayerNorm", ModuleKind::norm, Part::attention_output_norm, {}},
    {7, "dropout", ModuleKind::stateless, {}, dropout_10},
    {5, "intermediate", ModuleKind::container, {}, "BertGenerationIntermediate"},
    {6, "dense", ModuleKind::linear, Part::up, {}},
    {6, "intermediate_act_fn", ModuleKind::activation, {}, {}},
    {5, "output", ModuleKind::container, {}, "BertGenerationOutput"},
    {6, "dense", ModuleKind::linear, Part::down, {}},
    {6, "LayerNorm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
    {6, "dropout", ModuleKind::stateless, {}, dropout_10},
    {1, "lm_head", ModuleKind::container, {}, "BertGenerationOnlyLMHead"},
    {2, "bias", ModuleKind::bare, Part::idle_head_bias, {}},
    {2, "bias", ModuleKind::bare, Part::output_head, {}, {}, Part::idle_head_bias},
    {2, "decoder", ModuleKind::linear, Part::output_head, {}},
});

void read_rest(ConfigReader& reader, Architecture& arch) {
    if (!reader.flag({"is_decoder"}, false)) arch.layer.attention.mask = AttentionMask::full;
    if (reader.flag({"add_cross_attention"}, false))
        reader.reject("add_cross_attention", "attention to another model's text is not known here", "set it to false");
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) { config["is_decoder"] = !sees_all(arch); }

std::vector<Extra> besides(const Architecture& arch) {
    return arch.tied || !arch.head_bias || !has_head(arch) ? std::vector<Extra>() : std::vector{idle_head_bias()};
}

constexpr PlainType type{
    .called = {"bert-generation", "BERT for generation", modules},
    .usual = {.dim = 1024, .layers = 24, .heads = 16, .vocab = 50358, .context = 512, .width = 4096},
    .activation = "gelu",
    .norm = layer_norm(1e-12, NormPlacement::after_sum),
    .embedding_norm = true,
    .head_bias = true,
    .positions = Positions::learned,
    .own = {read_rest, write_rest},
    .rest = {.besides = besides, .padding = 0}};

}  // namespace bert_generation

constexpr Family bert_generation_family = plain_family<bert_generation::type>();

}  // namespace headcount
