// Which combinations are possible with copies of the residual stream and with what is added beside it.
#include <string>

#include "core/arch/computation.hpp"
#include "core/arch/family.hpp"
#include "core/arch/finding.hpp"

namespace headcount {

// Each copy of the stream has matrices by itself, of which the graph has all.
void copies_are_few(const Architecture& arch, Finding& finding) {
    constexpr std::int64_t most = 64;
    if (arch.layer.stream_copies.value_or(1) <= most) return;
    finding.problems.push_back(
        {{std::to_string(*arch.layer.stream_copies) + " copies of the stream are more than are known here",
          "stream_copies", "give at most " + std::to_string(most)},
         {Field::stream_copies},
         {{Field::stream_copies, std::to_string(most), "Use " + std::to_string(most)}}});
}

// What is added beside attention is added with it.
void laurel_is_in_turn(const Architecture& arch, Finding& finding) {
    if (!arch.layer.laurel_rank || arch.layer.joining == Joining::in_turn) return;
    finding.problems.push_back(
        {{"sub-blocks side by side have no place for LAuReL", "laurel_rank",
          "put the sub-blocks in turn, or leave it out"},
         {Field::laurel_rank, Field::joining},
         {{Field::laurel_rank, "none", "Leave it out"}, {Field::joining, "in_turn", "In turn"}}});
}

// It is added to the stream, and where sub-blocks are added to what their norms make there is no stream to add to.
void laurel_has_a_stream(const Architecture& arch, Finding& finding) {
    if (!arch.layer.laurel_rank || !arch.family) return;
    if (!arch.family->computation(arch).normed_residual) return;
    finding.problems.push_back({{"this type adds its sub-blocks to what their norms make, where LAuReL has no place",
                                 "laurel_rank", "leave it out"},
                                {Field::laurel_rank},
                                {{Field::laurel_rank, "none", "Leave it out"}}});
}

// Each of the layers with what they share is a kind of its own, and reads the embedded tokens, as wide as the stream.
void sharing_layers_fit(const Architecture& arch, Finding& finding) {
    constexpr std::int64_t most = 64;
    const auto shared = arch.family && arch.family->shared ? arch.family->shared(arch) : std::nullopt;
    if (!shared) return;
    if (const std::int64_t there = shared->layers.count(arch.layers); there > most)
        finding.problems.push_back(
            {{std::to_string(there) + " layers with a shared one before their mixer are not told apart here", "layers",
              "take fewer layers: at most " + std::to_string(most) + " of them may have it"},
             {Field::layers},
             {}});
    if (arch.embedding_dim)
        finding.problems.push_back({{"shared layers read the embedded tokens beside the stream, as wide as that",
                                     "embedding_dim", "leave it to the stream"},
                                    {Field::embedding_dim},
                                    {{Field::embedding_dim, "auto", "Leave it to the stream"}}});
    if (reads_numbers(arch))
        finding.problems.push_back(
            {{"shared layers read embedded tokens, and an image or sound has none",
              arch.patches ? "image_height" : "sound_channels", "let the model read a text"},
             {arch.patches ? Field::image_height : Field::sound_channels},
             {{arch.patches ? Field::image_height : Field::sound_channels, "none", "Read a text"}}});
}

}  // namespace headcount
