// Every field of an architecture by name: the table of what each is called and what it may be.
#include "core/arch/fields.hpp"

#include <array>

namespace headcount {
namespace {

using Words = std::span<const std::string_view>;
constexpr std::array<std::string_view, 4> position_words{"rope", "learned", "alibi", "none"};
constexpr std::array<std::string_view, 4> position_labels{"RoPE", "Learned", "ALiBi", "None"};
constexpr std::array<std::string_view, 2> norm_words{"rms", "layer"};
constexpr std::array<std::string_view, 2> norm_labels{"RMSNorm", "LayerNorm"};
constexpr std::array<std::string_view, 4> placement_words{"before", "after", "both", "after_sum"};
constexpr std::array<std::string_view, 4> placement_labels{"Before", "After", "Both", "After sum"};
constexpr std::array<std::string_view, 3> joining_words{"in_turn", "parallel", "parallel_shared"};
constexpr std::array<std::string_view, 3> joining_labels{"In turn", "Parallel", "Parallel, one norm"};
constexpr std::array<std::string_view, 5> qk_norm_words{"none", "per_head", "each_head", "across", "plain"};
constexpr std::array<std::string_view, 5> qk_norm_labels{"None", "Per head", "Each head", "Across", "Plain"};
constexpr auto activation_words = activation_names(&ActivationInfo::key);
constexpr auto activation_labels = activation_names(&ActivationInfo::label);

constexpr std::array<FieldInfo, 49> table{{
    {Field::dim, "dim", "Width", FieldKind::number, Symbol::dim, {}, {}},
    {Field::layers, "layers", "Layers", FieldKind::number, Symbol::layers, {}, {}},
    {Field::heads, "heads", "Heads", FieldKind::number, Symbol::heads, {}, {}},
    {Field::kv_heads, "kv_heads", "KV heads", FieldKind::number, Symbol::kv_heads, {}, {}, Absence::rule},
    {Field::head_dim, "head_dim", "Head size", FieldKind::number, Symbol::head_dim, {}, {}, Absence::rule},
    {Field::ffn_dim, "ffn_dim", "FFN hidden", FieldKind::number, Symbol::ffn_dim, {}, {}},
    {Field::ffn_multiple_of, "ffn_multiple_of", "FFN multiple of", FieldKind::number, {}, {}, {}},
    {Field::ffn_multiplier, "ffn_multiplier", "FFN multiplier", FieldKind::ratio, {}, {}, {}},
    {Field::vocab, "vocab", "Vocabulary", FieldKind::number, Symbol::vocab, {}, {}},
    {Field::context, "context", "Context", FieldKind::number, Symbol::context, {}, {}},
    {Field::positions, "positions", "Positions", FieldKind::choice, {}, position_words, position_labels},
    {Field::norm, "norm", "Norm", FieldKind::choice, {}, norm_words, norm_labels},
    {Field::norm_placement, "norm_placement", "Norm placed", FieldKind::choice, {}, placement_words, placement_labels},
    {Field::norm_scale, "norm_scale", "Norm weights", FieldKind::flag, {}, {}, {}},
    {Field::norm_bias, "norm_bias", "Norm biases", FieldKind::flag, {}, {}, {}},
    {Field::norm_epsilon, "norm_epsilon", "Norm epsilon", FieldKind::real, {}, {}, {}},
    {Field::gated, "gated", "FFN gate", FieldKind::flag, {}, {}, {}},
    {Field::activation, "activation", "Activation", FieldKind::choice, {}, activation_words, activation_labels},
    {Field::tied, "tied", "Tied embeddings", FieldKind::flag, {}, {}, {}},
    {Field::qkv_bias, "qkv_bias", "Q, K, V biases", FieldKind::flag, {}, {}, {}},
    {Field::attention_output_bias, "attention_output_bias", "Attention output bias", FieldKind::flag, {}, {}, {}},
    {Field::ffn_bias, "ffn_bias", "FFN biases", FieldKind::flag, {}, {}, {}},
    {Field::joining, "joining", "Sub-blocks", FieldKind::choice, {}, joining_words, joining_labels},
    {Field::final_norm, "final_norm", "Final norm", FieldKind::flag, {}, {}, {}},
    {Field::position_offset, "position_offset", "Position offset", FieldKind::number, {}, {}, {}, Absence::never, 0},
    {Field::embedding_dim,
     "embedding_dim",
     "Embedding width",
     FieldKind::number,
     Symbol::embedding_dim,
     {},
     {},
     Absence::rule},
    {Field::embedding_norm, "embedding_norm", "Embedding norm", FieldKind::flag, {}, {}, {}},
    {Field::head_bias, "head_bias", "Output head bias", FieldKind::flag, {}, {}, {}},
    {Field::qk_norm, "qk_norm", "Q, K norms", FieldKind::choice, {}, qk_norm_words, qk_norm_labels},
    {Field::qk_norm_bias, "qk_norm_bias", "Q, K norm biases", FieldKind::flag, {}, {}, {}},
    {Field::sinks, "sinks", "Attention sinks", FieldKind::flag, {}, {}, {}},
    {Field::rotary_dim, "rotary_dim", "Rotary columns", FieldKind::number, {}, {}, {}, Absence::rule},
    {Field::rotated_layers, "rotated_layers", "Rotary layers", FieldKind::layers, {}, {}, {}},
    {Field::window, "window", "Window", FieldKind::number, Symbol::window, {}, {}, Absence::none},
    {Field::window_chunked, "window_chunked", "Window in chunks", FieldKind::flag, {}, {}, {}},
    {Field::window_layers, "window_layers", "Window layers", FieldKind::layers, {}, {}, {}},
    {Field::kv_rank, "kv_rank", "KV rank", FieldKind::number, Symbol::kv_rank, {}, {}, Absence::none},
    {Field::query_rank, "query_rank", "Query rank", FieldKind::number, Symbol::query_rank, {}, {}, Absence::none},
    {Field::rope_dim, "rope_dim", "Rotated columns", FieldKind::number, Symbol::rope_dim, {}, {}},
    {Field::nope_dim, "nope_dim", "Unrotated columns", FieldKind::number, Symbol::nope_dim, {}, {}},
    {Field::value_dim, "value_dim", "Value size", FieldKind::number, Symbol::value_dim, {}, {}},
    {Field::experts, "experts", "Experts", FieldKind::number, Symbol::experts, {}, {}, Absence::none},
    {Field::experts_per_token,
     "experts_per_token",
     "Experts per token",
     FieldKind::number,
     Symbol::experts_per_token,
     {},
     {}},
    {Field::expert_dim, "expert_dim", "Expert hidden", FieldKind::number, Symbol::expert_dim, {}, {}},
    {Field::shared_experts,
     "shared_experts",
     "Shared experts",
     FieldKind::number,
     Symbol::shared_experts,
     {},
     {},
     Absence::never,
     0},
    {Field::shared_gate, "shared_gate", "Shared expert gate", FieldKind::flag, {}, {}, {}},
    {Field::router_bias, "router_bias", "Router bias", FieldKind::flag, {}, {}, {}},
    {Field::correction_bias, "correction_bias", "Load-balancing bias", FieldKind::flag, {}, {}, {}},
    {Field::mixture_layers, "mixture_layers", "Mixture layers", FieldKind::layers, {}, {}, {}},
}};

constexpr bool fields_in_order() {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table[i].field != static_cast<Field>(i)) return false;
    return true;
}
static_assert(fields_in_order(), "info() looks fields up by their place in the table");

}  // namespace

std::span<const FieldInfo> fields() {
    return table;
}
const FieldInfo& info(Field field) {
    return table[static_cast<std::size_t>(field)];
}

std::optional<Field> field_of(Symbol symbol) {
    for (const FieldInfo& field : table)
        if (field.symbol == symbol) return field.field;
    return std::nullopt;
}

}  // namespace headcount
