// Types with little but the stream that is known here by more than its tensors: CPM-Ant, whose scores are moved by
// segments and distances; XLNet (Yang et al. 2019), which looks at distances by a matrix of their own (transformers,
// modeling_cpmant.py, modeling_xlnet.py).
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/plain_type.hpp"

namespace headcount {

namespace cpmant {

constexpr auto modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, "CpmAntForCausalLM"},
    {1, "cpmant", ModuleKind::container, {}, "CpmAntModel"},
    {2, "encoder", ModuleKind::container, {}, "CpmAntEncoder"},
    {3, "layers", ModuleKind::container, {}, "ModuleList"},
    {4, "{i}", ModuleKind::layer, {}, "CpmAntTransformerBlock"},
    {5, "self_att", ModuleKind::container, {}, "CpmAntSelfAttentionBlock"},
    {6, "layernorm_before_attention", ModuleKind::norm, Part::attention_norm, {}},
    {6, "self_attention", ModuleKind::container, {}, "CpmAntAttention"},
    {7, "project_q", ModuleKind::linear, Part::query, {}},
    {7, "project_k", ModuleKind::linear, Part::key, {}},
    {7, "project_v", ModuleKind::linear, Part::value, {}},
    {7, "attention_out", ModuleKind::linear, Part::attention_output, {}},
    {5, "ffn", ModuleKind::container, {}, "CpmAntFFNBlock"},
    {6, "layernorm_before_ffn", ModuleKind::norm, Part::feed_forward_norm, {}},
    {6, "ffn", ModuleKind::container, {}, "CpmAntFeedForward"},
    {7, "w_in", ModuleKind::container, {}, "CpmAntDenseGatedACT"},
    {8, "w_0", ModuleKind::linear, Part::gate, {}},
    {8, "w_1", ModuleKind::linear, Part::up, {}},
    {7, "w_out", ModuleKind::linear, Part::down, {}},
    {3, "output_layernorm", ModuleKind::norm, Part::final_norm, {}},
    {2, "input_embedding", ModuleKind::embedding, {Part::token_embedding, Part::unscored_rows}, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
});

void read_rest(ConfigReader& reader, Architecture& arch) {
    arch.layer.attention.head_dim = reader.number({"dim_head"}, 128);
    carry_numbers(reader, "position_bias_num_buckets prompt_length prompt_types segment_types");
    reader.flag({"tie_word_embeddings"}, false);  // which is read past: the head has weights of its own
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    config["dim_head"] = bindings(arch, Input{})[Symbol::head_dim].value_or(0);
}

std::vector<Extra> besides(const Architecture& arch) {
    Besides more(arch);
    const std::int64_t segments = more.number("segment_types", 32);
    const std::int64_t buckets = more.number("position_bias_num_buckets", 512);
    const Expr pairs = Expr(segments) * segments + buckets;
    const Expr prompts = Expr(more.number("prompt_types", 32)) * more.number("prompt_length", 32);
    std::vector<Extra> all = more.in_model(Component::embedding)
                                 .table("segment_embedding", segments, Symbol::dim)
                                 .in_model(Component::attention)
                                 .add("position_bias.relative_attention_bias", {pairs, Symbol::heads})
                                 .take();
    all.push_back(unscored_rows(arch, prompts));
    return all;
}

constexpr ComputationType computing{.refused = "scores that segments and distances move"};

constexpr PlainType type{
    .called = {"cpmant", "CPM-Ant", modules},
    .words = {.context = {}, .width = "dim_ff", .activation = {}, .epsilon = "eps", .tied = {}},
    .usual = {.dim = 4096, .layers = 48, .heads = 32, .vocab = 30720, .context = 4096, .width = 10240},
    .activation = "gelu",
    .norm = {},
    .tied = false,
    .gated = true,
    .biases = false,
    .positions = Positions::none,
    .computing = computing,
    .own = {read_rest, write_rest},
    .rest = {.besides = besides,
             .ignored = "dropout_p position_bias_max_distance position_bias_num_buckets prompt_length prompt_types "
                        "segment_types"}};

}  // namespace cpmant

constexpr Family cpmant_family = plain_family<cpmant::type>();

namespace xlnet {

constexpr auto modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, "XLNetLMHeadModel"},
    {1, "transformer", ModuleKind::container, {}, "XLNetModel"},
    {2, "word_embedding", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "layer", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "XLNetLayer"},
    {4, "ff", ModuleKind::container, {}, "XLNetFeedForward"},
    {5, "layer_norm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
    {5, "layer_1", ModuleKind::linear, Part::up, {}},
    {5, "layer_2", ModuleKind::linear, Part::down, {}},
    {5, "activation_function", ModuleKind::activation, {}, {}},
    {1, "lm_loss", ModuleKind::linear, Part::output_head, {}},
});

void read_rest(ConfigReader& reader, Architecture& arch) {
    arch.layer.mixer_layers = LayerSet::none();
    const std::optional<std::int64_t> columns = reader.optional_number({"d_head"});
    const std::int64_t rule = std::max<std::int64_t>(1, arch.dim / arch.layer.attention.heads);
    arch.layer.attention.head_dim = columns.value_or(rule);
    arch.layer.feed_forward.bias = true;
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    config["d_head"] = bindings(arch, Input{})[Symbol::head_dim].value_or(0);
}

std::vector<Extra> besides(const Architecture& arch) {
    Besides more(arch);
    const Expr heads = Symbol::heads, columns = Symbol::head_dim;
    more.in_layers(Component::attention);
    for (const char* const matrix : {"q", "k", "v", "o", "r"})
        more.add(std::string("rel_attn.") + matrix, {Symbol::dim, heads, columns});
    for (const char* const bias : {"r_r_bias", "r_s_bias", "r_w_bias"})
        more.add(std::string("rel_attn.") + bias, {heads, columns});
    return more.add("rel_attn.seg_embed", {2, heads, columns})
        .in_layers(Component::norm)
        .norm("rel_attn.layer_norm", Symbol::dim, true)
        .in_model(Component::embedding)
        .add("mask_emb", {1, 1, Symbol::dim})
        .take();
}

constexpr ComputationType computing{.refused = "scores of distances by a matrix of their own"};

constexpr PlainType type{
    .called = {"xlnet", "XLNet", modules},
    .words = {.dim = {"d_model", "hidden_size"},
              .layers = {"n_layer", "num_hidden_layers"},
              .heads = {"n_head", "num_attention_heads"},
              .context = {},
              .vocab = {"vocab_size", "n_token"},
              .width = "d_inner",
              .activation = "ff_activation"},
    .usual = {.dim = 1024, .layers = 24, .heads = 16, .vocab = 32000, .context = 4096, .width = 4096},
    .activation = "gelu",
    .norm = layer_norm(1e-12, NormPlacement::after_sum),
    .biases = false,
    .head_bias = true,
    .positions = Positions::none,
    .computing = computing,
    .own = {read_rest, write_rest},
    .rest = {.besides = besides,
             .padding = 5,
             .ignored = "attn_type bi_data clamp_len end_n_top mem_len reuse_len same_length start_n_top untie_r "
                        "use_mems_eval use_mems_train"}};

}  // namespace xlnet

constexpr Family xlnet_family = plain_family<xlnet::type>();

}  // namespace headcount
