// The text part of Pix2Struct (Lee et al. 2022): T5's decoder; its attention to what an encoder of images makes is
// counted alone (transformers, modeling_pix2struct.py).
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/plain_type.hpp"

namespace headcount {
namespace pix2struct {

constexpr auto modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, "Pix2StructForConditionalGeneration"},
    {1, "decoder", ModuleKind::container, {}, "Pix2StructTextModel"},
    {2, "embed_tokens", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "layer", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "Pix2StructTextBlock"},
    {4, "self_attention", ModuleKind::container, {}, "Pix2StructTextLayerSelfAttention"},
    {5, "attention", ModuleKind::container, {}, "Pix2StructTextAttention"},
    {6, "query", ModuleKind::linear, Part::query, {}},
    {6, "key", ModuleKind::linear, Part::key, {}},
    {6, "value", ModuleKind::linear, Part::value, {}},
    {6, "output", ModuleKind::linear, Part::attention_output, {}},
    {6, "relative_attention_bias", ModuleKind::embedding, Part::relative_bias, {}},
    {5, "layer_norm", ModuleKind::norm, Part::attention_norm, {}},
    {5, "dropout", ModuleKind::stateless, {}, dropout_10},
    {4, "mlp", ModuleKind::container, {}, "Pix2StructTextLayerFF"},
    {5, "DenseReluDense", ModuleKind::container, {}, "Pix2StructTextDenseGatedActDense"},
    {6, "wi_0", ModuleKind::linear, Part::gate, {}},
    {6, "wi_1", ModuleKind::linear, Part::up, {}},
    {6, "wo", ModuleKind::linear, Part::down, {}},
    {6, "dropout", ModuleKind::stateless, {}, dropout_10},
    {6, "act", ModuleKind::activation, {}, {}},
    {5, "layer_norm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {5, "dropout", ModuleKind::stateless, {}, dropout_10},
    {2, "final_layer_norm", ModuleKind::norm, Part::final_norm, {}},
    {2, "dropout", ModuleKind::stateless, {}, dropout_10},
    {2, "lm_head", ModuleKind::linear, Part::output_head, {}},
});

void read_rest(ConfigReader& reader, Architecture& arch) {
    reader.flag({"is_encoder_decoder"}, true);  // its class says what there is
    Attention& attention = arch.layer.attention;
    attention.relative_buckets = reader.number({"relative_attention_num_buckets"}, 32);
    const std::int64_t columns = reader.number({"d_kv"}, 64);
    if (columns != arch.dim / attention.heads || arch.dim % attention.heads != 0)
        reader.reject("d_kv", "heads of this type have an equal share of the width each",
                      "give hidden_size / num_heads");
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    config["relative_attention_num_buckets"] = arch.layer.attention.relative_buckets;
    config["d_kv"] = bindings(arch, Input{})[Symbol::head_dim].value_or(0);
}

std::vector<Extra> besides(const Architecture& arch) {
    Besides more(arch);
    more.in_layers(Component::attention);
    for (const char* const matrix : {"query", "key", "value", "output"})
        more.linear("encoder_decoder_attention.attention." + std::string(matrix), Symbol::dim, Symbol::dim);
    return more.in_layers(Component::norm).norm("encoder_decoder_attention.layer_norm", Symbol::dim).take();
}

constexpr PlainType type{
    .called = {"pix2struct_text_model", "Pix2Struct, text", modules},
    .words = {.layers = {"num_layers", "num_hidden_layers"},
              .heads = {"num_heads", "num_attention_heads"},
              .width = "d_ff",
              .activation = "dense_act_fn",
              .epsilon = "layer_norm_epsilon"},
    .usual = {.dim = 768, .layers = 12, .heads = 12, .vocab = 50244, .context = 512, .width = 2048},
    .activation = "gelu_new",
    .norm = {.epsilon = 1e-6},
    .tied = false,
    .gated = true,
    .biases = false,
    .positions = Positions::relative,
    .computing = {.refused = "attention to what an encoder made of images"},
    .own = {read_rest, write_rest},
    .rest = {.norm_class = "Pix2StructLayerNorm", .besides = besides}};

}  // namespace pix2struct

constexpr Family pix2struct_text_model_family = plain_family<pix2struct::type>();

}  // namespace headcount
