// Encoders of sound that read the wave itself through convolutions: wav2vec 2.0 (Baevski et al. 2020), HuBERT (Hsu et
// al. 2021), UniSpeech, UniSpeech-SAT, data2vec, WavLM, SEW and Conformers (transformers, modeling_wav2vec2.py and
// those that copy it). With scores for letters (CTC) or for classes, or alone.
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/wav2vec2_like.hpp"

namespace headcount {
namespace wav2vec2 {

// Of models for many languages, those of one: small layers behind each layer that has its norms before (Pratap et al.
// 2023).
std::vector<Extra> language_adapters(const Architecture& arch) {
    Besides more(arch);
    const std::int64_t width = more.number("adapter_attn_dim", 0);
    if (width == 0 || arch.norm.placement != NormPlacement::before) return {};
    return more.in_layers(Component::norm)
        .norm("adapter_layer.norm", Symbol::dim, true)
        .in_layers(Component::feed_forward)
        .linear("adapter_layer.linear_1", width, Symbol::dim, true)
        .linear("adapter_layer.linear_2", Symbol::dim, width, true)
        .take();
}

constexpr auto first_modules = modules_of<"Wav2Vec2">("wav2vec2");
constexpr Type first{.called = {"wav2vec2", "wav2vec 2.0", first_modules},
                     .class_name = "Wav2Vec2",
                     .adapt = adapt_by_convolution,
                     .besides = language_adapters};
constexpr auto hidden_modules = modules_of<"Hubert">("hubert");
constexpr Type hidden{.called = {"hubert", "HuBERT", hidden_modules}, .class_name = "Hubert", .may_lack_norm = true};
constexpr auto unified_modules = modules_of<"UniSpeech">("unispeech");
constexpr Type unified{.called = {"unispeech", "UniSpeech", unified_modules}, .class_name = "UniSpeech"};
constexpr auto speaker_modules = modules_of<"UniSpeechSat">("unispeech_sat");
constexpr Type speaker{.called = {"unispeech-sat", "UniSpeech-SAT", speaker_modules}, .class_name = "UniSpeechSat"};
constexpr auto data2vec_modules =
    join(front_modules("data2vec_audio", "Data2VecAudioForCTC", "Data2VecAudioModel"), position_modules, layer_modules);
constexpr Type data2vec{.called = {"data2vec-audio", "data2vec, sound", data2vec_modules},
                        .class_name = "Data2VecAudio",
                        .norms_each = true,
                        .position_layers = true,
                        .stable = false,
                        .adapt = adapt_by_convolution};

// WavLM (Chen et al. 2022): distances, gated by the queries; all layers use the first one's numbers for them.
constexpr auto wavlm_modules = modules_of<"WavLM">("wavlm");
constexpr std::string_view ranges_word = "num_buckets", farthest_word = "max_bucket_distance";
constexpr std::int64_t usual_ranges = 320, usual_farthest = 800;
constexpr Type wavlm{
    .called = {"wavlm", "WavLM", wavlm_modules},
    .class_name = "WavLM",
    .adapt = adapt_by_convolution,
    .own = {[](ConfigReader& reader, Architecture& arch) {
                arch.positions = Positions::relative;
                arch.layer.attention.relative_buckets = reader.number({ranges_word}, usual_ranges);
                carry_number(reader, farthest_word, usual_farthest);
            },
            [](nlohmann::ordered_json& config, const Architecture& arch) {
                config[std::string(ranges_word)] = arch.layer.attention.relative_buckets;
            }},
    .gated_distances = [](const Architecture& arch) { return Besides(arch).number(farthest_word, usual_farthest); }};

// SEW and SEW-D (Wu et al. 2022): the layers read every second row, and what they make is stretched again.
constexpr std::array<Convolution, 13> narrow{{{64, 10, 5},
                                              {128, 3, 2},
                                              {128, 1, 1},
                                              {128, 3, 2},
                                              {128, 1, 1},
                                              {256, 3, 2},
                                              {256, 1, 1},
                                              {256, 3, 2},
                                              {256, 1, 1},
                                              {512, 2, 2},
                                              {512, 1, 1},
                                              {512, 2, 2},
                                              {512, 1, 1}}};
constexpr auto sew_front_modules(std::string_view base, std::string_view whole, std::string_view model) {
    auto modules = front_modules(base, whole, model);
    for (Module& module : modules) {
        if (module.parts.empty()) continue;
        const Part part = *module.parts.begin();
        if (part == Part::embedding_norm) module.depth = 2;
        if (part == Part::embedding_projection) module = {2, "feature_projection", ModuleKind::linear, part, {}};
    }
    return modules;
}
void stretch(Besides& more) {
    const std::int64_t factor = more.number("squeeze_factor", 2);
    more.in_model(Component::feed_forward)
        .linear("encoder.upsample.projection", Expr(factor) * Symbol::dim, Symbol::dim, true);
}
void read_squeezed(ConfigReader& reader, Architecture&) { carry_number(reader, "squeeze_factor", 2); }
constexpr auto sew_modules =
    join(sew_front_modules("sew", "SEWForCTC", "SEWModel"), one_position_module, layer_modules);
constexpr Type sew{.called = {"sew", "SEW", sew_modules},
                   .class_name = "SEW",
                   .convolutions = narrow,
                   .stable = false,
                   .narrows = false,
                   .own = {read_squeezed},
                   .besides = [](const Architecture& arch) {
                       Besides more(arch);
                       stretch(more);
                       return more.take();
                   }};

// DeBERTa's layers. Its positions' convolution stands before them without a norm, so that it is besides.
constexpr auto sewd_modules =
    join(sew_front_modules("sew_d", "SEWDForCTC", "SEWDModel"),
         std::to_array<Module>({
             {3, "encoder", ModuleKind::container, {}, "SEWDTransformerEncoder"},
             {4, "layer", ModuleKind::container, {}, "ModuleList"},
             {5, "{i}", ModuleKind::layer, {}, "SEWDLayer"},
             {6, "attention.self.query_proj", ModuleKind::linear, Part::query, {}},
             {6, "attention.self.key_proj", ModuleKind::linear, Part::key, {}},
             {6, "attention.self.value_proj", ModuleKind::linear, Part::value, {}},
             {6, "attention.output.dense", ModuleKind::linear, Part::attention_output, {}},
             {6, "attention.output.LayerNorm", ModuleKind::norm, Part::attention_output_norm, {}},
             {6, "intermediate.dense", ModuleKind::linear, Part::up, {}},
             {6, "output.dense", ModuleKind::linear, Part::down, {}},
             {6, "output.LayerNorm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
             {1, "lm_head", ModuleKind::linear, Part::output_head, {}, {}, Part::classifier_projection},
             {1, "projector", ModuleKind::linear, Part::classifier_projection, {}},
             {1, "classifier", ModuleKind::linear, Part::output_head, {}, Part::classifier_projection},
         }));
void read_sewd(ConfigReader& reader, Architecture& arch) {
    carry_numbers(reader,
                  "max_position_embeddings num_conv_pos_embeddings num_conv_pos_embedding_groups squeeze_factor");
    for (const std::string_view ranges : {"max_relative_positions", "position_buckets"})
        carry_number(reader, ranges, 0, -1);
    for (const std::string_view part : {"relative_attention", "share_att_key"}) carry_flag(reader, part, true);
    if (arch.dim % std::max<std::int64_t>(1, arch.sound->position_groups) != 0)
        reader.reject("num_conv_pos_embedding_groups", "the groups do not divide the width", "give a number that does");
    arch.sound->position_kernel = 0;
}
// A number that says nothing where it is below 1.
std::int64_t at_least_one(const Architecture& arch, std::string_view field, std::int64_t otherwise) {
    const nlohmann::json* value = said(arch.carried.object(), field);
    const std::int64_t number = value ? whole_number(*value).value_or(otherwise) : otherwise;
    return number < 1 ? 0 : std::min(number, Besides::largest);
}
bool says(const Architecture& arch, std::string_view field, std::string_view word, bool otherwise) {
    const nlohmann::json* value = said(arch.carried.object(), field);
    return value ? value->dump().find(word) != std::string::npos : otherwise;
}
std::vector<Extra> sewd_besides(const Architecture& arch) {
    Besides more(arch);
    const Expr dim = Symbol::dim, columns = Expr(Symbol::heads) * Symbol::head_dim;
    stretch(more);
    const std::int64_t around = more.number("num_conv_pos_embeddings", 128);
    const std::int64_t groups = std::max<std::int64_t>(1, more.number("num_conv_pos_embedding_groups", 16));
    const std::string positions = "encoder.pos_conv_embed.conv.";
    more.in_model(Component::embedding)
        .add(positions + "bias", {dim})
        .add(positions + "parametrizations.weight.original0", {1, 1, around})
        .add(positions + "parametrizations.weight.original1", {dim, dim / groups, around});
    if (says(arch, "norm_rel_ebd", "layer_norm", true))
        more.in_model(Component::norm).norm("encoder.encoder.LayerNorm", dim, true);
    if (!more.flag("relative_attention", true)) return more.take();
    std::int64_t farthest = at_least_one(arch, "position_buckets", 256);
    if (farthest == 0) farthest = at_least_one(arch, "max_relative_positions", 0);
    if (farthest == 0) farthest = at_least_one(arch, "max_position_embeddings", 512);
    more.in_model(Component::attention)
        .table("encoder.encoder.rel_embeddings", Expr(2) * farthest, dim)
        .in_layers(Component::attention);
    if (more.flag("share_att_key", true)) return more.take();
    if (says(arch, "pos_att_type", "c2p", true)) more.linear("attention.self.pos_key_proj", columns, dim, true);
    if (says(arch, "pos_att_type", "p2c", true)) more.linear("attention.self.pos_query_proj", columns, dim, true);
    return more.take();
}
constexpr Type sewd{.called = {"sew-d", "SEW-D", sewd_modules},
                    .class_name = "SEWD",
                    .activation = "gelu_python",
                    .epsilon = 1e-7,
                    .convolutions = narrow,
                    .stable = false,
                    .narrows = false,
                    .own = {read_sewd},
                    .besides = sewd_besides};

// Conformers (Gulati et al. 2020): a feed-forward before and behind attention and a convolution, each known by its
// tensors alone. wav2vec 2.0 with such layers, and the one of Seamless (Barrault et al. 2023), which reads frequencies.
constexpr std::string_view conformer_sizes =
    "conv_depthwise_kernel_size left_max_position_embeddings right_max_position_embeddings";
void read_conformer(ConfigReader& reader, Architecture& arch) {
    arch.layer.mixer_layers = LayerSet::none();
    arch.layer.feed_forward_layers = LayerSet::none();
    carry_numbers(reader, conformer_sizes);
}
std::string positions_of(const Architecture& arch, std::string_view otherwise) {
    const nlohmann::json& carried = arch.carried.object();
    if (!carried.contains("position_embeddings_type")) return std::string(otherwise);
    const nlohmann::json* kind = said(carried, "position_embeddings_type");
    return kind && kind->is_string() ? kind->get<std::string>() : "";
}
void add_conformer(Besides& more, const std::string& positions) {
    const Expr dim = Symbol::dim, heads = Symbol::heads, columns = Expr(Symbol::dim) / Symbol::heads;
    more.in_layers(Component::norm);
    for (const char* norm :
         {"ffn1_layer_norm", "self_attn_layer_norm", "conv_module.layer_norm", "ffn2_layer_norm", "final_layer_norm"})
        more.norm(norm, dim, true);
    more.in_layers(Component::attention);
    for (const char* matrix : {"linear_q", "linear_k", "linear_v", "linear_out"})
        more.linear(std::string("self_attn.") + matrix, dim, dim, true);
    if (positions == "relative")
        more.linear("self_attn.linear_pos", dim, dim)
            .add("self_attn.pos_bias_u", {heads, columns})
            .add("self_attn.pos_bias_v", {heads, columns});
    if (positions == "relative_key") {
        const Expr far =
            Expr(more.number("left_max_position_embeddings", 64)) + more.number("right_max_position_embeddings", 8) + 1;
        more.table("self_attn.distance_embedding", far, columns);
    }
    more.add("conv_module.pointwise_conv1.weight", {Expr(2) * dim, dim, 1})
        .add("conv_module.depthwise_conv.weight", {dim, 1, more.number("conv_depthwise_kernel_size", 31)})
        .add("conv_module.pointwise_conv2.weight", {dim, dim, 1})
        .in_layers(Component::feed_forward);
    for (const std::string half : {"ffn1", "ffn2"})
        more.linear(half + ".intermediate_dense", Symbol::ffn_dim, dim, true)
            .linear(half + ".output_dense", dim, Symbol::ffn_dim, true);
}

constexpr auto conformer_modules = modules_of<"Wav2Vec2Conformer">("wav2vec2_conformer");
constexpr Type conformer{.called = {"wav2vec2-conformer", "wav2vec 2.0, Conformer", conformer_modules},
                         .class_name = "Wav2Vec2Conformer",
                         .vocab = {},
                         .stable = false,
                         .adapt = adapt_by_convolution,
                         .refused = "a Conformer's layers are not computed here",
                         .own = {[](ConfigReader& reader, Architecture& arch) {
                             read_conformer(reader, arch);
                             arch.norm.placement = NormPlacement::before;
                             arch.norm.final = true;
                         }},
                         .besides = [](const Architecture& arch) {
                             Besides more(arch);
                             const std::string positions = positions_of(arch, "relative");
                             add_conformer(more, positions);
                             if (positions == "rotary")
                                 more.in_model(Component::attention)
                                     .buffer("encoder.embed_positions.inv_freq",
                                             {(Expr(Symbol::dim) / Symbol::heads + 1) / 2});
                             return more.in_layers(Component::norm)
                                 .norm("conv_module.batch_norm", Symbol::dim, true)
                                 .buffer("conv_module.batch_norm.running_mean", {Symbol::dim})
                                 .buffer("conv_module.batch_norm.running_var", {Symbol::dim})
                                 .take();
                         }};

// Behind those layers some like them, each of which reads every second row through convolutions.
void adapt_by_attention(Besides& more, const std::string& before) {
    const Expr dim = Symbol::dim, wide = Expr(2) * dim;
    for (const char* norm : {"residual_layer_norm", "self_attn_layer_norm", "ffn_layer_norm"})
        more.norm(before + norm, dim, true);
    for (const char* convolution : {"residual_conv", "self_attn_conv"})
        more.add(before + convolution + ".weight", {wide, dim, more.number("adapter_kernel_size", 3)})
            .add(before + convolution + ".bias", {wide});
    for (const char* matrix : {"linear_q", "linear_k", "linear_v", "linear_out"})
        more.linear(before + "self_attn." + matrix, dim, dim, true);
    more.linear(before + "ffn.intermediate_dense", Symbol::ffn_dim, dim, true)
        .linear(before + "ffn.output_dense", dim, Symbol::ffn_dim, true);
}

constexpr auto frequency_modules =
    join(std::to_array<Module>({
             {0, "", ModuleKind::container, {}, "Wav2Vec2BertForCTC"},
             {1, "wav2vec2_bert", ModuleKind::container, {}, "Wav2Vec2BertModel"},
             {2, "masked_spec_embed", ModuleKind::bare, Part::mask_row, {}},
             {2, "feature_projection.projection", ModuleKind::linear, Part::convolution, {}},
             {2, "encoder", ModuleKind::container, {}, {}},
         }),
         layer_modules);
constexpr Type frequencies{
    .called = {"wav2vec2-bert", "wav2vec 2.0 BERT", frequency_modules},
    .class_name = "Wav2Vec2Bert",
    .dim = 1024,
    .layers = 24,
    .heads = 16,
    .ffn_dim = 4096,
    .classifier_dim = 768,
    .vocab = {},
    .activation = "swish",
    .frequencies = 160,
    .stable = false,
    .adapt = adapt_by_attention,
    .adapters = 1,
    .refused = "a Conformer's layers are not computed here",
    .own = {[](ConfigReader& reader, Architecture& arch) {
        read_conformer(reader, arch);
        carry_flag(reader, "use_intermediate_ffn_before_adapter", false);
    }},
    .besides = [](const Architecture& arch) {
        Besides more(arch);
        add_conformer(more, positions_of(arch, "relative_key"));
        if (more.flag("use_intermediate_ffn_before_adapter", false))
            more.in_model(Component::feed_forward)
                .linear("intermediate_ffn.intermediate_dense", Symbol::ffn_dim, Symbol::dim, true)
                .linear("intermediate_ffn.output_dense", Symbol::dim, Symbol::ffn_dim, true);
        return more.in_layers(Component::norm)
            .norm("conv_module.depthwise_layer_norm", Symbol::dim, true)
            .in_model(Component::norm)
            .norm("feature_projection.layer_norm", arch.sound ? Expr(Symbol::channels) : Expr(160), true)
            .take();
    }};

}  // namespace wav2vec2

constexpr Family wav2vec2_family = wav2vec2::family_of<wav2vec2::first>();
constexpr Family wavlm_family = wav2vec2::family_of<wav2vec2::wavlm>();
constexpr Family sew_family = wav2vec2::family_of<wav2vec2::sew>();
constexpr Family sew_d_family = wav2vec2::family_of<wav2vec2::sewd>();
constexpr Family wav2vec2_conformer_family = wav2vec2::family_of<wav2vec2::conformer>();
constexpr Family wav2vec2_bert_family = wav2vec2::family_of<wav2vec2::frequencies>();
constexpr Family hubert_family = wav2vec2::family_of<wav2vec2::hidden>();
constexpr Family unispeech_family = wav2vec2::family_of<wav2vec2::unified>();
constexpr Family unispeech_sat_family = wav2vec2::family_of<wav2vec2::speaker>();
constexpr Family data2vec_audio_family = wav2vec2::family_of<wav2vec2::data2vec>();

}  // namespace headcount
