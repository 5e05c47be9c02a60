// Reformer (Kitaev et al. 2020): attention within chunks, or among tokens that are hashed alike, and two streams that
// the output head reads side by side. Attention, positions and head are known here by their tensors alone
// (transformers, modeling_reformer.py).
#include <algorithm>

#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/layer_lists.hpp"
#include "core/families/plain_type.hpp"

namespace headcount {
namespace reformer {

constexpr std::string_view local = "local", hashed = "lsh", kinds = "attn_layers";

constexpr std::string_view whole = "ReformerModelWithLMHead", masked = "ReformerForMaskedLM";

// Names of a model without an output head begin below its second module. This one's head is among what is counted by
// its tensors alone, and its names begin at the whole.
constexpr auto modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, whole},
    {1, "whole", ModuleKind::container, {}, whole},
    {2, "reformer", ModuleKind::container, {}, "ReformerModel"},
    {3, "embeddings", ModuleKind::container, {}, "ReformerEmbeddings"},
    {4, "word_embeddings", ModuleKind::embedding, Part::token_embedding, {}},
    {3, "encoder", ModuleKind::container, {}, "ReformerEncoder"},
    {4, "layers", ModuleKind::container, {}, "ModuleList"},
    {5, "{i}", ModuleKind::layer, {}, "ReformerLayer"},
    {6, "feed_forward", ModuleKind::container, {}, "ChunkReformerFeedForward"},
    {7, "layer_norm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {7, "dense", ModuleKind::container, {}, "ReformerFeedForwardDense"},
    {8, "act_fn", ModuleKind::activation, {}, {}},
    {8, "dense", ModuleKind::linear, Part::up, {}},
    {7, "output", ModuleKind::container, {}, "ReformerFeedForwardOutput"},
    {8, "dense", ModuleKind::linear, Part::down, {}},
});

void read_rest(ConfigReader& reader, Architecture& arch) {
    const nlohmann::json* list = said(reader.config(), kinds);
    const std::int64_t listed = list && list->is_array() ? std::max<std::int64_t>(1, std::ssize(*list)) : 6;
    const auto words = reader.layer_words({kinds}, listed, {local, hashed});
    reader.carry(kinds);
    arch.layers = reader.number({"num_hidden_layers"}, listed);
    const bool alike = words && std::ranges::all_of(*words, [&](const auto& each) { return each == words->front(); });
    if (arch.layers > listed && !alike)
        reader.reject("num_hidden_layers", "there are more layers than attn_layers lists", "list all, or leave it out");
    if (arch.layers > LayerSet::longest)
        reader.reject(kinds, "so many layers of this type cannot be told apart", "give fewer");
    arch.output = OutputKind::none;
    reader.only_class(whole, masked);
    reader.flag({"tie_word_embeddings"}, false);  // which is read past: the head is twice as wide
    arch.norm.final = false;
    arch.layer.mixer_layers = LayerSet::none();
    arch.layer.attention.head_dim = reader.number({"attention_head_size"}, 64);
    if (!reader.flag({"is_decoder"}, false)) arch.layer.attention.mask = AttentionMask::full;
    arch.layer.feed_forward.bias = true;
    if (!carry_flag(reader, "axial_pos_embds", true)) return;
    for (const char* const field : {"axial_pos_shape", "axial_pos_embds_dim"})
        if (const auto sizes = carry_list(reader, field); sizes && sizes->size() != 2)
            reader.reject(field, "positions are made of two tables", "list two numbers");
}

LayerSet hashing_layers(const Architecture& arch) {
    return layers_called(arch, kinds, hashed).value_or(LayerSet::every(2));
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    config["is_decoder"] = arch.layer.attention.mask == AttentionMask::causal;
    if (!config["is_decoder"]) config["architectures"] = {masked};
    config["attention_head_size"] = bindings(arch, Input{})[Symbol::head_dim].value_or(0);
    config[kinds] = worded(hashing_layers(arch), std::min(arch.layers, LayerSet::longest), hashed, local);
}

void add_positions(Besides& more, const Architecture& arch) {
    const std::string tables = "reformer.embeddings.position_embeddings.";
    more.in_model(Component::embedding);
    if (!more.flag("axial_pos_embds", true)) {
        more.table(tables + "embedding", Symbol::context, Symbol::dim);
        return;
    }
    const auto two = [&](std::string_view field, std::vector<std::int64_t> otherwise) {
        const std::vector<std::int64_t> sizes = carried_list(arch, field).value_or(otherwise);
        return sizes.size() == 2 ? sizes : otherwise;
    };
    const std::vector<std::int64_t> shape = two("axial_pos_shape", {64, 64});
    const std::vector<std::int64_t> columns = two("axial_pos_embds_dim", {64, 192});
    more.add(tables + "weights.0", {shape[0], 1, columns[0]}).add(tables + "weights.1", {1, shape[1], columns[1]});
}

std::vector<Extra> besides(const Architecture& arch) {
    Besides more(arch);
    add_positions(more, arch);
    const Expr columns = Expr(Symbol::heads) * Symbol::head_dim;
    const LayerSet hashing = hashing_layers(arch);
    const std::string own = "attention.self_attention.";
    more.in_layers(Component::norm).norm("attention.layer_norm", Symbol::dim, true);
    if (hashing.count(arch.layers) > 0)
        more.in_layers(Component::attention, hashing).linear(own + "query_key", columns, Symbol::dim);
    if (hashing.count(arch.layers) < arch.layers)
        more.in_layers(Component::attention,
                       layers_where(arch.layers, [&](std::int64_t i) { return !hashing.contains(i); }))
            .linear(own + "query", columns, Symbol::dim)
            .linear(own + "key", columns, Symbol::dim);
    return more.in_layers(Component::attention)
        .linear(own + "value", columns, Symbol::dim)
        .linear("attention.output.dense", Symbol::dim, columns)
        .in_model(Component::norm)
        .norm("reformer.encoder.layer_norm", Expr(2) * Symbol::dim, true)
        .in_model(Component::output)
        .linear("lm_head.decoder", Symbol::vocab, Expr(2) * Symbol::dim)
        .add("lm_head.bias", {Symbol::vocab})
        .take();
}

constexpr std::string_view ignored =
    "attn_layers axial_norm_std axial_pos_embds axial_pos_embds_dim axial_pos_shape chunk_size_lm_head "
    "hash_seed local_attn_chunk_length local_num_chunks_after local_num_chunks_before "
    "lsh_attn_chunk_length lsh_num_chunks_after lsh_num_chunks_before num_buckets num_hashes";
constexpr ComputationType computing{.refused = "tokens that are hashed, and streams that are undone"};

constexpr PlainType type{.called = {"reformer", "Reformer", modules},
                         .words = {.width = "feed_forward_size", .tied = {}},
                         .usual = {.dim = 256, .layers = 6, .heads = 12, .vocab = 320, .context = 4096, .width = 512},
                         .activation = "relu",
                         .norm = layer_norm(1e-12),
                         .tied = false,
                         .biases = false,
                         .positions = Positions::none,
                         .computing = computing,
                         .own = {read_rest, write_rest},
                         .rest = {.besides = besides, .ignored = ignored}};

}  // namespace reformer

constexpr Family reformer_family = plain_family<reformer::type>();

}  // namespace headcount
