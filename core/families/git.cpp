// GIT (Wang et al. 2022): BERT's layers as a decoder, behind the rows that a CLIP's encoder of images makes; that is
// counted by name and shape (transformers, modeling_git.py).
#include "core/families/bert_like.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/senses.hpp"

namespace headcount {
namespace git {

constexpr std::string_view vision = "vision_config", times = "num_image_with_embedding";

constexpr auto modules =
    join(std::to_array<Module>({
             {0, "", ModuleKind::container, {}, "GitForCausalLM"},
             {1, "git", ModuleKind::container, {}, "GitModel"},
             {2, "embeddings", ModuleKind::container, {}, "GitEmbeddings"},
             {3, "word_embeddings", ModuleKind::embedding, Part::token_embedding, {}},
             {3, "position_embeddings", ModuleKind::embedding, Part::position_embedding, {}},
             {3, "LayerNorm", ModuleKind::norm, Part::embedding_norm, {}},
         }),
         bert_layer_modules<"Git">, std::to_array<Module>({{1, "output", ModuleKind::linear, Part::output_head, {}}}));

// The encoder of images with what leads from it to the text's width; or the first that is wrong with it.
Result<std::vector<Extra>> list_senses(const nlohmann::json& config) {
    std::vector<Extra> listed;
    const Section tower(listed, Component::tower, "image_encoder.vision_model");
    const Section connector(listed, Component::connector, "visual_projection.visual_projection");
    nlohmann::json own = object_said(config, vision);
    constexpr int usual_patch = 16;
    if (!said(own, "patch_size")) own["patch_size"] = usual_patch;
    ConfigReader fields(own, largest_size);
    const Expr made = find_tower("clip_vision_model")(fields, tower);
    if (fields.error()) return within(std::string(vision), *fields.error());
    connector.linear("0", Symbol::dim, made);
    connector.norm("1", Symbol::dim);
    ConfigReader whole(config, most_listed);
    const std::int64_t frames = whole.number({times}, 0, 0);
    if (whole.error()) return *whole.error();
    const Section rows(listed, Component::connector, "");
    for (std::int64_t frame = 0; frame < frames; ++frame)
        rows.add("img_temporal_embedding." + std::to_string(frame), {1, 1, made});
    return one_by_one(listed);
}

void read_rest(ConfigReader& reader, Architecture&) {
    reader.object({vision});
    for (const std::string_view field : {vision, times}) reader.carry(field);
    if (const Result<std::vector<Extra>> all = list_senses(reader.config()); !all)
        reader.reject(all.error().where, all.error().what, all.error().fix);
}

std::vector<Extra> besides(const Architecture& arch) {
    const Result<std::vector<Extra>> all = list_senses(arch.carried.object());
    return all ? *all : std::vector<Extra>();
}

constexpr ComputationType computing{
    .rest = [](ComputationReader& reader, Computation&) { reader.reject_uncompared("GIT"); }};
constexpr PlainType type{
    .called = {"git", "GIT", modules},
    .usual = {.dim = 768, .layers = 6, .heads = 12, .vocab = 30522, .context = 1024, .width = 3072},
    .activation = "gelu",
    .norm = layer_norm(1e-12, NormPlacement::after_sum),
    .tied = false,
    .embedding_norm = true,
    .head_bias = true,
    .positions = Positions::learned,
    .computing = computing,
    .own = {read_rest},
    .rest = {.besides = besides, .padding = 0, .ignored = "num_image_with_embedding vision_config"}};

}  // namespace git

constexpr Family git_family = plain_family<git::type>();

}  // namespace headcount
