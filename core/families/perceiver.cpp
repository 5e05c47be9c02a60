// Perceiver IO for hidden letters (Jaegle et al. 2021): few rows of its own look at all of a text, at each other many
// times, and are looked at from each place of the text. All but the tables is known here by its tensors alone
// (transformers, modeling_perceiver.py).
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/plain_type.hpp"

namespace headcount {
namespace perceiver {

constexpr auto modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, "PerceiverForMaskedLM"},
    {1, "perceiver", ModuleKind::container, {}, "PerceiverModel"},
    {2, "input_preprocessor.embeddings", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "input_preprocessor.position_embeddings", ModuleKind::embedding, Part::position_embedding, {}},
    {2, "encoder", ModuleKind::container, {}, "PerceiverEncoder"},
    {3, "self_attends", ModuleKind::container, {}, "ModuleList"},
    {4, "{i}", ModuleKind::layer, {}, "PerceiverLayer"},
    {1, "embedding_decoder", ModuleKind::linear, Part::output_head, {}},
});

void read_rest(ConfigReader& reader, Architecture& arch) {
    arch.norm.final = false;
    arch.layer.attention.mask = AttentionMask::full;
    arch.layer.mixer_layers = LayerSet::none();
    arch.layer.feed_forward_layers = LayerSet::none();
    carry_numbers(
        reader,
        "cross_attention_widening_factor d_latents num_latents qk_channels self_attention_widening_factor v_channels");
    reader.only_class(modules.front().class_name);
}

// How wide rows are that look (queries) and that are looked at, and between them keys and values.
struct Widths {
    Expr looking, seen, keys, values;
    bool crosses = true;
    std::int64_t widening = 1;
};

void add_layer(Besides& more, const std::string& before, const Widths& widths) {
    const std::string own = before + "attention.";
    more.norm(own + "self.layernorm1", widths.looking, true);
    if (widths.crosses) more.norm(own + "self.layernorm2", widths.seen, true);
    const Expr wide = Expr(widths.widening) * widths.looking;
    more.linear(own + "self.query", widths.keys, widths.looking, true)
        .linear(own + "self.key", widths.keys, widths.seen, true)
        .linear(own + "self.value", widths.values, widths.seen, true)
        .linear(own + "output.dense", widths.crosses ? widths.looking : widths.values, widths.values, true)
        .norm(before + "layernorm", widths.looking, true)
        .linear(before + "mlp.dense1", wide, widths.looking, true)
        .linear(before + "mlp.dense2", widths.looking, wide, true);
}

std::vector<Extra> besides(const Architecture& arch) {
    Besides more(arch);
    const std::int64_t latent = more.number("d_latents", 1280);
    const std::int64_t keys = more.number("qk_channels", 0), values = more.number("v_channels", 0);
    const nlohmann::json* shape = said(arch.carried.object(), "cross_attention_shape_for_attention");
    const Expr crossing = keys > 0 ? Expr(keys) : shape && *shape == "q" ? Expr(latent) : Expr(Symbol::dim);
    const Expr within = keys > 0 ? keys : latent;
    more.in_model(Component::embedding).add("embeddings.latents", {more.number("num_latents", 256), latent});
    more.in_model(Component::attention);
    add_layer(more, "encoder.cross_attention.",
              {latent, Symbol::dim, crossing, values > 0 ? Expr(values) : crossing, true,
               more.number("cross_attention_widening_factor", 1)});
    more.in_layers(Component::attention);
    add_layer(more, "",
              {latent, latent, within, values > 0 ? Expr(values) : within, false,
               more.number("self_attention_widening_factor", 1)});
    more.in_model(Component::embedding)
        .add("decoder.output_position_encodings.position_embeddings", {Symbol::context, Symbol::dim});
    more.in_model(Component::attention);
    // Eight heads of 32 columns each, whatever the file says.
    add_layer(more, "decoder.decoding_cross_attention.", {Symbol::dim, latent, 256, Symbol::dim, true, 1});
    return more.take();
}

// Of the models that read images, sound and motion.
constexpr std::string_view ignored =
    "_label_trainable_num_channels audio_samples_per_frame cross_attention_shape_for_attention "
    "cross_attention_widening_factor d_latents image_size num_blocks num_cross_attention_heads num_frames num_latents "
    "output_num_channels output_shape qk_channels samples_per_patch self_attention_widening_factor train_size "
    "use_query_residual v_channels";
constexpr ComputationType computing{.refused = "rows of its own that look at a text"};

constexpr PlainType type{.called = {"perceiver", "Perceiver", modules},
                         .words = {.dim = {"d_model"},
                                   .layers = {"num_self_attends_per_block"},
                                   .heads = {"num_self_attention_heads"},
                                   .width = {},
                                   .tied = {}},
                         .usual = {.dim = 768, .layers = 26, .heads = 8, .vocab = 262, .context = 2048},
                         .activation = "gelu",
                         .norm = layer_norm(1e-12),
                         .gated = true,
                         .biases = false,
                         .head_bias = true,
                         .positions = Positions::learned,
                         .computing = computing,
                         .own = {read_rest},
                         .rest = {.besides = besides, .ignored = ignored}};

}  // namespace perceiver

constexpr Family perceiver_family = plain_family<perceiver::type>();

}  // namespace headcount
