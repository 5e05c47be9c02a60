// IDEFICS (Laurençon et al. 2023), after Flamingo: LLaMA, between whose layers are others that look at what an encoder
// of images makes, which gates let in little by little; those, the encoder and a resampler behind it are counted by
// name and shape (transformers, modeling_idefics.py, perceiver.py).
#include <algorithm>

#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/senses.hpp"

namespace headcount {
namespace idefics {

constexpr DecoderClasses classes =
    changed(classes_of<"Idefics">, [](DecoderClasses& own) { own.causal_lm = "IdeficsForVisionText2Text"; });
constexpr std::string_view vision = "vision_config", resampling = "perceiver_config", resamples = "use_resampler",
                           added = "additional_vocab_size", interval = "cross_layer_interval", norms = "qk_layer_norms",
                           gates = "alpha_type";

// A CLIP's, of which an absent field means other sizes.
std::int64_t list_tower(ConfigReader& reader, const nlohmann::json& file, const Section& section) {
    nlohmann::json own{
        {"intermediate_size", 5120}, {"patch_size", 14}, {"num_hidden_layers", 32}, {"num_attention_heads", 16}};
    own.update(object_said(file, vision));
    if (const nlohmann::json* width = said(own, "embed_dim")) own["hidden_size"] = *width;
    ConfigReader fields(own, largest_size);
    const std::int64_t columns = find_tower("clip_vision_model")(fields, section);
    if (fields.error()) reader.reject(vision, fields.error()->where + ": " + fields.error()->what, fields.error()->fix);
    return columns;
}

// Trained queries that look at the patches.
void list_resampler(ConfigReader& reader, const nlohmann::json& file, std::int64_t columns, const Section& section) {
    const nlohmann::json own = object_said(file, resampling);
    ConfigReader fields(own, largest_size);
    const std::int64_t head = fields.number({"resampler_head_dim"}, 96);
    const std::int64_t inner = head * fields.number({"resampler_n_heads"}, 16);
    section.add("latents", {fields.number({"resampler_n_latents"}, 64), columns});
    section.norm("layer_norm", columns);
    const Section block = section.each("blocks", fields.number({"resampler_depth"}, 6, 0));
    const Section attention = block.in("0");
    attention.norms({"context_layer_norm", "latents_layer_norm"}, columns);
    if (fields.flag({"qk_layer_norms_perceiver"}, false)) attention.norms({"q_layer_norm", "k_layer_norm"}, head);
    attention.linears({"q_proj", "k_proj", "v_proj"}, inner, columns, false);
    attention.linear("output_proj", columns, inner, false);
    block.norm("1.ln", columns);
    block.linear("1.fc", 4 * columns, columns, false);
    block.linear("1.c_proj", columns, 4 * columns, false);
    if (fields.error())
        reader.reject(resampling, fields.error()->where + ": " + fields.error()->what, fields.error()->fix);
}

// What stands before a layer of the text: its attention to the images and its feed-forward, each with a gate.
void list_layers(ConfigReader& reader, std::int64_t layers, std::int64_t columns, const Section& section) {
    const std::string kind = reader.text({gates}, "float");
    if (kind != "float" && kind != "vector")
        reader.reject(gates, as_written(kind) + " is no kind of gate that is known here", "give float or vector");
    const Section layer = section.each("gated_cross_attn_layers", layers);
    for (const char* const gate : {"alpha_cross_attn", "alpha_dense"})
        layer.add(gate, kind == "vector" ? std::vector<Expr>{1, 1, Symbol::dim} : std::vector<Expr>{1});
    const Expr dim = Symbol::dim, inner = Symbol::ffn_dim;
    layer.linears({"cross_attn.q_proj", "cross_attn.o_proj"}, dim, dim, false);
    layer.linears({"cross_attn.k_proj", "cross_attn.v_proj"}, dim, columns, false);
    if (reader.flag({norms}, false))
        layer.norms({"cross_attn.q_layer_norm", "cross_attn.k_layer_norm"}, Symbol::head_dim, false);
    layer.linears({"mlp.gate_proj", "mlp.up_proj"}, inner, dim, false);
    layer.linear("mlp.down_proj", dim, inner, false);
    layer.norms({"input_layernorm", "post_attention_layernorm"}, dim, false);
}

// All of it; or the first that is wrong.
Result<std::vector<Extra>> list_senses(const nlohmann::json& file, std::int64_t layers) {
    std::vector<Extra> listed;
    ConfigReader reader(file, largest_size);
    const Section connector(listed, Component::connector, "");
    const std::int64_t patches = list_tower(reader, file, Section(listed, Component::tower, "vision_model"));
    if (reader.flag({resamples}, false)) list_resampler(reader, file, patches, connector.in("perceiver_resampler"));
    list_layers(reader, layers / reader.number({interval}, 1), patches, connector);
    if (reader.error()) return *reader.error();
    return one_by_one(listed);
}

void read(ConfigReader& reader, Architecture& arch) {
    for (const std::string_view part : {vision, resampling}) {
        reader.object({part});
        reader.carry(part);
    }
    carry_number(reader, added, 0, 0);
    carry_number(reader, interval, 1);
    for (const std::string_view flag : {resamples, norms}) carry_flag(reader, flag, false);
    if (const Result<std::vector<Extra>> all = list_senses(reader.config(), arch.layers); !all)
        reader.reject(all.error().where, all.error().what, all.error().fix);
}

std::vector<Extra> besides(const Architecture& arch) {
    const Result<std::vector<Extra>> senses = list_senses(arch.carried.object(), arch.layers);
    std::vector<Extra> all = senses ? *senses : std::vector<Extra>();
    Besides more(arch);
    if (const std::int64_t rows = more.number(added, 0); rows > 0) {
        more.in_model(Component::embedding).table("embed_tokens.additional_embedding", rows, Symbol::dim);
        if (has_head(arch) && !arch.tied)
            more.in_model(Component::output).linear("lm_head.additional_fc", rows, Symbol::dim);
    }
    for (Extra& each : more.take()) all.push_back(std::move(each));
    return all;
}

constexpr std::string_view ignored =
    "additional_vocab_size alpha_initializer alpha_type alphas_initializer_range cross_layer_interval freeze_lm_head "
    "freeze_text_layers freeze_text_module_exceptions freeze_vision_layers freeze_vision_module_exceptions "
    "perceiver_config qk_layer_norms use_resampler vision_config";
constexpr LlamaType type{.called = {"idefics", "IDEFICS", classes},
                         .head_dim_field = {},
                         .qkv_bias_field = {},
                         .computing = {.refused = "attention to what an encoder made of images"},
                         .padding = 0,
                         .ignored = ignored,
                         .besides = besides,
                         .own = {read}};

}  // namespace idefics

constexpr Family idefics_family = llama_like<idefics::type>();

}  // namespace headcount
