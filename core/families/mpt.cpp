// MPT: ALiBi positions, norms with weights only, no biases, one fused Q/K/V matrix (transformers, modeling_mpt.py).
#include <algorithm>
#include <bit>
#include <cmath>

#include "core/families/families.hpp"
#include "core/families/plain_type.hpp"

namespace headcount {
namespace mpt {

constexpr auto modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, "MptForCausalLM"},
    {1, "transformer", ModuleKind::container, {}, "MptModel"},
    {2, "wte", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "blocks", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "MptBlock"},
    {4, "norm_1", ModuleKind::norm, Part::attention_norm, {}},
    {4, "attn", ModuleKind::container, {}, "MptAttention"},
    {5, "Wqkv", ModuleKind::linear, {Part::query, Part::key, Part::value}, {}},
    {5, "out_proj", ModuleKind::linear, Part::attention_output, {}},
    {4, "norm_2", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "ffn", ModuleKind::container, {}, "MptMLP"},
    {5, "up_proj", ModuleKind::linear, Part::up, {}},
    {5, "act", ModuleKind::activation, {}, "GELU(approximate='none')"},
    {5, "down_proj", ModuleKind::linear, Part::down, {}},
    {4, "resid_attn_dropout", ModuleKind::stateless, {}, "Dropout(p=0, inplace=False)"},
    {2, "norm_f", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
});

// Carried: transformers builds the same model whatever they say. qk_ln stands in attn_config.
constexpr std::string_view ignored = "expansion_ratio learned_pos_emb no_bias qk_ln";

void read_rest(ConfigReader&, Architecture& arch) {
    arch.norm.bias = false;
    set_biases(arch.layer, false);
}

// As MPT sets them: of the next power of two every other one first, then the rest.
std::vector<double> slopes(std::int64_t heads, double largest) {
    heads = std::clamp<std::int64_t>(heads, 1, most_slopes);
    const std::uint64_t all = std::bit_ceil(static_cast<std::uint64_t>(heads));
    std::vector<double> slopes;
    const auto add = [&](std::uint64_t first, std::uint64_t step) {
        for (std::uint64_t i = first; i <= all; i += step)
            slopes.push_back(std::exp2(-static_cast<double>(i) * largest / static_cast<double>(all)));
    };
    if (all == static_cast<std::uint64_t>(heads)) {
        add(1, 1);
    } else {
        add(2, 2);
        add(1, 2);
        slopes.resize(static_cast<std::size_t>(heads));
    }
    return slopes;
}

// Inside attn_config. transformers has ALiBi whatever `alibi` says.
void compute_rest(ComputationReader& reader, Computation& computation) {
    const nlohmann::json nothing;
    const nlohmann::json* object = reader.object("attn_config");
    ConfigReader attention(object ? *object : nothing);
    const auto number = [&](std::string_view name) { return attention.positive({name}, "give a number such as 8.0"); };
    if (computation.alibi)
        computation.alibi->slopes = slopes(reader.arch().layer.attention.heads, number("alibi_bias_max").value_or(8));
    computation.clip_qkv = number("clip_qkv");
    computation.score_scale = number("softmax_scale").value_or(computation.score_scale);
    if (const std::optional<Error>& error = attention.error())
        reader.reject("attn_config." + error->where, error->what, error->fix);
}

constexpr ComputationType computing{.rest = compute_rest};

constexpr PlainType type{.called = {"mpt", "MPT", modules},
                         .words = {.dim = {"d_model", "hidden_size"},
                                   .layers = {"n_layers", "num_hidden_layers"},
                                   .heads = {"n_heads", "num_attention_heads"},
                                   .context = {"max_seq_len"},
                                   .width = {},
                                   .activation = {},
                                   .epsilon = "layer_norm_epsilon"},
                         .usual = {.dim = 2048, .layers = 24, .heads = 16, .vocab = 50368, .context = 2048},
                         .activation = "gelu",
                         .positions = Positions::alibi,
                         .computing = computing,
                         .own = {read_rest},
                         .rest = {.ignored = ignored}};

}  // namespace mpt

constexpr Family mpt_family = plain_family<mpt::type>();

}  // namespace headcount
