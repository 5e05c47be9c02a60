// An architecture as Headcount saves it.
#include "core/files/architecture_json.hpp"

#include "core/arch/fields.hpp"
#include "core/base/json_file.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/families/families.hpp"
#include "core/files/multimodal.hpp"

namespace headcount {
namespace {

constexpr std::size_t longest_name = 255;  // as a file's may be, which a model is named after

}  // namespace

nlohmann::ordered_json architecture_to_json(const Architecture& arch) {
    nlohmann::ordered_json values = nlohmann::ordered_json::object();
    for (const FieldInfo& field : fields())
        if (std::optional<std::string> text = field_text(arch, field.field)) values[std::string(field.key)] = *text;
    nlohmann::ordered_json json{{"type", arch.family->type}, {"name", arch.name}, {"fields", values}};
    // Each is there once: not asked for by name, which in an ordered object is to look through all before it.
    nlohmann::ordered_json::object_t carried;
    carried.reserve(arch.carried.fields().size());
    for (const auto& [key, text] : arch.carried.fields()) carried.emplace_back(key, parsed_again(text));
    if (!carried.empty()) json["carried"] = std::move(carried);
    if (arch.whole) json["whole"] = arch.whole->file.object();
    return json;
}

Result<Architecture> architecture_from_json(const nlohmann::json& json) {
    auto type = json.find("type");
    const Family* family = type != json.end() && type->is_string() ? find_family(type->get<std::string>()) : nullptr;
    if (!family) return Error{"there is no known type", "type", "this file may come from a newer Headcount"};
    auto values = json.find("fields");
    if (values == json.end() || !values->is_object())
        return Error{"there are no fields", "fields", "save the document again"};
    Architecture arch;
    arch.family = family;
    if (auto name = json.find("name"); name != json.end() && name->is_string()) arch.name = name->get<std::string>();
    if (arch.name.size() > longest_name)
        return Error{"this name has " + grouped(static_cast<std::int64_t>(arch.name.size())) + " bytes", "name",
                     "shorten it to " + std::to_string(longest_name)};
    if (auto carried = json.find("carried"); carried != json.end()) {
        if (!carried->is_object()) return Error{"this is not an object", "carried", "save the document again"};
        arch.carried = carried_from(*carried);
    }
    for (const auto& [key, value] : values->items()) {
        if (!value.is_string()) return Error{"this is not text", "fields." + shown(key), "put it in quotes"};
        Result<Architecture> changed = with_field(std::move(arch), key, value.get<std::string>());
        if (!changed) return within("fields." + shown(key), changed.error());
        arch = std::move(*changed);
    }
    // Newer fields may be missing in older files, and are then as they always were; these never were.
    for (const Field each : {Field::dim, Field::layers})
        if (const std::string key(info(each).key); !values->contains(key))
            return Error{"there is no " + lower(info(each).label), "fields." + key, "save the document again"};
    if (auto whole = json.find("whole"); whole != json.end()) {
        if (!whole->is_object()) return Error{"this is not an object", "whole", "save the document again"};
        Result<Architecture> all = with_senses(std::move(arch), *whole, "whole");
        if (all && !all->whole)
            return Error{"there is no known type of a whole file", "whole.model_type",
                         "this file may come from a newer Headcount"};
        return all;
    }
    return arch;
}

}  // namespace headcount
