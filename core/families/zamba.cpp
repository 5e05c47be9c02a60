// Zamba and Zamba2 (Zyphra 2024): a recurrence in every layer, whose channels come in heads or which is Mamba-2's
// mixer, and before some a transformer's layer that all of those share, which reads the stream beside the embedded
// tokens. The first's recurrence and what its layers share are counted, and not computed (transformers,
// modeling_zamba.py and modeling_zamba2.py).
#include <algorithm>
#include <cmath>

#include "core/base/text.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/layer_lists.hpp"
#include "core/families/plain_type.hpp"
#include "core/families/state_space.hpp"

namespace headcount {
namespace shared_layer {

// The layers with what is shared, where a file lists none those that are usual.
LayerSet hybrid_layers(const Architecture& arch, bool (*usual)(std::int64_t layer)) {
    for (const char* const list : {"layers_block_type", "layer_types"})
        if (const std::optional<LayerSet> called = layers_called(arch, list, "hybrid")) return *called;
    return layers_where(arch.layers, usual);
}

constexpr PlainType type{.words = {.epsilon = "rms_norm_eps"},
                         .usual = {.vocab = 32000, .context = 4096},
                         .activation = "gelu",
                         .norm = {.epsilon = 1e-5},
                         .gated = true,
                         .biases = false,
                         .positions = Positions::none};

void read(ConfigReader& reader, Architecture& arch) {
    arch.layer.attention.kv_heads = reader.optional_number({"num_key_value_heads"});
    arch.layer.feed_forward_layers = LayerSet::none();
    if (arch.layers > LayerSet::longest)
        reader.reject("num_hidden_layers", "so many layers of this type cannot be told apart", "give fewer");
}

void write(nlohmann::ordered_json& config, const Architecture& arch) { config["num_key_value_heads"] = kv_heads(arch); }

// As wide as it reads: the stream and the embedded tokens.
Expr read_width(Besides& besides, const Architecture& arch) {
    const std::int64_t rule = 2 * arch.dim, given = besides.number("attention_hidden_size", rule);
    return given == rule ? Expr(2) * Symbol::dim : Expr(given);
}

void add_attention(Besides& besides, const Architecture& arch, const LayerSet& layers, const std::string& below) {
    const std::int64_t rule = 2 * arch.dim / std::max<std::int64_t>(1, arch.layer.attention.heads);
    const std::int64_t head = besides.number("attention_head_dim", rule);
    const Expr both = read_width(besides, arch), queries = Expr(Symbol::heads) * head;
    const Expr keys = Expr(Symbol::kv_heads) * head;
    besides.in_layers(Component::attention, layers)
        .linear(below + "self_attn.q_proj", queries, both)
        .linear(below + "self_attn.k_proj", keys, both)
        .linear(below + "self_attn.v_proj", keys, both)
        .linear(below + "self_attn.o_proj", Symbol::dim, queries)
        .norm(below + "input_layernorm", both);
}

}  // namespace shared_layer

namespace zamba {

constexpr auto modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, "ZambaForCausalLM"},
    {1, "model", ModuleKind::container, {}, "ZambaModel"},
    {2, "embed_tokens", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "layers", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "ZambaMambaDecoderLayer"},
    {2, "final_layernorm", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
});

// The third, and every sixth from the eighth on.
bool is_usual(std::int64_t layer) { return layer == 2 || (layer >= 3 && (layer - 3) % 6 == 4); }

void read_rest(ConfigReader& reader, Architecture& arch) {
    shared_layer::read(reader, arch);
    for (const char* const field : {"attention_head_dim", "attention_hidden_size"}) carry_number(reader, field, 1);
    arch.layer.mixer_layers = LayerSet::none();
    carry_numbers(reader, "mamba_d_conv mamba_d_state mamba_expand n_mamba_heads");
    carry_flag(reader, "mamba_conv_bias", true);
    carry_flag(reader, "mamba_proj_bias", false);
    if (const nlohmann::json* rank = said(reader.config(), "mamba_dt_rank"); rank && !rank->is_string())
        carry_number(reader, "mamba_dt_rank", 1);
}

// Of a layer with what is shared the recurrence and its norm stand one module deeper.
void add_mixer(Besides& besides, const Architecture& arch, const std::string& below, const LayerSet& layers) {
    const std::int64_t heads = std::max<std::int64_t>(1, besides.number("n_mamba_heads", 2));
    const std::int64_t state = besides.number("mamba_d_state", 16), kernel = besides.number("mamba_d_conv", 4);
    const std::int64_t rank = besides.number("mamba_dt_rank", (arch.dim + 15) / 16);
    const Expr channels = Expr(besides.number("mamba_expand", 2)) * Symbol::dim, each = channels / heads;
    const bool bias = besides.flag("mamba_proj_bias", false);
    const std::string mixer = below + "mamba.";
    besides.in_layers(Component::attention, layers)
        .linear(mixer + "in_proj", Expr(2) * channels, Symbol::dim, bias)
        .add(mixer + "conv1d.weight", {channels, 1, kernel});
    if (besides.flag("mamba_conv_bias", true)) besides.add(mixer + "conv1d.bias", {channels});
    besides.add(mixer + "x_proj_weight", {heads, rank + 2 * state, each})
        .add(mixer + "dt_proj_weight", {heads, each, rank})
        .add(mixer + "dt_proj_bias", {heads, each})
        .add(mixer + "A_log", {heads, each, state})
        .add(mixer + "D", {heads, each})
        .linear(mixer + "out_proj", Symbol::dim, channels, bias);
    besides.in_layers(Component::norm, layers).norm(below + "input_layernorm", Symbol::dim);
}

// What the layers share is stored with the first of them. Transformers lets them share nothing where the output head is
// not the embedding.
std::vector<Extra> besides(const Architecture& arch) {
    Besides besides(arch);
    const LayerSet hybrid = shared_layer::hybrid_layers(arch, is_usual);
    const LayerSet plain = layers_where(arch.layers, [&](std::int64_t layer) { return !hybrid.contains(layer); });
    const std::int64_t uses = hybrid.count(arch.layers);
    if (uses < arch.layers) add_mixer(besides, arch, "", plain);
    if (uses == 0) return besides.take();
    add_mixer(besides, arch, "mamba_decoder.", hybrid);
    besides.in_layers(Component::feed_forward, hybrid).linear("linear", Symbol::dim, Symbol::dim);
    std::int64_t first = 0;
    while (!hybrid.contains(first)) ++first;
    const LayerSet storing = arch.tied ? layers_where(arch.layers, [&](auto layer) { return layer == first; }) : hybrid;
    const std::string shared = "shared_transf.";
    shared_layer::add_attention(besides, arch, storing, shared);
    besides.in_layers(Component::feed_forward, storing)
        .linear(shared + "feed_forward.gate_proj", Symbol::ffn_dim, Symbol::dim)
        .linear(shared + "feed_forward.up_proj", Symbol::ffn_dim, Symbol::dim)
        .linear(shared + "feed_forward.down_proj", Symbol::dim, Symbol::ffn_dim)
        .norm(shared + "pre_ff_layernorm", Symbol::dim);
    return besides.take();
}

constexpr ComputationType computing{.refused = "this type's recurrence in heads"};
constexpr std::string_view ignored =
    "attention_head_dim attention_hidden_size attn_layer_offset attn_layer_period hidden_mamba_act layer_types "
    "layers_block_type mamba_conv_bias mamba_d_conv mamba_d_state mamba_dt_rank mamba_expand mamba_proj_bias "
    "n_mamba_heads num_logits_to_keep time_step_floor time_step_max time_step_min use_associative_scan "
    "use_mamba_kernels";

constexpr PlainType type = changed(shared_layer::type, [](PlainType& own) {
    own.called = {"zamba", "Zamba", modules};
    own.usual.dim = 3712;
    own.usual.layers = 76;
    own.usual.heads = 16;
    own.usual.width = 14848;
    own.computing = computing;
    own.own.read = read_rest;
    own.own.write = shared_layer::write;
    own.rest = {.besides = besides, .ignored = ignored};
});

}  // namespace zamba

constexpr Family zamba_family = plain_family<zamba::type>();

namespace zamba2 {

constexpr StateSpaceFields fields{.heads = "n_mamba_heads",
                                  .head_dim = {},
                                  .groups = "mamba_ngroups",
                                  .conv_bias = {},
                                  .bias = "add_bias_linear",
                                  .usual_heads = 8,
                                  .usual_state = 64};

// Where a layer has what is shared, its mixer and norm stand one module deeper.
constexpr auto mixer_modules(std::string_view mixer, std::string_view norm, bool shared) {
    auto modules = join(state_space_modules(mixer, "Zamba2MambaMixer", "Zamba2RMSNormGated()"),
                        std::to_array<Module>({{4, norm, ModuleKind::norm, Part::attention_norm, {}}}));
    for (Module& module : modules) (shared ? module.with : module.without) = Part::shared_layer_output;
    return modules;
}

constexpr auto shared_modules = std::to_array<Module>({
    {4, "linear", ModuleKind::linear, Part::shared_layer_output, {}},
    {4, "shared_transformer", ModuleKind::shared, {}, "Zamba2AttentionDecoderLayer"},
    {5, "self_attn", ModuleKind::container, {}, "Zamba2Attention"},
    {6, "q_proj", ModuleKind::linear, Part::query, {}},
    {6, "k_proj", ModuleKind::linear, Part::key, {}},
    {6, "v_proj", ModuleKind::linear, Part::value, {}},
    {6, "o_proj", ModuleKind::linear, Part::attention_output, {}},
    {6, "linear_q_adapter_list.{u}.0", ModuleKind::linear, Part::query_adapter_down, {}},
    {6, "linear_q_adapter_list.{u}.1", ModuleKind::linear, Part::query_adapter, {}},
    {6, "linear_k_adapter_list.{u}.0", ModuleKind::linear, Part::key_adapter_down, {}},
    {6, "linear_k_adapter_list.{u}.1", ModuleKind::linear, Part::key_adapter, {}},
    {6, "linear_v_adapter_list.{u}.0", ModuleKind::linear, Part::value_adapter_down, {}},
    {6, "linear_v_adapter_list.{u}.1", ModuleKind::linear, Part::value_adapter, {}},
    {5, "feed_forward", ModuleKind::container, {}, "Zamba2MLP"},
    {6, "gate_up_proj", ModuleKind::linear, {Part::gate, Part::up}, {}},
    {6, "down_proj", ModuleKind::linear, Part::down, {}},
    {6, "act_fn", ModuleKind::activation, {}, {}},
    {6, "gate_up_proj_adapter_list.{u}.0", ModuleKind::linear, Part::gate_adapter_down, {}},
    {6, "gate_up_proj_adapter_list.{u}.1", ModuleKind::linear, {Part::gate_adapter, Part::up_adapter}, {}},
    {5, "input_layernorm", ModuleKind::norm, Part::joined_norm, {}},
    {5, "pre_ff_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
});
constexpr std::array modules = join(std::to_array<Module>({
                                        {0, "", ModuleKind::container, {}, "Zamba2ForCausalLM"},
                                        {1, "model", ModuleKind::container, {}, "Zamba2Model"},
                                        {2, "embed_tokens", ModuleKind::embedding, Part::token_embedding, {}},
                                        {2, "layers", ModuleKind::container, {}, "ModuleList"},
                                        {.depth = 3,
                                         .name = "{i}",
                                         .kind = ModuleKind::layer,
                                         .class_name = "Zamba2MambaDecoderLayer",
                                         .with = Part::shared_layer_output,
                                         .class_with = "Zamba2HybridLayer"},
                                    }),
                                    mixer_modules("mamba", "input_layernorm", false), shared_modules,
                                    mixer_modules("mamba_decoder.mamba", "mamba_decoder.input_layernorm", true),
                                    std::to_array<Module>({
                                        {2, "final_layernorm", ModuleKind::norm, Part::final_norm, {}},
                                        {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
                                    }));

bool is_usual(std::int64_t layer) { return (layer > 0 && layer % 6 == 0 && layer <= 42) || layer == 47 || layer == 51; }

constexpr std::string_view uses_listed = "hybrid_layer_ids", width_read = "attention_hidden_size";

void read_rest(ConfigReader& reader, Architecture& arch) {
    const nlohmann::json& config = reader.config();
    shared_layer::read(reader, arch);
    arch.layer.recurrence = read_state_space(reader, arch.dim, fields);
    arch.layer.recurrence->conv_bias = true;
    arch.layer.feed_forward.bias = arch.layer.recurrence->bias;
    arch.layer.attention.head_dim =
        reader.number({"attention_head_dim"},
                      std::max<std::int64_t>(1, 2 * arch.dim / std::max<std::int64_t>(1, arch.layer.attention.heads)));
    if (reader.flag({"use_mem_rope"}, false)) arch.positions = Positions::rope;
    if (reader.flag({"use_long_context"}, false)) arch.context = 16384;
    // What is as usual follows the width when that is changed.
    if (const nlohmann::json* given = said(config, width_read); given && *given == 2 * arch.dim)
        reader.number({width_read}, 1);
    else
        carry_number(reader, width_read, 1);
    carry_number(reader, "adapter_rank", 128, 0);
    carry_number(reader, "num_mem_blocks", 1);
    carry_flag(reader, "use_shared_attention_adapter", false);
    if (const nlohmann::json* ids = said(config, uses_listed);
        ids && ids->is_array() && ids->size() > static_cast<std::size_t>(arch.layers))
        reader.reject(uses_listed, "these are more than there are layers", "leave it out");
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    shared_layer::write(config, arch);
    config["attention_head_dim"] = bindings(arch, Input{})[Symbol::head_dim].value_or(0);
    config["use_mem_rope"] = arch.positions == Positions::rope;
    write_state_space(config, arch, fields);
}

// As many forms of what layers share as there are, which these take in turn. Nothing is shared where the output head is
// not the embedding. There are narrow ways for as many layers as a file lists.
std::optional<SharedLayer> shared(const Architecture& arch) {
    Besides file(arch);
    SharedLayer made{.layers = shared_layer::hybrid_layers(arch, is_usual),
                     .width = file.number(width_read, 2 * arch.dim),
                     .adapter_rank = file.number("adapter_rank", 128),
                     .attention_adapters = file.flag("use_shared_attention_adapter", false)};
    const std::int64_t all = made.layers.count(arch.layers);
    if (all == 0) return std::nullopt;
    made.sets = arch.tied ? std::clamp<std::int64_t>(file.number("num_mem_blocks", 1), 1, all) : all;
    const auto listed = carried_list(arch, uses_listed);
    made.adapted = listed ? std::min<std::int64_t>(std::ssize(*listed), arch.layers) : all;
    return made;
}

// Narrow ways for layers that do not have these weights, or which there are not: stored all the same.
std::vector<Extra> besides(const Architecture& arch) {
    Besides besides(arch);
    const std::optional<SharedLayer> shared = zamba2::shared(arch);
    if (!shared) return besides.take();
    const std::int64_t forms = std::max<std::int64_t>(1, besides.number("num_mem_blocks", 1));
    const std::int64_t all = shared->layers.count(arch.layers);
    const Expr both = shared_layer::read_width(besides, arch);
    std::int64_t own = 0;
    for (std::int64_t layer = 0; layer < arch.layers && own < shared->sets; ++layer) {
        if (!shared->layers.contains(layer)) continue;
        const LayerSet here = layers_where(arch.layers, [&](std::int64_t each) { return each == layer; });
        const auto narrow = [&](const std::string& name, std::int64_t use, const Expr& outputs, const Expr& inputs) {
            const std::string list = "shared_transformer." + name + "_adapter_list." + std::to_string(use);
            besides.linear(list + ".0", shared->adapter_rank, inputs)
                .linear(list + ".1", outputs, shared->adapter_rank);
        };
        for (std::int64_t use = own % forms; use < shared->adapted; use += forms) {
            if (use < all && use % shared->sets == own) continue;
            besides.in_layers(Component::attention, here);
            for (const char* const matrix : {"linear_q", "linear_k", "linear_v"})
                if (shared->attention_adapters) narrow(std::string("self_attn.") + matrix, use, both, both);
            besides.in_layers(Component::feed_forward, here);
            narrow("feed_forward.gate_up_proj", use, Expr(2) * Symbol::ffn_dim, Symbol::dim);
        }
        ++own;
    }
    return besides.take();
}

// Scores are divided by the root of half a head's columns, since attention reads twice the width.
void compute(ComputationReader& reader, Computation& computation) {
    const Architecture& arch = reader.arch();
    const std::int64_t columns = bindings(arch, Input{})[Symbol::head_dim].value_or(2);
    computation.score_scale = std::sqrt(2 / static_cast<double>(columns));
    computation.step.least = reader.real("time_step_min", 0.001);
    computation.read_norm_epsilon = 1e-5;
    computation.recurrence_activation = Activation::silu;
    const std::optional<SharedLayer> shared = zamba2::shared(arch);
    if (!shared) return;
    if (shared->width != 2 * arch.dim)
        reader.reject(width_read, "attention reads the stream beside the embedded tokens",
                      "give twice hidden_size, or leave it out");
    if (const auto listed = carried_list(arch, uses_listed);
        listed && listed->size() != static_cast<std::size_t>(shared->layers.count(arch.layers)))
        reader.reject(uses_listed, "these are not the hybrid layers", "leave it out");
    if (shared->attention_adapters &&
        (kv_heads(arch) != arch.layer.attention.heads || columns * kv_heads(arch) != 2 * arch.dim))
        reader.reject("use_shared_attention_adapter",
                      "what adapters make is as wide as what attention reads, and queries, keys and values are not",
                      "give as many key/value heads as heads, of 2 · hidden_size columns in all");
}

constexpr ComputationType computing{.rest = compute};
constexpr std::string_view ignored =
    "adapter_rank chunk_size hybrid_layer_ids kv_channels layer_types layers_block_type mamba_conv_bias mamba_headdim "
    "num_logits_to_keep num_mem_blocks num_query_groups time_step_floor time_step_max time_step_min use_conv_bias "
    "use_mamba_kernels use_mem_eff_path use_shared_attention_adapter";

constexpr PlainType type = changed(shared_layer::type, [](PlainType& own) {
    own.called = {"zamba2", "Zamba2", modules};
    own.usual.dim = 2560;
    own.usual.layers = 54;
    own.usual.heads = 32;
    own.computing = computing;
    own.own = {read_rest, write_rest};
    own.rest = {.norm_class = "Zamba2RMSNorm()", .besides = besides, .shared = shared, .ignored = ignored};
});

}  // namespace zamba2

constexpr Family zamba2_family = plain_family<zamba2::type>();

}  // namespace headcount
