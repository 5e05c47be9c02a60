// Families like LLaMA whose feed-forward has no gate: Nemotron, Arcee, Jais 2, Cosmos 3 Edge, nanochat, Apertus and
// Apertus 1.5 (transformers, modeling_nemotron.py, modeling_arcee.py, modeling_jais2.py, modeling_cosmos3_edge.py,
// modeling_nanochat.py, modeling_apertus.py, modeling_apertus1p5.py).
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {

// Nemotron 4 and Minitron: squared ReLU without a gate, LayerNorm that multiplies by one more than its weights
// (NemotronLayerNorm1P), half of each head turned.
constexpr LlamaType nemotron{.called = {"nemotron", "Nemotron", classes_of<"Nemotron">},
                             .norm_class = "NemotronLayerNorm1P",
                             .usual = {.dim = 6144, .ffn_dim = 24576, .heads = 48, .vocab = 256000, .context = 4096},
                             .activation = "relu2",
                             .rotary = 0.5,
                             .epsilon_field = "norm_eps",
                             .mlp_bias_field = "mlp_bias",
                             .gated = false,
                             .norm = {.kind = NormKind::layer, .bias = true, .epsilon = 1e-5},
                             .computing = {.norm_offset = 1}};
constexpr Family nemotron_family = llama_like<nemotron>();

// Arcee's AFM: LLaMA with squared ReLU.
constexpr LlamaType arcee{.called = {"arcee", "Arcee", classes_of<"Arcee">},
                          .usual = {.dim = 2560, .ffn_dim = 18432, .context = 4096},
                          .activation = "relu2",
                          .mlp_bias_field = "mlp_bias",
                          .gated = false,
                          .norm = {.epsilon = 1e-5}};
constexpr Family arcee_family = llama_like<arcee>();

// Jais 2: the same with LayerNorm and biases.
constexpr LlamaType jais2{.called = {"jais2", "Jais 2", classes_of<"Jais2">},
                          .norm_class = "LayerNorm",
                          .usual = {.dim = 3328, .ffn_dim = 26624, .heads = 26, .vocab = 150272, .context = 8192},
                          .activation = "relu2",
                          .qkv_bias = true,
                          .mlp_bias = true,
                          .epsilon_field = "layer_norm_eps",
                          .mlp_bias_field = "mlp_bias",
                          .gated = false,
                          .norm = {.kind = NormKind::layer, .bias = true, .epsilon = 1e-5}};
constexpr Family jais2_family = llama_like<jais2>();

constexpr auto numbered_modules(std::string_view mlp) {
    return std::to_array<Module>({
        {4, "mlp", ModuleKind::container, {}, mlp},
        {5, "activation_fn", ModuleKind::activation, {}, {}},
        {5, "fc1", ModuleKind::linear, Part::up, {}},
        {5, "fc2", ModuleKind::linear, Part::down, {}},
    });
}

// Cosmos 3 Edge's text part: Arcee's with other sizes. In a text its three-fold positions are one.
namespace cosmos3_edge {

constexpr DecoderClasses classes = classes_of<"Cosmos3EdgeText">;
constexpr std::array modules = decoder_modules(classes, attention_modules(classes.attention),
                                               numbered_modules(classes.feed_forward), norm_modules);
constexpr LlamaType type =
    changed(called(arcee, "cosmos3_edge_text", "Cosmos 3 Edge, text", classes, modules), [](LlamaType& other) {
        other.usual = {.dim = 2048, .ffn_dim = 9216, .layers = 28, .heads = 16, .vocab = 131072, .context = 131072};
        other.kv_heads = 8;
        other.head_dim = 128;
        other.computing.rope_base = 100000000;
        other.computing.rest = [](ComputationReader& reader, Computation&) { reader.reject_uncompared("an Arcee"); };
        other.padding = 0;
    });

}  // namespace cosmos3_edge

constexpr Family cosmos3_edge_text_family = llama_like<cosmos3_edge::type>();

// nanochat: norms without weights, one of them on what is embedded, and of queries and keys that were turned, the other
// way round than elsewhere.
namespace nanochat {

constexpr DecoderClasses classes = classes_of<"NanoChat">;
constexpr std::array modules = decoder_modules(classes, attention_modules(classes.attention),
                                               numbered_modules(classes.feed_forward), norm_modules);

constexpr LlamaType type{
    .called = {"nanochat", "nanochat", classes, modules},
    .usual = {.dim = 768, .ffn_dim = 8192, .layers = 12, .heads = 6, .vocab = 50304},
    .activation = "relu2",
    .gated = false,
    .qk_norm = QkNorm::plain,
    .norm = {.scale = false},
    .computing = {.logit_cap = 15,
                  .rest = [](ComputationReader&, Computation& computation) { computation.rope.backwards = true; }},
    .padding = 1,
    .own = {[](ConfigReader&, Architecture& arch) { arch.embedding_norm = true; }}};

}  // namespace nanochat

constexpr Family nanochat_family = llama_like<nanochat::type>();

// Apertus: an activation function with trained numbers, norms of each head's queries and keys.
namespace apertus {

constexpr DecoderClasses classes = classes_of<"Apertus">;
constexpr auto rest = std::to_array<Module>({
    {4, "mlp", ModuleKind::container, {}, classes.feed_forward},
    {5, "up_proj", ModuleKind::linear, Part::up, {}},
    {5, "down_proj", ModuleKind::linear, Part::down, {}},
    {5, "act_fn", ModuleKind::activation, {}, {}},
    {6, "alpha_p", ModuleKind::bare, Part::activation_above, {}},
    {6, "alpha_n", ModuleKind::bare, Part::activation_below, {}},
    {4, "attention_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "feedforward_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
});
constexpr std::array modules = decoder_modules(classes, attention_modules(classes.attention), rest);

void read_computation(ComputationReader& reader, Computation& computation) {
    if (reader.says_rope() || reader.arch().positions != Positions::rope) return;
    computation.rope.scaling = RopeScaling::llama3;
    computation.rope.factor = 8;
    computation.rope.low_factor = 1;
    computation.rope.original_context = 8192;
    computation.rope.base = 12000000;  // whatever a field at the top says
}

constexpr std::string_view ignored = "qk_norm";  // which it has
constexpr LlamaType type{.called = {"apertus", "Apertus", classes, modules},
                         .usual = {.ffn_dim = 14336, .vocab = 131072, .context = 65536},
                         .activation = "xielu",
                         .gated = false,
                         .qk_norm = QkNorm::per_head,
                         .norm = {.epsilon = 1e-5},
                         .computing = {.rope_base = 12000000, .rest = read_computation},
                         .padding = 3,
                         .ignored = ignored};

// Apertus 1.5: more tokens, among them those of pictures and sound.
constexpr DecoderClasses later_classes = classes_of<"Apertus1p5Text">;
constexpr auto later_modules = changed(modules, [](auto& own) {
    own[0].class_name = later_classes.causal_lm;
    own[1].class_name = later_classes.model;
});
constexpr LlamaType later =
    changed(called(type, "apertus1p5_text", "Apertus 1.5", later_classes, later_modules), [](LlamaType& other) {
        other.usual.vocab = 266752;
        other.own.read = [](ConfigReader& reader, Architecture& arch) {
            if (reader.optional_number({"output_vocab_size"}).value_or(arch.vocab) != arch.vocab)
                reader.reject("output_vocab_size", "an output head for fewer tokens than are read is not known here",
                              "leave it out");
        };
    });

}  // namespace apertus

constexpr Family apertus_family = llama_like<apertus::type>();
constexpr Family apertus1p5_text_family = llama_like<apertus::later>();

}  // namespace headcount
