// The text part of PP-FormulaNet (Liu et al. 2025): mBART's decoder, beside an encoder of images; the attention to that
// is counted alone (transformers, modeling_pp_formulanet.py).
#include "core/families/bart_like.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace pp_formulanet {

constexpr auto modules = [] {
    auto all = join(
        std::to_array<Module>({
            {1, "", ModuleKind::container, {}, "PPFormulaNetForConditionalGeneration"},
            {2, "model", ModuleKind::container, {}, "PPFormulaNetTextModel"},
            {3, "embed_tokens", ModuleKind::embedding, Part::token_embedding, "PPFormulaNetTextScaledWordEmbedding"},
        }),
        bart::learned_modules<"PPFormulaNetText">, bart::decoder_layer_modules<"PPFormulaNetText">,
        bart::closing_modules, std::to_array<Module>({{2, "lm_head", ModuleKind::linear, Part::output_head, {}}}));
    for (Module& module : all) --module.depth;  // the decoder is the model
    return all;
}();

void read_rest(ConfigReader& reader, Architecture& arch) {
    arch.position_offset = 2;
    reader.flag({"is_encoder_decoder"}, true);  // it is, whatever the file says
}

constexpr std::string_view ignored = "decoder_layerdrop encoder_attention_heads encoder_layers scale_embedding";
constexpr PlainType type{
    .called = {"pp_formulanet_text", "PP-FormulaNet, text", modules},
    .words = {.dim = {"d_model", "hidden_size"},
              .layers = {"decoder_layers"},
              .heads = {"decoder_attention_heads"},
              .width = "decoder_ffn_dim",
              .activation = "activation_function",
              .epsilon = {}},
    .usual = {.dim = 512, .layers = 8, .heads = 16, .vocab = 50000, .context = 2560, .width = 2048},
    .activation = "gelu",
    .tied = false,
    .embedding_norm = true,
    .positions = Positions::learned,
    .computing = {.refused = "attention to what an encoder made of images"},
    .own = {read_rest},
    .rest = {.besides = [](const Architecture& arch) { return bart::idle_attention(arch, Symbol::dim); },
             .padding = 1,
             .ignored = ignored}};

}  // namespace pp_formulanet

constexpr Family pp_formulanet_text_family = plain_family<pp_formulanet::type>();

}  // namespace headcount
