// BERT (Devlin et al. 2019): an encoder, with scores for hidden tokens on it or with a pooler (transformers,
// modeling_bert.py).
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"

namespace headcount {
namespace bert {

constexpr std::array<Module, 41> modules{{
    {0, "", ModuleKind::container, {}, "BertForMaskedLM"},
    {1, "bert", ModuleKind::container, {}, "BertModel"},
    {2, "embeddings", ModuleKind::container, {}, "BertEmbeddings"},
    {3, "word_embeddings", ModuleKind::embedding, Part::token_embedding, {}},
    {3, "position_embeddings", ModuleKind::embedding, Part::position_embedding, {}},
    {3, "token_type_embeddings", ModuleKind::embedding, Part::token_type_embedding, {}},
    {3, "LayerNorm", ModuleKind::norm, Part::embedding_norm, {}},
    {3, "dropout", ModuleKind::stateless, {}, dropout_10},
    {2, "encoder", ModuleKind::container, {}, "BertEncoder"},
    {3, "layer", ModuleKind::container, {}, "ModuleList"},
    {4, "{i}", ModuleKind::layer, {}, "BertLayer"},
    {5, "attention", ModuleKind::container, {}, "BertAttention"},
    // Of an edited one: no published BERT has norms before its sub-blocks.
    {6, "norm", ModuleKind::norm, Part::attention_norm, {}},
    {6, "self", ModuleKind::container, {}, "BertSelfAttention"},
    {7, "query", ModuleKind::linear, Part::query, {}},
    {7, "key", ModuleKind::linear, Part::key, {}},
    {7, "value", ModuleKind::linear, Part::value, {}},
    {7, "dropout", ModuleKind::stateless, {}, dropout_10},
    {6, "output", ModuleKind::container, {}, "BertSelfOutput"},
    {7, "dense", ModuleKind::linear, Part::attention_output, {}},
    {7, "LayerNorm", ModuleKind::norm, Part::attention_output_norm, {}},
    {7, "dropout", ModuleKind::stateless, {}, dropout_10},
    {5, "intermediate", ModuleKind::container, {}, "BertIntermediate"},
    {6, "dense", ModuleKind::linear, Part::up, {}},
    {6, "intermediate_act_fn", ModuleKind::activation, {}, {}},
    {5, "output", ModuleKind::container, {}, "BertOutput"},
    {6, "dense", ModuleKind::linear, Part::down, {}},
    {6, "LayerNorm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
    {6, "dropout", ModuleKind::stateless, {}, dropout_10},
    {2, "pooler", ModuleKind::container, {}, "BertPooler", Part::pooler},
    {3, "dense", ModuleKind::linear, Part::pooler, {}},
    {3, "activation", ModuleKind::stateless, {}, "Tanh()", Part::pooler},
    {1, "cls", ModuleKind::container, {}, "BertOnlyMLMHead"},
    {2, "predictions", ModuleKind::container, {}, "BertLMPredictionHead"},
    // Tied, it is the head's; else it lies beside that, read by nothing.
    {3, "bias", ModuleKind::bare, Part::idle_head_bias, {}},
    {3, "bias", ModuleKind::bare, Part::output_head, {}, {}, Part::idle_head_bias},
    {3, "transform", ModuleKind::container, {}, "BertPredictionHeadTransform"},
    {4, "dense", ModuleKind::linear, Part::head_transform, {}},
    {4, "transform_act_fn", ModuleKind::activation, {}, {}},
    {4, "LayerNorm", ModuleKind::norm, Part::head_norm, {}},
    {3, "decoder", ModuleKind::linear, Part::output_head, {}},
}};

// The first of `architectures` says what stands on the encoder; a file that names none is read as a masked language
// model, as its type's own class for the vocabulary is.
OutputKind output_of(ConfigReader& reader, const nlohmann::json& config) {
    const nlohmann::json* names = said(config, "architectures");
    if (!names || !names->is_array() || names->empty() || !names->front().is_string()) return OutputKind::masked;
    const auto& name = names->front().get_ref<const std::string&>();
    if (name == "BertForMaskedLM") return OutputKind::masked;
    if (name == "BertModel") return OutputKind::pooler;
    reader.reject("architectures", as_written(names->front()) + " puts something on the encoder that is not known here",
                  "give BertForMaskedLM, or BertModel for the encoder with its pooler");
    return OutputKind::masked;
}

void read(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    arch.dim = reader.number({"hidden_size"}, 768);
    arch.layers = reader.number({"num_hidden_layers"}, 12);
    arch.vocab = reader.number({"vocab_size"}, 30522);
    arch.context = reader.number({"max_position_embeddings"}, 512);
    arch.token_types = reader.number({"type_vocab_size"}, 2);
    arch.positions = Positions::learned;
    arch.embedding_norm = true;
    arch.norm = layer_norm(reader.real({"layer_norm_eps"}, 1e-12));
    arch.norm.placement = NormPlacement::after_sum;
    arch.norm.final = false;
    arch.output = output_of(reader, config);
    arch.tied = reader.flag({"tie_word_embeddings"}, true) && arch.output == OutputKind::masked;
    arch.head_bias = arch.output == OutputKind::masked;
    arch.layer.attention.heads = reader.number({"num_attention_heads"}, 12);
    arch.layer.attention.mask = AttentionMask::full;
    arch.layer.feed_forward = {.gated = false,
                               .activation = read_activation(reader, {"hidden_act"}, "gelu"),
                               .width = reader.number({"intermediate_size"}, 3072),
                               .bias = true};
    set_biases(arch.layer, true);
    for (const std::string_view flag : {"is_decoder", "add_cross_attention"})
        if (reader.flag({flag}, false)) reader.reject(flag, "BERT as a decoder is not known here", "set it to false");
    if (reader.text({"position_embedding_type"}, "absolute") != "absolute")
        reader.reject("positions between tokens are not known here", "give \"absolute\"");
}

nlohmann::ordered_json write(const Architecture& arch) {
    return {
        {"architectures", {arch.output == OutputKind::pooler ? "BertModel" : "BertForMaskedLM"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"hidden_size", arch.dim},
        {"num_hidden_layers", arch.layers},
        {"num_attention_heads", arch.layer.attention.heads},
        {"intermediate_size", bindings(arch, Input{})[Symbol::ffn_dim].value_or(0)},
        {"hidden_act", activation_name(arch.layer.feed_forward.activation)},
        {"max_position_embeddings", arch.context},
        {"type_vocab_size", arch.token_types},
        {"layer_norm_eps", arch.norm.epsilon},
        {"tie_word_embeddings", arch.tied || arch.output == OutputKind::pooler},
    };
}

}  // namespace bert

constexpr Family bert_family = [] {
    Family family = gpt_like<bert_family, bert::read, bert::write>("bert", "BERT", bert::modules);
    family.padding = 0;
    return family;
}();

}  // namespace headcount
