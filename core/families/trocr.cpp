// TrOCR's decoder (Li et al. 2021): BART's layers, beside an encoder of images that is in another file; the attention
// to that is stored here, and read by nothing (transformers, modeling_trocr.py).
#include <cmath>

#include "core/families/bart_like.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace trocr {

constexpr auto modules =
    join(std::array<Module, 2>{{
             {0, "", ModuleKind::container, {}, "TrOCRForCausalLM"},
             {1, "model", ModuleKind::container, {}, "TrOCRDecoderWrapper"},
         }},
         bart::stack_modules("decoder", ModuleKind::decoder, "TrOCRDecoder", "TrOCRScaledWordEmbedding"),
         bart::learned_modules<"TrOCR">,
         std::array<Module, 1>{{{3, "layernorm_embedding", ModuleKind::norm, Part::embedding_norm, {}}}},
         bart::decoder_layer_modules<"TrOCR">,
         std::array<Module, 2>{{
             {3, "layer_norm", ModuleKind::norm, Part::final_norm, {}},
             {1, "output_projection", ModuleKind::linear, Part::output_head, {}},
         }});

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    arch.dim = reader.number({"d_model", "hidden_size"}, 1024);
    arch.layers = reader.number({"decoder_layers", "num_hidden_layers"}, 12);
    arch.layer.attention.heads = reader.number({"decoder_attention_heads", "num_attention_heads"}, 16);
    arch.vocab = reader.number({"vocab_size"}, 50265);
    arch.context = reader.number({"max_position_embeddings"}, 512);
    const bool learned = reader.flag({"use_learned_position_embeddings"}, true);
    arch.positions = learned ? Positions::learned : Positions::sinusoidal;
    arch.position_offset = 2;
    arch.embedding_norm = reader.flag({"layernorm_embedding"}, true);
    arch.tied = reader.flag({"tie_word_embeddings"}, true);
    arch.norm = layer_norm(1e-5);
    arch.norm.placement = NormPlacement::after_sum;
    arch.norm.final = false;
    arch.layer.feed_forward = {.gated = false,
                               .activation = read_activation(reader, {"activation_function"}, "gelu"),
                               .width = reader.number({"decoder_ffn_dim"}, 4096)};
    set_biases(arch.layer, true);
    reader.flag({"is_decoder"}, true);  // it is, whatever the file says
    carry_number(reader, "cross_attention_hidden_size", 1);
    reader.only_class(modules.front().class_name);
}

nlohmann::ordered_json write(const Architecture& arch) {
    return {
        {"architectures", {"TrOCRForCausalLM"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"d_model", arch.dim},
        {"decoder_layers", arch.layers},
        {"decoder_attention_heads", arch.layer.attention.heads},
        {"decoder_ffn_dim", bindings(arch, Input{})[Symbol::ffn_dim].value_or(0)},
        {"activation_function", activation_name(arch.layer.feed_forward.activation)},
        {"max_position_embeddings", arch.context},
        {"use_learned_position_embeddings", arch.positions == Positions::learned},
        {"layernorm_embedding", arch.embedding_norm},
        {"tie_word_embeddings", arch.tied},
    };
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
constexpr std::array ignored = std::to_array<std::string_view>(
    {"cross_attention_hidden_size", "decoder_layerdrop", "decoder_start_token_id", "scale_embedding"});

}  // namespace trocr

constexpr Family trocr_family = gpt_like<trocr_family, trocr::read, trocr::write, trocr::computing>(
    "trocr", "TrOCR", trocr::modules, {.besides = trocr::besides, .padding = 1, .ignored = trocr::ignored});

}  // namespace headcount
