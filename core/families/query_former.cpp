// BLIP-2 and InstructBLIP: trained queries that look at an image, and take what they find to the text's width
// (transformers, modeling_blip_2.py, modeling_instructblip.py).
#include <algorithm>
#include <string>

#include "core/base/text.hpp"
#include "core/families/besides.hpp"
#include "core/families/senses.hpp"

namespace headcount {
namespace senses {
namespace {

// Trained queries that look at the patches in every so many layers; with a text where `reads` says so.
void query_former(SensesReader& reader, std::int64_t columns, bool embeds) {
    const Section at = reader.connector("qformer");
    const nlohmann::json own = reader.part("qformer_config");
    ConfigReader fields(own, largest_size);
    const std::int64_t width = fields.number({"hidden_size"}, 768);
    check_heads(fields, width);
    const std::int64_t ffn = fields.number({"intermediate_size"}, 3072);
    const std::int64_t said_layers = fields.number({"num_hidden_layers"}, 12, 0);
    if (said_layers > most_listed)  // those that look at patches are listed one by one
        fields.reject("num_hidden_layers", grouped(said_layers) + " layers are too many",
                      "give at most " + grouped(most_listed));
    const std::int64_t layers = std::min(said_layers, most_listed);
    const std::int64_t each = fields.number({"cross_attention_frequency"}, 2);
    const bool reads = embeds || fields.flag({"use_qformer_text_input"}, false);
    reader.connector("").add("query_tokens", {1, reader.fields.number({"num_query_tokens"}, 32), width});
    if (embeds) {
        const Section rows = at.in("embeddings");
        rows.table("word_embeddings", fields.number({"vocab_size"}, 30522), width);
        rows.table("position_embeddings", fields.number({"max_position_embeddings"}, 512), width);
        rows.norm("layernorm", width);
    } else {
        at.norm("layernorm", width);
    }
    const Section layer = at.in("encoder").each("layer", layers);
    const auto attend = [&](const Section& block, std::int64_t from) {
        block.linear("attention.query", width, width);
        block.linears({"attention.key", "attention.value"}, width, from);
        block.linear("output.dense", width, width);
        block.norm("output.LayerNorm", width);
    };
    const auto feed = [&](const std::string& ending) {
        layer.linear("intermediate" + ending + ".dense", ffn, width);
        layer.linear("output" + ending + ".dense", width, ffn);
        layer.norm("output" + ending + ".LayerNorm", width);
    };
    attend(layer.in("attention"), width);
    feed("_query");
    if (reads) feed("");
    for (std::int64_t i = 0; i < layers; i += each)
        attend(at.in("encoder.layer." + std::to_string(i) + ".crossattention"), columns);
    reader.connector("").linear("language_projection", Symbol::dim, width);
    reader.keep(fields, "qformer_config");
}

Result<Senses> blip(const nlohmann::json& file, bool embeds) {
    SensesReader reader(file);
    query_former(reader, reader.list("vision_config", towers::blip2, reader.tower("vision_model")), embeds);
    return reader.take();
}

}  // namespace

Result<Senses> blip2(const nlohmann::json& file) { return blip(file, false); }

Result<Senses> instructblip(const nlohmann::json& file) { return blip(file, true); }

}  // namespace senses
}  // namespace headcount
