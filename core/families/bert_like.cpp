// Reads and writes the configurations of BERT and of the encoders built on it.
#include "core/families/bert_like.hpp"

#include <algorithm>
#include <utility>

#include "core/arch/class_form.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/families/vit_like.hpp"

namespace headcount {
namespace {

// What a model of the type is called that ends in `end`: "RobertaModel".
std::string class_with(const Family& family, std::string_view end) {
    constexpr std::string_view own = "ForMaskedLM";
    const std::string_view name = family.modules.front().class_name;
    return std::string(name.substr(0, name.size() - own.size())) + std::string(end);
}

// The first of `architectures` says what stands on the encoder; a file that names none is read as a masked language
// model. As a language model that is no decoder, it computes the same scores by another name.
OutputKind output_of(ConfigReader& reader, const Family& family, const BertType& type) {
    const nlohmann::json* names = said(reader.config(), "architectures");
    if (!names || !names->is_array() || names->empty() || !names->front().is_string()) return OutputKind::masked;
    const auto& name = names->front().get_ref<const std::string&>();
    for (const std::string_view end : {"ForMaskedLM", "ForCausalLM", "LMHeadModel"})
        if (name == class_with(family, end)) return OutputKind::masked;
    const std::string bare = class_with(family, "Model");
    // The word of transformers' code for leaving it out, and of what is read from a GGUF file.
    const bool pools = reader.flag({"add_pooling_layer"}, true);
    if (name == bare) return type.pools && pools ? OutputKind::pooler : OutputKind::none;
    reader.reject("architectures", as_written(names->front()) + " puts something on the encoder that is not known here",
                  "give " + class_with(family, "ForMaskedLM") + ", or " + bare + " for the encoder " +
                      (type.pools ? "with its pooler" : "alone"));
    return OutputKind::masked;
}

// How many rows there are, and how many of them stand before the first position's.
void read_positions(ConfigReader& reader, Architecture& arch, const BertType& type) {
    const std::int64_t rows = reader.number({"max_position_embeddings"}, type.usual.context);
    arch.positions = type.positions;
    arch.context = rows;
    arch.position_offset = type.position_offset;
    if (!type.positions_behind_padding) return;
    ConfigReader aside(reader.config());  // the field stays what the file says of its padding
    arch.position_offset = aside.number({"pad_token_id"}, type.padding, 0) + 1;
    arch.context = rows - arch.position_offset;
    if (aside.error()) reader.reject("pad_token_id", aside.error()->what, aside.error()->fix);
    if (arch.context < 1)
        reader.reject("max_position_embeddings",
                      grouped(rows) + " rows leave no position behind those up to the padding token's",
                      "give at least " + grouped(arch.position_offset + 1));
}

void read_layers(ConfigReader& reader, Architecture& arch, const BertType& type) {
    arch.layers = reader.number({type.fields.layers}, type.usual.layers);
    arch.layer.attention.heads = reader.number({type.fields.heads}, type.usual.heads);
    arch.layer.attention.mask = AttentionMask::full;
    arch.layer.feed_forward = {.gated = type.gated,
                               .activation = type.fields.activation.empty()
                                                 ? Activation::gelu
                                                 : read_activation(reader, {type.fields.activation}, type.activation),
                               .width = reader.number({type.fields.ffn_dim}, type.usual.ffn_dim)};
    set_biases(arch.layer, type.biases);
    arch.norm = layer_norm(reader.real({type.fields.epsilon}, type.epsilon), type.placement);
}

constexpr std::string_view decodes = "is_decoder";

void read_decoder(ConfigReader& reader, Architecture& arch, const BertType& type) {
    for (const std::string_view flag : {decodes, bert_looks}) {
        if (!type.may_decode && reader.flag({flag}, false))
            reader.reject(flag, std::string(type.called.name) + " as a decoder is not known here", "set it to false");
        if (type.may_decode && carry_flag(reader, flag, false) && flag == decodes)
            arch.layer.attention.mask = AttentionMask::causal;
    }
}

}  // namespace

Result<Architecture> read_bert(const nlohmann::json& config, const Family& family, const BertType& type) {
    ConfigReader reader(config);
    Architecture arch;
    arch.family = &family;
    arch.dim = reader.number({type.fields.dim}, type.usual.dim);
    arch.vocab = reader.number({"vocab_size"}, type.usual.vocab);
    read_positions(reader, arch, type);
    read_layers(reader, arch, type);
    arch.embedding_norm = type.embedding_norm;
    if (type.token_types)
        arch.token_types =
            reader.number({"type_vocab_size"}, *type.token_types, std::min<std::int64_t>(*type.token_types, 1));
    if (!type.embedding_dim_field.empty())
        arch.embedding_dim =
            reader.number({type.embedding_dim_field}, type.embedding_dim > 0 ? type.embedding_dim : arch.dim);
    if (arch.embedding_dim == arch.dim && !type.always_widens) arch.embedding_dim.reset();
    arch.output = output_of(reader, family, type);
    arch.tied = reader.flag({"tie_word_embeddings"}, true) && arch.output == OutputKind::masked;
    arch.head_bias = arch.output == OutputKind::masked;
    read_decoder(reader, arch, type);
    const std::string positions = reader.text({"position_embedding_type"}, "absolute");
    if (type.may_rotate && positions == "rotary") {
        arch.positions = Positions::rope;
        arch.context += std::exchange(arch.position_offset, 0);
    } else if (positions != "absolute") {
        reader.reject(as_written(positions) + " positions are not known in a model of this type",
                      "open one whose type has them; with \"absolute\" it would be another model");
    }
    if (type.own.read) type.own.read(reader, arch);
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write_bert(const Architecture& arch, const BertType& type) {
    const bool bare = arch.output == OutputKind::pooler || arch.output == OutputKind::none;
    nlohmann::ordered_json config{
        {"architectures", {class_with(*arch.family, bare ? "Model" : "ForMaskedLM")}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {type.fields.dim, arch.dim},
        {type.fields.layers, arch.layers},
        {type.fields.ffn_dim, bindings(arch, Input{})[Symbol::ffn_dim].value_or(0)},
        {"max_position_embeddings", arch.context + arch.position_offset - type.position_offset},
    };
    if (type.pools && arch.output == OutputKind::none) config["add_pooling_layer"] = false;
    if (!type.fields.heads.empty()) config[std::string(type.fields.heads)] = arch.layer.attention.heads;
    if (!type.fields.activation.empty())
        config[std::string(type.fields.activation)] = activation_name(arch.layer.feed_forward.activation);
    if (type.token_types) config["type_vocab_size"] = arch.token_types;
    if (!type.fields.epsilon.empty()) config[std::string(type.fields.epsilon)] = arch.norm.epsilon;
    if (!type.embedding_dim_field.empty())
        config[std::string(type.embedding_dim_field)] = arch.embedding_dim.value_or(arch.dim);
    const bool rotary = type.may_rotate && arch.positions == Positions::rope;
    if (type.may_rotate) config["position_embedding_type"] = rotary ? "rotary" : "absolute";
    if (type.positions_behind_padding && !rotary) config["pad_token_id"] = arch.position_offset - 1;
    config["tie_word_embeddings"] = arch.tied || bare;
    if (type.own.write) type.own.write(config, arch);
    return config;
}

Extra idle_head_bias() {
    return {.component = Component::output,
            .name = "idle_head_bias",
            .label = "Idle head bias",
            .symbol = "b_idle",
            .meaning = "stored with the head, and read by nothing",
            .weight = {},
            .bias = {Symbol::vocab},
            .part = Part::idle_head_bias};
}

Computation bert_computation(const Architecture& arch, const BertType& type) {
    Computation computation = compute(arch, type.computing);
    const nlohmann::json& carried = arch.carried.object();
    if (type.may_decode &&
        (ConfigReader(carried).flag({decodes}, false) || ConfigReader(carried).flag({bert_looks}, false)))
        computation.refused = Error{"an encoder's type as a decoder is counted, and not computed here",
                                    std::string(decodes), "set it and add_cross_attention to false"};
    return computation;
}

void list_bert_attention(Besides& more, const std::string& at, const Expr& dim) {
    for (const char* const matrix : {".self.query", ".self.key", ".self.value", ".output.dense"})
        more.linear(at + matrix, dim, dim, true);
    more.norm(at + ".output.LayerNorm", dim, true);
}

std::vector<Extra> bert_besides(const Architecture& arch, const BertType& type) {
    std::vector<Extra> all = type.besides ? type.besides(arch) : std::vector<Extra>();
    Besides more(arch);
    if (type.may_decode && more.flag(bert_looks, false)) {
        list_bert_attention(more.in_layers(Component::attention), "crossattention", Symbol::dim);
        for (Extra& each : more.take()) all.push_back(std::move(each));
    }
    const bool masked = arch.output == OutputKind::masked;
    const auto has_idle_bias = [](const Module& module) { return contains(module.parts, Part::idle_head_bias); };
    if (masked && !arch.tied && arch.head_bias && std::ranges::any_of(type.called.modules, has_idle_bias))
        all.push_back(idle_head_bias());
    const ClassForm *const form = class_form(arch), *const beside = form_beside_tokens(arch);
    if ((masked && type.always_pools) || beside || (form && form->idle_pooler))
        all.push_back({.component = Component::output,
                       .name = "pooler",
                       .label = "Idle pooler",
                       .symbol = "W_p",
                       .meaning = "Stored with the encoder, and read by nothing where its rows are scored.",
                       .weight = {Symbol::dim, Symbol::dim},
                       .bias = {Symbol::dim},
                       .part = Part::pooler});
    if (beside) {
        ConfigReader reader(arch.carried.object());
        const std::int64_t classes = beside->classes ? *beside->classes : labels_of(reader);
        all.push_back({.component = Component::output,
                       .name = std::string(beside->scores),
                       .label = "Second head",
                       .symbol = "W_n",
                       .meaning = "Says of two sentences, out of what the pooler makes, whether one follows the other.",
                       .weight = {classes, Symbol::dim},
                       .bias = {classes},
                       .linear = true});
    }
    return all;
}

}  // namespace headcount
