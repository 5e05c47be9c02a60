// Three built like T5: LongT5 (Guo et al. 2022), whose encoder looks at the tokens around and, in a second form, at
// sums over blocks, and Switch Transformers (Fedus et al. 2022), some of whose layers have experts, and Pop2Piano,
// which hears (transformers, modeling_longt5.py, modeling_switch_transformers.py, modeling_pop2piano.py).
#include <cmath>

#include "core/base/text.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/t5_like.hpp"

namespace headcount {
namespace t5 {

// An encoder's attention in one of two forms: the second has a norm of blocks' sums.
constexpr std::array<Module, 5> named_attention_modules(std::string_view name, std::string_view class_name, bool sums) {
    const std::optional<Part> with = sums ? std::optional(Part::beside) : std::nullopt;
    const std::optional<Part> without = sums ? std::nullopt : std::optional(Part::beside);
    return {{
        {6, name, ModuleKind::container, {}, class_name, with, without},
        {7, "q", ModuleKind::linear, Part::query, {}, with, without},
        {7, "k", ModuleKind::linear, Part::key, {}, with, without},
        {7, "v", ModuleKind::linear, Part::value, {}, with, without},
        {7, "o", ModuleKind::linear, Part::attention_output, {}, with, without},
    }};
}
constexpr std::array<Module, 1> distance_modules(bool sums) {
    return {{{7,
              "relative_attention_bias",
              ModuleKind::embedding,
              Part::relative_bias,
              {},
              sums ? std::optional(Part::beside) : std::nullopt,
              sums ? std::nullopt : std::optional(Part::beside)}}};
}
constexpr auto long_attention_modules =
    join(std::to_array<Module>({
             {4, "layer", ModuleKind::container, {}, "ModuleList"},
             {5, "0", ModuleKind::container, {}, "LongT5LayerLocalSelfAttention"},
         }),
         named_attention_modules("LocalSelfAttention", "LongT5LocalAttention", false), distance_modules(false),
         named_attention_modules("TransientGlobalSelfAttention", "LongT5TransientGlobalAttention", true),
         distance_modules(true), closing_modules<"LongT5">(Part::attention_norm));
constexpr auto long_modules =
    join(std::to_array<Module>({
             {0, "", ModuleKind::container, {}, "LongT5ForConditionalGeneration"},
             {1, "shared", ModuleKind::embedding, Part::token_embedding, {}},
         }),
         stack_modules<"LongT5">("encoder", ModuleKind::encoder), long_attention_modules,
         feed_forward_modules<"LongT5">("1"), final_norm_modules<"LongT5">,
         stack_modules<"LongT5">("decoder", ModuleKind::decoder), self_attention_modules<"LongT5">,
         cross_attention_modules<"LongT5">, feed_forward_modules<"LongT5">("2"), final_norm_modules<"LongT5">,
         std::to_array<Module>({{1, "lm_head", ModuleKind::linear, Part::output_head, {}}}));

bool sums_blocks(const Architecture& arch) {
    const nlohmann::json* kind = said(arch.carried.object(), "encoder_attention_type");
    return kind && *kind == "transient-global";
}

std::vector<Extra> long_besides(const Architecture& arch) {
    if (!sums_blocks(arch)) return {};
    const std::string own = "layer.0.TransientGlobalSelfAttention.";
    constexpr std::string_view meaning = "Of sums over blocks of the source that all of it sees; not computed here.";
    return {{.component = Component::norm,
             .name = own + "global_input_layer_norm",
             .label = "Norm of blocks",
             .symbol = "g",
             .meaning = meaning,
             .weight = {Symbol::dim},
             .in_layers = true,
             .stacks = Extra::Stacks::encoder},
            {.component = Component::attention,
             .name = "encoder.block.0." + own + "global_relative_attention_bias",
             .label = "Distance biases of blocks",
             .symbol = "b_g",
             .meaning = meaning,
             .weight = {Symbol::relative_buckets, Symbol::heads}}};
}

void read_long(ConfigReader& reader, Architecture& arch) {
    const std::int64_t radius = reader.number({"local_radius"}, 127, 1);
    arch.layer.attention.window = AttentionWindow{.size = radius, .layers = LayerSet::none()};
    arch.encoder->windowed = LayerSet();
    if (const nlohmann::json* kind = said(reader.config(), "encoder_attention_type");
        kind && *kind != "local" && *kind != "transient-global")
        reader.reject("encoder_attention_type", as_written(*kind) + " is no attention of an encoder that is known here",
                      "give \"local\" or \"transient-global\"");
}

// What the file says of tying says only how its output is scaled: the head is the embedding.
constexpr Defaults long_defaults{.always_tied = true,
                                 .own = {read_long, [](nlohmann::ordered_json& config, const Architecture& arch) {
                                             if (const auto& window = arch.layer.attention.window)
                                                 config["local_radius"] = window->size;
                                         }}};
constexpr ComputationType long_computing{.rest = [](ComputationReader& reader, Computation& computation) {
    read_computation(reader, computation);
    if (reader.flag("scale_decoder_outputs", reader.flag("tie_word_embeddings", true)))
        computation.logit_scale = 1 / std::sqrt(static_cast<double>(reader.arch().dim));
    if (sums_blocks(reader.arch()))
        reader.reject("encoder_attention_type", "sums over blocks that all of the source sees are not computed here",
                      "count it; one with \"local\" runs");
}};
constexpr std::string_view long_ignored = "encoder_attention_type global_block_size tie_word_embeddings";

// "mlp": dense, or a router and experts.
constexpr auto switch_feed_forward_modules(std::string_view place) {
    return join(std::to_array<Module>({
                    {5, place, ModuleKind::container, {}, "SwitchTransformersLayerFF"},
                    {6, "mlp", ModuleKind::container, {}, "SwitchTransformersDenseActDense"},
                    {7, "wi", ModuleKind::linear, Part::up, {}},
                    {7, "wo", ModuleKind::linear, Part::down, {}},
                    {7, "dropout", ModuleKind::stateless, {}, dropout_10},
                    {7, "act", ModuleKind::activation, {}, {}},
                    {7, "router", ModuleKind::container, {}, "SwitchTransformersTop1Router", Part::router},
                    {8, "classifier", ModuleKind::linear, Part::router, {}},
                    {7, "experts", ModuleKind::container, {}, "SwitchTransformersExperts"},
                    {8, "expert_{e}", ModuleKind::expert, {}, "SwitchTransformersDenseActDense"},
                    {9, "wi", ModuleKind::linear, Part::expert_up, {}},
                    {9, "wo", ModuleKind::linear, Part::expert_down, {}},
                }),
                closing_modules<"SwitchTransformers">(Part::feed_forward_norm));
}
constexpr auto switch_modules =
    join(std::to_array<Module>({
             {0, "", ModuleKind::container, {}, "SwitchTransformersForConditionalGeneration"},
             {1, "shared", ModuleKind::embedding, Part::token_embedding, {}},
             {1, "shared", ModuleKind::embedding, Part::idle_embedding, {}},
         }),
         stack_modules<"SwitchTransformers">("encoder", ModuleKind::encoder),
         self_attention_modules<"SwitchTransformers">, switch_feed_forward_modules("1"),
         final_norm_modules<"SwitchTransformers">, stack_modules<"SwitchTransformers">("decoder", ModuleKind::decoder),
         self_attention_modules<"SwitchTransformers">, cross_attention_modules<"SwitchTransformers">,
         switch_feed_forward_modules("2"), final_norm_modules<"SwitchTransformers">,
         std::to_array<Module>({{1, "lm_head", ModuleKind::linear, Part::output_head, {}}}));

// The second of each so many layers: as many as the file says, else as there are layers to one with experts, rounded
// down. Where none is asked for, the step is all layers, of which the second has experts all the same.
LayerSet layers_with_experts(ConfigReader& reader, std::string_view field, std::string_view step_field,
                             std::int64_t layers) {
    const std::int64_t sparse = reader.number({field}, 3, 0);
    const std::int64_t step = reader.number({step_field}, sparse > 0 ? layers / sparse : layers, 0);
    if (step == 0) return LayerSet::none();
    if (step == 1) return {};
    if (step > LayerSet::longest) {
        reader.reject(field, "layers with experts are too far from each other", "give more of them");
        return {};
    }
    const std::string flags = "01" + std::string(static_cast<std::size_t>(step - 2), '0');
    const Result<LayerSet> flagged = LayerSet::parse(flags, field);
    return flagged ? *flagged : LayerSet();
}

void read_switch(ConfigReader& reader, Architecture& arch) {
    Mixture mixture{.experts = reader.number({"num_experts"}, 8), .experts_per_token = 1};
    mixture.expert_dim = std::get<std::int64_t>(arch.layer.feed_forward.width);
    mixture.router_bias = reader.flag({"router_bias"}, false);
    arch.encoder->mixtures =
        layers_with_experts(reader, "num_sparse_encoder_layers", "encoder_sparse_step", arch.encoder->layers);
    mixture.layers = layers_with_experts(reader, "num_sparse_decoder_layers", "decoder_sparse_step", arch.layers);
    arch.layer.mixture = mixture;
    arch.encoder->own_embedding = !arch.tied;
}

void write_switch(nlohmann::ordered_json& config, const Architecture& arch) {
    config["dense_act_fn"] = activation_name(arch.layer.feed_forward.activation);
    if (!arch.layer.mixture || !arch.encoder) return;
    if (!has_head(arch)) config["tie_word_embeddings"] = !arch.encoder->own_embedding;
    config["num_experts"] = arch.layer.mixture->experts;
    config["router_bias"] = arch.layer.mixture->router_bias;
    config["num_sparse_encoder_layers"] = arch.encoder->mixtures.count(arch.encoder->layers);
    config["num_sparse_decoder_layers"] = arch.layer.mixture->layers.count(arch.layers);
    const auto step = [](const LayerSet& layers) { return layers == LayerSet::none() ? 0 : layers.cycle(); };
    config["encoder_sparse_step"] = step(arch.encoder->mixtures);
    config["decoder_sparse_step"] = step(arch.layer.mixture->layers);
}

constexpr Defaults switch_defaults{.layers = 12, .heads = 12, .dim = 768, .own = {read_switch, write_switch}};
// An expert has room for so many tokens of a text; what of more is left out is not computed.
constexpr ComputationType switch_computing{
    .routing = {.scores = RouterScores::softmax}, .rest = [](ComputationReader& reader, Computation& computation) {
        read_computation(reader, computation);
        if (reader.flag("tie_word_embeddings", true))
            computation.logit_scale = 1 / std::sqrt(static_cast<double>(reader.arch().dim));
        const std::int64_t room = reader.number("expert_capacity", 64);
        computation.limit = TokenLimit{room, "an expert takes at most " + grouped(room)};
    }};
constexpr std::string_view switch_ignored = "add_router_probs expert_capacity router_ignore_padding_tokens";

// Pop2Piano (Choi et al. 2022): a T5 that reads frequencies, as wide as it is, beside a row for each composer, and
// writes notes by a head of its own.
constexpr std::array piano_modules = modules_of<"Pop2Piano">;
constexpr Defaults piano_defaults{
    .vocab = 2400,
    .feed_forward = "gated-gelu",
    .own = {[](ConfigReader& reader, Architecture& arch) {
                arch.tied = false;
                carry_number(reader, "composer_vocab_size", 21);
                reader.carry("tie_word_embeddings");
            },
            [](nlohmann::ordered_json& config, const Architecture&) { config.erase("tie_word_embeddings"); }}};
constexpr ComputationType piano_computing{.refused = "frequencies in the place of a text"};
constexpr std::string_view piano_ignored = "composer_vocab_size tie_word_embeddings";

template <const Defaults& defaults, const ComputationType& computing>
constexpr Family later_family_of(std::string_view type, std::string_view name, std::span<const Module> modules,
                                 std::string_view ignored) {
    Family made = family_of<defaults, computing>(type, name, modules);
    made.ignored = ignored;
    return made;
}

}  // namespace t5

constexpr Family longt5_family = changed(
    t5::later_family_of<t5::long_defaults, t5::long_computing>("longt5", "LongT5", t5::long_modules, t5::long_ignored),
    [](Family& made) { made.besides = t5::long_besides; });
constexpr Family switch_transformers_family =
    known_to_peft(changed(t5::later_family_of<t5::switch_defaults, t5::switch_computing>(
                              "switch_transformers", "Switch Transformers", t5::switch_modules, t5::switch_ignored),
                          [](Family& made) {
                              // Where nothing is tied each stack has a table of its own.
                              made.besides = [](const Architecture& arch) -> std::vector<Extra> {
                                  if (!arch.encoder || !arch.encoder->own_embedding) return {};
                                  return {unread_table(Symbol::vocab, Symbol::dim)};
                              };
                          }),
                  {.experts_apart = true});
constexpr Family pop2piano_family =
    changed(t5::later_family_of<t5::piano_defaults, t5::piano_computing>("pop2piano", "Pop2Piano", t5::piano_modules,
                                                                         t5::piano_ignored),
            [](Family& made) {
                made.besides = [](const Architecture& arch) {
                    Besides more(arch);
                    return more.in_model(Component::embedding)
                        .table("mel_conditioner.embedding", more.number("composer_vocab_size", 21), Symbol::dim)
                        .take();
                };
            });

}  // namespace headcount
