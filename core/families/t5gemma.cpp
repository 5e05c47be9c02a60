// T5Gemma and T5Gemma 2 (Google 2025): an encoder and a decoder of Gemma's layers, each of its own sizes (transformers,
// modeling_t5gemma.py, modeling_t5gemma2.py).
#include <algorithm>

#include "core/base/text.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/senses.hpp"
#include "core/families/two_stacks.hpp"

namespace headcount {
namespace t5gemma {

// The type of T5Gemma's stacks: Gemma 2 with names of its own for norms.
constexpr DecoderClasses stack_classes = classes_of<"T5Gemma">;
constexpr auto stack_norm_modules = std::to_array<Module>({
    {4, "pre_self_attn_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "post_self_attn_layernorm", ModuleKind::norm, Part::attention_output_norm, {}},
    {4, "pre_feedforward_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "post_feedforward_layernorm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
});
constexpr auto stack_modules(std::string_view stack, ModuleKind kind, std::string_view class_name,
                             std::string_view layer) {
    return join(std::to_array<Module>({
                    {2, stack, kind, {}, class_name},
                    {3, "embed_tokens", ModuleKind::embedding, Part::token_embedding, {}},
                    {3, "norm", ModuleKind::norm, Part::final_norm, {}},
                    {3, "layers", ModuleKind::container, {}, "ModuleList"},
                    {4, "{i}", ModuleKind::layer, {}, layer},
                }),
                lowered(attention_modules("T5GemmaSelfAttention")), lowered(gated_modules("T5GemmaMLP", "GELUTanh()")),
                lowered(stack_norm_modules));
}
constexpr auto stack_end_modules = std::to_array<Module>({
    {3, "rotary_emb", ModuleKind::rotary, {}, "T5GemmaRotaryEmbedding"},
});
constexpr auto t5gemma_modules =
    join(std::to_array<Module>({
             {0, "", ModuleKind::container, {}, "T5GemmaForConditionalGeneration"},
             {1, "model", ModuleKind::container, {}, "T5GemmaModel"},
         }),
         stack_modules("encoder", ModuleKind::encoder, "T5GemmaEncoder", "T5GemmaEncoderLayer"), stack_end_modules,
         stack_modules("decoder", ModuleKind::decoder, "T5GemmaDecoder", "T5GemmaDecoderLayer"),
         std::to_array<Module>({
             {5, "cross_attn", ModuleKind::cross, {}, "T5GemmaCrossAttention"},
             {6, "q_proj", ModuleKind::linear, Part::query, {}},
             {6, "k_proj", ModuleKind::linear, Part::key, {}},
             {6, "v_proj", ModuleKind::linear, Part::value, {}},
             {6, "o_proj", ModuleKind::linear, Part::attention_output, {}},
             {5, "pre_cross_attn_layernorm", ModuleKind::cross_norm, Part::attention_norm, {}},
             {5, "post_cross_attn_layernorm", ModuleKind::cross_norm, Part::attention_output_norm, {}},
         }),
         stack_end_modules,
         std::to_array<Module>({
             {1, "lm_head", ModuleKind::container, {}, "T5GemmaLMHead"},
             {2, "out_proj", ModuleKind::linear, Part::output_head, {}},
         }));
constexpr LlamaType first{
    .called = {"t5gemma", "T5Gemma", stack_classes, t5gemma_modules},
    .usual = {.dim = 2304, .ffn_dim = 9216, .layers = 26, .heads = 8, .vocab = 256000, .context = 8192},
    .kv_heads = 4,
    .head_dim = 256,
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
constexpr std::string_view t5gemma_ignored = "cross_attention_hidden_size encoder";

// One stack's configuration, as far as the other's has to be the same.
nlohmann::json without_layers(nlohmann::json stack) {
    for (const char* field : {"num_hidden_layers", "layer_types", "is_decoder", "use_cache", "intermediate_size",
                              "cross_attention_hidden_size", "tie_word_embeddings"})
        stack.erase(field);
    return stack;
}

std::int64_t columns_of(const Architecture& arch, Symbol symbol) {
    return std::min(bindings(arch, Input{})[symbol].value_or(1), Besides::largest);
}

// The layers of an encoder of its own sizes, and its last norm.
void list_encoder(Besides& more, const Architecture& encoder) {
    const std::int64_t dim = columns_of(encoder, Symbol::dim), width = columns_of(encoder, Symbol::ffn_dim);
    const std::int64_t head = columns_of(encoder, Symbol::head_dim);
    const Expr queries = Expr(columns_of(encoder, Symbol::heads)) * head;
    const Expr keys = Expr(columns_of(encoder, Symbol::kv_heads)) * head;
    const bool bias = encoder.layer.attention.qkv_bias;
    const std::int64_t layers = std::min(encoder.layers, most_listed);  // a document may say more
    for (std::int64_t i = 0; i < layers; ++i) {
        const std::string layer = "encoder.layers." + std::to_string(i) + ".";
        more.in_model(Component::attention)
            .linear(layer + "self_attn.q_proj", queries, dim, bias)
            .linear(layer + "self_attn.k_proj", keys, dim, bias)
            .linear(layer + "self_attn.v_proj", keys, dim, bias)
            .linear(layer + "self_attn.o_proj", dim, queries, bias)
            .in_model(Component::feed_forward)
            .linear(layer + "mlp.gate_proj", width, dim)
            .linear(layer + "mlp.up_proj", width, dim)
            .linear(layer + "mlp.down_proj", dim, width)
            .in_model(Component::norm);
        for (const Module& norm : stack_norm_modules) more.norm(layer + std::string(norm.name), dim);
        if (encoder.layer.attention.qk_norm == QkNorm::none) continue;
        more.norm(layer + "self_attn.q_norm", head).norm(layer + "self_attn.k_norm", head);
    }
    more.norm("encoder.norm", dim);
}

// Of an encoder that is as wide as it is, with heads of its own: all of it, and the decoder's attention to it.
std::vector<Extra> encoder_apart(const Architecture& arch) {
    const nlohmann::json* stack = said(arch.carried.object(), "encoder");
    if (!stack || !stack->is_object() || arch.encoder) return {};
    const Result<Architecture> read = read_llama(*stack, *arch.family, first);
    if (!read) return {};
    const std::int64_t dim = columns_of(*read, Symbol::dim);
    const bool own_bias = arch.layer.attention.qkv_bias;
    Besides more(arch);
    more.in_model(Component::embedding).table("encoder.embed_tokens", columns_of(*read, Symbol::vocab), dim);
    list_encoder(more, *read);
    const Expr own = Expr(Symbol::heads) * Symbol::head_dim, seen = Expr(Symbol::kv_heads) * Symbol::head_dim;
    return more.in_layers(Component::attention)
        .linear("cross_attn.q_proj", own, Symbol::dim, own_bias)
        .linear("cross_attn.k_proj", seen, dim, own_bias)
        .linear("cross_attn.v_proj", seen, dim, own_bias)
        .linear("cross_attn.o_proj", Symbol::dim, own, own_bias)
        .in_layers(Component::norm)
        .norm("pre_cross_attn_layernorm", Symbol::dim)
        .norm("post_cross_attn_layernorm", Symbol::dim)
        .take();
}

// Each stack has a configuration of its own inside the file; what computes is read from the decoder's.
Result<Architecture> read_t5gemma(const nlohmann::json& config, const Family& family) {
    if (const std::optional<Error> wrong = wrong_around_stacks(config)) return *wrong;
    nlohmann::json decoder = object_said(config, "decoder");
    const nlohmann::json encoder = object_said(config, "encoder");
    // An encoder of other sizes is beside a decoder alone.
    const bool apart = without_layers(decoder) != without_layers(encoder);
    const Result<Architecture> beside = read_llama(encoder, family, first);
    if (!beside) return within("encoder", beside.error());
    for (const char* field : {"tie_word_embeddings", "architectures", "pad_token_id", "torch_dtype", "dtype"}) {
        decoder.erase(field);
        if (const nlohmann::json* outer = said(config, field)) decoder[field] = *outer;
    }
    if (apart && beside->layers > most_listed) return within("encoder", too_many_layers("num_hidden_layers"));
    if (apart) decoder["encoder"] = encoder;
    Result<Architecture> arch = read_llama(decoder, family, first);
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
    nlohmann::ordered_json decoder = with_carried(write_llama(arch, first), arch);
    Architecture beside = arch;
    if (const std::optional<Encoder>& own = arch.encoder) {
        beside.layers = own->layers;
        if (own->ffn_dim) beside.layer.feed_forward.width = *own->ffn_dim;
        if (auto& window = beside.layer.attention.window) window->layers = own->windowed;
    }
    nlohmann::ordered_json encoder = decoder;
    encoder.update(write_llama(beside, first));
    if (const nlohmann::json* apart = said(arch.carried.object(), "encoder"); apart && !arch.encoder) encoder = *apart;
    decoder.erase("encoder");
    for (nlohmann::ordered_json* stack : {&decoder, &encoder})
        for (const char* field : {"model_type", "architectures"}) stack->erase(field);
    nlohmann::ordered_json config = write_stacks(arch, encoder, decoder);
    config["tie_word_embeddings"] = arch.tied;
    return config;
}

// T5Gemma 2: norms of queries and keys, one table for both stacks, an encoder that sees pictures too, and a decoder
// that looks at what it made and at its own text by the same matrices.
constexpr auto second_modules = join(std::to_array<Module>({
                                         {0, "", ModuleKind::container, {}, "T5Gemma2ForConditionalGeneration"},
                                         {1, "model", ModuleKind::container, {}, "T5Gemma2Model"},
                                         {2, "encoder.embed_tokens", ModuleKind::embedding, Part::token_embedding, {}},
                                         {2, "decoder", ModuleKind::container, {}, "T5Gemma2Decoder"},
                                         {3, "norm", ModuleKind::norm, Part::final_norm, {}},
                                         {3, "layers", ModuleKind::container, {}, "ModuleList"},
                                         {4, "{i}", ModuleKind::layer, {}, "T5Gemma2DecoderLayer"},
                                     }),
                                     lowered(attention_modules("T5Gemma2MergedAttention")),
                                     lowered(gated_modules("T5Gemma2MLP", "GELUTanh()")), lowered(stack_norm_modules),
                                     std::to_array<Module>({
                                         {3, "rotary_emb", ModuleKind::rotary, {}, "T5Gemma2RotaryEmbedding"},
                                         {1, "lm_head", ModuleKind::container, {}, "T5Gemma2LMHead"},
                                         {2, "out_proj", ModuleKind::linear, Part::output_head, {}},
                                     }));
constexpr LlamaType second =
    changed(called(first, "t5gemma2", "T5Gemma 2", classes_of<"T5Gemma2">, second_modules), [](LlamaType& other) {
        other.usual.vocab = 262208;
        other.usual.context = 131072;
        other.qk_norm = QkNorm::per_head;
        other.window = WindowFields{.size = 4096, .pattern = 6};
        other.computing.rope_base = 1000000;
        other.computing.windowed_apart = true;
        other.computing.windowed_base = 10000;
        other.computing.score_cap = other.computing.logit_cap = 0;
        other.computing.refused = "attention to two texts at once";
        other.computing.rest = nullptr;
    });

// The tower that the encoder has for pictures, with its layers one by one; the columns of what it makes.
Result<std::int64_t> list_tower(std::vector<Extra>& all, const nlohmann::json& vision) {
    constexpr std::string_view usual = "siglip_vision_model";
    const std::string_view named = type_said(vision);
    const Tower tower = find_tower(named.empty() ? usual : named);
    if (!tower)
        return Error{as_written(vision["model_type"]) + " is no tower that is known here", "model_type",
                     "give " + std::string(usual)};
    std::vector<Extra> listed;
    ConfigReader fields(vision, largest_size);
    const std::int64_t columns = tower(fields, Section(listed, Component::tower, "encoder.vision_tower"));
    if (fields.error()) return *fields.error();
    const Result<std::vector<Extra>> apart = one_by_one(listed);
    if (!apart) return apart.error();
    all.insert(all.end(), apart->begin(), apart->end());
    return columns;
}

std::vector<Extra> second_besides(const Architecture& arch) {
    const nlohmann::json encoder = object_said(arch.carried.object(), "encoder");
    nlohmann::json text = object_said(encoder, "text_config");
    text["hidden_size"] = arch.dim;  // of one table
    const Result<Architecture> read = read_llama(text, *arch.family, second);
    if (!read) return {};
    Besides more(arch);
    more.in_model(Component::embedding).add("encoder.embed_tokens.eoi_embedding", {Symbol::dim});
    list_encoder(more, *read);
    std::vector<Extra> all = more.take();
    const Result<std::int64_t> columns = list_tower(all, object_said(encoder, "vision_config"));
    if (!columns) return all;
    const Section connector(all, Component::connector, "encoder.multi_modal_projector");
    connector.add("mm_input_projection_weight", {*columns, Symbol::dim});
    connector.norm("mm_soft_emb_norm", *columns, false);
    return all;
}

Result<Architecture> read_second(const nlohmann::json& config, const Family& family) {
    if (const std::optional<Error> wrong = wrong_around_stacks(config)) return *wrong;
    if (const nlohmann::json* tied = said(config, "tie_word_embeddings"); tied && *tied == false)
        return Error{"stacks with tables of their own are not known here", "tie_word_embeddings", "set it to true"};
    const nlohmann::json encoder = object_said(config, "encoder");
    const Result<Architecture> beside = read_llama(object_said(encoder, "text_config"), family, second);
    if (!beside) return within("encoder, text_config", beside.error());
    if (beside->layers > most_listed) return within("encoder, text_config", too_many_layers("num_hidden_layers"));
    std::vector<Extra> tower;
    if (const auto columns = list_tower(tower, object_said(encoder, "vision_config")); !columns)
        return within("encoder, vision_config", columns.error());
    nlohmann::json decoder = object_said(config, "decoder");
    decoder.erase("architectures");
    decoder["tie_word_embeddings"] = true;
    decoder["encoder"] = encoder;
    Result<Architecture> arch = read_llama(decoder, family, second);
    if (!arch) return within("decoder", arch.error());
    if (beside->dim != arch->dim || beside->vocab != arch->vocab)
        return Error{"stacks of one table have the same hidden_size and vocab_size", "encoder",
                     "give text_config those of the decoder"};
    return arch;
}

nlohmann::ordered_json write_second(const Architecture& arch) {
    nlohmann::ordered_json decoder = with_carried(write_llama(arch, second), arch);
    nlohmann::ordered_json encoder = decoder.value("encoder", nlohmann::ordered_json::object());
    // Of one table, which is as wide and as long as the decoder's.
    for (const char* field : {"hidden_size", "vocab_size"}) encoder["text_config"][field] = decoder[field];
    for (const char* field : {"model_type", "architectures", "encoder"}) decoder.erase(field);
    nlohmann::ordered_json config = write_stacks(arch, encoder, decoder);
    config["tie_word_embeddings"] = arch.tied;
    return config;
}

}  // namespace t5gemma

constexpr Family t5gemma_family = [] {
    Family made = llama_like<t5gemma::first>();
    made.norm_class = "T5GemmaRMSNorm";
    made.ignored = t5gemma::t5gemma_ignored;
    made.besides = t5gemma::encoder_apart;
    made.read = t5gemma::read_t5gemma;
    made.write = t5gemma::write_t5gemma;
    return made;
}();
constexpr Family t5gemma2_family = [] {
    Family made = llama_like<t5gemma::second>();
    made.norm_class = "T5Gemma2RMSNorm";
    made.ignored = t5gemma::t5gemma_ignored;
    made.besides = t5gemma::second_besides;
    made.read = t5gemma::read_second;
    made.write = t5gemma::write_second;
    return made;
}();

}  // namespace headcount
