// Text parts of models that see besides, with latent attention and small heads that choose which keys are looked at,
// both counted by their tensors alone: dots3.note, Mistral Large 4 (transformers, modeling_dots3_note.py,
// modeling_mistral_large4.py).
#include <algorithm>

#include "core/families/besides.hpp"
#include "core/families/deepseek.hpp"

namespace headcount {
namespace latent_parts {

struct Index {
    std::int64_t heads, columns;
};

Index index_of(Besides& more, std::int64_t heads) {
    return {more.number("index_n_heads", heads), more.number("index_head_dim", 128)};
}

void add_indexer(Besides& more, const Index& of, const Expr& read) {
    more.linear("self_attn.indexer.wq_b", of.heads * of.columns, read)
        .linear("self_attn.indexer.wk", of.columns, Symbol::dim)
        .norm("self_attn.indexer.k_norm", of.columns, true)
        .linear("self_attn.indexer.weights_proj", of.heads, Symbol::dim);
}

// The attention is none that an architecture here has.
void leave_out_attention(Architecture& arch) {
    arch.layer.mixer_layers = LayerSet::none();
    arch.layer.attention.kv_heads.reset();
}

constexpr MixtureType experts = changed(deepseek::v3_experts, [](MixtureType& other) {
    other.has_types = true;
    other.dense_first = 1;
});

}  // namespace latent_parts

// dots3.note: layers with a window have bottlenecks and heads of their own; a gate for each head.
namespace dots3_note {

using namespace latent_parts;

struct Sizes {
    Expr heads;
    std::int64_t query_rank, kv_rank, nope, rope, value;  // of queries, of keys and values; columns of a head
};

// Of the layers that `more` was told last: queries through a bottleneck, keys and values through another.
void add_latent(Besides& more, const Sizes& of, bool bias) {
    const Expr dim = Symbol::dim;
    more.linear("self_attn.q_a_proj", of.query_rank, dim, bias)
        .norm("self_attn.q_a_layernorm", of.query_rank)
        .linear("self_attn.q_b_proj", of.heads * (of.nope + of.rope), of.query_rank)
        .linear("self_attn.kv_a_proj_with_mqa", of.kv_rank + of.rope, dim, bias)
        .norm("self_attn.kv_a_layernorm", of.kv_rank)
        .linear("self_attn.kv_b_proj", of.heads * (of.nope + of.value), of.kv_rank)
        .linear("self_attn.o_proj", dim, of.heads * of.value, bias);
}

constexpr std::string_view by_layer = "per_layer_config", kinds = "layer_types", steps = "moe_layer_freq";
constexpr std::string_view windowed_prefix = "swa_";
constexpr const char* windowed_fields[] = {"num_attention_heads", "q_lora_rank",      "kv_lora_rank", "head_dim",
                                           "qk_nope_head_dim",    "qk_rope_head_dim", "v_head_dim"};

LayerSet windowed_layers(const Architecture& arch) {
    const nlohmann::json* const word = said(arch.carried.object(), "use_sliding_window");
    const bool any = !word || *word != false;
    return layers_called(arch, kinds, "sliding_attention").value_or(layers_where(arch.layers, [&](std::int64_t layer) {
        return any && layer >= 2 && layer % 4 != 1;
    }));
}

// Those that choose their keys: all others, but where use_dsa denies it, or a newer file lists them.
LayerSet choosing_layers(const Architecture& arch) {
    const nlohmann::json& file = arch.carried.object();
    const nlohmann::json* const word = said(file, "use_dsa");
    if (word && *word == false) return LayerSet::none();
    const auto listed = layers_called(arch, kinds, "indexed_attention");
    if (listed && !word && said(file, by_layer)) return *listed;
    return without({}, windowed_layers(arch), arch.layers);
}

// A size of layers with a window: of a newer file that of any layer that it lists.
std::int64_t windowed_number(const nlohmann::json& file, const std::string& field, std::int64_t otherwise) {
    const nlohmann::json layers = object_said(file, by_layer);
    const nlohmann::json* number = layers.empty() ? nullptr : said(layers.begin().value(), field);
    if (!number) number = said(file, std::string(windowed_prefix) + field);
    const std::optional<std::int64_t> size = number ? whole_number(*number) : std::nullopt;
    return std::clamp<std::int64_t>(size.value_or(otherwise), 0, Besides::largest);
}

Sizes windowed_sizes(const nlohmann::json& file) {
    const auto number = [&](const char* field, std::int64_t otherwise) {
        return windowed_number(file, field, otherwise);
    };
    const std::int64_t nope = number("qk_nope_head_dim", 192);
    const std::int64_t rope = number("qk_rope_head_dim", std::max<std::int64_t>(0, number("head_dim", 256) - nope));
    return {number("num_attention_heads", 64), number("q_lora_rank", 1024), number("kv_lora_rank", 1024), nope, rope,
            number("v_head_dim", 128)};
}

void read_windowed(ConfigReader& reader) {
    for (const char* const field : windowed_fields) {
        const std::string name = std::string(windowed_prefix) + field;
        reader.number({name}, 1, 0);
        reader.carry(name);
    }
    const nlohmann::json* const layers = said(reader.config(), by_layer);
    if (!layers) return;
    const auto is_first = [&](const nlohmann::json& layer) { return layer.is_object() && layer == *layers->begin(); };
    if (!layers->is_object() || !std::ranges::all_of(*layers, is_first))
        reader.reject(by_layer, "layers that differ in more than whether they have a window are not known here",
                      "say the same of each that has one");
}

void read(ConfigReader& reader, Architecture& arch) {
    const nlohmann::json& config = reader.config();
    leave_out_attention(arch);
    if (!said(config, "q_lora_rank") && config.contains("q_lora_rank"))
        reader.reject("q_lora_rank", "queries of this type come through a bottleneck", "give its width");
    read_windowed(reader);
    Mixture& mixture = *arch.layer.mixture;
    if (mixture.shared_experts > 0)
        mixture.shared_dim =
            reader.number({"moe_shared_expert_intermediate_size", "shared_experts_intermediate_size"}, 1536);
    if (said(config, "mlp_layer_types")) return;
    const std::int64_t first = reader.number({"first_k_dense_replace"}, 1, 0);
    const nlohmann::json* const listed = said(config, steps);
    const auto flags = listed && listed->is_array() ? reader.layers_flagged({steps}, arch.layers) : std::nullopt;
    const std::int64_t step = listed && listed->is_array() ? 1 : read_step(reader, {steps}, 1);
    mixture.layers = layers_where(arch.layers, [&](std::int64_t layer) {
        return layer >= first && (flags ? flags->contains(layer) : layer % step == 0);
    });
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    if (!arch.layer.mixture) return;
    config.erase("first_k_dense_replace");
    config["mlp_layer_types"] = worded(arch.layer.mixture->layers, arch.layers, "sparse", "dense");
    config["shared_experts_intermediate_size"] =
        arch.layer.mixture->shared_dim.value_or(arch.layer.mixture->expert_dim);
}

std::vector<Extra> besides(const Architecture& arch) {
    const nlohmann::json& file = arch.carried.object();
    Besides more(arch);
    const Sizes wide{Symbol::heads,
                     more.number("q_lora_rank", 1024),
                     more.number("kv_lora_rank", 512),
                     more.number("qk_nope_head_dim", 128),
                     more.number("qk_rope_head_dim", 64),
                     more.number("v_head_dim", 128)};
    const bool bias = arch.layer.attention.qkv_bias;
    more.in_layers(Component::norm).norm("input_layernorm", Symbol::dim);
    const LayerSet windowed = windowed_layers(arch), choosing = choosing_layers(arch);
    for (const bool window : {false, true}) {
        const LayerSet layers = window ? windowed : without({}, windowed, arch.layers);
        if (layers.count(arch.layers) == 0) continue;
        const Sizes sizes = window ? windowed_sizes(file) : wide;
        more.in_layers(Component::attention, layers);
        add_latent(more, sizes, bias);
        more.norm("self_attn.k_rope_only_layernorm", sizes.rope).linear("self_attn.g_proj", sizes.heads, Symbol::dim);
    }
    if (choosing.count(arch.layers) > 0)
        add_indexer(more.in_layers(Component::attention, choosing), index_of(more, 64), wide.query_rank);
    return more.take();
}

constexpr std::string_view numbers =
    "index_head_dim index_n_heads kv_lora_rank q_lora_rank qk_nope_head_dim qk_rope_head_dim v_head_dim";
constexpr std::string_view ignored =
    "head_dim index_head_dim index_n_heads index_topk kv_lora_rank layer_types mlp_bias n_group "
    "num_key_value_heads per_layer_config q_lora_rank qk_nope_head_dim qk_rope_head_dim "
    "routed_scaling_factor sliding_window swa_head_dim swa_kv_lora_rank swa_num_attention_heads "
    "swa_num_key_value_heads swa_q_lora_rank swa_qk_nope_head_dim swa_qk_rope_head_dim swa_rope_theta "
    "swa_v_head_dim topk_group use_dsa use_sliding_window v_head_dim";
constexpr DecoderClasses classes = classes_of<"Dots3NoteText">;
constexpr std::array modules = decoder_modules(
    classes, gated_modules(classes.feed_forward), mixture_modules("mlp", "Dots3NoteTextMoE"),
    expert_modules("Dots3NoteExperts", classes.feed_forward), router_modules("gate", "Dots3NoteTextTopkRouter"),
    correction_modules, shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"), norm_modules);
constexpr LlamaType type{
    .called = {"dots3_note_text", "dots3.note, text", classes, modules},
    .norm_class = "Dots3NoteRMSNorm",
    .usual = {.dim = 5120, .ffn_dim = 13824, .layers = 46, .heads = 128, .vocab = 152064, .context = 524288},
    .head_dim = 192,
    .head_dim_field = {},
    .norm = {.epsilon = 1e-5},
    .mixture = changed(experts, [](MixtureType& other) { other.width = 1536; }),
    .computing = {.routing = deepseek::v3.computing.routing, .refused = "gates for each head"},
    .padding = 151659,
    .numbers = numbers,
    .ignored = ignored,
    .besides = besides,
    .own = {read, write}};

}  // namespace dots3_note

constexpr Family dots3_note_text_family = llama_like<dots3_note::type>();

// Mistral Large 4: no bottleneck before the queries, scores that grow with the position; some layers have no positions,
// some use the keys and values of earlier ones.
namespace mistral_large4 {

using namespace latent_parts;

constexpr std::string_view rotated = "no_rope_layers", sources = "kv_source_layers", indexing = "indexer_types";

// 1: it has positions.
LayerSet rotated_layers(const Architecture& arch) {
    const auto list = carried_list(arch, rotated);
    const std::int64_t step = std::max<std::int64_t>(1, Besides(arch).number("no_rope_layer_interval", 4));
    return layers_where(arch.layers, [&](std::int64_t layer) {
        const auto at = static_cast<std::size_t>(layer);
        return list ? at < list->size() && (*list)[at] != 0 : (layer + 1) % step != 0;
    });
}

LayerSet own_keys(const Architecture& arch) {
    const auto list = carried_list(arch, sources);
    return layers_where(arch.layers, [&](std::int64_t layer) {
        const auto at = static_cast<std::size_t>(layer);
        return !list || (at < list->size() && (*list)[at] == layer);
    });
}

void read(ConfigReader& reader, Architecture& arch) {
    const nlohmann::json& config = reader.config();
    leave_out_attention(arch);
    carry_list(reader, rotated, 0);
    carry_list(reader, sources, 0);
    for (const char* const schedule : {"index_topk_pattern", "index_topk_freq"})
        if (const nlohmann::json* word = said(config, schedule); word && *word != 1 && !said(config, indexing))
            reader.reject(schedule, "a schedule of which layers choose keys is not known here",
                          "give indexer_types, a word for each layer: full or shared");
}

void add(Besides& more, const Architecture& arch, bool positions, const LayerSet& layers, const LayerSet& own) {
    if (layers.count(arch.layers) == 0) return;
    const std::int64_t rank = more.number("kv_lora_rank", 512), value = more.number("v_head_dim", 128);
    const std::int64_t nope = more.number("qk_nope_head_dim", 64), rope = more.number("qk_rope_head_dim", 64);
    const Expr heads = Symbol::heads;
    more.in_layers(Component::attention, layers)
        .linear("self_attn.kv_b_proj", heads * (nope + value + (positions ? 0 : rope)), rank);
    const LayerSet storing = without(layers, without({}, own, arch.layers), arch.layers);
    if (storing.count(arch.layers) == 0) return;
    more.in_layers(Component::attention, storing)
        .linear("self_attn.kv_a_proj_with_mqa", rank + (positions ? rope : 0), Symbol::dim,
                arch.layer.attention.qkv_bias)
        .norm("self_attn.kv_a_layernorm", rank);
}

std::vector<Extra> besides(const Architecture& arch) {
    Besides more(arch);
    const std::int64_t value = more.number("v_head_dim", 128);
    const std::int64_t columns = more.number("qk_nope_head_dim", 64) + more.number("qk_rope_head_dim", 64);
    const Expr heads = Symbol::heads, dim = Symbol::dim;
    more.in_layers(Component::norm)
        .norm("input_layernorm", dim)
        .in_layers(Component::attention)
        .linear("self_attn.q_proj", heads * columns, dim)
        .add("self_attn.softmax_scaling.scale", {heads})
        .add("self_attn.softmax_scaling.bias", {heads})
        .linear("self_attn.o_proj", dim, heads * value, arch.layer.attention.qkv_bias);
    const LayerSet turned = rotated_layers(arch), own = own_keys(arch);
    add(more, arch, true, turned, own);
    add(more, arch, false, without({}, turned, arch.layers), own);
    const LayerSet choosing = layers_called(arch, indexing, "full").value_or(LayerSet{});
    if (choosing.count(arch.layers) == 0) return more.take();
    const Index index = index_of(more, 32);
    add_indexer(more.in_layers(Component::attention, choosing), index, dim);
    return more.norm("self_attn.indexer.q_input_norm", dim, true)
        .add("self_attn.indexer.softmax_scaling.scale", {index.heads})
        .add("self_attn.indexer.softmax_scaling.bias", {index.heads})
        .take();
}

constexpr DecoderClasses classes = classes_of<"MistralLarge4Text">;
constexpr std::array modules = decoder_modules(
    classes, gated_modules(classes.feed_forward), mixture_modules("mlp", "MistralLarge4TextMoE"),
    router_modules("gate", "MistralLarge4TextTopkRouter"), linear_expert_modules("MistralLarge4TextExperts"),
    shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"), norm_modules);
constexpr std::string_view numbers =
    "index_head_dim index_n_heads kv_lora_rank no_rope_layer_interval qk_nope_head_dim qk_rope_head_dim "
    "v_head_dim";
constexpr std::string_view ignored =
    "final_logit_softcapping head_dim index_head_dim index_n_heads index_topk indexer_types kv_lora_rank "
    "kv_source_layers layer_types n_group no_rope_layer_interval no_rope_layers num_key_value_heads "
    "qk_nope_head_dim qk_rope_head_dim routed_scaling_factor topk_group v_head_dim";
constexpr LlamaType type{
    .called = {"mistral_large4_text", "Mistral Large 4, text", classes, modules},
    .norm_class = "MistralLarge4RMSNorm",
    .usual = {.dim = 6144, .ffn_dim = 24576, .layers = 72, .heads = 64, .vocab = 204800, .context = 1048576},
    .head_dim = 128,
    .head_dim_field = {},
    .norm = {.epsilon = 1e-5},
    .mixture = changed(experts,
                       [](MixtureType& other) {
                           other.experts = 128;
                           other.experts_per_token = 4;
                           other.width = 6144;
                           other.correction_bias = false;
                       }),
    .computing = {.refused = "scores that grow with the position"},
    .numbers = numbers,
    .ignored = ignored,
    .besides = besides,
    .own = {read}};

}  // namespace mistral_large4

constexpr Family mistral_large4_text_family = llama_like<mistral_large4::type>();

}  // namespace headcount
