// An encoder and a decoder joined from two BERTs (Rothe et al. 2019; transformers, modeling_encoder_decoder.py): the
// decoder is shown, with what it keeps of attention to the other; the encoder is counted by name and shape.
#include <algorithm>

#include "core/families/bert_like.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/two_stacks.hpp"

namespace headcount {
namespace encoder_decoder {

constexpr auto modules = [] {
    auto own = lowered(join(bert_root_modules<"Bert">("bert"), bert_embedding_modules<"Bert">,
                            bert_layer_modules<"Bert">, bert_head_modules<"Bert">));
    own[0].name = "decoder";
    own[0].kind = ModuleKind::decoder;
    own[0].class_name = "BertLMHeadModel";
    return join(std::to_array<Module>({{0, "", ModuleKind::container, {}, "EncoderDecoderModel"}}), own);
}();
constexpr BertType type{.called = {"encoder-decoder", "Encoder-decoder of BERTs", modules},
                        .computing = {.refused = "attention to what another model made"}};

constexpr std::string_view looks = "add_cross_attention", width_read = "cross_attention_hidden_size";

// A stack by itself, without the words that join it to the other.
Result<Architecture> read_stack(nlohmann::json stack, const Family& family) {
    if (const std::string_view named = type_said(stack); !named.empty() && named != "bert")
        return Error{"a stack of type " + as_written(stack["model_type"]) + " is not known here", "model_type",
                     "give bert"};
    for (const char* field : {"model_type", "architectures", "is_decoder", "add_cross_attention"}) stack.erase(field);
    return read_bert(stack, family, type);
}

Result<Architecture> read(const nlohmann::json& config, const Family& family) {
    if (const std::optional<Error> wrong = wrong_around_stacks(config)) return *wrong;
    const nlohmann::json encoder = object_said(config, "encoder");
    const Result<Architecture> beside = read_stack(encoder, family);
    if (!beside) return within("encoder", beside.error());
    if (beside->layers > most_listed) return within("encoder", too_many_layers("num_hidden_layers"));
    const nlohmann::json words = object_said(config, "decoder");
    // Where the file says nothing of the decoder, it is one that reads what the encoder made.
    const bool silent = !said(config, "decoder");
    ConfigReader reader(words);
    const bool reads = reader.flag({looks}, silent), decodes = reader.flag({"is_decoder"}, silent);
    if (reader.optional_number({width_read}).value_or(beside->dim) != beside->dim)
        reader.reject(width_read, "the encoder's rows have another width",
                      "give the encoder's hidden_size, or leave it out");
    if (reader.error()) return within("decoder", *reader.error());
    nlohmann::json decoder = words;
    decoder["encoder"] = encoder;
    decoder["decoder"] = {{looks, reads}};  // carried, as the encoder is
    Result<Architecture> arch = read_stack(decoder, family);
    if (!arch) return within("decoder", arch.error());
    if (decodes) arch->layer.attention.mask = AttentionMask::causal;
    return arch;
}

bool reads_encoder(const Architecture& arch) {
    const nlohmann::json decoder = object_said(arch.carried.object(), "decoder");
    return ConfigReader(decoder).flag({looks}, true);
}

std::vector<Extra> besides(const Architecture& arch) {
    std::vector<Extra> all = bert_besides(arch, type);
    const Result<Architecture> read = read_stack(object_said(arch.carried.object(), "encoder"), *arch.family);
    if (!read) return all;
    const Bindings sizes = bindings(*read, Input{});
    const auto size = [&](Symbol symbol) { return std::min(sizes[symbol].value_or(1), Besides::largest); };
    const std::int64_t dim = size(Symbol::dim), width = size(Symbol::ffn_dim);
    Besides more(arch);
    const std::string rows = "encoder.embeddings.";
    more.in_model(Component::embedding)
        .table(rows + "word_embeddings", size(Symbol::vocab), dim)
        .table(rows + "position_embeddings", std::min(read->context, Besides::largest), dim);
    if (read->token_types > 0)
        more.table(rows + "token_type_embeddings", std::min(read->token_types, Besides::largest), dim);
    more.norm(rows + "LayerNorm", dim, true);
    for (std::int64_t i = 0; i < std::min(read->layers, most_listed); ++i) {
        const std::string layer = "encoder.encoder.layer." + std::to_string(i) + ".";
        more.in_model(Component::attention);
        list_bert_attention(more, layer + "attention", dim);
        more.in_model(Component::feed_forward)
            .linear(layer + "intermediate.dense", width, dim, true)
            .linear(layer + "output.dense", dim, width, true)
            .norm(layer + "output.LayerNorm", dim, true);
    }
    more.in_model(Component::output).linear("encoder.pooler.dense", dim, dim, true);
    if (dim != arch.dim && !said(arch.carried.object(), width_read))
        more.linear("enc_to_dec_proj", Symbol::dim, dim, true);
    more.in_layers(Component::attention);
    if (reads_encoder(arch)) list_bert_attention(more, "crossattention", Symbol::dim);
    for (Extra& each : more.take()) all.push_back(std::move(each));
    return all;
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json decoder = with_carried(write_bert(arch, type), arch);
    const nlohmann::ordered_json encoder = decoder.value("encoder", nlohmann::ordered_json::object());
    for (const char* field : {"architectures", "encoder", "decoder"}) decoder.erase(field);
    decoder[std::string(looks)] = reads_encoder(arch);
    decoder["model_type"] = "bert";
    decoder["is_decoder"] = arch.layer.attention.mask == AttentionMask::causal;
    nlohmann::ordered_json typed{{"model_type", "bert"}};
    typed.update(encoder);
    return write_stacks(arch, typed, decoder);
}

// The encoder is among what is besides.
constexpr std::string_view ignored = "cross_attention_hidden_size decoder encoder";

}  // namespace encoder_decoder

constexpr Family encoder_decoder_family = [] {
    Family made = bert_like<encoder_decoder::type>();
    made.read = encoder_decoder::read;
    made.write = encoder_decoder::write;
    made.besides = encoder_decoder::besides;
    made.ignored = encoder_decoder::ignored;
    return made;
}();

}  // namespace headcount
