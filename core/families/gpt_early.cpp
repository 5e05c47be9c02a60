// GPT (Radford et al. 2018), with norms after each sum; GPT-Neo, every other layer of which sees a window; BioGPT, with
// positions like OPT's (transformers, modeling_openai.py, modeling_gpt_neo.py, modeling_biogpt.py).
#include <cmath>

#include "core/families/families.hpp"
#include "core/families/layer_lists.hpp"
#include "core/families/plain_type.hpp"

namespace headcount {
namespace openai {

constexpr auto modules = std::to_array<Module>({
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
});

void read_rest(ConfigReader&, Architecture& arch) {
    // Its own table of functions: "gelu" is the one by tanh.
    Activation& activation = arch.layer.feed_forward.activation;
    if (activation == Activation::gelu) activation = Activation::gelu_tanh;
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    if (arch.layer.feed_forward.activation == Activation::gelu_tanh) config["afn"] = "gelu";
}

constexpr PlainType type =
    changed(PlainType{.called = {"openai-gpt", "GPT", modules},
                      .words = gpt_words,
                      .usual = {.dim = 768, .layers = 12, .heads = 12, .vocab = 40478, .context = 512},
                      .activation = "gelu",
                      .norm = layer_norm(1e-5, NormPlacement::after_sum),
                      .positions = Positions::learned,
                      .own = {read_rest, write_rest}},
            [](PlainType& own) {
                own.words.activation = "afn";
                own.words.width = {};
            });

}  // namespace openai

constexpr Family openai_gpt_family = plain_family<openai::type>();

namespace gpt_neo {

constexpr auto modules = std::to_array<Module>({
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
});

constexpr std::int64_t usual_layers = 24, usual_window = 256;

// "[[["global", "local"], 12]]": words for some layers, and how often they come; the layers that see a window.
LayerSet local_layers(ConfigReader& reader, std::int64_t layers) {
    constexpr std::string_view field = "attention_types";
    const auto wrong = [&](std::string what) {
        reader.reject(field, std::move(what), R"(give [[["global", "local"], N]], together one word a layer)");
        return LayerSet();
    };
    const nlohmann::json usual = {{{"global", "local"}, usual_layers / 2}};
    const nlohmann::json* given = said(reader.config(), field);
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

void read_rest(ConfigReader& reader, Architecture& arch) {
    Attention& attention = arch.layer.attention;
    attention.qkv_bias = false;
    const std::optional<LayerSet> listed = reader.layers_with({"attention_layers"}, "local", arch.layers, "global");
    const LayerSet local = listed ? *listed : local_layers(reader, arch.layers);
    const std::int64_t window = reader.number({"window_size"}, usual_window);
    if (local.count(arch.layers) > 0) attention.window = AttentionWindow{.size = window, .layers = local};
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    const std::optional<AttentionWindow>& window = arch.layer.attention.window;
    nlohmann::ordered_json words = nlohmann::ordered_json::array();
    for (std::int64_t layer = 0; layer < arch.layers; ++layer)
        words.push_back(window && window->layers.contains(layer) ? "local" : "global");
    config["attention_types"] = nlohmann::ordered_json::array({nlohmann::ordered_json::array({words, 1})});
    config["attention_layers"] = std::move(words);
    config["window_size"] = window ? window->size : usual_window;
}

// Nothing scales the scores.
constexpr ComputationType computing{
    .rest = [](ComputationReader&, Computation& computation) { computation.score_scale = 1; }};
// By local_layers, which no reader of plain fields can.
constexpr std::string_view read_apart = "attention_types";

constexpr PlainType type{.called = {"gpt_neo", "GPT-Neo", modules},
                         .words = {.layers = {"num_layers", "num_hidden_layers"},
                                   .heads = {"num_heads", "num_attention_heads"},
                                   .activation = "activation_function",
                                   .epsilon = "layer_norm_epsilon"},
                         .usual = {.dim = 2048, .layers = usual_layers, .heads = 16, .vocab = 50257, .context = 2048},
                         .activation = "gelu_new",
                         .positions = Positions::learned,
                         .computing = computing,
                         .own = {read_rest, write_rest},
                         .rest = {.ignored = read_apart}};

}  // namespace gpt_neo

constexpr Family gpt_neo_family = plain_family<gpt_neo::type>();

namespace biogpt {

constexpr auto modules = std::to_array<Module>({
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
});

void read_rest(ConfigReader&, Architecture& arch) { arch.position_offset = 2; }

constexpr ComputationType computing{.rest = [](ComputationReader& reader, Computation& computation) {
    if (reader.flag("scale_embedding", true))
        computation.embedding_scale = std::sqrt(static_cast<double>(reader.arch().dim));
}};

constexpr PlainType type{
    .called = {"biogpt", "BioGPT", modules},
    .words = {.epsilon = {}},  // whatever layer_norm_eps says
    .usual = {.dim = 1024, .layers = 24, .heads = 16, .vocab = 42384, .context = 1024, .width = 4096},
    .activation = "gelu",
    .positions = Positions::learned,
    .computing = computing,
    .own = {read_rest},
    .rest = {.padding = 1, .ignored = "scale_embedding"}};

}  // namespace biogpt

constexpr Family biogpt_family = plain_family<biogpt::type>();

}  // namespace headcount
