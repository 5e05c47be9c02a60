// The text parts of KOSMOS-2 and KOSMOS-2.5 (Peng et al. 2023, Lv et al. 2023): fixed positions as XGLM has them, and
// norms inside the sub-blocks, which are counted alone (transformers, modeling_kosmos2.py, modeling_kosmos2_5.py).
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/plain_type.hpp"

namespace headcount {
namespace kosmos {

template <FixedText name>
constexpr auto modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, joined_name<name, "TextForCausalLM">},
    {1, "model", ModuleKind::container, {}, joined_name<name, "TextTransformer">},
    {2, "embed_tokens", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "embed_positions", ModuleKind::stateless, {}, joined_name<name, "TextSinusoidalPositionalEmbedding()">},
    {2, "layers", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, joined_name<name, "TextBlock">},
    {4, "self_attn", ModuleKind::container, {}, joined_name<name, "TextAttention">},
    {5, "k_proj", ModuleKind::linear, Part::key, {}},
    {5, "v_proj", ModuleKind::linear, Part::value, {}},
    {5, "q_proj", ModuleKind::linear, Part::query, {}},
    {5, "out_proj", ModuleKind::linear, Part::attention_output, {}},
    {4, "self_attn_layer_norm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "ffn", ModuleKind::container, {}, joined_name<name, "TextFFN">},
    {5, "activation_fn", ModuleKind::activation, {}, {}},
    {5, "fc1", ModuleKind::linear, Part::up, {}},
    {5, "fc2", ModuleKind::linear, Part::down, {}},
    {4, "final_layer_norm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {2, "layer_norm", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
});

void read_rest(ConfigReader& reader, Architecture&) {
    if (reader.flag({"add_cross_attention"}, false))
        reader.reject("add_cross_attention", "attention to another model's text is not known here", "set it to false");
}

Besides inner_norm(const Architecture& arch) {
    Besides more(arch);
    more.in_layers(Component::feed_forward).norm("ffn.ffn_layernorm", Symbol::ffn_dim, true);
    return more;
}

constexpr std::string_view ignored = "scale_embedding";
constexpr PlainType second{
    .called = {"kosmos_2_text_model", "KOSMOS-2, text", modules<"Kosmos2">},
    .words = {.dim = {"embed_dim", "hidden_size"},
              .layers = {"layers", "num_hidden_layers"},
              .heads = {"attention_heads", "num_attention_heads"},
              .width = "ffn_dim",
              .activation = "activation_function"},
    .usual = {.dim = 2048, .layers = 24, .heads = 32, .vocab = 65037, .context = 2048, .width = 8192},
    .activation = "gelu",
    .positions = Positions::sinusoidal,
    .computing = {.refused = "norms inside the sub-blocks"},
    .own = {read_rest},
    .rest = {.besides =
                 [](const Architecture& arch) {
                     return inner_norm(arch)
                         .in_layers(Component::attention)
                         .norm("self_attn.inner_attn_ln", Symbol::dim, true)
                         .take();
                 },
             .padding = 1,
             .ignored = ignored}};

// KOSMOS-2.5: none in attention, and rows that tell a picture's positions from a text's.
constexpr PlainType later = changed(second, [](PlainType& other) {
    other.called.type = "kosmos_2_5_text_model";
    other.called.name = "KOSMOS-2.5, text";
    other.called.modules = modules<"Kosmos2_5">;
    other.usual = {.dim = 1536, .layers = 24, .heads = 16, .vocab = 108481, .context = 4096, .width = 6144};
    other.rest.besides = [](const Architecture& arch) {
        return inner_norm(arch).in_model(Component::embedding).table("segment_emb", 2, Symbol::dim).take();
    };
});

}  // namespace kosmos

constexpr Family kosmos_2_text_model_family = plain_family<kosmos::second>();
constexpr Family kosmos_2_5_text_model_family = plain_family<kosmos::later>();

}  // namespace headcount
