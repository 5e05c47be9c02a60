// Encoders with decoders like BART whose encoders read long texts: LED (Beltagy et al. 2020), BigBird-Pegasus (Zaheer
// et al. 2020) and PEGASUS-X (Phang et al. 2023; transformers, modeling_led.py, modeling_bigbird_pegasus.py,
// modeling_pegasus_x.py).
#include "core/families/bart_like.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace bart {

// The attention of an encoder's layer in two modules.
template <FixedText name>
constexpr auto nested_attention_modules(std::string_view own, std::string_view own_class) {
    return std::to_array<Module>({
        {5, "self_attn", ModuleKind::container, {}, joined_name<name, "EncoderAttention">},
        {6, own, ModuleKind::container, {}, own_class},
        {7, "query", ModuleKind::linear, Part::query, {}},
        {7, "key", ModuleKind::linear, Part::key, {}},
        {7, "value", ModuleKind::linear, Part::value, {}},
        {6, "output", ModuleKind::linear, Part::attention_output, {}},
    });
}

constexpr auto closing_embedding_norm =
    std::to_array<Module>({{3, "layernorm_embedding", ModuleKind::norm, Part::embedding_norm, {}}});
// BigBird-Pegasus calls its last norm by the name that BART has for its first.
constexpr auto closing_final_norm =
    std::to_array<Module>({{3, "layernorm_embedding", ModuleKind::norm, Part::final_norm, {}}});

template <FixedText name, std::size_t N, std::size_t M>
constexpr auto long_modules(std::string_view base, const std::array<Module, N>& attention,
                            const std::array<Module, M>& closing) {
    return join(std::to_array<Module>({
                    {0, "", ModuleKind::container, {}, generation_class<name>},
                    {1, base, ModuleKind::container, {}, joined_name<name, "Model">},
                }),
                shared_table, idle_table,
                stack_modules("encoder", ModuleKind::encoder, joined_name<name, "Encoder">, {}), learned_modules<name>,
                std::to_array<Module>({
                    {3, "layers", ModuleKind::container, {}, "ModuleList"},
                    {4, "{i}", ModuleKind::layer, {}, joined_name<name, "EncoderLayer">},
                }),
                attention, attention_norm_modules, activation_modules, feed_forward_modules, closing,
                stack_modules("decoder", ModuleKind::decoder, joined_name<name, "Decoder">, {}), learned_modules<name>,
                decoder_layer_modules<name>, closing, biased_head_modules);
}

constexpr auto led_modules = long_modules<"LED">(
    "led", nested_attention_modules<"LED">("longformer_self_attn", "LEDEncoderSelfAttention"), closing_embedding_norm);
constexpr Type led{.called = {"led", "LED", led_modules},
                   .fields = {.context = "max_decoder_position_embeddings",
                              .encoder_context = "max_encoder_position_embeddings",
                              .window = "attention_window"},
                   .position_offset = 0,
                   .besides = [](const Architecture&) {
                       return global_matrices("self_attn.longformer_self_attn.", Extra::Stacks::encoder);
                   }};

constexpr auto big_bird_modules = long_modules<"BigBirdPegasus">(
    "model", nested_attention_modules<"BigBirdPegasus">("self", "BigBirdPegasusBlockSparseAttention"),
    closing_final_norm);
constexpr Type big_bird{
    .called = {"bigbird_pegasus", "BigBird-Pegasus", big_bird_modules},
    .usual = {.vocab = 96103, .context = 4096, .encoder_layers = 16, .decoder_layers = 16},
    .fields = {.attention_bias = "use_bias"},
    .attention_bias = false,
    .activation = "gelu_new",
    .scaled = true,
    .position_offset = 0,
    .placement = NormPlacement::before,
    .embedding_norm = false,
    .padding = 0,
    .alone_untied = true,
    .compute_rest =
        [](ComputationReader& reader, Computation& computation) {
            const std::int64_t size = reader.number("block_size", 64), drawn = reader.number("num_random_blocks", 3);
            const auto tokens = drawn < 1'000'000 ? checked_multiply(5 + 2 * drawn, size) : std::nullopt;
            if (reader.text("attention_type", "block_sparse") == "block_sparse")
                computation.limit =
                    TokenLimit{tokens.value_or(size), "each looks at some blocks alone, drawn at random"};
        },
    .ignored = "attention_type block_size decoder_layerdrop encoder_layerdrop num_random_blocks scale_embedding"};

// Tokens of its own that read all of the source, and are read by all of it.
std::vector<Extra> x_besides(const Architecture& arch) {
    constexpr std::string_view meaning = "Of tokens beside the source that all of it sees; not computed here.";
    return {{.component = Component::embedding,
             .name = "encoder.embed_global",
             .label = "Global tokens",
             .symbol = "E_g",
             .meaning = meaning,
             .weight = {Besides(arch).number("num_global_tokens", 32), Symbol::dim}},
            {.component = Component::norm,
             .name = "global_self_attn_layer_norm",
             .label = "Global attention norm",
             .symbol = "g",
             .meaning = meaning,
             .weight = {Symbol::dim},
             .bias = {Symbol::dim},
             .in_layers = true,
             .stacks = Extra::Stacks::encoder}};
}
constexpr auto x_modules =
    join(body_modules<"PegasusX">(generation_class<"PegasusX">, scaled_table<"PegasusX">, computed_modules<"PegasusX">),
         head_modules);
constexpr Type pegasus_x{
    .called = {"pegasus_x", "PEGASUS-X", x_modules},
    .usual = {.vocab = 96103, .context = 16384, .encoder_layers = 16, .decoder_layers = 16},
    .attention_bias = false,
    .scaled = true,
    .positions = Positions::sinusoidal,
    .position_offset = 0,
    .placement = NormPlacement::before,
    .embedding_norm = false,
    .head_bias = false,
    .padding = 0,
    .own = {[](ConfigReader& reader, Architecture&) { carry_number(reader, "num_global_tokens", 32); }},
    .compute_rest =
        [](ComputationReader& reader, Computation&) {
            reader.reject("num_global_tokens", "tokens beside the source that all of it sees are not computed here",
                          "count it; a Pegasus runs");
        },
    .besides = x_besides,
    .ignored = "block_size decoder_layerdrop encoder_layerdrop num_global_tokens scale_embedding stagger_local_blocks"};

}  // namespace bart

constexpr Family led_family = bart::family_of<bart::led>();
constexpr Family bigbird_pegasus_family = bart::family_of<bart::big_bird>();
constexpr Family pegasus_x_family = bart::family_of<bart::pegasus_x>();

}  // namespace headcount
