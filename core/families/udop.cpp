// UDOP (Tang et al. 2023): a T5 that reads words, where they stand on a page, and the page's image; all but T5's own is
// counted by name and shape (transformers, modeling_udop.py).
#include <algorithm>

#include "core/base/text.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/senses.hpp"
#include "core/families/t5_like.hpp"

namespace headcount {
namespace udop {

constexpr std::array modules = t5::modules_of<"Udop">;
constexpr std::string_view kinds = "relative_bias_args", places = "max_2d_position_embeddings",
                           channels = "num_channels", patch = "patch_size";
constexpr std::size_t usual_kinds = 3, most_kinds = 16;
constexpr std::int64_t ranges = 32;  // of the distances on a page, whatever the file says of others

// Of how many ways to say how far apart two words are each stack has biases.
std::size_t kinds_of(const nlohmann::json& file) {
    const nlohmann::json* list = said(file, kinds);
    return list && list->is_array() ? std::min(list->size(), most_kinds) : usual_kinds;
}

void read_rest(ConfigReader& reader, Architecture&) {
    const nlohmann::json& config = reader.config();
    carry_number(reader, places, 1024);
    carry_number(reader, channels, 3);
    reader.carry(patch);
    ConfigReader sides(config, largest_size);
    sides_of(sides, patch, 16);
    if (sides.error()) reader.reject(patch, sides.error()->what, sides.error()->fix);
    constexpr std::string_view known = "1d horizontal vertical";
    const auto is_known = [&](const nlohmann::json& each) {
        return each.is_object() && each.size() == 1 && each.contains("type") && each["type"].is_string() &&
               is_word_of(known, each["type"].get_ref<const std::string&>());
    };
    const nlohmann::json* const list = said(config, kinds);
    if (list &&
        (!list->is_array() || list->empty() || list->size() > most_kinds || !std::ranges::all_of(*list, is_known)))
        reader.reject(kinds, as_written(*list) + " lists no distances that are known here",
                      R"(list {"type": "1d"}, {"type": "horizontal"} and {"type": "vertical"})");
    reader.only_class(modules.front().class_name);
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    config["num_decoder_layers"] = arch.layers;
}

std::vector<Extra> besides(const Architecture& arch) {
    const nlohmann::json& file = arch.carried.object();
    Besides more(arch);
    ConfigReader fields(file, largest_size);
    const auto [height, width] = sides_of(fields, patch, 16);
    const Expr dim = Symbol::dim, rows = more.number(places, 1024);
    for (const char* const image : {"patch_embed.proj", "decoder.embed_patches.proj"})
        more.in_model(Component::tower)
            .add(std::string(image) + ".weight", {dim, more.number(channels, 3), height, width})
            .add(std::string(image) + ".bias", {dim});
    more.in_model(Component::embedding);
    for (const char* const axis : {"x", "y"})
        more.table("encoder.cell_2d_embedding." + std::string(axis) + "_position_embeddings", rows, dim);
    more.in_model(Component::attention);
    // The first are those of the encoder's first layer.
    for (const char* const stack : {"encoder", "decoder"})
        for (std::size_t i = 1; i < kinds_of(file); ++i)
            more.table(std::string(stack) + ".relative_bias.biases." + std::to_string(i) + ".relative_attention_bias",
                       ranges, Symbol::heads);
    return more.take();
}

constexpr t5::Defaults defaults{.vocab = 33201,
                                .ffn_dim = 4096,
                                .layers = 24,
                                .heads = 16,
                                .always_tied = true,
                                .dim = 1024,
                                .own = {read_rest, write_rest}};
constexpr ComputationType computing{.refused = "where words stand on a page"};
constexpr std::string_view ignored =
    "add_cross_attention image_size max_2d_position_embeddings num_channels patch_size relative_bias_args "
    "tie_word_embeddings";

}  // namespace udop

constexpr Family udop_family = [] {
    Family made = t5::family_of<udop::defaults, udop::computing>("udop", "UDOP", udop::modules);
    made.besides = udop::besides;
    made.ignored = udop::ignored;
    return made;
}();

}  // namespace headcount
