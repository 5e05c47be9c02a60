// What wrappers hold beside their text part: their tower, and what leads from there to the text's width (transformers,
// the projectors of modeling_llava.py, modeling_gemma3.py, modeling_mistral3.py, modeling_internvl.py, ...).
#include <algorithm>
#include <string>

#include "core/families/besides.hpp"
#include "core/families/senses.hpp"

namespace headcount {
namespace senses {
namespace {

constexpr std::string_view vision = "vision_config";
constexpr std::string_view clip = "clip_vision_model", sigmoid = "siglip_vision_model";
constexpr std::string_view large_clip = R"({"hidden_size": 1024, "intermediate_size": 4096, "patch_size": 14,
    "image_size": 336, "num_hidden_layers": 24})";
constexpr std::string_view large_pixtral = R"({"hidden_size": 1024, "intermediate_size": 4096, "patch_size": 14,
    "num_hidden_layers": 24})";

// Two linear layers.
void mlp(const Section& section, const Expr& from, const Expr& to, bool bias = true) {
    section.linear("linear_1", to, from, bias);
    section.linear("linear_2", to, to, bias);
}

void llava_mlp(SensesReader& reader, std::int64_t columns) {
    mlp(reader.connector("multi_modal_projector"), columns * reader.feature_layers(), Symbol::dim,
        reader.fields.flag({"multimodal_projector_bias"}, true));
}

// Patches side by side, one row of the text's each; Mistral's.
void merged_mlp(SensesReader& reader, const Section& section, std::int64_t columns, std::int64_t layers, bool bias) {
    const std::int64_t side = reader.fields.number({"spatial_merge_size"}, 2);
    section.norm("norm", columns, false);
    section.linear("patch_merger.merging_layer", columns, columns * side * side, false);
    mlp(section, columns * layers, Symbol::dim, bias);
}

std::int64_t squared(std::int64_t side) { return side * side; }

// Patches side by side by an image's ratio, InternVL's.
Result<Senses> shuffled(const nlohmann::json& file, Tower tower) {
    SensesReader reader(file);
    const std::int64_t columns = reader.list(vision, tower, reader.tower("vision_tower"));
    const double ratio = reader.fields.positive({"downsample_ratio"}).value_or(0.5);
    constexpr double least = 0.001;
    const bool known = ratio >= least && ratio <= 1;
    if (!known)
        reader.fields.reject("downsample_ratio",
                             as_written(file["downsample_ratio"]) + " is no ratio that is known here",
                             "give a number from 0.001 to 1");
    const std::int64_t wide = columns * squared(static_cast<std::int64_t>(known ? 1 / ratio : 1));
    const Section connector = reader.connector("multi_modal_projector");
    connector.norm("layer_norm", wide);
    mlp(connector, wide, Symbol::dim);
    return reader.take();
}

}  // namespace

Result<Senses> llava(const nlohmann::json& file) {
    SensesReader reader(file);
    llava_mlp(reader, reader.list(vision, clip, large_clip, reader.tower("vision_tower")));
    return reader.take();
}

Result<Senses> llava_next(const nlohmann::json& file) {
    SensesReader reader(file);
    reader.connector("").add("image_newline", {Symbol::dim});
    llava_mlp(reader, reader.list(vision, clip, large_clip, reader.tower("vision_tower")));
    return reader.take();
}

Result<Senses> llava_onevision(const nlohmann::json& file) {
    SensesReader reader(file);
    reader.connector("").add("image_newline", {Symbol::dim});
    llava_mlp(reader, reader.list(vision, sigmoid,
                                  R"({"hidden_size": 1152, "intermediate_size": 4304, "patch_size": 14,
        "image_size": 384, "num_hidden_layers": 26, "vision_use_head": false})",
                                  reader.tower("vision_tower")));
    return reader.take();
}

Result<Senses> vipllava(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t columns = reader.list(vision, clip, large_clip, reader.tower("vision_tower"));
    const Section connector = reader.connector("multi_modal_projector");
    constexpr std::int64_t layers = 5;
    connector.norm("projector_layernorm", columns * reader.feature_layers(layers));
    mlp(connector, columns * reader.feature_layers(layers), Symbol::dim);
    return reader.take();
}

Result<Senses> video_llava(const nlohmann::json& file) {
    SensesReader reader(file);
    constexpr std::string_view otherwise = R"({"hidden_size": 1024, "intermediate_size": 4096, "patch_size": 14,
        "image_size": 224, "num_hidden_layers": 24})";
    reader.list(vision, clip, otherwise, reader.tower("video_tower"));
    llava_mlp(reader, reader.list(vision, clip, otherwise, reader.tower("image_tower")));
    return reader.take();
}

Result<Senses> paligemma(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t columns =
        reader.list(vision, sigmoid, R"({"hidden_size": 1152, "intermediate_size": 4096, "patch_size": 14,
        "image_size": 224, "num_hidden_layers": 27, "vision_use_head": false})",
                    reader.tower("vision_tower"));
    reader.connector("multi_modal_projector").linear("linear", reader.fields.number({"projection_dim"}, 2048), columns);
    return reader.take();
}

Result<Senses> gemma3(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t columns = reader.list(vision, sigmoid, "{}", reader.tower("vision_tower"));
    const Section connector = reader.connector("multi_modal_projector");
    connector.add("mm_input_projection_weight", {columns, Symbol::dim});
    connector.norm("mm_soft_emb_norm", columns, false);
    return reader.take();
}

Result<Senses> mistral3(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t columns = reader.list(vision, "pixtral", large_pixtral, reader.tower("vision_tower"));
    merged_mlp(reader, reader.connector("multi_modal_projector"), columns, reader.feature_layers(),
               reader.fields.flag({"multimodal_projector_bias"}, false));
    return reader.take();
}

Result<Senses> lighton_ocr(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t columns = reader.list(vision, "pixtral", large_pixtral, reader.tower("vision_encoder"));
    merged_mlp(reader, reader.connector("vision_projection"), columns, 1, false);
    return reader.take();
}

Result<Senses> aya_vision(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t columns =
        reader.list(vision, sigmoid, R"({"hidden_size": 1152, "intermediate_size": 4304, "patch_size": 14,
        "image_size": 384, "num_hidden_layers": 26, "vision_use_head": false})",
                    reader.tower("vision_tower"));
    const std::int64_t wide = columns * squared(reader.fields.number({"downsample_factor"}, 2));
    const std::optional<std::int64_t> own = reader.fields.optional_number({"alignment_intermediate_size"}, 2);
    const Expr inner = own ? Expr(*own) : Expr(Symbol::dim), gated = own ? Expr(*own / 2) : inner / 2;
    const Section connector = reader.connector("multi_modal_projector");
    connector.norm("layernorm", wide);
    connector.linear("linear_1", inner, wide);
    connector.linear("linear_2", Symbol::dim, gated);
    return reader.take();
}

Result<Senses> cohere2_vision(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t columns =
        reader.list(vision, sigmoid, R"({"hidden_size": 1152, "intermediate_size": 3072, "image_size": 512,
        "num_hidden_layers": 27})",
                    reader.tower("vision_tower"));
    const std::int64_t wide = columns * squared(reader.fields.number({"downsample_factor"}, 2));
    const std::int64_t inner = reader.fields.number({"alignment_intermediate_size"}, 36864, 2);
    const Section connector = reader.connector("multi_modal_projector");
    connector.linear("linear_1", inner, wide);
    connector.linear("linear_2", Symbol::dim, inner / 2);
    return reader.take();
}

Result<Senses> lfm2_vl(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t columns = reader.list(vision, "siglip2_vision_model", "{}", reader.tower("vision_tower"));
    const std::int64_t wide = columns * squared(reader.fields.number({"downsample_factor"}, 2));
    const std::int64_t inner = reader.fields.number({"projector_hidden_size"}, 2560);
    const bool bias = reader.fields.flag({"projector_bias"}, true);
    const Section connector = reader.connector("multi_modal_projector");
    if (reader.fields.flag({"projector_use_layernorm"}, true)) connector.norm("layer_norm", wide);
    connector.linear("linear_1", inner, wide, bias);
    connector.linear("linear_2", Symbol::dim, inner, bias);
    return reader.take();
}

Result<Senses> deepseek_vl(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t columns = reader.list(vision, sigmoid, "{}", reader.tower("vision_model"));
    const Section connector = reader.connector("aligner");
    connector.linear("linear1", Symbol::dim, columns);
    connector.linear("linear2", Symbol::dim, Symbol::dim);
    return reader.take();
}

Result<Senses> internvl(const nlohmann::json& file) { return shuffled(file, towers::internvl); }

Result<Senses> qianfan(const nlohmann::json& file) { return shuffled(file, towers::qianfan); }

Result<Senses> kimi(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t columns = reader.list(vision, towers::kimi, reader.tower("vision_tower"));
    const nlohmann::json part = reader.part(vision);
    ConfigReader fields(part, largest_size);
    const auto sides = sides_of(fields, "merge_kernel_size", 2);
    reader.keep(fields, vision);
    const std::int64_t wide = columns * sides.first * sides.second;
    const Section connector = reader.connector("mm_projector");
    connector.norm("pre_norm", reader.fields.number({"projection_hidden_size"}, 1152));
    connector.linear("proj.0", wide, wide);
    connector.linear("proj.2", Symbol::dim, wide);
    return reader.take();
}

Result<Senses> gemma4(const nlohmann::json& file) {
    SensesReader reader(file);
    if (reader.has("audio_config")) reader.give_up();
    if (!reader.has(vision)) return reader.take();
    if (file[vision].is_object() && file[vision].value("use_clipped_linears", nlohmann::json()) == true)
        reader.give_up();  // numbers of no side beside each matrix
    const std::int64_t columns = reader.list(vision, towers::gemma4, reader.tower("vision_tower"));
    reader.connector("embed_vision").linear("embedding_projection", Symbol::dim, columns, false);
    return reader.take();
}

Result<Senses> gemma4_unified(const nlohmann::json& file) {
    SensesReader reader(file);
    if (reader.has("audio_config") || reader.has(vision)) reader.give_up();
    return reader.take();
}

Result<Senses> minicpm(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t columns = reader.list(vision, towers::minicpm, reader.tower("vision_tower"));
    const auto sides = sides_of(reader.fields, "merge_kernel_size", 2);
    const std::int64_t wide = columns * sides.first * sides.second, times = reader.fields.number({"merger_times"}, 1);
    const auto merge = [&](const Section& section, const Expr& to) {
        section.norm("pre_norm", wide);
        section.linear("linear_1", wide, wide);
        section.linear("linear_2", to, wide);
    };
    const Section connector = reader.connector("merger");
    if (times > 1) merge(connector.each("mlp", times - 1), columns);
    merge(connector.in("mlp." + std::to_string(times - 1)), Symbol::dim);
    return reader.take();
}

Result<Senses> idefics2(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t columns = reader.list(vision, towers::idefics2, reader.tower("vision_model"));
    const Section connector = reader.connector("connector");
    const Expr inner = Symbol::ffn_dim;
    connector.linears({"modality_projection.gate_proj", "modality_projection.up_proj"}, inner, columns, false);
    connector.linear("modality_projection.down_proj", Symbol::dim, inner, false);
    // Trained queries look at the patches, and at themselves.
    reader.list(
        "perceiver_config",
        [](ConfigReader& fields, const Section& section) {
            const Expr width = Symbol::dim;
            const std::int64_t head_dim = fields.number({"resampler_head_dim"}, 96);
            const std::int64_t queries = head_dim * fields.number({"resampler_n_heads"}, 16);
            const std::int64_t keys = head_dim * fields.number({"num_key_value_heads"}, 4);
            section.add("latents", {fields.number({"resampler_n_latents"}, 64), width});
            section.norm("norm", width, false);
            const Section layer = section.each("layers", fields.number({"resampler_depth"}, 3, 0));
            layer.norms({"input_latents_norm", "input_context_norm", "post_attention_layernorm"}, width, false);
            layer.linear("self_attn.q_proj", queries, width, false);
            layer.linears({"self_attn.k_proj", "self_attn.v_proj"}, keys, width, false);
            layer.linear("self_attn.o_proj", width, queries, false);
            layer.linears({"mlp.gate_proj", "mlp.up_proj"}, 4 * width, width, false);
            layer.linear("mlp.down_proj", width, 4 * width, false);
            return std::int64_t{1};
        },
        connector.in("perceiver_resampler"));
    return reader.take();
}

Result<Senses> idefics3(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t columns = reader.list(vision, towers::idefics3, reader.tower("vision_model"));
    reader.connector("connector.modality_projection")
        .linear("proj", Symbol::dim, columns * squared(reader.fields.number({"scale_factor"}, 2)), false);
    return reader.take();
}

Result<Senses> aria(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t columns = reader.list(vision, "idefics3_vision", "{}", reader.tower("vision_tower"));
    const nlohmann::json* sizes = reader.fields.object({"projector_patch_to_query_dict"});
    std::int64_t most = sizes ? 0 : 256;
    if (sizes) {
        ConfigReader of(*sizes, largest_size);
        for (const auto& [patches, each] : sizes->items()) most = std::max(most, of.number({patches}, 1));
        reader.keep(of, "projector_patch_to_query_dict");
    }
    const std::int64_t queries = reader.fields.number({"max_value_projector_patch_to_query_dict"}, most);
    const Section connector = reader.connector("multi_modal_projector");
    connector.add("query", {queries, columns});
    const Section cross = connector.in("cross_attn");
    cross.linears({"q_proj", "k_proj", "v_proj"}, columns, columns, false);
    cross.add("multihead_attn.in_proj_weight", {3 * columns, columns});
    cross.add("multihead_attn.in_proj_bias", {3 * columns});
    cross.linears({"multihead_attn.out_proj", "linear"}, columns, columns);
    cross.norms({"layer_norm", "layer_norm_kv"}, columns);
    connector.norm("layer_norm", columns);
    connector.linear("feed_forward.linear_in", Symbol::dim, columns, false);
    connector.linear("feed_forward.linear_out", Symbol::dim, Symbol::dim, false);
    return reader.take();
}

Result<Senses> llama4(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t columns = reader.list(vision, towers::llama4, reader.tower("vision_model"));
    reader.connector("multi_modal_projector").linear("linear_1", Symbol::dim, columns, false);
    return reader.take();
}

Result<Senses> ovis2(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t words = reader.list(vision, towers::ovis2, reader.tower("vision_tower"));
    reader.connector("visual_embeddings_table").add("weight", {words, reader.fields.number({"hidden_size"}, 1536)});
    return reader.take();
}

Result<Senses> video_llama_3(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t columns = reader.list(vision, towers::video_llama_3, reader.tower("vision_model"));
    const Section connector = reader.connector("projector.readout");
    connector.linear("0", Symbol::dim, columns);
    connector.linear("2", Symbol::dim, Symbol::dim);
    return reader.take();
}

Result<Senses> paddleocr_vl(const nlohmann::json& file) {
    SensesReader reader(file);
    const nlohmann::json part = reader.part(vision);
    ConfigReader fields(part, largest_size);
    const std::int64_t side = fields.number({"spatial_merge_size"}, 2);
    reader.keep(fields, vision);
    const std::int64_t columns = reader.list(vision, towers::paddleocr_vl, reader.tower("visual.vision_model"));
    const Section connector = reader.connector("mlp_AR");
    connector.norm("pre_norm", columns);
    connector.linear("linear_1", columns * side * side, columns * side * side);
    connector.linear("linear_2", Symbol::dim, columns * side * side);
    return reader.take();
}

Result<Senses> fuyu(const nlohmann::json& file) {
    SensesReader reader(file);
    const std::int64_t patch = reader.fields.number({"patch_size"}, 30);
    reader.connector("vision_embed_tokens")
        .linear("", Symbol::dim, reader.fields.number({"num_channels"}, 3) * patch * patch);
    return reader.take();
}

}  // namespace senses
}  // namespace headcount
