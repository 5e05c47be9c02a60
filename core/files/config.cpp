// Hugging Face configurations: reading one as an architecture, and writing an architecture as one.
#include "core/files/config.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>

#include "core/arch/matters.hpp"
#include "core/arch/validate.hpp"
#include "core/base/json_file.hpp"
#include "core/base/text.hpp"
#include "core/families/config_reader.hpp"
#include "core/families/families.hpp"
#include "core/families/unknown.hpp"
#include "core/families/wrappers.hpp"
#include "core/files/class_said.hpp"
#include "core/files/multimodal.hpp"
#include "core/files/tried_fields.hpp"

namespace headcount {
namespace {

namespace fs = std::filesystem;

// Those that are published have some kilobytes; as a value, JSON takes twenty times what it takes in the file.
constexpr std::uintmax_t largest_config = 8u << 20;

// The size of a file that is too large for one; nothing of any other.
std::optional<std::int64_t> too_large(const fs::path& path) {
    std::error_code failure;
    const std::uintmax_t size = fs::file_size(path, failure);
    if (failure || size <= largest_config || path.extension() == ".headcount") return std::nullopt;
    return static_cast<std::int64_t>(size);
}

// What wrappers call the part that is text, and what models were called before their type was part of transformers.
struct Alias {
    std::string_view type, family;
};
constexpr std::array aliases = std::to_array<Alias>({
    {"RefinedWeb", "falcon"},
    {"RefinedWebModel", "falcon"},
    {"gpt-sw3", "gpt2"},
    {"qwen2_5_vl_text", "qwen2"},
    {"qwen2_vl_text", "qwen2"},
    {"qwen3_vl_text", "qwen3"},
    {"stablelm_epoch", "stablelm"},
});

const Family* family_of(std::string_view type) {
    if (const Wrapper* wrapper = find_wrapper(type)) type = wrapper->text;
    const auto alias = std::ranges::find(aliases, type, &Alias::type);
    return find_family(alias == aliases.end() ? type : alias->family);
}

// Without a type the class says it: "LlamaForCausalLM" is what the top of the module tree is called.
const Family* family_by_class(const nlohmann::json& config) {
    const std::string name = class_said(config);
    for (const Family* family : families())
        if (name == family->modules.front().class_name) return family;
    return nullptr;
}

Result<Architecture> read_as(const Family& family, const nlohmann::json& config, const std::string& place) {
    const ClassForm* const form = class_form(family, class_said(config));
    Result<Architecture> arch = family.read(form ? of_stack(config, family, *form) : config, family);
    if (!arch) return within(place, arch.error());
    std::optional<Error> other = form ? put_classes(config, *form, *arch) : obey_class(config, *arch);
    if (other) return within(place, *other);
    std::vector<Problem> problems = validate(*arch);
    if (problems.empty()) return arch;
    // The file has a word of its own for the field.
    Error& error = problems.front().error;
    const Field field = problems.front().fields.front();
    const std::string key = error.where == info(field).key ? source_key(family, config, field) : "";
    if (!key.empty() && key != error.where) error.where = key + " (" + error.where + ")";
    return within(place, error);
}

std::vector<std::string_view> known_types() {
    std::vector<std::string_view> types;
    for (const Family* family : families()) types.push_back(family->type);
    return types;
}

std::string nearest_types(const nlohmann::json& config) {
    const std::string_view type = type_said(config);
    return type.empty() ? "" : did_you_mean(type, known_types(), "", 2);
}

}  // namespace

Result<nlohmann::json> read_config_file(const fs::path& path) {
    if (const std::optional<std::int64_t> size = too_large(path))
        return Error{"a configuration has at most 8 MiB; this file has " + bytes_text(*size), path.string(),
                     "name the model's config.json, or its weights"};
    return read_json(path);
}

bool is_large_index(const fs::path& path) {
    if (!too_large(path)) return false;
    if (path.filename().string().ends_with(".safetensors.index.json")) return true;
    std::ifstream file(path, std::ios::binary);
    std::array<char, 65536> start{};
    file.read(start.data(), start.size());
    const std::string_view text(start.data(), static_cast<std::size_t>(file.gcount()));
    return text.find("\"weight_map\"") != std::string_view::npos;
}

std::vector<std::string> notes_on_unknown(const nlohmann::json& config) {
    const std::string_view inner = text_part(config);
    if (!inner.empty()) return notes_on_unknown(text_of(config, inner));
    const std::string nearest = nearest_types(config);
    std::string assumed;
    for (const std::string& each : assumptions(config)) assumed += (assumed.empty() ? "" : ", ") + each;
    const std::string activation = unknown_activation(config);
    std::vector<std::string> notes{"Not verified: this model_type is not known" +
                                       (nearest.empty() ? "" : " (" + nearest + ")") +
                                       ". The decoder shown is what its fields look like; what they leave open is as "
                                       "in LLaMA, or as assumed here.",
                                   "Assumed, since the file does not say: " + assumed + "."};
    if (!activation.empty())
        notes.push_back("Taken for SiLU, since it is not known: the " + activation + " " +
                        as_written(config[activation]) + ".");
    return notes;
}

Result<Architecture> read_config(const nlohmann::json& config, std::string_view where) {
    const std::string place(where);
    const nlohmann::json* typed = said(config, "model_type");
    if (typed && !typed->is_string())
        return Error{as_written(*typed) + " is not text", place + ", model_type", use_one_of("", known_types())};
    const std::string_view name = type_said(config);
    const Family* family = find_family(name);
    if (!family) family = find_family(lower(name));     // "LLaMA"
    if (family && !family->verified) family = nullptr;  // a saved document's word, and no file's
    if (family && is_of_both(config, *family)) family = nullptr;
    if (!family)
        if (std::optional<Error> other = has_encoder(config)) return within(place, *other);
    const std::optional<nlohmann::json> apart = family ? std::nullopt : with_text_apart(config);
    const nlohmann::json& file = apart ? *apart : config;
    if (std::optional<Error> wrong = wrong_multimodal(file)) return within(place, *wrong);
    const std::string_view inner = text_part(file);
    if (!family && !inner.empty() && !find_wrapper(name))
        if (std::optional<Error> other = is_no_known_decoder(config)) return within(place, *other);
    if (!family && !inner.empty()) {
        Result<Architecture> text =
            read_config(text_of(file, inner), apart ? place : place + ", " + std::string(inner));
        if (text) text->whole.reset();  // of a whole file inside, the text alone
        if (text)
            if (std::optional<Error> other = put_head_of_whole(file, *text)) return within(place, *other);
        if (text)
            if (std::optional<Error> other = obey_class_of_whole(config, *text)) return within(place, *other);
        const Wrapper* const wrapper = find_wrapper(name);
        const bool whole = text && wrapper && inner == text_field(*wrapper);  // other code's files hold other towers
        return whole ? with_senses(*text, file, place) : text;
    }
    if (!family && find_wrapper(name) && !looks_like_decoder(config))
        return Error{
            "a model of type " + as_written(*typed) + " wraps a language model, of which the file says nothing", place,
            "give its text_config, or at the top its hidden_size, num_hidden_layers, num_attention_heads and "
            "vocab_size"};
    if (!family) family = typed ? family_of(name) : family_by_class(config);
    if (!family)
        if (std::optional<Error> other = is_no_known_decoder(config)) return within(place, *other);
    if (!family && looks_like_decoder(config)) family = &unknown_family();
    if (family) return read_as(*family, config, place);
    if (!typed) return Error{"there is no model_type", place, use_one_of("", known_types())};
    return Error{"model_type " + as_written(*typed) + " is not known yet", place,
                 use_one_of(name, known_types()) + "; or open one whose file says width, layers, heads and vocabulary"};
}

namespace {

// Whether the two say the same about a field: the value in effect, not how it came about.
bool same(const Architecture& a, const Architecture& b, const FieldInfo& field) {
    if (field.field == Field::ffn_multiple_of || field.field == Field::ffn_multiplier) return true;
    if (!matters(a, field.field) && !matters(b, field.field)) return true;
    if (field.kind == FieldKind::number) return field_number(a, field.field) == field_number(b, field.field);
    const std::optional<std::string> one = field_text(a, field.field), other = field_text(b, field.field);
    if (field.kind != FieldKind::layers || !one || !other) return one == other;
    return LayerSet::parse(*one, field.key)->same_in(*LayerSet::parse(*other, field.key), a.layers);
}

// The labels of a file whose classes are other ones by now.
bool says_other_classes(std::string_view field, const Architecture& arch) {
    if (arch.output != OutputKind::classes || (field != "id2label" && field != "label2id")) return false;
    const nlohmann::json labels = object_said(arch.carried.object(), "id2label");
    return !labels.empty() && static_cast<std::int64_t>(labels.size()) != arch.classes;
}

void write_classes(nlohmann::ordered_json& config, const ClassForm& form, const Architecture& arch) {
    config["architectures"] = {class_said(arch.carried.object())};
    if (!form.classes) config["num_labels"] = arch.classes;
}

// transformers refuses a table whose row for padding, the file's or the type's own, is not among its rows.
void drop_padding_outside(nlohmann::ordered_json& config, const Architecture& arch) {
    const auto given = config.find("pad_token_id");
    std::optional<std::int64_t> row = arch.family->padding;
    if (given != config.end())
        row = given->is_number_integer() ? std::optional(given->get<std::int64_t>()) : std::nullopt;
    if (row && *row >= arch.vocab) config["pad_token_id"] = nullptr;
}

}  // namespace

Result<nlohmann::ordered_json> write_config(const Architecture& arch) {
    nlohmann::ordered_json written = arch.family->write(arch);
    const auto named = written.find("architectures");
    const bool as_whole = named == written.end() || named->front() == arch.family->modules.front().class_name;
    const ClassForm* const form = class_form(arch);
    const std::string said = class_said(arch.carried.object());
    if (const std::string stack = class_without_head(arch); !stack.empty() && as_whole)
        written["architectures"] = {stack};
    else if (form)
        write_classes(written, *form, arch);
    else if (!said.empty() && (form_beside_tokens(arch) || !class_form(*arch.family, said)) && as_whole && !arch.whole)
        written["architectures"] = {said};
    // What the model's own file said besides changes no shape, and still decides what it computes.
    auto& fields_written = written.get_ref<nlohmann::ordered_json::object_t&>();
    const auto own = static_cast<std::ptrdiff_t>(fields_written.size());
    for (const auto& carried : arch.carried.fields())
        if (!is_own_word(carried.first) && !says_other_classes(carried.first, arch) &&
            std::none_of(fields_written.begin(), fields_written.begin() + own,
                         [&carried](const auto& field) { return field.first == carried.first; }))
            fields_written.emplace_back(carried.first, parsed_again(carried.second));
    drop_padding_outside(written, arch);
    if (arch.whole) written = whole_of(arch, std::move(written));
    Result<Architecture> back = read_config(nlohmann::json(written), "export");
    if (!back) return back.error();
    std::string lost;
    for (const FieldInfo& field : fields())
        if (!same(arch, *back, field)) lost += (lost.empty() ? "" : ", ") + std::string(field.key);
    if (arch.whole.has_value() != back->whole.has_value())
        lost += std::string(lost.empty() ? "" : ", ") + "tower and connector";
    if (!lost.empty())
        return Error{"a " + std::string(arch.family->type) + " configuration has no word for this choice of " + lost,
                     "export", "save it as FILE.headcount, or set these fields back"};
    return written;
}

}  // namespace headcount
