// Families of 2025 like LLaMA that differ by a bias, a rule of their own for positions, or sizes alone: Seed-OSS,
// Helium, InternLM 3, IQuest-Coder, Ministral 3, CWM, BitNet (transformers, modeling_seed_oss.py, modeling_helium.py,
// ...).

#include "core/base/checked.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/rope_fields.hpp"

namespace headcount {

// Seed-OSS: biases of queries, keys and values, and a field of its own for the output projection's.
constexpr LlamaType seed_oss{.called = {"seed_oss", "Seed-OSS", classes_of<"SeedOss">},
                             .usual = {.ffn_dim = 27648, .layers = 64, .heads = 80, .vocab = 155136, .context = 524288},
                             .kv_heads = 8,
                             .head_dim = 128,
                             .null_head_dim = true,
                             .qkv_bias = true,
                             .mlp_bias_field = "mlp_bias",
                             .qkv_bias_is_output_bias = false,
                             .output_bias_field = "attention_out_bias",
                             .padding = 1};
constexpr Family seed_oss_family = llama_like<seed_oss>();

// Helium: neighbouring columns are turned.
constexpr LlamaType helium{
    .called = {"helium", "Helium", classes_of<"Helium">},
    .usual = {.dim = 2560, .ffn_dim = 7040, .layers = 24, .heads = 20, .vocab = 48000, .context = 4096},
    .kv_heads = 20,
    .head_dim = 128,
    .mlp_bias_field = "mlp_bias",
    .qkv_bias_is_output_bias = false,
    .norm = {.epsilon = 1e-8},
    .computing = {.rope_base = 100000, .pairs = RopePairs::neighbours},
    .padding = 3,
    // Its output projection is as wide as the model, whatever the heads are.
    .own = {[](ConfigReader& reader, Architecture& arch) {
        const Attention& attention = arch.layer.attention;
        if (checked_multiply(attention.heads, attention.head_dim.value_or(0)) != arch.dim)
            reader.reject("head_dim", "heads times head_dim must be hidden_size in this type",
                          "change one of the three");
    }}};
constexpr Family helium_family = llama_like<helium>();

// InternLM 3 and IQuest-Coder: LLaMA's code with other sizes.
constexpr LlamaType internlm3{.called = {"internlm3", "InternLM 3", classes_of<"Llama">},
                              .usual = {.ffn_dim = 10240, .layers = 48, .vocab = 128512, .context = 32768},
                              .kv_heads = 2,
                              .head_dim = 128,
                              .null_head_dim = true,
                              .qkv_bias_other = "qkv_bias",
                              .mlp_bias_field = "mlp_bias",
                              .mlp_bias_other = "bias",
                              .norm = {.epsilon = 1e-5},
                              .padding = 2};
constexpr Family internlm3_family = llama_like<internlm3>();

constexpr LlamaType iquestcoder{
    .called = {"iquestcoder", "IQuest-Coder", classes_of<"Llama">},
    .usual = {.dim = 5120, .ffn_dim = 27648, .layers = 80, .heads = 40, .vocab = 76800, .context = 131072},
    .kv_heads = 8,
    .head_dim = 128,
    .null_head_dim = true,
    .mlp_bias_field = "mlp_bias",
    .norm = {.epsilon = 1e-5}};
constexpr Family iquestcoder_family = llama_like<iquestcoder>();

// Ministral 3: queries grow with their position, as the rotary positions' own fields say.
namespace ministral3 {

void read_computation(ComputationReader& reader, Computation& computation) {
    computation.query_temperature = read_query_temperature(reader.arch().carried.object());
    if (reader.says_rope()) return;
    computation.rope.scaling = RopeScaling::yarn;  // the published models'
    computation.rope.factor = 16;
    computation.rope.original_context = 16384;
    computation.query_temperature = QueryTemperature{0.1, 16384, 0, true};
}

constexpr LlamaType type{.called = {"ministral3", "Ministral 3", classes_of<"Ministral3">},
                         .usual = {.ffn_dim = 14336, .layers = 34, .vocab = 131072, .context = 262144},
                         .kv_heads = 8,
                         .head_dim = 128,
                         .null_head_dim = true,
                         .qkv_bias_field = {},
                         .norm = {.epsilon = 1e-5},
                         .window = WindowFields{.has_types = false},
                         .computing = {.rope_base = 1000000, .rest = read_computation},
                         .padding = 11};

}  // namespace ministral3

constexpr Family ministral3_family = llama_like<ministral3::type>();

// CWM: a window in three of four layers, the first of each four sees everything.
namespace cwm {

void read_computation(ComputationReader& reader, Computation& computation) {
    if (reader.says_rope() || reader.arch().positions != Positions::rope) return;
    Rope& rope = computation.rope;
    rope.scaling = RopeScaling::llama3;
    rope.factor = 16;
    rope.low_factor = 1;
    rope.high_factor = 4;
    rope.original_context = 8192;
}

constexpr LlamaType type{
    .called = {"cwm", "CWM", classes_of<"Cwm">},
    .usual = {.dim = 6144, .ffn_dim = 21504, .layers = 64, .heads = 48, .vocab = 128256, .context = 131072},
    .kv_heads = 8,
    .head_dim = 128,
    .qkv_bias_field = {},
    .mlp_bias_field = "mlp_bias",
    .norm = {.epsilon = 1e-5},
    .window = WindowFields{.size = 8192, .pattern = 4, .first_sees_all = true},
    .computing = {.rope_base = 1000000, .rest = read_computation}};

}  // namespace cwm

constexpr Family cwm_family = llama_like<cwm::type>();

// BitNet: norms inside of the sub-blocks, squared ReLU.
namespace bitnet {

constexpr DecoderClasses classes = classes_of<"BitNet">;
constexpr auto attention_norm = std::to_array<Module>({
    {5, "attn_sub_norm", ModuleKind::norm, Part::attention_inner_norm, {}},
});
constexpr auto feed_forward_norm = std::to_array<Module>({
    {5, "ffn_sub_norm", ModuleKind::norm, Part::feed_forward_inner_norm, {}},
});
constexpr std::array modules = decoder_modules(classes, attention_modules(classes.attention), attention_norm,
                                               gated_modules(classes.feed_forward), feed_forward_norm, norm_modules);

// Its norm of what heads found is as wide as the model, whatever the heads are.
void read_rest(ConfigReader& reader, Architecture& arch) {
    const Attention& attention = arch.layer.attention;
    if (attention.head_dim && checked_multiply(attention.heads, *attention.head_dim) != arch.dim)
        reader.reject("head_dim", "heads times head_dim must be hidden_size in this type", "leave it out");
}

constexpr LlamaType type{.called = {"bitnet", "BitNet", classes, modules},
                         .usual = {.dim = 2560, .ffn_dim = 6912, .layers = 30, .heads = 20, .vocab = 128256},
                         .kv_heads = 5,
                         .activation = "relu2",
                         .norm = {.inner = true, .epsilon = 1e-5},
                         .computing = {.rope_base = 500000},
                         .own = {read_rest}};

}  // namespace bitnet

constexpr Family bitnet_family = llama_like<bitnet::type>();

}  // namespace headcount
