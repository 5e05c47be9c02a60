// LLaMA as an encoder: EuroBERT (Boizard et al. 2025), Ultrabert, some of whose layers look around alone, ESM C (ESM
// Team 2024), which reads proteins and whose head is BERT's, NeoMME, whose head is the way into it back; and T5Gemma
// (Zhang et al. 2025), two Gemma 2 of which one encodes (transformers, modeling_eurobert.py, modeling_ultrabert.py,
// modeling_esmc.py, modeling_neomme.py, modeling_t5gemma.py).
#include <cmath>

#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace llama_encoders {

// EuroBERT: LLaMA that sees all tokens, and its head right on the last norm.
constexpr DecoderClasses euro_classes = [] {
    DecoderClasses classes = classes_of<"EuroBert">;
    classes.causal_lm = "EuroBertForMaskedLM";
    return classes;
}();
constexpr LlamaType euro{.type = "eurobert",
                         .name = "EuroBERT",
                         .classes = euro_classes,
                         .dim = 768,
                         .ffn_dim = 3072,
                         .layers = 12,
                         .heads = 12,
                         .vocab = 128256,
                         .context = 8192,
                         .mlp_bias_field = "mlp_bias",
                         .norm = {.epsilon = 1e-5},
                         .padding = 128001,
                         .read_rest = [](ConfigReader&, const nlohmann::json&, Architecture& arch) {
                             arch.layer.attention.mask = AttentionMask::full;
                             arch.head_bias = arch.layer.feed_forward.bias;
                         }};

// Ultrabert: before its head two matrices that lead into a narrower row and out of it.
constexpr DecoderClasses ultra_classes = [] {
    DecoderClasses classes = classes_of<"Ultrabert">;
    classes.causal_lm = "UltrabertForMaskedLM";
    return classes;
}();
constexpr auto ultra_modules = [] {
    auto modules = llama_modules(ultra_classes);
    modules[1].name = "ultrabert";
    for (Module& module : modules)
        if (module.name == "lm_head") module.name = "cls";
    return modules;
}();
constexpr std::array ultra_sizes = std::to_array<std::string_view>({"prediction_head_size"});
constexpr std::array ultra_ignored = std::to_array<std::string_view>(
    {"attention_windows", "classifier_pooling", "layer_types", "prediction_head_size", "sliding_window"});
constexpr LlamaType ultra{.type = "ultrabert",
                          .name = "Ultrabert",
                          .classes = ultra_classes,
                          .modules = ultra_modules,
                          .context = 32768,
                          .mlp_bias_field = "mlp_bias",
                          .computing = {.refused = "matrices before the head"},
                          .padding = 0,
                          .numbers = ultra_sizes,
                          .ignored = ultra_ignored,
                          .besides =
                              [](const Architecture& arch) {
                                  Besides more(arch);
                                  const std::int64_t narrow = more.number("prediction_head_size", 768);
                                  return more.in_model(Extra::Place::output)
                                      .linear("head.linear1", narrow, Symbol::dim)
                                      .linear("head.linear2", Symbol::dim, narrow)
                                      .take();
                              },
                          .read_rest = [](ConfigReader&, const nlohmann::json&,
                                          Architecture& arch) { arch.layer.attention.mask = AttentionMask::full; }};

// NeoMME: a narrow embedding whose matrix leads back to the head, norms without weights, gates on what heads found, and
// values and patches of images that are besides.
constexpr DecoderClasses neomme_classes = [] {
    DecoderClasses classes = classes_of<"NeoMME">;
    classes.causal_lm = "NeoMMEForMaskedLM";
    classes.layer = "NeoMMEEncoderLayer";
    return classes;
}();
constexpr std::array<Module, 18> neomme_modules{{
    {0, "", ModuleKind::container, {}, "NeoMMEForMaskedLM"},
    {1, "model", ModuleKind::container, {}, "NeoMMEModel"},
    {2, "embed_tokens", ModuleKind::container, {}, "NeoMMEEmbeddings"},
    {3, "word_embeddings", ModuleKind::embedding, Part::token_embedding, {}},
    {3, "embedding_projection", ModuleKind::linear, Part::embedding_projection, {}},
    {2, "layers", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "NeoMMEEncoderLayer"},
    {4, "self_attn", ModuleKind::container, {}, "NeoMMEAttention"},
    {5, "q_proj", ModuleKind::linear, Part::query, {}},
    {5, "k_proj", ModuleKind::linear, Part::key, {}},
    {5, "v_proj", ModuleKind::linear, Part::value, {}},
    {5, "output_projection.gate_proj", ModuleKind::linear, Part::attention_gate, {}},
    {5, "output_projection.o_proj", ModuleKind::linear, Part::attention_output, {}},
    {4, "mlp", ModuleKind::container, {}, "NeoMMEMLP"},
    {5, "up_proj", ModuleKind::linear, Part::up, {}},
    {5, "down_proj", ModuleKind::linear, Part::down, {}},
    {1, "unembedding_projection", ModuleKind::conv1d, Part::output_projection, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};
constexpr std::array neomme_sizes = std::to_array<std::string_view>({"patch_size"});
constexpr std::array neomme_ignored = std::to_array<std::string_view>(
    {"document_token_id", "embedding_dim", "image_token_id", "layer_types", "patch_size", "per_layer_config",
     "residual_multiplier", "rope_parameters", "sliding_window"});
constexpr LlamaType neomme{
    .type = "neomme",
    .name = "NeoMME",
    .classes = neomme_classes,
    .modules = neomme_modules,
    .dim = 1024,
    .ffn_dim = 3584,
    .layers = 17,
    .heads = 16,
    .kv_heads = 4,
    .head_dim = 64,
    .vocab = 131072,
    .context = 16384,
    .tied = true,
    .activation = "relu2",
    .epsilon_field = "norm_eps",
    .mlp_bias_field = "mlp_bias",
    .gated = false,
    .norm = {.scale = false},
    .computing = {.refused = "values of each token by themselves"},
    .padding = 0,
    .numbers = neomme_sizes,
    .ignored = neomme_ignored,
    .besides =
        [](const Architecture& arch) {
            Besides more(arch);
            const std::int64_t side = std::min<std::int64_t>(more.number("patch_size", 32), 1 << 14);
            const Expr dim = Symbol::dim, patch = 3 * side * side;
            return more.in_model(Extra::Place::embedding)
                .norm("patch_embeddings.norm", patch, true)
                .linear("patch_embeddings.up_proj", Expr(2) * dim, patch)
                .linear("patch_embeddings.down_proj", dim, Expr(2) * dim, true)
                .linear("value_embeddings", Symbol::vocab, Expr(Symbol::kv_heads) * Symbol::head_dim)
                .in_layers(Extra::Place::attention)
                .add("lambdas", {2})
                .add("self_attn.exclusive_self_attention.alpha", {Symbol::heads})
                .take();
        },
    .read_rest =
        [](ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
            arch.layer.attention.mask = AttentionMask::full;
            arch.layer.attention.output_gate = true;
            arch.layer.attention.gate_bias = false;
            arch.layer.attention.qk_norm = QkNorm::plain;
            arch.embedding_dim = reader.number({"embedding_rank"}, 256);
        },
    .write_rest = [](nlohmann::ordered_json& config,
                     const Architecture& arch) { config["embedding_rank"] = arch.embedding_dim.value_or(arch.dim); }};

// ESM C: norms with means, one more of queries and keys over all heads, sub-blocks that count less the deeper it is.
constexpr DecoderClasses esmc_classes = [] {
    DecoderClasses classes = classes_of<"Esmc">;
    classes.causal_lm = "EsmcForMaskedLM";
    classes.layer = "EsmcLayer";
    return classes;
}();
constexpr auto esmc_modules = [] {
    auto modules = join(model_modules(esmc_classes), attention_modules(esmc_classes.attention),
                        gated_modules(esmc_classes.feed_forward), norm_modules,
                        std::array<Module, 6>{{
                            {2, "norm", ModuleKind::norm, Part::final_norm, {}},
                            {2, "rotary_emb", ModuleKind::rotary, {}, "EsmcRotaryEmbedding"},
                            {1, "lm_head", ModuleKind::container, {}, "EsmcLMHead"},
                            {2, "dense", ModuleKind::linear, Part::head_transform, {}},
                            {2, "layer_norm", ModuleKind::norm, Part::head_norm, {}},
                            {2, "decoder", ModuleKind::linear, Part::output_head, {}},
                        }});
    modules[1].name = "esmc";
    return modules;
}();
constexpr LlamaType esmc{
    .type = "esmc",
    .name = "ESM C",
    .classes = esmc_classes,
    .modules = esmc_modules,
    .dim = 2560,
    .ffn_dim = 6912,
    .layers = 80,
    .heads = 40,
    .kv_heads = 40,
    .head_dim = 64,
    .vocab = 64,
    .epsilon_field = {},
    .mlp_bias_field = "mlp_bias",
    .qk_norm = QkNorm::across,
    .norm = {.kind = NormKind::layer, .bias = true, .final_bias = false, .epsilon = 1e-5},
    .computing = {.head_activation = Activation::gelu,
                  .rest =
                      [](ComputationReader& reader, Computation& computation) {
                          computation.residual_scale = std::sqrt(36 / static_cast<double>(reader.arch().layers));
                      }},
    .padding = 1,
    .read_rest =
        [](ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
            arch.layer.attention.mask = AttentionMask::full;
            arch.output = OutputKind::masked;
            arch.head_bias = true;
            arch.tied = false;  // whatever the file says
            const auto columns =
                checked_multiply(arch.layer.attention.heads, arch.layer.attention.head_dim.value_or(1));
            if (columns != arch.dim || kv_heads(arch) != arch.layer.attention.heads)
                reader.reject("head_dim", "norms of queries and keys as wide as the model need heads that are together",
                              "give heads as wide together as hidden_size, and num_key_value_heads as many");
        },
};

// The type of T5Gemma's stacks: Gemma 2 with names of its own for norms.
constexpr DecoderClasses stack_classes = classes_of<"T5Gemma">;
constexpr std::array<Module, 4> stack_norm_modules{{
    {4, "pre_self_attn_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "post_self_attn_layernorm", ModuleKind::norm, Part::attention_output_norm, {}},
    {4, "pre_feedforward_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "post_feedforward_layernorm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
}};
template <std::size_t N>
constexpr std::array<Module, N> lowered(std::array<Module, N> modules) {
    for (Module& module : modules) ++module.depth;
    return modules;
}
constexpr auto stack_modules(std::string_view stack, ModuleKind kind, std::string_view class_name,
                             std::string_view layer) {
    return join(std::array<Module, 5>{{
                    {2, stack, kind, {}, class_name},
                    {3, "embed_tokens", ModuleKind::embedding, Part::token_embedding, {}},
                    {3, "norm", ModuleKind::norm, Part::final_norm, {}},
                    {3, "layers", ModuleKind::container, {}, "ModuleList"},
                    {4, "{i}", ModuleKind::layer, {}, layer},
                }},
                lowered(attention_modules("T5GemmaSelfAttention")), lowered(gated_modules("T5GemmaMLP", "GELUTanh()")),
                lowered(stack_norm_modules));
}
constexpr std::array<Module, 1> stack_end_modules{{
    {3, "rotary_emb", ModuleKind::rotary, {}, "T5GemmaRotaryEmbedding"},
}};
constexpr auto t5gemma_modules =
    join(std::array<Module, 2>{{
             {0, "", ModuleKind::container, {}, "T5GemmaForConditionalGeneration"},
             {1, "model", ModuleKind::container, {}, "T5GemmaModel"},
         }},
         stack_modules("encoder", ModuleKind::encoder, "T5GemmaEncoder", "T5GemmaEncoderLayer"), stack_end_modules,
         stack_modules("decoder", ModuleKind::decoder, "T5GemmaDecoder", "T5GemmaDecoderLayer"),
         std::array<Module, 7>{{
             {5, "cross_attn", ModuleKind::cross, {}, "T5GemmaCrossAttention"},
             {6, "q_proj", ModuleKind::linear, Part::query, {}},
             {6, "k_proj", ModuleKind::linear, Part::key, {}},
             {6, "v_proj", ModuleKind::linear, Part::value, {}},
             {6, "o_proj", ModuleKind::linear, Part::attention_output, {}},
             {5, "pre_cross_attn_layernorm", ModuleKind::cross_norm, Part::attention_norm, {}},
             {5, "post_cross_attn_layernorm", ModuleKind::cross_norm, Part::attention_output_norm, {}},
         }},
         stack_end_modules,
         std::array<Module, 2>{{
             {1, "lm_head", ModuleKind::container, {}, "T5GemmaLMHead"},
             {2, "out_proj", ModuleKind::linear, Part::output_head, {}},
         }});
constexpr LlamaType t5gemma{.type = "t5gemma",
                            .name = "T5Gemma",
                            .classes = stack_classes,
                            .modules = t5gemma_modules,
                            .dim = 2304,
                            .ffn_dim = 9216,
                            .layers = 26,
                            .heads = 8,
                            .kv_heads = 4,
                            .head_dim = 256,
                            .vocab = 256000,
                            .context = 8192,
                            .tied = true,
                            .activation = "gelu_pytorch_tanh",
                            .activation_field = "hidden_activation",
                            .norm = {.placement = NormPlacement::both},
                            .window = WindowFields{.size = 4096, .pattern = 2},
                            .computing = {.root_embedding_scale = true,
                                          .norm_offset = 1,
                                          .score_scalar = "query_pre_attn_scalar",
                                          .score_scalar_otherwise = 256,
                                          .score_cap = 50,
                                          .logit_cap = 30,
                                          .rest =
                                              [](ComputationReader& reader, Computation&) {
                                                  if (reader.object("encoder"))
                                                      reader.reject("encoder",
                                                                    "an encoder of other sizes than the decoder's is "
                                                                    "not computed here",
                                                                    "count it, or give both stacks the same");
                                              }},
                            .padding = 0};

// As wide as the encoder, which is as wide as the decoder.
constexpr std::array t5gemma_ignored = std::to_array<std::string_view>({"cross_attention_hidden_size", "encoder"});

// One stack's configuration, as far as the other's has to be the same.
nlohmann::json without_layers(nlohmann::json stack) {
    for (const char* field : {"num_hidden_layers", "layer_types", "is_decoder", "use_cache", "intermediate_size",
                              "cross_attention_hidden_size", "tie_word_embeddings"})
        stack.erase(field);
    return stack;
}

constexpr std::int64_t most_encoder_layers = 1000;

// Of an encoder that is as wide as it is, with heads of its own: all of it, and the decoder's attention to it.
std::vector<Extra> encoder_apart(const Architecture& arch) {
    const nlohmann::json* stack = said(arch.carried.object(), "encoder");
    if (!stack || !stack->is_object() || arch.encoder) return {};
    const Result<Architecture> read = read_llama(*stack, *arch.family, t5gemma);
    if (!read) return {};
    const Bindings sizes = bindings(*read, Input{});
    const auto size = [&](Symbol symbol) { return std::min(sizes[symbol].value_or(1), Besides::largest); };
    const std::int64_t dim = size(Symbol::dim), width = size(Symbol::ffn_dim);
    const Expr queries = Expr(size(Symbol::heads)) * size(Symbol::head_dim);
    const Expr keys = Expr(size(Symbol::kv_heads)) * size(Symbol::head_dim);
    const bool bias = read->layer.attention.qkv_bias, own_bias = arch.layer.attention.qkv_bias;
    Besides more(arch);
    more.in_model(Extra::Place::embedding).linear("encoder.embed_tokens", size(Symbol::vocab), dim);
    const std::int64_t layers = std::min(read->layers, most_encoder_layers);  // a document may say more
    for (std::int64_t i = 0; i < layers; ++i) {
        const std::string layer = "encoder.layers." + std::to_string(i) + ".";
        more.in_model(Extra::Place::attention)
            .linear(layer + "self_attn.q_proj", queries, dim, bias)
            .linear(layer + "self_attn.k_proj", keys, dim, bias)
            .linear(layer + "self_attn.v_proj", keys, dim, bias)
            .linear(layer + "self_attn.o_proj", dim, queries, bias)
            .in_model(Extra::Place::feed_forward)
            .linear(layer + "mlp.gate_proj", width, dim)
            .linear(layer + "mlp.up_proj", width, dim)
            .linear(layer + "mlp.down_proj", dim, width)
            .in_model(Extra::Place::norm);
        for (const Module& norm : stack_norm_modules) more.norm(layer + std::string(norm.name), dim);
    }
    const Expr own = Expr(Symbol::heads) * Symbol::head_dim, seen = Expr(Symbol::kv_heads) * Symbol::head_dim;
    return more.norm("encoder.norm", dim)
        .in_layers(Extra::Place::attention)
        .linear("cross_attn.q_proj", own, Symbol::dim, own_bias)
        .linear("cross_attn.k_proj", seen, dim, own_bias)
        .linear("cross_attn.v_proj", seen, dim, own_bias)
        .linear("cross_attn.o_proj", Symbol::dim, own, own_bias)
        .in_layers(Extra::Place::norm)
        .norm("pre_cross_attn_layernorm", Symbol::dim)
        .norm("post_cross_attn_layernorm", Symbol::dim)
        .take();
}

// Each stack has a configuration of its own inside the file; what computes is read from the decoder's.
Result<Architecture> read_t5gemma(const nlohmann::json& config, const Family& family) {
    const auto stack_of = [&](std::string_view name) {
        const nlohmann::json* stack = said(config, name);
        return stack && stack->is_object() ? *stack : nlohmann::json::object();
    };
    for (const char* name : {"encoder", "decoder"})
        if (const nlohmann::json* stack = said(config, name); stack && !stack->is_object())
            return Error{as_written(*stack) + " is no object", name, "give the stack's own configuration"};
    ConfigReader whole(config);
    whole.flag({"is_encoder_decoder"}, true);  // it is, whatever the file says
    whole.flag({"tie_word_embeddings"}, true);
    if (whole.error()) return *whole.error();
    nlohmann::json decoder = stack_of("decoder");
    const nlohmann::json encoder = stack_of("encoder");
    const Result<Architecture> beside = read_llama(encoder, family, t5gemma);
    if (!beside) return within("encoder", beside.error());
    for (const char* field : {"tie_word_embeddings", "architectures", "pad_token_id", "torch_dtype", "dtype"}) {
        decoder.erase(field);
        if (const nlohmann::json* outer = said(config, field)) decoder[field] = *outer;
    }
    // An encoder of other sizes is beside a decoder alone.
    const bool apart = without_layers(stack_of("decoder")) != without_layers(encoder);
    if (apart && beside->layers > most_encoder_layers)
        return Error{"so many layers of other sizes than the decoder's are not known here", "encoder",
                     "give at most " + grouped(most_encoder_layers)};
    if (apart) decoder["encoder"] = encoder;
    Result<Architecture> arch = read_llama(decoder, family, t5gemma);
    if (!arch || apart) return arch;
    arch->encoder = Encoder{.layers = beside->layers, .own_embedding = true};
    if (beside->layer.feed_forward.width != arch->layer.feed_forward.width)
        arch->encoder->ffn_dim = bindings(*beside, Input{})[Symbol::ffn_dim];
    if (beside->layer.attention.window) {
        arch->encoder->windowed = beside->layer.attention.window->layers;
        if (!arch->layer.attention.window)
            arch->layer.attention.window =
                AttentionWindow{.size = beside->layer.attention.window->size, .layers = LayerSet::none()};
    }
    return arch;
}

nlohmann::ordered_json write_t5gemma(const Architecture& arch) {
    nlohmann::ordered_json decoder = write_llama(arch, t5gemma);
    for (const auto& [key, text] : arch.carried.fields())
        if (!decoder.contains(key)) decoder[key] = nlohmann::ordered_json::parse(text, nullptr, false);
    Architecture beside = arch;
    if (const std::optional<Encoder>& own = arch.encoder) {
        beside.layers = own->layers;
        if (own->ffn_dim) beside.layer.feed_forward.width = *own->ffn_dim;
        if (auto& window = beside.layer.attention.window) window->layers = own->windowed;
    }
    nlohmann::ordered_json encoder = decoder;
    encoder.update(write_llama(beside, t5gemma));
    if (const nlohmann::json* apart = said(arch.carried.object(), "encoder"); apart && !arch.encoder) encoder = *apart;
    decoder.erase("encoder");
    for (nlohmann::ordered_json* stack : {&decoder, &encoder})
        for (const char* field : {"model_type", "architectures"}) stack->erase(field);
    return {{"architectures", {arch.family->modules.front().class_name}},
            {"model_type", arch.family->type},
            {"is_encoder_decoder", true},
            {"encoder", encoder},
            {"decoder", decoder},
            {"tie_word_embeddings", arch.tied}};
}

}  // namespace llama_encoders

constexpr Family eurobert_family = llama_like<eurobert_family, llama_encoders::euro>();
constexpr Family ultrabert_family = llama_like<ultrabert_family, llama_encoders::ultra>();
constexpr Family neomme_family = llama_like<neomme_family, llama_encoders::neomme>();
constexpr Family esmc_family = llama_like<esmc_family, llama_encoders::esmc>();
constexpr Family t5gemma_family = [] {
    Family made = llama_like<t5gemma_family, llama_encoders::t5gemma>();
    made.norm_class = "T5GemmaRMSNorm";
    made.ignored = llama_encoders::t5gemma_ignored;
    made.besides = llama_encoders::encoder_apart;
    made.read = [](const nlohmann::json& config) { return llama_encoders::read_t5gemma(config, t5gemma_family); };
    made.write = llama_encoders::write_t5gemma;
    return made;
}();

}  // namespace headcount
