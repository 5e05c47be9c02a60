// T5, mT5 and UMT5 (Raffel et al. 2020; Xue et al. 2021; Chung et al. 2023): an encoder and a decoder that share one
// embedding, distances in the place of positions, UMT5's in every layer by themselves, scores that nothing scales
// (transformers, modeling_t5.py, modeling_umt5.py).
#include <cmath>

#include "core/families/families.hpp"
#include "core/families/t5_like.hpp"

namespace headcount {
namespace t5 {

constexpr ComputationType multilingual_computing{.rest = read_computation};

// What the output head reads is scaled by one over the root of the width where that head is the embedding, unless the
// file says otherwise.
constexpr ComputationType first_computing{.rest = [](ComputationReader& reader, Computation& computation) {
    read_computation(reader, computation);
    if (reader.flag("scale_decoder_outputs", reader.flag("tie_word_embeddings", reader.arch().tied)))
        computation.logit_scale = 1 / std::sqrt(static_cast<double>(reader.arch().dim));
}};

// The same, whatever the file says of it.
constexpr ComputationType by_layer_computing{.rest = [](ComputationReader& reader, Computation& computation) {
    read_computation(reader, computation);
    if (reader.arch().tied) computation.logit_scale = 1 / std::sqrt(static_cast<double>(reader.arch().dim));
}};

constexpr Defaults first{.tied_without_gates = true};
constexpr Defaults multilingual{.vocab = 250112,
                                .ffn_dim = 1024,
                                .layers = 8,
                                .heads = 6,
                                .feed_forward = "gated-gelu",
                                .tied_without_gates = true};

constexpr std::array first_modules = modules_of<"T5">;
constexpr std::array multilingual_modules = modules_of<"MT5">;

constexpr Defaults by_layer = changed(multilingual, [](Defaults& other) { other.by_layer = true; });
constexpr std::array by_layer_modules = modules_of<"UMT5">;

}  // namespace t5

// What the published weights hold decides whether the head is the embedding: with gates they have one of their own,
// which transformers leaves apart when it loads them, and of which version 5 makes none.
template <const t5::Defaults& defaults, const ComputationType& computing>
constexpr Family t5_by_weights(std::string_view type, std::string_view name, std::span<const Module> modules,
                               std::string_view encoder_class) {
    Family made = t5::family_of<defaults, computing>(type, name, modules);
    made.encoder_class = encoder_class;
    made.ignored = "tie_word_embeddings";
    made.differs = [](const Architecture& arch) -> std::string_view {
        constexpr int tying_version = 5;
        if (arch.tied || arch.output != OutputKind::language || written_before(arch.carried.object(), tying_version))
            return "";
        return "The output head of its own is counted, as weights of this type have it. Of the configuration alone "
               "transformers builds a model whose head is the embedding.";
    };
    return made;
}

constexpr Family t5_family =
    t5_by_weights<t5::first, t5::first_computing>("t5", "T5", t5::first_modules, "T5EncoderModel");
constexpr Family mt5_family = t5_by_weights<t5::multilingual, t5::multilingual_computing>(
    "mt5", "mT5", t5::multilingual_modules, "MT5EncoderModel");
constexpr Family umt5_family =
    t5_by_weights<t5::by_layer, t5::by_layer_computing>("umt5", "UMT5", t5::by_layer_modules, "UMT5EncoderModel");

}  // namespace headcount
