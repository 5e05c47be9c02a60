// GPT-2, and those that are spelled as it is: ImageGPT, StarCoder 1, GPT-J and CodeGen (transformers, modeling_gpt2.py,
// modeling_imagegpt.py, modeling_gpt_bigcode.py, modeling_gptj.py, modeling_codegen.py).
#include <string>
#include <utility>
#include <vector>

#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/plain_type.hpp"
#include "core/families/vit_like.hpp"

namespace headcount {
// GPT-2: learned positions, LayerNorm, biases everywhere, one fused Q/K/V matrix stored [in, out].
namespace gpt2 {

constexpr auto modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, "GPT2LMHeadModel"},
    {1, "transformer", ModuleKind::container, {}, "GPT2Model"},
    {2, "wte", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "wpe", ModuleKind::embedding, Part::position_embedding, {}},
    {2, "drop", ModuleKind::stateless, {}, dropout_10},
    {2, "h", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "GPT2Block"},
    {4, "ln_1", ModuleKind::norm, Part::attention_norm, {}},
    {4, "attn", ModuleKind::container, {}, "GPT2Attention"},
    {5, "c_attn", ModuleKind::conv1d, {Part::query, Part::key, Part::value}, {}},
    {5, "c_proj", ModuleKind::conv1d, Part::attention_output, {}},
    {5, "attn_dropout", ModuleKind::stateless, {}, dropout_10},
    {5, "resid_dropout", ModuleKind::stateless, {}, dropout_10},
    // With the norms behind the sub-blocks they keep their names; the other names below no published GPT-2 has.
    {4, "ln_1", ModuleKind::norm, Part::attention_output_norm, {}},
    {4, "ln_2", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "mlp", ModuleKind::container, {}, "GPT2MLP"},
    {5, "c_gate", ModuleKind::conv1d, Part::gate, {}},
    {5, "c_fc", ModuleKind::conv1d, Part::up, {}},
    {5, "c_proj", ModuleKind::conv1d, Part::down, {}},
    {5, "act", ModuleKind::activation, {}, {}},
    {5, "dropout", ModuleKind::stateless, {}, dropout_10},
    {4, "ln_2", ModuleKind::norm, Part::feed_forward_output_norm, {}},
    {2, "ln_f", ModuleKind::norm, Part::final_norm, {}},
    {2, "rotary_emb", ModuleKind::rotary, {}, "GPT2RotaryEmbedding"},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
});

constexpr std::string_view looks = "add_cross_attention";

void read_rest(ConfigReader& reader, Architecture&) { carry_flag(reader, looks, false); }

// Attention to what another model makes, in a file that may have that too: read by nothing here.
std::vector<Extra> besides(const Architecture& arch) {
    Besides more(arch);
    if (!more.flag(looks, false)) return {};
    const Expr dim = Symbol::dim;
    more.in_layers(Component::attention);
    for (const auto& [matrix, outputs] : {std::pair{"q_attn", dim}, {"c_attn", Expr(2) * dim}, {"c_proj", dim}}) {
        const std::string name = std::string("crossattention.") + matrix;
        more.add(name + ".weight", {dim, outputs}).add(name + ".bias", {outputs});
    }
    return more.norm("ln_cross_attn", dim, true).take();
}

void reject_cross_attention(ConfigReader& reader) {
    if (reader.flag({looks}, false)) reader.reject(looks, "cross-attention is not known here", "set it to false");
}

constexpr ComputationType computing{.rest = [](ComputationReader& reader, Computation& computation) {
    if (!reader.flag("scale_attn_weights", true)) computation.score_scale = 1;
    computation.score_scale_by_layer = reader.flag("scale_attn_by_inverse_layer_idx", false);
}};

constexpr PlainType type{.called = {"gpt2", "GPT-2", modules},
                         .words = gpt_words,
                         .usual = {.dim = 768, .layers = 12, .heads = 12, .vocab = 50257, .context = 1024},
                         .activation = "gelu_new",
                         .positions = Positions::learned,
                         .computing = computing,
                         .own = {read_rest},
                         .rest = {.besides = besides, .ignored = looks}};

}  // namespace gpt2

constexpr Family gpt2_family = plain_family<gpt2::type>();

// ImageGPT (Chen et al. 2020): GPT-2 on colours in the place of words, with norms that keep the mean, and a classifier
// of the mean of all rows.
namespace imagegpt {

constexpr std::array modules = [] {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> names{
        {{"GPT2LMHeadModel", "ImageGPTForImageClassification"},
         {"GPT2Model", "ImageGPTModel"},
         {"GPT2Block", "ImageGPTBlock"},
         {"GPT2Attention", "ImageGPTAttention"},
         {"GPT2MLP", "ImageGPTMLP"}}};
    auto own = gpt2::modules;
    for (Module& module : own)
        for (const auto& [name, other] : names)
            if (module.class_name == name) module.class_name = other;
    return renamed(own, "lm_head", "score");
}();

void read_rest(ConfigReader& reader, Architecture& arch) {
    gpt2::reject_cross_attention(reader);
    arch.tied = false;  // whatever the file says
    arch.norm = {.epsilon = arch.norm.epsilon};
    arch.output = OutputKind::classes;
    arch.classes = labels_of(reader);
    arch.pooled = PooledRows::mean;
    reader.only_class(modules.front().class_name);
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) { config["num_labels"] = arch.classes; }

constexpr ComputationType computing{
    .rest = [](ComputationReader& reader, Computation&) { reader.reject_uncompared("a GPT-2"); }};

constexpr PlainType type = changed(gpt2::type, [](PlainType& own) {
    own.called = {"imagegpt", "ImageGPT", modules};
    own.usual = {.dim = 512, .layers = 24, .heads = 8, .vocab = 513, .context = 1024};
    own.activation = "quick_gelu";
    own.tied = false;
    own.computing = computing;
    own.own = {read_rest, write_rest};
    own.rest = {};
});

}  // namespace imagegpt

constexpr Family imagegpt_family = plain_family<imagegpt::type>();

// StarCoder 1, SantaCoder: GPT-2 with one key/value head, its matrices stored [out, in].
namespace gpt_bigcode {

constexpr auto modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, "GPTBigCodeForCausalLM"},
    {1, "transformer", ModuleKind::container, {}, "GPTBigCodeModel"},
    {2, "wte", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "wpe", ModuleKind::embedding, Part::position_embedding, {}},
    {2, "drop", ModuleKind::stateless, {}, dropout_10},
    {2, "h", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "GPTBigCodeBlock"},
    {4, "ln_1", ModuleKind::norm, Part::attention_norm, {}},
    {4, "attn", ModuleKind::container, {}, "GPTBigCodeAttention"},
    fused({5, "c_attn", ModuleKind::linear, {Part::query, Part::key, Part::value}, {}}, Fusing::by_group),
    {5, "c_proj", ModuleKind::linear, Part::attention_output, {}},
    {5, "resid_dropout", ModuleKind::stateless, {}, dropout_10},
    {4, "ln_2", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "mlp", ModuleKind::container, {}, "GPTBigCodeMLP"},
    {5, "c_fc", ModuleKind::linear, Part::up, {}},
    {5, "c_proj", ModuleKind::linear, Part::down, {}},
    {5, "act", ModuleKind::activation, {}, "GELUTanh()"},
    {5, "dropout", ModuleKind::stateless, {}, dropout_10},
    {2, "ln_f", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
});

void read_rest(ConfigReader& reader, Architecture& arch) {
    gpt2::reject_cross_attention(reader);
    if (reader.flag({"multi_query"}, true)) arch.layer.attention.kv_heads = 1;
    reader.optional_number({"num_key_value_heads"});  // follows from multi_query: not carried, so that both agree
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    config["multi_query"] = kv_heads(arch) == 1;
}

constexpr ComputationType computing{.rest = [](ComputationReader& reader, Computation& computation) {
    if (!reader.flag("scale_attn_weights", true)) computation.score_scale = 1;
}};

constexpr PlainType type = changed(gpt2::type, [](PlainType& own) {
    own.called = {"gpt_bigcode", "StarCoder", modules};
    own.activation = "gelu_pytorch_tanh";
    own.computing = computing;
    own.own = {read_rest, write_rest};
    own.rest = {};
});

}  // namespace gpt_bigcode

constexpr Family gpt_bigcode_family = plain_family<gpt_bigcode::type>();

// GPT-J: one norm for attention and feed-forward side by side, the first columns of each head turned by position, an
// output head with a bias.
namespace gptj {

// With what makes queries, keys and values.
template <FixedText name, std::size_t N>
constexpr auto modules_of(const std::array<Module, N>& projections) {
    return join(std::to_array<Module>({
                    {0, "", ModuleKind::container, {}, joined_name<name, "ForCausalLM">},
                    {1, "transformer", ModuleKind::container, {}, joined_name<name, "Model">},
                    {2, "wte", ModuleKind::embedding, Part::token_embedding, {}},
                    {2, "drop", ModuleKind::stateless, {}, dropout_0},
                    {2, "h", ModuleKind::container, {}, "ModuleList"},
                    {3, "{i}", ModuleKind::layer, {}, joined_name<name, "Block">},
                    {4, "ln_1", ModuleKind::norm, Part::attention_norm, {}},
                    {4, "attn", ModuleKind::container, {}, joined_name<name, "Attention">},
                    {5, "attn_dropout", ModuleKind::stateless, {}, dropout_0},
                    {5, "resid_dropout", ModuleKind::stateless, {}, dropout_0},
                }),
                projections,
                std::to_array<Module>({
                    {5, "out_proj", ModuleKind::linear, Part::attention_output, {}},
                    {4, "ln_2", ModuleKind::norm, Part::feed_forward_norm, {}},  // of an edited one: as GPT-2 calls it
                    {4, "mlp", ModuleKind::container, {}, joined_name<name, "MLP">},
                    {5, "fc_in", ModuleKind::linear, Part::up, {}},
                    {5, "fc_out", ModuleKind::linear, Part::down, {}},
                    {5, "act", ModuleKind::activation, {}, {}},
                    {5, "dropout", ModuleKind::stateless, {}, dropout_0},
                    {2, "ln_f", ModuleKind::norm, Part::final_norm, {}},
                    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
                }));
}
constexpr std::array modules = modules_of<"GPTJ">(std::to_array<Module>({
    {5, "k_proj", ModuleKind::linear, Part::key, {}},
    {5, "v_proj", ModuleKind::linear, Part::value, {}},
    {5, "q_proj", ModuleKind::linear, Part::query, {}},
}));

void read_rest(ConfigReader& reader, Architecture& arch) {
    arch.layer.attention.qkv_bias = arch.layer.attention.output_bias = false;
    arch.layer.attention.rotary_dim = reader.number({"rotary_dim"}, 64);
    arch.layer.joining = Joining::parallel_shared;
    arch.head_bias = true;
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    config["rotary_dim"] =
        arch.layer.attention.rotary_dim.value_or(bindings(arch, Input{})[Symbol::head_dim].value_or(0));
}

constexpr ComputationType computing{.pairs = RopePairs::neighbours};

constexpr PlainType type{.called = {"gptj", "GPT-J", modules},
                         .words = gpt_words,
                         .usual = {.dim = 4096, .layers = 28, .heads = 16, .vocab = 50400, .context = 2048},
                         .activation = "gelu_new",
                         .tied = false,
                         .computing = computing,
                         .own = {read_rest, write_rest}};

}  // namespace gptj

constexpr Family gptj_family = plain_family<gptj::type>();

// CodeGen: GPT-J with queries, values and keys in one matrix, in four parts.
namespace codegen {

constexpr std::array modules = gptj::modules_of<"CodeGen">(std::array<Module, 1>{
    {fused({5, "qkv_proj", ModuleKind::linear, {Part::query, Part::value, Part::key}, {}}, Fusing::in_quarters)}});

constexpr PlainType type = changed(gptj::type, [](PlainType& own) { own.called = {"codegen", "CodeGen", modules}; });

}  // namespace codegen

constexpr Family codegen_family = plain_family<codegen::type>();

}  // namespace headcount
