// TrOCR's decoder (Li et al. 2021): BART's layers, beside an encoder of images that is in another file; the attention
// to that is stored here, and read by nothing (transformers, modeling_trocr.py).
#include <cmath>

#include "core/families/bart_like.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace trocr {

constexpr auto modules =
    join(std::to_array<Module>({
             {0, "", ModuleKind::container, {}, "TrOCRForCausalLM"},
             {1, "model", ModuleKind::container, {}, "TrOCRDecoderWrapper"},
         }),
         bart::stack_modules("decoder", ModuleKind::decoder, "TrOCRDecoder", "TrOCRScaledWordEmbedding"),
         bart::learned_modules<"TrOCR">,
         std::to_array<Module>({{3, "layernorm_embedding", ModuleKind::norm, Part::embedding_norm, {}}}),
         bart::decoder_layer_modules<"TrOCR">,
         std::to_array<Module>({
             {3, "layer_norm", ModuleKind::norm, Part::final_norm, {}},
             {1, "output_projection", ModuleKind::linear, Part::output_head, {}},
         }));

void read_rest(ConfigReader& reader, Architecture& arch) {
    if (!reader.flag({"use_learned_position_embeddings"}, true)) arch.positions = Positions::sinusoidal;
    arch.position_offset = 2;
    arch.embedding_norm = reader.flag({"layernorm_embedding"}, true);
    reader.flag({"is_decoder"}, true);  // it is, whatever the file says
    carry_number(reader, "cross_attention_hidden_size", 1);
    reader.only_class(modules.front().class_name);
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    config["use_learned_position_embeddings"] = arch.positions == Positions::learned;
    config["layernorm_embedding"] = arch.embedding_norm;
}

std::vector<Extra> besides(const Architecture& arch) {
    const nlohmann::json& carried = arch.carried.object();
    ConfigReader reader(carried);
    const std::int64_t images = reader.optional_number({"cross_attention_hidden_size"}).value_or(arch.dim);
    return bart::idle_attention(arch, images == arch.dim ? Expr(Symbol::dim) : Expr(images));
}

constexpr ComputationType computing{.rest = [](ComputationReader& reader, Computation& computation) {
    computation.sinusoids.to_the_end = true;
    if (reader.flag("scale_embedding", false))
        computation.embedding_scale = std::sqrt(static_cast<double>(reader.arch().dim));
}};
// Read where tensors are listed and where a run is computed; the rest is of training.
constexpr std::string_view ignored =
    "add_cross_attention cross_attention_hidden_size decoder_layerdrop scale_embedding";

constexpr PlainType type{
    .called = {"trocr", "TrOCR", modules},
    .words = {.dim = {"d_model", "hidden_size"},
              .layers = {"decoder_layers", "num_hidden_layers"},
              .heads = {"decoder_attention_heads", "num_attention_heads"},
              .width = "decoder_ffn_dim",
              .activation = "activation_function",
              .epsilon = {}},
    .usual = {.dim = 1024, .layers = 12, .heads = 16, .vocab = 50265, .context = 512, .width = 4096},
    .activation = "gelu",
    .norm = layer_norm(1e-5, NormPlacement::after_sum),
    .positions = Positions::learned,
    .computing = computing,
    .own = {read_rest, write_rest},
    .rest = {.besides = besides, .padding = 1, .ignored = ignored}};

}  // namespace trocr

constexpr Family trocr_family = plain_family<trocr::type>();

}  // namespace headcount
