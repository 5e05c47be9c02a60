// Encoders with BERT's ends whose layers are known here by their tensors alone: ConvBERT (Jiang et al. 2020), half of
// whose heads are convolutions, SqueezeBERT (Iandola et al. 2020), whose matrices are cut into groups, FNet (Lee-Thorp
// et al. 2021), which mixes tokens by a Fourier transform, and Funnel (Dai et al. 2020), whose blocks read fewer and
// fewer rows (transformers, modeling_convbert.py, modeling_squeezebert.py, modeling_fnet.py, modeling_funnel.py).
#include <numeric>

#include "core/base/text.hpp"
#include "core/families/bert_like.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace bert_mixed {

// The layers' modules, where nothing of them is known but what is besides.
template <FixedText name>
constexpr auto layers_alone(std::string_view list = "layer") {
    return std::to_array<Module>({
        {2, "encoder", ModuleKind::container, {}, joined_name<name, "Encoder">},
        {3, list, ModuleKind::container, {}, "ModuleList"},
        {4, "{i}", ModuleKind::layer, {}, joined_name<name, "Layer">},
    });
}

void leave_layers_out(Architecture& arch) {
    arch.layer.mixer_layers = LayerSet::none();
    arch.layer.feed_forward_layers = LayerSet::none();
}

constexpr auto convolved_modules =
    join(bert_root_modules<"ConvBert">("convbert"), bert_embedding_modules<"ConvBert">, layers_alone<"ConvBert">(),
         bert_feed_forward_modules<"ConvBert">,
         std::to_array<Module>({
             {1, "generator_predictions", ModuleKind::container, {}, "ConvBertGeneratorPredictions"},
             {2, "activation", ModuleKind::stateless, {}, "GELUActivation()"},
             {2, "LayerNorm", ModuleKind::norm, Part::head_norm, {}},
             {2, "dense", ModuleKind::linear, Part::head_transform, {}},
             {1, "generator_lm_head", ModuleKind::linear, Part::output_head, {}},
         }));

// Of `head_ratio` heads one is left, and at least one in all; what it looks at is half as wide as it would be.
std::int64_t heads_left(const Architecture& arch, std::int64_t ratio) {
    return std::max<std::int64_t>(1, arch.layer.attention.heads / ratio);
}

void read_convolved(ConfigReader& reader, Architecture& arch) {
    carry_number(reader, "conv_kernel_size", 9);
    const std::int64_t ratio = carry_number(reader, "head_ratio", 2), groups = carry_number(reader, "num_groups", 1);
    arch.layer.mixer_layers = LayerSet::none();
    if (groups > 1) arch.layer.feed_forward_layers = LayerSet::none();
    const std::int64_t width = std::get<std::int64_t>(arch.layer.feed_forward.width);
    if (arch.dim % groups != 0 || width % groups != 0)
        reader.reject("num_groups", grouped(groups) + " groups do not divide both widths", "give a number that does");
    if (arch.dim % heads_left(arch, ratio) != 0)
        reader.reject("head_ratio", "the heads that are left do not divide the width", "give another ratio");
}

std::vector<Extra> convolved_besides(const Architecture& arch) {
    Besides more(arch);
    const std::int64_t kernel = more.number("conv_kernel_size", 9), groups = more.number("num_groups", 1);
    const std::int64_t ratio = std::max<std::int64_t>(1, more.number("head_ratio", 2));
    const Expr heads = arch.layer.attention.heads < ratio ? Expr(1) : Expr(Symbol::heads) / ratio;
    const Expr dim = Symbol::dim, width = Symbol::ffn_dim, columns = heads * (dim / heads / 2);
    const std::string own = "attention.self.";
    more.in_layers(Component::attention);
    for (const char* matrix : {"query", "key", "value"}) more.linear(own + matrix, columns, dim, true);
    more.add(own + "key_conv_attn_layer.bias", {columns, 1})
        .add(own + "key_conv_attn_layer.depthwise.weight", {dim, 1, kernel})
        .add(own + "key_conv_attn_layer.pointwise.weight", {columns, dim, 1})
        .linear(own + "conv_kernel_layer", heads * kernel, columns, true)
        .linear(own + "conv_out_layer", columns, dim, true)
        .linear("attention.output.dense", dim, dim, true)
        .in_layers(Component::norm)
        .norm("attention.output.LayerNorm", dim, true);
    if (groups <= 1) return more.take();
    return more.norm("output.LayerNorm", dim, true)
        .in_layers(Component::feed_forward)
        .add("intermediate.dense.weight", {groups, dim / groups, width / groups})
        .add("intermediate.dense.bias", {width})
        .add("output.dense.weight", {groups, width / groups, dim / groups})
        .add("output.dense.bias", {dim})
        .take();
}

constexpr BertType convolved{.called = {"convbert", "ConvBERT", convolved_modules},
                             .embedding_dim_field = "embedding_size",
                             .embedding_dim = 768,
                             .pools = false,
                             .computing = {.refused = "heads that are convolutions"},
                             .padding = 1,
                             .ignored = "conv_kernel_size head_ratio num_groups",
                             .own = {read_convolved},
                             .besides = convolved_besides};

constexpr auto squeezed_modules =
    join(bert_root_modules<"SqueezeBert">("transformer"), bert_embedding_modules<"SqueezeBert">,
         layers_alone<"SqueezeBert">("layers"), bert_pooler_modules<"SqueezeBert">, bert_head_modules<"SqueezeBert">);

// Into how many groups the inputs and outputs of each matrix are cut.
struct Groups {
    std::string_view field, matrix;
    std::int64_t usual;
};
constexpr std::array<Groups, 6> squeezed_groups{{{"q_groups", "attention.query", 4},
                                                 {"k_groups", "attention.key", 4},
                                                 {"v_groups", "attention.value", 4},
                                                 {"post_attention_groups", "post_attention.conv1d", 1},
                                                 {"intermediate_groups", "intermediate.conv1d", 4},
                                                 {"output_groups", "output.conv1d", 4}}};

void read_squeezed(ConfigReader& reader, Architecture& arch) {
    leave_layers_out(arch);
    for (const Groups& each : squeezed_groups) {
        const std::int64_t groups = carry_number(reader, each.field, each.usual);
        if (arch.dim % groups != 0 || std::get<std::int64_t>(arch.layer.feed_forward.width) % groups != 0)
            reader.reject(each.field, grouped(groups) + " groups do not divide both widths", "give a number that does");
    }
    if (reader.number({"embedding_size"}, arch.dim) != arch.dim)
        reader.reject("embedding_size", "an embedding of another width is not known here",
                      "give hidden_size, " + grouped(arch.dim));
}

std::vector<Extra> squeezed_besides(const Architecture& arch) {
    Besides more(arch);
    if (arch.layer.mixer_layers != LayerSet::none()) return {};  // an edited one has attention by the same names
    for (const Groups& each : squeezed_groups) {
        const bool widens = each.field == "intermediate_groups", narrows = each.field == "output_groups";
        const Expr outputs = widens ? Symbol::ffn_dim : Symbol::dim, inputs = narrows ? Symbol::ffn_dim : Symbol::dim;
        const std::string matrix(each.matrix);
        more.in_layers(widens || narrows ? Component::feed_forward : Component::attention)
            .add(matrix + ".weight",
                 {outputs, inputs / std::max<std::int64_t>(1, more.number(each.field, each.usual)), 1})
            .add(matrix + ".bias", {outputs});
    }
    return more.in_layers(Component::norm)
        .norm("post_attention.layernorm", Symbol::dim, true)
        .norm("output.layernorm", Symbol::dim, true)
        .take();
}

constexpr BertType squeezed{
    .called = {"squeezebert", "SqueezeBERT", squeezed_modules},
    .always_pools = true,
    .computing = {.refused = "matrices that are cut into groups"},
    .ignored = "intermediate_groups k_groups output_groups post_attention_groups q_groups v_groups",
    .own = {read_squeezed},
    .besides = squeezed_besides};

constexpr auto fourier_modules =
    join(bert_root_modules<"FNet">("fnet"), bert_embedding_modules<"FNet">, layers_alone<"FNet">(),
         bert_feed_forward_modules<"FNet">, bert_pooler_modules<"FNet">, bert_head_modules<"FNet">);
constexpr BertType fourier{
    .called = {"fnet", "FNet", fourier_modules},
    .usual = {.vocab = 32000},
    .token_types = 4,
    .activation = "gelu_new",
    .fields = {.heads = {}},
    .always_pools = true,
    .computing = {.refused = "Fourier transforms"},
    .padding = 3,
    .ignored = "tpu_short_seq_length use_tpu_fourier_optimizations",
    .own = {[](ConfigReader&, Architecture& arch) { arch.layer.mixer_layers = LayerSet::none(); }},
    .besides = [](const Architecture& arch) {
        return Besides(arch)
            .in_layers(Component::norm)
            .norm("fourier.output.LayerNorm", Symbol::dim, true)
            .in_model(Component::embedding)
            .linear("embeddings.projection", Symbol::dim, Symbol::dim, true)
            .take();
    }};

}  // namespace bert_mixed

constexpr Family convbert_family = bert_like<bert_mixed::convolved>();
constexpr Family squeezebert_family = bert_like<bert_mixed::squeezed>();
constexpr Family fnet_family = bert_like<bert_mixed::fourier>();

namespace funnel {

// The layers of the architecture are those that read all tokens again, behind the blocks; the blocks' are besides.
constexpr auto modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, "FunnelForMaskedLM"},
    {1, "funnel", ModuleKind::container, {}, "FunnelModel"},
    {2, "embeddings.word_embeddings", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "embeddings.layer_norm", ModuleKind::norm, Part::embedding_norm, {}},
    {2, "decoder", ModuleKind::container, {}, "FunnelDecoder"},
    {3, "layers", ModuleKind::container, {}, "ModuleList"},
    {4, "{i}", ModuleKind::layer, {}, "FunnelLayer"},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
});

// How many layers each block has; no more in all than may be read, as a document may say more.
std::vector<std::int64_t> blocks_of(const Architecture& arch) {
    std::vector<std::int64_t> blocks = carried_list(arch, "block_sizes").value_or(std::vector<std::int64_t>{4, 4, 4});
    std::int64_t left = most_listed;
    for (std::int64_t& layers : blocks) {
        layers = std::min(layers, left);
        left -= layers;
    }
    return blocks;
}

void read_rest(ConfigReader& reader, Architecture& arch) {
    arch.layer.attention.head_dim = reader.number({"d_head"}, 64);
    arch.layer.attention.mask = AttentionMask::full;
    arch.layer.feed_forward.bias = true;
    arch.layer.mixer_layers = LayerSet::none();
    arch.layer.feed_forward_layers = LayerSet::none();
    const auto blocks = carry_list(reader, "block_sizes", 0);
    if (blocks && std::accumulate(blocks->begin(), blocks->end(), std::int64_t{0}) > most_listed)
        reader.reject("block_sizes", too_many_layers().what, too_many_layers().fix);
    reader.only_class(modules.front().class_name);
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    config["d_head"] = bindings(arch, Input{})[Symbol::head_dim].value_or(0);
}

// One layer's tensors, with that before their names; `place` says where they stand.
void add_layer(Besides& more, const std::string& before, Besides& (*component)(Besides& more, Component component)) {
    const Expr heads = Symbol::heads, columns = Symbol::head_dim, wide = heads * columns, dim = Symbol::dim;
    const std::string own = before + "attention.";
    place(more, Component::attention);
    for (const char* bias : {"r_w_bias", "r_r_bias", "r_s_bias"}) more.add(own + bias, {heads, columns});
    more.add(own + "r_kernel", {dim, heads, columns}).add(own + "seg_embed", {2, heads, columns});
    more.linear(own + "q_head", wide, dim)
        .linear(own + "k_head", wide, dim, true)
        .linear(own + "v_head", wide, dim, true)
        .linear(own + "post_proj", dim, wide, true);
    place(more, Component::feed_forward)
        .linear(before + "ffn.linear_1", Symbol::ffn_dim, dim, true)
        .linear(before + "ffn.linear_2", dim, Symbol::ffn_dim, true);
    place(more, Component::norm).norm(own + "layer_norm", dim, true).norm(before + "ffn.layer_norm", dim, true);
}

std::vector<Extra> besides(const Architecture& arch) {
    Besides more(arch);
    const std::vector<std::int64_t> blocks = blocks_of(arch);
    for (std::size_t block = 0; block < blocks.size(); ++block)
        for (std::int64_t layer = 0; layer < blocks[block]; ++layer)
            add_layer(more, "encoder.blocks." + std::to_string(block) + "." + std::to_string(layer) + ".",
                      [](Besides& all, Component component) -> Besides& { return all.in_model(component); });
    add_layer(more, "", [](Besides& all, Component component) -> Besides& { return all.in_layers(component); });
    return more.take();
}

constexpr ComputationType computing{.refused = "blocks that read fewer and fewer rows"};

constexpr PlainType type{
    .called = {"funnel", "Funnel", modules},
    .words = {.dim = {"d_model", "hidden_size"},
              .layers = {"num_decoder_layers"},
              .heads = {"n_head", "num_attention_heads"},
              .context = {},
              .width = "d_inner"},
    .usual = {.dim = 768, .layers = 2, .heads = 12, .vocab = 30522, .context = 4096, .width = 3072},
    .activation = "gelu_new",
    .norm = layer_norm(1e-9, NormPlacement::after_sum),
    .biases = false,
    .embedding_norm = true,
    .head_bias = true,
    .positions = Positions::none,
    .computing = computing,
    .own = {read_rest, write_rest},
    .rest = {.besides = besides,
             .ignored =
                 "attention_type block_repeats block_sizes initializer_std pool_q_only pooling_type separate_cls "
                 "truncate_seq"}};

}  // namespace funnel

constexpr Family funnel_family = plain_family<funnel::type>();

}  // namespace headcount
