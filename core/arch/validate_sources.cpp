// Which combinations are possible with an encoder, an image or sound.
#include <algorithm>

#include "core/arch/family.hpp"
#include "core/arch/finding.hpp"

namespace headcount {
namespace {

// A field's value that `what` does not go with: either changes.
void add_clash(const Architecture& arch, Finding& finding, std::string_view what, Fix other, Fix without,
               const std::string& way_out) {
    const std::string key(info(other.field).key);
    other.label = "Use " + other.text;
    finding.problems.push_back(
        {{std::string(what) + " not known with " + key + " = " + field_text(arch, other.field).value_or("none"), key,
          "change it, or " + way_out},
         {other.field, without.field},
         {other, without}});
}

}  // namespace

// An encoder has the decoder's attention and feed-forward in all its layers, and hands over what no other stack has.
void encoder_stands_beside(const Architecture& arch, Finding& finding) {
    if (!arch.encoder) return;
    const Attention& attention = arch.layer.attention;
    const auto clash = [&](bool wrong, Field field, std::string_view value) {
        if (wrong)
            add_clash(arch, finding, "an encoder beside the decoder is", {field, std::string(value), {}},
                      {Field::encoder_layers, "none", "Leave out the encoder"}, "leave the encoder out");
    };
    clash(arch.positions == Positions::alibi || arch.positions == Positions::learned_relative, Field::positions,
          "relative");
    clash(arch.output == OutputKind::masked || arch.output == OutputKind::pooler, Field::output, "language");
    clash(attention.mask == AttentionMask::full, Field::mask, "causal");
    clash(attention.latent.has_value(), Field::kv_rank, "none");
    clash(arch.layer.recurrence.has_value(), Field::state_dim, "none");
    clash(attention.window && attention.window->chunked, Field::window_chunked, "false");
    clash(attention.full.has_value(), Field::full_head_dim, "none");
    clash(arch.embedding_dim.has_value(), Field::embedding_dim, "auto");
    clash(arch.token_types > 0, Field::token_types, "0");
    clash(arch.layer.joining != Joining::in_turn, Field::joining, "in_turn");
    clash(arch.layer.stream_copies.has_value(), Field::stream_copies, "none");
    clash(arch.layer.mixer_layers != LayerSet(), Field::mixer_layers, "1");
    clash(arch.layer.feed_forward_layers != LayerSet(), Field::ffn_layers, "1");
}

// What patches stand for is all seen at once, and cut from an image that has some.
void patches_fit(const Architecture& arch, Finding& finding) {
    if (!arch.patches) return;
    const Patches& patches = *arch.patches;
    const auto clash = [&](bool wrong, Field field, std::string_view value) {
        if (wrong)
            add_clash(arch, finding, "patches of an image are", {field, std::string(value), {}},
                      {Field::image_height, "none", "Read tokens"}, "read tokens");
    };
    clash(!sees_all(arch), Field::mask, "full");
    clash(arch.encoder.has_value(), Field::encoder_layers, "none");
    clash(arch.sound.has_value(), Field::sound_channels, "none");
    clash(arch.embedding_dim.has_value(), Field::embedding_dim, "auto");
    clash(arch.layer.embedding.has_value(), Field::layer_embedding_dim, "none");
    clash(arch.tied && has_head(arch) && arch.output != OutputKind::classes, Field::tied, "false");
    clash(arch.output == OutputKind::masked, Field::output, "classes");
    clash(patches.class_tokens > 2, Field::class_tokens, "1");
    const std::int64_t least = std::min(patches.height, patches.width);
    if (patches.size <= least) return;
    finding.problems.push_back({{"patches of " + std::to_string(patches.size) + " are larger than the image", "patch",
                                 "give smaller ones, or a larger image"},
                                {Field::patch, Field::image_height},
                                {{Field::patch, std::to_string(least), "Use " + std::to_string(least)}}});
}

// Sound stands in the place of what an encoder reads, or an encoder's only stack.
void sound_fits(const Architecture& arch, Finding& finding) {
    if (!arch.sound) return;
    const Sound& sound = *arch.sound;
    if (!arch.encoder && !sees_all(arch))
        finding.problems.push_back({{"sound is read all at once, by an encoder", "mask", "let all be seen"},
                                    {Field::mask, Field::sound_channels},
                                    {{Field::mask, "full", "Use full"}}});
    if (arch.encoder && !arch.encoder->own_embedding)
        finding.problems.push_back({{"an encoder that hears has no words", "encoder_embedding", "set it to true"},
                                    {Field::encoder_embedding, Field::sound_channels},
                                    {{Field::encoder_embedding, "true", "Use true"}}});
    if (sound.convolutions.empty() && !(arch.family && arch.family->hears_besides))
        finding.problems.push_back({{"without a convolution sound makes no rows", "convolutions",
                                     "give one or more, such as 512x3/1,512x3/2, or read tokens"},
                                    {Field::convolutions, Field::sound_channels},
                                    {{Field::convolutions, "512x3/1,512x3/2", "Use two convolutions"},
                                     {Field::sound_channels, "none", "Read tokens"}}});
    if (arch.dim % sound.position_groups == 0 || sound.position_kernel == 0) return;
    finding.problems.push_back(
        {{std::to_string(sound.position_groups) + " groups do not divide width " + std::to_string(arch.dim),
          "position_groups", "give a number that divides it"},
         {Field::position_groups, Field::dim},
         {{Field::position_groups, "1", "Use 1"}}});
}

}  // namespace headcount
