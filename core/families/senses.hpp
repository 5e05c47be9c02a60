// How a wrapper lists what its files hold beside their text part: tower and connector, tensor by tensor.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/arch/family.hpp"
#include "core/families/config_reader.hpp"

namespace headcount {

// Of any number in such a file: three of them and a small factor, multiplied, fit in 64 bits.
inline constexpr std::int64_t largest_size = 1'000'000;

// Tensors below one module, in each of so many layers.
class Section {
  public:
    Section(std::vector<Extra>& all, Component component, std::string path, std::int64_t copies = 1)
        : all_(&all), place_(place), path_(std::move(path)), copies_(copies) {}

    Section in(std::string_view name) const { return {*all_, place_, below(name), copies_}; }
    // So many modules in a list of that name; {n} is their number.
    Section each(std::string_view name, std::int64_t count) const;
    // The same module as the other kind of part.
    Section as(Component component) const { return {*all_, place, path_, copies_}; }

    // A tensor of that name and shape, at most five sides; of none, a single number.
    void add(std::string_view name, std::vector<Expr> shape) const;
    // The same, trained by no gradient and outside every total.
    void buffer(std::string_view name, std::vector<Expr> shape) const;
    // "name.weight" [outputs, inputs] and "name.bias"; "name.weight" [width] likewise.
    void linear(std::string_view name, const Expr& outputs, const Expr& inputs, bool bias = true) const;
    void norm(std::string_view name, const Expr& width, bool bias = true) const;
    // "name.weight" [rows, columns], of which rows are looked up.
    void table(std::string_view name, const Expr& rows, const Expr& columns) const;
    // "name.weight" of that shape, outputs first, and "name.bias".
    void convolution(std::string_view name, std::vector<Expr> shape, bool bias = true) const;
    // Several linear layers, or norms, of the same sizes.
    void linears(std::initializer_list<std::string_view> names, const Expr& outputs, const Expr& inputs,
                 bool bias = true) const;
    void norms(std::initializer_list<std::string_view> names, const Expr& width, bool bias = true) const;

  private:
    std::string below(std::string_view name) const;
    void put(std::string_view name, std::vector<Expr> weight, bool bias, bool alone, bool buffer = false) const;

    std::vector<Extra>* all_;
    Component component_;
    std::string path_;
    std::int64_t copies_;
};

// Lists the tensors of a tower of one type from its own fields; returns the columns of what it makes.
using Tower = std::int64_t (*)(ConfigReader& fields, const Section& section);

// The fields of a whole file, of which wrappers make their lists.
class SensesReader {
  public:
    explicit SensesReader(const nlohmann::json& file) : fields(file, largest_size), json(file) {}

    ConfigReader fields;  // at the top of the file
    const nlohmann::json& json;

    Section tower(std::string_view name) { return {all_, Component::tower, std::string(name)}; }
    Section connector(std::string_view name) { return {all_, Component::connector, std::string(name)}; }

    // A part of the file, of no fields where there is none; and the first that was wrong among those read of it.
    nlohmann::json part(std::string_view name);
    void keep(const ConfigReader& fields, std::string_view name);

    // The tower that a part of the file describes, below `at`: of one type whatever the file says.
    std::int64_t list(std::string_view part, Tower tower, const Section& section);
    // The same by the type that the part says: of `type`, with the fields `otherwise` as JSON, where there is no part.
    std::int64_t list(std::string_view part, std::string_view type, std::string_view otherwise, const Section& section);
    // Of how many of the tower's layers the connector reads what they make, side by side (vision_feature_layer).
    std::int64_t feature_layers(std::int64_t otherwise = 1);

    // Whether the file has that part, which its type need not have.
    bool has(std::string_view part) const { return said(json, part) != nullptr; }
    // Says that there is something of which nothing is known here.
    void give_up() { known_ = false; }

    Result<Senses> take();

  private:
    const nlohmann::json* object(std::string_view part);
    std::int64_t list_fields(std::string_view part, const nlohmann::json& fields, Tower tower, const Section& section);

    std::vector<Extra> all_;
    std::string tower_part_ = "vision_config";  // the one that was listed last
    bool known_ = true;
    std::optional<Error> error_;
};

// What a tower lists, each layer's tensors by themselves, as a family has them among what is besides. An error where
// there are more layers than `most_listed`.
Result<std::vector<Extra>> one_by_one(const std::vector<Extra>& listed);

// Null where there is none of that type.
Tower find_tower(std::string_view type);

// How many indices the field lists: nothing where it is absent.
std::optional<std::int64_t> listed_indices(ConfigReader& fields, std::string_view field);

// As a number, or as a list of two.
std::pair<std::int64_t, std::int64_t> sides_of(ConfigReader& fields, std::string_view field, std::int64_t otherwise);

// Patches side by side along one side of an image; one that does not fit is rejected.
std::int64_t patches_along(ConfigReader& fields, std::int64_t image, std::int64_t patch);

// The tower's heads: `otherwise` where the file does not say them. Those that do not divide its width are rejected.
std::int64_t check_heads(ConfigReader& fields, std::int64_t width, std::int64_t otherwise = 1);

// Towers that only one wrapper has, by their classes in transformers.
namespace towers {
std::int64_t qwen2_vl(ConfigReader& fields, const Section& section);
std::int64_t qwen2_5_vl(ConfigReader& fields, const Section& section);
std::int64_t exaone4_5(ConfigReader& fields, const Section& section);
std::int64_t qwen3_vl(ConfigReader& fields, const Section& section);
std::int64_t qwen3_5(ConfigReader& fields, const Section& section);
std::int64_t glm4v(ConfigReader& fields, const Section& section);
std::int64_t glm_ocr(ConfigReader& fields, const Section& section);
std::int64_t llama4(ConfigReader& fields, const Section& section);
std::int64_t internvl(ConfigReader& fields, const Section& section);
std::int64_t idefics2(ConfigReader& fields, const Section& section);
std::int64_t idefics3(ConfigReader& fields, const Section& section);
std::int64_t video_llama_3(ConfigReader& fields, const Section& section);
std::int64_t paddleocr_vl(ConfigReader& fields, const Section& section);
std::int64_t qianfan(ConfigReader& fields, const Section& section);
std::int64_t kimi(ConfigReader& fields, const Section& section);
std::int64_t gemma4(ConfigReader& fields, const Section& section);
std::int64_t minicpm(ConfigReader& fields, const Section& section);
std::int64_t blip(ConfigReader& fields, const Section& section);
std::int64_t blip2(ConfigReader& fields, const Section& section);
std::int64_t davit(ConfigReader& fields, const Section& section);
std::int64_t pix2struct(ConfigReader& fields, const Section& section);
std::int64_t sam(ConfigReader& fields, const Section& section);
std::int64_t ovis2(ConfigReader& fields, const Section& section);
}  // namespace towers

// What wrappers hold beside their text part.
namespace senses {
Result<Senses> llava(const nlohmann::json& file);
Result<Senses> llava_next(const nlohmann::json& file);
Result<Senses> llava_onevision(const nlohmann::json& file);
Result<Senses> vipllava(const nlohmann::json& file);
Result<Senses> video_llava(const nlohmann::json& file);
Result<Senses> paligemma(const nlohmann::json& file);
Result<Senses> gemma3(const nlohmann::json& file);
Result<Senses> mistral3(const nlohmann::json& file);
Result<Senses> lighton_ocr(const nlohmann::json& file);
Result<Senses> aya_vision(const nlohmann::json& file);
Result<Senses> cohere2_vision(const nlohmann::json& file);
Result<Senses> lfm2_vl(const nlohmann::json& file);
Result<Senses> deepseek_vl(const nlohmann::json& file);
Result<Senses> internvl(const nlohmann::json& file);
Result<Senses> idefics2(const nlohmann::json& file);
Result<Senses> idefics3(const nlohmann::json& file);
Result<Senses> aria(const nlohmann::json& file);
Result<Senses> llama4(const nlohmann::json& file);
Result<Senses> ovis2(const nlohmann::json& file);
Result<Senses> video_llama_3(const nlohmann::json& file);
Result<Senses> paddleocr_vl(const nlohmann::json& file);
Result<Senses> qianfan(const nlohmann::json& file);
Result<Senses> kimi(const nlohmann::json& file);
Result<Senses> gemma4(const nlohmann::json& file);
Result<Senses> gemma4_unified(const nlohmann::json& file);
Result<Senses> minicpm(const nlohmann::json& file);
Result<Senses> blip2(const nlohmann::json& file);
Result<Senses> instructblip(const nlohmann::json& file);
Result<Senses> florence2(const nlohmann::json& file);
Result<Senses> pix2struct(const nlohmann::json& file);
// An encoder of a type of its own, ViT or wav2vec 2.0 where the file says none, and what leads to a decoder of another
// width.
Result<Senses> seen_by_decoder(const nlohmann::json& file);
Result<Senses> heard_by_decoder(const nlohmann::json& file);
Result<Senses> pp_formulanet(const nlohmann::json& file);
Result<Senses> fuyu(const nlohmann::json& file);
Result<Senses> qwen2_audio(const nlohmann::json& file);
Result<Senses> voxtral(const nlohmann::json& file);
Result<Senses> audioflamingo3(const nlohmann::json& file);
Result<Senses> glmasr(const nlohmann::json& file);
Result<Senses> omniasr(const nlohmann::json& file);
Result<Senses> qwen3_asr(const nlohmann::json& file);
// An encoder of images beside one of texts.
Result<Senses> clip_pair(const nlohmann::json& file);
Result<Senses> siglip_pair(const nlohmann::json& file);
Result<Senses> siglip2_pair(const nlohmann::json& file);
// A tower `visual` with its merger inside.
template <Tower tower>
Result<Senses> visual(const nlohmann::json& file) {
    SensesReader reader(file);
    reader.list("vision_config", tower, reader.tower("visual"));
    return reader.take();
}
}  // namespace senses

}  // namespace headcount
