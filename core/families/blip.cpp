// BLIP (Li et al. 2022): BERT's layers as a decoder, each with an attention to what an encoder of images makes; that
// and the encoder are counted by name and shape (transformers, modeling_blip.py, modeling_blip_text.py).
#include "core/families/bert_like.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/senses.hpp"
#include "core/families/two_stacks.hpp"

namespace headcount {
namespace blip {

constexpr auto modules = [] {
    auto own = lowered(join(bert_root_modules<"BlipText">("bert"), bert_embedding_modules<"BlipText">,
                            bert_layer_modules<"BlipText">, bert_head_modules<"BlipText">));
    own[0].name = "text_decoder";
    own[0].kind = ModuleKind::decoder;
    own[0].class_name = "BlipTextLMHeadModel";
    return join(std::to_array<Module>({{0, "", ModuleKind::container, {}, "BlipForConditionalGeneration"}}), own);
}();
constexpr BertType type{.called = {"blip", "BLIP", modules},
                        .usual = {.heads = 8, .vocab = 30524},
                        .token_types = {},
                        .pools = false,
                        .computing = {.refused = "attention to what an encoder made of images"}};

constexpr std::string_view text = "text_config", vision = "vision_config";

// What makes rows of images, and in `width` how wide these are; or the first that is wrong with it.
Result<std::vector<Extra>> list_tower(const nlohmann::json& file, std::int64_t& width) {
    std::vector<Extra> listed;
    const nlohmann::json own = object_said(file, vision);
    ConfigReader fields(own, largest_size);
    width = towers::blip(fields, Section(listed, Component::tower, "vision_model"));
    if (fields.error()) return within(std::string(vision), *fields.error());
    return one_by_one(listed);
}

Result<Architecture> read(const nlohmann::json& config, const Family& family) {
    ConfigReader whole(config);
    for (const std::string_view part : {text, vision}) whole.object({part});
    const bool tied = whole.flag({"tie_word_embeddings"}, true);  // or its text part says so
    whole.only_class(modules.front().class_name);
    if (whole.error()) return *whole.error();
    std::int64_t width = 0;
    if (const Result<std::vector<Extra>> tower = list_tower(config, width); !tower) return tower.error();
    nlohmann::json decoder = object_said(config, text);
    ConfigReader own(decoder);
    const bool decodes = own.flag({"is_decoder"}, true), own_tied = own.flag({"tie_word_embeddings"}, true);
    if (own.error()) return within(std::string(text), *own.error());
    for (const char* field : {"model_type", "architectures", "is_decoder", "encoder_hidden_size"}) decoder.erase(field);
    decoder["tie_word_embeddings"] = tied || own_tied;
    if (const nlohmann::json* tower = said(config, vision)) decoder[std::string(vision)] = *tower;  // carried
    Result<Architecture> arch = read_bert(decoder, family, type);
    if (!arch) return within(std::string(text), arch.error());
    if (decodes) arch->layer.attention.mask = AttentionMask::causal;
    return arch;
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json decoder = with_carried(write_bert(arch, type), arch);
    const nlohmann::ordered_json tower = decoder.value(std::string(vision), nlohmann::ordered_json::object());
    for (const std::string_view field : {std::string_view("architectures"), vision}) decoder.erase(std::string(field));
    decoder["model_type"] = "blip_text_model";
    decoder["is_decoder"] = arch.layer.attention.mask == AttentionMask::causal;
    return {{"architectures", {modules.front().class_name}},
            {"model_type", type.called.type},
            {"tie_word_embeddings", arch.tied},
            {std::string(text), decoder},
            {std::string(vision), tower}};
}

std::vector<Extra> besides(const Architecture& arch) {
    std::vector<Extra> all = bert_besides(arch, type);
    std::int64_t seen = 0;
    const Result<std::vector<Extra>> tower = list_tower(arch.carried.object(), seen);
    if (!tower) return all;
    all.insert(all.end(), tower->begin(), tower->end());
    if (arch.layer.attention.mask != AttentionMask::causal) return all;
    const Expr dim = Symbol::dim;
    Besides more(arch);
    more.in_layers(Component::attention)
        .linear("crossattention.self.query", dim, dim, true)
        .linear("crossattention.self.key", dim, seen, true)
        .linear("crossattention.self.value", dim, seen, true)
        .linear("crossattention.output.dense", dim, dim, true)
        .norm("crossattention.output.LayerNorm", dim, true);
    for (Extra& each : more.take()) all.push_back(std::move(each));
    return all;
}

}  // namespace blip

constexpr Family blip_family = [] {
    Family made = bert_like<blip::type>();
    made.read = blip::read;
    made.write = blip::write;
    made.besides = blip::besides;
    made.ignored = "projection_dim label_smoothing vision_config";
    return made;
}();

}  // namespace headcount
