// GPT-2, and those that are spelled as it is: ImageGPT, StarCoder 1 and GPT-J (transformers, modeling_gpt2.py,
// modeling_imagegpt.py, modeling_gpt_bigcode.py, modeling_gptj.py).
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"
#include "core/families/vit_like.hpp"

namespace headcount {
namespace {

// The defaults of a model_type that is spelled as GPT-2 is.
struct GptDefaults {
    std::int64_t dim = 768, layers = 12, heads = 12, vocab = 50257, context = 1024;
    std::string_view activation = "gelu_new";
    bool tied = true;
};

// n_embd, n_layer, n_head, n_inner, activation_function, ...: a feed-forward with biases and no gate.
void read_gpt(ConfigReader& reader, Architecture& arch, const GptDefaults& defaults) {
    arch.dim = reader.number({"n_embd", "hidden_size"}, defaults.dim);
    arch.layers = reader.number({"n_layer", "num_hidden_layers"}, defaults.layers);
    arch.layer.attention.heads = reader.number({"n_head", "num_attention_heads"}, defaults.heads);
    arch.vocab = reader.number({"vocab_size"}, defaults.vocab);
    arch.context = reader.number({"n_positions", "max_position_embeddings"}, defaults.context);
    arch.tied = reader.flag({"tie_word_embeddings"}, defaults.tied);
    arch.norm = layer_norm(reader.real({"layer_norm_epsilon"}, 1e-5));
    std::optional<std::int64_t> inner = reader.optional_number({"n_inner"});
    arch.layer.feed_forward = {.gated = false,
                               .activation = read_activation(reader, {"activation_function"}, defaults.activation),
                               .width = inner ? *inner : four_times(reader, "n_embd", arch.dim),
                               .bias = true};
    if (reader.flag({"add_cross_attention"}, false))
        reader.reject("add_cross_attention", "cross-attention is not known here", "set it to false");
}

nlohmann::ordered_json write_gpt(const Architecture& arch, std::string_view activation = "gelu_new") {
    return {
        {"architectures", {arch.family->modules.front().class_name}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"n_positions", arch.context},
        {"n_embd", arch.dim},
        {"n_layer", arch.layers},
        {"n_head", arch.layer.attention.heads},
        {"n_inner", bindings(arch, Input{})[Symbol::ffn_dim].value_or(0)},
        {"activation_function", activation_name(arch.layer.feed_forward.activation, activation)},
        {"layer_norm_epsilon", arch.norm.epsilon},
        {"tie_word_embeddings", arch.tied},
    };
}

}  // namespace

// GPT-2: learned positions, LayerNorm, biases everywhere, one fused Q/K/V matrix stored [in, out].
namespace gpt2 {

constexpr std::array<Module, 25> modules{{
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
}};

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    read_gpt(reader, arch, {});
    arch.positions = Positions::learned;
    set_biases(arch.layer, true);
}

nlohmann::ordered_json write(const Architecture& arch) {
    return write_gpt(arch);
}

constexpr ComputationType computing{.rest = [](ComputationReader& reader, Computation& computation) {
    if (!reader.flag("scale_attn_weights", true)) computation.score_scale = 1;
    computation.score_scale_by_layer = reader.flag("scale_attn_by_inverse_layer_idx", false);
}};

}  // namespace gpt2

constexpr Family gpt2_family =
    gpt_like<gpt2_family, gpt2::read, gpt2::write, gpt2::computing>("gpt2", "GPT-2", gpt2::modules);

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

void read(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    read_gpt(reader, arch,
             {.dim = 512, .layers = 24, .heads = 8, .vocab = 513, .activation = "quick_gelu", .tied = false});
    arch.positions = Positions::learned;
    arch.tied = false;  // whatever the file says
    arch.norm = {.epsilon = arch.norm.epsilon};
    set_biases(arch.layer, true);
    arch.output = OutputKind::classes;
    arch.classes = labels_of(reader, config);
    arch.pooled = PooledRows::mean;
    reader.only_class(modules.front().class_name);
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_gpt(arch, "quick_gelu");
    config["num_labels"] = arch.classes;
    return config;
}

constexpr ComputationType computing{
    .rest = [](ComputationReader& reader, Computation&) { reader.reject_uncompared("a GPT-2"); }};

}  // namespace imagegpt

constexpr Family imagegpt_family = gpt_like<imagegpt_family, imagegpt::read, imagegpt::write, imagegpt::computing>(
    "imagegpt", "ImageGPT", imagegpt::modules);

// StarCoder 1, SantaCoder: GPT-2 with one key/value head, its matrices stored [out, in].
namespace gpt_bigcode {

constexpr std::string_view usual_activation = "gelu_pytorch_tanh";

constexpr std::array<Module, 20> modules{{
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
}};

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    read_gpt(reader, arch, {.activation = usual_activation});
    arch.positions = Positions::learned;
    set_biases(arch.layer, true);
    if (reader.flag({"multi_query"}, true)) arch.layer.attention.kv_heads = 1;
    reader.optional_number({"num_key_value_heads"});  // follows from multi_query: not carried, so that both agree
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_gpt(arch, usual_activation);
    config["multi_query"] = kv_heads(arch) == 1;
    return config;
}

constexpr ComputationType computing{.rest = [](ComputationReader& reader, Computation& computation) {
    if (!reader.flag("scale_attn_weights", true)) computation.score_scale = 1;
}};

}  // namespace gpt_bigcode

constexpr Family gpt_bigcode_family =
    gpt_like<gpt_bigcode_family, gpt_bigcode::read, gpt_bigcode::write, gpt_bigcode::computing>(
        "gpt_bigcode", "StarCoder", gpt_bigcode::modules);

// GPT-J: one norm for attention and feed-forward side by side, the first columns of each head turned by position, an
// output head with a bias.
namespace gptj {

constexpr std::array<Module, 22> modules{{
    {0, "", ModuleKind::container, {}, "GPTJForCausalLM"},
    {1, "transformer", ModuleKind::container, {}, "GPTJModel"},
    {2, "wte", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "drop", ModuleKind::stateless, {}, dropout_0},
    {2, "h", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "GPTJBlock"},
    {4, "ln_1", ModuleKind::norm, Part::attention_norm, {}},
    {4, "attn", ModuleKind::container, {}, "GPTJAttention"},
    {5, "attn_dropout", ModuleKind::stateless, {}, dropout_0},
    {5, "resid_dropout", ModuleKind::stateless, {}, dropout_0},
    {5, "k_proj", ModuleKind::linear, Part::key, {}},
    {5, "v_proj", ModuleKind::linear, Part::value, {}},
    {5, "q_proj", ModuleKind::linear, Part::query, {}},
    {5, "out_proj", ModuleKind::linear, Part::attention_output, {}},
    {4, "ln_2", ModuleKind::norm, Part::feed_forward_norm, {}},  // of an edited one: as GPT-2 calls it
    {4, "mlp", ModuleKind::container, {}, "GPTJMLP"},
    {5, "fc_in", ModuleKind::linear, Part::up, {}},
    {5, "fc_out", ModuleKind::linear, Part::down, {}},
    {5, "act", ModuleKind::activation, {}, {}},
    {5, "dropout", ModuleKind::stateless, {}, dropout_0},
    {2, "ln_f", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    read_gpt(reader, arch, {.dim = 4096, .layers = 28, .heads = 16, .vocab = 50400, .context = 2048, .tied = false});
    arch.layer.attention.rotary_dim = reader.number({"rotary_dim"}, 64);
    arch.layer.joining = Joining::parallel_shared;
    arch.head_bias = true;
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_gpt(arch);
    config["rotary_dim"] =
        arch.layer.attention.rotary_dim.value_or(bindings(arch, Input{})[Symbol::head_dim].value_or(0));
    return config;
}

constexpr ComputationType computing{.pairs = RopePairs::neighbours};

}  // namespace gptj

constexpr Family gptj_family =
    gpt_like<gptj_family, gptj::read, gptj::write, gptj::computing>("gptj", "GPT-J", gptj::modules);

}  // namespace headcount
