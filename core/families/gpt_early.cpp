// GPT (Radford et al. 2018), with norms after each sum; GPT-Neo, every other layer of which sees a window; BioGPT, with
// positions like OPT's (transformers, modeling_openai.py, modeling_gpt_neo.py, modeling_biogpt.py).
#include <cmath>

#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"
#include "core/families/layer_lists.hpp"

namespace headcount {
namespace openai {

constexpr std::array<Module, 20> modules{{
    {0, "", ModuleKind::container, {}, "OpenAIGPTLMHeadModel"},
    {1, "transformer", ModuleKind::container, {}, "OpenAIGPTModel"},
    {2, "tokens_embed", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "positions_embed", ModuleKind::embedding, Part::position_embedding, {}},
    {2, "drop", ModuleKind::stateless, {}, dropout_10},
    {2, "h", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "Block"},
    {4, "attn", ModuleKind::container, {}, "Attention"},
    {5, "c_attn", ModuleKind::conv1d, {Part::query, Part::key, Part::value}, {}},
    {5, "c_proj", ModuleKind::conv1d, Part::attention_output, {}},
    {5, "attn_dropout", ModuleKind::stateless, {}, dropout_10},
    {5, "resid_dropout", ModuleKind::stateless, {}, dropout_10},
    {4, "ln_1", ModuleKind::norm, Part::attention_output_norm, {}},
    {4, "mlp", ModuleKind::container, {}, "MLP"},
    {5, "c_fc", ModuleKind::conv1d, Part::up, {}},
    {5, "c_proj", ModuleKind::conv1d, Part::down, {}},
    {5, "act", ModuleKind::activation, {}, {}},
    {5, "dropout", ModuleKind::stateless, {}, dropout_10},
    {4, "ln_2", ModuleKind::norm, Part::feed_forward_output_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    arch.dim = reader.number({"n_embd", "hidden_size"}, 768);
    arch.layers = reader.number({"n_layer", "num_hidden_layers"}, 12);
    arch.layer.attention.heads = reader.number({"n_head", "num_attention_heads"}, 12);
    arch.vocab = reader.number({"vocab_size"}, 40478);
    arch.context = reader.number({"n_positions", "max_position_embeddings"}, 512);
    arch.tied = reader.flag({"tie_word_embeddings"}, true);
    arch.positions = Positions::learned;
    arch.norm = layer_norm(reader.real({"layer_norm_epsilon"}, 1e-5));
    arch.norm.placement = NormPlacement::after_sum;
    arch.norm.final = false;
    arch.layer.feed_forward = {.gated = false,
                               .activation = read_activation(reader, {"afn"}, "gelu"),
                               .width = four_times(reader, "n_embd", arch.dim)};
    // Its own table of functions: "gelu" is the one by tanh.
    if (arch.layer.feed_forward.activation == Activation::gelu)
        arch.layer.feed_forward.activation = Activation::gelu_tanh;
    set_biases(arch.layer, true);
}

nlohmann::ordered_json write(const Architecture& arch) {
    const Activation activation = arch.layer.feed_forward.activation;
    return {
        {"architectures", {"OpenAIGPTLMHeadModel"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"n_positions", arch.context},
        {"n_embd", arch.dim},
        {"n_layer", arch.layers},
        {"n_head", arch.layer.attention.heads},
        {"afn", activation == Activation::gelu_tanh ? "gelu" : activation_name(activation)},
        {"layer_norm_epsilon", arch.norm.epsilon},
        {"tie_word_embeddings", arch.tied},
    };
}

}  // namespace openai

constexpr Family openai_gpt_family =
    gpt_like<openai_gpt_family, openai::read, openai::write>("openai-gpt", "GPT", openai::modules);

namespace gpt_neo {

constexpr std::array<Module, 24> modules{{
    {0, "", ModuleKind::container, {}, "GPTNeoForCausalLM"},
    {1, "transformer", ModuleKind::container, {}, "GPTNeoModel"},
    {2, "wte", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "wpe", ModuleKind::embedding, Part::position_embedding, {}},
    {2, "drop", ModuleKind::stateless, {}, dropout_0},
    {2, "h", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "GPTNeoBlock"},
    {4, "ln_1", ModuleKind::norm, Part::attention_norm, {}},
    {4, "attn", ModuleKind::container, {}, "GPTNeoAttention"},
    {5, "attention", ModuleKind::container, {}, "GPTNeoSelfAttention"},
    {6, "attn_dropout", ModuleKind::stateless, {}, dropout_0},
    {6, "resid_dropout", ModuleKind::stateless, {}, dropout_0},
    {6, "k_proj", ModuleKind::linear, Part::key, {}},
    {6, "v_proj", ModuleKind::linear, Part::value, {}},
    {6, "q_proj", ModuleKind::linear, Part::query, {}},
    {6, "out_proj", ModuleKind::linear, Part::attention_output, {}},
    {4, "ln_2", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "mlp", ModuleKind::container, {}, "GPTNeoMLP"},
    {5, "c_fc", ModuleKind::linear, Part::up, {}},
    {5, "c_proj", ModuleKind::linear, Part::down, {}},
    {5, "act", ModuleKind::activation, {}, {}},
    {5, "dropout", ModuleKind::stateless, {}, dropout_0},
    {2, "ln_f", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};

constexpr std::int64_t usual_layers = 24, usual_window = 256;

// "[[["global", "local"], 12]]": words for some layers, and how often they come; the layers that see a window.
LayerSet local_layers(ConfigReader& reader, const nlohmann::json& config, std::int64_t layers) {
    constexpr std::string_view field = "attention_types";
    const auto wrong = [&](std::string what) {
        reader.reject(field, std::move(what), R"(give [[["global", "local"], N]], together one word a layer)");
        return LayerSet();
    };
    const nlohmann::json usual = {{{"global", "local"}, usual_layers / 2}};
    const nlohmann::json* given = said(config, field);
    std::string flags;
    for (const nlohmann::json& part : given ? *given : usual) {
        const bool formed = part.is_array() && part.size() == 2 && part[0].is_array() && part[1].is_number_integer() &&
                            part[1] >= 0 && part[1] <= LayerSet::longest;
        if (!formed) return wrong(as_written(part) + " is no list of words and a number");
        std::string once;
        for (const nlohmann::json& word : part[0]) {
            if (word != "global" && word != "local") return wrong(as_written(word) + " is neither global nor local");
            once += word == "local" ? '1' : '0';
        }
        for (std::int64_t i = 0; i < part[1] && flags.size() <= LayerSet::longest; ++i) flags += once;
    }
    if (static_cast<std::int64_t>(flags.size()) != layers)
        return wrong("there are " + std::to_string(layers) + " layers, and words for " + std::to_string(flags.size()));
    return layers_where(layers, [&](std::int64_t layer) { return flags[static_cast<std::size_t>(layer)] == '1'; });
}

void read(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    arch.dim = reader.number({"hidden_size"}, 2048);
    arch.layers = reader.number({"num_layers", "num_hidden_layers"}, usual_layers);
    Attention& attention = arch.layer.attention;
    attention.heads = reader.number({"num_heads", "num_attention_heads"}, 16);
    attention.output_bias = true;
    arch.vocab = reader.number({"vocab_size"}, 50257);
    arch.context = reader.number({"max_position_embeddings"}, 2048);
    arch.tied = reader.flag({"tie_word_embeddings"}, true);
    arch.positions = Positions::learned;
    arch.norm = layer_norm(reader.real({"layer_norm_epsilon"}, 1e-5));
    const std::optional<std::int64_t> width = reader.optional_number({"intermediate_size"});
    arch.layer.feed_forward = {.gated = false,
                               .activation = read_activation(reader, {"activation_function"}, "gelu_new"),
                               .width = width ? *width : four_times(reader, "hidden_size", arch.dim),
                               .bias = true};
    const std::optional<LayerSet> listed = reader.layers_with({"attention_layers"}, "local", arch.layers, "global");
    const LayerSet local = listed ? *listed : local_layers(reader, config, arch.layers);
    const std::int64_t window = reader.number({"window_size"}, usual_window);
    if (local.count(arch.layers) > 0) attention.window = AttentionWindow{.size = window, .layers = local};
}

nlohmann::ordered_json write(const Architecture& arch) {
    const Attention& attention = arch.layer.attention;
    nlohmann::ordered_json words = nlohmann::ordered_json::array();
    for (std::int64_t layer = 0; layer < arch.layers; ++layer)
        words.push_back(attention.window && attention.window->layers.contains(layer) ? "local" : "global");
    nlohmann::ordered_json types = nlohmann::ordered_json::array();
    types.push_back(nlohmann::ordered_json::array({words, 1}));
    return {
        {"architectures", {"GPTNeoForCausalLM"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"hidden_size", arch.dim},
        {"intermediate_size", bindings(arch, Input{})[Symbol::ffn_dim].value_or(0)},
        {"num_layers", arch.layers},
        {"num_heads", attention.heads},
        {"attention_types", std::move(types)},
        {"attention_layers", std::move(words)},
        {"window_size", attention.window ? attention.window->size : usual_window},
        {"activation_function", activation_name(arch.layer.feed_forward.activation, "gelu_new")},
        {"max_position_embeddings", arch.context},
        {"layer_norm_epsilon", arch.norm.epsilon},
        {"tie_word_embeddings", arch.tied},
    };
}

// Nothing scales the scores.
constexpr ComputationType computing{
    .rest = [](ComputationReader&, Computation& computation) { computation.score_scale = 1; }};
// By local_layers, which no reader of plain fields can.
constexpr std::array read_apart = std::to_array<std::string_view>({"attention_types"});

}  // namespace gpt_neo

constexpr Family gpt_neo_family = gpt_like<gpt_neo_family, gpt_neo::read, gpt_neo::write, gpt_neo::computing>(
    "gpt_neo", "GPT-Neo", gpt_neo::modules, {.ignored = gpt_neo::read_apart});

namespace biogpt {

constexpr std::array<Module, 18> modules{{
    {0, "", ModuleKind::container, {}, "BioGptForCausalLM"},
    {1, "biogpt", ModuleKind::container, {}, "BioGptModel"},
    {2, "embed_tokens", ModuleKind::embedding, Part::token_embedding, "BioGptScaledWordEmbedding"},
    {2, "embed_positions", ModuleKind::embedding, Part::position_embedding, "BioGptLearnedPositionalEmbedding"},
    {2, "layers", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "BioGptDecoderLayer"},
    {4, "self_attn", ModuleKind::container, {}, "BioGptAttention"},
    {5, "k_proj", ModuleKind::linear, Part::key, {}},
    {5, "v_proj", ModuleKind::linear, Part::value, {}},
    {5, "q_proj", ModuleKind::linear, Part::query, {}},
    {5, "out_proj", ModuleKind::linear, Part::attention_output, {}},
    {4, "activation_fn", ModuleKind::activation, {}, {}},
    {4, "self_attn_layer_norm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "fc1", ModuleKind::linear, Part::up, {}},
    {4, "fc2", ModuleKind::linear, Part::down, {}},
    {4, "final_layer_norm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {2, "layer_norm", ModuleKind::norm, Part::final_norm, {}},
    {1, "output_projection", ModuleKind::linear, Part::output_head, {}},
}};

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    arch.dim = reader.number({"hidden_size"}, 1024);
    arch.layers = reader.number({"num_hidden_layers"}, 24);
    arch.layer.attention.heads = reader.number({"num_attention_heads"}, 16);
    arch.vocab = reader.number({"vocab_size"}, 42384);
    arch.context = reader.number({"max_position_embeddings"}, 1024);
    arch.positions = Positions::learned;
    arch.position_offset = 2;
    arch.tied = reader.flag({"tie_word_embeddings"}, true);
    arch.norm = layer_norm(1e-5);  // whatever layer_norm_eps says
    arch.layer.feed_forward = {.gated = false,
                               .activation = read_activation(reader, {"hidden_act"}, "gelu"),
                               .width = reader.number({"intermediate_size"}, 4096)};
    set_biases(arch.layer, true);
}

nlohmann::ordered_json write(const Architecture& arch) {
    return {
        {"architectures", {"BioGptForCausalLM"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"hidden_size", arch.dim},
        {"num_hidden_layers", arch.layers},
        {"num_attention_heads", arch.layer.attention.heads},
        {"intermediate_size", bindings(arch, Input{})[Symbol::ffn_dim].value_or(0)},
        {"hidden_act", activation_name(arch.layer.feed_forward.activation)},
        {"max_position_embeddings", arch.context},
        {"tie_word_embeddings", arch.tied},
    };
}

constexpr ComputationType computing{.rest = [](ComputationReader& reader, Computation& computation) {
    if (reader.flag("scale_embedding", true))
        computation.embedding_scale = std::sqrt(static_cast<double>(reader.arch().dim));
}};
constexpr std::array ignored = std::to_array<std::string_view>({"scale_embedding"});

}  // namespace biogpt

constexpr Family biogpt_family = gpt_like<biogpt_family, biogpt::read, biogpt::write, biogpt::computing>(
    "biogpt", "BioGPT", biogpt::modules, {.padding = 1, .ignored = biogpt::ignored});

}  // namespace headcount
