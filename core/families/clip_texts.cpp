// Encoders of texts that were trained beside encoders of images: CLIP (Radford et al. 2021), MetaCLIP 2, SigLIP (Zhai
// et al. 2023) and SigLIP 2 (transformers, modeling_clip.py, modeling_siglip.py, modeling_siglip2.py); and what a file
// of both holds beside its encoder of texts: that of images, and what leads from both to where they are compared.
#include "core/families/besides.hpp"
#include "core/families/clip_like.hpp"
#include "core/families/families.hpp"
#include "core/families/plain_type.hpp"
#include "core/families/senses.hpp"

namespace headcount {
namespace clip_texts {

template <FixedText name>
constexpr auto modules = join(std::to_array<Module>({
                                  {0, "", ModuleKind::container, {}, joined_name<name, "TextModel">},
                                  {1, "text_model", ModuleKind::container, {}, joined_name<name, "TextTransformer">},
                                  {2, "embeddings", ModuleKind::container, {}, joined_name<name, "TextEmbeddings">},
                                  {3, "token_embedding", ModuleKind::embedding, Part::token_embedding, {}},
                                  {3, "position_embedding", ModuleKind::embedding, Part::position_embedding, {}},
                              }),
                              clip_layer_modules<name>,
                              std::to_array<Module>({
                                  {2, "final_layer_norm", ModuleKind::norm, Part::final_norm, {}},
                              }));

void read_rest(ConfigReader& reader, Architecture& arch) {
    reader.only_class(arch.family->modules.front().class_name);
    arch.output = OutputKind::none;
}

constexpr ComputationType computing{
    .rest = [](ComputationReader& reader, Computation&) { reader.reject_uncompared("a GPT-2"); }};
constexpr PlainType first{.called = {"clip_text_model", "CLIP's encoder of texts", modules<"CLIP">},
                          .words = {.tied = {}},
                          .usual = {.dim = 512, .layers = 12, .heads = 8, .vocab = 49408, .context = 77, .width = 2048},
                          .activation = "quick_gelu",
                          .tied = false,
                          .positions = Positions::learned,
                          .computing = computing,
                          .own = {read_rest},
                          .rest = {.ignored = "projection_dim tie_word_embeddings"}};

constexpr PlainType meta = changed(first, [](PlainType& other) {
    other.called = {"metaclip_2_text_model", "MetaCLIP 2's encoder of texts", modules<"MetaClip2">};
});

// SigLIP: all tokens see each other, and a matrix leads from the last one's row to where it is compared.
constexpr std::string_view projection = "projection_size";
constexpr PlainType sigmoid = changed(first, [](PlainType& other) {
    other.called = {"siglip_text_model", "SigLIP's encoder of texts", modules<"Siglip">};
    other.usual = {.dim = 768, .layers = 12, .heads = 12, .vocab = 32000, .context = 64, .width = 3072};
    other.activation = "gelu_pytorch_tanh";
    other.norm = layer_norm(1e-6);
    other.own.read = [](ConfigReader& reader, Architecture& arch) {
        read_rest(reader, arch);
        arch.layer.attention.mask = AttentionMask::full;
        carry_number(reader, projection, arch.dim);
    };
    other.rest.besides = [](const Architecture& arch) {
        Besides more(arch);
        const std::int64_t width = more.number(projection, 0);
        more.in_model(Component::output);
        return more.linear("head", width > 0 ? Expr(width) : Expr(Symbol::dim), Symbol::dim, true).take();
    };
    other.rest.numbers = projection;
    other.rest.ignored = "tie_word_embeddings";
});

constexpr PlainType second = changed(sigmoid, [](PlainType& other) {
    other.called = {"siglip2_text_model", "SigLIP 2's encoder of texts", modules<"Siglip2">};
});

}  // namespace clip_texts

constexpr Family clip_text_model_family = plain_family<clip_texts::first>();
constexpr Family metaclip_2_text_model_family = plain_family<clip_texts::meta>();
constexpr Family siglip_text_model_family = plain_family<clip_texts::sigmoid>();
constexpr Family siglip2_text_model_family = plain_family<clip_texts::second>();

namespace clip_texts {

// SigLIP's both make rows as wide themselves.
Result<Senses> sigmoid_pair(const nlohmann::json& file, std::string_view tower) {
    SensesReader reader(file);
    reader.list("vision_config", find_tower(tower), reader.tower("vision_model"));
    const Section connector = reader.connector("");
    connector.add("logit_scale", {1});
    connector.add("logit_bias", {1});
    return reader.take();
}

}  // namespace clip_texts

namespace senses {

// Two matrices without a bias lead to the width in which a text and an image are compared; a trained number scales
// that.
Result<Senses> clip_pair(const nlohmann::json& file) {
    SensesReader reader(file);
    const Tower tower = find_tower("clip_vision_model");
    const std::int64_t columns = reader.list("vision_config", tower, reader.tower("vision_model"));
    const std::int64_t common = reader.fields.number({"projection_dim"}, 512);
    const Section connector = reader.connector("");
    connector.linear("visual_projection", common, columns, false);
    connector.linear("text_projection", common, Symbol::dim, false);
    connector.add("logit_scale", {});
    return reader.take();
}

Result<Senses> siglip_pair(const nlohmann::json& file) { return clip_texts::sigmoid_pair(file, "siglip_vision_model"); }

Result<Senses> siglip2_pair(const nlohmann::json& file) {
    return clip_texts::sigmoid_pair(file, "siglip2_vision_model");
}

}  // namespace senses
}  // namespace headcount
