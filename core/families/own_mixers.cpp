// Models whose mixers are known here by their tensors alone: RecurrentGemma (Botev et al. 2024), RWKV-4 (Peng et al.
// 2023), xLSTM (Beck et al. 2024) and MiniMax-01, whose other layers have attention (transformers,
// modeling_recurrent_gemma.py, modeling_rwkv.py, modeling_xlstm.py, modeling_minimax.py).
#include <cmath>

#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/own_tensors.hpp"

namespace headcount {

// RecurrentGemma: two layers of three have a linear recurrence with gates, the third attention in a window.
namespace recurrent_gemma {

constexpr DecoderClasses classes = classes_of<"RecurrentGemma">;
constexpr std::array<Module, 11> layer{{
    {4, "temporal_pre_norm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "temporal_block", ModuleKind::container, {}, classes.attention},
    {5, "q_proj", ModuleKind::linear, Part::query, {}},
    {5, "k_proj", ModuleKind::linear, Part::key, {}},
    {5, "v_proj", ModuleKind::linear, Part::value, {}},
    {5, "o_proj", ModuleKind::linear, Part::attention_output, {}},
    {4, "channel_pre_norm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "mlp_block", ModuleKind::container, {}, "RecurrentGemmaMlp"},
    {5, "gate_proj", ModuleKind::linear, Part::gate, {}},
    {5, "up_proj", ModuleKind::linear, Part::up, {}},
    {5, "down_proj", ModuleKind::linear, Part::down, {}},
}};
constexpr std::array<Module, 2> ends{{
    {2, "final_norm", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};
constexpr std::array modules = join(model_modules(classes), layer, ends);

// One word for each layer of a cycle.
LayerSet recurrent_layers(ConfigReader& reader, const nlohmann::json& config, std::int64_t layers) {
    constexpr std::array usual{true, true, false};
    const nlohmann::json* words = said(config, "block_types");
    if (!words) return LayerSet::of(usual);
    const bool known =
        words->is_array() && !words->empty() && std::ranges::all_of(*words, [](const nlohmann::json& word) {
            return word == "recurrent" || word == "attention";
        });
    if (!known) {
        reader.reject("block_types", "is no list of recurrent and attention",
                      "give one word for each layer of a cycle");
        return LayerSet::of(usual);
    }
    return layers_where(std::min(layers, LayerSet::longest), [&](std::int64_t each) {
        return (*words)[static_cast<std::size_t>(each) % words->size()] == "recurrent";
    });
}

void read(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    Layer& all = arch.layer;
    all.own_mixers = recurrent_layers(reader, config, arch.layers);
    const std::int64_t both = reader.number({"intermediate_size"}, 7680, 2);
    all.feed_forward.width = std::max<std::int64_t>(1, both / 2);
    all.feed_forward.bias = true;
    all.attention.output_bias = true;
    if (!all.attention.head_dim && arch.dim % all.attention.heads == 0)
        all.attention.head_dim = arch.dim / all.attention.heads;
    all.attention.window = AttentionWindow{.size = reader.number({"attention_window_size", "sliding_window"}, 2048),
                                           .layers = without(LayerSet(), all.own_mixers, arch.layers)};
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    config["intermediate_size"] = 2 * bindings(arch, Input{})[Symbol::ffn_dim].value_or(0);
    config["attention_bias"] = arch.layer.attention.qkv_bias;
    config["block_types"] = worded(arch.layer.own_mixers, arch.layers, "recurrent", "attention");
    config["attention_window_size"] = arch.layer.attention.window ? arch.layer.attention.window->size : 2048;
}

std::vector<OwnTensor> own(const Architecture& arch) {
    OwnTensors tensors(arch);
    const std::int64_t given = tensors.number("lru_width", arch.dim), heads = arch.layer.attention.heads;
    const Expr width = given == arch.dim ? Expr(Symbol::dim) : Expr(given), block = given / heads;
    const std::int64_t kernel = tensors.number("conv1d_width", 4);
    tensors.in(arch.layer.own_mixers);
    return tensors.linear("temporal_block.linear_y", width, Symbol::dim, true)
        .linear("temporal_block.linear_x", width, Symbol::dim, true)
        .linear("temporal_block.linear_out", Symbol::dim, width, true)
        .add("temporal_block.conv_1d.weight", {width, 1, kernel})
        .add("temporal_block.conv_1d.bias", {width})
        .add("temporal_block.rg_lru.recurrent_param", {width})
        .add("temporal_block.rg_lru.input_gate_weight", {Symbol::heads, block, block})
        .add("temporal_block.rg_lru.input_gate_bias", {Symbol::heads, block})
        .add("temporal_block.rg_lru.recurrent_gate_weight", {Symbol::heads, block, block})
        .add("temporal_block.rg_lru.recurrent_gate_bias", {Symbol::heads, block})
        .take();
}

constexpr LlamaType type{.type = "recurrent_gemma",
                         .name = "RecurrentGemma",
                         .classes = classes,
                         .modules = modules,
                         .dim = 2560,
                         .ffn_dim = 7680,
                         .layers = 26,
                         .heads = 10,
                         .vocab = 256000,
                         .context = 8192,
                         .tied = true,
                         .activation = "gelu_pytorch_tanh",
                         .rotary = 0.5,
                         .activation_field = "hidden_activation",
                         .qkv_bias_is_output_bias = false,
                         .computing = {.root_embedding_scale = true},
                         .padding = 0,
                         .read_rest = read,
                         .write_rest = write};
constexpr std::array ignored =
    std::to_array<std::string_view>({"block_types", "conv1d_width", "final_w_init_variance_scale", "logits_soft_cap",
                                     "lru_width", "w_init_variance_scale"});

}  // namespace recurrent_gemma

constexpr Family recurrent_gemma_family = [] {
    Family family = llama_like<recurrent_gemma_family, recurrent_gemma::type>();
    family.own = recurrent_gemma::own;
    family.ignored = recurrent_gemma::ignored;
    return family;
}();

// RWKV-4: a state that each token fades, and a feed-forward that a gate of its own lets through.
namespace rwkv {

constexpr std::array<Module, 12> modules{{
    {0, "", ModuleKind::container, {}, "RwkvForCausalLM"},
    {1, "rwkv", ModuleKind::container, {}, "RwkvModel"},
    {2, "embeddings", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "blocks", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "RwkvBlock"},
    {4, "ln1", ModuleKind::norm, Part::attention_norm, {}},
    {4, "ln2", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "feed_forward", ModuleKind::container, {}, "RwkvFeedForward"},
    {5, "key", ModuleKind::linear, Part::up, {}},
    {5, "value", ModuleKind::linear, Part::down, {}},
    {2, "ln_out", ModuleKind::norm, Part::final_norm, {}},
    {1, "head", ModuleKind::linear, Part::output_head, {}},
}};

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    arch.dim = reader.number({"hidden_size"}, 4096);
    arch.layers = reader.number({"num_hidden_layers"}, 32);
    arch.vocab = reader.number({"vocab_size"}, 50277);
    arch.context = reader.number({"context_length", "max_position_embeddings"}, 1024);
    arch.positions = Positions::none;
    arch.tied = reader.flag({"tie_word_embeddings"}, false);
    arch.norm = layer_norm(reader.real({"layer_norm_epsilon"}, 1e-5));
    arch.layer.own_mixers = LayerSet();
    const std::optional<std::int64_t> width = reader.optional_number({"intermediate_size"});
    arch.layer.feed_forward = {.gated = false,
                               .activation = Activation::relu2,
                               .width = width ? *width : four_times(reader, "hidden_size", arch.dim)};
}

nlohmann::ordered_json write(const Architecture& arch) {
    return {
        {"architectures", {"RwkvForCausalLM"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"hidden_size", arch.dim},
        {"intermediate_size", bindings(arch, Input{})[Symbol::ffn_dim].value_or(0)},
        {"num_hidden_layers", arch.layers},
        {"context_length", arch.context},
        {"layer_norm_epsilon", arch.norm.epsilon},
        {"tie_word_embeddings", arch.tied},
    };
}

std::vector<OwnTensor> own(const Architecture& arch) {
    OwnTensors tensors(arch);
    const std::int64_t given = tensors.number("attention_hidden_size", arch.dim);
    const Expr width = given == arch.dim ? Expr(Symbol::dim) : Expr(given);
    const LayerSet first_layer = layers_where(arch.layers, [](std::int64_t layer) { return layer == 0; });
    tensors.in(first_layer).norm("pre_ln", Symbol::dim, true);
    tensors.in(LayerSet())
        .add("attention.time_decay", {width})
        .add("attention.time_first", {width})
        .add("attention.time_mix_key", {1, 1, Symbol::dim})
        .add("attention.time_mix_value", {1, 1, Symbol::dim})
        .add("attention.time_mix_receptance", {1, 1, Symbol::dim});
    for (const char* const matrix : {"attention.key", "attention.value", "attention.receptance"})
        tensors.linear(matrix, width, Symbol::dim);
    return tensors.linear("attention.output", Symbol::dim, width)
        .in(LayerSet(), OwnTensor::Place::feed_forward)
        .add("feed_forward.time_mix_key", {1, 1, Symbol::dim})
        .add("feed_forward.time_mix_receptance", {1, 1, Symbol::dim})
        .linear("feed_forward.receptance", Symbol::dim, Symbol::dim)
        .take();
}

constexpr std::array ignored = std::to_array<std::string_view>({"attention_hidden_size", "rescale_every"});

}  // namespace rwkv

constexpr Family rwkv_family = [] {
    Family family = gpt_like<rwkv_family, rwkv::read, rwkv::write>("rwkv", "RWKV", rwkv::modules);
    family.own = rwkv::own;
    family.ignored = rwkv::ignored;
    return family;
}();

// xLSTM 7B: matrix memories, written and read by gates.
namespace xlstm {

constexpr std::array<Module, 14> modules{{
    {0, "", ModuleKind::container, {}, "xLSTMForCausalLM"},
    {1, "backbone", ModuleKind::container, {}, "xLSTMModel"},
    {2, "embeddings", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "blocks", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "xLSTMBlock"},
    {4, "norm_mlstm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "norm_ffn", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "ffn", ModuleKind::container, {}, "xLSTMFeedForward"},
    {5, "proj_up_gate", ModuleKind::linear, Part::gate, {}},
    {5, "proj_up", ModuleKind::linear, Part::up, {}},
    {5, "proj_down", ModuleKind::linear, Part::down, {}},
    {5, "act_fn", ModuleKind::activation, {}, {}},
    {2, "out_norm", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};

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

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    arch.dim = reader.number({"hidden_size", "embedding_dim"}, 4096);
    arch.layers = reader.number({"num_hidden_layers", "num_blocks"}, 32);
    arch.layer.attention.heads = reader.number({"num_heads"}, 8);
    arch.vocab = reader.number({"vocab_size"}, 50304);
    arch.positions = Positions::none;
    arch.tied = reader.flag({"tie_word_embeddings"}, false);
    arch.norm.epsilon = reader.real({"norm_eps"}, 1e-6);
    reader.flag({"add_out_norm"}, true);  // there is one, whatever the file says
    if (reader.text({"weight_mode"}, "single") != "single")
        reader.reject("weight_mode", "fused matrices are not known here", "give single");
    arch.layer.own_mixers = LayerSet();
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

nlohmann::ordered_json write(const Architecture& arch) {
    const auto width = static_cast<double>(bindings(arch, Input{})[Symbol::ffn_dim].value_or(0));
    return {
        {"architectures", {"xLSTMForCausalLM"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"hidden_size", arch.dim},
        {"num_hidden_layers", arch.layers},
        {"num_heads", arch.layer.attention.heads},
        {"ffn_proj_factor", width / static_cast<double>(arch.dim)},
        {"ffn_round_up_to_multiple_of", 1},
        {"use_bias", arch.layer.feed_forward.bias},
        {"norm_eps", arch.norm.epsilon},
        {"tie_word_embeddings", arch.tied},
    };
}

std::vector<OwnTensor> own(const Architecture& arch) {
    const bool bias = arch.layer.feed_forward.bias;
    const Expr keys = Expr(Symbol::dim) / 2, values = Symbol::dim;
    OwnTensors tensors(arch);
    if (bias)
        tensors.in(LayerSet(), OwnTensor::Place::feed_forward)
            .add("norm_mlstm.bias", {Symbol::dim})
            .add("norm_ffn.bias", {Symbol::dim});
    return tensors.in(LayerSet())
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

constexpr std::array ignored = std::to_array<std::string_view>(
    {"autocast_kernel_dtype", "chunk_size", "chunkwise_kernel", "embedding_dim", "eps", "gate_soft_cap",
     "inference_state_dtype", "max_inference_chunksize", "mode", "norm_reduction_force_float32", "num_blocks",
     "output_logit_soft_cap", "return_last_states", "sequence_kernel", "step_kernel"});

}  // namespace xlstm

constexpr Family xlstm_family = [] {
    Family family = gpt_like<xlstm_family, xlstm::read, xlstm::write>("xlstm", "xLSTM", xlstm::modules);
    family.own = xlstm::own;
    family.ignored = xlstm::ignored;
    return family;
}();

}  // namespace headcount
