// Reads and writes the configurations of the Vision Transformer and of the encoders of images built on it.
#include "core/families/vit_like.hpp"

#include <tuple>
#include <utility>

namespace headcount {
namespace {

// What the model without its classifier is called: "ViTModel".
std::string bare_class(const Family& family, const ImageType& type) {
    const std::string_view name = family.modules.front().class_name;
    if (!type.classifies) return std::string(name);
    return std::string(name.substr(0, name.find("For"))) + "Model";
}

// The first of `architectures` says what stands on the layers; a file that names none is read as a classifier.
OutputKind output_of(ConfigReader& reader, const Family& family, const ImageType& type) {
    const OutputKind bare = type.pools ? OutputKind::pooler : OutputKind::none;
    const std::string name = class_said(reader.config());
    if (name.empty()) return type.classifies ? OutputKind::classes : bare;
    if (type.classifies && name == family.modules.front().class_name) return OutputKind::classes;
    const std::string classifier(family.modules.front().class_name);
    if (name != bare_class(family, type)) reader.refuse_class("is no form of it that is known here", classifier);
    return bare;
}

// One number for both sides, or two that are alike, or (of an image) height and width.
std::pair<std::int64_t, std::int64_t> sides_of(ConfigReader& reader, const char* name, std::int64_t otherwise) {
    const nlohmann::json* value = reader.find({name});
    if (!value || !value->is_array()) {
        const std::int64_t side = reader.number({name}, otherwise);
        return {side, side};
    }
    const auto is_side = [](const nlohmann::json& side) { return side.is_number_integer() && side > 0; };
    if (value->size() != 2 || !is_side(value->front()) || !is_side(value->back())) {
        reader.reject(name, as_written(*value) + " is neither a number nor a height and a width",
                      "give one number, or two");
        return {otherwise, otherwise};
    }
    return {value->front().get<std::int64_t>(), value->back().get<std::int64_t>()};
}

void read_patches(ConfigReader& reader, Architecture& arch, const ImageType& type) {
    Patches patches;
    std::tie(patches.height, patches.width) = sides_of(reader, "image_size", type.image);
    const auto [height, width] = sides_of(reader, "patch_size", type.patch);
    if (height != width)
        reader.reject("patch_size", "patches that are no squares are not known here", "give both sides alike");
    patches.size = height;
    patches.channels = reader.number({"num_channels"}, type.channels);
    patches.class_tokens = type.class_tokens;
    patches.bias = type.patch_bias;
    arch.patches = patches;
    arch.positions = Positions::learned;
}

void read_layers(ConfigReader& reader, Architecture& arch, const ImageType& type) {
    arch.dim = reader.number({"hidden_size"}, type.dim);
    arch.layers = reader.number({"num_hidden_layers"}, type.layers);
    arch.layer.attention.heads = reader.number({"num_attention_heads"}, type.heads);
    arch.layer.attention.mask = AttentionMask::full;
    std::int64_t width = 0;
    if (type.ffn_ratio_field.empty())
        width = reader.number({"intermediate_size"}, type.ffn_dim);
    else
        width = checked_multiply(reader.number({type.ffn_ratio_field}, 4), arch.dim).value_or(1);
    arch.layer.feed_forward = {
        .gated = false, .activation = read_activation(reader, {"hidden_act"}, type.activation), .width = width};
    set_biases(arch.layer, true);
    if (type.says_qkv_bias) arch.layer.attention.qkv_bias = reader.flag({"qkv_bias"}, true);
    arch.norm = layer_norm(reader.real({"layer_norm_eps"}, type.epsilon));
    arch.norm.final = type.final_norm;
    arch.embedding_norm = type.embedding_norm;
}

}  // namespace

std::int64_t labels_of(ConfigReader& reader) {
    const nlohmann::json* labels = said(reader.config(), "id2label");
    if (labels && labels->is_object() && !labels->empty()) return static_cast<std::int64_t>(labels->size());
    return reader.number({"num_labels"}, 2);
}

Result<Architecture> read_image_model(const nlohmann::json& config, const Family& family, const ImageType& type) {
    ConfigReader whole(config);
    const nlohmann::json none = nlohmann::json::object();
    const nlohmann::json* inside = type.inner.empty() ? nullptr : whole.object({type.inner_again, type.inner});
    const nlohmann::json& own = type.inner.empty() ? config : inside ? *inside : none;
    ConfigReader reader(own);
    Architecture arch;
    arch.family = &family;
    read_layers(reader, arch, type);
    read_patches(reader, arch, type);
    arch.output = output_of(whole, family, type);
    if (arch.output == OutputKind::pooler &&
        reader.optional_number({"pooler_output_size"}).value_or(arch.dim) != arch.dim)
        reader.reject("a pooler of another width than the model is not known here", "give hidden_size");
    arch.pooled = type.pooled;
    arch.classes = labels_of(whole);
    arch.head_bias = arch.output == OutputKind::classes;
    if (type.own.read) type.own.read(reader, arch);
    if (const std::optional<Error>& wrong = whole.error()) return *wrong;
    if (type.inner.empty()) return reader.finish(std::move(arch));
    if (const std::optional<Error>& wrong = reader.error()) return within(std::string(type.inner), *wrong);
    return whole.finish(std::move(arch));
}

nlohmann::ordered_json write_image_model(const Architecture& arch, const ImageType& type) {
    const Patches patches = arch.patches.value_or(Patches{});
    const bool classifies = arch.output == OutputKind::classes;
    nlohmann::ordered_json own{
        {"model_type", arch.family->type},
        {"hidden_size", arch.dim},
        {"num_hidden_layers", arch.layers},
        {"num_attention_heads", arch.layer.attention.heads},
        {"hidden_act", activation_name(arch.layer.feed_forward.activation)},
        {"layer_norm_eps", arch.norm.epsilon},
        {"patch_size", patches.size},
        {"num_channels", patches.channels},
    };
    if (patches.height == patches.width)
        own["image_size"] = patches.height;
    else
        own["image_size"] = {patches.height, patches.width};
    if (type.ffn_ratio_field.empty()) own["intermediate_size"] = bindings(arch, Input{})[Symbol::ffn_dim].value_or(0);
    if (type.says_qkv_bias) own["qkv_bias"] = arch.layer.attention.qkv_bias;
    if (type.own.write) type.own.write(own, arch);
    nlohmann::ordered_json config = std::move(own);
    if (!type.inner.empty()) {
        config.erase("model_type");
        config = {{"model_type", arch.family->type}, {std::string(type.inner), std::move(config)}};
    }
    config["architectures"] = {classifies ? std::string(arch.family->modules.front().class_name)
                                          : bare_class(*arch.family, type)};
    if (classifies) config["num_labels"] = arch.classes;
    return config;
}

Computation compute_image_model(const Architecture& arch, const ImageType& type) {
    ComputationReader reader(arch);
    Computation computation = reader.read({});
    if (type.stretches)
        reader.reject("num_patches", "positions that are stretched to the form of an image are not computed here",
                      "run a model that reads images of one form");
    if (reader.flag("use_shared_relative_position_bias", false))
        reader.reject("use_shared_relative_position_bias", "scores that know where a patch lies are not computed here",
                      "set it to false");
    if (scores_distances(arch))
        reader.reject("use_relative_position_bias", "scores that know where a patch lies are not computed here",
                      "set it to false");
    return reader.finish(std::move(computation));
}

}  // namespace headcount
