// Reads and writes the file of a plain type by its words.
#include "core/families/plain_type.hpp"

namespace headcount {

Result<Architecture> read_plain(const nlohmann::json& config, const Family& family, const PlainType& type) {
    ConfigReader reader(config);
    Architecture arch;
    arch.family = &family;
    const FieldWords& words = type.words;
    const PlainType::Usual& usual = type.usual;
    const auto number = [&](const FieldWord& word, std::int64_t otherwise) {
        return reader.number({word.name, word.also}, otherwise);
    };
    arch.dim = number(words.dim, usual.dim);
    arch.layers = number(words.layers, usual.layers);
    arch.layer.attention.heads = number(words.heads, usual.heads);
    arch.vocab = number(words.vocab, usual.vocab);
    arch.context = number(words.context, usual.context);
    arch.positions = type.positions;
    arch.tied = reader.flag({words.tied}, type.tied);
    arch.embedding_norm = type.embedding_norm;
    arch.head_bias = type.head_bias;
    arch.norm = type.norm;
    arch.norm.epsilon = reader.real({words.epsilon}, type.norm.epsilon);
    DenseFeedForward& feed_forward = arch.layer.feed_forward;
    feed_forward.gated = type.gated;
    feed_forward.activation = read_activation(reader, {words.activation}, type.activation);
    std::optional<std::int64_t> width = reader.optional_number({words.width});
    if (!width) width = usual.width;
    feed_forward.width = width ? *width : four_times(reader, words.dim.written, arch.dim);
    set_biases(arch.layer, type.biases);
    if (type.own.read) type.own.read(reader, arch);
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write_plain(const Architecture& arch, const PlainType& type) {
    const FieldWords& words = type.words;
    nlohmann::ordered_json config{{"architectures", {arch.family->modules.front().class_name}},
                                  {"model_type", arch.family->type}};
    const auto write = [&](std::string_view word, const auto& value) {
        if (!word.empty()) config[word] = value;
    };
    write(words.vocab.written, arch.vocab);
    write(words.context.written, arch.context);
    write(words.dim.written, arch.dim);
    write(words.layers.written, arch.layers);
    write(words.heads.written, arch.layer.attention.heads);
    write(words.width, bindings(arch, Input{})[Symbol::ffn_dim].value_or(0));
    write(words.activation, activation_name(arch.layer.feed_forward.activation, type.activation));
    write(words.epsilon, arch.norm.epsilon);
    write(words.tied, arch.tied);
    if (type.own.write) type.own.write(config, arch);
    return config;
}

}  // namespace headcount
