// Conformers that read frequencies and score letters: LASR (Google 2025) and Parakeet (NVIDIA 2024). A layer has a
// feed-forward before and behind attention and a convolution; all is known here by its tensors alone (transformers,
// modeling_lasr.py, modeling_parakeet.py).
#include <algorithm>
#include <bit>

#include "core/base/checked.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/plain_type.hpp"

namespace headcount {
namespace conformers {

constexpr std::string_view inner = "encoder_config";

// What a file leaves out; and what the two differ in.
struct Usual {
    std::string_view whole, encoder;  // classes
    std::int64_t dim, layers, ffn_dim, vocab, context, frequencies;
    std::int64_t kernel, entry_kernel, entry_channels = 256;
    bool biased, norm_bias;
    void (*enter)(Besides& more, ConfigReader& fields, const Usual& usual);
    bool relative = false;  // distances by a matrix of their own
};

// Names of a model without an output head begin below its second module. These models' heads are among what is counted
// by its tensors alone, and names begin at the whole.
constexpr std::array<Module, 5> modules_of(const Usual& usual, std::string_view layer) {
    return {{
        {0, "", ModuleKind::container, {}, usual.whole},
        {1, "whole", ModuleKind::container, {}, usual.whole},
        {2, "encoder", ModuleKind::container, {}, usual.encoder},
        {3, "layers", ModuleKind::container, {}, "ModuleList"},
        {4, "{i}", ModuleKind::layer, {}, layer},
    }};
}

std::int64_t size_of(ConfigReader& fields, std::string_view field, std::int64_t otherwise) {
    return std::min(fields.number({field}, otherwise), Besides::largest);
}

// Rows that lie close together are read by a matrix, and every second one of them by a convolution, twice.
void enter_rows(Besides& more, ConfigReader& fields, const Usual& usual) {
    const Expr dim = Symbol::dim, channels = size_of(fields, "subsampling_conv_channels", usual.entry_channels);
    const Expr kernel = size_of(fields, "subsampling_conv_kernel_size", usual.entry_kernel);
    const std::string own = "encoder.subsampler.";
    more.linear(own + "dense_0", dim, size_of(fields, "num_mel_bins", usual.frequencies), true)
        .add(own + "conv_0.weight", {dim, dim, kernel})
        .add(own + "conv_0.bias", {dim})
        .add(own + "conv_1.weight", {channels, dim, kernel})
        .add(own + "conv_1.bias", {channels})
        .linear(own + "dense_1", dim, channels, true);
}

// As many as the factor is powers of two.
std::int64_t plane_convolutions(ConfigReader& fields) {
    return std::bit_width(static_cast<std::uint64_t>(size_of(fields, "subsampling_factor", 8))) - 1;
}

// Of the frequencies, behind all convolutions.
std::int64_t frequencies_left(ConfigReader& fields, const Usual& usual) {
    const std::int64_t stride = size_of(fields, "subsampling_conv_stride", 2);
    std::int64_t left = size_of(fields, "num_mel_bins", usual.frequencies);
    for (std::int64_t i = plane_convolutions(fields); i > 0; --i) left /= stride;
    return left;
}

// Convolutions over time and frequencies, the later ones of each channel by itself and a matrix behind; then a matrix.
void enter_plane(Besides& more, ConfigReader& fields, const Usual& usual) {
    const std::int64_t channels = size_of(fields, "subsampling_conv_channels", usual.entry_channels);
    const std::int64_t kernel = size_of(fields, "subsampling_conv_kernel_size", usual.entry_kernel);
    const std::string own = "encoder.subsampling.";
    const std::int64_t count = std::max<std::int64_t>(1, plane_convolutions(fields));
    const auto convolve = [&](std::int64_t number, std::vector<Expr> shape) {
        const std::string name = own + "layers." + std::to_string(number);
        more.add(name + ".weight", std::move(shape)).add(name + ".bias", {channels});
    };
    for (std::int64_t i = 0; i < count; ++i) {
        convolve(i == 0 ? 0 : 3 * i - 1, {channels, 1, kernel, kernel});
        if (i > 0) convolve(3 * i, {channels, channels, 1, 1});
    }
    more.linear(own + "linear", Symbol::dim,
                Expr(channels) * std::max<std::int64_t>(1, frequencies_left(fields, usual)), true);
}

constexpr Usual lasr{.whole = "LasrForCTC",
                     .encoder = "LasrEncoder",
                     .dim = 512,
                     .layers = 17,
                     .ffn_dim = 2048,
                     .vocab = 512,
                     .context = 10000,
                     .frequencies = 128,
                     .kernel = 32,
                     .entry_kernel = 5,
                     .biased = false,
                     .norm_bias = false,
                     .enter = enter_rows};
constexpr Usual parakeet{.whole = "ParakeetForCTC",
                         .encoder = "ParakeetEncoder",
                         .dim = 1024,
                         .layers = 24,
                         .ffn_dim = 4096,
                         .vocab = 1025,
                         .context = 5000,
                         .frequencies = 80,
                         .kernel = 9,
                         .entry_kernel = 3,
                         .biased = true,
                         .norm_bias = true,
                         .enter = enter_plane,
                         .relative = true};
constexpr std::array lasr_modules = modules_of(lasr, "LasrEncoderBlock");
constexpr std::array parakeet_modules = modules_of(parakeet, "ParakeetEncoderBlock");

Result<Architecture> read(const nlohmann::json& config, const Family& family, const Usual& usual) {
    ConfigReader reader(config);
    Architecture arch;
    arch.family = &family;
    const nlohmann::json own = object_said(config, inner);
    ConfigReader fields(own);
    arch.dim = fields.number({"hidden_size"}, usual.dim);
    arch.layers = fields.number({"num_hidden_layers"}, usual.layers);
    arch.context = fields.number({"max_position_embeddings"}, usual.context);
    arch.layer.attention.heads = fields.number({"num_attention_heads"}, 8);
    const std::int64_t rule = std::max<std::int64_t>(1, arch.dim / arch.layer.attention.heads);
    arch.layer.attention.head_dim = fields.number({"head_dim"}, rule);
    arch.layer.attention.kv_heads = fields.optional_number({"num_key_value_heads"});
    arch.layer.attention.mask = AttentionMask::full;
    arch.layer.feed_forward.width = fields.number({"intermediate_size"}, usual.ffn_dim);
    arch.layer.feed_forward.activation = read_activation(fields, {"hidden_act"}, "silu");
    arch.layer.mixer_layers = LayerSet::none();
    arch.layer.feed_forward_layers = LayerSet::none();
    arch.norm = layer_norm(fields.real({"layer_norm_eps"}, usual.norm_bias ? 1e-5 : 1e-6));
    arch.norm.final = false;
    arch.positions = Positions::none;
    arch.tied = false;
    arch.output = OutputKind::none;
    arch.vocab = reader.number({"vocab_size"}, usual.vocab);
    arch.sound = Sound{.channels = fields.number({"num_mel_bins"}, usual.frequencies), .convolutions = {}};
    for (const char* const field : {"conv_kernel_size", "subsampling_conv_channels", "subsampling_conv_kernel_size",
                                    "subsampling_conv_stride", "subsampling_factor"})
        carry_number(fields, field, 1);
    for (const char* const field : {"attention_bias", "convolution_bias"}) fields.flag({field}, usual.biased);
    if (usual.enter == enter_plane && frequencies_left(fields, usual) == 0)
        fields.reject("num_mel_bins", "convolutions leave nothing of so few frequencies", "give more");
    reader.object({inner});
    reader.carry(inner);
    if (const auto& error = fields.error()) reader.reject(inner, error->where + ": " + error->what, error->fix);
    reader.only_class(usual.whole);
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch, const Usual& usual) {
    nlohmann::json own = object_said(arch.carried.object(), inner);
    own["hidden_size"] = arch.dim;
    own["num_hidden_layers"] = arch.layers;
    own["num_attention_heads"] = arch.layer.attention.heads;
    own["num_key_value_heads"] = kv_heads(arch);
    own["head_dim"] = bindings(arch, Input{})[Symbol::head_dim].value_or(0);
    own["intermediate_size"] = bindings(arch, Input{})[Symbol::ffn_dim].value_or(0);
    own["hidden_act"] = activation_name(arch.layer.feed_forward.activation);
    own["max_position_embeddings"] = arch.context;
    own["num_mel_bins"] = arch.sound ? arch.sound->channels : usual.frequencies;
    return {
        {"architectures", {usual.whole}}, {"model_type", arch.family->type}, {"vocab_size", arch.vocab}, {inner, own}};
}

template <const Usual& usual>
std::vector<Extra> besides(const Architecture& arch) {
    nlohmann::json own = object_said(arch.carried.object(), inner);
    if (arch.sound) own["num_mel_bins"] = arch.sound->channels;
    ConfigReader fields(own);
    Besides more(arch);
    const bool bias = fields.flag({"attention_bias"}, usual.biased);
    const bool convolved = fields.flag({"convolution_bias"}, usual.biased);
    const Expr dim = Symbol::dim, columns = Expr(Symbol::heads) * Symbol::head_dim;
    const Expr keys = Expr(Symbol::kv_heads) * Symbol::head_dim;
    more.in_model(Component::embedding);
    usual.enter(more, fields, usual);
    more.in_layers(Component::norm);
    for (const char* norm : {"norm_feed_forward1", "norm_self_att", "norm_conv", "norm_feed_forward2", "norm_out"})
        more.norm(norm, dim, usual.norm_bias);
    more.norm("conv.norm", dim, true)
        .buffer("conv.norm.running_mean", {dim})
        .buffer("conv.norm.running_var", {dim})
        .in_layers(Component::feed_forward);
    for (const std::string half : {"feed_forward1", "feed_forward2"})
        more.linear(half + ".linear1", Symbol::ffn_dim, dim, bias)
            .linear(half + ".linear2", dim, Symbol::ffn_dim, bias);
    more.in_layers(Component::attention);
    more.linear("self_attn.q_proj", columns, dim, bias)
        .linear("self_attn.k_proj", keys, dim, bias)
        .linear("self_attn.v_proj", keys, dim, bias)
        .linear("self_attn.o_proj", dim, columns, bias);
    if (usual.relative)
        more.linear("self_attn.relative_k_proj", columns, dim)
            .add("self_attn.bias_u", {Symbol::heads, Symbol::head_dim})
            .add("self_attn.bias_v", {Symbol::heads, Symbol::head_dim});
    const auto convolution = [&](const std::string& name, std::vector<Expr> shape) {
        if (convolved) more.add("conv." + name + ".bias", {shape.front()});
        more.add("conv." + name + ".weight", std::move(shape));
    };
    convolution("pointwise_conv1", {Expr(2) * dim, dim, 1});
    convolution("depthwise_conv", {dim, 1, size_of(fields, "conv_kernel_size", usual.kernel)});
    convolution("pointwise_conv2", {dim, dim, 1});
    if (!usual.norm_bias) more.in_model(Component::norm).norm("encoder.out_norm", dim);
    return more.in_model(Component::output)
        .add("ctc_head.weight", {Symbol::vocab, dim, 1})
        .add("ctc_head.bias", {Symbol::vocab})
        .take();
}

constexpr ComputationType computing{.refused = "a Conformer's layers"};

template <const Usual& usual>
constexpr Family family_of(std::string_view type, std::string_view name, std::span<const Module> modules) {
    return {.type = type,
            .name = name,
            .modules = modules,
            .read = [](const nlohmann::json& config, const Family& family) { return read(config, family, usual); },
            .write = [](const Architecture& arch) { return write(arch, usual); },
            .computation = compute<computing>,
            .besides = besides<usual>,
            .hears_besides = true,
            .ignored = "ctc_loss_reduction ctc_zero_infinity encoder_config"};
}

}  // namespace conformers

constexpr Family lasr_ctc_family =
    conformers::family_of<conformers::lasr>("lasr_ctc", "LASR", conformers::lasr_modules);
constexpr Family parakeet_ctc_family =
    conformers::family_of<conformers::parakeet>("parakeet_ctc", "Parakeet", conformers::parakeet_modules);

}  // namespace headcount
