// xLSTM 7B (Beck et al. 2025): matrix memories, written and read by gates, in the place of attention. They are counted,
// and not computed (transformers, modeling_xlstm.py).
#include <cmath>

#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/plain_type.hpp"

namespace headcount {
namespace xlstm {

constexpr auto modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, "xLSTMForCausalLM"},
    {1, "backbone", ModuleKind::container, {}, "xLSTMModel"},
    {2, "embeddings", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "blocks", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "xLSTMBlock"},
    {4, "norm_ffn", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "ffn", ModuleKind::container, {}, "xLSTMFeedForward"},
    {5, "proj_up_gate", ModuleKind::linear, Part::gate, {}},
    {5, "proj_up", ModuleKind::linear, Part::up, {}},
    {5, "proj_down", ModuleKind::linear, Part::down, {}},
    {5, "act_fn", ModuleKind::activation, {}, {}},
    {2, "out_norm", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
});

// width · factor, up to a multiple.
std::int64_t rounded(ConfigReader& reader, std::string_view field, double width, double factor, std::int64_t multiple) {
    constexpr double largest = 1e15;
    const double wide = width * factor;
    if (wide > 0 && wide < largest && multiple > 0 && multiple < (1 << 30))
        return static_cast<std::int64_t>(
                   std::floor((wide + static_cast<double>(multiple - 1)) / static_cast<double>(multiple))) *
               multiple;
    reader.reject(field, "the width that follows does not fit", "give a factor such as 1.0");
    return 1;
}

void read_rest(ConfigReader& reader, Architecture& arch) {
    if (const std::int64_t own = reader.number({"embedding_dim"}, arch.dim); own != arch.dim)
        reader.reject("embedding_dim", "an embedding of another width is not known here", "leave it out");
    reader.flag({"tie_word_embeddings"}, false);  // the head has weights of its own, whatever the file says
    reader.flag({"add_out_norm"}, true);          // there is one, whatever the file says
    if (reader.text({"weight_mode"}, "single") != "single")
        reader.reject("weight_mode", "fused matrices are not known here", "give single");
    arch.layer.mixer_layers = LayerSet::none();
    arch.layer.feed_forward.bias = reader.flag({"use_bias"}, false);
    arch.layer.feed_forward.width = rounded(reader, "ffn_proj_factor", static_cast<double>(arch.dim),
                                            reader.positive({"ffn_proj_factor"}).value_or(2.667),
                                            reader.number({"ffn_round_up_to_multiple_of"}, 64));
    for (const auto& [field, otherwise] : {std::pair{"qk_dim_factor", 0.5}, std::pair{"v_dim_factor", 1.0}}) {
        const double factor = reader.positive({field}).value_or(otherwise);
        if (factor != otherwise)
            reader.reject(field, "other widths of queries, keys and values are not known here", "leave it out");
    }
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    const auto width = static_cast<double>(bindings(arch, Input{})[Symbol::ffn_dim].value_or(0));
    config["ffn_proj_factor"] = width / static_cast<double>(arch.dim);
    config["ffn_round_up_to_multiple_of"] = 1;
    config["use_bias"] = arch.layer.feed_forward.bias;
    config["tie_word_embeddings"] = arch.tied;
}

std::vector<Extra> besides(const Architecture& arch) {
    const bool bias = arch.layer.feed_forward.bias;
    const Expr keys = Expr(Symbol::dim) / 2, values = Symbol::dim;
    Besides besides(arch);
    besides.in_layers(Component::norm).norm("norm_mlstm", Symbol::dim, bias);
    if (bias) besides.add("norm_ffn.bias", {Symbol::dim});
    return besides.in_layers(Component::attention)
        .linear("mlstm_layer.q", keys, Symbol::dim, bias)
        .linear("mlstm_layer.k", keys, Symbol::dim, bias)
        .linear("mlstm_layer.v", values, Symbol::dim, bias)
        .linear("mlstm_layer.ogate_preact", values, Symbol::dim, bias)
        .linear("mlstm_layer.igate_preact", Symbol::heads, Symbol::dim, true)
        .linear("mlstm_layer.fgate_preact", Symbol::heads, Symbol::dim, true)
        .norm("mlstm_layer.multihead_norm", values, bias)
        .linear("mlstm_layer.out_proj", Symbol::dim, values, bias)
        .take();
}

constexpr ComputationType computing{.refused = "this type's matrix memories"};
constexpr std::string_view ignored =
    "autocast_kernel_dtype chunk_size chunkwise_kernel embedding_dim eps gate_soft_cap inference_state_dtype "
    "max_inference_chunksize mode norm_reduction_force_float32 num_blocks output_logit_soft_cap return_last_states "
    "sequence_kernel step_kernel";

constexpr PlainType type{.called = {"xlstm", "xLSTM", modules},
                         .words = {.dim = {"hidden_size", "embedding_dim"},
                                   .layers = {"num_blocks", "num_hidden_layers", "num_hidden_layers"},
                                   .heads = {"num_heads"},
                                   .context = {},
                                   .width = {},
                                   .activation = {},
                                   .epsilon = "norm_eps",
                                   .tied = {}},
                         .usual = {.dim = 4096, .layers = 32, .heads = 8, .vocab = 50304, .context = 4096},
                         .activation = "silu",
                         .norm = {},
                         .tied = false,
                         .gated = true,
                         .biases = false,
                         .positions = Positions::none,
                         .computing = computing,
                         .own = {read_rest, write_rest},
                         .rest = {.besides = besides, .ignored = ignored}};

}  // namespace xlstm

constexpr Family xlstm_family = plain_family<xlstm::type>();

}  // namespace headcount
